"""How a chapter came to be: its revisions, and who gave each property of a thing its value."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from lantern_kit.cli.chapter import ComicOption, OneChapter, chosen, one
from lantern_kit.cli.place import WorkspaceOption, opened, split
from lantern_kit.cli.screen import fits, following, note, records, say, table
from lantern_kit.cli.seek import meant
from lantern_kit.cli.words import tr

SHOWN = 30
AsJson = Annotated[bool, typer.Option("--json", help="All of it, as JSON.")]


def history(
    words: OneChapter = None,
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="How many revisions at most.", show_default=f"{SHOWN}; with --json all")
    ] = None,
    drafts: Annotated[bool, typer.Option("--drafts", help="Also the revisions of its drafts.")] = False,
    actor: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of this person or agent only.", show_default=False)
    ] = None,
    cause: Annotated[
        list[str] | None,
        typer.Option(metavar="CAUSE", help="Of this cause only: edit, apply, undo …; repeatable.", show_default=False),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="From this time on, such as 2026-05-01.", show_default=False)
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Before this time.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """List a chapter's revisions, saved versions, proposals and verdicts, newest first.

    Example: lantern history chelsea 1 --drafts --actor claude-code
    """
    place, name = one(words, folder)
    with opened(place) as found:
        chapter = chosen(found, name, comic, place, "history")
        past = chapter.history(drafts=drafts, actor=actor, causes=cause or (), since=since, until=until)
        title = chapter.title
    if as_json:
        sys.stdout.write(json.dumps(past.data()[:limit], ensure_ascii=False, indent=1) + "\n")
        return
    rows = past.rows()
    say(title, style="bold")
    if not rows:
        say(tr("no revisions of that kind"))
        return
    when = past.heads.index("time")
    heads = [tr("time (UTC)") if head == "time" else tr(head) for head in past.heads]
    table(heads, ((*row[:when], row[when][:16].replace("T", " "), *row[when + 1 :]) for row in rows[: limit or SHOWN]))
    if len(rows) > (limit or SHOWN):
        note(tr("{shown} of {count} revisions; --limit shows more", shown=limit or SHOWN, count=len(rows)))


def blame(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORKSPACE] THING",
            help="The id of an object, a page or a chapter, gone ones too; or what you would call it.",
        ),
    ],
    *,
    folder: WorkspaceOption = None,
    as_json: AsJson = False,
) -> None:
    """Say who gave each property of a thing its value: in which draft, and who approved it.

    A value that an undo or a restore brought back is told with where it truly comes from.

    Example: lantern blame chelsea "page 1, balloon 2"
    """
    from lantern_kit.comic.work.blame import find_chapter, read_blame

    place, (thing,) = split(words, folder, "THING")
    with opened(place) as found:
        thing = meant(found, thing)
        told = read_blame(found, find_chapter(found, thing), thing)
    if as_json:
        sys.stdout.write(json.dumps(told.data(), ensure_ascii=False, indent=1) + "\n")
        return
    say(f"{tr(told.kind)} {told.object}" + (f" · {tr('gone')}" if told.removed is not None else ""), style="bold")
    when = told.heads.index("when")
    rows = [(*row[:when], row[when][:16].replace("T", " "), *row[when + 1 :]) for row in told.rows()]
    heads = [tr("time (UTC)") if head == "when" else tr(head) for head in told.heads]
    if fits(heads, rows):
        table(heads, rows)
    else:
        records(heads, rows)
    proposals = [item.proposal for item in told if item.proposal]
    if proposals:
        following((place.command("show", proposals[-1]), tr("read the proposal")))
