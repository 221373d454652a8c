"""Every rule finds its fault, leaves the sound page alone, and says what to do in both languages."""

from __future__ import annotations

import re

import pytest

from lantern_kit.comic.checks import check_unit, study_units
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.found import finding_words
from lantern_kit.comic.model import Unit
from tests.comic.faulty import CASES as PLAIN
from tests.comic.faulty import STRIP, Case, pictures, view
from tests.comic.faulty_stage import CASES as STAGED
from tests.comic.faulty_stage import KEPT, bound
from tests.render.pages import Maker, page

CASES = [*PLAIN, *STAGED]
IDS = [case.label for case in CASES]


def studied(case: Case, *units: Unit) -> list[Finding]:
    return list(study_units(units, case.chapter, pictures, kept=KEPT.copy, view=view, bound=bound))


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_rule_finds_its_fault(case: Case) -> None:
    found = [item for item in studied(case, *case.faulty) if item.rule == case.rule]
    assert found
    assert {item.severity for item in found} == {case.severity}
    units = {unit.id: unit for unit in case.faulty}
    for item in found:
        unit = units[item.unit]
        assert item.object == unit.id or item.object in unit.index
        assert not item.other or item.other in unit.index


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_rule_leaves_a_sound_page_alone(case: Case) -> None:
    if case.rule == "continuity.speaker":
        assert case.rule not in {item.rule for item in studied(case, *case.sound)}
        return
    for unit in case.sound:
        assert case.rule not in {item.rule for item in studied(case, unit)}


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_a_finding_says_what_is_wrong_and_what_to_do_in_both_languages(case: Case) -> None:
    for item in studied(case, *case.faulty):
        if item.rule == case.rule:
            english, chinese = finding_words(item), finding_words(item, "zh")
            assert re.search("; |, unless|, so that", english) and not english.endswith(".")
            assert "  " not in english
            assert re.search(r"[\u4e00-\u9fff]", chinese) and chinese != english
            assert not chinese.endswith("。") and not re.search(r"\{[a-z_]*\}|\d\.\d{4,}", english + chinese)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_faults_are_told_on_every_edit_and_matters_of_taste_only_to_those_who_ask(case: Case) -> None:
    told = {item.rule for unit in case.faulty for item in check_unit(unit, case.chapter, pictures, kept=KEPT.copy)}
    every_edit = case.severity == "warning" or case.rule == "lettering.marks"
    assert (case.rule in told) == (every_edit and case.rule != "frame.overlap")


def test_a_strip_that_is_scrolled_has_no_trim_to_keep_clear_of() -> None:
    make = Maker()
    unit = page(make.frame(0, 8, 100, 60), make.frame(3, 72, 94, 60))
    rules = {item.rule for item in study_units([unit], STRIP, pictures)}
    assert rules.isdisjoint({"frame.safe", "frame.reach"})


def test_without_a_view_nothing_is_said_of_weight_and_colour() -> None:
    for case in CASES:
        if case.rule in {"balance.aside", "continuity.palette"}:
            found = study_units(case.faulty, case.chapter, pictures)
            assert case.rule not in {item.rule for item in found}


def test_an_edge_at_the_trim_says_which_edges_to_let_bleed() -> None:
    (finding,) = check_unit(page(Maker().frame(0, 0, 100, 60)), STRIP.model_copy(update={"direction": "ltr"}), pictures)
    assert finding.rule == "frame.reach"
    assert finding.data["bleed"] == ["left", "right", "top"]


def test_two_balloons_over_a_third_are_two_findings() -> None:
    make = Maker()
    low = make.balloon(10, 20, 60, 22, "I meant what I said, and I said it.")
    over = [make.balloon(x, 26, 24, 14, "No.") for x in (14, 44)]
    found = [item for item in check_unit(page(*over, low), STRIP, pictures) if item.rule == "balloon.covers"]
    assert [(item.object, item.other) for item in found] == [(low.id, item.id) for item in over]
    assert len({item.key for item in found}) == 2


def test_a_crowd_of_frames_is_no_layout() -> None:
    make = Maker()
    piled = [make.frame(8, 8, 60 + place / 10, 60) for place in range(61)]
    rules = {item.rule for item in study_units([page(*piled)], STRIP, pictures)}
    assert rules.isdisjoint({"frame.overlap", "frame.gutter", "reading.path"})
    assert "frame.overlap" in {
        item.rule for item in study_units([page(piled[0], make.frame(40, 40, 50, 60))], STRIP, pictures)
    }
