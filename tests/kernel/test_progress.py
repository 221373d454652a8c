"""How actions say how far they are."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from lantern_kit.kernel import progress
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import Stopped, WorkspaceProblem
from lantern_kit.kernel.progress import Progress, quiet, reporting, steps, use

Told = list[tuple[str, int, int]]


def listener() -> tuple[Told, Progress]:
    told: Told = []
    return told, lambda what, done, total: told.append((what, done, total))


def at(monkeypatch: pytest.MonkeyPatch, moments: list[float]) -> None:
    """Let the clock that paces reports show these moments, one a look."""
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=iter(moments).__next__))


@pytest.fixture
def faced() -> Iterator[Callable[[], Told]]:
    """Use a face that writes everything down, with the action's heading, and whether it was taken off."""
    told: Told = []

    @contextmanager
    def face(doing: str) -> Iterator[Progress]:
        told.append((f"open {doing}", 0, 0))
        try:
            yield lambda what, done, total: told.append((what, done, total))
        finally:
            told.append((f"close {doing}", 0, 0))

    before = use(face)
    yield lambda: told
    use(before)


def test_an_action_tells_nobody_when_nobody_asked() -> None:
    with reporting() as report:
        report("page 1", 0, 2)


def test_an_action_tells_whom_it_was_handed_and_not_the_face(faced: Callable[[], Told]) -> None:
    told, tell = listener()
    with reporting(tell, "Exporting") as report:
        report("page 1", 0, 2)
    assert told == [("page 1", 0, 2)]
    assert faced() == []


def test_an_action_that_nobody_was_handed_to_is_shown_by_the_face_and_taken_off_at_its_end(
    faced: Callable[[], Told],
) -> None:
    with reporting(None, "Exporting") as report:
        report("page 1", 0, 2)
    assert faced() == [("open Exporting", 0, 0), ("page 1", 0, 2), ("close Exporting", 0, 0)]


def test_the_face_takes_an_action_off_that_failed(faced: Callable[[], Told]) -> None:
    with pytest.raises(ZeroDivisionError), reporting(None, "Exporting"):
        raise ZeroDivisionError
    assert faced() == [("open Exporting", 0, 0), ("close Exporting", 0, 0)]


def test_an_action_inside_another_lends_it_words_and_leaves_it_its_figures(faced: Callable[[], Told]) -> None:
    with reporting(None, "Exporting") as report:
        report("page 1", 1, 9)
        with reporting(None, "Checking") as inner:
            inner("words", 3, 4)
            with reporting() as innermost:
                innermost("letters", 1, 2)
        report("page 2", 2, 9)
    assert faced()[1:-1] == [("page 1", 1, 9), ("words", 1, 9), ("letters", 1, 9), ("page 2", 2, 9)]


def test_an_action_inside_one_that_counts_nothing_gives_its_own_figures() -> None:
    told, tell = listener()
    with reporting(tell):
        for doing in ("Exporting", "Checking"):
            with reporting(None, doing) as inner:
                inner(doing, 1, 4)
    assert told == [("Exporting", 1, 4), ("Checking", 1, 4)]


def test_a_part_that_was_handed_somebody_tells_them_alone() -> None:
    outer, tell_outer = listener()
    inner, tell_inner = listener()
    with reporting(tell_outer), reporting(tell_inner) as report:
        report("page 1", 1, 9)
    assert (outer, inner) == ([], [("page 1", 1, 9)])


def test_whoever_is_told_can_stop_the_whole_from_inside_a_part() -> None:
    def stop(what: str, done: int, total: int) -> None:
        if what == "words":
            raise Stopped("stopped")

    reached = []

    def whole() -> None:
        with reporting(stop) as report:
            report("page 1", 0, 1)
            with reporting() as inner:
                reached.append("inside")
                inner("words", 0, 1)
                reached.append("after")

    with pytest.raises(Stopped):
        whole()
    assert reached == ["inside"]
    with reporting() as report:  # nothing is left of the one that was stopped
        report("words", 0, 1)


def test_what_whoever_is_told_does_meanwhile_is_no_part_of_the_action() -> None:
    told: Told = []

    def tell(what: str, done: int, total: int) -> None:
        told.append((what, done, total))
        with reporting() as own:
            own("looked at", 1, 1)

    with reporting(tell) as report:
        report("page 1", 1, 9)
        with reporting() as inner:
            inner("words", 1, 2)
    assert told == [("page 1", 1, 9), ("words", 1, 9)]


