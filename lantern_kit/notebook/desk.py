"""Which workspace is meant in a notebook: the one that was named, the one that is open in it, or the one it lies in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from IPython.core.interactiveshell import InteractiveShell

from lantern_kit.kernel.errors import BadInput, NotFound

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

JOURNAL = "journal.sqlite"


class Desk:
    """The workspaces of one notebook."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._chosen: Workspace | None = None
        self._opened: dict[Path, Workspace] = {}

    def names(self) -> dict[str, Workspace]:
        """The open workspaces of the notebook, by the variables that hold them."""
        home = sys.modules.get("lantern_kit.workspace")
        if home is None:
            return {}
        return {
            name: value
            for name, value in self._shell.user_ns.items()
            if not name.startswith("_") and isinstance(value, home.Workspace)
        }

    def variables(self) -> list[str]:
        """Names of the notebook's variables."""
        return list(self._shell.user_ns)

    def find(self) -> Workspace | None:
        """The workspace that is meant; None where there is none.

        Raises:
            BadInput: several are open, and none was chosen.
        """
        if self._chosen is not None:
            return self._chosen
        names = self.names()
        different = {id(item): item for item in names.values()}
        if len({item.path for item in different.values()}) > 1:
            raise BadInput(
                "several workspaces are open here",
                expected=sorted(names),
                recovery=f"Choose one: %lantern use {min(names)}",
            )
        if different:
            return next(iter(different.values()))
        here = Path.cwd()
        around = next((folder for folder in (here, *here.parents) if (folder / JOURNAL).is_file()), None)
        return None if around is None else self._open(around)

    def held(self, folder: Path) -> Workspace | None:
        """The workspace of a folder, where it is open here already."""
        path = folder.expanduser().resolve()
        return next((item for item in (*self.names().values(), *self._opened.values()) if item.path == path), None)

    def need(self) -> Workspace:
        """The workspace that is meant. Raises NotFound where there is none, BadInput where there are several."""
        found = self.find()
        if found is None:
            raise NotFound(
                "no workspace is open here, and this folder is not inside one",
                recovery="Open one: ws = lantern_kit.open_workspace(PATH), or %lantern use PATH",
            )
        return found

    def use(self, word: str) -> Workspace:
        """Choose the workspace that is meant from now on, by a variable or a folder. Raises NotFound, BadInput."""
        chosen = self.names().get(word)
        self._chosen = self._open(Path(word)) if chosen is None else chosen
        return self._chosen

    def close(self) -> None:
        """Close what was opened here."""
        self._chosen = None
        while self._opened:
            self._opened.popitem()[1].close()

    def _open(self, folder: Path) -> Workspace:
        from lantern_kit.folders import require_workspace
        from lantern_kit.workspace import open_workspace

        path = require_workspace(folder).resolve()
        found = self.held(path)
        if found is None:
            found = self._opened[path] = open_workspace(path)
        return found
