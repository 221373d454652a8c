"""Novels at the shell: listed, begun, and how they stand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.novel_words import command, next_steps, tell, told_progress, told_state
from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, is_workspace, named, opened, split
from lantern_kit.cli.screen import done, following, say, table
from lantern_kit.cli.words import aside, counted, tr
from lantern_kit.kernel.clock import minute
from lantern_kit.kernel.errors import BadInput, NotFound

if TYPE_CHECKING:
    from lantern_kit.novel.work.novel import NovelWork
    from lantern_kit.workspace import Workspace

novel = typer.Typer(
    name="novel",
    cls=Listing,
    help="Novels that write themselves, unit by unit, from cards and books; you say what is wanted, at any time."
    " novel [WORKSPACE] lists them; novel run --demo shows the whole way, offline.",
)
OneNovel = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORKSPACE] [NOVEL]", help="A novel by title or id; left out where there is only one."),
]
Length = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Letters and digits to aim at; Chinese characters each count as one."),
]
Tolerance = Annotated[
    float | None, typer.Option(min=0, max=0.99, metavar="PART", help="How far off that it may end: 0.15 is 15 %.")
]
Hard = Annotated[
    int | None, typer.Option("--hard-maximum", min=1, metavar="N", help="Never longer than this; nothing is cut.")
]
Chapters = Annotated[int | None, typer.Option(min=1, metavar="N", help="How many chapters there are to be.")]
Unit = Annotated[int | None, typer.Option("--unit-maximum", min=50, metavar="N", help="One unit of prose at most.")]
Turns = Annotated[int | None, typer.Option(min=1, metavar="N", help="Turns of the author's in all; then it pauses.")]
Minutes = Annotated[int | None, typer.Option(min=1, metavar="N", help="Minutes in the author's turns in all.")]
Tokens = Annotated[int | None, typer.Option(min=1, metavar="N", help="Tokens in all, where the host counts them.")]


@novel.command("list", cls=Spoken)
def list_novels(workspace: WorkspaceArgument = None, *, folder: WorkspaceOption = None) -> None:
    """List the novels of a workspace.

    Example: lantern novel list chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found:
        shelf = found.novels
        rows = []
        wrong = []
        first = None
        for item in shelf:
            status = item.status()
            head = status.novel.head
            chapters = f"{status.completed_chapters}/{len(status.novel.chapters)}"
            if first is None or (first.state == "completed" and status.state != "completed"):
                first = status
            done_at = minute(status.moment.revision.at)
            rows.append((head.title, head.id, told_state(status), chapters, told_progress(status), done_at))
            if status.pause is not None and not status.pause.chosen:
                wrong.append(f"  {head.id}{tr(': ')}{status.pause.told}")
    if first is None:
        say(tr("No novels yet."))
        following(
            (command(place, "new", tr("The Lamp"), "--ask", "…"), tr("begin one")),
            (
                command(Place(place.path), "run", "--demo", "--workspace", "novel-demo"),
                tr("see the whole way, offline"),
            ),
        )
        return
    heads = [tr(head) for head in ("novel", "id", "state", "chapters", "characters")]
    table([*heads, tr("last step (UTC)")], rows)
    for line in wrong:
        say(line, style="yellow")
    next_steps(place, first.novel.head.id, first.ways)


