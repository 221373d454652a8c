"""The file analysis.duckdb: damaged, foreign, of another version, of another journal; kept whole, and nothing lost."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from pathlib import Path

import duckdb
import pytest

from lantern_kit.analysis import Notice, analysis
from lantern_kit.kernel.errors import WorkspaceProblem
from tests.analysis.world import PROJECTORS, World, contents


def path_of(world: World) -> Path:
    return world.ws.path / "analysis.duckdb"


def codes(world: World) -> list[str]:
    return [notice.code for notice in world.notices]


def foreign_text(path: Path) -> None:
    path.write_text("not a database at all\n" * 400)


def foreign_nothing(path: Path) -> None:
    path.write_bytes(b"")


def foreign_sqlite(path: Path) -> None:
    made = sqlite3.connect(path)
    made.execute("CREATE TABLE mine (i)")
    made.commit()
    made.close()


def foreign_duckdb(path: Path) -> None:
    with duckdb.connect(path) as made:
        made.execute("CREATE TABLE mine AS SELECT 42 AS i")


def foreign_folder(path: Path) -> None:
    path.mkdir()
    (path / "keep.txt").write_text("mine")


@pytest.mark.parametrize("make", [foreign_text, foreign_nothing, foreign_sqlite, foreign_duckdb, foreign_folder])
def test_what_is_not_the_kits_is_moved_aside_untouched(world: World, make: object, tmp_path: Path) -> None:
    assert callable(make)
    make(path_of(world))
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh)
    assert codes(world) == ["moved_aside"]
    aside = world.ws.path / "analysis.duckdb.aside-1"
    assert aside.name in str(world.notices[0])
    assert str(tmp_path) not in str(world.notices[0])
    assert "download" not in str(world.notices[0])
    if make is foreign_duckdb:
        with duckdb.connect(aside) as kept:
            assert kept.execute("SELECT i FROM mine").fetchall() == [(42,)]
    if make is foreign_text:
        assert aside.read_text() == "not a database at all\n" * 400
    world.analysis().close()
    assert codes(world) == ["moved_aside"]


def test_a_second_damaged_file_does_not_overwrite_the_first_one_aside(world: World) -> None:
    for _ in range(2):
        foreign_text(path_of(world))
        world.analysis().close()
    assert sorted(path.name for path in world.ws.path.glob("*.aside-*")) == [
        "analysis.duckdb.aside-1",
        "analysis.duckdb.aside-2",
    ]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_that_was_cut_short_is_made_anew(world: World, share: float) -> None:
    with world.analysis() as db:
        before = contents(db)
    whole = path_of(world).read_bytes()
    path_of(world).write_bytes(whole[: int(len(whole) * share)])
    with world.analysis() as db:
        assert contents(db) == before
    assert codes(world) == ["moved_aside"]


def test_wherever_a_block_is_damaged_an_analysis_comes_that_has_all_rows_or_a_question_that_fails(world: World) -> None:
    with world.analysis() as db:
        before = contents(db)
    whole = path_of(world).read_bytes()
    ends = {"whole": 0, "refused": 0}
    for at in range(0, len(whole), max(1, len(whole) // 12)):
        broken = bytearray(whole)
        broken[at] ^= 0x5A
        path_of(world).write_bytes(broken)
        with world.analysis() as db:
            try:
                found = contents(db)
            except duckdb.Error:
                ends["refused"] += 1
                continue
        assert found == before
        ends["whole"] += 1
    assert ends["whole"] > 0
    with world.analysis(rebuild=True) as db:
        assert contents(db) == before


def test_a_file_of_another_version_of_the_kit_is_made_anew(world: World) -> None:
    with world.analysis() as db:
        before = contents(db)
        db.execute("UPDATE lantern.meta SET value = '0' WHERE key = 'format'")
        db.execute("DROP TABLE lantern.marks")
    with world.analysis() as db:
        assert contents(db) == before
    assert codes(world) == ["rebuilt"]
    assert [path.name for path in world.ws.path.glob("analysis.duckdb*")] == ["analysis.duckdb"]


def test_a_file_that_speaks_of_another_journal_is_filled_anew(world: World, tmp_path: Path) -> None:
    other = World(tmp_path / "other", seed=11).live(90)
    other.analysis().close()
    shutil.copy(path_of(other), path_of(world))
    other.close()
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh)
    assert codes(world) == ["rebuilt"]


@pytest.mark.parametrize("steps", [0, 150], ids=["shorter", "longer"])
def test_a_journal_brought_back_from_a_backup_is_noticed(world: World, tmp_path: Path, steps: int) -> None:
    backup = tmp_path / "backup.sqlite"
    with world.raw() as raw:
        raw.execute("VACUUM INTO ?", [str(backup)])
    world.live(30)
    world.analysis().close()
    world.ws.journal.close()
    for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"):
        (world.ws.path / name).unlink(missing_ok=True)
    shutil.copy(backup, world.ws.journal.path)
    world.clock.skip(5_000)
    world.edit()
    world.live(steps)
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh)
    assert codes(world) == ["rebuilt"]


def test_a_log_left_behind_by_a_deleted_file_is_not_taken_for_the_new_ones(world: World, tmp_path: Path) -> None:
    log = path_of(world).with_name("analysis.duckdb.wal")
    with world.analysis() as db:
        before = contents(db)
        db.execute("CREATE TABLE leftover AS SELECT 1 AS i")
        kept = log.read_bytes()
    path_of(world).unlink()
    log.write_bytes(kept)
    with world.analysis() as db:
        assert contents(db) == before
        assert db.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'leftover'").fetchone() == (0,)
    assert world.notices == []


def test_a_file_deleted_while_this_process_has_it_open_is_asked_to_be_closed(world: World) -> None:
    with world.analysis():
        path_of(world).unlink()
        with pytest.raises(WorkspaceProblem, match="still had it open") as raised:
            world.analysis()
        assert "Close" in raised.value.recovery
    world.analysis().close()
    assert world.notices == []


def test_a_connection_opened_by_hand_with_other_settings_is_named(world: World) -> None:
    world.analysis().close()
    with duckdb.connect(path_of(world)), pytest.raises(WorkspaceProblem, match="other settings"):
        world.analysis()


def test_a_notice_goes_to_the_log_when_nobody_asks_for_it(world: World, caplog: pytest.LogCaptureFixture) -> None:
    foreign_text(path_of(world))
    with caplog.at_level(logging.WARNING, "lantern_kit.analysis"):
        analysis(world.ws, PROJECTORS).close()
    assert ["moved to analysis.duckdb.aside-1" in line for line in caplog.messages] == [True]


def test_a_notice_reads_as_sentences() -> None:
    assert str(Notice("in_memory", "This is a copy.", "Close the other.")) == "This is a copy. Close the other."
    assert str(Notice("rebuilt", "It was made anew.")) == "It was made anew."
