from __future__ import annotations

import math
import re

import pytest

from lantern_kit.comic.checks import Checker, check_unit
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.model import BalloonShape, Fit, Placement, TextStyle, Transform, Unit, UnitKind
from lantern_kit.kernel.errors import NotFound
from tests.render.pages import CHAPTER, Maker, page, pictures, plain, rect
from tests.render.test_page import busy


def found(unit: Unit) -> list[Finding]:
    return list(check_unit(unit, CHAPTER, pictures))


def rules(unit: Unit) -> list[str]:
    return [finding.rule for finding in found(unit)]


def test_a_good_page_has_no_findings() -> None:
    make = Maker()
    frame = make.frame(8, 8, 84, 50)
    image = make.image(frame.id, "as_fine0")
    unit = page(frame, image, make.balloon(20, 14, 40, 22, "Is that… mine?", tip=(70, 50)))
    fine = plain((1, 2, 3), 840, 500)
    assert check_unit(unit, CHAPTER, {"as_fine0": fine}.get) == ()


def test_overflow_says_at_what_size_the_words_would_fit_and_how_large_a_box_they_need() -> None:
    make = Maker()
    balloon = make.balloon(20, 20, 20, 10, "I never asked for the whole moon, you know. A small one would do.")
    (finding,) = found(page(balloon))
    assert (finding.rule, finding.severity, finding.object) == ("lettering.overflow", "warning", balloon.id)
    assert 0.3 < finding.data["fitting_mm"] < 1.7 == finding.data["smallest_mm"]
    assert "1.7 mm" in finding.message
    size = re.search(r"about ([\d.]+) × ([\d.]+) mm", finding.message)
    assert size is not None
    enlarged = make.balloon(20, 20, float(size[1]), float(size[2]), balloon.text)
    assert rules(page(enlarged)) == []


def test_overflow_at_a_fixed_size_is_found_too() -> None:
    make = Maker()
    style = TextStyle(fit=False, size=4_000)
    (finding,) = found(page(make.balloon(20, 20, 20, 12, "far too much to say", style=style)))
    assert finding.rule == "lettering.overflow"
    assert "4 mm" in finding.message


@pytest.mark.parametrize(
    ("text", "language", "size", "least"),
    [
        ("too small to read", "en", 1_200, 1.3),
        ("小さくて読めない", "ja", 1_400, 1.5),
        ("작아서 안 보여", "ko", 1_400, 1.5),
        ("[tiny]{size=0.4} print", "en", 2_800, 1.3),
        ("{月|つき}", "ja", 1_500, None),
        ("だめ", "ja", 1_300, None),
    ],
)
def test_words_below_a_legible_size_in_print_are_found(
    text: str, language: str, size: int, least: float | None
) -> None:
    make = Maker()
    style = TextStyle(size=size, smallest=size, language=language)
    sizes = found(page(make.balloon(20, 20, 40, 24, text, style=style)))
    if least is None:
        assert sizes == []
        return
    (finding,) = sizes
    assert (finding.rule, finding.severity) == ("lettering.small", "warning")
    assert finding.data["least_mm"] == least
    assert f"below the {least:g} mm" in finding.message


def test_readings_have_a_least_size_of_their_own() -> None:
    make = Maker()
    style = TextStyle(size=1_400, smallest=1_400, language="ja")
    (finding,) = found(page(make.balloon(20, 20, 40, 24, "{あ|ア}", style=style)))
    assert finding.data == {"size_mm": 0.7, "least_mm": 0.75, "grow": 1.08, "reading": True, "fitted": False}
    assert "readings" in finding.message


def test_a_fitted_text_that_became_too_small_asks_for_a_larger_box_that_is_enough() -> None:
    make = Maker()
    style = TextStyle(smallest=500)
    balloon = make.balloon(20, 20, 12, 7, "I never asked for the whole moon, you know.", style=style)
    (finding,) = found(page(balloon))
    assert finding.rule == "lettering.small"
    assert "enlarge its box" in finding.message
    grow = finding.data["grow"]
    assert rules(page(make.balloon(20, 20, 12 * grow, 7 * grow, balloon.text, style=style))) == []


def test_words_that_no_box_holds_are_to_be_shortened() -> None:
    make = Maker()
    finding = found(page(make.balloon(20, 20, 6, 6, "moon " * 300)))[0]
    assert finding.rule == "lettering.overflow"
    assert "shorten" in finding.message


def test_a_missing_glyph_names_its_characters() -> None:
    (finding,) = found(page(Maker().balloon(20, 20, 40, 20, "so \U00012000 it is")))
    assert finding.rule == "lettering.glyph"
    assert finding.data == {"characters": ["U+12000"]}
    assert "\U00012000" in finding.message


def test_an_unknown_font_names_what_there_is() -> None:
    (finding,) = found(page(Maker().balloon(20, 20, 40, 20, "hm", style=TextStyle(font="Wildwords"))))
    assert finding.rule == "lettering.font"
    assert "Wildwords" in finding.message
    assert "Delius" in finding.data["known"]


@pytest.mark.parametrize(
    ("x", "y", "side", "move"),
    [(-4, 40, "left", "right"), (80, 40, "right", "left"), (40, -4, "top", "down"), (40, 130, "bottom", "up")],
)
def test_words_outside_the_safe_area_are_told_how_far_and_where_to_move(x: int, y: int, side: str, move: str) -> None:
    make = Maker()
    balloon = make.balloon(x, y, 24, 12, "Hello hello!")
    (finding,) = found(page(balloon))
    assert finding.rule == "lettering.safe"
    assert finding.severity == "warning"
    by = finding.data[f"{side}_mm"]
    by = math.ceil(by * 10) / 10
    assert f"{by:g} mm at the {side}" in finding.message
    assert f"{by:g} mm {move}" in finding.message
    dx, dy = {"right": (by, 0), "left": (-by, 0), "down": (0, by), "up": (0, -by)}[move]
    assert rules(page(make.balloon(x + dx, y + dy, 24, 12, "Hello hello!"))) == []


