"""The built code of the browser halves, as the wheel carries it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lantern_kit.kernel.errors import MissingDependency

FOLDER = Path(__file__).parent.parent / "static"


@dataclass(frozen=True)
class Bundle:
    """The code of all widgets."""

    loader: str
    """What travels in every widget's state: it asks for the rest."""
    code: bytes
    digest: str
    """Of the code: a browser page loads each build once."""


@cache
def bundle() -> Bundle:
    """The code, read once a process. Raises MissingDependency when it was never built."""
    try:
        loader = (FOLDER / "loader.js").read_text(encoding="utf-8")
        code = (FOLDER / "widgets.js").read_bytes()
    except FileNotFoundError as error:
        raise MissingDependency(
            "the browser halves of the widgets were not built",
            expected="static/loader.js and static/widgets.js in the package",
            recovery="In a checkout run: make widgets. Anywhere else install the kit again; its wheel carries them.",
        ) from error
    return Bundle(loader, code, hashlib.sha256(code).hexdigest()[:16])
