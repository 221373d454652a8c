"""Folders of workspaces: what lies in them, which one is meant, where one may be made."""

from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path

from lantern_kit.kernel.errors import NotFound, WrongState, nearest

FOLDERS = ("blobs", "inbox", "exports", "notebooks")
DEMO_KEYS = ".demo-key"
"""Where the demo's key lies, in its own workspace: it proves nothing, and never mixes with a person's keys."""


def require_workspace(path: str | Path) -> Path:
    """A folder that is a workspace. Raises NotFound, which names the nearest one there is."""
    folder = Path(path).expanduser()
    if _is_workspace(folder):
        return folder
    close = _near(folder)
    fresh = shlex.quote(str(path)) if not folder.exists() else "my-comic"
    raise NotFound(
        f"{folder.name or folder} is not a workspace",
        expected="a folder with journal.sqlite",
        recovery=f"Nearest: {shlex.quote(str(close))}"
        if close is not None
        else f"Give the path to its folder; a new one is made with: lantern init {fresh}",
    )


def _is_workspace(folder: Path) -> bool:
    try:
        return (folder / "journal.sqlite").is_file()
    except (OSError, ValueError):  # a name that no system can take
        return False


def _near(folder: Path) -> Path | None:
    """The workspace that was probably meant: round the folder, in it, or beside it under a like name."""
    for above in folder.parents:
        if _is_workspace(above):
            return above
    for place, alike in ((folder, False), (folder.parent, True)):
        try:
            inside = {item.name: item for item in islice(place.iterdir(), 1_000) if _is_workspace(item)}
        except (OSError, ValueError):
            continue
        close = nearest(folder.name, inside, 1) if alike or len(inside) > 1 else list(inside)
        if close:
            return inside[close[0]]
    return None


def require_free(path: str | Path) -> Path:
    """A folder in which a workspace can be made: new or empty. Raises WrongState."""
    folder = Path(path).expanduser()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise in_use(folder)
    return folder


def in_use(folder: Path) -> WrongState:
    """What is said of a folder that is not free."""
    return WrongState(
        f"{folder.name} exists and is not empty",
        recovery="Choose a new folder, or open this one if it is a workspace.",
    )


def shipped_notebooks() -> list[Path]:
    """The kit's notebooks: beside the package in a checkout, inside it in a wheel."""
    package = Path(__file__).parent
    for folder in (package / "_notebooks", package.parent / "notebooks"):
        if folder.is_dir():
            return sorted(folder.glob("*.ipynb"))
    return []
