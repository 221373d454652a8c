"""Which live widget stands for which of the objects that people hold, and when."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from IPython.core.interactiveshell import InteractiveShell

Widgets = Callable[[str], Callable[..., Any]]
"""Gives the class of a widget by its name."""


class Live(NamedTuple):
    """A widget that stands for an object."""

    widget: str
    """Its name in ``lantern_kit.widgets``."""
    arguments: Callable[[Any], tuple[Any, ...] | None]
    """What it is made with; None where the object shows something that the widget does not."""


SHOWN: dict[str, Live] = {
    "lantern_kit.comic.work.chapter.ChapterWork": Live("PageView", lambda chapter: (chapter,)),
    "lantern_kit.comic.work.unit.UnitWork": Live("PageView", lambda unit: (unit,)),
    "lantern_kit.comic.work.proposal.ProposalWork": Live("ProposalReview", lambda proposal: (proposal,)),
    "lantern_kit.novel.work.novel.NovelWork": Live("NovelDesk", lambda novel: (novel,)),
    "lantern_kit.comic.work.history.History": Live(
        "HistoryView", lambda history: None if history.chosen else (history.chapter,)
    ),
    "lantern_kit.comic.work.annotation.Annotations": Live(
        "AnnotationPanel", lambda notes: None if notes.chosen else (notes.chapter,)
    ),
    "lantern_kit.comic.work.activity.Activity": Live(
        "ActivityPanel", lambda activity: None if activity.chosen else (activity.host, activity.chapter)
    ),
}
"""Model → widget. A history or a list of which only a part was asked for keeps its static form."""


def widget(name: str) -> Callable[..., Any]:
    """The class of a widget by its name."""
    found: Callable[..., Any] = getattr(import_module("lantern_kit.widgets"), name)
    return found


def register(shell: InteractiveShell, widgets: Widgets = widget) -> None:
    """Show live widgets in a notebook; objects are named, so that nothing is imported before one is shown.

    Args:
        widgets: where the classes come from.
    """
    formatter = _formatter(shell)
    for model, live in SHOWN.items():
        formatter.for_type(model, _printer(live, widgets))


def unregister(shell: InteractiveShell) -> None:
    """Leave the objects to their static forms again."""
    formatter = _formatter(shell)
    for model in SHOWN:
        formatter.pop(model, None)


def _formatter(shell: InteractiveShell) -> Any:
    if shell.display_formatter is None:
        raise AssertionError("a shell that shows things has a formatter")
    return shell.display_formatter.ipython_display_formatter


def _printer(live: Live, widgets: Widgets) -> Callable[[Any], None]:
    def show(thing: Any) -> None:
        arguments = live.arguments(thing)
        if arguments is None:
            raise NotImplementedError  # how a formatter says that it has no form of this, so that the next is taken
        from IPython.display import display

        display(widgets(live.widget)(*arguments))  # type: ignore[no-untyped-call]

    return show
