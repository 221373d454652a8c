"""What completes ``%%lantern_sql``: tables, their columns, words of SQL, and names inside quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from lantern_kit.notebook.completion import ids
from lantern_kit.notebook.completion.suggestion import Offer, Suggestion, chosen

if TYPE_CHECKING:
    from lantern_kit.notebook.desk import Desk

_PIECE = re.compile(r"(?:(?P<of>\w+)\.)?(?P<piece>\w*)$")
_VALUE = re.compile(r"\$(?P<piece>\w*)$")
_QUOTED = re.compile(r"'(?P<piece>[^']*)$")
_WHOLE = re.compile(r"'[^']*'|--[^\n]*|\"[^\"]*\"")
_SOURCE = re.compile(r"\b(?:from|join|into|,)\s*(?P<table>\w+)(?:\s+(?:as\s+)?(?P<alias>\w+))?", re.IGNORECASE)
_AFTER_SOURCE = re.compile(r"\b(?:from|join|describe|summarize|pivot|show)\s+\w*$", re.IGNORECASE)
_WORDS = (
    "select", "from", "where", "group by", "group by all", "order by", "having", "limit", "join", "left join", "using",
    "on", "as", "with", "and", "or", "not", "in", "is null", "is not null", "like", "between", "case", "when", "then",
    "else", "end", "distinct", "count(*)", "sum(", "min(", "max(", "avg(", "median(", "date_trunc(", "coalesce(",
    "number(", "filter (where", "over (", "partition by", "qualify", "union all", "describe", "summarize", "pivot",
    "unnest(", "desc", "asc",
)  # fmt: skip
"""What a question is made of; ``number('r41')`` is 41."""


@cache
def known() -> dict[str, tuple[str, ...]]:
    """The tables of the analysis and their columns, as the kit declares them; no workspace is opened for it."""
    from lantern_kit import agent_projectors, asset_projectors
    from lantern_kit.analysis import history
    from lantern_kit.comic import projectors
    from lantern_kit.novel import projectors as novels

    rooms = (history, asset_projectors, projectors, novels, agent_projectors)
    every = [item for room in rooms for item in room.PROJECTORS]
    return {item.name: tuple(column.name for column in item.columns) for item in every}


def complete_sql(desk: Desk, before: str, after: str) -> Offer:
    """What may come in a question where the cursor is.

    Args:
        before: the question up to the cursor.
        after: the rest of it, which may name the tables.
    """
    bare = _WHOLE.sub("", before)
    quoted = _QUOTED.search(bare)
    if quoted is not None:
        return Offer(quoted["piece"], _named(desk, quoted["piece"]))
    value = _VALUE.search(bare)
    if value is not None:
        return Offer(value["piece"], chosen(value["piece"], "variable", _variables(desk)))
    found = _PIECE.search(bare)
    of, piece = ("", "") if found is None else (found["of"] or "", found["piece"])
    named = _sources(f"{bare}\n{_WHOLE.sub('', after)}")
    if of:
        table = named.get(of.lower(), "")
        return Offer(piece, chosen(piece, f"column of {table}", known().get(table, ())))
    tables = chosen(piece, "table", known())
    if _AFTER_SOURCE.search(bare):
        return Offer(piece, tables)
    columns = _columns(piece, dict.fromkeys(named.values()) or known())
    words = chosen(piece, "keyword", _WORDS) if piece else []
    return Offer(piece, [*columns, *tables, *words])


def _sources(sql: str) -> dict[str, str]:
    """The tables that a question names, by their names and by what it calls them."""
    found: dict[str, str] = {}
    for source in _SOURCE.finditer(sql):
        table = source["table"].lower()
        if table in known():
            found[table] = table
            if source["alias"]:
                found[source["alias"].lower()] = table
    return found


def _columns(piece: str, tables: Iterable[str]) -> list[Suggestion]:
    """Columns of some tables, each once."""
    homes: dict[str, str] = {}
    for table in tables:
        for column in known()[table]:
            homes.setdefault(column, table)
    return [Suggestion(item.text, f"column of {homes[item.text]}") for item in chosen(piece, "", homes)]


def _variables(desk: Desk) -> list[str]:
    return [name for name in desk.variables() if not name.startswith("_")]


def _named(desk: Desk, piece: str) -> list[Suggestion]:
    """Ids, actors and causes of the workspace that is meant."""
    workspace = desk.find()
    return [] if workspace is None else chosen(piece, "value", dict.fromkeys(ids.everything(workspace, piece)))