@novel.command(cls=Spoken)
def new(
    words: Annotated[
        list[str], typer.Argument(metavar="[WORKSPACE] TITLE", help="What it is called here.", show_default=False)
    ],
    *,
    folder: WorkspaceOption = None,
    ask: Annotated[
        str, typer.Option("--ask", metavar="TEXT", help="What is to be written, in your words; - reads standard input.")
    ],
    cards: Annotated[
        list[Path] | None,
        typer.Option(
            "--card",
            metavar="FILE",
            help="A character card or a world book: PNG, JSON or CHARX. May be repeated. It is fixed as it is now.",
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="TAG", help="Of the prose: en, zh-CN …", show_default="as what you ask for is written"),
    ] = None,
    genre: Annotated[str, typer.Option(metavar="TEXT", help="In your words; else the author decides.")] = "",
    view: Annotated[str, typer.Option(metavar="TEXT", help="The point of view, in your words.")] = "",
    style: Annotated[str, typer.Option(metavar="TEXT", help="The manner of writing, in your words.")] = "",
    approval: Annotated[
        Literal["automatic", "manual"],
        typer.Option(help="manual: nothing is written before you have read the outline and approved it."),
    ] = "automatic",
    length: Length = None,
    tolerance: Tolerance = None,
    hard_maximum: Hard = None,
    chapters: Chapters = None,
    unit_maximum: Unit = None,
    turns: Turns = None,
    minutes: Minutes = None,
    tokens: Tokens = None,
    key: Annotated[
        str | None, typer.Option(metavar="NAME", help="Names this request: made again, it gives the same novel.")
    ] = None,
) -> None:
    """Begin a novel from what you want and, if you like, from cards and books. Nothing is written yet.

    Example: lantern novel new chelsea "The Lamp" --ask "A keeper finds her light has been out for years." --chapters 12

    From cards:  lantern novel new chelsea "The Lamp" --ask "…" --card mira.png --card harbour.json
    """
    if folder is None and len(words) == 1 and is_workspace(words[0]):
        raise typer.BadParameter(tr("say what it is called: {example}", example='lantern novel new chelsea "The Lamp"'))
    place, (title,) = split(words, folder, "TITLE")
    given: dict[str, Any] = {"tolerance": tolerance, "unit_maximum": unit_maximum}
    with opened(place) as found:
        request = text_of(ask)
        tongue = language_of(request) if language is None else language
        same = [item.id for item in found.novels if item.title == title.strip()]
        made = found.novels.begin(
            title,
            request,
            cards=cards or (),
            language=tongue,
            genre=genre,
            view=view,
            style=style,
            approval=approval,
            length=length,
            hard_maximum=hard_maximum,
            chapters=chapters,
            limits=limits_of(turns, minutes, tokens),
            key=key,
            **{name: value for name, value in given.items() if value is not None},
        )
        assets = made.moment.novel.assets.values()
        done(tr("Began {title}: {novel}", title=title, novel=made.id))
        say("  " + tr("language: {language}", language=tongue))
        if other := [name for name in same if name != made.id]:
            say("  " + tr("of the same title: {ids}; name novels by id", ids=", ".join(other)), style="yellow")
        for asset in assets:
            told = [asset.form]
            if asset.entries:
                told.append(counted(asset.entries, "{count} entry", many="{count} entries"))
            if asset.within is not None:
                told.append(tr("in {name}", name=made.moment.novel.asset(asset.within).name))
            say(f"  · {tr(asset.kind.value)}  {asset.name}{aside(tr(', ').join(told))}")
        if len(cards or ()) > sum(asset.within is None for asset in assets):
            say("  " + tr("what several files say alike is kept once"))
    following(
        (command(place, "run", made.id), tr("let its author write")),
        (command(place, "instruct", made.id, "…"), tr("ask for more, now or while it is written")),
        (command(place, "status", made.id), tr("see where it stands")),
    )


@novel.command(cls=Spoken)
def status(
    words: OneNovel = None,
    *,
    folder: WorkspaceOption = None,
    instructions: Annotated[
        bool, typer.Option("--instructions", help="All that was ever asked for, and what came of it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All of it, as JSON.")] = False,
) -> None:
    """Say where a novel stands: what is pending, what is blocked and why, and what would let it go on.

    Example: lantern novel status chelsea "The Lamp"
    """
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "status")
        now = held.status()
        ledger = held.instructions
        if as_json:
            facts = {**now.data(), "ledger": [item.data() for item in ledger]}
            sys.stdout.write(json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
            return
        tell(now, [item for item in ledger if instructions or not item.facts.settled])
        next_steps(place, held.id, now.ways)


@novel.command(cls=Spoken)
def outline(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Say what is meant to be written: the story, its people, chapters and scenes, and how far each is.

    Example: lantern novel outline chelsea "The Lamp"
    """
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "outline")
        plan = held.outline
        say(plan.text() if plan.revision else tr("No outline yet: the author makes it first."))
        next_steps(place, held.id, held.status().ways)


# parts


def meant(found: Workspace, name: str | None, place: Place, deed: str, *operands: str) -> NovelWork:
    """The novel that is named, or the only one. Raises NotFound, BadInput."""
    shelf = found.novels
    if name is not None:
        return shelf.get(name)
    if len(shelf) == 1:
        return shelf[0]  # type: ignore[no-any-return]
    if not shelf:
        raise NotFound(
            tr("there are no novels in this workspace"),
            recovery=tr("Begin a novel: {command}", command=command(place, "new", tr("The Lamp"), "--ask", "…")),
        )
    raise BadInput(
        tr("there are several novels; name one"),
        expected=[f"{item.id} “{item.title}”" for item in shelf][:20],
        recovery=command(place, deed, shelf[0].id, *operands),
    )


def language_of(request: str) -> str:
    """The language that a request is written in: ``zh`` where most of its letters are Han, else ``en``."""
    letters = [letter for letter in request if letter.isalpha()]
    han = sum("\u4e00" <= letter <= "\u9fff" or "\u3400" <= letter <= "\u4dbf" for letter in letters)
    return "zh" if han * 2 > len(letters) else "en"


def text_of(given: str) -> str:
    """What was written on the command line, or on standard input. Raises BadInput."""
    if given != "-":
        return given
    try:
        return sys.stdin.buffer.read().decode().strip()
    except UnicodeDecodeError as error:
        raise BadInput(tr("what came on standard input is no text"), expected="UTF-8") from error


def limits_of(turns: int | None, minutes: int | None, tokens: int | None) -> dict[str, int]:
    """The limits that were given, by their names."""
    given = {"turns": turns, "minutes": minutes, "tokens": tokens}
    return {name: value for name, value in given.items() if value is not None}
