from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.novel.canon import canon
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.errors import NovelCapability, NovelLengthLimit
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
from lantern_kit.novel.offline.asked import understood
from lantern_kit.novel.offline.cast import Cast, sentences
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.whole import changed
from tests.novel.driving.rig import Odd, Rig, rig
from tests.novel.stage import CardFile, config, outline, stage


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
    assert all(unit.commit and unit.commit.characters <= unit.high for _, unit in novel.reading())
    prose = made.prose
    assert not repeated(prose)
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


def repeated(prose: list[str]) -> list[str]:
    """Sentences of any length that come more than once."""
    return [
        part
        for part, times in Counter(s for text in prose for s in sentences(text)).items()
        if times > 1 < len(part) // 8
    ]


def aimed(characters: int) -> Target:
    return Target(kind="target", characters=characters, tolerance=100_000, hard_maximum=characters * 11 // 10)


def met(folder: Path, seed: int, **facts: Any) -> None:
    """It is completed within its length, over no finding, and says nothing twice."""
    made = whole(folder, seed, **facts)
    novel = made.stage.novel
    assert facts["length"].low <= novel.head.characters <= facts["length"].high
    assert all(unit.commit and not unit.commit.overrides for _, unit in novel.reading())
    assert not repeated(made.prose)


def test_a_length_is_met_with_scenes_in_brief_in_full_or_with_interludes(tmp_path: Path) -> None:
    met(tmp_path / "brief", 3, length=aimed(2_000), chapters=None)
    met(tmp_path / "long", 4, length=aimed(9_000), language="zh", chapters=3, cards=True)


@pytest.mark.prove
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_any_seed_meets_any_length_over_no_finding(tmp_path: Path, language: str, seed: int) -> None:
    for place, share in enumerate((seed / 29, 1 - seed / 29)):
        characters = round(2_000 * 30**share)
        chapters = (None, 12, None, 3, 1)[(seed + place) % 5]
        met(tmp_path / f"{place}", seed, language=language, length=aimed(characters), chapters=chapters, cards=seed % 2)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"length": aimed(700), "chapters": 12}, "12 chapters at 700 characters"),
        ({"length": aimed(200_000)}, "at 200,000 characters"),
        ({"length": changed(aimed(8_000), tolerance=10_000)}, "to within 160 characters"),
        ({"unit_maximum": 60}, "in units of at most 60 characters"),
        ({"language": "fr"}, "in en and zh only"),
    ],
)
def test_what_it_cannot_tell_is_refused_before_its_first_turn(tmp_path: Path, facts: dict[str, Any], told: str) -> None:
    made = rig(tmp_path / "ws", **facts)
    with pytest.raises(NovelCapability, match=told) as caught:
        made.driver().run()
    assert caught.value.expected and caught.value.found and caught.value.recovery
    assert (made.stage.novel.head.spent.turns, made.stage.novel.head.run.status) == (0, Status.ACTIVE)


def test_a_length_that_became_too_short_before_the_outline_pauses_it_and_one_that_fits_lets_it_go_on(
    tmp_path: Path,
) -> None:
    made = rig(tmp_path / "ws", chapters=12)
    driver = made.driver()
    driver.recover()
    made.stage.ann.configure(length=aimed(700))
    step = driver.step()
    assert step.halt is not None and step.halt.reason is Reason.CAPABILITY
    made.stage.ann.configure(length=aimed(5_000))
    made.stage.ann.resume()
    assert made.driver().run(made.commits(1)).halt is None


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
    asked = made.stage.ann.instruct("Please let a white heron return to the quay!", message="m1")[1]
    before = len(made.prose)
    made.driver().run(made.commits(9))
    outcome = made.stage.novel.instruction(asked.id).outcome
    assert outcome is not None and outcome.note.startswith("Understood: a white heron comes to be near the quay.")
    events = [event for chapter in made.stage.novel.chapters.values() for event in chapter.events]
    assert any(event.startswith("A white heron comes to be near the quay") for event in events)
    later = [text for text in made.prose[before:] if "white heron" in text]
    assert "near the quay there was a white heron" in later[0]
    assert len(later) > 2, "it is in force, and shows again and again"
    assert not any("white heron" in text for text in made.prose[:before])
    assert not any("let a white heron" in text for text in made.prose)
    made.stage.ann.instruct("no heron", message="m2", source=InstructionSource.WITHDRAWAL, answers=asked.id)
    told = len(made.prose)
    made.driver().run(made.commits(16))
    assert not any("heron" in text for text in made.prose[told:])


