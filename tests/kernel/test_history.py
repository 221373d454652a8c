from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import BadInput, Corrupt, NotFound, StaleHead, WrongState
from lantern_kit.kernel.revision import GENESIS, ChangeRow, Mode, Next, Revision, changes_digest, revision_number
from tests.kernel.shelf import ANN, BOT, Shelf, book, changed, page, undone

# advance


def test_an_advance_appends_one_revision_and_moves_the_head(shelf: Shelf) -> None:
    first = shelf.create(pages=book(3))
    second = shelf.edit("ch", first.number, {"un_0001": page(1, "Twice.")}, actor=BOT)
    assert shelf.head() == second
    assert (second.seq, second.parent, second.actor) == (1, first.number, BOT)
    assert shelf.pages(second)["un_0001"] == page(1, "Twice.")
    assert shelf.pages(first)["un_0001"] == page(1)
    with shelf.journal.read() as connection:
        assert shelf.history.log(connection, "ch") == [second, first]
        assert shelf.history.revision(connection, second.number) == second
        assert shelf.history.changes(connection, second) == [changed("un_0001", page(1), page(1, "Twice."))]
        assert shelf.history.changes(connection, first) == []


def test_a_stale_advance_is_refused_and_says_who_changed_what_since(shelf: Shelf) -> None:
    first = shelf.create(pages=book(3))
    second = shelf.edit("ch", first.number, {"un_0001": page(1, "Twice.")})
    third = shelf.edit("ch", second.number, {"un_0002": page(2, "Thrice.")}, actor=BOT, cause="apply")
    with pytest.raises(StaleHead) as caught:
        shelf.edit("ch", first.number, {"un_0000": page(0, "Late.")})
    error = caught.value.payload()
    assert (error["expected"], error["found"], error["ids"]) == (first.id, third.id, ["ch"])
    assert error["current_revision"] == third.id
    assert error["changed_units"] == ["un_0001", "un_0002"]
    assert [(item["revision"], item["actor"], item["cause"]) for item in error["since"]] == [
        (third.id, "bot", "apply"),
        (second.id, "Ann", "edit"),
    ]
    assert error["retryable"]
    assert shelf.head() == third
    assert shelf.verify().clean


def test_a_head_that_never_was_is_refused_too(shelf: Shelf) -> None:
    first = shelf.create()
    with pytest.raises(StaleHead) as caught:
        shelf.edit("ch", first.number + 5, {"un_0000": page(0, "Early.")})
    assert caught.value.message == f"ch is not at r{first.number + 5} but at {first.id}"


def test_a_long_absence_is_told_in_bounded_words(shelf: Shelf) -> None:
    first = shelf.create(pages=book(80))
    head = first
    for number in range(70):
        head = shelf.edit("ch", head.number, {f"un_{number:04d}": page(number, "New.")})
    with pytest.raises(StaleHead) as caught:
        shelf.edit("ch", first.number, {"un_0000": page(0, "Late.")})
    assert len(caught.value.details["since"]) == 10
    assert len(caught.value.details["changed_units"]) == 50


def test_a_line_that_is_not_there_is_not_found(shelf: Shelf) -> None:
    shelf.create()
    with shelf.journal.write() as connection:
        for ask in (shelf.history.line, shelf.history.head):
            with pytest.raises(NotFound):
                ask(connection, "nowhere")
        with pytest.raises(NotFound):
            shelf.history.revision(connection, 99)
        with pytest.raises(NotFound):
            shelf.history.advance(connection, "nowhere", expected_head=1, document=bytes(32), actor=ANN, cause="edit")


def test_a_line_is_made_once(shelf: Shelf) -> None:
    first = shelf.create()
    with pytest.raises(WrongState):
        shelf.create()
    assert shelf.head() == first
    assert shelf.verify().clean


def test_revisions_are_numbered_in_one_row_over_all_lines(shelf: Shelf) -> None:
    one, two = shelf.create("a"), shelf.create("b")
    three = shelf.edit("a", one.number, {"un_0000": page(0, "New.")})
    four = shelf.edit("b", two.number, {"un_0000": page(0, "New.")})
    assert [item.id for item in (one, two, three, four)] == ["r1", "r2", "r3", "r4"]
    assert [item.seq for item in (one, two, three, four)] == [0, 0, 1, 1]


