"""The human touch: what a person changed last is told before a proposal changes it again."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.touch import Touch, touches
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.engine import Connection
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import balloon, begin, edit, freeze, proposed, say


def told(ws: Workspace, proposal: str) -> list[Touch]:
    return list(ws.proposals[proposal].look().touches_human)


def propose(ws: Workspace, chapter: ChapterWork, *operations: dict[str, Any]) -> str:
    draft, head = begin(ws, chapter)
    return freeze(ws, draft, edit(ws, draft, head, operations).moment.revision.number).id


def test_a_change_to_what_a_person_made_or_changed_is_told_with_who_when_and_what(
    ws: Workspace, chapter: ChapterWork
) -> None:
    (made,) = told(ws, proposed(ws, chapter).id)
    assert (made.object, made.actor, made.properties) == (balloon(chapter).id, "mina", ())
    with chapter.edit("my own line") as block:
        block[balloon(chapter).id].set(text="MINE!")
    name = proposed(ws, chapter).id
    (touch,) = told(ws, name)
    assert (touch.properties, touch.message) == (("text",), "my own line")
    assert touch.revision == chapter.moment.revision.number
    line = f"Touches: mina changed text of {chapter[0].title}, balloon 1 “MINE!”, {to_the_minute(touch.at)}, r"
    assert line in ws.proposals[name].text()
    assert line in ws.proposals[name].html()


def test_what_an_applied_proposal_changed_last_is_no_persons(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    ws.proposals[proposed(ws, chapter).id].apply(me)
    assert told(ws, proposed(ws, chapter, "Mine again.").id) == []
    chapter.undo()
    (touch,) = told(ws, proposed(ws, chapter, "Mine again.").id)
    assert touch.properties == ("text",)


def test_an_agents_change_of_something_else_does_not_hide_a_persons_words(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    thing = balloon(chapter).id
    with chapter.edit("my own line") as block:
        block[thing].set(text="MINE!")
    ws.proposals[propose(ws, chapter, {"op": "balloon.set", "target": thing, "args": {"speaker": "x"}})].apply(me)
    (touch,) = told(ws, propose(ws, chapter, say(thing, "Not yours.")))
    assert touch.properties == ("text",)
    assert told(ws, propose(ws, chapter, {"op": "balloon.set", "target": thing, "args": {"speaker": "y"}})) == []
    (touch,) = told(ws, propose(ws, chapter, {"op": "object.remove", "target": thing}))
    assert touch.object == thing


def test_adding_beside_what_a_person_made_touches_nothing(ws: Workspace, chapter: ChapterWork) -> None:
    add = {"op": "frame.add", "target": chapter.book.order[0], "args": {"rect": [10, 80, 60, 40]}}
    assert told(ws, propose(ws, chapter, add)) == []


def test_an_order_that_a_person_turned_is_theirs(ws: Workspace, chapter: ChapterWork) -> None:
    page = chapter.book.unit(chapter.book.order[0])
    one, two, three = page.reading
    turn = {"op": "reading.set", "target": page.id, "args": {"order": [one, three, two]}}
    assert told(ws, propose(ws, chapter, turn)) == []
    with chapter.edit("read it so") as block:
        block.run("reading.set", page.id, order=[two, one, three])
    (touch,) = told(ws, propose(ws, chapter, turn))
    assert (touch.object, touch.properties) == (page.id, ("reading",))


class Counting:
    """A connection that counts what is asked of it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.asked = 0

    def exec_driver_sql(self, statement: str, values: tuple[object, ...]) -> object:
        self.asked += 1
        return self.connection.exec_driver_sql(statement, values)


def test_all_changes_are_looked_up_in_one_pass(ws: Workspace, chapter: ChapterWork) -> None:
    change = {"op": "frame.set", "target": balloon(chapter).parent, "args": {"name": "x"}}
    review = ws.proposals[propose(ws, chapter, say(balloon(chapter).id, "x"), change)].look()
    with ws.journal.read() as connection:
        counting = Counting(connection)
        assert len(touches(counting, chapter.id, review.changes)) == 2  # type: ignore[arg-type]
    assert counting.asked == 1
