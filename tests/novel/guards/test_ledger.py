from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.guards.ledger import ledger_findings
from lantern_kit.novel.guards.speech import speaking_names, speaks
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.prose import prose
from tests.novel.stage import Stage, content, outline, stage

SECRET = "The harbour master drowned the keeper beneath the old bridge."
SECRET_ZH = "沈掌柜就是当年放火烧船的人"


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    made = stage(tmp_path / "ws")
    planned = outline().model_dump(by_alias=True, exclude_none=True)
    planned["people"] = [
        {"as": "mira", "name": "Mira", "knows": [SECRET]},
        {"as": "tom", "name": "Tom", "aliases": ["the keeper"]},
        {"as": "lin", "name": "林小满", "knows": [SECRET_ZH]},
        {"as": "gu", "name": "顾长风"},
    ]
    for chapter in planned["chapters"]:
        for scene in chapter["scenes"]:
            scene["people"] = ["@mira", "@tom", "@lin", "@gu"]
    made.plan(Plan.model_validate(planned))
    return made


def found(made: Stage, *paragraphs: str, names: tuple[str, ...] = (), **facts: Any) -> list[Finding]:
    intent = made.turns.prepare()[1]
    unit = made.novel.unit(str(getattr(intent, "unit", None)))
    return ledger_findings(made.novel, unit, prose(paragraphs, policy=1), content(**facts), names)


def rules(told: list[Finding]) -> list[tuple[str, int | None]]:
    return [(item.rule, item.paragraph) for item in told]


@pytest.mark.parametrize(
    ("who", "value", "words"),
    [("tom", "dead", "“I am back,” said Tom."), ("gu", "已死", "顾长风低声说道：“我回来了。”")],
)
def test_the_dead_speak_only_with_a_reason(made: Stage, who: str, value: str, words: str) -> None:
    assert found(made, "Rain.", words) == []
    made.write(done=False, states=[{"person": made.made[who], "aspect": "life", "value": value, "at": 0}])
    told = found(made, "Rain.", words)
    assert rules(told) == [("ledger.dead", 1)]
    assert told[0].severity is Severity.OVERRIDE
    assert found(made, "Mira thought of Tom, who had said nothing. 她想起顾长风。") == []
    alive = {"person": made.made[who], "aspect": "life", "value": "alive", "at": 0}
    assert found(made, "Rain.", words, states=[alive]) == []


def test_who_dies_in_this_prose_may_speak_in_it_and_the_dead_learn_nothing(made: Stage) -> None:
    tom = made.made["tom"]
    death = {"person": tom, "aspect": "life", "value": "dead", "at": 1}
    assert found(made, "“Go,” said Tom.", "He fell.", states=[death]) == []
    made.write(done=False, states=[{**death, "at": 0}])
    told = found(made, "Rain.", "A light.", knowledge=[{"who": tom, "what": "the light", "at": 1}])
    assert rules(told) == [("ledger.dead", 1)]


def test_who_is_missing_and_speaks_is_noted(made: Stage) -> None:
    made.write(done=False, states=[{"person": made.made["gu"], "aspect": "life", "value": "失踪", "at": 0}])
    told = found(made, "雨。", "顾长风笑道：“是我。”")
    assert rules(told) == [("ledger.absent", 1)]
    assert told[0].severity is Severity.NOTE


@pytest.mark.parametrize(
    ("knower", "words"),
    [
        ("tom", "“It was the harbour master,” said Tom. “He drowned the keeper beneath the bridge.”"),
        ("gu", "顾长风冷冷地说：“沈掌柜就是当年放火烧船的那个人。”"),
    ],
)
def test_a_secret_is_told_by_those_who_know_it_or_were_told(made: Stage, knower: str, words: str) -> None:
    told = found(made, "Rain.", words)
    assert rules(told) == [("ledger.secret", 1)]
    assert told[0].severity is Severity.OVERRIDE
    secret = SECRET if knower == "tom" else SECRET_ZH
    learnt = {"who": made.made[knower], "what": secret, "at": 0}
    assert found(made, "Rain.", words, knowledge=[learnt]) == []
    owner = words.replace("Tom", "Mira").replace("顾长风", "林小满")
    assert found(made, "Rain.", owner) == []
    made.write(done=False, knowledge=[learnt])
    assert found(made, "Rain.", words) == []


def test_speakers_whom_nothing_knows_are_noted(made: Stage) -> None:
    told = found(made, "“Who?” asked Captain Harrow.", "王小明说道：“是我。”", "He said no. 他低声说道：“不。”")
    assert rules(told) == [("ledger.unknown", 0), ("ledger.unknown", 1)]
    assert {item.severity for item in told} == {Severity.NOTE}
    known = ("Harrow", "王小明")
    assert found(made, "“Who?” asked Captain Harrow.", "王小明说道：“是我。”", names=known) == []


def test_foreshadows_that_are_overdue_are_noted_until_they_move(made: Stage) -> None:
    for _ in range(2):
        made.write()
    made.complete()
    key = made.made["key"]
    told = found(made, "Rain.")
    assert [(item.rule, item.ids[0], item.severity) for item in told] == [("ledger.foreshadow", key, Severity.NOTE)]
    assert found(made, "Rain.", foreshadows=[{"foreshadow": key, "move": "planted", "at": 0}]) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Tom", "“No,” whispered Tom."),
        ("Tom", "Tom said nothing."),
        ("林小满", "林小满连忙问：“谁？”"),
        ("林小满", "林小满道：“谁？”"),
    ],
)
def test_words_about_speaking_tell_who_speaks(name: str, words: str) -> None:
    assert speaks(name, words)
    assert not speaks("Tommy", words)


@pytest.mark.parametrize("words", ["Tom, she said, was gone.", "Tomas said no.", "她想起林小满。", "林小满知道了。"])
def test_a_name_alone_is_no_speech(words: str) -> None:
    assert not speaks("Tom", words)
    assert not speaks("林小满", words)


def test_pronouns_and_faces_are_no_names() -> None:
    assert speaking_names("He said so. They’ve said so. Nobody said a word. 张嘴说道。他说。") == []
