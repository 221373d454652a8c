from __future__ import annotations

from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.novel.finding import Severity
from lantern_kit.novel.guards.repetition import chapter_repetition, repetition_findings
from tests.novel.stage import content, stage, text


def test_nothing_comes_twice_in_prose_of_different_words() -> None:
    made = chapter_repetition(["one two three four five", "six seven eight"])
    assert (made.tokens, made.distinct, made.loops) == (8, (1.0, 1.0, 1.0, 1.0), ())
    assert chapter_repetition(["灯塔亮了。"]).tokens == 4
    assert chapter_repetition([]).tokens == 0


def test_shares_are_those_of_different_runs_among_all() -> None:
    made = chapter_repetition(["a b a b", "A B!"])
    assert made.tokens == 6
    assert made.distinct == (2 / 6, 2 / 5, 2 / 4, 2 / 3)


def test_words_that_go_round_in_circles_are_found_with_their_paragraph() -> None:
    turning = "She walked to the door. " * 4
    made = chapter_repetition(["It was a quiet night.", f"Then: {turning}", "他走了又回来。" * 5])
    assert [(item.paragraph, item.words, item.times) for item in made.loops] == [
        (1, "she walked to the door", 4),
        (2, "他 走 了 又 回 来", 5),
    ]


def test_three_cries_are_no_loop() -> None:
    assert chapter_repetition(["“No, no, no!” 不、不、不。", "ha ha ha ha"]).loops == ()


def test_loops_and_a_chapter_of_few_words_are_notes() -> None:
    random = Random(1)
    words = [f"word{number}" for number in range(12)]
    poor = [" ".join(random.choices(words[:4], k=60)) for _ in range(6)]
    told = repetition_findings(poor, [*poor[:1], "round and round we go " * 6])
    assert {item.severity for item in told} == {Severity.NOTE}
    assert {(item.rule, item.paragraph) for item in told} >= {("repetition.loop", 1), ("repetition.poor", 0)}
    assert repetition_findings([], [" ".join(f"w{number}" for number in range(300))]) == []


def test_a_unit_that_goes_round_is_committed_and_its_author_is_told(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws")
    made.plan()
    intent = made.next()
    assert intent.unit is not None
    token = made.claim(intent)
    weighed = made.desk.weigh(intent.unit, token, [*text(1), "round and round we go " * 5 + "home"], content())
    assert [item.rule for item in weighed.found] == ["repetition.loop"]
    assert made.desk.commit(token, weighed)[1].paragraphs == 3


@given(st.lists(st.text(max_size=80), max_size=6))
def test_any_prose_can_be_measured(paragraphs: list[str]) -> None:
    made = chapter_repetition(paragraphs)
    assert all(0 < share <= 1 for share in made.distinct)
    assert all(0 <= loop.paragraph < len(paragraphs) and loop.times >= 3 for loop in made.loops)
    assert made == chapter_repetition(paragraphs)
