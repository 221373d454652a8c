"""Two states of a page, compared as they are drawn."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.model import (
    MILLION,
    Band,
    Chapter,
    Direction,
    EffectType,
    Image,
    Paper,
    Placement,
    Transform,
    Unit,
    UnitKind,
)
from lantern_kit.comic.render.compare import Comparison, compare_units
from lantern_kit.comic.render.distance import Unseen
from lantern_kit.kernel.errors import BadInput
from tests.render.pages import CHAPTER, PICTURES, Maker, page, pictures, rect

EDGE = 420


def compared(before: Unit | None, after: Unit | None, **more: Any) -> Comparison:
    if "scale" not in more:
        more.setdefault("long_edge", EDGE)
    return compare_units(before, after, CHAPTER, CHAPTER, pictures, **more)


def changed(unit: Unit, thing: str, **fields: Any) -> Unit:
    objects = tuple(item.model_copy(update=fields) if item.id == thing else item for item in unit.objects)
    return unit.model_copy(update={"objects": objects})


def without(unit: Unit, thing: str) -> Unit:
    return unit.model_copy(
        update={
            "objects": tuple(item for item in unit.objects if item.id != thing),
            "reading": tuple(name for name in unit.reading if name != thing),
        }
    )


class Sample:
    """A page with two frames, a picture in the upper one, two balloons and a caption."""

    def __init__(self) -> None:
        make = Maker()
        self.top, self.low = make.frame(8, 8, 84, 58), make.frame(8, 72, 84, 58)
        self.image = make.image(self.top.id, "as_four0")
        self.one = make.balloon(14, 14, 30, 16, "Is that… mine?", tip=(40, 44))
        self.two = make.balloon(50, 80, 34, 18, "Every night, yes.")
        self.caption = make.narration(12, 112, 40, 12, "Later.")
        self.unit = page(self.top, self.image, self.low, self.one, self.two, self.caption)


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample()


# nothing changed


def test_a_page_is_at_no_distance_from_itself(sample: Sample) -> None:
    found = compared(sample.unit, sample.unit)
    assert found.alike
    assert (found.regions, found.objects, found.rest.regions) == ((), (), 0)
    assert (found.distance.difference, found.distance.changed, found.distance.greatest) == (0, 0, 0)
    assert not found.changed.any()


def test_a_change_that_is_not_drawn_is_said_to_be_so(sample: Sample) -> None:
    found = compared(sample.unit, changed(sample.unit, sample.one.id, speaker="Chelsea", name="first"))
    assert found.alike
    told = found.object(sample.one.id)
    assert told is not None
    assert (told.change, {*told.properties}, told.unseen) == ("changed", {"speaker", "name"}, Unseen.ALIKE)
    assert not told.seen
    assert told.area[0] == told.area[1] > 300


# regions


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 110), st.integers(-9, 9), st.integers(-9, 9)),
        min_size=1,
        max_size=5,
    )
)
def test_every_changed_pixel_lies_in_a_region_and_both_ways_are_alike(
    places: list[tuple[int, int, int, int]],
) -> None:
    make = Maker()
    before = page(*(make.balloon(x, y, 24, 14, "Oh!") for x, y, _, _ in places))
    after = before
    for item, (x, y, right, down) in zip(before.objects, places, strict=True):
        after = changed(after, item.id, box=rect(x + right, y + down, 24, 14))
    found, back = compared(before, after, long_edge=210), compared(after, before, long_edge=210)
    left = found.changed.copy()
    for region in found.regions:
        x0, y0, x1, y1 = region.pixels
        left[y0:y1, x0:x1] = False
    assert not left.any()
    for one, other in combinations(found.regions, 2):
        a, b = one.pixels, other.pixels
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert [(item.pixels, item.share) for item in found.regions] == [(item.pixels, item.share) for item in back.regions]
    assert found.distance == back.distance
    for told in found.objects:
        other = back.object(told.id)
        assert other is not None
        assert (told.difference, told.share, told.area) == (other.difference, other.share, other.area[::-1])
        assert (told.covered_by, told.bared_by) == (other.bared_by, other.covered_by) or not told.seen


def test_regions_are_numbered_as_they_are_read(sample: Sample) -> None:
    after = changed(sample.unit, sample.one.id, text="No.")
    after = changed(after, sample.two.id, text="Yes.")
    after = changed(after, sample.caption.id, text="Soon.")
    found = compared(sample.unit, after)
    assert [item.number for item in found.regions] == [1, 2, 3]
    assert [item.objects[0] for item in found.regions] == [sample.one.id, sample.two.id, sample.caption.id]


def test_a_region_beside_all_frames_is_read_after_those_above_it() -> None:
    make = Maker()
    left, right, low = make.frame(8, 20, 40, 30), make.frame(52, 20, 40, 30), make.frame(8, 90, 84, 40)
    notes = [make.narration(*at, 30, 8, "a") for at in ((12, 5), (56, 30), (12, 65), (20, 100))]
    before = page(left, right, low, *notes)
    after = before
    for note in notes:
        after = changed(after, note.id, text="b")
    assert [item.objects[0] for item in compared(before, after).regions] == [note.id for note in notes]


def test_regions_side_by_side_are_read_in_the_chapters_direction() -> None:
    make = Maker()
    left, right = make.balloon(10, 20, 24, 14, "left"), make.balloon(66, 20, 24, 14, "right")
    before = page(left, right)
    after = changed(changed(before, left.id, text="links"), right.id, text="rechts")
    rightwards = compared(before, after)
    manga = CHAPTER.model_copy(update={"direction": Direction.RTL})
    leftwards = compare_units(before, after, manga, manga, pictures, long_edge=EDGE)
    assert [item.objects[0] for item in rightwards.regions] == [left.id, right.id]
    assert [item.objects[0] for item in leftwards.regions] == [right.id, left.id]


def test_regions_say_where_they_are_in_millimetres(sample: Sample) -> None:
    found = compared(sample.unit, without(sample.unit, sample.caption.id))
    (region,) = found.regions
    box = sample.caption.box
    assert region.rect.x < box.x < box.right < region.rect.right
    assert region.rect.y < box.y < box.bottom < region.rect.bottom
    assert region.rect.w < box.w + 5_000
    assert region.share == pytest.approx(40 * 12 / (100 * 140), rel=0.08)
    assert found.distance.changed == pytest.approx(region.share)


def test_the_slightest_regions_are_counted_when_there_are_too_many() -> None:
    make = Maker()
    dots = [make.text(6 + 14 * (place % 7), 8 + 20 * (place // 7), 8, 8, "o") for place in range(28)]
    before = page(*dots)
    after = before
    for item in dots:
        after = changed(after, item.id, text="x")
    found = compared(before, after, most=5)
    assert (len(found.regions), found.rest.regions) == (5, 23)
    assert sum(item.share for item in found.regions) + found.rest.share == pytest.approx(found.distance.changed)
    least = min(item.share * item.difference for item in found.regions)
    every = compared(before, after, most=99)
    assert sum(item.share * item.difference >= least - 1e-12 for item in every.regions) >= 5


# objects


@settings(max_examples=20, deadline=None)
@given(st.integers(-8_000, 30_000), st.integers(-8_000, 20_000))
def test_an_object_that_was_moved_says_by_how_much(right: int, down: int) -> None:
    sample = Sample()
    box = sample.one.box
    moved = changed(sample.unit, sample.one.id, box=box.model_copy(update={"x": box.x + right, "y": box.y + down}))
    told = compared(sample.unit, moved, long_edge=210).object(sample.one.id)
    if (right, down) == (0, 0):
        assert told is None
    else:
        assert told is not None
        assert told.shift == (right / 1_000, down / 1_000, 1, 1, 0)
        assert told.properties == ("box",)


def test_a_picture_is_followed_itself_when_its_place_changes(sample: Sample) -> None:
    transform = Transform(dx=5_000, dy=-2_000, scale=MILLION * 3 // 2, rotate=30_000)
    after = changed(sample.unit, sample.image.id, placement=Placement(transform=transform))
    told = compared(sample.unit, after).object(sample.image.id)
    assert told is not None
    assert told.shift == pytest.approx((5, -2, 1.5, 1.5, 30), abs=1e-3)
    assert told.seen
    assert told.difference > 5


def test_a_picture_whose_frame_grew_is_told_without_a_change_of_its_own(sample: Sample) -> None:
    after = changed(sample.unit, sample.top.id, shape=Maker().frame(8, 8, 84, 62).shape)
    found = compared(sample.unit, after)
    frame, image = found.object(sample.top.id), found.object(sample.image.id)
    assert frame is not None
    assert image is not None
    assert (frame.change, image.change) == ("changed", "")
    assert image.shift is not None
    assert image.shift.down == 2
    assert frame.shift == (0, 2, 1, 1.069, 0)
    assert found.objects[0] == frame


def test_what_comes_and_goes_is_told_with_what_it_covers_and_bares(sample: Sample) -> None:
    gone = without(sample.unit, sample.one.id)
    taken, given = compared(sample.unit, gone), compared(gone, sample.unit)
    balloon, under = taken.object(sample.one.id), taken.object(sample.image.id)
    assert balloon is not None
    assert under is not None
    assert (balloon.change, balloon.area[1], balloon.seen) == ("removed", 0, True)
    assert (under.change, under.bared_by, under.covered_by) == ("", (sample.one.id,), ())
    covered = given.object(sample.image.id)
    assert covered is not None
    assert (covered.covered_by, covered.bared_by) == ((sample.one.id,), ())
    assert taken.regions[0].objects[0] == sample.one.id


def test_a_frame_is_covered_by_the_picture_that_fills_it(sample: Sample) -> None:
    found = compared(without(sample.unit, sample.image.id), sample.unit)
    frame, image = found.object(sample.top.id), found.object(sample.image.id)
    assert frame is not None
    assert image is not None
    assert (image.change, frame.change, frame.covered_by) == ("added", "", (sample.image.id,))
    assert frame.area[0] > 10 * frame.area[1] > 0


def test_a_change_under_another_object_is_hidden() -> None:
    make = Maker()
    low, high = make.narration(20, 20, 30, 12, "Under."), make.narration(10, 10, 60, 40, "Over.")
    before = page(low, high)
    told = compared(before, changed(before, low.id, text="Beneath.")).object(low.id)
    assert told is not None
    assert (told.unseen, told.covered_by, told.difference) == (Unseen.HIDDEN, (high.id,), 0)


def test_a_change_beside_the_page_is_outside() -> None:
    make = Maker()
    note = make.narration(300, 20, 30, 12, "Far.")
    before = page(note)
    told = compared(before, changed(before, note.id, text="Further.")).object(note.id)
    assert told is not None
    assert told.unseen is Unseen.OUTSIDE


def test_a_picture_under_a_tone_that_changed_is_mixed_with_it(sample: Sample) -> None:
    make = Maker()
    frame = make.frame(8, 8, 84, 58)
    image = make.image(frame.id, "as_red00")
    tone = make.effect(frame.id, EffectType.GRADIENT, opacity=MILLION // 5, density=MILLION)
    before = page(frame, image, tone)
    told = compared(before, changed(before, tone.id, colour="#ffffff")).object(image.id)
    assert told is not None
    assert (told.change, told.mixed_with) == ("", (tone.id,))


def test_an_object_that_was_lifted_over_another_is_seen_and_covers_it() -> None:
    make = Maker()
    low, high = make.narration(20, 20, 40, 20, "One."), make.narration(40, 30, 40, 20, "Two.", fill="#88ccff")
    before = page(low, high)
    lifted = compared(before, before.model_copy(update={"objects": (high, low)}))
    assert lifted.properties == ("objects",)
    told = lifted.object(high.id)
    assert told is not None
    assert (told.change, told.covered_by) == ("", (low.id,))
    banded = compared(before, changed(before, low.id, band=Band.TEXT))
    over = banded.object(low.id)
    assert over is not None
    assert (over.properties, over.seen, over.bared_by) == (("band",), True, (high.id,))


def test_joined_balloons_are_told_each_by_itself() -> None:
    make = Maker()
    first = make.balloon(20, 20, 34, 20, "One breath.", tip=(20, 60))
    second = make.balloon(40, 34, 34, 20, "Another.", joined=first.id, fill="#000000")
    before = page(first, second)
    found = compared(before, changed(before, second.id, text="And another."))
    (told,) = found.objects
    assert (told.id, told.properties, told.seen) == (second.id, ("text",), True)
    parted = compared(before, changed(before, second.id, joined=None))
    apart = parted.object(second.id)
    assert apart is not None
    assert (apart.properties, apart.seen) == (("joined",), True)
    assert apart.share > 0.5


def test_a_picture_that_was_replaced_is_measured_over_its_own_area(sample: Sample) -> None:
    make = Maker()
    frame = make.frame(8, 8, 40, 40)
    image = make.image(frame.id, "as_red00")
    before = page(frame, image)
    told = compared(before, changed(before, image.id, asset="as_green")).object(image.id)
    assert told is not None
    assert told.share > 0.98
    assert told.area[1] == pytest.approx(40 * 40, rel=0.06)
    assert told.difference > 25


# pages that are not of one size, or not there


def test_a_page_that_was_added_is_one_region_of_new_paper(sample: Sample) -> None:
    found = compared(None, sample.unit)
    assert (found.before, len(found.regions), found.regions[0].number) == (None, 1, 1)
    assert (found.distance.difference, found.distance.changed) == (100, 1)
    assert {item.change for item in found.objects} == {"added"}
    assert {item.id for item in found.objects} == {item.id for item in sample.unit.objects}
    assert compared(sample.unit, None).distance == found.distance


def test_two_pages_that_are_not_there_cannot_be_compared() -> None:
    with pytest.raises(BadInput, match="nothing to compare"):
        compared(None, None)


def test_paper_that_grew_differs_only_where_it_is_new() -> None:
    before = page()
    wide = page(kind=UnitKind.SPREAD)
    found = compared(before, wide, scale=2)
    (region,) = found.regions
    assert region.rect.x >= 98_000
    assert found.distance.changed == pytest.approx(0.5, abs=0.01)
    assert found.distance.difference == pytest.approx(50, abs=1)
    assert not found.changed[:, :198].any()


def test_only_a_comparison_with_the_bleed_sees_what_is_cut_off() -> None:
    chapter = Chapter(id="ch_test1", comic="Test", paper=Paper(width=100_000, height=140_000, bleed=5_000))
    make = Maker()
    note = make.narration(
        -4, 20, 3, 30, "", stroke=make.narration(0, 0, 1, 1, "").stroke.model_copy(update={"width": 0})
    )
    with_it, without_it = page(note), page()
    trimmed = compare_units(without_it, with_it, chapter, chapter, pictures, scale=3)
    assert trimmed.alike
    told = trimmed.object(note.id)
    assert told is not None
    assert told.unseen is Unseen.OUTSIDE
    whole = compare_units(without_it, with_it, chapter, chapter, pictures, scale=3, bleed=True)
    assert whole.regions[0].rect.x < 0
    assert whole.objects[0].seen


def test_pictures_that_are_not_there_are_named(sample: Sample) -> None:
    after = changed(sample.unit, sample.image.id, asset="as_gone0")
    found = compared(sample.unit, after)
    assert found.missing == ("as_gone0",)
    told = found.object(sample.image.id)
    assert told is not None
    assert told.properties == ("asset",)
    assert told.seen


def test_the_background_of_a_page_is_its_own_change() -> None:
    found = compared(page(), page(background="#fdf6e3"))
    assert found.properties == ("background",)
    assert (found.objects, found.distance.changed) == ((), 1)
    clear = compared(page(background="#ffffff00"), page(background="#ffffff"))
    assert clear.distance.changed == 1
    assert clear.distance.difference > 50


# pictures


def test_what_is_gone_is_orange_and_striped_and_what_has_come_is_blue() -> None:
    make = Maker()
    box = make.narration(
        10, 10, 30, 20, "", stroke=make.narration(0, 0, 1, 1, "").stroke.model_copy(update={"width": 0})
    )
    before = page(box)
    after = changed(before, box.id, box=rect(55, 90, 30, 20))
    found = compared(before, after)
    shown = found.picture(numbered=False).pixels.astype(int)
    scale = found.shown.scale * 1_000
    left = shown[round(14 * scale) : round(26 * scale), round(14 * scale) : round(36 * scale)]
    came = shown[round(94 * scale) : round(106 * scale), round(60 * scale) : round(80 * scale)]
    beside = shown[round(60 * scale), round(50 * scale)]
    assert (left[..., 0] > left[..., 2] + 60).all()
    assert len(np.unique(left.reshape(-1, 4), axis=0)) > 1
    assert (came[..., 2] > came[..., 0] + 60).all()
    assert tuple(beside) == (255, 255, 255, 255)


def test_words_that_were_rewritten_are_orange_and_blue_on_their_own_ground(sample: Sample) -> None:
    found = compared(sample.unit, changed(sample.unit, sample.two.id, text="Never, no."), long_edge=900)
    x0, y0, x1, y1 = found.regions[0].pixels
    part = found.picture(numbered=False).pixels[y0:y1, x0:x1].astype(int)
    blue, orange = part[..., 2] > part[..., 0] + 40, part[..., 0] > part[..., 2] + 40
    assert blue.any()
    assert orange.any()
    assert not (blue | orange)[0].any()


def test_an_unchanged_page_is_only_faded(sample: Sample) -> None:
    shown = compared(sample.unit, sample.unit).picture().pixels
    assert (shown[..., 0] == shown[..., 2]).all()
    assert shown[..., 0].min() > 120


def test_numbers_are_drawn_over_the_regions_only_when_asked(sample: Sample) -> None:
    found = compared(sample.unit, without(sample.unit, sample.two.id))
    plain, numbered = found.picture(numbered=False).pixels, found.picture().pixels
    differing = np.argwhere((plain != numbered).any(axis=2))
    x0, _, x1, _ = found.regions[0].pixels
    assert len(differing)
    assert differing[:, 1].min() >= x0 - 4
    assert differing[:, 1].max() <= x1 + 4


def test_regions_stand_beside_each_other_drawn_anew(sample: Sample) -> None:
    after = changed(sample.unit, sample.image.id, asset="as_red00")
    after = changed(after, sample.two.id, text="No.")
    found = compared(sample.unit, after)
    whole = found.beside(edge=600)
    one = found.beside(found.regions[1:], edge=600)
    assert max(whole.width, whole.height) <= 600
    assert max(one.width, one.height) > 500
    red = (np.abs(whole.pixels[..., :3].astype(int) - (220, 30, 30)) < 12).all(axis=2)
    assert red[:, whole.width // 2 :].sum() > 3 * red[:, : whole.width // 2].sum() > 0


def test_nothing_stands_beside_itself(sample: Sample) -> None:
    with pytest.raises(BadInput, match="no region"):
        compared(sample.unit, sample.unit).beside()


def test_every_pair_of_pages_can_be_shown(sample: Sample) -> None:
    for before, after in ((None, sample.unit), (sample.unit, None), (page(), page(kind=UnitKind.SPREAD))):
        found = compared(before, after)
        assert found.picture().opaque
        assert found.beside(edge=300).opaque


def test_a_comparison_is_the_same_whenever_it_is_made(sample: Sample) -> None:
    after = changed(sample.unit, sample.one.id, text="Mine!")
    first, second = compared(sample.unit, after), compared(sample.unit, after)
    assert first.regions == second.regions
    assert first.objects == second.objects
    assert np.array_equal(first.picture().pixels, second.picture().pixels)


def test_samples_are_what_they_seem() -> None:
    assert {item.asset for item in Sample().unit.objects if isinstance(item, Image)} <= {*PICTURES}
