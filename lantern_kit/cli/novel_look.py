"""What a novel holds, at the shell: how it came to be, what is true in it, and where words stand."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli.novel import OneNovel, meant
from lantern_kit.cli.novel_words import author_name, command, why
from lantern_kit.cli.place import WorkspaceOption, is_workspace, named, opened
from lantern_kit.cli.screen import done, following, note, say, table
from lantern_kit.cli.words import counted, tr
from lantern_kit.home import own_language
from lantern_kit.kernel.clock import minute

if TYPE_CHECKING:
    from lantern_kit.novel.model import PlanRevision
    from lantern_kit.novel.whole import Novel
    from lantern_kit.novel.work.history import NovelStep
    from lantern_kit.novel.work.novel import NovelWork

SHOWN = 30
AsJson = Annotated[bool, typer.Option("--json", help="All of it, as JSON.")]


def history(
    words: OneNovel = None,
    *,
    folder: WorkspaceOption = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="How many revisions at most.", show_default=f"{SHOWN}; with --json all")
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="Also how the kit accounted for each turn.")] = False,
    plans: Annotated[
        bool, typer.Option("--outline", help="Instead: the revisions of its outline, and what each changed.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List a novel's revisions, newest first: what was written, asked for and decided. Each can be exported.

    Example: lantern novel history chelsea "The Lamp"
    """
    if plans and (whole or as_json):
        raise typer.BadParameter(tr("--outline goes with no --all and no --json"))
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "history")
        title = held.title
        revised = list(reversed(held.outline.revisions))
        shown = limit or (sys.maxsize if as_json else SHOWN)
        steps = [] if plans else _newest(held, shown, whole=whole or as_json)
    if as_json:
        sys.stdout.write(json.dumps([step.data() for step in steps[:shown]], ensure_ascii=False, indent=1) + "\n")
        return
    say(title, style="bold")
    if plans:
        _plans(revised[:shown])
    else:
        heads = ("revision", "time (UTC)", "who", "what", "about")
        table([tr(head) for head in heads], (_row(step) for step in steps[:shown]))
    if len(revised if plans else steps) > shown:
        note(tr("Older ones are not shown; --limit shows more."))
    written = next((step for step in steps[:shown] if step.characters is not None), None)
    if written is not None:
        back = command(place, "export", held.id, "--revision", written.id)
        following((back, tr("have it as it was then")))


def search(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORKSPACE] [NOVEL] WORDS", help="What is looked for, in quotes: all of it.", show_default=False
        ),
    ],
    *,
    folder: WorkspaceOption = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="Only there: prose, event, state, relation, knowledge, variable, foreshadow; or lore, what its books"
            " say. May be repeated.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many at most.")] = 20,
) -> None:
    """Find words in what is written and in what it makes true, best first, each with its paragraph.

    Example: lantern novel search chelsea "The Lamp" "brass token"
    """
    given = list(words)
    text = given.pop()
    if not text.strip() or (not given and is_workspace(text)):
        raise typer.BadParameter(tr("say what to find too: {example}", example='lantern novel search "brass token"'))
    place, name = named(given, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "search", text)
        hits = held.search(text, kinds=kinds or None, limit=limit)
        novel = held.moment.novel
        rows = [
            (tr(hit.kind.value), _chapter(novel, hit.chapter), str(hit.source or hit.entry or ""), hit.snippet)
            for hit in hits
        ]
    _table(("kind", "chapter", "where", "words"), rows, tr("Nothing holds these words."))


def facts(
    words: OneNovel = None,
    *,
    folder: WorkspaceOption = None,
    kind: Annotated[
        str | None,
        typer.Option(
            metavar="KIND", help="Only event, state, relation, knowledge, variable or foreshadow.", show_default=False
        ),
    ] = None,
    about: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only of this person or variable.", show_default=False)
    ] = None,
) -> None:
    """List what is true by what is written: events, how people are and what they know, each with its paragraph.

    Example: lantern novel facts chelsea "The Lamp" --about Mira
    """
    from lantern_kit.novel.model import READER

    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "facts")
        rows = [
            (tr(item.kind), tr(READER) if item.about == READER else item.about, item.what, str(item.source))
            for item in held.facts(kind=kind, about=about)
        ]
    _table(("kind", "about", "what", "where"), rows, tr("Nothing of that kind is written yet."))


