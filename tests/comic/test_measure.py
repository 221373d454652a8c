from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.measure import a, degrees, micrometres, millidegrees, millimetres, millionths, share, spoken


@given(st.integers(-10_000_000, 10_000_000))
def test_every_whole_micrometre_survives_the_way_out_and_back(um: int) -> None:
    assert micrometres(millimetres(um)) == um
    assert millidegrees(degrees(um)) == um


@given(st.integers(0, 100_000_000))
def test_every_millionth_survives_the_way_out_and_back(parts: int) -> None:
    assert millionths(share(parts)) == parts


@given(st.integers(-10_000_000, 10_000_000))
def test_halves_are_rounded_up_as_decimals(um: int) -> None:
    value = (Decimal(um) + Decimal("0.5")) / 1000
    assert micrometres(float(value)) == um + 1


@given(st.floats(-10_000, 10_000))
def test_rounding_is_that_of_the_decimal_as_written(mm: float) -> None:
    exact = (Decimal(repr(mm)) * 1000 + Decimal("0.5")).to_integral_value(rounding=ROUND_FLOOR)
    assert micrometres(mm) == int(exact)


@pytest.mark.parametrize(
    ("um", "text"), [(0, "0"), (12_500, "12.5"), (12_504, "12.5"), (-4_000, "-4"), (-1, "0"), (100_000, "100")]
)
def test_lengths_are_spoken_without_needless_digits(um: int, text: str) -> None:
    assert spoken(um) == text


def test_nouns_get_their_article() -> None:
    assert [a(noun) for noun in ("frame", "image", "overlay", "unit", "effect")] == [
        "a frame", "an image", "an overlay", "a unit", "an effect",
    ]  # fmt: skip
