"""What a frame keeps, as it is read and told."""

from __future__ import annotations

from itertools import pairwise

from lantern_kit.comic.capabilities.compact import lines
from lantern_kit.comic.diff import diff
from lantern_kit.comic.handle import text_of
from lantern_kit.comic.words import describe
from tests.comic.operations import Desk, empty


def test_a_lock_is_told_in_both_languages_and_shown_where_the_page_is_read() -> None:
    desk = Desk(empty())
    unit = desk.one("unit.add")
    frame = desk.one("frame.add", unit, rect=[5, 5, 40, 40], keep="ratio")
    assert any(line.endswith("rect 5,5 40×40 keep ratio") for line in lines(desk.book.unit(unit), lambda _: ""))
    states = [desk.book]
    for keep in ("size", None):
        desk.one("frame.set", frame, keep=keep)
        states.append(desk.book)
    told = {
        language: [
            describe(diff(one, other), one, other, language=language)[0].sentences for one, other in pairwise(states)
        ]
        for language in ("en", "zh")
    }
    assert told["en"] == [("frame 1: keeps its size",), ("frame 1: may change its size and ratio",)]
    assert told["zh"] == [("画格1：锁定尺寸",), ("画格1：解除尺寸与比例锁定",)]


def test_a_frame_without_a_lock_is_written_as_it_always_was() -> None:
    desk = Desk(empty())
    frame = desk.one("frame.add", desk.one("unit.add"), rect=[5, 5, 40, 40])
    assert b"keep" not in text_of(desk.get(frame))
