"""``%lantern``: the command line, run in the notebook's own process on the workspace that is open in it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from lantern_kit.cli.seat import Seat, seated
from lantern_kit.kernel.errors import BadInput, NotAllowed

if TYPE_CHECKING:
    from lantern_kit.notebook.desk import Desk
    from lantern_kit.workspace import Workspace

PROGRAM = "%lantern"
_LATER = "a notebook runs nothing else as long as it does"
ELSEWHERE = {
    "mcp": (f"it serves an agent's host until that ends, and {_LATER}", "In a terminal: lantern mcp."),
    "lab": (f"it serves until it is stopped, and {_LATER}", "In a terminal: lantern lab."),
    "review": (
        f"it serves until it is stopped, and {_LATER}",
        "Here, a proposal is reviewed as a cell's last line: ws.proposals['p1']. Or in a terminal: lantern review.",
    ),
    "demo": ("it runs programs and a notebook of its own", "In a terminal: lantern demo."),
}
"""Commands that need a process of their own: why, and what to do instead."""


def split(line: str) -> list[str]:
    """The words of a line, as a shell would take them. Raises BadInput."""
    try:
        return shlex.split(line)
    except ValueError as error:
        raise BadInput(f"the words cannot be told apart: {str(error).lower()}", recovery="Close the quotes.") from error


def run(desk: Desk, line: str, *, in_cell: bool) -> Workspace | int:
    """Run a command; gives its exit code, and of ``use`` the workspace.

    Raises:
        LanternError: what the command would have printed as its error.
    """
    words = split(line)
    if words[:1] == ["use"]:
        return _use(desk, words[1:])
    name = next((word for word in words if not word.startswith("-")), "")
    if name in ELSEWHERE:
        why, recovery = ELSEWHERE[name]
        raise NotAllowed(f"lantern {name} has no place in a notebook's cell: {why}", recovery=recovery)
    import typer
    from typer.main import get_command

    from lantern_kit.cli.app import app

    with seated(Seat(PROGRAM, desk.find, desk.held, in_cell=in_cell)):
        try:
            code = get_command(app).main(args=words or ["--help"], prog_name=PROGRAM, standalone_mode=False)
        except typer.TyperException as error:
            usage = getattr(error, "ctx", None)
            path = PROGRAM if usage is None else usage.command_path
            raise BadInput(_sentence(error), recovery=f"{path} --help says how it is written.") from None
        except typer.Abort:
            raise NotAllowed("it was broken off", recovery="Nothing was changed; run it again.") from None
    return code if isinstance(code, int) else 0


def _use(desk: Desk, words: list[str]) -> Workspace:
    if len(words) > 1:
        raise BadInput(
            "one workspace is used at a time", expected=f"{PROGRAM} use WORKSPACE", found=f"{len(words)} words"
        )
    return desk.use(words[0]) if words else desk.need()


def _sentence(error: Exception) -> str:
    words = getattr(error, "format_message", lambda: str(error))()
    return str(words).strip().rstrip(".") or type(error).__name__
