"""Bringing the analysis up to date: the same rows whichever way one comes to them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.analysis import Registry, analysis
from lantern_kit.analysis import run as run_module
from lantern_kit.analysis import sync as sync_module
from lantern_kit.analysis.history import CHANGES
from lantern_kit.analysis.history import PROJECTORS as HISTORY
from lantern_kit.analysis.registry import Column, Mirrored, Row
from lantern_kit.comic.inventory import gutters
from lantern_kit.comic.uses import uses_of
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Busy, Corrupt, WrongState
from tests.analysis.world import NOVEL_TABLES, PROJECTED, PROJECTORS, TABLES, World, contents


@settings(max_examples=max(1, settings.default.max_examples // 8))
@given(
    seed=st.integers(0, 2**32),
    stretches=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    batch=st.sampled_from([1, 3, 50, 50_000]),
)
def test_growing_with_a_history_gives_the_rows_of_a_fresh_start(seed: int, stretches: list[int], batch: int) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        world = World(Path(folder) / "world", seed)
        patch.setattr(run_module, "BATCH", batch)
        for stretch in stretches:
            world.live(stretch)
            world.analysis().close()
        patch.undo()
        with world.analysis() as grown, world.analysis(in_memory=True) as fresh:
            found, wanted = contents(grown), contents(fresh)
            for name in TABLES:
                assert found[name] == wanted[name], name
        assert world.notices == []
        world.close()


def test_every_row_is_one_that_sqlite_counts(world: World) -> None:
    counted = set(TABLES) - PROJECTED
    by_actor = "SELECT actor, count(*) FROM {} GROUP BY 1 ORDER BY 2 DESC, 1"
    changes = "SELECT {} || revision, unit, object, object_kind, change, property, before, after FROM changes {}"
    with world.raw() as raw, world.analysis() as db:
        for name in counted:
            wanted = raw.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
            assert wanted > 0, f"the history has no {name} to count"
            assert db.execute(f"SELECT count(*) FROM {name}").fetchone() == (wanted,), name
        mine, theirs = by_actor.format("changes"), by_actor.format("changes JOIN revisions ON revisions.id = revision")
        assert db.execute(mine).fetchall() == raw.execute(theirs).fetchall()
        mine, theirs = changes.format("''", ""), changes.format("'r'", "ORDER BY id")
        assert db.execute(mine).fetchall() == raw.execute(theirs).fetchall()


def test_objects_are_those_of_every_head_and_remember_who_changed_them_first_and_last(world: World) -> None:
    wanted = []
    with world.raw() as raw:
        parents = dict(raw.execute("SELECT id, parent FROM revisions"))
        rows = raw.execute("SELECT revision, object FROM changes").fetchall()
        heads = raw.execute("SELECT id, head FROM lines").fetchall()
    for line, head in heads:
        lineage = {head}
        while (head := parents[head]) is not None:
            lineage.add(head)
        touched: dict[str, list[int]] = {}
        for revision, thing in rows:
            if revision in lineage:
                touched.setdefault(thing, []).append(revision)
        for unit in world.ws.comics.head(line).book.units():
            for item in unit.objects:
                found = touched[item.id]
                wanted.append((line, unit.id, item.id, item.kind, f"r{min(found)}", f"r{max(found)}"))
    assert len(wanted) > 20
    with world.analysis() as db:
        found = db.execute("SELECT line, unit, object, kind, first_revision, last_revision FROM objects").fetchall()
    assert sorted(found) == sorted(wanted)


def test_what_was_changed_and_changed_back_between_two_runs_has_a_new_last_revision(world: World) -> None:
    line = next(record.id for record in world.ws.comics.chapters() if len(world.ws.comics.head(record.id).book))
    seen = world.ws.comics.head(line)
    unit = next(unit for unit in seen.book.units() if unit.objects)
    changed = unit.objects[0].model_copy(update={"name": "for a moment"})
    book = seen.book.replace(unit.model_copy(update={"objects": (changed, *unit.objects[1:])}))
    world.analysis().close()
    world.ws.comics.commit(line, seen, book, actor=world.owner, cause="edit", message="hm")
    undone = world.ws.comics.undo(line, actor=world.owner)
    assert undone.revision.document == seen.revision.document
    with world.analysis() as db:
        last = "SELECT last_revision FROM objects WHERE line = ? AND object = ?"
        assert db.execute(last, [line, changed.id]).fetchone() == (undone.id,)


def test_gutters_are_those_of_every_head(world: World) -> None:
    with world.raw() as raw:
        lines = [line for (line,) in raw.execute("SELECT id FROM lines")]
    units = [(line, unit) for line in lines for unit in world.ws.comics.head(line).book.units()]
    wanted = [(line, *row) for line, unit in units for row in gutters(unit)]
    assert wanted
    with world.analysis() as db:
        assert sorted(db.execute("SELECT * FROM gutters").fetchall()) == sorted(wanted)


def test_units_stand_in_the_order_of_their_chapter(world: World) -> None:
    with world.analysis() as db:
        for record in world.ws.comics.chapters():
            rows = db.execute("SELECT unit, position FROM units WHERE line = ? ORDER BY 2", [record.id]).fetchall()
            assert rows == [(unit, place) for place, unit in enumerate(world.ws.comics.head(record.id).book.order, 1)]


def test_a_second_run_touches_nothing_and_a_third_only_what_is_new(world: World) -> None:
    said: list[tuple[str, int, int]] = []

    def note(what: str, done: int, total: int) -> None:
        said.append((what, done, total))

    world.analysis(progress=note).close()
    assert {what for what, *_ in said} == {*TABLES, *NOVEL_TABLES}
    said.clear()
    world.analysis(progress=note).close()
    assert said == []
    world.observe()
    with world.raw() as raw:
        added = raw.execute("SELECT count(*) FROM activity").fetchone()[0]
    with world.analysis(progress=note) as db:
        assert db.execute("SELECT count(*) FROM activity").fetchone() == (added,)
    assert {what for what, *_ in said} in ({"activity"}, {"activity", "activity_groups"})
    assert said[0][0] == "activity"
    assert said[0][1] == said[0][2] <= 3


def test_an_open_connection_sees_what_a_later_call_brings(world: World) -> None:
    with world.analysis() as early:
        before = early.execute("SELECT count(*) FROM revisions").fetchone()
        world.edit()
        with world.analysis() as later:
            after = later.execute("SELECT count(*) FROM revisions").fetchone()
        assert early.execute("SELECT count(*) FROM revisions").fetchone() == after != before


def test_threads_that_ask_at_once_all_get_everything(world: World) -> None:
    def ask(_: int) -> dict[str, list[tuple[Any, ...]]]:
        with world.analysis() as db:
            return contents(db)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(6)))
    with world.analysis(in_memory=True) as fresh:
        wanted = contents(fresh)
    assert all(answer == wanted for answer in answers)


def test_any_duckdb_reads_the_file(world: World) -> None:
    with world.analysis() as db:
        wanted = contents(db)
    with duckdb.connect(world.ws.path / "analysis.duckdb", read_only=True) as plain:
        assert contents(plain) == wanted
        assert plain.execute("SELECT number('r41')").fetchone() == (41,)


def test_between_batches_the_journal_can_be_written_and_checkpointed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "BATCH", 10)
    busy: list[int] = []
    with world.raw() as raw:
        last = raw.execute("SELECT max(id) FROM revisions").fetchone()[0]

    def write(what: str, done: int, total: int) -> None:
        if len(busy) < 20:
            world.save()
            with world.raw() as raw:
                busy.append(raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0])
            world.edit(1)

    with world.analysis(progress=write) as db:
        assert db.execute("SELECT max(number(revision)) FROM revisions").fetchone() == (last,)
        assert db.execute("SELECT count(*) FROM changes WHERE number(revision) > ?", [last]).fetchone() == (0,)
        grown = contents(db)
    assert busy == [0] * 20
    with world.analysis() as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh) != grown


def test_deleting_the_file_loses_nothing(world: World) -> None:
    with world.analysis() as db:
        before = contents(db)
    (world.ws.path / "analysis.duckdb").unlink()
    with world.analysis() as db:
        assert contents(db) == before
    assert world.notices == []


def test_rebuilding_gives_the_same_rows_even_where_somebody_changed_them(world: World) -> None:
    with world.analysis() as db:
        before = contents(db)
        db.execute("DELETE FROM changes")
        db.execute("UPDATE objects SET x = 0")
    with world.analysis(rebuild=True) as db:
        assert contents(db) == before


def test_a_table_that_somebody_dropped_is_made_again(world: World) -> None:
    with world.analysis() as db:
        before = contents(db)
        db.execute("DROP TABLE objects")
        db.execute("DROP TABLE changes")
    with world.analysis() as db:
        assert contents(db) == before


def test_a_table_of_another_version_is_filled_anew_and_the_others_stay(world: World) -> None:
    world.analysis().close()
    said: list[str] = []
    newer = [replace(item, version=2) if item.name == "objects" else item for item in PROJECTORS]
    with analysis(world.ws, newer, progress=lambda what, *_: said.append(what)) as db:
        found = contents(db)
    assert {*said} == {"objects"}
    with world.analysis(in_memory=True) as fresh:
        assert contents(fresh) == found


def test_a_numbered_table_that_has_a_new_column_is_no_sign_of_another_journal(world: World) -> None:
    world.analysis().close()
    said: list[str] = []
    newer = replace(CHANGES, columns=(*CHANGES.columns, Column("n", "BIGINT", "")), cells=(*CHANGES.cells, "t.id"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sync_module, "HISTORY", tuple(newer if item is CHANGES else item for item in HISTORY))
        with analysis(world.ws, PROJECTORS, progress=lambda what, *_: said.append(what), notify=world.notices.append):
            pass
    assert set(said) == {"changes"}
    assert world.notices == []


def test_a_table_nobody_registers_any_more_goes_and_a_persons_own_stays(world: World) -> None:
    with world.analysis() as db:
        db.execute("CREATE TABLE my_notes AS SELECT 'keep me' AS note")
    with analysis(world.ws) as db:
        names = {
            row[0] for row in db.execute("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'").fetchall()
        }
        assert names == {"revisions", "changes", "activity", "activity_groups", "my_notes"}


def test_times_are_utc_timestamps_and_numbers_are_numbers(world: World) -> None:
    with world.analysis() as db:
        types = {
            (table, column): kind
            for table, column, kind in db.execute(
                "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE schema_name = 'main'"
            ).fetchall()
        }
        assert {name for (_, name), kind in types.items() if kind == "TIMESTAMP"} == {
            "begun_at",
            "changed_at",
            "claimed_at",
            "committed_at",
            "completed_at",
            "created_at",
            "decided_at",
            "frozen_at",
            "kept_at",
            "last_at",
            "locked_at",
            "made_at",
            "occurred_at",
            "opened_at",
            "proposed_at",
            "received_at",
            "registered_at",
            "saved_at",
            "settled_at",
            "chosen_at",
            "window_end",
        }
        assert types["objects", "area"] == "DOUBLE"
        assert types["approvals", "valid"] == "BOOLEAN"
        assert types["proposals", "units"] == "VARCHAR[]"
        assert types["changes", "after"] == "JSON"
        with world.raw() as raw:
            stored = raw.execute("SELECT at FROM revisions WHERE id = 1").fetchone()
        assert db.execute("SELECT epoch_ms(committed_at) FROM revisions WHERE revision = 'r1'").fetchone() == stored


def test_uses_of_the_library_are_those_of_every_lines_head_whatever_changed_last(world: World) -> None:
    library = world.ws.library
    for step in ("as it is", "a name more", "a page more"):
        if step == "a name more":
            known = next((item for item in library.find(kind="character") if item.content.comic), None)
            if known is None:
                library.keep("character", "Chelsea", comic="Chelsea Goes Up", aliases=["the cat"])
            else:
                library.update(known.id, known.number, aliases=["Chelsea", step] if known.name != "Chelsea" else [step])
        elif step == "a page more":
            with world.ws.comic("Chelsea Goes Up").chapter(1).edit("a page more") as edit:
                edit.add_page().say("Mine?", at=(40, 40), speaker="CHELSEA")
        with world.raw() as raw:
            lines = [line for (line,) in raw.execute("SELECT id FROM lines").fetchall()]
        wanted = [
            (line, use.entry, use.how.value, use.unit, use.object, use.detail or None)
            for line in lines
            for use in uses_of(world.ws.comics.head(line).book, library.entries())
        ]
        with world.analysis() as db:
            found = db.execute("SELECT * FROM library_uses").fetchall()
        assert Counter(found) == Counter(wanted), step
    assert {how for _, _, how, *_ in wanted} >= {"cast", "scene", "speaker"}


def test_columns_are_those_the_documentation_promises(world: World) -> None:
    promised = {
        "revisions": "revision, line, kind, seq, parent, actor_kind, actor, cause, message, committed_at, document,"
        " chain, changes",
        "changes": "revision, unit, object, object_kind, change, property, before, after, actor",
        "objects": "line, unit, object, kind, parent, x, y, w, h, area, z, reading_order, text, characters, asset,"
        " description, scene, light, light_angle, first_revision, last_revision",
        "frame_cast": "line, unit, frame, who, look",
        "marks": "line, unit, object, number, kind, who, left, top, right, bottom",
        "library": "entry, kind, name, aliases, comic, notes, palette, looks, sheets, version, archived, kept_by,"
        " kept_at, changed_by, changed_at",
        "library_versions": "entry, version, cause, name, content, actor_kind, actor, message, made_at, chain",
        "library_uses": "line, entry, how, unit, object, detail",
        "proposals": "proposal, chapter, draft, base, frozen, state, actor, created_at, frozen_at, decided_at, units,"
        " changes, new_findings",
        "candidates": "candidate, draft, chapter, base, state, task, targets, operations, summary, new_findings,"
        " actor_kind, actor, proposed_at, decided_by, decided_at, result",
        "approvals": "proposal, verdict, mode, reviewer, key, compared, result, reason, decided_at, valid",
        "locks": "chapter, object, reason, actor, locked_at",
        "conflicts": "conflict, chapter, proposal, revision, unit, object, property, base, ours, theirs, state,"
        " chosen_by, chosen_at, chosen_in",
        "rejections": "proposal, part, object, property, reason, went_with, reviewer, decided_at, unit, object_kind",
        "gutters": "line, unit, first, second, direction, width, length",
        "annotations": "annotation, state, body, created_at, draft, proposal, chapter, actor, changed_at, attachments,"
        " messages",
        "annotation_references": "annotation, position, kind, target, x, y, resolution, target_kind, unit, revision",
        "activity": "event, activity_group, occurred_at, actor, capability, tool, effect, target, outcome, code,"
        " summary, duration_ms, answer_bytes, kind, action, draft, assets, link",
        "activity_groups": "activity_group, actor, work, draft, state, opened_at, last_at, window_end, proposal,"
        " snapshot",
        "assets": "asset, blob, kind, title, width, height, mode, bytes, source, digital_source_type, licence,"
        " registered_by, registered_at",
        "spans": "turn, pass, span, parent, agent, kind, name, begun_at, start_ms, duration_ms, failed",
        "tokens": "turn, pass, span, agent, model, input, output, cached, system, tools, history, retrieved, estimated",
    }
    with world.analysis() as db:
        for table, columns in promised.items():
            found = [row[0] for row in db.execute(f"DESCRIBE {table}").fetchall()]
            assert ", ".join(found) == columns


def test_every_table_and_column_says_in_the_database_what_it_holds(world: World) -> None:
    with world.analysis() as db:
        said = db.execute(
            "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal"
            " UNION ALL SELECT table_name, '', comment FROM duckdb_tables() WHERE schema_name = 'main'"
        ).fetchall()
    assert {table for table, *_ in said} == {*TABLES, *NOVEL_TABLES}
    assert [row for row in said if not row[2]] == []


def test_a_verdict_whose_row_was_tampered_with_is_not_valid(world: World) -> None:
    with world.analysis() as db:
        assert db.execute("SELECT DISTINCT valid FROM approvals").fetchall() == [(True,)]
    with world.raw() as raw:
        raw.execute("UPDATE approvals SET reason = 'I never said that' WHERE id = 1")
    with world.analysis() as db:
        assert db.execute("SELECT count(*) FROM approvals WHERE NOT valid").fetchone() == (1,)


def test_a_key_whose_event_was_tampered_with_takes_its_verdicts_along(world: World) -> None:
    world.analysis().close()
    with world.raw() as raw:
        raw.execute("UPDATE key_events SET name = 'somebody else'")
    with world.analysis() as db:
        assert db.execute("SELECT DISTINCT valid FROM approvals").fetchall() == [(False,)]


def test_tables_that_change_in_place_are_read_again_only_when_what_they_come_from_did(world: World) -> None:
    world.analysis().close()
    read: list[str] = []

    def watched(item: Mirrored) -> Mirrored:
        def rows(connection: Connection) -> Iterable[Row]:
            read.append(item.name)
            return item.read(connection)

        return replace(item, read=rows)

    watching = [watched(item) if isinstance(item, Mirrored) and item.depends else item for item in PROJECTORS]
    analysis(world.ws, watching).close()
    assert read == []
    world.edit()
    with analysis(world.ws, watching) as db, world.analysis(in_memory=True) as fresh:
        assert contents(db) == contents(fresh)
    assert read == ["chapters", "annotation_references"]


def test_every_rejected_part_is_a_row_with_its_reason(world: World) -> None:
    world.live(60)
    with world.raw() as raw:
        rows = raw.execute("SELECT proposal, choices FROM approvals WHERE choices <> ''").fetchall()
    wanted = set()
    for proposal, text in rows:
        choices = json.loads(text)
        wanted |= {(f"p{proposal}", part, None) for part in choices["rejected"]}
        wanted |= {(f"p{proposal}", part, cause) for part, cause in choices.get("with", {}).items()}
    assert wanted
    with world.analysis() as db:
        assert set(db.execute("SELECT proposal, part, went_with FROM rejections").fetchall()) == wanted
        assert db.execute("SELECT DISTINCT reason FROM rejections").fetchall()
        odd = "SELECT count(*) FROM rejections WHERE part <> concat_ws('.', object, property)"
        assert db.execute(odd).fetchone() == (0,)
        placed = "SELECT DISTINCT object, unit, object_kind FROM rejections"
        known = "SELECT DISTINCT object, unit, object_kind FROM changes"
        assert set(db.execute(placed).fetchall()) <= set(db.execute(known).fetchall())
    assert [item for item in world.ws.verify().problems if item.kind == "approval"] == []


def test_an_unreadable_row_of_the_journal_is_named_and_no_file_is_blamed(world: World) -> None:
    with world.raw() as raw:
        raw.execute("UPDATE changes SET after = '{not json' WHERE id = (SELECT max(id) FROM changes)")
    with pytest.raises(Corrupt, match="journal"):
        world.analysis()
    assert world.notices == []
    assert [path.name for path in world.ws.path.glob("analysis*")] == ["analysis.duckdb"]


def test_a_connection_that_holds_uncommitted_changes_of_the_tables_makes_the_call_busy(world: World) -> None:
    with world.analysis() as held:
        held.begin()
        held.execute("UPDATE lantern.marks SET anchor = 'mine'")
        world.edit()
        with pytest.raises(Busy):
            world.analysis()
        held.rollback()
        with world.analysis() as db, world.analysis(in_memory=True) as fresh:
            assert contents(held) == contents(db) == contents(fresh)


def test_two_projectors_of_one_name_are_refused() -> None:
    with pytest.raises(WrongState):
        Registry([CHANGES, CHANGES])


def test_what_stands_in_changes_is_json_that_duckdb_reads(world: World) -> None:
    with world.analysis() as db:
        rows = db.execute(
            "SELECT after, after->>'$.kind', object_kind FROM changes WHERE change = 'added' AND object_kind != 'unit'"
        ).fetchall()
    assert rows
    assert all(json.loads(after)["kind"] == kind == object_kind for after, kind, object_kind in rows)
