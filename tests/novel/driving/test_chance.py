from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import BadInput, WrongState
from lantern_kit.novel.host import HostFailed, Order
from lantern_kit.novel.model import InstructionSource, Reason, Status
from tests.novel.driving.rig import Crash, Odd, Rig, rig


def meddling(made: Rig, dice: random.Random, often: float) -> Callable[[Order], None]:
    """Somebody, or something, that comes in between now and then."""
    english = made.stage.novel.config.language == "en"
    words = iter(f"heron {at:03} comes back" if english else f"第{at:03}只白鹭来了" for at in range(10_000))

    def meddle(order: Order) -> None:
        if dice.random() > often:
            return
        deed = dice.choice(
            ["instruct", "instruct", "withdraw", "configure", "pause", "stop", "fail", "crash", "undead"]
        )
        if deed == "instruct":
            text = next(words)
            made.stage.ann.instruct(text, message=text)
        elif deed == "undead":
            text = f"{next(words)}, and {', '.join(item.name for item in made.stage.novel.people.values())} never died"
            made.stage.ann.instruct(text, message=text)
        elif deed == "withdraw":
            held = dice.choice([*made.stage.novel.instructions.values()])
            with suppress(WrongState, BadInput):
                said = f"not {held.id}"
                made.stage.ann.instruct(said, message=said, source=InstructionSource.WITHDRAWAL, answers=held.id)
        elif deed == "configure":
            made.stage.ann.configure(limits={"turns": dice.randint(2_000, 3_000)})
        elif deed == "pause":
            made.stage.ann.pause()
        elif deed == "stop":
            made.stage.ann.stop()
        elif deed == "fail":
            raise HostFailed("a moment")
        else:
            raise Crash

    return meddle


def settled(made: Rig) -> None:
    """What a person does so that it can go on."""
    novel = made.stage.novel
    pause = novel.head.run.pause
    for item in novel.unanswered:
        text = f"withdrawn {item.id}"
        made.stage.ann.instruct(text, message=text, source=InstructionSource.WITHDRAWAL, answers=item.id)
    assert pause is None or pause.reason in {
        Reason.REQUESTED,
        Reason.STOPPED,
        Reason.REQUIREMENT_CONFLICT,
        Reason.EXTERNAL,
    }
    made.stage.ann.resume()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.prove) for seed in range(2, 25))])
def test_whatever_comes_in_between_the_novel_is_completed_with_each_scene_told_once(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    made = rig(tmp_path / "ws", chapters=12, language=dice.choice(["en", "zh"]))
    often = 0.06
    for _ in range(400):
        meddle = meddling(made, dice, often)
        written = made.prose
        with suppress(Crash):
            made.driver(Odd(1, asked=meddle, claimed=meddle, committed=meddle)).run()
        assert set(written) <= set(made.prose)
        if made.stage.novel.head.run.status is Status.COMPLETED:
            break
        if made.stage.novel.head.run.status is Status.PAUSED:
            settled(made)
        often *= 0.97
    novel = made.stage.novel
    assert novel.head.run.status is Status.COMPLETED
    assert all(item.settled for item in novel.instructions.values())
    told = [(unit.scene, unit.part) for unit in novel.units.values() if unit.commit]
    assert len(told) == len(set(told)) == novel.head.commits
    assert len(set(made.prose)) == len(made.prose)
    applied = [item.text for item in novel.instructions.values() if item.in_force and item.sequence > 1]
    herons = [found[0] for found in map(re.compile(r"heron \d+|第\d+只白鹭").match, applied) if found]
    untold = [heron for heron in herons if not any(heron in told for told in made.prose)]
    assert not untold
    assert made.stage.ws.verify().clean


def test_however_many_instructions_come_at_once_each_is_taken_up_in_a_chapter_that_has_room(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", chapters=1)
    for begun in (0, 70):
        for number in range(begun, begun + 70):
            text = f"heron {number:03} comes back"
            made.stage.ann.instruct(text, message=text)
        ended = made.driver().run(lambda step: not step.moment.novel.open_instructions)
        assert ended.error is None
        made.driver().run(made.commits(1))
    asked = [item for item in made.stage.novel.instructions.values() if item.sequence > 1]
    planned = "\n".join(event for chapter in made.stage.novel.chapters.values() for event in chapter.events)
    assert len(asked) == 140
    assert all(item.in_force for item in asked)
    assert [planned.count(f"eron {number:03} ") for number in range(140)] == [1] * 140
