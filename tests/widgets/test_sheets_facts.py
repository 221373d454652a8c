"""What is told of an object, in both languages."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.assets import SourceType
from lantern_kit.comic.found import finding_words
from lantern_kit.comic.model import OBJECT_TYPES, EffectType, UnitKind
from lantern_kit.comic.phrases import LANGUAGES
from lantern_kit.widgets.sheets.fact_words import words
from tests.widgets.asking import told
from tests.widgets.laid import Laid
from tests.widgets.reviewing import Studio, studio


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


def rows(here: Studio, thing: str, *, page: int = 0, language: str = "en", source: str = "head") -> dict[str, str]:
    panel = Laid(here.ws, here.chapter.id)
    return dict(told(panel, "facts", language, source=source, unit=here.page(page), object=thing)["rows"])


def of_kind(here: Studio, kind: str, page: int = 0) -> Any:
    return next(item for item in here.chapter.book.unit(here.page(page)).objects if item.kind == kind)


def test_a_balloons_facts_in_english(here: Studio) -> None:
    facts = rows(here, here.balloon().id)
    assert facts["Kind"] == "Balloon"
    assert facts["Name"] == "balloon 1"
    assert facts["Words"] == "Is that… mine?"
    assert facts["Speaker"] == "Chelsea"
    assert facts["Size"].endswith(" mm")
    assert facts["Lettering"].startswith("dialogue, ")
    assert facts["Last changed"].startswith("mina, r2, 20")


def test_a_balloons_facts_in_chinese(here: Studio) -> None:
    facts = rows(here, here.balloon().id, language="zh")
    assert facts["种类"] == "气泡"
    assert facts["名称"] == "气泡1"
    assert facts["文字"] == "Is that… mine?"
    assert facts["大小"].endswith(" 毫米")
    assert facts["最后修改"].startswith("mina，r2，")


def test_a_pictures_facts_say_where_it_is_from_and_how_fine_it_is(here: Studio) -> None:
    facts = rows(here, of_kind(here, "image").id)
    assert facts["Name"] == "picture “Chelsea” in frame 1"
    assert facts["Picture"] == "Chelsea"
    assert facts["Licence"] == "CC0-1.0"
    assert facts["Made as"] == "photograph"
    assert facts["Pixels"] == "451 × 300"
    assert facts["Resolution here"].endswith(" dpi")
    assert int(facts["Resolution here"].split()[0]) > 100


def test_a_frames_facts_have_its_place_with_its_bleed(here: Studio) -> None:
    frame = of_kind(here, "frame", 1)
    with here.chapter.edit("to the edge") as edit:
        edit[frame.id].reshape(rect=(0, 0, 105, 60))
        edit[frame.id].set(bleed=["left", "top"], border={"width": 0})
    facts = rows(here, frame.id, page=1)
    assert (facts["Place"], facts["Size"]) == ("-3, -3 mm", "108 × 63 mm")
    assert (facts["Border"], facts["Bleeds at"]) == ("none", "left, top")


def test_what_a_frame_is_to_show_and_what_is_marked_is_told_with_names(here: Studio) -> None:
    mira = here.ws.library.keep("character", name="Mira", looks=[{"name": "coat"}])
    attic = here.ws.library.keep("scene", name="Attic")
    frame, image = of_kind(here, "frame"), of_kind(here, "image")
    with here.chapter.edit("what it shows") as edit:
        light = {"angle": 50, "kind": "lamp"}
        edit[frame.id].stage(
            description="She looks up.", scene=attic.id, light=light, cast=[{"who": "Mira", "look": "coat"}]
        )
        face = {"kind": "face", "area": (0.3, 0.2, 0.7, 0.6), "who": mira.id}
        edit[image.id].mark(face, {**face, "kind": "focus"})
    facts = rows(here, frame.id)
    assert (facts["To show"], facts["Scene"]) == ("She looks up.", "Attic")
    assert (facts["Light"], facts["Seen"]) == ("lamp from the upper right", "Mira as coat")
    assert rows(here, image.id)["Marked"] == "a face and a focus"
    chinese = rows(here, frame.id, language="zh")
    assert (chinese["光线"], chinese["人物与道具"]) == ("lamp 自右上方", "Mira（coat）")


def test_findings_of_that_object_are_told_and_no_others(here: Studio) -> None:
    with here.chapter.edit("too much to say") as edit:
        edit[here.balloon(2).id].set(text="moon " * 200)
        edit[here.page(2)].say("me too " * 200, at=(50, 100), size=(20, 10))
    thing = here.balloon(2).id
    unit = here.chapter.book.unit(here.page(2))
    checked = [found for found in here.ws.checker.check(unit, here.chapter.book.chapter) if found.object == thing]
    panel = Laid(here.ws, here.chapter.id)
    for language in LANGUAGES:
        found = told(panel, "facts", language, unit=unit.id, object=thing)["rows"]
        told_of = [value for label, value in found if label in ("Finding (warning)", "检查（警告）")]
        assert told_of == [finding_words(item, language) for item in checked]
        assert len(told_of) == 2
    assert rows(here, here.page(2), page=2)["Findings"] == "4"
    assert "Finding (warning)" not in rows(here, of_kind(here, "frame", 2).id, page=2)


def test_a_lock_is_told_with_its_reason(here: Studio) -> None:
    here.chapter.lock(here.page(), "done with it")
    assert rows(here, here.balloon().id)["Lock"] == "locked by mina: done with it"
    assert rows(here, here.page(), language="zh")["锁定"] == "已由 mina 锁定：done with it"


def test_who_changed_it_last_is_told_as_of_the_revision_that_is_looked_at(here: Studio) -> None:
    first = here.chapter.moment.id
    proposal, _ = here.proposed()
    drafted = f"r{proposal.frozen}"
    assert rows(here, here.balloon().id, source=drafted)["Last changed"].startswith("claude-code, ")
    with here.ws.reviewer() as me:
        held = here.ws.proposals[proposal.id]
        held.look()
        held.apply(me)
    after = rows(here, here.balloon().id)["Last changed"]
    assert after.startswith(f"claude-code in {proposal.id}, applied by mina, ")
    assert here.chapter.moment.id in after
    assert rows(here, here.balloon().id, language="zh")["最后修改"].startswith(
        f"claude-code（{proposal.id}，由 mina 批准），"
    )
    assert rows(here, here.balloon().id, source=first)["Last changed"].startswith("mina, r2, ")


def test_a_units_own_facts(here: Studio) -> None:
    facts = rows(here, here.page())
    assert facts["Kind"] == "Page"
    assert facts["Name"] == "Page 1 “One”"
    assert facts["Trim"] == "105 × 148 mm"
    assert facts["Objects"] == "4"
    here.say("Other words.")
    assert here.chapter.moment.id in rows(here, here.page())["Last changed"], "what lies on it counts"
    assert here.chapter.moment.id not in rows(here, here.page(1), page=1)["Last changed"]


def test_marked_words_shapes_joins_and_screens_are_told(here: Studio) -> None:
    with here.chapter.edit("marks") as edit:
        page = edit[here.page(1)]
        one = page.say("{三毛猫|みけねこ}は[上]{.bold}へ", at=(30, 30), style={"writing": "vertical"}, shape="cloud")
        two = page.say("So", at=(50, 30), joined=one)
        bang = page.letter("BANG", at=(50, 100), arc=40)
        tone = edit[of_kind(here, "frame", 1).id].effect("tone", lpi=50, screen="lines")
    facts = rows(here, one.id, page=1)
    assert (facts["Words"], facts["Ruby"]) == ("三毛猫は上へ", "三毛猫 みけねこ")
    assert (facts["Writing"], facts["Shape"]) == ("in columns", "cloud")
    name = rows(here, one.id, page=1)["Name"]
    assert rows(here, two.id, page=1)["Joined to"] == name
    assert rows(here, bang.id, page=1)["Arc"] == "40°"
    assert rows(here, tone.id, page=1)["Screen"] == "lines, 50 lines an inch"
    chinese = rows(here, one.id, page=1, language="zh")
    assert (chinese["注音"], chinese["排版方向"], chinese["形状"]) == ("三毛猫 みけねこ", "竖排", "云朵")
    assert "相连气泡" in rows(here, two.id, page=1, language="zh")


def test_every_kind_of_object_has_facts_in_every_language(here: Studio) -> None:
    with here.chapter.edit("one of each") as edit:
        page = edit[here.page(1)]
        frame = edit[of_kind(here, "frame", 1).id]
        cat = here.ws.assets.find()[0]
        frame.place(cat, opacity=0.5)
        for kind in EffectType:
            frame.effect(kind.value)
        page.overlay(cat, box=(10, 10, 30, 20))
        page.narrate("Later.", at=(50, 120), size=(40, 12))
        page.letter("FWOOM", at=(50, 100), rotate=5)
    for language in LANGUAGES:
        for item in here.chapter.book.unit(here.page(1)).objects:
            facts = rows(here, item.id, page=1, language=language)
            assert all(facts.values())
            if item.kind == "image":
                assert facts["Opacity" if language == "en" else "不透明度"] == "50%"


def test_every_kind_and_every_way_that_pictures_come_to_be_has_its_words() -> None:
    known = words()
    assert {f"unit.{kind.value}" for kind in UnitKind} <= known.keys()
    assert {f"object.{kind}" for kind in OBJECT_TYPES} - {"object.effect"} <= known.keys()
    assert {f"effect.{kind.value}" for kind in EffectType} <= known.keys()
    assert {f"made.{way.value}" for way in SourceType} - {"made.unknown"} <= known.keys()


def test_every_phrase_has_the_same_blanks_in_every_language() -> None:
    for key, texts in words().items():
        assert len(texts) == len(LANGUAGES)
        assert all(texts), key
        blanks = [{name for _, name, _, _ in string.Formatter().parse(text) if name} for text in texts]
        assert blanks[0] == blanks[1], key
