from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given, settings

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit import apply_changeset
from lantern_kit.comic.phrases import LANGUAGES, Language, phrases
from lantern_kit.comic.words import describe, unit_titles
from lantern_kit.kernel.errors import LanternError
from tests.comic.operations import CAT, CAT_TOY, CUT, INK, MIRA, MOON, ROOM, Desk, empty, random_operation, world
from tests.comic.strategies import Ids, books, stepped

TITLES = {CAT: "Chelsea", MOON: "Moon"}


def told(before: Book, after: Book, language: Language = "en") -> dict[str, list[str]]:
    found = describe(diff(before, after), before, after, language=language, titles=lambda a: TITLES.get(a, a))
    return {section.title: list(section.sentences) for section in found}


def desk_with_frame() -> tuple[Desk, str, str]:
    desk = Desk()
    unit = desk.one("unit.add")
    return desk, unit, desk.one("frame.add", unit, rect=[10, 10, 80, 60])


def test_the_walkthroughs_page_one_reads_as_promised() -> None:
    desk, _, frame = desk_with_frame()
    before = desk.book
    desk.do(
        {"op": "frame.cut", "target": frame, "as": "row", "args": {"line": [[50, 0], [52, 100]], "gutter": 4}},
        {"op": "image.place", "target": "@row.1", "args": {"asset": CAT}},
        {
            "op": "balloon.add",
            "target": "@row.2",
            "args": {"text": "Is that… mine?", "speaker": "Chelsea", "at": [70, 28], "tail": [60, 40]},
        },
    )
    assert told(before, desk.book) == {
        "Page 1": [
            "frame 1 cut in two (gutter 4 mm)",
            "picture “Chelsea” placed in frame 1, cover",
            "balloon 1 added, Chelsea: “Is that… mine?”",
        ]
    }
    assert told(before, desk.book, "zh") == {
        "第 1 页": [
            "画格1一分为二（格间距 4 毫米）",
            "图片“Chelsea”放入画格1，铺满",
            "新增气泡1，Chelsea：“Is that… mine?”",
        ]
    }


def test_changes_of_one_object_make_one_sentence() -> None:
    desk, _, frame = desk_with_frame()
    words = desk.one("balloon.add", frame, text="Up.", rect=[20, 20, 20, 20], tail=[30, 60])
    image = desk.one("image.place", frame, asset=CAT)
    before = desk.book
    desk.one("balloon.set", words, text="Down.", at=[35, 30], speaker="Moon", style={"size": 3.2, "bold": True})
    desk.one("balloon.tail", words, tip=[44, 60])
    desk.one("frame.set", frame, border={"width": 0.8, "dash": [1]}, background=None, bleed=["left"], name="top")
    desk.one("image.adjust", image, scale=1.4, dx=2, fit="contain", opacity=0.5)
    desk.one("image.replace", image, asset=MOON)
    assert told(before, desk.book) == {
        "Page 1": [
            (
                "frame 1: named “top”, border 0.5 mm #000000 → 0.8 mm #000000 dashed, background #ffffff → none, "
                "bleeds at left"
            ),
            (
                "balloon 1: moved 5 mm right, “Up.” → “Down.”, size 2.8 → 3.2 mm, style: bold, "
                "tail turned to 44, 60 mm, speaker nobody → Moon"
            ),
            (
                "picture “Moon” in frame 1 “top”: picture Chelsea → Moon, fit cover → contain, scale 1 → 1.4, "
                "moved 2 mm right, opacity 1 → 0.5"
            ),
        ]
    }


