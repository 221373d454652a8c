from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.history import History
from lantern_kit.kernel.revision import Mode
from lantern_kit.kernel.verify import Report, verify_kernel
from tests.kernel.damage import Damage, undetected
from tests.kernel.shelf import ANN, BOT, Shelf, book, open_shelf, page

KEPT = ("revisions", "changes", "documents", "lines")


def fill(shelf: Shelf) -> None:
    """A small history of every kind: edits, a draft, a branching line with a checkout, pictures."""
    head = shelf.create("ch", book(40))
    for number in range(4):
        pages = {f"un_{number:04d}": page(number, f"Words {number}, “twice”."), "un_0039": page(39, str(number))}
        head = shelf.edit("ch", head.number, pages, actor=BOT if number % 2 else ANN)
    with shelf.journal.write() as connection:
        draft = shelf.history.fork(connection, "d1", kind="draft", base=head, root="ch", actor=BOT, message="a draft")
    shelf.edit("d1", draft.number, {"un_0003": page(3, "Drafted. " * 30)}, actor=BOT)
    first = shelf.create("rig", book(3), mode=Mode.BRANCHING)
    second = shelf.edit("rig", first.number, {"un_0000": page(0, "Left.")})
    with shelf.journal.write() as connection:
        shelf.history.checkout(connection, "rig", expected_head=second.number, node=first.number, actor=ANN)
    for picture in (b"a picture", b"another picture", bytes(range(256))):
        shelf.blobs.put(picture)


@pytest.fixture
def filled(shelf: Shelf) -> Shelf:
    fill(shelf)
    assert shelf.verify().clean
    return shelf


# one byte, anywhere


def checked(driver: sqlite3.Connection, shelf: Shelf) -> Report:
    report = Report()
    verify_kernel(Connection(driver), shelf.blobs, History(shelf.history.clock), report)
    return report


def missed(shelf: Shelf, table: str, sample: int | None) -> list[Damage]:
    driver = sqlite3.connect(shelf.journal.path, isolation_level=None)
    lost = undetected(driver, table, lambda: not checked(driver, shelf).clean, sample)
    assert checked(driver, shelf).clean, "a damage was not undone"
    driver.close()
    return lost


@pytest.mark.parametrize("table", KEPT)
def test_a_changed_byte_in_the_journal_is_found(filled: Shelf, table: str) -> None:
    assert missed(filled, table, 150) == []


@pytest.mark.prove
@pytest.mark.parametrize("table", KEPT)
def test_every_changed_byte_in_the_journal_is_found(filled: Shelf, table: str) -> None:
    assert missed(filled, table, None) == []


def test_every_row_that_is_taken_away_is_found(filled: Shelf) -> None:
    driver = sqlite3.connect(filled.journal.path, isolation_level=None)
    for table in KEPT:
        for (row,) in driver.execute(f"SELECT rowid FROM {table}").fetchall():
            driver.execute("BEGIN")
            driver.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
            assert not checked(driver, filled).clean, (table, row)
            driver.execute("ROLLBACK")
    driver.close()


def test_a_row_that_nobody_wrote_is_found(filled: Shelf) -> None:
    driver = sqlite3.connect(filled.journal.path, isolation_level=None)
    for table in ("revisions", "changes", "documents"):
        columns = [row[1] for row in driver.execute(f"PRAGMA table_info({table})")]
        fresh = {"id": "(SELECT max(id) + 1 FROM {t})", "seq": "seq + 1000", "hash": "zeroblob(32)"}
        values = [fresh.get(column, column).format(t=table) for column in columns]
        driver.execute("BEGIN")
        driver.execute(f"INSERT INTO {table} SELECT {', '.join(values)} FROM {table} ORDER BY id DESC LIMIT 1")
        assert not checked(driver, filled).clean, table
        driver.execute("ROLLBACK")
    driver.close()


def test_every_changed_byte_of_a_blob_and_every_lost_one_is_found(filled: Shelf) -> None:
    for path in [path for path in filled.blobs.folder.rglob("*") if path.is_file()]:
        whole = path.read_bytes()
        for place in range(len(whole)):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            assert [problem.kind for problem in filled.verify().problems] == ["blob"]
        path.write_bytes(whole)
    assert filled.verify().clean


# one byte of the file itself


def content(path: Path) -> list[Any]:
    """All rows of the tables that hold works."""
    driver = sqlite3.connect(path)
    rows = [driver.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid").fetchall() for table in KEPT]
    driver.close()
    return rows


def harmless_or_found(path: Path, shelf: Shelf, before: list[Any]) -> bool:
    """Whether a damaged file is refused or reported, or says all that it said before."""
    journal = Journal(path)
    report = Report()
    try:
        with journal.read() as connection:
            verify_kernel(connection, shelf.blobs, shelf.history, report)
    except LanternError:
        return True
    finally:
        journal.close()
    if not report.clean:
        return True
    return content(path) == before


def search_file(shelf: Shelf, tmp_path: Path, sample: int) -> list[int]:
    shelf.journal.close()
    whole = shelf.journal.path.read_bytes()
    before = content(shelf.journal.path)
    copy = tmp_path / "copy" / "journal.sqlite"
    copy.parent.mkdir()
    lost = []
    for place in Random(0).sample(range(len(whole)), min(sample, len(whole))):
        copy.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << place % 8)]) + whole[place + 1 :])
        if not harmless_or_found(copy, shelf, before):
            lost.append(place)
        for rest in copy.parent.iterdir():
            rest.unlink()
    return lost


def test_a_changed_byte_of_the_journals_file_is_found_or_changes_nothing(filled: Shelf, tmp_path: Path) -> None:
    assert search_file(filled, tmp_path, 150) == []


@pytest.mark.prove
def test_any_changed_byte_of_the_journals_file_is_found_or_changes_nothing(filled: Shelf, tmp_path: Path) -> None:
    assert search_file(filled, tmp_path, 20_000) == []


# what a report says


def test_a_clean_report_counts_what_it_looked_at(filled: Shelf) -> None:
    report = filled.verify()
    with filled.journal.read() as connection:
        for table in KEPT:
            assert report.checked[table] == connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar()
    assert report.checked["blobs"] == 3


def test_a_report_names_all_that_is_wrong_and_not_only_the_first(filled: Shelf) -> None:
    driver = sqlite3.connect(filled.journal.path)
    driver.execute("UPDATE changes SET after = 'x' WHERE revision = 3")
    driver.execute("UPDATE revisions SET message = message || '!' WHERE id = 5")
    driver.execute("UPDATE documents SET body = zeroblob(9) WHERE id = 2")
    driver.commit()
    driver.close()
    filled.blobs.put(b"a picture")
    next(path for path in filled.blobs.folder.rglob("*") if path.is_file()).write_bytes(b"")
    found = {(problem.kind, problem.id) for problem in filled.verify().problems}
    assert {("change", "r3"), ("revision", "r5"), ("document", "row 2")} <= found
    assert any(kind == "blob" for kind, _ in found)


def test_a_copied_folder_verifies_clean(filled: Shelf, tmp_path: Path) -> None:
    filled.journal.close()
    shutil.copytree(tmp_path, tmp_path.parent / "copied")
    copied = open_shelf(tmp_path.parent / "copied")
    assert copied.verify().clean
    assert copied.pages(copied.head()) == filled.pages(filled.head())
    copied.journal.close()
