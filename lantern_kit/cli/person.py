"""The person at the terminal: questions, a plain yes, and passphrases, which are never taken from anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import typer

from lantern_kit.asking import typed
from lantern_kit.cli.guard import REFUSED
from lantern_kit.cli.screen import Screen, clean, note
from lantern_kit.cli.seat import in_cell
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import LanternError, NotAllowed

Answer = TypeVar("Answer")
SHORTEST = 8
TRIES = 3


def is_here() -> bool:
    """Whether somebody types: at a terminal's standard input, or in a notebook."""
    return in_cell() or sys.stdin.isatty()


def require(deed: str, recovery: str | None = None) -> None:
    """Refuse unless a person sits at a terminal. Raises NotAllowed; without a recovery it names a notebook too."""
    if not is_here():
        raise NotAllowed(
            tr("{deed} needs a person at a terminal, and standard input is not one", deed=deed),
            expected=tr("a terminal"),
            found=tr("a pipe or a file"),
            recovery=recovery or tr("Run it in a terminal, or do it in a notebook."),
        )


def ask(question: str, default: str, read: Callable[[str], Answer]) -> Answer:
    """Ask until ``read`` takes the answer; an empty one means the default."""
    while True:
        answer = _line(f"{question} [{default}]: ").strip() or default
        try:
            return read(answer)
        except LanternError as error:
            expected = "" if error.expected is None else f" ({tr('expected')}: {_listed(error.expected)})"
            note(f"{error.message}{expected}", style="yellow")


def answer(given: str | None, question: str, default: str, read: Callable[[str], Answer]) -> Answer:
    """What an option said, else what the person says, else the default when nobody is there to be asked."""
    if given is not None:
        return read(given)
    if is_here():
        return ask(question, default, read)
    return read(default)


def name(text: str) -> str:
    """A person's name. Raises BadInput."""
    from lantern_kit.kernel.actor import Actor

    return Actor.person(text).name


def agrees(question: str) -> bool:
    """A plain yes or no; anything but a yes is a no."""
    return _line(f"{question} [y/N]: ").strip().lower() in {"y", "yes", "是", "好"}


def must_agree(question: str) -> None:
    """Go on only with a yes; anything else ends the command, and nothing is changed."""
    if not agrees(question):
        note(tr("Nothing was changed."))
        raise typer.Exit(REFUSED)


def types(question: str) -> str:
    """What the person types, without blanks at its ends."""
    return _line(f"{question}: ").strip()


def new_passphrase(name: str) -> str:
    """A passphrase, typed twice and alike. Raises NotAllowed after some tries."""
    for _ in range(TRIES):
        first = typed(tr("New passphrase for {name}'s key: ", name=name))
        if len(first) < SHORTEST:
            note(tr("It needs at least {count} characters.", count=SHORTEST), style="yellow")
        elif typed(tr("The same again: ")) != first:
            note(tr("The two differ."), style="yellow")
        else:
            return first
    raise NotAllowed(tr("no passphrase was agreed on"), recovery=tr("Nothing was made; run the command again."))


def _line(prompt: str) -> str:
    if in_cell():
        return _answered(prompt)
    Screen(stderr=True).print(clean(prompt), end="")
    line = sys.stdin.readline()
    if not line:
        raise typer.Abort
    return line.rstrip("\n")


def _answered(prompt: str) -> str:
    """What a person answers in a notebook's front end. Raises NotAllowed where it cannot ask."""
    try:
        return input(clean(prompt))
    except (EOFError, NotImplementedError) as error:
        raise NotAllowed(
            tr("nobody can be asked here"),
            recovery=tr("Run it in a notebook that a person has open, or in a terminal."),
        ) from error


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
