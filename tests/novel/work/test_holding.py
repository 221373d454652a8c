"""Novels as people hold them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.errors import (
    BadInput,
    IdempotencyConflict,
    LanternError,
    NotAllowed,
    NotFound,
    UnknownKey,
    WrongState,
)
from lantern_kit.novel.model import PRESET_LIMITS, Approval, Source, Target, Unbounded
from lantern_kit.novel.work.ledger import InstructionWork
from lantern_kit.novel.work.novel import NovelWork
from lantern_kit.novel.work.ways import Deed
from tests.novel.stage import BOT, Stage, config, stage


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Stage]:
    """A novel with an author, nothing done yet."""
    held = stage(tmp_path / "ws")
    yield held
    held.close()


def novel(made: Stage) -> NovelWork:
    return made.ws.novel(made.novel_id)


def html(held: object) -> str:
    return str(held._repr_mimebundle_()["text/html"])  # type: ignore[attr-defined]


def repr_of(asked: InstructionWork) -> str:
    return f"{asked.id}: {asked.text}"


def deeds(held: NovelWork) -> list[str]:
    return [way.code for way in held.status().ways]


def test_a_novel_is_begun_with_what_forms_propose_and_found_by_its_title(made: Stage) -> None:
    begun = made.ws.novels.begin("Tide", "A tale of the tide.", language="zh-CN", length=9_000, chapters=3)
    held = made.ws.novel("Tide").moment.novel
    assert held.head.id == begun.id
    assert held.config.limits == PRESET_LIMITS
    assert isinstance(held.config.length, Target)
    assert (held.config.length.characters, held.config.chapters) == (9_000, 3)
    assert [item.title for item in made.ws.novels] == ["The Lamp", "Tide"]
    assert made.ws.novels.row(begun)[4] == "0 of 9,000"
    assert made.ws.novels[begun.id].title == made.ws.novels["Tide"].title == "Tide"
    assert "Tide" in made.ws._repr_mimebundle_()["text/html"]
    with pytest.raises(NotFound, match="nearest: Tide"):
        made.ws.novel("Tde")


def test_the_same_key_gives_the_same_novel(made: Stage) -> None:
    first, again = (made.ws.novels.begin("Tide", "Of the tide.", key="k1") for _ in range(2))
    assert first.id == again.id
    with pytest.raises(IdempotencyConflict):
        made.ws.novels.begin("Tide", "Of the moon.", key="k1")


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"length": 0}, "length.characters"),
    ({"length": 900, "hard_maximum": 100}, "a hard maximum of at least the target"),
    ({"hard_maximum": 100}, "goes with a length"),
    ({"length": 900, "tolerance": 1.0}, "tolerance"),
    ({"chapters": 0}, "chapters"),
    ({"approval": "perhaps"}, "way of approving"),
    ({"limits": {"turns": 2}, "chapters": 5}, "limits.turns of at least 12"),
    ({"limits": {"retries": {"attempts": 0}}}, "limits.retries.attempts"),
    ({"language": "e\nn"}, "language"),
    ({"cards": [b"no card"]}, "JSON"),
]


def test_what_cannot_be_is_refused_and_nothing_is_begun(made: Stage) -> None:
    for facts, told in REFUSED:
        with pytest.raises(LanternError, match=told) as caught:
            made.ws.novels.begin("Tide", "Of the tide.", **facts)
        assert caught.value.recovery, told
    assert len(made.ws.novels) == 1


def test_a_card_that_is_no_file_and_a_limit_that_is_none_are_named(made: Stage) -> None:
    with pytest.raises(NotFound, match="no such card") as missing:
        made.ws.novels.begin("Tide", "Of the tide.", cards=[Path("/nowhere/mira.png")])
    assert missing.value.found == "mira.png"
    with pytest.raises(UnknownKey, match=r"limits\.turn "):
        made.ws.novels.begin("Tide", "Of the tide.", limits={"turn": 3})


def test_the_status_says_what_helps_at_each_turn_of_a_run(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws", configured=config(approval=Approval.MANUAL))
    held = novel(made)
    assert held.status().state == "active"
    assert deeds(held) == ['novel.instruct("…")']  # its author has the seat
    made.plan()
    made.halted()
    assert deeds(held)[0] == "novel.approve(1)"
    assert "waits to be approved" in repr(held.status())
    asked = held.instruct("More fog.")
    assert asked.effect == "before the next unit"
    assert made.service.at(int(asked.revision[1:])).novel.head.received == asked.facts.sequence
    assert deeds(held) == ["novel.update_outline()"]
    held.update_outline()
    made.plan()
    made.halted()
    with pytest.raises(Exception, match="not the outline there is"):
        held.approve(1)
    assert held.approve(2).state == "active"
    assert held.instructions[1].effect == "from the next unit on, in outline revision 2"
    assert held.pause().ways[0].deed is Deed.RESUME
    assert held.resume().state == "active"
    made.close()


def test_a_conflict_names_its_paragraphs_and_is_solved_only_by_the_author(made: Stage) -> None:
    made.plan()
    done = made.write(states=[{"person": made.made["mira"], "aspect": "life", "value": "dead", "at": 0}])
    held = novel(made)
    asked = held.instruct("Mira never <b>died</b>.")
    made.next()
    made.desk.block(asked.id, "Mira is dead.", [Source(commit=done.id, paragraph=0)], 1)
    assert deeds(held) == [f'novel.clarify("{asked.id}", "…")', f'novel.withdraw("{asked.id}")']
    blocked = held.instructions[1]
    assert blocked.state == "blocked"
    assert [item.words for item in blocked.places] == [made.service.paragraphs(made.novel, done.id)[0]]
    assert "<b>" not in html(blocked) + html(held) + html(held.instructions)
    with pytest.raises(WrongState, match="cannot go on yet"):
        held.resume()
    held.withdraw(asked.id)
    assert held.status().state == "paused"
    assert deeds(held) == ["novel.resume()"]
    assert held.resume().phase == "revising"
    with pytest.raises(NotFound):
        held.clarify("in_nothere", "…")


def test_an_instruction_that_comes_while_a_unit_is_written_takes_effect_after_it(made: Stage) -> None:
    made.plan()
    intent = made.next()
    made.claim(intent)
    assert novel(made).instruct("Hurry.").effect == "after the unit that is being written"
    assert novel(made).instruct("Hurry.", message="m1").id == novel(made).instruct("Hurry.", message="m1").id


def test_chapters_facts_outline_and_history_show_what_is_written(made: Stage) -> None:
    made.plan()
    key = made.made["key"]
    made.write(
        foreshadows=[{"foreshadow": key, "move": "planted", "at": 0}],
        states=[{"person": made.made["mira"], "aspect": "place", "value": "the <i>pier</i>", "at": 1}],
        knowledge=[{"who": "reader", "what": "the door", "at": 0}],
    )
    held = novel(made)
    first = held.chapters[0]
    assert first.text.split("\n\n") == list(made.service.paragraphs(made.novel, next(iter(made.novel.commits))))
    assert (first.state, first.units, held.chapters[1].state) == ("writing", 1, "planned")
    assert first.characters == made.novel.head.characters
    assert {item.kind for item in held.facts()} == {"foreshadow", "state", "knowledge"}
    (state,) = held.facts(kind="state", about="Mira")
    assert state.place.words == first.paragraphs[1][1]
    assert held.facts(about=made.made["mira"]).items == (state,)
    assert "<i>" not in html(held.facts()) + html(state)
    assert "must be taken up by “Chapter 2”" in held.outline.text()
    assert "goal 1.1" in html(held.outline)
    past = held.history()
    assert (past[-1].cause, past[-1].about) == ("create", "1 " + repr_of(held.instructions[0]))
    (step,) = [item for item in past if item.cause == "commit"]
    assert step.about == f"“Chapter 1”, {made.novel.head.characters} characters"
    assert made.service.at(step.revision.number).novel.head.commits == 1
    assert past[step.id] is step
    assert "Chapter 1" in html(past)
    assert "0 of 2 chapters completed" in repr(held.status())
    with pytest.raises(BadInput, match="no kind of fact"):
        held.facts(kind="rumour")


def test_files_for_reading_are_made_anew_from_what_is_committed(made: Stage) -> None:
    made.plan()
    made.write()
    held = novel(made)
    assert {item.fault.value for item in held.rebuild().wrong} == {"missing"}
    assert held.rebuild().wrong == ()
    (file,) = (held.rebuild().folder / "chapters").glob("*.md")
    file.write_bytes(bytes(file.stat().st_size))
    again = held.rebuild()
    assert [(item.file, item.fault.value) for item in again.wrong] == [(f"chapters/{file.name}", "damaged")]
    assert "word1x0" in file.read_text()
    assert file.name in repr(again)
    assert file.name in html(again)


def test_length_and_limits_are_changed_one_by_one(made: Stage) -> None:
    held = novel(made)
    with pytest.raises(BadInput, match="aims at no length"):
        held.configure(tolerance=0.2)
    held.configure(length=2_000, hard_maximum=2_500)
    held.configure(tolerance=0.2, limits={"turns": 90, "retries": {"wait_ms": 5}})
    now = held.moment.novel.config
    assert isinstance(now.length, Target)
    assert (now.length.characters, now.length.tolerance, now.length.hard_maximum) == (2_000, 200_000, 2_500)
    assert (now.limits.turns, now.limits.retries.wait_ms) == (90, 5)
    assert now.limits.retries.attempts == PRESET_LIMITS.retries.attempts
    held.configure(hard_maximum=None, shares={"ending": 0.2})
    assert made.novel.config.shares.ending == 200_000
    held.configure(length=None)
    assert isinstance(made.novel.config.length, Unbounded)
    with pytest.raises(BadInput):
        held.configure(limits={"turns": 0})
    with pytest.raises(BadInput, match="only approval, length"):
        held.configure()


def test_a_stop_is_told_and_the_seat_is_freed_by_a_person_alone(made: Stage) -> None:
    made.plan()
    made.claim(made.next())
    held = novel(made)
    assert held.status().author == BOT.name
    assert held.stop().pause.reason.value == "stopped"  # type: ignore[union-attr]
    assert held.status().data()["units"]["claimed"] is None
    assert held.free().author == ""
    with pytest.raises(NotAllowed):
        NovelWork(made.ws, made.novel_id, by=BOT).pause()


def test_chapters_are_compared_by_how_much_they_repeat_themselves(made: Stage) -> None:
    made.plan()
    made.write(number=1)
    rows = novel(made).repetition().rows()
    assert [row[:2] for row in rows] == [("1", "Chapter 1")], "chapters without prose say nothing"
    assert rows[0][2:] == ("17", "100%", "100%", "100%", "100%", "0"), "no word of it stands twice"
    assert "new fours" in html(novel(made).repetition())


def test_how_it_is_approved_can_be_changed_until_an_outline_was_let_begin(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws", configured=config(approval=Approval.MANUAL))
    held = novel(made)
    held.configure(approval="automatic")
    held.configure(approval="manual")
    made.plan()
    made.halted()
    assert held.configure(approval="automatic").state == "active"
    with pytest.raises(WrongState, match="let begin already"):
        held.configure(approval="manual")
    with pytest.raises(BadInput, match="no way of approving"):
        held.configure(approval="never")
    made.close()
