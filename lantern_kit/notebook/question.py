"""``%%lantern_sql``: a question in SQL about everything that happened, answered as a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lantern_kit.kernel.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

    from lantern_kit.workspace import Workspace

_NAMED = re.compile(r"\s*(\S+)\s*<<(?!<)")


class Question(NamedTuple):
    """What a cell asks."""

    name: str
    """The variable that is given the answer; empty where it is shown."""
    sql: str


def parse(line: str, cell: str | None) -> Question:
    """A question from the magic's line and its cell. Raises BadInput."""
    named = _NAMED.match(line)
    name, rest = ("", line) if named is None else (named[1], line[named.end() :])
    if name and not name.isidentifier():
        raise BadInput("that is no name of a variable", expected="%%lantern_sql NAME <<", found=name[:40])
    sql = "\n".join(part for part in (rest.strip(), cell or "") if part)
    if not sql.strip():
        raise BadInput(
            "no question was asked", expected="one statement, such as: select * from revisions limit 10", recovery=""
        )
    return Question(name, sql)


def ask(workspace: Workspace, sql: str, values: Mapping[str, Any]) -> DataFrame:
    """The answer as a data frame; what a person should know of the tables is printed.

    Args:
        values: the notebook's variables, for ``$name`` in the question.

    Raises:
        BadInput: the question is not right; it says where, and which names were probably meant.
        NotAllowed: it would write.
    """
    from lantern_kit.analysis import ask_frame

    def tell(notice: object) -> None:
        print(notice)  # noqa: T201  a notebook's cell is where it is read

    with workspace.analysis(notify=tell) as connection:
        return ask_frame(connection, sql, values)
