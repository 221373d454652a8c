"""The demo: the whole way from an empty chapter to a book, played through once.

run       the play: workspace, agent, verdict, exports, notebook, what is left to do
agent     a host's side of MCP over stdio    drafting   how the agent works at its draft
mend      from findings to operations        book       the exports and the executed notebook
script    what the story is written in       story/     the story itself
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lantern_kit.demo.run import DemoResult, run_demo

__all__ = ["DemoResult", "run_demo"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.run"), name)