def test_changed_words_are_quoted_plainly_and_with_their_marks_where_those_changed() -> None:
    desk, _, frame = desk_with_frame()
    words = desk.one("balloon.add", frame, text="三毛猫が[上]{.bold}へ", at=[50, 30])
    marked = (
        "[上]{.bold}へ",
        "{三毛猫|みけ}が[上]{.bold}へ",
        "{三毛猫|みけねこ}が[上]{.bold}へ",
        "{三毛猫|みけねこ}が[上]{.dots}へ",
    )
    for text, english, chinese in (
        ("[上]{.bold}へ", "“三毛猫が上へ” → “上へ”", "“三毛猫が上へ”→“上へ”"),
        (marked[1], f"“{marked[0]}” → “{marked[1]}”", f"“{marked[0]}”→“{marked[1]}”"),
        (
            marked[2],
            f"ruby in its words changed: “{marked[1]}” → “{marked[2]}”",
            f"注音已改：“{marked[1]}”→“{marked[2]}”",
        ),
        (
            marked[3],
            f"the marks in its words changed: “{marked[2]}” → “{marked[3]}”",
            f"文字标记已改：“{marked[2]}”→“{marked[3]}”",
        ),
        ("{三毛猫|みけねこ}が[下]{.dots}へ", "“三毛猫が上へ” → “三毛猫が下へ”", "“三毛猫が上へ”→“三毛猫が下へ”"),
    ):
        before = desk.book
        desk.one("balloon.set", words, text=text)
        assert told(before, desk.book) == {"Page 1": [f"balloon 1: {english}"]}
        assert told(before, desk.book, "zh") == {"第 1 页": [f"气泡1：{chinese}"]}
    before = desk.book
    desk.one("object.remove", words)
    assert told(before, desk.book) == {"Page 1": ["balloon 1 removed, “三毛猫が下へ”"]}


def test_of_long_words_the_part_that_changed_is_quoted() -> None:
    desk, _, frame = desk_with_frame()
    long = "と言った。" * 40
    words = desk.one("balloon.add", frame, text=long + "{本当|ほんと}", at=[50, 30])
    before = desk.book
    desk.one("balloon.set", words, text=long + "{本当|ほんとう}")
    ((sentence,),) = told(before, desk.book).values()
    assert sentence.startswith("balloon 1: ruby in its words changed: “…")
    assert "{本当|ほんと}” → “…" in sentence
    assert "{本当|ほんとう}”" in sentence


def test_outlines_joins_and_how_words_are_set_are_told() -> None:
    desk, _, frame = desk_with_frame()
    one = desk.one("balloon.add", frame, text="One", at=[30, 30], style={"leading": 1.2})
    two = desk.one("balloon.add", frame, text="Two", at=[60, 30])
    tone = desk.one("effect.add", frame, effect="tone")
    before = desk.book
    desk.one("balloon.set", two, joined=one, outline={"rect": [50, 20, 20, 20]}, rect=[50, 20, 20, 20])
    desk.one("balloon.set", one, shape="burst", style={"writing": "vertical", "leading": None, "tracking": 0.1})
    desk.one("effect.set", tone, screen="grain")
    desk.one("effect.set", tone, effect="vignette")
    (sentences,) = told(before, desk.book).values()
    assert sentences[0] == (
        "balloon 1: leading 1.2 → by the script, letter spacing 0 → 0.1 em, set in columns, shape ellipse → burst"
    )
    assert sentences[1].endswith("shape ellipse → free outline, joined to balloon 1")
    assert sentences[2] == "vignette in frame 1: screen dots → grain, kind changed"
    (chinese,) = told(before, desk.book, "zh").values()
    assert chinese[0] == "气泡1：行距 1.2 → 按文字种类，字距 0 → 0.1 em，改为竖排，形状 椭圆 → 爆炸"
    before = desk.book
    desk.one("balloon.set", two, outline={"rect": [50, 20, 20, 30]}, rect=[50, 20, 20, 20], joined="")
    assert told(before, desk.book) == {"Page 1": ["balloon 2: outline redrawn, no longer joined to another balloon"]}


def test_frames_are_widened_moved_and_redrawn() -> None:
    desk = Desk()
    unit = desk.one("unit.add", kind="spread", gutter=6)
    frame = desk.one("frame.add", unit, rect=[60, 10, 40, 60])
    for args, sentence in (
        ({"rect": [60, 10, 62, 60]}, "frame 1: widened 22 mm, across the gutter"),
        ({"rect": [60, 12, 62, 60]}, "frame 1: moved 2 mm down, across the gutter"),
        ({"rect": [70, 12, 30, 70]}, "frame 1: 62 × 60 → 30 × 70 mm, moved 10 mm right"),
        ({"rect": [70, 12, 30, 60]}, "frame 1: made 10 mm lower"),
        ({"polygon": [[70, 12], [100, 12], [100, 72]]}, "frame 1: outline redrawn"),
    ):
        before = desk.book
        desk.one("frame.reshape", frame, **args)
        assert told(before, desk.book) == {"Pages 1–2 (spread)": [sentence]}


