"""Verdicts: listed, taken out as files that stand by themselves, and checked without a workspace."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.guard import REFUSED
from lantern_kit.cli.parts import without
from lantern_kit.cli.place import WorkspaceArgument, WorkspaceOption, find, opened, split
from lantern_kit.cli.screen import done, following, note, say, table
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.files import write_text

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

approvals = typer.Typer(
    name="approvals", cls=Listing, help="List verdicts, take them out as signed files, and check such files."
)


@approvals.command("list", cls=Spoken)
def list_approvals(workspace: WorkspaceArgument = None, *, folder: WorkspaceOption = None) -> None:
    """List every signed verdict, newest first.

    Example: lantern approvals chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found:
        rows = _rows(found)
    if not rows:
        say(tr("No verdict was signed yet."))
        following((place.command("proposals"), tr("see what waits for a verdict")))
        return
    heads = ("verdict", "proposal", "decided", "by", "time (UTC)", "revision", "reason", "signature")
    table([tr(head) for head in heads], rows)


@approvals.command(cls=Spoken)
def export(
    words: Annotated[list[str], typer.Argument(metavar="[WORKSPACE] PROPOSAL", help="A decided proposal such as p12.")],
    *,
    folder: WorkspaceOption = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to.", show_default="standard output")] = None,
    verdict: Annotated[
        str | None, typer.Option(metavar="VERDICT", help="Which, such as v3.", show_default="the last one")
    ] = None,
    pages: Annotated[bool, typer.Option("--pages", help="With hashes of the resulting pages' pictures.")] = False,
) -> None:
    """Take a verdict out as a signed file that another machine checks with the public key alone.

    Example: lantern approvals export chelsea p12 --out p12.json
    """
    place, (name,) = split(words, folder, "PROPOSAL")
    with opened(place) as found:
        text = found.proposals[name].certificate(verdict, pages=pages)
    if out is None:
        sys.stdout.write(text)
        return
    target = out.expanduser()
    write_text(target, text)
    key = json.loads(text)["signature"]["key"]
    done(tr("Wrote the verdict on {name} into {file}", name=name, file=target))
    following((f"lantern approvals check {target} --key {key}", tr("check it, on any machine")))


@approvals.command(cls=Spoken)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file made by approvals export.")],
    *,
    key: Annotated[
        str,
        typer.Option(
            "--key",
            metavar="KEY",
            help="The key you trust: ke_…, or its public half in hex or base64.",
            show_default=False,
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Check the file of a verdict with the public key alone; no workspace is needed.

    Example: lantern approvals check p12.json --key ke_7kq2m9x40vd1
    """
    from lantern_kit.comic.certificate import check_certificate

    try:
        text = file.expanduser().read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError as error:
        raise NotFound(
            tr("there is no file {file}", file=file),
            recovery=tr(
                "Check the path. Where the verdict was made, lantern approvals export p12 --out FILE writes it."
            ),
        ) from error
    checked = check_certificate(text, key)
    if as_json:
        sys.stdout.write(json.dumps(checked.data(), ensure_ascii=False, indent=1) + "\n")
    else:
        for line in checked.words():
            say(line)
        for problem in checked.problems:
            say(problem, style="bold red")
        if checked.sound:
            done(tr("The signature holds."))
        else:
            note(tr("Do not rely on this file: ask for it again from where it was made."), style="cyan")
    if not checked.sound:
        raise typer.Exit(REFUSED)


# parts


def _rows(found: Workspace) -> list[tuple[str, ...]]:
    from lantern_kit.comic.approvals import Approval, all_approvals, objection
    from lantern_kit.comic.choices import left_out
    from lantern_kit.comic.keychain import read_keychain
    from lantern_kit.kernel.clock import minute

    with found.journal.read() as connection:
        chain = read_keychain(connection)
        items = [item for item in all_approvals(connection) if isinstance(item, Approval)]
    rows: list[tuple[str, ...]] = []
    for item in reversed(items):
        key = chain.get(item.key)
        rows.append(
            (
                item.id,
                f"p{item.proposal}",
                " ".join(word for word in (item.verdict.value, item.mode) if word) + without(left_out(item.choices)),
                item.reviewer if key is None else key.label,
                minute(item.at),
                "" if item.result is None else f"r{item.result}",
                item.reason,
                objection(item, found.id, chain) or tr("holds"),
            )
        )
    return rows