def test_the_same_clock_and_edits_give_the_same_chain(shelf: Shelf) -> None:
    def chain(line: str) -> tuple[bytes, bytes]:
        shelf.history.clock = SteppingClock()
        with undone(shelf.journal) as connection:
            document = shelf.write(connection, book(3))
            made = shelf.history.create(connection, line, kind="k", root=line, document=document, actor=ANN)
            kept.append((made.document, made.chain))
        return kept[-1]

    kept: list[tuple[bytes, bytes]] = []
    assert chain("ch") == chain("ch")
    assert chain("ch") != chain("other")


# update


def test_an_update_works_on_whatever_is_newest(shelf: Shelf) -> None:
    first = shelf.create(pages=book(2))
    newest = shelf.edit("ch", first.number, {"un_0001": page(1, "Twice.")})
    seen: list[Revision] = []

    def count(head: Revision) -> Next:
        seen.append(head)
        document, _ = shelf.rewrite(connection, head.document, {"un_0000": page(0, "Counted.")})
        return Next(document, [changed("un_0000", page(0), page(0, "Counted."))])

    with shelf.journal.write() as connection:
        made = shelf.history.update(connection, "ch", count, actor=ANN, cause="count")
    assert seen == [newest]
    assert made.parent == newest.number
    assert shelf.pages(made) == {"un_0000": page(0, "Counted."), "un_0001": page(1, "Twice.")}
    assert shelf.head() == made


def test_an_update_that_has_nothing_to_say_leaves_the_line_as_it_is(shelf: Shelf) -> None:
    first = shelf.create()
    with shelf.journal.write() as connection:
        assert shelf.history.update(connection, "ch", lambda _: None, actor=ANN, cause="count") == first
    assert shelf.head() == first


# fork and checkout


def test_a_fork_starts_with_the_content_it_was_forked_from_and_goes_its_own_way(shelf: Shelf) -> None:
    first = shelf.create(pages=book(3))
    with shelf.journal.write() as connection:
        start = shelf.history.fork(connection, "d1", kind="draft", base=first, root="ch", actor=BOT)
        line = shelf.history.line(connection, "d1")
    assert (start.document, start.parent, start.seq) == (first.document, first.number, 0)
    assert (line.base, line.head, line.mode, line.root) == (first.number, start.number, Mode.LINEAR, "ch")
    moved = shelf.edit("d1", start.number, {"un_0002": page(2, "Drafted.")}, actor=BOT)
    assert shelf.head("ch") == first
    assert shelf.pages(shelf.head("ch"))["un_0002"] == page(2)
    with shelf.journal.read() as connection:
        assert [item.id for item in shelf.history.lines(connection, "ch")] == ["ch", "d1"]
        assert shelf.history.log(connection, "d1") == [moved, start]
    assert shelf.verify().clean


def test_a_branching_line_can_be_checked_out_anywhere_and_grows_from_there(shelf: Shelf) -> None:
    first = shelf.create("rig", book(2), mode=Mode.BRANCHING)
    left = shelf.edit("rig", first.number, {"un_0000": page(0, "Left.")})
    with shelf.journal.write() as connection:
        revisions = connection.exec_driver_sql("SELECT count(*) FROM revisions").scalar_one()
        back = shelf.history.checkout(connection, "rig", expected_head=left.number, node=first.number, actor=ANN)
        assert connection.exec_driver_sql("SELECT count(*) FROM revisions").scalar_one() == revisions
    assert back == first == shelf.head("rig")
    right = shelf.edit("rig", first.number, {"un_0000": page(0, "Right.")})
    assert (right.parent, right.seq) == (first.number, 2)
    with shelf.journal.write() as connection:
        shelf.history.checkout(connection, "rig", expected_head=right.number, node=left.number, actor=BOT)
        rows = connection.exec_driver_sql(
            "SELECT line, from_revision, to_revision, actor_kind, actor FROM checkouts ORDER BY id"
        ).fetchall()
    assert rows == [
        ("rig", left.number, first.number, "person", "Ann"),
        ("rig", right.number, left.number, "agent", "bot"),
    ]
    assert shelf.pages(shelf.head("rig"))["un_0000"] == page(0, "Left.")
    assert shelf.verify().clean


