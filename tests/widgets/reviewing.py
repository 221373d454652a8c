"""A small studio with something to decide, and the way a browser asks a review of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lantern_kit import datasets
from lantern_kit.assets import SourceType
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.model import Balloon, Frame
from lantern_kit.comic.proposal import Proposal
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.widgets.panel import Panel
from lantern_kit.workspace import Workspace, create_workspace
from tests.widgets.asking import heard

AGENT = Actor.agent("claude-code")
PASSPHRASE = "a lantern in the fog"
_tickets = itertools.count(100)
Operations = list[dict[str, Any]]


@dataclass
class Studio:
    """Mina's workspace with a chapter of three pages."""

    ws: Workspace
    chapter: ChapterWork
    folder: Path

    def page(self, place: int = 0) -> str:
        """The id of a page."""
        return self.chapter.book.order[place]

    def frame(self, place: int = 0) -> Frame:
        """The first frame of a page."""
        objects = self.chapter.book.unit(self.page(place)).objects
        return next(item for item in objects if isinstance(item, Frame))

    def balloon(self, place: int = 0) -> Balloon:
        """The first balloon of a page."""
        objects = self.chapter.book.unit(self.page(place)).objects
        return next(item for item in objects if isinstance(item, Balloon))

    def say(self, text: str, place: int = 0) -> None:
        """A person changes the words of a page's balloon."""
        with self.chapter.edit("my own words") as edit:
            edit[self.balloon(place).id].set(text=text)

    def draft(self) -> str:
        """An agent begins a draft."""
        with self.ws.journal.write() as connection:
            return self.ws.drafts.begin(connection, self.chapter.id, title="try", actor=AGENT)[0].id

    def edit(self, draft: str, operations: Operations) -> dict[str, str]:
        """An agent edits a draft; gives the ids of what was made, by the names given."""
        head = self.ws.drafts.head(draft).revision.number
        made: dict[str, str] = {}
        for start in range(0, len(operations), 25):
            some = operations[start : start + 25]
            planned = self.ws.drafts.plan(draft, head, some)
            with self.ws.journal.write() as connection:
                done = self.ws.drafts.commit(connection, draft, planned, head, some, message="m", actor=AGENT)
            head = done.moment.revision.number
            made |= {name: handle.split("#")[0] for name, handle in done.made.items()}
        return made

    def freeze(self, draft: str, summary: str = "A better line") -> Proposal:
        """An agent freezes a draft."""
        head = self.ws.drafts.head(draft).revision.number
        with self.ws.journal.write() as connection:
            return self.ws.proposal_service.freeze(connection, draft, head, summary=summary, actor=AGENT)[0]

    def offer(self, draft: str, text: str, task: str) -> str:
        """An agent keeps other words for page three's balloon beside a draft; gives the candidate's id."""
        head = self.ws.drafts.head(draft).revision.number
        words = [{"op": "balloon.set", "target": handle_of(self.balloon(2)), "args": {"text": text}}]
        with self.ws.journal.write() as connection:
            return self.ws.candidates.propose(connection, draft, head, words, task=task, actor=AGENT)[0].id

    def proposed(self, operations: Operations | None = None) -> tuple[Proposal, dict[str, str]]:
        """New words and a speaker for page one's balloon; a frame with a balloon in it on page two."""
        draft = self.draft()
        made = self.edit(draft, self.usual() if operations is None else operations)
        return self.freeze(draft), made

    def usual(self) -> Operations:
        """What ``proposed`` proposes unless it is told otherwise."""
        words = {"text": "It is mine.", "speaker": "Luna"}
        return [
            {"op": "balloon.set", "target": handle_of(self.balloon()), "args": words},
            {"op": "frame.add", "target": self.page(1), "as": "new", "args": {"rect": [20, 20, 60, 60]}},
            {"op": "balloon.add", "target": "@new", "as": "said", "args": {"text": "Up.", "at": [45, 45]}},
        ]

    def other(self) -> Workspace:
        """The same workspace as another process opens it."""
        return Workspace(self.folder / "ws", config=self.folder / "config", ask=lambda _: PASSPHRASE)


@contextmanager
def studio(folder: Path) -> Iterator[Studio]:
    """A studio, made the same way each time."""
    with create_workspace(
        folder / "ws",
        title="Chelsea",
        owner="mina",
        ids=SeededIds(7),
        clock=SteppingClock(),
        config=folder / "config",
        ask=lambda _: PASSPHRASE,
    ) as ws:
        ws.enrol("mina", PASSPHRASE)
        cat = ws.assets.register(
            datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0", source_type=SourceType.PHOTOGRAPH
        )
        chapter = ws.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
        with chapter.edit("three pages") as edit:
            page = edit.add_page(name="One")
            left, right = page.add_frame(rect=(6, 6, 93, 60)).cut(line=((52, 6), (50, 66)), gutter=3)
            left.place(cat, fit="cover", focus=(0.5, 0.3))
            right.say("Is that… mine?", speaker="Chelsea", at=(75, 25), tail=(60, 45))
            edit.add_page(name="Two").add_frame(rect=(6, 6, 93, 136))
            third = edit.add_page(name="Three").add_frame(rect=(6, 6, 93, 136))
            third.say("And up we go.", at=(50, 40))
        yield Studio(ws, chapter, folder)


def asked(panel: Panel, name: str, args: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """What the kernel answers to an ask, or its refusal under ``error``. Options: ``passphrase``, ``language``."""
    passphrase = options.get("passphrase")
    beside = [] if passphrase is None else [passphrase.encode()]
    content, _ = heard(panel, name, args or {}, options.get("language", "en"), beside)
    return content["ok"] if "ok" in content else {"error": content["error"]}


def verdict(panel: Panel, proposal: str, what: str, **options: Any) -> dict[str, Any]:
    """A verdict as the browser sends it, on what it saw last unless it is told otherwise."""
    passphrase = options.pop("passphrase", PASSPHRASE)
    seen = asked(panel, "review", {"proposal": proposal})
    args = {
        "proposal": proposal,
        "verdict": what,
        "compared": seen["compared"],
        "seen": len(seen["verdicts"]),
        "who": "mina",
        "ticket": f"ticket-{next(_tickets)}",
        **options,
    }
    return asked(panel, "verdict", args, passphrase=passphrase)
