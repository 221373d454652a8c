"""Overlays: what is not sent stays whole, what has prose stays where it is, and nothing goes but what is named."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.kernel.errors import BadInput, LanternError, NotFound
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel.content import Content
from lantern_kit.novel.edit.begin import begin
from lantern_kit.novel.edit.outline import overlay
from lantern_kit.novel.edit.overlay import named
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.errors import NovelRevisionConflict, NovelStaleUnit
from lantern_kit.novel.model import Chapter, ChapterState, ForeshadowState, Scene, SceneState
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.sent import sent
from lantern_kit.novel.whole import Novel, changed
from tests.novel.stage import CONFIG, Stage, content, outline, stage, text


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    stood = stage(tmp_path / "ws")
    stood.plan(outline(chapters=3))
    return stood


def revised(made: Stage, plan: dict[str, Any], words: str = "Otherwise.") -> Novel:
    """The outline after a revision for an instruction, or as it was if that was refused."""
    made.instruct(words, message=f"again{made.novel.head.received}")
    return made.plan(sent(Plan, plan))


def refused(made: Stage, plan: dict[str, Any], error: type[LanternError] = BadInput) -> None:
    before = made.novel
    with pytest.raises(error):
        made.desk.revise_outline(sent(Plan, plan), made.settle(), "so", before.head.outline_revision)
    assert made.novel == before


def test_a_chapter_that_is_sent_alone_leaves_all_others_as_they_were(made: Stage) -> None:
    before = made.novel
    after = revised(made, {"chapters": [{"id": made.made["c2"], "title": "The Pier"}]})
    assert list(after.chapters) == list(before.chapters)
    for name, chapter in after.chapters.items():
        old = before.chapters[name]
        assert chapter == (changed(old, title="The Pier") if name == made.made["c2"] else old)
    assert (after.people, after.foreshadows, after.story) == (before.people, before.foreshadows, before.story)


def test_each_revision_tells_why_for_which_instructions_and_what_it_changed(made: Stage) -> None:
    told = made.instruct()
    after = made.plan(sent(Plan, {"chapters": [{"as": "more", "title": "More", "purpose": "p", "events": ["e"]}]}))
    revision = list(after.plans.values())[-1]
    assert (revision.number, revision.instructions) == (2, (told.id,))
    assert revision.chapters == (made.made["more"],)
    assert revision.changed == ("1 chapter added",)


def test_what_has_prose_is_neither_dropped_nor_moved_nor_planned_anew(made: Stage) -> None:
    commit = made.write()
    scene, chapter = made.made["s1_1"], made.made["c1"]
    made.instruct()
    made.next()
    one = {"id": chapter}
    refused(made, {"dropped_chapters": [chapter]})
    refused(made, {"chapters": [{**one, "after": made.made["c2"]}]})
    refused(made, {"chapters": [{**one, "dropped_scenes": [scene]}]})
    refused(made, {"chapters": [{**one, "scenes": [{"id": scene, "goal": "other"}]}]})
    refused(made, {"chapters": [{**one, "scenes": [{"id": scene, "after": made.made["s1_2"]}]}]})
    refused(made, {"chapters": [{**one, "scenes": [{"as": "x", "goal": "g", "after": ""}]}]})
    refused(made, {"chapters": [{"id": made.made["c2"], "after": ""}]})
    refused(made, {"dropped_people": [made.made["mira"]]})
    assert list(made.novel.commits) == [commit.id]
    made.desk.revise_outline(
        sent(Plan, {"chapters": [{**one, "title": "Night", "scenes": [{"as": "x", "goal": "g", "after": scene}]}]}),
        made.settle(),
        "more",
        1,
    )
    assert [item.goal for item in made.novel.chapter(chapter).scenes] == ["goal 1.1", "g", "goal 1.2"]


def test_where_a_scene_under_way_goes_on_is_said_by_its_prose_alone(made: Stage) -> None:
    made.write(done=False)
    made.instruct()
    made.next()
    scene = {"id": made.made["s1_1"]}
    refused(made, {"chapters": [{"id": made.made["c1"], "scenes": [{**scene, "anchor": "elsewhere"}]}]})
    refused(made, {"chapters": [{"id": made.made["c1"], "dropped_scenes": [made.made["s1_1"]]}]})


def test_a_completed_chapter_changes_in_nothing_but_its_title(made: Stage) -> None:
    made.write()
    made.write()
    made.complete()
    made.instruct()
    made.next()
    for facts in ({"purpose": "p"}, {"characters": 5}, {"scenes": [{"as": "x", "goal": "g"}]}):
        refused(made, {"chapters": [{"id": made.made["c1"], **facts}]})
    before = made.novel.head.content_revision
    titled = sent(Plan, {"chapters": [{"id": made.made["c1"], "title": "Begun"}]})
    made.desk.revise_outline(titled, made.settle(), "so", 1)
    assert made.novel.chapter(made.made["c1"]).title == "Begun"
    assert made.novel.head.content_revision == before + 1


def test_what_a_plan_cannot_mean_is_refused_whole(made: Stage) -> None:
    made.instruct()
    made.next()
    c1, c2, mira = made.made["c1"], made.made["c2"], made.made["mira"]
    new = {"title": "T", "purpose": "p", "events": ["e"]}
    wrong: list[dict[str, Any]] = [
        {"chapters": [{"id": c1, "as": "x"}]},
        {"chapters": [{"title": "no name at all"}]},
        {"chapters": [{"as": "x", "title": "only a title"}]},
        {"chapters": [{"as": "x", **new}, {"as": "x", **new}]},
        {"chapters": [{"id": c1, "title": "a"}, {"id": c1, "title": "b"}]},
        {"chapters": [{"id": c2, "title": "a"}], "dropped_chapters": [c2]},
        {"chapters": [{"id": c1, "purpose": ""}]},
        {"chapters": [{"id": c1, "events": []}]},
        {"chapters": [{"id": c1, "scenes": [{"id": made.made["s1_1"], "goal": ""}]}]},
        {"dropped_chapters": [made.made["c3"]]},
        {"people": [{"id": mira, "role": "x"}], "dropped_people": [mira]},
        {"dropped_people": [mira]},
        {"story": {"ending": ""}},
    ]
    for plan in wrong:
        refused(made, plan)
    unknown: list[dict[str, Any]] = [
        {"chapters": [{"id": "cp_0000", "title": "x"}]},
        {"chapters": [{"id": c1, "scenes": [{"id": made.made["s2_1"], "goal": "of another chapter"}]}]},
        {"chapters": [{"id": c1, "after": "cp_0000"}]},
        {"chapters": [{"id": c1, "people": ["@nobody"]}]},
        {"chapters": [{"id": c1, "dropped_scenes": ["sc_0000"]}]},
        {"foreshadows": [{"id": "fs_0000", "what": "x"}]},
        {"foreshadows": [{"as": "f", "what": "x", "plant": mira}]},
        {"dropped_chapters": ["cp_0000"]},
        {"dropped_people": ["pn_0000"]},
        {"dropped_foreshadows": ["fs_0000"]},
        {"story": {"overrides": [{"setting": "s", "instruction": "in_0000"}]}},
        {"story": {"dropped_overrides": ["in_0000"]}},
        {"people": [{"id": mira, "card": "ns_0000"}]},
        {"people": [{"id": mira, "bonds": [{"to": "pn_0000", "what": "x"}]}]},
    ]
    for plan in unknown:
        refused(made, plan, NotFound)


def test_a_chapter_that_is_dropped_takes_what_was_planned_for_it_along_only_by_name(made: Stage) -> None:
    after = revised(made, {"dropped_chapters": [made.made["c3"]], "dropped_foreshadows": [made.made["key"]]})
    assert made.made["c3"] not in after.chapters
    assert after.foreshadows[made.made["key"]].state is ForeshadowState.DROPPED
    made.instruct(message="more")
    made.next()
    refused(made, {"foreshadows": [{"id": made.made["key"], "what": "again"}]})


def test_a_foreshadow_that_is_planted_and_must_be_taken_up_can_be_neither_dropped_nor_made_optional(
    made: Stage,
) -> None:
    key = made.made["key"]
    made.write(foreshadows=[{"foreshadow": key, "move": "planted", "at": 0}])
    made.instruct()
    made.next()
    refused(made, {"dropped_foreshadows": [key]})
    refused(made, {"foreshadows": [{"id": key, "required": False}]})


def test_settings_of_the_novel_s_own_stay_until_they_are_dropped_by_name(made: Stage) -> None:
    first = made.instruct("She is tall here.")
    made.plan(sent(Plan, {"story": {"overrides": [{"setting": "tall", "instruction": first.id}]}}))
    second = made.instruct("And old.")
    after = made.plan(sent(Plan, {"story": {"overrides": [{"setting": "old", "instruction": second.id}]}}))
    assert after.story is not None
    assert [item.setting for item in after.story.overrides] == ["tall", "old"]
    last = revised(made, {"story": {"dropped_overrides": [first.id]}})
    assert last.story is not None
    assert [item.setting for item in last.story.overrides] == ["old"]


def test_an_outline_is_created_once_and_revised_by_its_newest_revision_only(made: Stage) -> None:
    made.instruct()
    made.next()
    with pytest.raises(NovelRevisionConflict):
        made.desk.revise_outline(Plan(), made.settle(), "so", 0)
    with pytest.raises(NovelStaleUnit):
        made.desk.create_outline(outline(), made.settle(), "again")
    with pytest.raises(BadInput):
        made.desk.revise_outline(Plan(), made.settle(), " ", 1)


def test_an_outline_stands_still_while_a_unit_is_written(made: Stage) -> None:
    intent = made.next()
    token = made.claim(intent)
    with pytest.raises(NovelStaleUnit):
        made.desk.revise_outline(Plan(), [], "so", 1)
    made.desk.commit(token, made.desk.weigh(intent.unit or "", token, text(1), content()))
    assert made.novel.head.outline_revision == 1


def test_an_instruction_that_replaces_earlier_ones_takes_them_out_of_force_and_keeps_their_outcome(made: Stage) -> None:
    first = made.instruct("A doctor.")
    made.plan()
    second = made.instruct("A lawyer.")
    made.next()
    given = [changed_outcome(made, second.id, replaces=[first.id])]
    made.desk.revise_outline(Plan(), given, "so", 2)
    old, new = made.novel.instruction(first.id), made.novel.instruction(second.id)
    assert (old.in_force, old.replaced_by, old.settled, new.in_force) == (False, second.id, True, True)
    made.instruct("A judge.")
    made.end(made.novel)
    made.next()
    with pytest.raises(BadInput):
        made.desk.revise_outline(Plan(), [changed_outcome(made, made.settle()[0].instruction, [first.id])], "so", 3)


def changed_outcome(made: Stage, name: str, replaces: list[str]) -> Any:
    (held,) = [item for item in made.settle() if item.instruction == name]
    return held.model_copy(update={"replaces": tuple(replaces)})


# any overlay

_NAMES = [f"cp_000{number}" for number in range(6)]


def _stood(states: tuple[int, ...]) -> Novel:
    """A novel with six chapters of two scenes, the first of them begun as far as the numbers say."""
    stamp = Stamp(0, "Ann", SeededIds(3))
    novel = begin("T", CONFIG, (), "Write.", "m", stamp)
    plan = outline(chapters=1)
    novel = overlay(novel, plan, named(plan, stamp.ids))
    template = next(iter(novel.chapters.values()))
    kinds = [(SceneState.DONE,) * 2, (SceneState.DONE, SceneState.WRITING), (SceneState.DONE, SceneState.PLANNED)]
    chapters: dict[str, Chapter] = {}
    for at, name in enumerate(_NAMES):
        begun = kinds[states[at]] if at < len(states) else (SceneState.PLANNED,) * 2
        scenes: tuple[Scene, ...] = tuple(
            changed(template.scenes[0], id=f"sc_{at}00{place}", state=state) for place, state in enumerate(begun)
        )
        state = ChapterState.WRITING if at < len(states) else ChapterState.PLANNED
        chapters[name] = changed(template, id=name, title=f"{at}", scenes=scenes, state=state)
    return dataclasses.replace(novel, chapters=chapters, foreshadows={})


_after = st.one_of(st.none(), st.just(""), st.sampled_from([*_NAMES, "@new", "cp_9999"]))
_words = st.one_of(st.none(), st.sampled_from(["one", "two", ""]))


@st.composite
def _plans(draw: st.DrawFn) -> Plan:
    chapters: list[dict[str, Any]] = []
    for name in draw(st.lists(st.sampled_from(_NAMES), max_size=4)):
        at = _NAMES.index(name)
        scenes: list[dict[str, Any]] = [
            {"id": f"sc_{at}00{place}", "goal": draw(_words)}
            for place in draw(st.lists(st.integers(0, 2), max_size=2, unique=True))
        ]
        dropped = draw(st.lists(st.sampled_from([f"sc_{at}000", f"sc_{at}001"]), max_size=2))
        if draw(st.booleans()):
            scenes.append(
                {"as": f"s{len(chapters)}", "goal": "new", "after": draw(st.sampled_from([None, "", f"sc_{at}000"]))}
            )
        chapters.append(
            {
                "id": name,
                "after": draw(_after),
                "purpose": draw(_words),
                "scenes": scenes,
                "dropped_scenes": dropped,
            }
        )
    if draw(st.booleans()):
        chapters.append({"as": "new", "title": "N", "purpose": "p", "events": ["e"], "after": draw(_after)})
    return sent(Plan, {"chapters": chapters, "dropped_chapters": draw(st.lists(st.sampled_from(_NAMES), max_size=3))})


@settings(max_examples=60, deadline=None)
@given(_plans(), st.lists(st.integers(0, 2), max_size=3).map(tuple))
def test_any_overlay_leaves_whole_what_it_does_not_name_and_prose_where_it_is(
    plan: Plan, states: tuple[int, ...]
) -> None:
    before = _stood(states)
    try:
        after = overlay(before, plan, named(plan, SeededIds(9)))
    except LanternError:
        return
    meant = {item.id for item in plan.chapters}
    gone = before.chapters.keys() - after.chapters.keys()
    assert gone == set(plan.dropped_chapters)
    for name in before.chapters.keys() - meant - gone:
        assert after.chapters[name] is before.chapters[name]
    begun = [name for name, chapter in before.chapters.items() if chapter.state is not ChapterState.PLANNED]
    assert list(after.chapters)[: len(begun)] == begun
    rest = [name for name in before.chapters if name not in meant and name not in gone]
    assert [name for name in after.chapters if name in rest] == rest
    for item in plan.chapters:
        if item.id is None:
            continue
        old, new = before.chapters[item.id], after.chapters[item.id]
        kept = {scene.id: scene for scene in new.scenes}
        assert {scene.id for scene in old.scenes} - kept.keys() == set(item.dropped_scenes)
        done = [scene for scene in old.scenes if scene.state is not SceneState.PLANNED]
        assert [scene.id for scene in new.scenes[: len(done)]] == [scene.id for scene in done]
        named_scenes = {scene.id for scene in item.scenes}
        for scene in old.scenes:
            if scene.id in kept and (scene.state is SceneState.DONE or scene.id not in named_scenes):
                assert kept[scene.id] == scene
        assert new.purpose == (old.purpose if item.purpose is None else item.purpose)
        assert (new.title, new.events, new.state) == (old.title, old.events, old.state)


def test_whatever_is_sent_in_place_of_words_is_refused_in_words() -> None:
    for words in ("a\x00b", "\ud800", "x" * 40_000, 5, {"a": 1}):
        for kind, value in (
            (Plan, {"story": {"title": words, "premise": words}, "speed": 1}),
            (Plan, {"chapters": [{"as": "c", "title": words, "purpose": words, "events": words}]}),
            (Content, {"scene": {"done": True, "evidence": words}, "facts": words}),
            (OutcomeIn, {"instruction": words, "result": words, "note": words}),
        ):
            with pytest.raises(BadInput):
                sent(kind, value)


def test_somebody_is_dropped_together_with_the_last_that_was_planned_with_them(made: Stage) -> None:
    made.instruct()
    made.next()
    cast = {"people": [{"as": "guest", "name": "Guest", "bonds": [{"to": "@guest", "what": "none"}]}]}
    one = {**cast, "chapters": [{"id": made.made["c3"], "people": ["@guest"], "scenes": [{"as": "s", "goal": "g"}]}]}
    made.desk.revise_outline(sent(Plan, one), made.settle(), "so", 1)
    made.end(made.novel)
    guest = list(made.novel.people)[-1]
    scene = made.novel.chapter(made.made["c3"]).scenes[-1].id
    away = {"id": made.made["c3"], "people": []}
    after = revised(made, {"chapters": [{**away, "scenes": [{"id": scene, "people": [guest]}]}]})
    assert after.chapter(made.made["c3"]).scenes[-1].people == (guest,)
    made.instruct("Once more.")
    made.next()
    refused(made, {"dropped_people": [guest]})
    gone = sent(Plan, {"chapters": [{**away, "dropped_scenes": [scene]}], "dropped_people": [guest]})
    made.desk.revise_outline(gone, made.settle(), "so", 3)
    assert guest not in made.novel.people


def test_a_field_that_is_left_out_or_null_stays_and_an_empty_one_is_cleared(made: Stage) -> None:
    chapter, mira, key = made.made["c2"], made.made["mira"], made.made["key"]
    after = revised(made, {"chapters": [{"id": chapter, "entry": "at dawn", "exit": "at dusk", "characters": 900}]})
    kept = {"entry": None, "exit": "", "characters": 0, "people": []}
    after = revised(
        made,
        {
            "chapters": [{"id": chapter, **kept}],
            "people": [{"id": mira, "card": ""}],
            "foreshadows": [{"id": key, "plant": "", "required": False}],
        },
    )
    held = after.chapter(chapter)
    assert (held.entry, held.exit, held.characters, held.people) == ("at dawn", "", 0, ())
    assert after.person(mira).card is None
    foreshadow = after.foreshadows[key]
    assert (foreshadow.plant, foreshadow.resolve, foreshadow.required) == (None, made.made["c3"], False)
