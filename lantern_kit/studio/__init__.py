"""Where people sit: JupyterLab, and the review as an app of its own, each served by this process alone.

lab              JupyterLab on a workspace's notebooks
app              the review notebook as an app, through Voilà; door: who is let in; template/: its page
desk             what the review notebook puts on the table; request: what was asked for, in which language
listening        ports of this machine, and servers that end when they are told to
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lantern_kit.studio.desk import Desk

__all__ = ["Desk"]


def __getattr__(name: str) -> Any:
    if name == "Desk":
        return import_module(f"{__name__}.desk").Desk
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