def test_a_balloon_s_outline_may_leave_the_safe_area_when_its_words_do_not() -> None:
    assert rules(page(Maker().balloon(2, 20, 40, 20, "Hm."))) == []


def test_a_sound_past_the_safe_area_is_only_a_note() -> None:
    style = TextStyle(font="sound", size=12_000)
    (finding,) = found(page(Maker().text(60, 20, 60, 20, "FWOOM", style=style)))
    assert (finding.rule, finding.severity) == ("lettering.safe", "note")


def test_a_balloon_over_the_gutter_is_found_unless_it_is_meant_to_lie_there() -> None:
    make = Maker()

    def spread(**more: object) -> Unit:
        return page(make.balloon(90, 40, 30, 16, "hm", **more), kind=UnitKind.SPREAD, gutter=6_000)

    (finding,) = found(spread())
    assert finding.rule == "lettering.gutter"
    assert finding.data == {"over_mm": 16.0, "gutter_mm": [100.0, 106.0]}
    assert "16 mm right" in finding.message
    assert rules(spread(gutter_safe=False)) == []
    assert rules(page(make.balloon(107, 40, 30, 16, "hm"), kind=UnitKind.SPREAD, gutter=6_000)) == []


def test_words_without_a_body_lie_over_the_gutter_only_where_they_are() -> None:
    def spread(x: float) -> Unit:
        balloon = Maker().balloon(x, 40, 40, 16, "hm", shape=BalloonShape.NONE)
        return page(balloon, kind=UnitKind.SPREAD, gutter=6_000)

    assert rules(spread(62)) == []
    assert rules(spread(82)) == ["lettering.gutter"]


def test_balloons_that_are_joined_across_the_gutter_are_found() -> None:
    make = Maker()
    first = make.balloon(50, 40, 30, 16, "I meant")
    same = make.balloon(50, 60, 30, 16, "to", joined=first.id)
    far = make.balloon(120, 40, 30, 16, "say…", joined=first.id)
    unit = page(first, same, far, kind=UnitKind.SPREAD, gutter=6_000)
    (finding,) = found(unit)
    assert (finding.rule, finding.object) == ("lettering.gutter", far.id)
    assert finding.data["with"] == first.id
    meant = [item.model_copy(update={"gutter_safe": False}) for item in (first, same, far)]
    assert rules(page(*meant, kind=UnitKind.SPREAD, gutter=6_000)) == []


def test_a_caption_over_the_fold_of_a_spread_without_gutter_is_found() -> None:
    unit = page(Maker().narration(95, 40, 30, 12, "Later"), kind=UnitKind.SPREAD)
    assert rules(unit) == ["lettering.gutter"]


def test_a_coarse_picture_says_its_dpi_and_how_small_it_may_be() -> None:
    make = Maker()
    frame = make.frame(8, 8, 50.8, 50.8)
    unit = page(frame, make.image(frame.id, "as_small", Placement(fit=Fit.STRETCH)))
    coarse = plain((1, 2, 3), 200, 400)
    (finding,) = check_unit(unit, CHAPTER, {"as_small": coarse}.get)
    assert finding.rule == "picture.dpi"
    assert finding.data == {"dpi": 100.0, "least": 150}
    assert "100 dpi" in finding.message
    assert "66%" in finding.message
    assert "300 × 600" in finding.message
    half = Placement(fit=Fit.STRETCH, transform=Transform(scale=660_000))
    assert check_unit(page(frame, make.image(frame.id, "as_small", half)), CHAPTER, {"as_small": coarse}.get) == ()


def test_a_missing_picture_is_found_wherever_it_is_placed() -> None:
    make = Maker()
    frame = make.frame(8, 8, 50, 50)
    image = make.image(frame.id, "as_gone0")
    overlay = make.overlay("as_gone1", Placement(box=rect(10, 80, 20, 20)))
    unit = page(frame, image, make.foreground(image, "as_gone2"), overlay)
    assert [(item.rule, item.data["asset"]) for item in found(unit)] == [
        ("picture.missing", "as_gone0"),
        ("picture.missing", "as_gone2"),
        ("picture.missing", "as_gone1"),
    ]


def test_checks_never_refuse() -> None:
    assert {item.severity for item in found(busy())} <= {"warning", "note"}


def test_findings_of_one_call_are_not_the_next_call_s() -> None:
    unit = page(Maker().balloon(-4, 20, 24, 12, "Hello hello!"))
    found(unit)[0].data.clear()
    assert found(unit)[0].data


class Shelf:
    def get(self, asset: str) -> object:
        picture = pictures(asset)
        if picture is None:
            raise NotFound(asset)
        return picture


def test_a_checker_asks_its_library() -> None:
    checker = Checker(Shelf())  # type: ignore[arg-type]
    assert checker.check(busy(), CHAPTER) == check_unit(busy(), CHAPTER, pictures)
    gone = page(Maker().overlay("as_gone0", Placement(box=rect(10, 80, 20, 20))))
    assert [item.rule for item in checker.check(gone, CHAPTER)] == ["picture.missing"]
