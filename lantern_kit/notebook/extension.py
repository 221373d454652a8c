"""What ``%load_ext lantern_kit`` sets up in a notebook, and what unloading takes down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from lantern_kit.notebook import shown
from lantern_kit.notebook.completion.matcher import matcher
from lantern_kit.notebook.desk import Desk
from lantern_kit.notebook.magics import LanternMagics, in_kernel
from lantern_kit.widgets.jobs.progress_line import hide_progress, show_progress

_MAGICS = (("line", "lantern"), ("line", "lantern_sql"), ("cell", "lantern_sql"))


@dataclass
class Loaded:
    """What was set up in a shell."""

    desk: Desk
    complete: Callable[..., Any]


_loaded: dict[int, Loaded] = {}
"""By the identity of the shell."""


def load(shell: InteractiveShell, *, widgets: shown.Widgets = shown.widget) -> None:
    """Set up the magic words with their completion and, in a notebook, the live widgets. A second time changes nothing.

    Args:
        widgets: where the classes of widgets come from.
    """
    if id(shell) in _loaded:
        return
    desk = Desk(shell)
    complete = matcher(desk)
    shell.register_magics(LanternMagics(shell, desk))
    shell.Completer.custom_matchers.append(complete)
    if in_kernel(shell):
        shown.register(shell, widgets)
        show_progress()
    _loaded[id(shell)] = Loaded(desk, complete)


def unload(shell: InteractiveShell) -> None:
    """Take down what ``load`` set up, and close the workspaces that were opened for it."""
    loaded = _loaded.pop(id(shell), None)
    if loaded is None:
        return
    if in_kernel(shell):
        shown.unregister(shell)
        hide_progress()
    shell.Completer.custom_matchers.remove(loaded.complete)
    for kind, name in _MAGICS:
        shell.magics_manager.magics[kind].pop(name, None)
    shell.magics_manager.registry.pop(LanternMagics.__name__, None)
    loaded.desk.close()
