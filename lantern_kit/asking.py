"""How a person is asked for a passphrase: at a terminal or in a notebook, and nowhere else."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable

from lantern_kit.kernel.errors import NotAllowed

Ask = Callable[[str], str]
"""Asks a person that question, and gives the passphrase that they typed."""


def typed(question: str) -> str:
    """The passphrase that a person types at a terminal or in a notebook; it comes from nowhere else.

    Raises NotAllowed when nobody can be asked, or nobody answers.
    """
    if not (_at_terminal() or _in_notebook()):
        raise NotAllowed(
            "a passphrase is typed by a person, and standard input is not a terminal",
            expected="a terminal or a notebook",
            found="a pipe or a file",
            recovery="Decide in a terminal or a notebook.",
        )
    try:
        return getpass.getpass(question)
    except (EOFError, NotImplementedError) as error:  # the latter where a front end has no way to ask
        raise NotAllowed(
            "no passphrase was typed", recovery="Nothing was changed; decide in a terminal or a notebook."
        ) from error


def _at_terminal() -> bool:
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs this: then getpass asks in the person's front end, whatever standard input is."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def user() -> str:
    """The name under which the person uses this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "owner"