def test_a_part_that_is_only_still_at_it_leaves_the_words_to_the_whole() -> None:
    told, tell = listener()
    with reporting(tell) as report:
        report("page 1", 1, 9)
        with reporting() as inner:
            inner("", 0, 0)
            inner("words", 0, 0)
            with reporting() as innermost:
                innermost("", 0, 0)
    assert told == [("page 1", 1, 9), ("page 1", 1, 9), ("words", 1, 9), ("words", 1, 9)]


def test_an_action_on_another_thread_is_no_part_of_this_one() -> None:
    told, tell = listener()

    def other() -> None:
        with reporting() as report:
            report("elsewhere", 1, 1)

    with reporting(tell):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert told == []


def test_a_face_gives_way_to_another_and_comes_back(faced: Callable[[], Told]) -> None:
    def nested(doing: str) -> AbstractContextManager[Progress]:
        return nullcontext(quiet)

    before = use(nested)
    assert use(before) is nested
    with reporting(None, "Exporting") as report:
        report("page 1", 0, 2)
    assert faced()[0] == ("open Exporting", 0, 0)


def test_steps_report_before_the_first_and_after_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, [5.0] * 3)
    told, tell = listener()
    assert list(steps("abc", tell, "letters")) == ["a", "b", "c"]
    assert told == [("letters", 0, 3), ("letters", 3, 3)]


def test_steps_report_at_a_pace_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, [number * 0.02 for number in range(21)])
    told, tell = listener()
    assert sum(1 for _ in steps(iter(range(21)), tell, "rows", 21)) == 21
    assert 4 <= len(told) <= 7
    assert told[0] == ("rows", 0, 21)
    assert told[-1] == ("rows", 21, 21)


def test_steps_can_be_called_by_their_names() -> None:
    told, tell = listener()
    assert list(steps([1], tell, lambda page: f"Page {page}")) == [1]
    assert told == [("Page 1", 0, 1), ("Page 1", 1, 1)]


def test_steps_of_nothing_say_so() -> None:
    told, tell = listener()
    assert list(steps([], tell, "rows")) == []
    assert told == [("rows", 0, 0)]


def test_steps_end_where_the_listener_raises() -> None:
    def stop(what: str, done: int, total: int) -> None:
        raise Stopped("stopped")

    gone = steps([1, 2], stop, "rows")
    with pytest.raises(Stopped):
        next(gone)


def test_quiet_tells_nobody() -> None:
    assert list(steps([1], quiet, "rows")) == [1]


# one long statement of the journal

LONG = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT count(*) FROM n"


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    monkeypatch.setattr("lantern_kit.kernel.engine.PACE", 0.0)
    made = Journal(tmp_path / "journal.sqlite", busy_seconds=0.2)
    with made.write() as connection:
        connection.exec_driver_sql("CREATE TABLE notes (words TEXT UNIQUE)")
    yield made
    made.close()


def test_a_long_statement_reports_in_its_middle(journal: Journal) -> None:
    told, tell = listener()
    with journal.read() as connection, connection.told(tell, "counting"):
        assert connection.exec_driver_sql(LONG).scalar_one() == 200_000
    assert len(told) > 2
    assert {*told} == {("counting", 0, 0)}
    told.clear()
    with journal.read() as connection:
        assert connection.exec_driver_sql(LONG).scalar_one() == 200_000
    assert told == []


@pytest.mark.parametrize("error", [Stopped, KeyboardInterrupt])
def test_a_long_statement_is_stopped_in_its_middle_and_takes_nothing_with_it(
    journal: Journal, error: type[BaseException]
) -> None:
    told: list[str] = []

    def stop(what: str, done: int, total: int) -> None:
        told.append(what)
        if len(told) == 2:
            raise error("stopped")

    def write() -> None:
        with journal.write() as connection:
            connection.exec_driver_sql("INSERT INTO notes VALUES ('lost')")
            with connection.told(stop, "counting"):
                connection.exec_driver_sql(LONG).scalar_one()

    with pytest.raises(error):
        write()
    with journal.write() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM notes").scalar_one() == 0
        assert connection.exec_driver_sql(LONG).scalar_one() == 200_000


def test_an_error_of_a_statement_stays_what_it_is(journal: Journal) -> None:
    told, tell = listener()
    with pytest.raises(WorkspaceProblem, match="no such table"), journal.read() as connection:  # noqa: SIM117
        with connection.told(tell, "counting"):
            connection.exec_driver_sql("SELECT count(*) FROM nowhere")
    assert told == [("counting", 0, 0)]
