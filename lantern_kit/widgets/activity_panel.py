"""ActivityPanel: what agents do, while they do it; to look at, never to act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from lantern_kit.comic.work.activity import Activity
from lantern_kit.widgets.asks import Args, Ask, answers
from lantern_kit.widgets.given import WORKSPACE, given
from lantern_kit.widgets.panel import Panel
from lantern_kit.workspace import Workspace

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork

STILL = 40
"""Events in the static form."""


class PageArgs(Args):
    """Which events: the newest, or those after or before one; see ``Workspace.activity``."""

    agent: str = ""
    after: str = ""
    before: str = ""
    limit: int = Field(default=100, ge=1, le=300)


class ActivityPanel(Panel):
    """A live tree of agents' tasks and what they called: read only.

    Args:
        host: the workspace.
        chapter: only of this chapter; None is all works.
        agent: only of this agent, to begin with.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.

    Raises:
        NotFound: there is no such chapter.
    """

    kind = "activity"

    def __init__(
        self, host: Workspace, chapter: ChapterWork | str | None = None, *, agent: str = "", language: str = ""
    ) -> None:
        given(host, Workspace, expected="a workspace, and a chapter if it is about one", recovery=WORKSPACE)
        name = chapter if isinstance(chapter, str) else "" if chapter is None else chapter.id
        self._chapter = host.comics.find_chapter(name).id if name else ""
        super().__init__(host, language=language, state={"agent": agent})

    @answers("page", PageArgs)
    def page(self, ask: Ask[PageArgs]) -> dict[str, Any]:
        """A page of events under their tasks, with the titles of the works they belong to."""
        wanted = ask.args
        found = self.host.activity(
            self._chapter, agent=wanted.agent, after=wanted.after, before=wanted.before, limit=wanted.limit
        )
        works = {item.id: f"{item.comic} {item.number}" for item in self.host.comics.chapters()}
        return {**found.facts(), "works": works, "now": self.host.clock.now()}

    def text(self) -> str:
        """The newest tasks in plain text."""
        return self._newest().text()

    def picture(self) -> str:
        """The newest tasks, to be unfolded."""
        return self._newest().html()

    def _newest(self) -> Activity:
        return self.host.activity(self._chapter, agent=str(self.state.get("agent", "")), limit=STILL)
