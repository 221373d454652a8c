"""Lengths: what is aimed at adds up, and stays within what is allowed; configurations that cannot be are refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel.count import count
from lantern_kit.novel.edit.begin import begin
from lantern_kit.novel.edit.outline import overlay
from lantern_kit.novel.edit.overlay import named
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.length import left, planned, unit_room
from lantern_kit.novel.model import MILLION, Config, Shares, Target, Unbounded
from lantern_kit.novel.sent import sent
from lantern_kit.novel.whole import Novel, changed
from tests.novel.stage import CONFIG, config, outline

_PLANNED = begin("T", CONFIG, (), "Write.", "m", Stamp(0, "Ann", SeededIds(3)))
_TEMPLATE = next(iter(overlay(_PLANNED, outline(1), named(outline(1), SeededIds(4))).chapters.values()))


def outlined(lengths: list[int], configured: Config) -> Novel:
    """A novel with chapters of some planned lengths; nothing is written."""
    names = [f"cp_{number:04}" for number in range(len(lengths))]
    chapters = {
        name: changed(_TEMPLATE, id=name, characters=length) for name, length in zip(names, lengths, strict=True)
    }
    return replace(_PLANNED, config=configured, chapters=chapters)


@settings(max_examples=60)
@given(
    st.lists(st.one_of(st.just(0), st.integers(1, 50_000)), min_size=1, max_size=12),
    st.integers(50, 200_000),
    st.integers(0, MILLION),
)
def test_what_chapters_are_to_have_adds_up_to_the_length_and_follows_their_plan(
    lengths: list[int], characters: int, ending: int
) -> None:
    target = Target(kind="target", characters=characters, tolerance=0, hard_maximum=None)
    shares = Shares(ending=ending, low=600_000, high=1_500_000)
    novel = outlined(lengths, config(length=target, shares=shares, unit_maximum=100_000))
    parts = [planned(novel, chapter) for chapter in novel.chapters.values()]
    assert min(parts) >= 1
    assert characters - len(parts) <= sum(parts) <= characters + len(parts)
    by_plan = sorted((length, part) for length, part in zip(lengths, parts, strict=True) if length)
    assert all(earlier[1] <= later[1] for earlier, later in pairwise(by_plan))


def test_the_last_chapter_keeps_the_ending_s_share_where_no_plan_says_otherwise() -> None:
    shares = Shares(ending=400_000, low=600_000, high=1_500_000)
    novel = outlined([0, 0, 0, 0], config(length=length(10_000), shares=shares))
    assert [planned(novel, chapter) for chapter in novel.chapters.values()] == [2_000, 2_000, 2_000, 4_000]


def length(characters: int, hard: int | None = None) -> Target:
    return Target(kind="target", characters=characters, tolerance=100_000, hard_maximum=hard)


@settings(max_examples=60)
@given(st.integers(50, 100_000), st.integers(0, 120_000), st.integers(50, 5_000), st.booleans())
def test_a_unit_is_never_to_be_longer_than_one_may_be_or_than_the_hard_maximum_leaves(
    characters: int, written: int, most: int, hard: bool
) -> None:
    novel = outlined([0, 700], config(length=length(characters, characters + 10 if hard else None), unit_maximum=most))
    novel = novel.with_head(characters=written)
    room = unit_room(novel, next(iter(novel.chapters.values())))
    assert 0 <= room.low <= room.high <= most
    assert room.high >= 1
    rest = left(novel)
    assert rest is not None
    assert (room.hard is None) == (not hard)
    if rest.hard:
        assert room.high <= rest.hard


def test_bounds_of_a_target_are_whole_characters_within_its_tolerance() -> None:
    target = Target(kind="target", characters=1_001, tolerance=100_000, hard_maximum=1_050)
    assert (target.low, target.high) == (901, 1_050)


def test_a_novel_without_a_length_has_none_left_and_plans_by_its_scenes() -> None:
    novel = outlined([0, 500], config(length=Unbounded(kind="unbounded")))
    first, second = novel.chapters.values()
    assert left(novel) is None
    assert planned(novel, first) == planned(novel, changed(first, scenes=first.scenes[:1])) * 2
    assert planned(novel, second) == 500


def test_configurations_that_no_run_could_meet_are_refused_in_words() -> None:
    usual = CONFIG.model_dump(mode="json")
    target = {"kind": "target", "characters": 100, "tolerance": 0, "hard_maximum": None}
    wrong: list[dict[str, Any]] = [
        {"language": ""},
        {"language": "en\x00"},
        {"language": "not a tag"},
        {"genre": "a\nb"},
        {"style": "\ud800"},
        {"approval": "perhaps"},
        {"length": {**target, "characters": -1}},
        {"length": {**target, "tolerance": 1_000_000}},
        {"length": {**target, "hard_maximum": 99}},
        {"length": {"kind": "endless"}},
        {"chapters": 3, "length": target},
        {"chapters": 400, "limits": {**usual["limits"], "turns": 801}},
        {"length": {**target, "characters": 20_000_000}, "unit_maximum": 50},
        {"count_policy": 2},
        {"shares": {**usual["shares"], "high": 5}},
        {"limits": {**usual["limits"], "minutes": 0}},
        {"speed": "fast"},
    ]
    for facts in wrong:
        with pytest.raises(BadInput):
            sent(Config, {**usual, **facts})
    assert sent(Config, usual) == CONFIG


def test_the_same_prose_counts_the_same_however_it_is_composed() -> None:
    assert count("cafe\u0301", policy=1) == count("café", policy=1)
    assert count("灯 1，b！\u3000…", policy=1).effective == 3
