from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import lantern_kit.migrations
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import Busy, NewerWorkspace, WorkspaceProblem
from lantern_kit.migrations import HEAD, KNOWN, bring_up, stored_version
from lantern_kit.migrations.metadata import METADATA


def bytes_of(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def test_the_migrated_schema_is_the_one_the_tables_say(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    bring_up(journal)
    engine = sa.create_engine("sqlite://", creator=journal.connect, poolclass=sa.NullPool)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []
    journal.close()


def test_the_versions_known_are_those_of_the_chain() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(lantern_kit.migrations.__file__).parent))
    scripts = ScriptDirectory.from_config(config)
    assert [script.revision for script in scripts.walk_revisions()] == list(KNOWN[::-1])
    assert scripts.get_current_head() == HEAD


def test_a_new_journal_is_brought_up_once_and_then_left_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    bring_up(journal)
    journal.close()
    before = (tmp_path / "journal.sqlite").read_bytes()
    bring_up(journal)
    with journal.read() as connection:
        assert stored_version(connection) == HEAD
    journal.close()
    assert (tmp_path / "journal.sqlite").read_bytes() == before


OPEN = """
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from lantern_kit.kernel.engine import Journal
from lantern_kit.migrations import bring_up
print("ready", flush=True)
input()
bring_up(Journal(Path(sys.argv[1])))
print("alembic" in sys.modules, "sqlalchemy" in sys.modules)
"""


def open_at_once(folder: Path, root: Path, count: int) -> None:
    command = [sys.executable, "-c", OPEN, folder / "journal.sqlite"]
    with ExitStack() as stack:
        openers = [
            stack.enter_context(subprocess.Popen(command, cwd=root, stdin=-1, stdout=-1, stderr=-1, text=True))
            for _ in range(count)
        ]
        for opener in openers:
            assert opener.stdout is not None
            assert opener.stdout.readline() == "ready\n"
        for opener in openers:
            assert opener.stdin is not None
            opener.stdin.write("go\n")
            opener.stdin.flush()
        for opener in openers:
            _, trouble = opener.communicate()
            assert opener.returncode == 0, trouble
    journal = Journal(folder / "journal.sqlite")
    with journal.read() as connection:
        assert stored_version(connection) == HEAD
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    journal.close()


def test_four_processes_that_open_a_fresh_folder_at_once_all_succeed(tmp_path: Path, root: Path) -> None:
    open_at_once(tmp_path, root, 4)


def older(folder: Path, version: str) -> Journal:
    """A journal as an earlier version left it."""
    journal = Journal(folder / "journal.sqlite")
    config = Config()
    config.set_main_option("script_location", str(Path(lantern_kit.migrations.__file__).parent))
    engine = sa.create_engine("sqlite://", creator=journal.connect, poolclass=sa.NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    return journal


@pytest.mark.parametrize("version", KNOWN[:-1])
def test_four_processes_that_open_an_older_journal_at_once_all_succeed(
    tmp_path: Path, root: Path, version: str
) -> None:
    journal = older(tmp_path, version)
    with journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO workspace VALUES ('title', 'Old')")
    journal.close()
    open_at_once(tmp_path, root, 4)
    with journal.read() as connection:
        assert connection.exec_driver_sql("SELECT value FROM workspace").scalar() == "Old"
    journal.close()


@pytest.mark.parametrize("version", KNOWN[:-1])
def test_an_upgrade_that_fails_leaves_the_older_journal_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    journal = older(tmp_path, version)
    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", _stop)
        with pytest.raises(ZeroDivisionError):
            bring_up(journal)
    with journal.read() as connection:
        assert stored_version(connection) == version
        assert connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'novels'").scalar() is None
    bring_up(journal)
    with journal.read() as connection:
        assert stored_version(connection) == HEAD
        assert connection.exec_driver_sql("SELECT count(*) FROM spans").scalar() == 0
    journal.close()


@pytest.mark.prove
@pytest.mark.parametrize("attempt", range(10))
def test_eight_processes_that_open_a_fresh_folder_at_once_all_succeed(tmp_path: Path, root: Path, attempt: int) -> None:
    open_at_once(tmp_path, root, 8)


def test_a_fresh_file_waits_for_others_while_it_changes_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    free = threading.Timer(0.1, other.execute, ("COMMIT",))
    free.start()
    bring_up(Journal(path))
    free.join()
    other.close()
    blocked = sqlite3.connect(tmp_path / "other.sqlite", isolation_level=None)
    blocked.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Busy):
        bring_up(Journal(tmp_path / "other.sqlite", busy_seconds=0.05))
    blocked.close()


def test_opening_a_journal_that_is_up_to_date_loads_no_migrations(tmp_path: Path, root: Path) -> None:
    bring_up(Journal(tmp_path / "journal.sqlite"))
    command = [sys.executable, "-c", OPEN, tmp_path / "journal.sqlite"]
    run = subprocess.run(command, cwd=root, input="go\n", capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["ready", "False False"]


def test_a_newer_workspace_is_refused_and_nothing_in_it_is_changed(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    bring_up(journal)
    with journal.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0999'")
    journal.close()
    before = bytes_of(tmp_path)
    with pytest.raises(NewerWorkspace) as caught:
        bring_up(journal)
    journal.close()
    assert caught.value.found == "0999"
    assert "Upgrade" in caught.value.recovery
    assert bytes_of(tmp_path) == before


def test_a_database_of_something_else_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    driver = sqlite3.connect(path)
    driver.execute("CREATE TABLE recipes (id INTEGER PRIMARY KEY, words TEXT)")
    driver.execute("INSERT INTO recipes (words) VALUES ('soup')")
    driver.commit()
    driver.close()
    journal = Journal(path)
    with pytest.raises(WorkspaceProblem):
        bring_up(journal)
    journal.close()
    driver = sqlite3.connect(path)
    assert [row[0] for row in driver.execute("SELECT name FROM sqlite_master")] == ["recipes"]
    driver.close()


def test_a_migration_that_fails_leaves_the_file_empty_for_the_next_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.create_index", _stop)
        with pytest.raises(ZeroDivisionError):
            bring_up(journal)
    with journal.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0
    bring_up(journal)
    with journal.read() as connection:
        assert stored_version(connection) == HEAD
    journal.close()


def _stop(*_: object, **__: object) -> None:
    raise ZeroDivisionError
