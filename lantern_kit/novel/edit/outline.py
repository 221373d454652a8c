"""The outline: created once, then revised as an overlay; committed prose is never touched (seed 004, 6, 9.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lantern_kit.kernel.errors import BadInput, NotFound, WrongState
from lantern_kit.novel.edit.foreshadow import foreshadows
from lantern_kit.novel.edit.ledger import aside, deal, outline_moved
from lantern_kit.novel.edit.overlay import filled, named, own_id, people_of, placed, ref
from lantern_kit.novel.edit.stamp import Stamp, require_work
from lantern_kit.novel.errors import NovelRequirementConflict
from lantern_kit.novel.model import (
    Approval,
    Bond,
    Chapter,
    ChapterState,
    FindingOverride,
    Override,
    Pause,
    Person,
    PlanRevision,
    Reason,
    Scene,
    SceneState,
    Status,
    Story,
    Why,
    WorkKind,
)
from lantern_kit.novel.pace import owed
from lantern_kit.novel.plan import ChapterIn, FindingOverrideIn, OutcomeIn, Plan, SceneIn, StoryIn
from lantern_kit.novel.whole import Novel, changed, next_scene

_STORY = {"title": "", "premise": "", "theme": "", "conflict": "", "ending": "", "view": "", "style": "", "taboos": ()}
_PERSON = {
    "name": "",
    "aliases": (),
    "card": None,
    "role": "",
    "initial": "",
    "motive": "",
    "bonds": (),
    "arc": "",
    "choices": (),
    "knows": (),
}
_SCENE = {
    "goal": "",
    "people": (),
    "place": "",
    "time": "",
    "cause": "",
    "conflict": "",
    "change": "",
    "anchor": "",
}
_CHAPTER = {"title": "", "purpose": "", "events": (), "people": (), "characters": 0, "entry": "", "exit": ""}


def create(
    novel: Novel,
    plan: Plan,
    outcomes: Sequence[OutcomeIn],
    reason: str,
    overrides: Sequence[FindingOverrideIn],
    stamp: Stamp,
) -> tuple[Novel, dict[str, str]]:
    """The first outline, and what came of the instructions it was made for.

    Gives the ids of what the plan named. Raises NovelStaleUnit, NovelPaused, WrongState (there is one), and as
    ``revise`` does.
    """
    intent = require_work(novel, stamp, WorkKind.OUTLINE_CREATE)
    if novel.head.outline_revision:
        raise WrongState(
            "there is an outline already", ids=[novel.head.id], recovery="Revise it; a novel is outlined once."
        )
    if not outcomes:
        raise NovelRequirementConflict("a first outline deals with the first instruction", ids=[*novel.instructions])
    return _revised(novel, plan, outcomes, reason, overrides, intent.why, stamp)


def revise(
    novel: Novel,
    plan: Plan,
    outcomes: Sequence[OutcomeIn],
    reason: str,
    overrides: Sequence[FindingOverrideIn],
    expected: int,
    stamp: Stamp,
) -> tuple[Novel, dict[str, str]]:
    """Change the outline and say what came of instructions, as one step. Gives the ids of what the plan named.

    Work for instructions deals with at least one; refining deals with none, and adds a scene that can be written where
    there was none. After the last chapter it may instead let go of what must be taken up and was never planted.

    Raises NovelStaleUnit, NovelPaused, NovelRevisionConflict (the outline moved on, or a unit is claimed),
    NovelRequirementConflict, BadInput, NotFound.
    """
    intent = require_work(novel, stamp, WorkKind.OUTLINE_REVISE)
    if novel.head.outline_revision != expected:
        raise outline_moved(novel, expected)
    if novel.head.claimed is not None:
        raise WrongState(
            "a unit is being written; the outline stands still until it ends",
            ids=[novel.head.claimed],
            recovery="Commit the unit first, or end that turn.",
        )
    if intent.why is Why.INSTRUCTIONS and not outcomes:
        raise NovelRequirementConflict(
            "this work is to deal with instructions",
            expected=[item.id for item in novel.open_instructions],
            found="none",
        )
    if intent.why is Why.REFINE and outcomes:
        raise NovelRequirementConflict(
            "refining deals with no instruction: those that came in since are the next work",
            found=[item.instruction for item in outcomes],
            ids=[intent.id],
            recovery="Send an empty list of outcomes.",
        )
    after, names = _revised(novel, plan, outcomes, reason, overrides, intent.why, stamp)
    settled = novel.current is None and len(owed(after)) < len(owed(novel))
    if intent.why is Why.REFINE and not (settled or _executable(after)):
        raise BadInput(
            "refining adds a scene that can be written",
            expected="a new scene in the chapter that is next; after the last one, in a new chapter",
            found="none",
            ids=[] if after.current is None else [after.current.id],
        )
    return after, names


def _executable(novel: Novel) -> bool:
    return novel.current is not None and next_scene(novel.current) is not None


def _revised(
    novel: Novel,
    plan: Plan,
    outcomes: Sequence[OutcomeIn],
    reason: str,
    overrides: Sequence[FindingOverrideIn],
    why: Why,
    stamp: Stamp,
) -> tuple[Novel, dict[str, str]]:
    if not reason.strip():
        raise BadInput("reason: say why the outline becomes this")
    before, names = novel, named(plan, stamp.ids)
    number = novel.head.outline_revision + 1
    novel = aside(overlay(novel, plan, names))
    novel = deal(novel, outcomes, names, novel.chapters, number, stamp)
    revision = PlanRevision(
        id=stamp.ids.new("pr"),
        number=number,
        why=why,
        reason=reason,
        instructions=tuple(item.instruction for item in outcomes),
        chapters=tuple(
            name
            for name in dict.fromkeys([*before.chapters, *novel.chapters])
            if before.chapters.get(name) is not novel.chapters.get(name)
        ),
        changed=_told(before, novel),
        overrides=tuple(FindingOverride(finding=item.finding, reason=item.reason) for item in overrides),
        by=stamp.by,
        at=stamp.at,
    )
    novel = novel.put("plans", revision).with_head(outline_revision=number).with_run(intent=None)
    if _titles(before) != _titles(novel):
        novel = novel.with_head(content_revision=novel.head.content_revision + 1)
    return _awaiting(novel, stamp), names


def _awaiting(novel: Novel, stamp: Stamp) -> Novel:
    """The novel, waiting for a person where the outline needs their word before anything is written."""
    if novel.config.approval is not Approval.MANUAL or novel.head.approved:
        return novel
    pause = Pause(
        reason=Reason.AWAITING_APPROVAL,
        told=f"Outline revision {novel.head.outline_revision} waits to be approved.",
        ids=(novel.head.id,),
        resume="Read the outline, then approve that revision; or add instructions and update it.",
        at=stamp.at,
    )
    return novel.with_run(status=Status.PAUSED, pause=pause)


def _titles(novel: Novel) -> tuple[Any, ...]:
    """What a reader sees of the outline."""
    story = None if novel.story is None else novel.story.title
    return story, tuple(
        (item.id, item.title) for item in novel.chapters.values() if item.state is not ChapterState.PLANNED
    )


def _told(before: Novel, novel: Novel) -> tuple[str, ...]:
    """What changed, in counts."""
    told = ["story"] if before.story is not novel.story else []
    for shelf, one in (("people", "person"), ("chapters", "chapter"), ("foreshadows", "foreshadow")):
        old: Mapping[str, Any] = getattr(before, shelf)
        new: Mapping[str, Any] = getattr(novel, shelf)
        added, gone = len(new.keys() - old.keys()), len(old.keys() - new.keys())
        other = sum(1 for name in new.keys() & old.keys() if new[name] is not old[name])
        counts = ((added, "added"), (other, "changed"), (gone, "dropped"))
        told += [f"{count} {one if count == 1 else shelf} {deed}" for count, deed in counts if count]
    return tuple(told)


# overlay


def overlay(novel: Novel, plan: Plan, names: Mapping[str, str]) -> Novel:
    """The novel with a plan laid over its outline. Raises BadInput, NotFound."""
    novel = _people(novel, plan, names)
    novel = _chapters(novel, plan, names)
    novel = _without(foreshadows(novel, plan, names), plan)
    return _story(novel, plan)


def _story(novel: Novel, plan: Plan) -> Novel:
    given, old = plan.story, novel.story
    if given is None:
        if old is None:
            raise BadInput("story: a first outline tells the whole story", expected="title, premise, theme, …")
        return novel
    needed = ("title", "premise", "theme", "conflict", "ending")
    fields = filled(old, given, _STORY, needed, "story")
    if old is None:
        fields["view"] = fields["view"] or novel.config.view
        fields["style"] = fields["style"] or novel.config.style
    made = Story(**fields, overrides=_overrides(novel, given))
    return novel if made == old else replace(novel, story=made)


def _overrides(novel: Novel, given: StoryIn) -> tuple[Override, ...]:
    """Where the novel keeps away from its cards and books: what held, what is added, without what is dropped."""
    held = () if novel.story is None else novel.story.overrides
    known = {item.instruction for item in held}
    for name in given.dropped_overrides:
        if name not in known:
            raise NotFound(f"nothing is set otherwise by {name[:40]}", ids=[name[:40]], expected=sorted(known)[:20])
    for item in given.overrides:
        novel.instruction(item.instruction)
        if item.asset is not None:
            novel.asset(item.asset)
    kept = [item for item in held if item.instruction not in given.dropped_overrides]
    return tuple(dict.fromkeys([*kept, *(Override(**item.model_dump()) for item in given.overrides)]))


def _people(novel: Novel, plan: Plan, names: Mapping[str, str]) -> Novel:
    people = dict(novel.people)
    known = {**people, **{own_id(item, names): None for item in plan.people}}
    for item in plan.people:
        name = own_id(item, names)
        old = novel.person(name) if item.id is not None else None
        fields = filled(old, item, _PERSON, ("name",), "person")
        if fields["card"] is not None:
            novel.asset(fields["card"])
        if item.bonds is not None:
            fields["bonds"] = tuple(
                Bond(to=ref(bond.to, names, known, "person"), what=bond.what) for bond in item.bonds
            )
        made = Person(id=name, **fields)
        if made != old:
            people[name] = made
    return novel if people == novel.people else replace(novel, people=people)


def _without(novel: Novel, plan: Plan) -> Novel:
    """The novel without the people that a plan drops: after all else of it, which may take them out of scenes."""
    people = dict(novel.people)
    for name in plan.dropped_people:
        held = novel.person(name)
        if any(item.id == name for item in plan.people):
            raise BadInput(f"{name} is sent and dropped at once", ids=[name])
        if _spoken_of(novel, name):
            raise BadInput(
                f"{held.name} is in scenes or in what is written",
                ids=[name],
                recovery="Take them out of planned chapters and scenes in the same plan; whoever is written of stays.",
            )
        people.pop(name, None)
    for held in people.values():
        lost = [bond.to for bond in held.bonds if bond.to not in people]
        if lost:
            raise BadInput(
                f"{held.name} has a bond to somebody who is dropped",
                ids=[held.id, *lost],
                recovery="Send their bonds without that one, or keep both.",
            )
    return novel if people == novel.people else replace(novel, people=people)


def _spoken_of(novel: Novel, person: str) -> bool:
    planned = any(
        person in chapter.people or any(person in scene.people for scene in chapter.scenes)
        for chapter in novel.chapters.values()
    )
    return planned or any(person in str(unit.commit.delta) for unit in novel.units.values() if unit.commit is not None)


def _chapters(novel: Novel, plan: Plan, names: Mapping[str, str]) -> Novel:
    held, order = dict(novel.chapters), list(novel.chapters)
    for name in plan.dropped_chapters:
        chapter = novel.chapter(name)
        if chapter.state is not ChapterState.PLANNED:
            raise BadInput(f"{chapter.title} has prose, and stays", ids=[name], recovery="Drop only planned chapters.")
        if name in order:
            order.remove(name)
            held.pop(name)
    first = max((at for at, name in enumerate(order, 1) if held[name].state is not ChapterState.PLANNED), default=0)
    for item in plan.chapters:
        name = own_id(item, names)
        old = novel.chapter(name) if item.id is not None else None
        if name in plan.dropped_chapters:
            raise BadInput(f"{name} is sent and dropped at once", ids=[name])
        made = _chapter(novel, item, name, old, names)
        if made != old:
            held[name] = made
        after = item.after if not item.after else names.get(item.after, item.after)
        order = placed(order, name, after, first, fixed=lambda name: held[name].state is not ChapterState.PLANNED)
    made_all = {name: held[name] for name in order}
    return novel if list(made_all.items()) == list(novel.chapters.items()) else replace(novel, chapters=made_all)


def _chapter(novel: Novel, item: ChapterIn, name: str, old: Chapter | None, names: Mapping[str, str]) -> Chapter:
    fields = filled(old, item, _CHAPTER, ("title", "purpose", "events"), "chapter")
    fields["people"] = people_of(fields["people"], names, novel.people)
    scenes = _scenes(novel, item, () if old is None else old.scenes, names)
    if old is None:
        return Chapter(id=name, **fields, scenes=scenes, state=ChapterState.PLANNED, completion=None)
    made = changed(old, **fields, scenes=scenes)
    if old.state is ChapterState.COMPLETED and made != changed(old, title=made.title):
        raise BadInput(
            f"{old.title} is completed: only its title can still change", ids=[name], recovery="Plan it later on."
        )
    return made


def _scenes(novel: Novel, item: ChapterIn, old: Sequence[Scene], names: Mapping[str, str]) -> tuple[Scene, ...]:
    held, order = {scene.id: scene for scene in old}, [scene.id for scene in old]
    for name in dict.fromkeys(item.dropped_scenes):
        if name not in held:
            raise NotFound(f"{name[:60]} is no scene of that chapter", ids=[name[:60]], expected=order[:20])
        if held[name].state is not SceneState.PLANNED:
            raise BadInput("a scene with prose stays", ids=[name], recovery="Drop only planned scenes.")
        order.remove(name)
    first = max((at for at, name in enumerate(order, 1) if held[name].state is not SceneState.PLANNED), default=0)
    for given in item.scenes:
        name = own_id(given, names)
        if given.id is not None and name not in order:
            raise NotFound(f"{name[:60]} is no scene of that chapter", ids=[name[:60]], expected=order[:20])
        held[name] = _scene(novel, given, name, held.get(name), names)
        after = given.after if not given.after else names.get(given.after, given.after)
        order = placed(order, name, after, first, fixed=lambda name: held[name].state is not SceneState.PLANNED)
    return tuple(held[name] for name in order)


def _scene(novel: Novel, given: SceneIn, name: str, old: Scene | None, names: Mapping[str, str]) -> Scene:
    fields = filled(old, given, _SCENE, ("goal",), "scene")
    fields["people"] = people_of(fields["people"], names, novel.people)
    if old is None:
        return Scene(id=name, **fields, state=SceneState.PLANNED)
    made = changed(old, **fields)
    if old.state is SceneState.DONE and made != old:
        raise BadInput("a scene that is done cannot be changed", ids=[name], recovery="Plan another scene.")
    if old.state is SceneState.WRITING and made.anchor != old.anchor:
        raise BadInput(
            "where a scene under way goes on is said by its prose",
            expected=old.anchor[:120],
            ids=[name],
            recovery="Leave out anchor.",
        )
    return made