def test_removals_are_told_with_what_went_along() -> None:
    desk, _, frame = desk_with_frame()
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("foreground.bind", image, asset=CUT)
    words = desk.one("balloon.add", frame, text="Up.", at=[30, 30])
    desk.one("balloon.add", frame, text="Down.", at=[60, 30])
    before = desk.book
    desk.one("object.remove", words)
    desk.one("foreground.unbind", image)
    assert told(before, desk.book) == {"Page 1": ["breakout of “Chelsea” unbound", "balloon 1 removed, “Up.”"]}
    before = desk.book
    desk.one("frame.remove", frame)
    assert told(before, desk.book) == {"Page 1": ["frame 1 removed with a balloon and a picture"]}


def test_pages_and_the_chapter_have_titles_and_sentences() -> None:
    desk, first, _ = desk_with_frame()
    before = desk.book
    desk.one("unit.add", kind="cover", before=first)
    desk.one("unit.add", kind="spread", name="Moonrise")
    desk.one("unit.add")
    desk.one("chapter.set", title="Up", direction="rtl")
    desk.one("paper.set", bleed=4, dpi=300, binding="right")
    assert told(before, desk.book) == {
        "Chapter": [
            "title none → “Up”",
            "reading direction left to right → right to left",
            "paper: bleed 3 → 4 mm, 600 → 300 dpi, bound at the right",
        ],
        "Cover": ["cover added"],
        "Pages 2–3 (spread) “Moonrise”": ["spread added"],
        "Page 4": ["page added"],
    }
    assert list(unit_titles(desk.book).values()) == ["Cover", "Page 1", "Pages 2–3 (spread) “Moonrise”", "Page 4"]
    before = desk.book
    desk.one("unit.move", first, to="last")
    desk.one("unit.set", first, name="End", background="#000000")
    assert told(before, desk.book) == {
        "Chapter": ["order of pages changed"],
        "Page 4 “End”": ["name none → “End”", "paper colour #ffffff → #000000"],
    }
    before = desk.book
    desk.one("unit.remove", first)
    assert told(before, desk.book) == {"Page 4 “End”, removed": ["page removed with everything on it"]}


def test_what_went_to_another_page_is_told_on_both() -> None:
    desk, first, _ = desk_with_frame()
    second = desk.one("unit.add")
    desk.one("text.add", second, text="BANG", at=[40, 60])
    before = desk.book
    desk.one("spread.join", first, gutter=5, **{"with": second})
    assert told(before, desk.book) == {
        "Pages 1–2 (spread)": [
            "made a spread (was a page)",
            "gutter 0 → 5 mm",
            "a lettering came from Page 2",
        ],
        "Page 2, removed": ["page removed", "a lettering went to Pages 1–2 (spread)"],
    }


def test_orders_are_told_only_when_they_turned() -> None:
    desk, unit, one = desk_with_frame()
    two = desk.one("frame.add", unit, rect=[10, 80, 80, 50])
    before = desk.book
    desk.one("reading.set", unit, order=[two, one])
    desk.one("object.order", one, to="front")
    assert told(before, desk.book) == {"Page 1": ["drawing order changed", "reading order changed"]}


def test_long_and_broken_texts_are_quoted_on_one_line() -> None:
    desk, _, frame = desk_with_frame()
    before = desk.book
    desk.one("balloon.add", frame, text="One\ntwo " + "x" * 100, at=[30, 30])
    (sentence,) = told(before, desk.book)["Page 1"]
    assert sentence.startswith("balloon 1 added, “One / two xxx")
    assert sentence.endswith("…”")
    assert len(sentence) < 110


def test_nothing_changed_is_nothing_said() -> None:
    desk, _, _ = desk_with_frame()
    assert describe((), desk.book, desk.book) == []


