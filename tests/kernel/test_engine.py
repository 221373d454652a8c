from __future__ import annotations

import fcntl
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import Busy, Corrupt, LanternError, WorkspaceProblem
from lantern_kit.kernel.turn import Turn
from tests.kernel.shelf import Shelf, book, open_shelf, page


def count(journal: Journal) -> int:
    with journal.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM notes").scalar_one())


def note(journal: Journal, words: str = "x") -> None:
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO notes (words) VALUES (?)", (words,))


def write_and_stop(journal: Journal, stop: BaseException) -> None:
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO notes (words) VALUES ('lost')")
        raise stop


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    made = Journal(tmp_path / "journal.sqlite", busy_seconds=0.2)
    with made.write() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (words TEXT UNIQUE)")
    yield made
    made.close()


# transactions


def test_a_block_that_ends_well_is_kept_and_one_that_raises_is_not(journal: Journal) -> None:
    note(journal, "kept")
    for stop in (ZeroDivisionError, KeyboardInterrupt, Busy):
        with pytest.raises(stop):
            write_and_stop(journal, stop("stop"))
    other = Journal(journal.path)
    assert count(other) == 1
    other.close()
    note(journal, "again")
    assert count(journal) == 2


def test_a_list_of_parameters_runs_a_statement_for_each(journal: Journal) -> None:
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO notes (words) VALUES (?)", [("a",), ("b",), ("c",)])
    assert count(journal) == 3


def test_rows_say_when_a_row_is_missing(journal: Journal) -> None:
    with journal.read() as connection:
        assert connection.exec_driver_sql("SELECT words FROM notes").scalar() is None
        assert connection.exec_driver_sql("SELECT 7, 8").one() == (7, 8)
        with pytest.raises(AssertionError):
            connection.exec_driver_sql("SELECT words FROM notes").scalar_one()


def test_a_reader_sees_one_moment_while_others_write(journal: Journal) -> None:
    note(journal, "before")
    with journal.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM notes").scalar_one() == 1
        note(journal, "meanwhile")
        assert connection.exec_driver_sql("SELECT count(*) FROM notes").scalar_one() == 1
    assert count(journal) == 2


def test_every_connection_is_durable_and_lets_readers_by(journal: Journal) -> None:
    with journal.read() as one, journal.read() as two:
        for connection in (one, two):
            found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
            assert found == ["wal", 2]


def test_threads_share_a_journal(journal: Journal) -> None:
    patient = Journal(journal.path)

    def work(worker: int) -> None:
        for number in range(25):
            note(patient, f"{worker}/{number}")

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count(patient) == 200
    patient.close()


def test_a_forked_child_uses_connections_of_its_own(journal: Journal, root: Path) -> None:
    program = """
import os, sys
from pathlib import Path
from lantern_kit.kernel.engine import Journal
journal = Journal(Path(sys.argv[1]))
def note(words):
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO notes (words) VALUES (?)", (words,))
note("parent")
child = os.fork()
note("child" if child == 0 else "parent again")
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", program, journal.path], cwd=root, check=True)
    assert count(journal) == 3


def test_a_file_that_is_gone_or_was_put_back_from_a_copy_is_refused_and_nothing_is_lost_in_the_old_one(
    journal: Journal, tmp_path: Path
) -> None:
    note(journal, "kept")
    journal.close()  # so that the copy is whole
    copy = shutil.copy(journal.path, tmp_path / "copy.sqlite")
    note(journal, "later")
    for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    with pytest.raises(WorkspaceProblem, match="is gone"):
        note(journal, "lost")
    assert not journal.path.exists(), "no empty file takes its place"
    shutil.copy(copy, journal.path)
    with pytest.raises(WorkspaceProblem, match="took its place"):
        count(journal)
    fresh = Journal(journal.path)
    assert count(fresh) == 1
    fresh.close()


@pytest.mark.parametrize("name", ["plain", "what? #1 %20 &x=1", "漫画 ü", "a'b\"c"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    shelf = open_shelf(tmp_path / name)
    revision = shelf.create(pages=book(2))
    assert shelf.pages(revision) == book(2)
    assert (tmp_path / name / "journal.sqlite").is_file()
    shelf.journal.close()


# waiting


def test_a_writer_that_waited_too_long_is_told_so_and_may_try_again(journal: Journal) -> None:
    other = sqlite3.connect(journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Busy) as caught:
        note(journal)
    assert caught.value.retryable
    other.execute("ROLLBACK")
    other.close()
    note(journal)
    assert count(journal) == 1


def test_a_writer_waits_behind_another_writer_of_the_same_process(journal: Journal) -> None:
    with journal.write(), pytest.raises(Busy):
        note(journal)
    note(journal)


def test_whoever_just_wrote_queues_behind_the_one_that_waited(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    greedy, patient = Turn(path, 30), Turn(path, 30)
    order: list[str] = []

    def write() -> None:
        with patient.held():
            order.append("patient")

    with greedy.held():
        waiting = threading.Thread(target=write)
        waiting.start()
        while _is_free(path, "next"):
            pass
        order.append("greedy")
    with greedy.held():
        order.append("greedy again")
    waiting.join()
    assert order == ["greedy", "patient", "greedy again"]
    greedy.close()
    patient.close()


def _is_free(path: Path, place: str) -> bool:
    with path.with_name(f"{path.name}.{place}").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def test_a_killed_process_keeps_nobody_waiting(journal: Journal) -> None:
    program = """
import sys
from pathlib import Path
from lantern_kit.kernel.engine import Journal
with Journal(Path(sys.argv[1])).write() as connection:
    connection.exec_driver_sql("INSERT INTO notes (words) VALUES ('never')")
    print("writing", flush=True)
    input()
