"""Errors as people read them. No traceback reaches a person who did not ask for one.

Exit codes: 0 done · 1 refused or something is wrong with the work · 2 the command was written wrongly · 70 a bug ·
130 stopped by Ctrl-C · 141 whoever read the output went away.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping
from typing import Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from lantern_kit.cli.screen import Screen, clean, leave_quietly, note
from lantern_kit.cli.seat import seat
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, LanternError, MissingDependency, in_words

REFUSED = 1
BUG = 70
STOPPED = 130
SHOWN = 8
"""How many of an error's details are printed."""


class Guarded(TyperGroup):
    """The group of all commands: what they raise becomes words and an exit code here, and nowhere else."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except LanternError as error:
            if seat() is not None:
                raise
            code = refuse(error)
        except BrokenPipeError:
            leave_quietly()
        except KeyboardInterrupt:
            note(tr("Stopped. What was finished is kept, what was not is not there."))
            code = STOPPED
        except (typer.Exit, typer.Abort, typer.TyperException, EOFError):
            raise
        except Exception as error:  # noqa: BLE001  the last place that can keep a traceback from a person
            if ctx.params.get("debug"):
                traceback.print_exc()
            if seat() is not None:
                raise told(error) from None
            code = unexpected(error)
        raise typer.Exit(code)


def refuse(error: LanternError) -> int:
    """Print a deliberate error: what is wrong, what was expected, and what to do."""
    line = Text(tr("Error: "), style="bold red").append(clean(error.message), style="bold")
    Screen(stderr=True).print(line.append(f"  [{error.code}]", style="dim"), soft_wrap=True)
    rows = {
        "expected": error.wanted,
        "found": in_words(error.found),
        "about": ", ".join(name for name in error.ids if name not in error.message),
    }
    for name, words in rows.items():
        if words and words not in error.message:
            note(f"  {tr(name)}{tr(': ')}{words}", style="")
    for line_of_detail in _details(error.details):
        note(f"  · {line_of_detail}", style="")
    if error.recovery:
        note(f"  {tr('What to do')}{tr(': ')}{error.recovery}", style="cyan")
    return REFUSED


def unexpected(error: Exception) -> int:
    """Print an error nobody raised on purpose: the machine's as such, anything else as a bug."""
    known = explained(error)
    if known is not None:
        return refuse(known)
    note(_bug(error), style="bold red")
    return BUG


def told(error: Exception) -> LanternError:
    """An error nobody raised on purpose, as one of the kit's."""
    return explained(error) or LanternError(_bug(error))


def explained(error: Exception) -> LanternError | None:
    """What the machine says, as one of the kit's errors; None for a bug."""
    while isinstance(error, ExceptionGroup):  # what asynchronous parts raise: the first of them tells
        error = error.exceptions[0]
    if isinstance(error, LanternError):
        return error
    if isinstance(error, UnicodeEncodeError) and "surrogate" in error.reason:  # bytes that the terminal passed on
        return BadInput(
            tr("the words given hold bytes that are no text"),
            expected="UTF-8",
            recovery=tr("Write them again; nothing was changed."),
        )
    library = re.search(r"lib[\w+.-]+\.so[.\d]*", str(error)) if isinstance(error, ImportError) else None
    if library is not None:
        return MissingDependency(
            tr("a system library is not installed: {name}", name=library.group()),
            recovery=tr("Run lantern doctor: it names the package that brings it."),
        )
    if isinstance(error, OSError) and error.strerror:
        where = f": {error.filename}" if error.filename else ""
        return LanternError(
            f"{error.strerror}{where}", recovery=tr("Check the path, its permissions and the disk's free space.")
        )
    return None


def _bug(error: Exception) -> str:
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return tr(
        "internal error ({kind}): this is a bug; lantern --debug before the command shows where",
        kind=type(error).__name__,
    )


def _details(details: Mapping[str, Any]) -> list[str]:
    """The parts of an error's details that people can use, one line each."""
    lines = [str(command) for command in details.get("commands", ())]
    lines += [f"{item.get('object', '')}: {item.get('message', '')}" for item in details.get("findings", ())]
    lines += [
        " ".join(str(item[key]) for key in ("revision", "cause", "actor", "message") if item.get(key))
        for item in details.get("since", ())
    ]
    lines += [
        f"{item.get('object', '')}: {item.get('property') or tr('the whole object')}"
        for item in details.get("conflicts", ())
    ]
    if len(lines) > SHOWN:
        lines[SHOWN:] = [tr("… and {count} more", count=len(lines) - SHOWN)]
    return lines
