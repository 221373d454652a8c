"""Where people sit: JupyterLab on the workspace's notebooks, and the review in a browser."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlencode

import typer

from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, is_workspace, opened
from lantern_kit.cli.screen import following, note, say
from lantern_kit.cli.words import tr
from lantern_kit.home import write_own
from lantern_kit.kernel.errors import MissingDependency, NotFound

REVIEW = "02-review.ipynb"
_PROPOSAL = re.compile(r"p\d{1,9}")

_LEAD = """\
<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={link}"><a href="{link}">{link}</a>
"""
"""A file that leads the browser in: an address with a token, given on a command line, is seen by all who list them."""

PortOption = Annotated[
    int | None, typer.Option("--port", min=1, max=65535, help="The port to listen on.", show_default="a free one")
]
NoBrowserOption = Annotated[bool, typer.Option("--no-browser", help="Print the address, open nothing.")]


def lab(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    port: PortOption = None,
    no_browser: NoBrowserOption = False,
) -> None:
    """Open JupyterLab on the workspace's notebooks.

    The kit's own notebooks are copied into the workspace first; those that are there stay as they are.
    Listens on this machine only, behind a token, as Jupyter does. Ctrl-C ends it.

    Example: lantern lab chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found:
        copied, title, name = found.copy_notebooks(), found.title, found.id
        notebooks = found.path / "notebooks"
    try:
        from lantern_kit.studio.lab import runs_as_root, serve_lab
    except ImportError as error:
        raise _missing("JupyterLab", error) from error
    if copied:
        note(tr("Copied into notebooks/: {names}", names=", ".join(item.name for item in copied)))
    if runs_as_root():
        note(tr("You are root here, which Jupyter refuses by itself: it is started with --allow-root."))

    def announce(address: str) -> None:
        say(tr("JupyterLab for {title}: {address}", title=title, address=address))
        note(tr("Ctrl-C ends it."))

    first = min((item.name for item in copied), default="")
    serve_lab(notebooks, name=name, port=port, browser=not no_browser, first=first, announce=announce)
    note(tr("JupyterLab has ended."))


def review(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORKSPACE] [PROPOSAL]",
            help="A proposal such as p12, and its workspace if need be. Without a proposal: the newest that waits.",
            show_default=False,
        ),
    ] = None,
    *,
    folder: WorkspaceOption = None,
    port: PortOption = None,
    no_browser: NoBrowserOption = False,
    theme: Annotated[
        Literal["auto", "light", "dark"], typer.Option(help="How the page looks; auto is as the browser prefers.")
    ] = "auto",
) -> None:
    """Look at a proposal in the browser, before and after, and decide on it.

    Serves the review as an app on this machine only; the link that is printed lets your browser in, and it stays
    let in. While it runs, agents pass on links to it. Ctrl-C ends it. In a terminal instead: lantern show.

    Example: lantern review chelsea p12
    """
    place, proposal = _meant(words, folder)
    with opened(place) as found:
        if proposal:
            found.proposals[proposal]  # raises NotFound
        running = found.review_site()
        title, name, config = found.title, found.id, found.config
        notebooks = found.path / "notebooks"
        notebooks.mkdir(exist_ok=True)
    if running is not None and port is None:
        link = running.link(proposal)
        say(tr("The review of {title} runs already: {address}", title=title, address=link))
        note(tr("If it asks for a token: the terminal in which it was started shows it."))
        if not no_browser:
            _open(link)
        return
    try:
        from lantern_kit.studio.app import serve_review
    except ImportError as error:
        raise _missing("Voilà", error) from error
    from lantern_kit.folders import shipped_notebooks
    from lantern_kit.review_site import announced

    notebook = next((item for item in shipped_notebooks() if item.name == REVIEW), None)
    if notebook is None:
        raise NotFound(
            tr("the review notebook is not installed"), expected=REVIEW, recovery=tr("Install Lantern Kit again.")
        )
    with contextlib.ExitStack() as until_the_end:

        def announce(address: str, token: str) -> None:
            until_the_end.enter_context(announced(config, name, address))
            asked = {"proposal": proposal, "token": token} if proposal else {"token": token}
            link = f"{address}?{urlencode(asked)}"
            say(tr("Review of {title}: {address}", title=title, address=link))
            note(tr("The link lets in whoever has it. Ctrl-C ends the review."))
            if not no_browser:
                lead = config / "review" / f"{name}.html"
                until_the_end.callback(lead.unlink, missing_ok=True)
                write_own(lead, _LEAD.format(link=escape(link)))
                _open(lead.as_uri())

        heading = tr("Review · {title}", title=title)
        serve_review(notebook, notebooks, title=heading, announce=announce, port=port, theme=theme)
    note(tr("The review has ended."))
    following((place.command("proposals"), tr("see what waits for a verdict")))


def _meant(words: Sequence[str] | None, folder: Path | None) -> tuple[Place, str]:
    """The workspace, and the proposal or nothing, in whichever order they were said. Raises a usage error."""
    given = list(words or ())
    proposals = [word for word in given if _PROPOSAL.fullmatch(word) and not is_workspace(word)]
    others = [word for word in given if word not in proposals]
    if len(proposals) > 1 or len(others) > 1:
        raise typer.BadParameter(
            tr("expected {wanted}, got {count} words", wanted="[WORKSPACE] [PROPOSAL]", count=len(given))
        )
    return find(Path(others[0]) if others else None, folder), "".join(proposals)


def _open(address: str) -> None:
    """Open an address in the person's browser, beside whatever is going on here; say so if there is none."""
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        note(tr("No browser was found here: open the address yourself."))
        return
    threading.Thread(target=browser.open, args=(address,), daemon=True).start()


def _missing(name: str, error: ImportError) -> MissingDependency:
    return MissingDependency(
        tr("{name} is not installed as it should be", name=name),
        found=str(error),
        recovery=tr("Run lantern doctor: it says what to install."),
    )