"""
    with subprocess.Popen([sys.executable, "-c", program, journal.path], stdin=-1, stdout=-1, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "writing\n"
        with pytest.raises(Busy):
            note(journal)
        child.kill()
    note(journal)
    assert count(journal) == 1


# what is wrong with a folder


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 100, b"\x00" * 4096, b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_corrupt(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.sqlite").write_bytes(content)
    with pytest.raises(Corrupt):
        open_shelf(tmp_path)
    assert (tmp_path / "journal.sqlite").read_bytes() == content


def test_a_journal_cut_in_half_is_corrupt(shelf: Shelf, tmp_path: Path) -> None:
    shelf.create(pages=book(300))
    shelf.journal.close()
    path = tmp_path / "journal.sqlite"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    with pytest.raises(Corrupt):
        open_shelf(tmp_path).verify()


def test_a_folder_that_is_not_there_or_is_a_file_is_a_problem_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in ("nowhere", "file"):
        with pytest.raises(WorkspaceProblem), Journal(tmp_path / folder / "journal.sqlite").read():
            pass


UNTIL_FULL = """
import resource, sys
from pathlib import Path
from lantern_kit.kernel.errors import LanternError
from tests.kernel.shelf import open_shelf, page
folder, limit = Path(sys.argv[1]), int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
shelf = open_shelf(folder)
head = shelf.head().number
try:
    for number in range(100_000):
        words = shelf.blobs.put(str(number).encode() * 500).hex() * 40
        head = shelf.edit("ch", head, {"un_0000": page(number, words)}).number
        print(head, flush=True)
except LanternError as error:
    print(error.code, error.message, error.recovery, flush=True)
    sys.exit(7)
"""


def fill(folder: Path, root: Path, limit: int) -> tuple[list[int], str]:
    """Edit until the disk takes no more: revisions acknowledged, and the error."""
    command = [sys.executable, "-c", UNTIL_FULL, folder, str(limit)]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert run.returncode == 7, run.stderr
    *acknowledged, error = run.stdout.splitlines()
    return [int(line) for line in acknowledged], error


def check_full(folder: Path, root: Path, limit: int) -> None:
    shelf = open_shelf(folder)
    shelf.create()
    shelf.journal.close()
    acknowledged, error = fill(folder, root, limit)
    assert error.startswith("workspace_problem ")
    assert "disk" in error or "File too large" in error
    assert len(acknowledged) > 3
    if not limit:
        for path in sorted((folder / "blobs").rglob("*"))[:200]:
            if path.is_file():
                path.unlink()
    again = open_shelf(folder)
    assert again.verify().clean
    assert again.head().number == acknowledged[-1]
    again.edit("ch", acknowledged[-1], {"un_0000": page(0, "There is room again.")})
    again.journal.close()


def test_a_file_that_may_not_grow_is_a_clear_error_and_loses_nothing(tmp_path: Path, root: Path) -> None:
    if resource.getrlimit(resource.RLIMIT_FSIZE)[1] not in {resource.RLIM_INFINITY, -1}:
        pytest.skip("file sizes are limited here already")
    check_full(tmp_path, root, 600_000)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]
    if mount is None or os.geteuid() != 0 or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here: a full and a read-only one are not tried")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_disk_is_a_clear_error_and_loses_nothing(disk: Path, root: Path) -> None:
    check_full(disk, root, 0)


def test_a_read_only_disk_is_a_clear_error(disk: Path) -> None:
    shelf = open_shelf(disk)
    first = shelf.create()
    shelf.journal.close()
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    attempts = [
        lambda: shelf.edit("ch", first.number, {"un_0000": page(0, "New.")}),
        lambda: shelf.blobs.put(b"picture"),
        lambda: open_shelf(disk),
        shelf.head,
    ]
    for attempt in attempts:
        with pytest.raises(WorkspaceProblem) as caught:
            attempt()
        assert caught.value.recovery
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
    shelf.edit("ch", first.number, {"un_0000": page(0, "New.")})
    assert shelf.verify().clean
    shelf.journal.close()


def test_errors_of_the_driver_never_leak(journal: Journal) -> None:
    for statement in ("SELECT * FROM nothing", "SELEC 1"):
        with pytest.raises(LanternError), journal.read() as connection:
            connection.exec_driver_sql(statement)
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO notes (words) VALUES (CAST(x'ff' AS TEXT))")
    with pytest.raises(Corrupt), journal.read() as connection:
        connection.exec_driver_sql("SELECT words FROM notes").fetchall()


def test_a_commit_is_synced_before_it_is_acknowledged(journal: Journal, root: Path, tmp_path: Path) -> None:
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed: that commits are synced is not checked")
    journal.close()
    program = """
import os, sys
from pathlib import Path
from lantern_kit.kernel.engine import Journal
journal = Journal(Path(sys.argv[1]))
for number in range(5):
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO notes (words) VALUES (?)", (f"note {number}",))
    os.write(1, b"acknowledged")
"""
    log = tmp_path / "log"
    calls = "trace=pwrite64,write,fsync,fdatasync"
    command = [strace, "-y", "-f", "-e", calls, "-o", log, sys.executable, "-c", program, journal.path]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if run.returncode and "ptrace" in run.stderr:
        pytest.skip("strace may not trace here: that commits are synced is not checked")
    synced = True
    acknowledged = 0
    for line in log.read_text().splitlines():
        if re.search(r"pwrite64\(\d+<[^>]*-wal>", line):
            synced = False
        elif re.search(r"f(data)?sync\(\d+<[^>]*-wal>", line):
            synced = True
        elif '"acknowledged"' in line:
            acknowledged += 1
            assert synced, "acknowledged before the write-ahead log was synced"
    assert acknowledged == 5
