from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.novel.canon import canon
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.errors import NovelLengthLimit
from lantern_kit.novel.model import (
    ChapterState,
    ForeshadowState,
    InstructionSource,
    InstructionState,
    Reason,
    Status,
    Target,
    WorkKind,
)
from lantern_kit.novel.offline import OfflineAuthor
from tests.novel.driving.rig import Odd, Rig, rig
from tests.novel.stage import CardFile, config, stage


def whole(folder: Path, seed: int = 1, **facts: Any) -> Rig:
    made = rig(folder, **facts)
    ended = made.driver(OfflineAuthor(seed)).run()
    assert ended.completed, ended.halt
    return made


def begun(folder: Path, seed: int, **facts: Any) -> Rig:
    made = rig(folder, **facts)
    made.driver(OfflineAuthor(seed)).run(made.commits(4))
    return made


@pytest.mark.parametrize(("language", "heroes"), [("en", ("Mara", "Tobias")), ("zh", ("沈砚", "林昭"))])
def test_a_novel_of_twelve_chapters_out_of_two_cards_and_a_world_is_completed_with_no_further_input(
    tmp_path: Path, language: str, heroes: tuple[str, str]
) -> None:
    made = whole(tmp_path / "ws", language=language, cards=True)
    novel = made.stage.novel
    assert novel.head.run.status is Status.COMPLETED
    assert len(novel.chapters) == 12
    assert {chapter.state for chapter in novel.chapters.values()} == {ChapterState.COMPLETED}
    assert {item.state for item in novel.foreshadows.values()} == {ForeshadowState.RESOLVED}
    assert all(unit.commit and not unit.commit.overrides for _, unit in novel.reading())
    assert all(unit.commit and unit.low <= unit.commit.characters <= unit.high for _, unit in novel.reading())
    prose = made.prose
    assert len(set(prose)) == len(prose)
    text = "\n".join(prose)
    assert all(name in text for name in heroes)
    assert not set("{}[]|") & set(text)
    assert ("Saltmarsh" if language == "en" else "雾港") in text
    facts_of_a_death(made)
    assert made.stage.ws.verify().clean


def test_the_same_seed_begins_with_the_same_bytes_and_another_seed_with_others(tmp_path: Path) -> None:
    first, again, other = (begun(tmp_path / name, seed, language="zh") for name, seed in (("a", 4), ("b", 4), ("c", 5)))
    assert first.prose == again.prose
    assert first.stage.novel == again.stage.novel
    assert first.prose != other.prose


@pytest.mark.prove
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path, language: str) -> None:
    first, again, other = (
        whole(tmp_path / name, seed, language=language, cards=True) for name, seed in (("a", 4), ("b", 4), ("c", 5))
    )
    assert first.prose == again.prose
    assert first.stage.novel == again.stage.novel
    assert first.prose != other.prose


def facts_of_a_death(made: Rig) -> None:
    """Facts say who died and what each came to know, with the paragraphs."""
    novel = made.stage.novel
    held = canon(novel)
    dead = [item for (_, aspect), item in held.states.items() if aspect == "life"]
    assert [item.value for item in dead] == ["dead"]
    name, source = novel.people[dead[0].person].name, dead[0].source
    text = made.stage.service.paragraphs(novel, source.commit)[source.paragraph]
    assert f"{name} was dead." in text or f"{name}死了。" in text
    assert held.variables["nights_left"].value == 0
    assert held.known_to("reader")


