"""What is printed: results on standard output; questions, progress and errors beside it on standard error."""

from __future__ import annotations

import os
import re
import sys
import threading
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from lantern_kit.cli.seat import in_cell
from lantern_kit.cli.words import tr
from lantern_kit.home import own_language
from lantern_kit.kernel.progress import Progress, quiet, reporting
from lantern_kit.widgets.progress_words import spoken

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

BROKEN_PIPE = 141
"""As the shell says it of a program whose reader went away: 128 + SIGPIPE."""
WIDE = 1_000
"""Columns of an output that is no terminal: nothing is folded for a program that reads it."""
PATIENCE = 1.0
"""Seconds that an action may take before its bar is shown, where no command asked for one."""
CELL = 110
"""Columns of a notebook's cell."""
_LEAD = re.compile(r" *(?:[·-] )?")
_WORD = re.compile(r"[^ ]+")
_JOINERS = "\u200c\u200d"


class Screen(Console):
    """A rich console that takes every text literally and leaves quietly when its reader went away."""

    def __init__(self, *, stderr: bool = False) -> None:
        if in_cell():  # one stream, with colours: what a cell prints on standard error looks like a failure
            super().__init__(
                force_jupyter=False, color_system="standard", width=CELL, markup=False, highlight=False, emoji=False
            )
            return
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False)
        if not self.is_terminal:
            self.width = WIDE

    def on_broken_pipe(self) -> None:
        """Leave quietly."""
        leave_quietly()


def leave_quietly() -> None:
    """End the process without a word: whoever read its output went away."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())  # the interpreter flushes once more as it ends
    raise SystemExit(BROKEN_PIPE)


def clean(text: str) -> str:
    """Text that cannot steer a terminal: escape codes and direction marks are shown instead of obeyed."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable()
        or character == "\n"
        or character in _JOINERS
        or unicodedata.category(character) == "Zs"
        else character.encode("unicode_escape").decode()
        for character in text
    )


def say(text: str = "", *, style: str = "") -> None:
    """Print a result."""
    _print(Screen(), Text(clean(text), style=style))


def note(text: str, *, style: str = "dim") -> None:
    """Print a remark beside the result."""
    _print(Screen(stderr=True), Text(clean(text), style=style))


def _print(screen: Screen, text: Text) -> None:
    """Print lines; a terminal's are broken between words, and go on as far in as they began."""
    with _still():
        if screen.is_terminal:
            for line in text.split("\n", allow_blank=True):
                for part in folded(line, screen.width):
                    screen.print(part, soft_wrap=True)
        else:
            screen.print(text, soft_wrap=True)


def folded(line: Text, width: int) -> list[Text]:
    """A line as the lines that a terminal has room for, broken at spaces alone; a longer word stays whole."""
    if line.cell_len <= width:
        return [line]
    inset = len(_LEAD.match(line.plain)[0])  # type: ignore[index]  # it matches anything, if only nothing
    cuts, start, room = [], 0, width
    for word in _WORD.finditer(line.plain, inset):
        if cell_len(line.plain[start : word.end()]) > room and word.start() > max(start, inset):
            start, room = word.start(), width - inset
            cuts.append(start)
    parts = list(line.divide(cuts))
    for part in parts:
        part.rstrip()
    return [parts[0], *(Text(" " * inset).append(part) for part in parts[1:])]


def done(text: str) -> None:
    """Print what was changed."""
    say(text, style="green")


def following(*commands: tuple[str, str]) -> None:
    """Print what to do next: pairs of a command and what it does."""
    width = max((len(command) for command, _ in commands), default=0)
    say()
    say(tr("Next:"), style="bold")
    for command, what in commands:
        line = Text("  ").append(clean(command), style="cyan").append(" " * (width - len(command) + 3) + clean(what))
        with _still():
            Screen().print(line, soft_wrap=True)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, styles: Sequence[str] = ()) -> None:
    """Print rows under heads; ``styles`` are the rows' own, in order. Nothing is cut off: long cells are folded."""
    columns = [Column(clean(head), overflow="fold", no_wrap=not place) for place, head in enumerate(heads)]
    made = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for place, row in enumerate(rows):
        made.add_row(*(Text(clean(cell)) for cell in row), style=styles[place] if place < len(styles) else None)
    with _still():
        Screen().print(made)


def records(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows one below the other, a line for each cell."""
    screen = Screen()
    width = max(cell_len(clean(head)) for head in heads)
    for number, row in enumerate(rows, 1):
        screen.print(Text(f"─ {number} ", style="dim"))
        for head, cell in zip(heads, row, strict=True):
            name = clean(head)
            line = Text(name + " " * (width - cell_len(name) + 2), style="bold").append(clean(cell), style="not bold")
            screen.print(line, soft_wrap=True)


def fits(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> bool:
    """Whether a table of these cells has room beside each other, without folding."""
    widths = [cell_len(clean(head)) for head in heads]
    for row in rows:
        widths = [max(width, cell_len(clean(cell))) for width, cell in zip(widths, row, strict=True)]
    return sum(widths) + len(widths) - 1 <= Screen().width


_moving: list[Bar] = []
"""The bar on the screen, if there is one."""


@contextmanager
def _still() -> Iterator[None]:
    """Take the moving bar off the screen while something else is printed, so that nothing of it is left behind."""
    for bar in _moving:
        bar.stop()
    try:
        yield
    finally:
        for bar in _moving:
            bar.start()


@contextmanager
def working(what: str) -> Iterator[Progress]:
    """Show on a terminal, or under a notebook's cell, how far a longer work has come, until the block ends."""
    screen = Screen(stderr=True)
    if in_cell() or not screen.is_terminal:  # a cell says it is a terminal, but a bar leaves its traces in one
        with reporting(None, what) as tell:
            yield tell
        return
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    bar = Bar(*columns, TimeElapsedColumn(), console=screen, transient=True, redirect_stdout=False)
    with bar, _moved(bar):
        task = bar.add_task(clean(what), total=None)

        def step(part: str, finished: int, total: int) -> None:
            words = f"{what}{tr(': ')}{_own(part)}" if part else what
            bar.update(task, description=clean(words), completed=finished, total=total or None)

        yield step


@contextmanager
def patient(doing: str) -> Iterator[Progress]:
    """The same for an action that nobody here waited for: on a terminal, and once it takes more than a second."""
    if threading.current_thread() is not threading.main_thread() or not Screen(stderr=True).is_terminal:
        yield quiet
        return
    due = time.monotonic() + PATIENCE
    with ExitStack() as stack:
        shown: Progress | None = None

        def step(part: str, finished: int, total: int) -> None:
            nonlocal shown
            if shown is None and time.monotonic() >= due:
                shown = stack.enter_context(working(_own(doing)))
            if shown is not None:
                shown(part, finished, total)

        yield step


def _own(words: str) -> str:
    """What the kit says of an action, in the process's language."""
    return spoken(words).zh if own_language() == "zh" else words


@contextmanager
def _moved(bar: Bar) -> Iterator[None]:
    _moving.append(bar)
    try:
        yield
    finally:
        _moving.remove(bar)
