"""Two agents at one page, each at a server of its own: nothing lost, every conflict named, the merge as it must be."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Unit
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.workspace import Workspace, create_workspace, open_workspace
from tests.contract.host import Client, data_of
from tests.contract.pages import Edit, Page, choose, merged, random_edit, require_order

LENGTHS = pytest.mark.parametrize(
    ("seed", "edits"),
    [(1, 120), *(pytest.param(seed, 500, marks=pytest.mark.prove) for seed in range(2, 6))],
)
A_HANDLE = re.compile(r"[a-z]{2}_[0-9a-z]+#[0-9a-z]{8}")


@dataclass
class World:
    """A workspace with one page that is applied work."""

    folder: Path
    chapter: str
    unit: str


@pytest.fixture
def world(tmp_path: Path) -> World:
    with create_workspace(tmp_path / "ws", title="W", owner="mina", config=tmp_path / "config") as ws:
        ws.enrol("mina", None, demo=True)
        chapter = ws.comic("C").begin_chapter(1, size="A6")
        kinds = (("frame", 4), ("narration", 8), ("balloon", 8), ("text", 6))
        rects = ([5 + 7 * (n % 13), 5 + 11 * (n // 2), 20, 12] for n in itertools.count())
        words = [
            {"op": f"{kind}.add", "target": "@p", "args": {"rect": next(rects), "name": f"{kind} {n}"}}
            for kind, count in kinds
            for n in range(count)
        ]
        for item in words:
            if item["op"] != "frame.add":
                item["args"]["text"] = f"It is {item['args']['name']}."  # type: ignore[index]
        author = Actor.agent("author")
        with ws.journal.write() as connection:
            draft, moment = ws.drafts.begin(connection, chapter.id, title="t", actor=author)
        dispatcher, head = ws.dispatcher(), moment.revision.id
        for number, some in enumerate(([{"op": "unit.add", "as": "p"}, *words[:13]], words[13:])):
            unit = next(iter(ws.drafts.head(draft.id).book.order), "")
            for item in some if number else []:
                item["target"] = unit
            arguments = {
                "draft": draft.id,
                "expected_revision": head,
                "idempotency_key": f"{number}",
                "operations": some,
            }
            head = dispatcher.dispatch("draft.edit", arguments, actor=author, scopes=frozenset(Scope)).data["revision"]
        arguments = {"draft": draft.id, "expected_revision": head, "idempotency_key": "f", "summary": "a page"}
        frozen = dispatcher.dispatch("proposal.freeze", arguments, actor=author, scopes=frozenset(Scope)).data
        with ws.reviewer() as me:
            ws.proposals[frozen["proposal"]].apply(me)
        return World(ws.path, chapter.id, chapter.book.order[0])


def page_of(unit: Unit) -> Page:
    """What lies on a unit, as plain dictionaries."""
    things: dict[str, dict[str, Any]] = {}
    for item in unit.objects:
        facts: dict[str, Any] = {"kind": item.kind, "name": item.name}
        if item.kind == "frame":
            facts |= {"background": item.background, "description": item.description}
        else:
            facts |= {
                "text": item.text,
                "box": [part / 1000 for part in (item.box.x, item.box.y, item.box.w, item.box.h)],
            }
        if item.kind == "balloon":
            facts["speaker"] = item.speaker
        things[item.id] = facts
    return Page(things, list(unit.reading))


class Agent:
    """An agent at a server of its own: what it knows of the draft, and what it was told."""

    def __init__(self, name: str, client: Client, draft: str, revision: str, unit: Unit) -> None:
        self.name = name
        self.client = client
        self.draft = draft
        self.unit = unit.id
        self.keys = itertools.count(1)
        self.acknowledged: list[str] = []
        self.knows(revision, page_of(unit), unit)

    def knows(self, revision: str, page: Page, unit: Unit) -> None:
        """See the page as it is now."""
        self.revision = revision
        self.page = page.copy()
        self.handles = {item.id: handle_of(item) for item in unit.objects}

    def send(self, edit: Edit, handle: str | None = None) -> tuple[dict[str, Any], str]:
        """Send an edit; the result and the message it carries."""
        number = next(self.keys)
        message = f"{self.name} {number}"
        target = handle or self.handles.get(edit.target, edit.target) or self.unit
        operation = {"op": edit.op, "target": target, "as": "made", "args": edit.args}
        if edit.op != "narration.add":
            del operation["as"]
        arguments = {
            "draft": self.draft,
            "expected_revision": self.revision,
            "idempotency_key": message,
            "message": message,
            "operations": [operation],
        }
        return self.client.call("draft.edit", arguments), message

    def edit(self, edit: Edit) -> str:
        """Make an edit that must go through; the id of what it made."""
        result, message = self.send(edit)
        return self.took(data_of(result), edit, message)

    def took(self, data: dict[str, Any], edit: Edit, message: str) -> str:
        """An edit went through."""
        self.acknowledged.append(message)
        self.revision = data["revision"]
        made = data["objects"].get("made", "")
        for handle in (*data.get("changed", ()), *([made] if made else [])):
            self.handles[handle.partition("#")[0]] = handle
        return str(made.partition("#")[0])


@contextmanager
def at_work(world: World, *, together: bool) -> Iterator[tuple[Agent, Agent]]:
    """Two agents with a server each, on drafts of their own or on one."""
    with Client(world.folder, name="ann") as ann, Client(world.folder, name="ben") as ben:
        begin = {"chapter": world.chapter, "idempotency_key": "begin"}
        first = data_of(ann.call("draft.begin", begin))
        second = first if together else data_of(ben.call("draft.begin", begin))
        with open_workspace(world.folder) as ws:
            unit = ws.drafts.head(first["draft"]).book.unit(world.unit)
        yield (
            Agent("ann", ann, first["draft"], first["revision"], unit),
            Agent("ben", ben, second["draft"], second["revision"], unit),
        )


def stale(ann: Agent, rng: random.Random, old: dict[str, str]) -> None:
    """Try an edit with a handle that no longer holds; it is refused and changes nothing."""
    gone = [name for name, handle in old.items() if ann.handles.get(name, handle) != handle and name in ann.page.things]
    if gone:
        name = rng.choice(gone)
        result, _ = ann.send(Edit("object.rename", name, {"name": "never"}), old[name])
        assert result["isError"]
        assert '"stale_handle"' in result["content"][0]["text"]


@LENGTHS
def test_on_drafts_of_their_own_the_merge_is_what_a_model_says(world: World, seed: int, edits: int) -> None:
    rng = random.Random(seed)
    with at_work(world, together=False) as agents:
        base = agents[0].page.copy()
        liked = {agent.name: rng.sample(list(base.things), len(base.things) * 2 // 3) for agent in agents}
        old = {agent.name: dict(agent.handles) for agent in agents}
        for number in range(edits):
            agent = rng.choice(agents)
            edit = random_edit(agent.page, rng, agent.name, number, liked[agent.name])
            edit.on(agent.page, agent.edit(edit))
            if rng.random() < 0.05:
                stale(agent, rng, old[agent.name])
        frozen = [
            data_of(
                agent.client.call(
                    "proposal.freeze",
                    {
                        "draft": agent.draft,
                        "expected_revision": agent.revision,
                        "idempotency_key": "freeze",
                        "summary": f"what {agent.name} did",
                    },
                )
            )
            for agent in agents
        ]
    with open_workspace(world.folder) as ws:
        for agent in agents:
            require_all_kept(ws, agent.draft, agent.acknowledged)
            assert_same(page_of(ws.drafts.head(agent.draft).book.unit(world.unit)), agent.page)
        decide(ws, world, base, *(agent.page for agent in agents), *(item["proposal"] for item in frozen))


def require_all_kept(ws: Workspace, draft: str, acknowledged: list[str]) -> None:
    """Hold a draft to exactly the edits that were acknowledged, in that order."""
    with ws.journal.read() as connection:
        log = ws.history.log(connection, draft)
    assert [item.message for item in reversed(log) if item.cause != "fork"] == acknowledged


def assert_same(real: Page, model: Page) -> None:
    assert real.things == model.things
    assert real.orders == model.orders


def decide(ws: Workspace, world: World, base: Page, first: Page, second: Page, one: str, other: str) -> None:
    """A person reviews both proposals, applies the one, merges the other, and settles what conflicts."""
    chapter = ws.works()[0].chapter(1)
    for name in (one, other):
        review = ws.proposals[name].look()
        assert {part.id.partition(".")[0] for part in review.parts} <= {
            *base.things,
            *first.things,
            *second.things,
            world.unit,
        }
        assert review.parts
        assert ws.proposals[name].text()
    with ws.reviewer() as me:
        ws.proposals[one].apply(me)
        assert_same(page_of(chapter.book.unit(world.unit)), first)
        ws.proposals[other].look()
        ws.proposals[other].apply(me, mode="merge")
    result = page_of(chapter.book.unit(world.unit))
    wanted = merged(base, first, second)
    assert result.things == wanted.things
    conflicts = set(wanted.conflicts)
    for place, order in enumerate(("objects", "reading")):
        sides = [page.orders[place] for page in (base, first, second)]
        if not require_order(*sides, result.orders[place]):
            conflicts.add((world.unit, order))
    named = {(item.facts.object, item.facts.property): item for item in chapter.conflicts()}
    assert named.keys() == conflicts
    assert wanted.conflicts, "two agents at one page are bound to meet"
    taken = settle(named, world.unit)
    assert page_of(chapter.book.unit(world.unit)).things == choose(wanted.things, second, taken)
    assert len(chapter.conflicts()) == 0
    assert ws.verify().clean


def settle(named: dict[Any, Any], unit: str) -> list[tuple[str, str | None]]:
    """Settle every conflict, each second one by taking theirs; those."""
    taken = []
    for place, key in enumerate(sorted(named, key=str)):
        choice = "theirs" if place % 2 else "ours"
        named[key].look()
        named[key].resolve(choice)
        if choice == "theirs" and key[0] != unit:
            taken.append(key)
    return taken


@LENGTHS
def test_on_one_draft_each_edit_goes_through_or_is_refused_for_what_changed(
    world: World, seed: int, edits: int
) -> None:
    rng = random.Random(seed)
    acknowledged, refused = [], 0
    with at_work(world, together=True) as agents, open_workspace(world.folder) as ws:
        now = agents[0].page.copy()
        for number in range(edits):
            agent = rng.choice(agents)
            edit = random_edit(agent.page, rng, agent.name, number, agent.page.things)
            goes = may(edit, agent.page, now)
            result, message = agent.send(edit)
            if goes:
                made = agent.took(data_of(result), edit, message)
                edit.on(now, made)
                acknowledged.append(message)
            else:
                refused += 1
                assert result["isError"], edit
                assert re.search('"code":"(stale_handle|not_found|bad_input)"', result["content"][0]["text"]), result
            if goes or rng.random() < 0.8:
                head = ws.drafts.head(agent.draft)
                agent.knows(head.revision.id, now, head.book.unit(world.unit))
            if number % 25 == 0:
                assert_same(page_of(ws.drafts.head(agent.draft).book.unit(world.unit)), now)
        require_all_kept(ws, agents[0].draft, acknowledged)
        assert_same(page_of(ws.drafts.head(agents[0].draft).book.unit(world.unit)), now)
        assert ws.verify().clean
    assert refused
    assert len(acknowledged) + refused == edits


def may(edit: Edit, seen: Page, now: Page) -> bool:
    """Whether an edit goes through: what it names is as it was seen, and the orders too where it changes one."""
    named = [edit.target] if edit.target else []
    named += [name for name in (edit.args.get("after"), *edit.args.get("order", ())) if name]
    if any(seen.things.get(name) != now.things.get(name) for name in named):
        return False
    return not edit.orders or seen.orders == now.orders
