"""The demo: the whole story in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lantern_kit.cli.place import program
from lantern_kit.cli.screen import say


def demo(
    path: Annotated[Path, typer.Argument(metavar="[PATH]", help="The folder to make; it must be new or empty.")] = Path(
        "lantern-demo"
    ),
    *,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove an earlier demo in that folder first; anything else is left alone.")
    ] = False,
    no_notebook: Annotated[bool, typer.Option("--no-notebook", help="Do not run the first notebook.")] = False,
) -> None:
    """Play the whole story once: an agent drafts, a verdict applies, a book comes out.

    A real MCP client drafts a mini-comic, looks at its pages, mends them and proposes. The verdict is signed
    with a demo key, which has no passphrase and proves nothing; a second proposal is left for you to decide on.
    Needs no network, and about a minute.

    Example: lantern demo
    """
    from lantern_kit.demo import run_demo

    run_demo(path, say, fresh=fresh, notebook=not no_notebook, program=program())