def test_every_phrase_has_the_same_blanks_in_every_language() -> None:
    def blanks(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for key, texts in phrases().items():
        assert len(texts) == len(LANGUAGES), key
        assert all(texts), key
        if key != "unit.kind" and key != "paper.binding":
            assert blanks(texts[0]) == blanks(texts[1]), key


@pytest.mark.parametrize("language", LANGUAGES)
@given(seeded=books())
@settings(max_examples=60, deadline=None)
def test_whatever_changed_can_be_told(language: Language, seeded: tuple[Book, random.Random, Ids]) -> None:
    before, rng, ids = seeded
    after = before
    for _ in range(rng.randint(1, 8)):
        if rng.random() < 0.3:
            after = stepped(after, rng, ids, 1)
            continue
        try:
            after = apply_changeset(after, [random_operation(after, rng)], world(ids)).book
        except LanternError:
            continue
    rows = diff(before, after)
    sections = describe(rows, before, after, language=language)
    changed = {row.unit for row in rows if row.property not in {"units", "objects", "reading", "surfaces"}}
    assert {section.unit for section in sections} >= changed
    for section in sections:
        assert section.sentences
        for sentence in section.sentences:
            assert sentence
            assert not sentence.endswith((".", "。"))
            assert not re.search(r"\{[a-z_]+\}", sentence)  # a place in a phrase that nothing was put into
            assert "\n" not in sentence


def test_a_chinese_chapter_is_told_in_chinese() -> None:
    desk = Desk(empty(direction="rtl", language="zh-Hans"))
    before = desk.book
    unit = desk.one("unit.add", name="开篇")
    frame = desk.one("frame.add", unit, rect=[10, 10, 80, 60])
    desk.one("effect.add", frame, effect="focus")
    assert told(before, desk.book, "zh") == {
        "第 1 页“开篇”": ["新增普通页", "新增画格1，80 × 60 毫米", "为画格1添加集中线"]
    }


def test_what_frames_show_and_what_is_marked_is_told_with_names() -> None:
    desk, page, frame = _staged()
    called = {MIRA: "Mira", CAT_TOY: "the toy mouse", ROOM: "Attic", INK: "Ink"}
    image = desk.one("image.place", frame, asset=CAT)
    before = desk.book
    desk.one("chapter.set", styles=[INK])
    desk.one(
        "frame.set",
        frame,
        description="Mira looks down.",
        scene=ROOM,
        light={"angle": 320, "kind": "lamp"},
        cast=[{"who": MIRA, "look": "coat"}, {"who": CAT_TOY}],
    )
    desk.one(
        "image.mark", image, marks=[{"kind": kind, "area": [0, 0, 0.5, 0.5]} for kind in ("face", "face", "focus")]
    )
    told = describe(diff(before, desk.book), before, desk.book, titles=lambda name: called.get(name, name))
    said, light = "“Mira looks up.” → “Mira looks down.”", "none → lamp from the upper left"
    assert [part.sentences for part in told] == [
        ("keeps to the style Ink",),
        (
            f"frame 1: to show {said}, set in Attic, light {light}, now with the toy mouse, Mira as coat (was usual)",
            f"picture “{CAT}” in frame 1: marked: 2 faces and a focus",
        ),
    ]
    chinese = describe(
        diff(before, desk.book), before, desk.book, language="zh", titles=lambda name: called.get(name, name)
    )
    assert "加入the toy mouse，Mira的造型 平常 → coat" in chinese[1].sentences[0]
    assert "光线 无 → lamp 自左上方" in chinese[1].sentences[0]
    assert chinese[1].sentences[1].endswith("标记：2 张脸和1 个视觉焦点")
    back = describe(diff(desk.book, before), desk.book, before, titles=lambda name: called.get(name, name))
    assert "in no scene" in back[1].sentences[0]
    assert "without the toy mouse" in back[1].sentences[0]
    assert "Mira as usual (was coat)" in back[1].sentences[0]
    assert back[1].sentences[1].endswith("no longer marked")
    assert page


def _staged() -> tuple[Desk, str, str]:
    desk = Desk()
    page = desk.one("unit.add")
    args = {"description": "Mira looks up.", "cast": [{"who": MIRA}]}
    return desk, page, desk.one("frame.add", page, rect=[10, 10, 80, 60], **args)
