"""Lantern Kit: comics that people make together with AI agents, kept whole and queryable.

Start with ``open_workspace`` or ``create_workspace``; everything else is reached from the workspace they give.
Nothing heavy is imported before it is used.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lantern_kit.agent import Agent
    from lantern_kit.agents.openai_chat import OpenAIChat
    from lantern_kit.analysis import plots
    from lantern_kit.assets import SourceType
    from lantern_kit.author_host import AgentAuthor
    from lantern_kit.comic.approvals import ApplyMode
    from lantern_kit.comic.work.paper import paper
    from lantern_kit.kernel.actor import Actor
    from lantern_kit.kernel.errors import LanternError
    from lantern_kit.mcp_server.serving import serve
    from lantern_kit.novel.offline import OfflineAuthor
    from lantern_kit.widgets.activity_panel import ActivityPanel
    from lantern_kit.widgets.annotation_panel import AnnotationPanel
    from lantern_kit.widgets.history_view import HistoryView
    from lantern_kit.widgets.jobs.job import Job, start
    from lantern_kit.widgets.novel_desk import NovelDesk
    from lantern_kit.widgets.page_view import PageView
    from lantern_kit.widgets.proposal_review import ProposalReview
    from lantern_kit.workspace import Workspace, create_workspace, open_workspace

__all__ = [
    "ActivityPanel",
    "Actor",
    "Agent",
    "AgentAuthor",
    "AnnotationPanel",
    "ApplyMode",
    "HistoryView",
    "Job",
    "LanternError",
    "NovelDesk",
    "OfflineAuthor",
    "OpenAIChat",
    "PageView",
    "ProposalReview",
    "SourceType",
    "Workspace",
    "__version__",
    "create_workspace",
    "open_workspace",
    "paper",
    "plots",
    "serve",
    "start",
]
__version__ = "0.1.0"

_HOMES = {
    "ActivityPanel": "widgets.activity_panel",
    "Actor": "kernel.actor",
    "Agent": "agent",
    "AgentAuthor": "author_host",
    "AnnotationPanel": "widgets.annotation_panel",
    "ApplyMode": "comic.approvals",
    "HistoryView": "widgets.history_view",
    "Job": "widgets.jobs.job",
    "LanternError": "kernel.errors",
    "NovelDesk": "widgets.novel_desk",
    "OfflineAuthor": "novel.offline",
    "OpenAIChat": "agents.openai_chat",
    "PageView": "widgets.page_view",
    "ProposalReview": "widgets.proposal_review",
    "SourceType": "assets",
    "Workspace": "workspace",
    "create_workspace": "workspace",
    "open_workspace": "workspace",
    "paper": "comic.work.paper",
    "serve": "mcp_server.serving",
    "start": "widgets.jobs.job",
}


def __getattr__(name: str) -> Any:
    if "ipykernel" in sys.modules:  # a notebook: its cells say how far a long action is
        import_module("lantern_kit.widgets.jobs.progress_line").show_progress()
    if name == "plots":
        value: Any = import_module("lantern_kit.analysis.plots")
    elif name in _HOMES:
        value = getattr(import_module(f"lantern_kit.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext lantern_kit``: the magic words, their completion, and live widgets in a notebook."""
    from lantern_kit.notebook import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext lantern_kit``: what that set up is taken down."""
    from lantern_kit.notebook import unload

    unload(shell)