def test_a_checkout_is_refused_on_a_linear_line_from_a_stale_head_and_to_another_lines_node(shelf: Shelf) -> None:
    linear = shelf.create("ch")
    first = shelf.create("rig", mode=Mode.BRANCHING)
    second = shelf.edit("rig", first.number, {"un_0000": page(0, "New.")})
    heads = (shelf.head("ch"), shelf.head("rig"))
    attempts: list[tuple[str, int, int, type[Exception]]] = [
        ("ch", linear.number, linear.number, WrongState),
        ("rig", first.number, first.number, StaleHead),
        ("rig", second.number, linear.number, NotFound),
        ("rig", second.number, 99, NotFound),
        ("nowhere", 1, 1, NotFound),
    ]
    for line, expected, node, error in attempts:
        with pytest.raises(error), shelf.journal.write() as connection:
            shelf.history.checkout(connection, line, expected_head=expected, node=node, actor=ANN)
    assert (shelf.head("ch"), shelf.head("rig")) == heads
    with shelf.journal.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM checkouts").scalar_one() == 0


# the chain

CHAINED = Revision(41, "ch", 3, 40, bytes(32), BOT, "edit", "words", 1_780_000_000_000, 7, 2, bytes(32), GENESIS)


@pytest.mark.parametrize(
    "other",
    [
        {"number": 42},
        {"line": "hc"},
        {"seq": 4},
        {"parent": 39},
        {"parent": None},
        {"document": bytes(31) + b"\1"},
        {"actor": ANN},
        {"cause": "apply"},
        {"message": "word s"},
        {"at": 1_780_000_000_001},
        {"changes_from": 8},
        {"changes_count": 3},
        {"changes_digest": bytes(31) + b"\1"},
    ],
    ids=lambda other: next(iter(other)) + ("" if None not in other.values() else "-none"),
)
def test_a_chain_hash_covers_every_fact_of_a_revision(other: dict[str, object]) -> None:
    assert replace(CHAINED, **other).link(GENESIS) != CHAINED.link(GENESIS)  # type: ignore[arg-type]


def test_a_chain_hash_covers_the_parents_chain() -> None:
    assert CHAINED.link(GENESIS) != CHAINED.link(bytes(31) + b"\1")


ROWS = st.lists(
    st.builds(
        ChangeRow,
        *(st.sampled_from(["a", "b", "ab", ""]) for _ in range(4)),
        *(st.none() | st.sampled_from(["", "a", '"a"', "null"]) for _ in range(3)),
    ),
    max_size=4,
)


@given(ROWS, ROWS)
def test_a_digest_of_changes_is_that_of_these_rows_in_this_order_alone(
    one: list[ChangeRow], two: list[ChangeRow]
) -> None:
    assert (changes_digest(one) == changes_digest(two)) == (one == two)


# names


@given(st.integers(0, 10**16 - 1))
def test_a_revision_is_said_as_r_and_its_number(number: int) -> None:
    assert revision_number(f"r{number}") == number


@pytest.mark.parametrize("word", ["", "r", "41", "R41", "r4 1", "r-1", "r４１", "r1" + "0" * 20, "r41#ab"])
def test_what_is_no_revision_is_refused(word: str) -> None:
    with pytest.raises(BadInput):
        revision_number(word)


def test_a_revision_whose_actor_cannot_be_read_is_corrupt(shelf: Shelf) -> None:
    shelf.create()
    driver = sqlite3.connect(shelf.journal.path)
    driver.execute("UPDATE revisions SET actor_kind = 'persom'")
    driver.commit()
    driver.close()
    with pytest.raises(Corrupt):
        shelf.head()
