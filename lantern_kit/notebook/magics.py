"""The magic words of a notebook."""

from __future__ import annotations

import sys
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, line_magic, magics_class, no_var_expand

from lantern_kit.notebook import command, question
from lantern_kit.notebook.desk import Desk


def in_kernel(shell: InteractiveShell) -> bool:
    """Whether a notebook's kernel runs the shell, and not a terminal."""
    return getattr(shell, "kernel", None) is not None


@magics_class
class LanternMagics(Magics):
    """``%lantern`` and ``%%lantern_sql``."""

    def __init__(self, shell: InteractiveShell, desk: Desk) -> None:
        super().__init__(shell)
        self._here = shell
        self._desk = desk

    @line_magic
    def lantern(self, line: str) -> Any:
        """Run a command of the kit on the workspace that is open in this notebook.

        ::

          %lantern                    what there is
          %lantern show p1            as in a terminal: lantern show p1
          %lantern use PATH           the workspace that is meant from now on, by a folder or by a variable

        ``{name}`` stands for the value of a variable. The exit code is in ``_exit_code``.
        """
        done = command.run(self._desk, line, in_cell=in_kernel(self._here))
        if not isinstance(done, int):
            return done
        self._here.user_ns["_exit_code"] = done
        sys.stdout.flush()
        return None

    @no_var_expand  # $name is the question's own: a value, and no text put into it
    @line_cell_magic
    def lantern_sql(self, line: str, cell: str | None = None) -> Any:
        """Ask a question in SQL about everything that happened in the workspace; the answer is a data frame.

        ::

          %%lantern_sql
          select actor, count(*) as changes from changes group by all

          %%lantern_sql busy <<
          select * from revisions where actor = $who

        With ``NAME <<`` the answer is given to that variable and not shown; ``$name`` stands for the value of a
        variable. ``%lantern sql`` lists the tables.
        """
        asked = question.parse(line, cell)
        answer = question.ask(self._desk.need(), asked.sql, self._here.user_ns)
        if not asked.name:
            return answer
        self._here.user_ns[asked.name] = answer
        return None