@pytest.mark.parametrize(
    ("language", "characters"),
    [("zh", 3_000), *(pytest.param(*row, marks=pytest.mark.prove) for row in (("en", 6_000), ("zh", 60_000)))],
)
def test_a_length_is_met_with_scenes_told_shortly_or_in_parts(tmp_path: Path, language: str, characters: int) -> None:
    length = Target(kind="target", characters=characters, tolerance=100_000, hard_maximum=characters * 11 // 10)
    made = whole(tmp_path / "ws", language=language, length=length)
    assert length.low <= made.stage.novel.head.characters <= length.high


def test_where_a_unit_may_only_be_short_scenes_are_told_in_parts(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", unit_maximum=280)
    made.driver().run(made.commits(8))
    parts = [unit.commit for unit in made.stage.novel.units.values() if unit.commit and not unit.commit.scene_done]
    assert parts
    assert all(item.remaining and item.anchor for item in parts)


def test_told_that_a_unit_is_too_long_it_writes_less_and_goes_on_in_a_further_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rig(tmp_path / "ws")
    weigh, sizes = AuthorDesk.weigh, []

    def strict(desk: AuthorDesk, unit: str, token: str, paragraphs: list[str], content: Any) -> Any:
        sizes.append(sum(map(len, paragraphs)))
        if sizes[-1] > 400:
            raise NovelLengthLimit("too long", details={"over": sizes[-1] - 400})
        return weigh(desk, unit, token, paragraphs, content)

    monkeypatch.setattr(AuthorDesk, "weigh", strict)
    made.driver().run(made.commits(2))
    assert sizes[0] > 400
    assert [unit.part for unit in made.stage.novel.units.values()] == [1, 2]


@pytest.mark.parametrize("chapters", [3, *(pytest.param(count, marks=pytest.mark.prove) for count in (1, 20, 300))])
def test_the_tale_is_spread_over_as_many_chapters_as_are_asked_for(tmp_path: Path, chapters: int) -> None:
    made = whole(tmp_path / "ws", language="zh", chapters=chapters)
    assert len(made.stage.novel.chapters) == chapters


def test_an_instruction_is_taken_up_in_the_outline_and_in_the_prose_after_it(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", chapters=12)
    made.driver().run(made.commits(3))
    asked = made.stage.ann.instruct("a white heron returns to the quay", message="m1")[1]
    before = len(made.prose)
    made.driver().run(made.commits(5))
    novel = made.stage.novel
    assert novel.instruction(asked.id).state is InstructionState.APPLIED
    assert any("a white heron returns" in event for event in [e for c in novel.chapters.values() for e in c.events])
    assert any("a white heron returns to the quay" in text for text in made.prose[before:])
    assert not any("white heron" in text for text in made.prose[:before])


def test_an_instruction_that_comes_when_all_is_told_gets_a_chapter_of_its_own(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", language="zh")

    def last_word(order: Any) -> None:
        if order.intent.kind is WorkKind.FINISH and len(host.turns) == len(made.steps) + 1 and not said:
            said.append(made.stage.ann.instruct("码头上来了一只白鹭", message="m1")[1].id)

    said: list[str] = []
    host = Odd(asked=last_word)
    ended = made.driver(host).run()
    assert ended.completed
    assert said
    assert len(made.stage.novel.chapters) == 2
    assert any("码头上来了一只白鹭" in text for text in made.prose[-6:])


def test_an_instruction_that_wants_the_dead_alive_is_blocked_with_the_place_and_solved_by_its_author(
    tmp_path: Path,
) -> None:
    made = rig(tmp_path / "ws", chapters=12)
    made.driver().run(made.commits(14))
    novel = made.stage.novel
    dead = next(item for item in canon(novel).states.values() if item.aspect == "life")
    name = novel.people[dead.person].name
    asked = made.stage.ann.instruct(f"{name} never died and is still alive.", message="m1")[1]
    written = made.prose
    ended = made.driver().run()
    pause = ended.moment.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.REQUIREMENT_CONFLICT
    assert str(dead.source) in pause.ids
    assert made.stage.novel.instruction(asked.id).state is InstructionState.BLOCKED
    made.stage.ann.instruct(
        "People only speak of the old days.",
        message="m2",
        source=InstructionSource.CLARIFICATION,
        answers=asked.id,
    )
    made.stage.ann.resume()
    made.driver().run(made.commits(16))
    assert made.stage.novel.instruction(asked.id).state is InstructionState.SUPERSEDED
    assert made.prose[: len(written)] == written


def test_names_and_words_with_marks_in_them_stay_names_and_words(tmp_path: Path) -> None:
    names = ("{hero} [a|b]", "{{char}}", "x" * 300, "x" * 300)
    cards = [
        {
            "spec": "chara_card_v2",
            "spec_version": "2.0",
            "data": {"name": name, "first_mes": f"{place}", "extensions": {}},
        }
        for place, name in enumerate(names)
    ]
    files = tuple(CardFile(f"{place}.json", json.dumps(card).encode()) for place, card in enumerate(cards))
    made = Rig(stage(tmp_path / "ws", configured=config(chapters=3), files=files))
    made.stage.ann.instruct("{rival} [comes|goes] {{back}}\nat last", message="m1")
    ended = made.driver().run(made.commits(6))
    assert ended.error is None
    text = "\n".join(made.prose)
    assert "rival comes goes at last" in text
    assert not set("{}[]|") & set(text)
    assert len({person.name for person in made.stage.novel.people.values()}) == 6


def test_it_says_that_it_is_a_stand_in_and_that_it_cannot_tell_of_other_processes(tmp_path: Path) -> None:
    author = OfflineAuthor()
    report = author.report()
    assert report.stand_in and report.counts_tokens and not report.missing()
    assert author.running("tn_unknown") is None
