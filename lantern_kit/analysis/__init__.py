"""Everything that happened, as SQL tables for people who ask questions: a DuckDB projection of the journal.

registry    what a table is and how its rows come from the journal; kinds register theirs
history     the kernel's own tables: revisions, changes, activity
sync, run, file, notice    ``analysis()``: brings analysis.duckdb up to date, shares it, replaces it, and says so
query       ``run_sql()``: one statement, read-only, cut off from files; its errors in plain words
plots       ready pictures: who edited what, which pages churn, what was rejected, what it cost, how it is laid out
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lantern_kit.analysis.notice import Notice
    from lantern_kit.analysis.query import Answer, ask_frame, run_sql
    from lantern_kit.analysis.registry import Appended, Column, Followed, Mirrored, Part, Projector, Registry
    from lantern_kit.analysis.sync import analysis

__all__ = [
    "Answer",
    "Appended",
    "Column",
    "Followed",
    "Mirrored",
    "Notice",
    "Part",
    "Projector",
    "Registry",
    "analysis",
    "ask_frame",
    "run_sql",
]

_HOMES = {
    "notice": ("Notice",),
    "query": ("Answer", "ask_frame", "run_sql"),
    "registry": ("Appended", "Column", "Followed", "Mirrored", "Part", "Projector", "Registry"),
    "sync": ("analysis",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