@pytest.mark.parametrize(
    ("language", "asked", "told"),
    [
        ("en", "Let the mate betray them earlier.", "the mate goes behind {hero}'s back"),
        ("en", "I want {friend} to find an old key", "{friend} comes by an old key"),
        ("en", "{friend} forgives {rival}.", "{friend} makes it up with {rival}"),
        ("en", "Snow!", "there is to be snow"),
        ("en", "More about the sea, please", "more of the sea"),
        ("en", "A heron comes. Then make it sadder.", "a heron comes to be near {town}"),
        ("zh", "让配角提前背叛", "配角背着{hero}行事"),
        ("zh", "请让{friend}找到一把旧钥匙。", "{friend}得到一把旧钥匙"),
        ("zh", "{friend}和{rival}和好", "{friend}与{rival}和好"),
        ("zh", "下一场大雪", "要有雪"),
        ("zh", "多写一点海吧", "多写海"),
        ("zh", "码头上来了一只白鹭", "一只白鹭来到码头上"),
        ("en", "Make it sadder, and shorter sentences.", ""),
        ("en", "{elder} finds a key", ""),
        ("zh", "写得更悲伤一些", ""),
    ],
)
def test_what_is_understood_of_an_instruction_is_said_and_so_is_that_nothing_was(
    tmp_path: Path, language: str, asked: str, told: str
) -> None:
    made = rig(tmp_path / "ws", language=language)
    cast = Cast(1, language, Reader(made.stage.service, made.stage.novel_id))
    text = cast.put_in(asked, cast.dice())
    item = made.stage.ann.instruct(text, message="m1")[1]
    section, more = understood(cast, item)
    note = cast.put_in(section.fields["note"], cast.dice(), **more)
    if told:
        assert cast.put_in(told, cast.dice()) in note
        assert ("Of the rest" in note) == ("sadder" in asked)
    else:
        assert note.startswith(("Not understood:", "没有看懂：")) and more["motif"] in note
        assert text not in note


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
    assert any("一只白鹭来到码头上" in text for text in made.prose[-3:])


def test_what_somebody_else_planned_stops_the_stand_in_with_a_word_why_it_cannot_tell_that(tmp_path: Path) -> None:
    other = rig(tmp_path / "other")
    other.stage.plan(outline(chapters=1, scenes=1))
    halt = other.driver().run().halt
    assert halt is not None
    assert (halt.reason, "its own people alone" in halt.told) == (Reason.INVALID, True)
    made = rig(tmp_path / "ws")
    made.driver().run(lambda step: step.moment.novel.head.outline_revision > 0)
    made.stage.instruct("A key.")
    key = {"as": "key", "what": "the key", "required": True, "resolve": next(iter(made.stage.novel.chapters))}
    made.stage.plan(Plan.model_validate({"foreshadows": [key]}))
    halt = made.driver().run().halt
    assert halt is not None
    assert (halt.reason, halt.ids) == (Reason.INVALID, (made.stage.made["key"],))
    assert "“the key”" in halt.told


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
    outcomes = [item.outcome.note for item in made.stage.novel.instructions.values() if item.outcome]
    assert any(note.startswith("Not understood") for note in outcomes)
    assert not set("{}[]|") & set(text)
    assert len({person.name for person in made.stage.novel.people.values()}) == 6


def test_it_says_that_it_is_a_stand_in_and_that_it_cannot_tell_of_other_processes(tmp_path: Path) -> None:
    author = OfflineAuthor()
    report = author.report()
    assert report.stand_in and report.counts_tokens and not report.missing()
    assert author.running("tn_unknown") is None
