"""Notebook widgets: the Python halves of the views in which people look and decide.

panel      what all share: a line to the browser, asks answered off the kernel's main thread, a static form beside
asks       what a browser may ask for, and how it is answered      bundle   the built code of the browser halves
watch      notices what other processes commit      notes   annotations      progress_words   said while one waits
sheets/    pages laid out for a browser             jobs/   long calls on threads of their own
page/ review/ history/ novel/   of one widget     given   what a panel can be given      turning   safe words
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES: dict[str, str] = {
    "ActivityPanel": "activity_panel",
    "AnnotationPanel": "annotation_panel",
    "HistoryView": "history_view",
    "Job": "jobs.job",
    "NovelDesk": "novel_desk",
    "PageView": "page_view",
    "Panel": "panel",
    "ProposalReview": "proposal_review",
    "start": "jobs.job",
}

__all__ = [
    "ActivityPanel",
    "AnnotationPanel",
    "HistoryView",
    "Job",
    "NovelDesk",
    "PageView",
    "Panel",
    "ProposalReview",
    "start",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
