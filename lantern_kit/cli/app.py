"""All commands under one name, and the entry point."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from lantern_kit.cli import (
    activity,
    agent,
    annotation,
    approvals,
    candidate,
    card,
    chapter,
    health,
    host,
    keys,
    library,
    novel,
    novel_decide,
    novel_look,
    novel_run,
    past,
    proposal,
    query,
    review,
    script,
    seek,
    start,
    story,
    studio,
)
from lantern_kit.cli.group import Spoken
from lantern_kit.cli.guard import Guarded, unexpected
from lantern_kit.cli.screen import patient, say
from lantern_kit.kernel.progress import use

BEGIN, DECIDE, WORK, CARE = "Begin", "Decide on what agents propose", "Look and export", "Keep it well"
COLLABORATE = "Keep, choose and bring back"
NOVELS = "Write novels"

app = typer.Typer(
    name="lantern",
    cls=Guarded,
    help="Comics that people make together with AI agents: they draft, you decide, everything is kept.",
    epilog="First time? lantern demo · then: lantern init my-comic. What asks for a yes, a name or a passphrase needs a"
    " terminal; all else may be run by scripts.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PANELS: dict[str, tuple[Callable[..., None], ...]] = {
    BEGIN: (story.demo, start.init, start.begin, keys.enrol, host.connect, host.mcp, agent.agent),
    DECIDE: (proposal.proposals, studio.review, proposal.show, proposal.apply, proposal.keep, proposal.discard),
    COLLABORATE: (
        review.lock,
        review.unlock,
        review.locks,
        review.conflicts,
        review.resolve,
        review.pick,
        review.restore,
    ),
    WORK: (
        chapter.outline,
        seek.find,
        past.history,
        past.blame,
        chapter.check,
        chapter.export,
        script.script,
        card.card,
        activity.activity,
        query.sql,
        studio.lab,
    ),
    CARE: (health.verify, health.doctor),
}
for panel, commands in PANELS.items():
    for command in commands:
        app.command(cls=Spoken, rich_help_panel=panel)(command)
app.add_typer(keys.keys, rich_help_panel=DECIDE)
app.add_typer(approvals.approvals, rich_help_panel=DECIDE)
app.command(cls=Spoken, rich_help_panel=COLLABORATE)(annotation.annotate)
app.add_typer(annotation.notes, rich_help_panel=COLLABORATE)
app.add_typer(candidate.candidates, rich_help_panel=COLLABORATE)
app.add_typer(library.library, rich_help_panel=COLLABORATE)
for deed in (
    *(novel_decide.instruct, novel_decide.pause, novel_decide.stop, novel_decide.resume, novel_decide.update),
    *(novel_decide.free, novel_decide.approve, novel_decide.configure, novel_run.run),
):
    novel.novel.command(cls=Spoken)(deed)
novel.novel.command("export", cls=Spoken)(novel_run.export_novel)
for look in (novel_look.search, novel_look.facts, novel_look.history, novel_look.rebuild):
    novel.novel.command(cls=Spoken)(look)
app.add_typer(novel.novel, rich_help_panel=NOVELS)


def _version(*, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        say(f"lantern-kit {version('lantern-kit')}")
        raise typer.Exit


@app.callback()
def everywhere(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Say the version.", is_eager=True, callback=lambda value: _version(wanted=value)
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an internal error happened.")] = False,
) -> None:
    """What every command understands; ``debug`` is read where errors become words."""
    del version, debug


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a character shows its number
    use(patient)
    try:
        app()
    except Exception as error:  # noqa: BLE001  raised outside any command: before it began, or while it was closing
        with contextlib.suppress(OSError):
            sys.exit(unexpected(error))