def rebuild(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Make a novel's files for reading and its index anew from what is committed, and say what was wrong with them.

    Example: lantern novel rebuild chelsea "The Lamp"
    """
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        made = meant(found, name, place, "rebuild").rebuild()
    done(counted(len(made.facts.written), "{count} file made anew:", many="{count} files made anew:"))
    say(f"  {made.folder}")
    for item in made.wrong:
        say(f"  · {item.file}{tr(': ')}{tr(item.fault.value)}", style="yellow")


# parts


def _newest(held: NovelWork, wanted: int, *, whole: bool) -> list[NovelStep]:
    """The newest steps, more than are wanted where there are more; a long past is read no further than that."""
    last = min(4 * wanted, sys.maxsize)
    while True:
        read = held.history(last)
        steps = [step for step in read if whole or not step.bookkeeping]
        if len(steps) > wanted or len(read) < last:
            return steps
        last *= 4


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], none: str) -> None:
    if rows:
        table([tr(head) for head in heads], rows)
    else:
        say(none)


def _chapter(novel: Novel, chapter: str | None) -> str:
    held = novel.chapters.get(chapter or "")
    return "" if held is None else held.title


def _row(step: NovelStep) -> tuple[str, ...]:
    return (step.id, minute(step.at), author_name(step.by), _deed(step.cause), _about(step))


def _about(step: NovelStep) -> str:
    asked = step.instruction
    told = [
        "" if step.outline is None else tr("outline revision {revision}", revision=step.outline),
        f"“{step.chapter}”" if step.chapter else "",
        "" if step.characters is None else counted(step.characters, "{count} character"),
        "" if asked is None else f"{asked.sequence} {asked.id}{tr(': ')}{' '.join(asked.text.split())}",
        "" if step.paused is None else why(step.paused),
    ]
    return tr(", ").join(filter(None, told))


def _deed(cause: str) -> str:
    """What was done, as its cause names it."""
    match cause:
        case "create":
            return tr("begun")
        case "outline":
            return tr("outlined")
        case "revise":
            return tr("outline revised")
        case "claim":
            return tr("unit begun")
        case "commit":
            return tr("unit committed")
        case "complete chapter":
            return tr("chapter completed")
        case "finish":
            return tr("novel completed")
        case "instruct":
            return tr("instruction received")
        case "block":
            return tr("instruction blocked")
        case "approve":
            return tr("outline approved")
        case "update outline":
            return tr("outline may be revised")
        case "configure":
            return tr("limits or length changed")
        case "deduce":
            return tr("scene acted out")
        case "deduction failed":
            return tr("scene could not be acted out")
        case "too long":
            return tr("unit too long, not taken")
        case "supersede":
            return tr("unit retired")
        case "pause":
            return tr("paused")
        case "stop":
            return tr("stopped")
        case "resume":
            return tr("resumed")
        case "recover":
            return tr("unfinished work taken back")
        case "prepare":
            return tr("work prepared")
        case "send":
            return tr("work given")
        case "turn ended":
            return tr("turn ended")
        case _:
            return cause


def _plans(revised: Iterable[PlanRevision]) -> None:
    from lantern_kit.novel.formats.labels import changed

    tongue = own_language()
    rows = [
        (
            str(item.number),
            minute(item.at),
            author_name(item.by),
            tr("; ").join(changed(line, tongue) for line in item.changed),
            item.reason,
        )
        for item in revised
    ]
    heads = ("revision", "time (UTC)", "who", "changes", "reason")
    _table(heads, rows, tr("No outline yet: the author makes it first."))
