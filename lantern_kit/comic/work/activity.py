"""What agents did, as people read it: tasks, each with its events; to look at, never to act on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.work import show
from lantern_kit.comic.work.frozen import without
from lantern_kit.kernel.activity_groups import Group, State
from lantern_kit.kernel.activity_page import Branch, Kept, Page
from lantern_kit.kernel.clock import stamp

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.host import Host

_COLOURS = {
    State.RUNNING: "#2563eb",
    State.TIMED_OUT: "#6b7280",
    State.AWAITING: "#d97706",
    State.COMPLETED: "#15803d",
}


class Activity:
    """A page of agents' activity.

    Args:
        host: the workspace that it was read from.
        page: what was read.
        works: titles of works by their ids.
        left_out: how many of its parts an apply left out, by proposal; None where its choices cannot be read.
        scope: the chapter that was asked for; empty for all.
        chosen: whether only some of the events were asked for: of one agent, or before or after one.
    """

    heads = ("event", "time", "what", "came of it", "target", "pictures", "to see")

    def __init__(
        self,
        host: Host,
        page: Page,
        works: Mapping[str, str],
        left_out: Mapping[str, int | None],
        *,
        scope: str = "",
        chosen: bool = False,
    ) -> None:
        self.host = host
        self.page = page
        self.scope = scope
        self.chosen = chosen
        self._works = works
        self._left_out = left_out

    @property
    def chapter(self) -> ChapterWork | None:
        """The chapter that was asked for; None for all of them."""
        from lantern_kit.comic.work.chapter import ChapterWork

        return ChapterWork(self.host, self.scope) if self.scope else None

    @property
    def groups(self) -> tuple[Branch, ...]:
        """The tasks with events on this page, the one with the newest event first."""
        return self.page.branches

    @property
    def cursor(self) -> str:
        """Go on from here for what comes later: ``ws.activity(after=page.cursor)``."""
        return self.page.newest

    def __iter__(self) -> Iterator[Branch]:
        return iter(self.page.branches)

    def __len__(self) -> int:
        return len(self.page)

    # showing

    def title(self, group: Group, state: str = "") -> str:
        """``g7 claude-code · Chelsea Goes Up 1 · d7: awaiting p12``; the state in other words when they are given."""
        where = [self._works.get(group.scope, group.scope), group.draft]
        named = " · ".join([f"{group.id} {group.actor}".strip(), *(item for item in where if item)])
        return f"{named}: {state or _state(group) + without(self.left_out(group))}"

    def left_out(self, group: Group) -> int | None:
        """How many parts the apply that completed a task left out; None where that cannot be read."""
        return self._left_out.get(group.proposal, 0) if group.state is State.COMPLETED else 0

    def rows(self, branch: Branch) -> list[tuple[str, ...]]:
        """The events of a task, one row each, under ``heads``."""
        return [_row(item) for item in branch.events]

    def text(self) -> str:
        """The tree in plain text."""
        lines: list[str] = []
        for branch in self.page.branches:
            lines.append(self.title(branch.group))
            rows = self.rows(branch)
            for place, row in enumerate(rows, 1):
                lines.append(("└ " if place == len(rows) else "├ ") + "  ".join(cell for cell in row if cell))
        return "\n".join(lines) or "no activity yet"

    def html(self) -> str:
        """The tree, to be unfolded task by task; the newest is open."""
        parts = []
        for place, branch in enumerate(self.page.branches):
            colour = _COLOURS[branch.group.state]
            mark = f'<span style="color:{colour}" aria-hidden="true">●</span>'
            opened = " open" if place == 0 else ""
            table = show.table(self.heads, self.rows(branch))
            parts.append(
                f"<details{opened}><summary>{mark} {escape(self.title(branch.group))}</summary>{table}</details>"
            )
        more = f"<p><small>Earlier: before={self.page.oldest}</small></p>" if self.page.earlier else ""
        return "".join(parts) + more or "<p>no activity yet</p>"

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(self.text(), self.html())

    def facts(self) -> dict[str, Any]:
        """The page as plain data."""
        page = self.page
        return {
            "groups": [_group_facts(branch, self.left_out(branch.group)) for branch in page.branches],
            "newest": page.newest,
            "oldest": page.oldest,
            "later": page.later,
            "earlier": page.earlier,
        }


def _state(group: Group) -> str:
    match group.state:
        case State.AWAITING:
            return f"awaiting {group.proposal}"
        case State.COMPLETED:
            return f"completed {group.proposal} as {group.snapshot}"
        case _:
            return group.state.value.replace("_", " ")


def _row(item: Kept) -> tuple[str, ...]:
    event = item.event
    outcome = event.summary if event.outcome == "ok" else f"failed: {event.code}"
    link = event.link if event.link != event.target else ""
    return (item.id, item.time, item.what, outcome, event.target.replace(",", ", "), ", ".join(event.assets), link)


def _group_facts(branch: Branch, left_out: int | None) -> dict[str, Any]:
    group = branch.group
    return {
        "group": group.id,
        "actor": group.actor,
        "chapter": group.scope,
        "draft": group.draft,
        "state": group.state.value,
        "opened_at": stamp(group.opened_at),
        "last_at": stamp(group.last_at),
        "window_end": stamp(group.window_end),
        "proposal": group.proposal,
        "snapshot": group.snapshot,
        "left_out": left_out,
        "events": [_event_facts(item) for item in branch.events],
    }


def _event_facts(item: Kept) -> dict[str, Any]:
    event = item.event
    return {
        "event": item.id,
        "at": stamp(event.at),
        "kind": event.kind,
        "capability": event.capability,
        "tool": event.tool,
        "action": event.action,
        "effect": event.effect,
        "target": event.target.split(",") if event.target else [],
        "outcome": event.outcome,
        "code": event.code,
        "assets": list(event.assets),
        "summary": event.summary,
        "revision": None if event.revision is None else f"r{event.revision}",
        "link": event.link,
        "ms": event.duration_us // 1000,
        "answer_bytes": event.answer_bytes,
    }
