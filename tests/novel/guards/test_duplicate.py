from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.novel.content import Content
from lantern_kit.novel.errors import NovelFindings
from lantern_kit.novel.finding import Finding
from lantern_kit.novel.guards.duplicate import duplicate_findings
from lantern_kit.novel.guards.prints import grams, likeness, plain, prints
from lantern_kit.novel.prose import Prose, prose
from tests.novel.stage import Stage, content, stage

REFRAIN = {"en": "And the lamp went round, and the lamp went round.", "zh": "灯还亮着，海还醒着，我们就还没有走散。"}


def paragraph(seed: object, language: str, length: int = 70) -> str:
    """Words that no other seed gives, without meaning."""
    random = Random(f"{seed} {language}")
    if language == "zh":
        return "".join(chr(random.randrange(0x4E00, 0x5E00)) for _ in range(length)) + "。"
    letters = "abcdefghijklmnoprstuvw"
    words = ["".join(random.choices(letters, k=random.randint(2, 9))) for _ in range(length // 2)]
    return f"{' '.join(words)}."


def written(*paragraphs: str) -> Prose:
    return prose(paragraphs, policy=1)


def found(made: Stage, *paragraphs: str) -> list[Finding]:
    return duplicate_findings(made.novel, written(*paragraphs), lambda name: made.service.paragraphs(made.novel, name))


def committed(made: Stage, *paragraphs: str) -> str:
    """Commit a unit of these paragraphs, whatever guards say of them."""
    intent, before = made.next(), made.novel
    assert intent.unit is not None
    token = made.claim(intent)
    _, commit = made.desk.commit(token, made.desk.weigh(intent.unit, token, paragraphs, content(done=False)))
    made.end(before)
    return commit.id


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    made = stage(tmp_path / "ws")
    made.plan()
    return made


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_paragraph_of_earlier_prose_is_found_word_for_word_and_nearly(made: Stage, language: str) -> None:
    old = [paragraph(number, language) for number in range(8)]
    new = [paragraph(f"new {number}", language) for number in range(8)]
    name = committed(made, *old)
    assert found(made, *new) == []
    told = found(made, *new[:3], old[5], *new[3:])
    assert [(item.rule, item.paragraph, item.ids) for item in told] == [("duplicate.paragraph", 3, (name,))]
    middle = len(old[5]) // 2
    nearly = f"{old[5][: middle - 3]}{'另外' if language == 'zh' else ' otherwise '}{old[5][middle:]}"
    assert [item.rule for item in found(made, *new, nearly)] == ["duplicate.paragraph"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_part_of_an_earlier_paragraph_is_found_within_a_new_one(made: Stage, language: str) -> None:
    old = paragraph("old", language, 260)
    name = committed(made, old, paragraph("other", language, 260))
    taken = f"{paragraph('a', language, 90)} {old[: len(old) // 2]} {paragraph('b', language, 90)}"
    told = found(made, paragraph("c", language, 260), taken)
    assert [(item.rule, item.paragraph, item.ids) for item in told] == [("duplicate.passage", 1, (name,))]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_refrains_may_come_again_and_names_and_short_lines(made: Stage, language: str) -> None:
    committed(made, REFRAIN[language], paragraph(1, language), REFRAIN[language])
    again = [f"{paragraph(number, language)}{REFRAIN[language]}" for number in (2, 3, 4)]
    assert found(made, REFRAIN[language], *again, REFRAIN[language]) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_paragraph_that_comes_twice_in_one_unit_is_found(made: Stage, language: str) -> None:
    twice = paragraph(1, language)
    told = found(made, twice, paragraph(2, language), twice)
    assert [(item.rule, item.paragraph, item.ids) for item in told] == [("duplicate.paragraph", 2, ())]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_unit_much_like_an_earlier_one_is_found_as_a_whole(made: Stage, language: str) -> None:
    old = [paragraph(number, language) for number in range(10)]
    committed(made, *[paragraph(f"first {number}", language) for number in range(10)])
    name = committed(made, *old)
    told = found(
        made, *(text if number % 3 else paragraph(f"else {number}", language) for number, text in enumerate(old))
    )
    assert [(item.rule, item.ids) for item in told] == [("duplicate.unit", (name,))]


def test_prose_that_was_written_before_is_committed_only_with_a_reason(made: Stage) -> None:
    old = [paragraph(number, "en") for number in range(6)]
    committed(made, *old)
    intent = made.next()
    assert intent.unit is not None
    token = made.claim(intent)
    weighed = made.desk.weigh(intent.unit, token, old, content())
    with pytest.raises(NovelFindings):
        made.desk.commit(token, weighed)
    over = {"overrides": [{"finding": "duplicate.unit", "reason": "the letter is read again"}]}
    again = made.desk.weigh(intent.unit, token, old, Content.model_validate({**content().model_dump(), **over}))
    _, commit = made.desk.commit(token, again)
    assert [item.finding for item in commit.overrides] == ["duplicate.unit"]


def test_what_is_found_does_not_depend_on_what_was_looked_at_before(made: Stage, tmp_path: Path) -> None:
    old = [paragraph(number, "zh") for number in range(5)]
    committed(made, *old)
    first = found(made, old[1], paragraph("x", "zh"))
    earlier = made.service.at(made.service.head(made.novel_id).revision.number - 4).novel
    assert len(earlier.commits) == 0
    assert duplicate_findings(earlier, written(old[1]), lambda name: ()) == []
    assert found(made, old[1], paragraph("x", "zh")) == first


@given(st.text(max_size=300))
def test_any_text_has_prints_and_is_like_itself(text: str) -> None:
    made = prints([text])
    assert made.minhash.shape == (64,)
    assert float(likeness(made.minhash, made.minhash[None])[0]) == 1.0
    assert plain(text) == plain(plain(text).decode())


@given(st.text("abcdefgh ", min_size=200, max_size=400), st.text("abcdefgh ", min_size=200, max_size=400))
def test_minhashes_tell_about_what_the_grams_tell(one: str, other: str) -> None:
    first, second = grams(plain(one), 12), grams(plain(other + one[:100]), 12)
    if first and second:
        exact = len(first & second) / len(first | second)
        told = float(likeness(prints([one]).minhash, prints([other + one[:100]]).minhash[None])[0])
        assert abs(told - exact) < 0.35
