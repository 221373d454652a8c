"""Which workspace a command means."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli.seat import seat
from lantern_kit.cli.words import tr
from lantern_kit.home import config_folder
from lantern_kit.kernel.errors import NotFound

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

NAME = "lantern"
JOURNAL = "journal.sqlite"

WorkspaceArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="[WORKSPACE]",
        help="The workspace's folder. Left out: the current folder, or the nearest one above it that is a workspace.",
        show_default=False,
    ),
]
WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "--workspace", "-w", metavar="FOLDER", help="The workspace's folder, said as an option.", show_default=False
    ),
]


@dataclass(frozen=True)
class Place:
    """A workspace folder, and how the person named it."""

    path: Path
    given: str = ""
    """Empty when it was found from the current folder."""

    def command(self, name: str, *operands: str, before: str = "") -> str:
        """A command on this workspace, as the person would type it here; ``before`` stands before the workspace."""
        words = [program(), name, before, self.given, *operands]
        return shlex.join(word for word in words if word)


def program() -> str:
    """This program as a person can type it here: by its name where the shell finds it, else as they did."""
    taken = seat()
    if taken is not None:
        return taken.program
    typed = Path(sys.argv[0])
    if typed.name != NAME:
        return NAME
    found = shutil.which(NAME)
    if found is not None and Path(found).resolve() == typed.resolve():
        return NAME
    try:
        return str(typed.absolute().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(typed)


def is_workspace(word: str) -> bool:
    """Whether a word on the command line names a workspace's folder."""
    try:
        return (Path(word).expanduser() / JOURNAL).is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def find(argument: Path | None, option: Path | None = None) -> Place:
    """The workspace that is meant. Raises NotFound, and a usage error when it is named twice."""
    if argument is not None and option is not None:
        raise typer.BadParameter(tr("the workspace is named twice: {one} and {two}", one=argument, two=option))
    given = argument or option
    if given is not None:
        return _known(given) or Place(given, str(given))
    taken = seat()
    meant = None if taken is None else taken.meant()
    if meant is not None:
        return Place(meant.path)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / JOURNAL).is_file():
            return Place(folder)
    raise NotFound(
        tr("no workspace is named, and this folder is not inside one"),
        expected=tr("{journal} here or in a folder above", journal=JOURNAL),
        recovery=tr(
            "Name the workspace, go into its folder, or make one: lantern init my-comic, or with --novels for novels"
        ),
    )


def _known(given: Path) -> Place | None:
    """A workspace that lies elsewhere, by its mere name, where a host of this project was connected to it.

    Agents tell a person the name of a workspace and never its path; its command is to work where the host runs.
    """
    if given.name != str(given) or given.exists():
        return None
    from lantern_kit.mcp_server.connected import connected

    found = [path for path in connected(Path.cwd()) if path.name == given.name and is_workspace(str(path))]
    return Place(found[0], str(found[0])) if len(found) == 1 else None


def split(words: Sequence[str] | None, option: Path | None, *operands: str) -> tuple[Place, list[str]]:
    """The workspace and the operands out of ``[WORKSPACE] OPERANDS…``. Raises a usage error when the count is wrong."""
    given = list(words or ())
    if len(given) == len(operands):
        return find(None, option), given
    if len(given) == len(operands) + 1:
        return find(Path(given[0]), option), given[1:]
    raise typer.BadParameter(
        tr("expected {wanted}, got {count} words", wanted=" ".join(("[WORKSPACE]", *operands)), count=len(given))
    )


def named(words: Sequence[str] | None, option: Path | None, operand: str) -> tuple[Place, str | None]:
    """The workspace and what is meant in it, out of ``[WORKSPACE] OPERAND``; None where only the workspace is named."""
    given = list(words or ())
    if not given:
        return find(None, option), None
    if len(given) == 1 and option is None and is_workspace(given[0]):
        return find(Path(given[0])), None
    try:
        place, (name,) = split(given, option, operand)
    except NotFound:
        elsewhere = _known(Path(given[0]))
        if elsewhere is None:
            raise
        return elsewhere, None
    return place, name


@contextmanager
def opened(place: Place, *, roots: Sequence[Path] = ()) -> Iterator[Workspace]:
    """The workspace, open for the block; one that is open where the command runs stays open."""
    from lantern_kit.workspace import open_workspace

    taken = seat()
    held = None if taken is None or roots else taken.held(place.path)
    if held is not None:
        yield held
        return
    with open_workspace(place.path, config=config_folder(), roots=roots) as workspace:
        yield workspace
