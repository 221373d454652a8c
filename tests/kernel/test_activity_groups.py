"""Groups of activity by themselves: which group an event belongs to, and how it stands afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.activity import Event, Outbox, record
from lantern_kit.kernel.activity_groups import WINDOW, Group, State, decided, get, overdue, settle
from lantern_kit.kernel.engine import Connection
from tests.kernel.shelf import Shelf, open_shelf, undone


@pytest.fixture(scope="module")
def shelf_for_all(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """A shelf for tests that leave it as it is."""
    made = open_shelf(tmp_path_factory.mktemp("groups"))
    yield made
    made.journal.close()


LOOK = Event(0, "bot", "unit.look", "look", "observe", scope="ch")
EDIT = Event(0, "bot", "draft.edit", "edit", "direct_change", scope="ch", draft="d1")
FREEZE = replace(EDIT, kind="frozen", proposal="p1")
FAILED = replace(LOOK, outcome="failed", code="not_found")
MINUTE = 60_000


def put(connection: Connection, event: Event, minute: float, **more: Any) -> int:
    """Record an event at a minute; gives the number of its group."""
    record(connection, replace(event, at=int(minute * MINUTE), **more))
    return int(connection.exec_driver_sql("SELECT activity_group FROM activity ORDER BY id DESC").scalar_one())


def group(connection: Connection, number: int) -> Group:
    found = get(connection, number)
    assert found is not None
    return found


def kinds(connection: Connection, number: int) -> list[tuple[str, float]]:
    """The events of a group: kind and minute."""
    rows = connection.exec_driver_sql("SELECT kind, at FROM activity WHERE activity_group = ? ORDER BY id", (number,))
    return [(kind, at / MINUTE) for kind, at in rows]


def test_one_work_and_draft_of_one_agent_are_one_group(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        first = put(connection, EDIT, 0)
        assert put(connection, EDIT, 1) == first
        assert put(connection, EDIT, 2, actor="other") != first
        assert put(connection, EDIT, 3, draft="d2") not in {first, None}
        assert put(connection, EDIT, 4, scope="ch2", draft="d3") != first
        assert connection.exec_driver_sql("SELECT count(*) FROM activity_groups").scalar() == 4


def test_what_an_agent_observed_of_a_work_is_continued_by_the_draft_it_begins(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        first = put(connection, LOOK, 0)
        assert group(connection, first).draft == ""
        assert put(connection, EDIT, 1) == first
        assert group(connection, first).draft == "d1"


def test_looking_at_anothers_draft_takes_nothing_over(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        mine = put(connection, LOOK, 0)
        assert put(connection, LOOK, 1, draft="d9") != mine
        assert put(connection, EDIT, 2, draft="d9", outcome="failed", code="wrong_state") != mine
        assert group(connection, mine).draft == ""


def test_a_look_at_the_work_belongs_to_the_draft_in_hand(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        older, newer = put(connection, EDIT, 0), put(connection, EDIT, 1, draft="d2")
        assert put(connection, LOOK, 2) == newer
        put(connection, EDIT, 3)
        assert put(connection, LOOK, 4) == older
        assert put(connection, LOOK, 5, scope="") == older


def test_what_concerns_no_work_belongs_to_what_the_agent_is_at_or_comes_to_next(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        first = put(connection, LOOK, 0, scope="")
        assert put(connection, LOOK, 1) == first
        assert group(connection, first).scope == "ch"
        assert put(connection, LOOK, 2, scope="") == first


def test_a_batch_that_was_kept_late_joins_as_it_happened(shelf: Shelf) -> None:
    outbox = Outbox(shelf.journal, seconds=600)
    for minute in (0, 20, 45, 80, 81):
        outbox.add(replace(LOOK, at=minute * MINUTE))
    outbox.flush()
    with shelf.journal.read() as connection:
        assert kinds(connection, 1) == [
            ("call", 0),
            ("call", 20),
            ("call", 45),
            ("timed_out", 75),
            ("call", 80),
            ("call", 81),
        ]
        assert group(connection, 1).state is State.RUNNING
        assert group(connection, 1).window_end == 81 * MINUTE + WINDOW


def test_an_event_that_comes_late_never_shortens_a_window(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        put(connection, LOOK, 20)
        put(connection, LOOK, 5)
        found = group(connection, 1)
    assert (found.last_at, found.window_end) == (20 * MINUTE, 20 * MINUTE + WINDOW)


@pytest.mark.parametrize(("late", "state"), [(-1, State.RUNNING), (0, State.TIMED_OUT)])
def test_a_window_ends_to_the_millisecond(shelf: Shelf, late: int, state: State) -> None:
    with shelf.journal.write() as connection:
        put(connection, LOOK, 0)
        assert overdue(connection, WINDOW + late) == (state is State.TIMED_OUT)
        settle(connection, WINDOW + late)
        assert group(connection, 1).state is state


def test_a_timeout_is_noted_once_whoever_comes_first(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        put(connection, LOOK, 0)
    other = open_shelf(shelf.folder)
    for journal in (shelf.journal, other.journal, shelf.journal):
        with journal.write() as connection:
            settle(connection, 100 * MINUTE)
    with other.journal.read() as connection:
        assert kinds(connection, 1) == [("call", 0), ("timed_out", 30)]
    other.journal.close()


def test_what_awaits_a_verdict_waits_for_ever_and_looking_changes_nothing(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        put(connection, EDIT, 0)
        put(connection, FREEZE, 1)
        settle(connection, 10_000 * MINUTE)
        put(connection, LOOK, 10_001, draft="d1")
        put(connection, EDIT, 10_002, outcome="failed")
        put(connection, EDIT, 10_003, effect="collaboration_change")
        found = group(connection, 1)
    assert (found.state, found.proposal, found.draft) == (State.AWAITING, "p1", "d1")


def test_a_change_after_the_freeze_runs_on_and_the_next_freeze_awaits_again(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        put(connection, FREEZE, 1)
        put(connection, EDIT, 2)
        assert (group(connection, 1).state, group(connection, 1).proposal) == (State.RUNNING, "p1")
        put(connection, FREEZE, 3, proposal="p2")
        assert (group(connection, 1).state, group(connection, 1).proposal) == (State.AWAITING, "p2")


def test_every_agent_that_worked_on_a_draft_awaits_its_verdict_and_no_onlooker(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        helper = put(connection, EDIT, 0, actor="helper")
        onlooker = put(connection, LOOK, 1, actor="onlooker", draft="d1")
        mine = put(connection, FREEZE, 2)
        decide = {"at": 3 * MINUTE, "scope": "ch", "draft": "d1", "summary": "applied", "link": "s1"}
        assert [group(connection, item).state for item in (helper, mine)] == [State.AWAITING] * 2
        decided(connection, "applied", **decide, snapshot="s1", revision=4)
        assert [group(connection, item).state for item in (helper, mine)] == [State.COMPLETED] * 2
        assert [group(connection, item).snapshot for item in (helper, mine)] == ["s1"] * 2
        assert group(connection, onlooker).state is State.RUNNING
        assert kinds(connection, helper) == [("call", 0), ("frozen", 2), ("applied", 3)]


def test_completed_is_final(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        put(connection, FREEZE, 0)
        decided(connection, "applied", at=1, scope="ch", draft="d1", summary="", link="s1", snapshot="s1")
        put(connection, LOOK, 2, draft="d1")
        put(connection, EDIT, 3, outcome="failed")
        settle(connection, 900 * MINUTE)
        assert group(connection, 1).state is State.COMPLETED
        assert put(connection, LOOK, 901) != 1


def test_a_discarded_proposal_opens_its_group_for_a_fresh_window(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        put(connection, FREEZE, 0)
        decided(connection, "discarded", at=600 * MINUTE, scope="ch", draft="d1", summary="", link="p1")
        assert group(connection, 1).state is State.RUNNING
        settle(connection, 700 * MINUTE)
        assert kinds(connection, 1) == [("frozen", 0), ("discarded", 600), ("timed_out", 630)]


def test_groups_go_with_the_write_they_belong_to(shelf: Shelf) -> None:
    with undone(shelf.journal) as connection:
        put(connection, EDIT, 0)
    with shelf.journal.read() as connection:
        assert get(connection, 1) is None


def test_processes_that_write_at_once_share_one_group(shelf: Shelf) -> None:
    start = threading.Barrier(4)

    def work(number: int) -> None:
        mine = open_shelf(shelf.folder)
        start.wait()
        for place in range(20):
            with mine.journal.write() as connection:
                record(connection, replace(EDIT if (place + number) % 2 else LOOK, at=1 + place))
        mine.journal.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with shelf.journal.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM activity WHERE activity_group = 1").scalar() == 80
        assert connection.exec_driver_sql("SELECT count(*) FROM activity_groups").scalar() == 1


STEPS = st.lists(
    st.tuples(
        st.integers(0, 50),
        st.sampled_from([LOOK, replace(LOOK, scope=""), replace(LOOK, draft="d1"), EDIT, FAILED, FREEZE]),
        st.sampled_from(["bot", "other"]),
    ),
    max_size=14,
)


@given(STEPS)
def test_whatever_happens_timeouts_lie_where_nothing_was_seen_for_half_an_hour(
    shelf_for_all: Shelf, steps: list[tuple[int, Event, str]]
) -> None:
    with undone(shelf_for_all.journal) as connection:
        now = 0
        for pause, event, actor in steps:
            now += pause
            put(connection, event, now, actor=actor)
        settle(connection, (now + 31) * MINUTE)
        numbers = [row[0] for row in connection.exec_driver_sql("SELECT id FROM activity_groups ORDER BY id")]
        assert sum(len(kinds(connection, number)) for number in numbers) >= len(steps)
        for number in numbers:
            found, events = group(connection, number), kinds(connection, number)
            assert [minute for _, minute in events] == sorted(minute for _, minute in events)
            for (kind, before), (then, minute) in pairwise(events):
                assert (then == "timed_out") <= (kind != "timed_out" and minute == before + 30)
            assert found.state is not State.RUNNING
            assert (found.state is State.AWAITING) <= bool(found.proposal)
