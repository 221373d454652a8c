from __future__ import annotations

import re

import pytest

from lantern_kit.comic.checks import check_unit
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.found import finding_words, severity_word
from lantern_kit.comic.model import Placement, TextStyle, UnitKind
from tests.render.pages import CHAPTER, Maker, page, pictures, rect


def every_finding() -> list[Finding]:
    """One page with everything that the checks can find."""
    make = Maker()
    unit = page(
        make.balloon(20, 20, 20, 10, "I never asked for the whole moon, you know. A small one would do."),
        make.balloon(20, 40, 6, 6, "moon " * 300),
        make.balloon(40, 60, 30, 20, "\U000e0041 ߐ", style=TextStyle(font="Wildwords")),
        make.narration(0, 0, 40, 8, "Over the edge"),
        make.balloon(90, 80, 30, 20, "In the fold"),
        make.overlay("as_gone0", Placement(box=rect(10, 100, 20, 20))),
        make.overlay("as_red00", Placement(box=rect(10, 100, 60, 40))),
        kind=UnitKind.SPREAD,
        gutter=4_000,
    )
    return list(check_unit(unit, CHAPTER, pictures))


def test_every_rule_is_told_in_chinese_with_its_figures() -> None:
    found = every_finding()
    assert {item.rule for item in found} == {
        "lettering.overflow", "lettering.glyph", "lettering.font", "lettering.safe", "lettering.gutter",
        "picture.missing", "picture.dpi",
    }  # fmt: skip
    for item in found:
        words = finding_words(item, "zh")
        assert words != item.message
        assert re.search(r"[\u4e00-\u9fff]", words)
        assert not words.endswith("。")
        assert not re.search(r"[{}]|\d\.\d{4,}", words)
        assert finding_words(item, "en") == item.message


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("picture.dpi", "低于 150"),
        ("lettering.font", "Wildwords"),
        ("picture.missing", "as_gone0"),
        ("lettering.safe", "上侧"),
        ("lettering.overflow", "最小字号"),
    ],
)
def test_what_a_finding_is_about_is_in_its_words(rule: str, part: str) -> None:
    told = [finding_words(item, "zh") for item in every_finding() if item.rule == rule]
    assert any(part in words for words in told)


def test_a_rule_that_is_told_in_english_only_stays_english() -> None:
    odd = Finding(
        rule="shape.crosses_itself", severity="error", unit="un_x", object="fr_x", message="it crosses itself"
    )
    assert finding_words(odd, "zh") == "it crosses itself"
    assert [severity_word(odd, language) for language in ("en", "zh")] == ["error", "错误"]


@pytest.mark.parametrize("name", ["with", "joined"])
def test_balloons_joined_across_the_gutter_are_told_in_chinese(name: str) -> None:
    torn = Finding(
        rule="lettering.gutter", severity="warning", unit="un_x", object="bl_1", message="", data={name: "bl_2"}
    )
    assert "bl_2" in finding_words(torn, "zh")
