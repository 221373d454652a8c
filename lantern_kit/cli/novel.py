"""Novels at the shell: begun, told what is wanted, paused, stopped, let go on, and read."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.novel_words import command, next_steps, tell, tell_instruction, told_progress, told_state
from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, is_workspace, named, opened, split
from lantern_kit.cli.screen import done, following, say, table
from lantern_kit.cli.words import aside, counted, tr
from lantern_kit.kernel.clock import to_the_minute
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
            done_at = to_the_minute(status.moment.revision.at).removesuffix(" UTC")
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
        request = _text(ask)
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
            limits=_limits(turns, minutes, tokens),
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


@novel.command(cls=Spoken)
def instruct(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORKSPACE] [NOVEL] TEXT",
            help="What is wanted, in your words; - reads standard input. None with --withdraw.",
            show_default=False,
        ),
    ] = None,
    *,
    folder: WorkspaceOption = None,
    answers: Annotated[
        str | None,
        typer.Option("--answers", metavar="IN", help="The blocked instruction, in_…, whose meaning TEXT makes clear."),
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="With --answers: take that one back instead.")] = False,
    message: Annotated[
        str | None, typer.Option(metavar="NAME", help="Names it: sent again, it adds nothing.", show_default=False)
    ] = None,
) -> None:
    """Ask for something, at any time: it is kept first, and the author deals with it before the next unit.

    A unit that is being written may end as it was begun. What contradicts what is written is never bent: it is
    blocked, with the paragraphs, until you say what is meant or take it back.

    Example: lantern novel instruct chelsea "Let the mate betray them earlier."

    Of a blocked one:  lantern novel instruct chelsea "A dream, told in chapter 9." --answers in_7kq2m9x4
    """
    given = list(words or ())
    if withdraw and answers is None:
        raise typer.BadParameter(tr("--withdraw goes with --answers"))
    text = "" if withdraw else _last(given)
    place, name = named(given, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "instruct", text)
        if withdraw and answers is not None:
            taken = held.withdraw(answers, tr("Withdrawn."), message=message)
        elif answers is not None:
            taken = held.clarify(answers, _text(text), message=message)
        else:
            taken = held.instruct(_text(text), message=message)
        number, at = taken.facts.sequence, taken.revision
        done(tr("Received as instruction {number}: {id}, kept in {revision}", number=number, id=taken.id, revision=at))
        tell_instruction(taken)
        next_steps(place, held.id, held.status().ways)


@novel.command(cls=Spoken)
def pause(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Let no further unit be begun; one that is being written may end. Works from any terminal.

    Example: lantern novel pause chelsea
    """
    _control(words, folder, "pause", tr("Paused. A unit that is being written may end."))


@novel.command(cls=Spoken)
def stop(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Stop at once: what is being written is refused when it comes; what is committed stays.

    Example: lantern novel stop chelsea
    """
    _control(words, folder, "stop", tr("Stopped. What was being written is not taken; what was committed stays."))


@novel.command(cls=Spoken)
def resume(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Let a novel go on, once what it waits for is settled; novel run then writes.

    Example: lantern novel resume chelsea
    """
    _control(words, folder, "resume", tr("It may go on."))


@novel.command(cls=Spoken)
def update(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Have an outline that waits for your approval revised once, for what you asked for since.

    Example: lantern novel update chelsea
    """
    _control(words, folder, "update_outline", tr("The outline may be revised; it waits for you again after that."))


@novel.command(cls=Spoken)
def free(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Free the author's seat: you vouch that the process that had it is gone. One that is provably dead needs no word.

    Example: lantern novel free chelsea
    """
    _control(words, folder, "free", tr("The author's seat is free."))


@novel.command(cls=Spoken)
def approve(
    words: OneNovel = None,
    *,
    folder: WorkspaceOption = None,
    revision: Annotated[
        int, typer.Option("--outline", min=1, metavar="N", help="The outline revision that you read: no other.")
    ],
) -> None:
    """Let an outline begin that you have read. A newer one needs to be read anew.

    Example: lantern novel approve chelsea --outline 1
    """
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, "approve", "--outline", str(revision))
        now = held.approve(revision)
        done(tr("Approved outline revision {revision}.", revision=revision))
        next_steps(place, held.id, now.ways)


@novel.command(cls=Spoken)
def configure(
    words: OneNovel = None,
    *,
    folder: WorkspaceOption = None,
    approval: Annotated[
        Literal["automatic", "manual"] | None, typer.Option(help="As of novel new; until an outline was let begin.")
    ] = None,
    length: Length = None,
    unbounded: Annotated[bool, typer.Option("--no-length", help="Aim at no length.")] = False,
    tolerance: Tolerance = None,
    hard_maximum: Hard = None,
    chapters: Chapters = None,
    unit_maximum: Unit = None,
    turns: Turns = None,
    planning_turns: Annotated[
        int | None, typer.Option("--planning-turns", min=1, metavar="N", help="Turns that plan, in all.")
    ] = None,
    minutes: Minutes = None,
    failures: Annotated[int | None, typer.Option(min=1, metavar="N", help="Failures in a row until it pauses.")] = None,
    stalled: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Turns in a row without progress before it pauses.")
    ] = None,
    tokens: Tokens = None,
    uncounted: Annotated[bool, typer.Option("--no-tokens", help="Hold to no limit of tokens.")] = False,
) -> None:
    """Change how it is approved, the length, the chapters or a limit; what was spent stays spent.

    Example: lantern novel configure chelsea --turns 3000 --length 60000
    """
    place, name = named(words, folder, "NOVEL")
    if unbounded and (length is not None or tolerance is not None or hard_maximum is not None):
        raise typer.BadParameter(tr("--no-length goes with no other option of length"))
    if uncounted and tokens is not None:
        raise typer.BadParameter(tr("--no-tokens goes with no limit of tokens"))
    limits: dict[str, int | None] = {**_limits(turns, minutes, tokens)}
    limits |= {"tokens": None} if uncounted else {}
    further = {"planning_turns": planning_turns, "failures": failures, "stalled": stalled}
    limits |= {name: value for name, value in further.items() if value is not None}
    given: dict[str, Any] = {
        "approval": approval,
        "length": length,
        "tolerance": tolerance,
        "hard_maximum": hard_maximum,
        "chapters": chapters,
        "unit_maximum": unit_maximum,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    changes |= {"length": None} if unbounded else {}
    changes |= {"limits": limits} if limits else {}
    if not changes:
        raise typer.BadParameter(tr("name something to change; --help lists it"))
    with opened(place) as found:
        held = meant(found, name, place, "configure")
        now = held.configure(**changes)
        done(tr("Changed."))
        next_steps(place, held.id, now.ways)


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


def _control(words: list[str] | None, folder: Path | None, deed: str, told: str) -> None:
    """Carry out what a person decides, and say what comes next."""
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, deed.partition("_")[0])
        now = getattr(held, deed)()
        done(told)
        next_steps(place, held.id, now.ways)


def language_of(request: str) -> str:
    """The language that a request is written in: ``zh`` where most of its letters are Han, else ``en``."""
    letters = [letter for letter in request if letter.isalpha()]
    han = sum("\u4e00" <= letter <= "\u9fff" or "\u3400" <= letter <= "\u4dbf" for letter in letters)
    return "zh" if han * 2 > len(letters) else "en"


def _last(given: list[str]) -> str:
    """Take the words of an instruction from the end of what was given. Raises a usage error where there are none."""
    if not given or not given[-1].strip() or (len(given) == 1 and is_workspace(given[0])):
        raise typer.BadParameter(
            tr("say what is wanted: {example}", example='lantern novel instruct "Let the mate betray them earlier."')
        )
    return given.pop()


def _text(given: str) -> str:
    """What was written on the command line, or on standard input. Raises BadInput."""
    if given != "-":
        return given
    try:
        return sys.stdin.buffer.read().decode().strip()
    except UnicodeDecodeError as error:
        raise BadInput(tr("what came on standard input is no text"), expected="UTF-8") from error


def _limits(turns: int | None, minutes: int | None, tokens: int | None) -> dict[str, int]:
    given = {"turns": turns, "minutes": minutes, "tokens": tokens}
    return {name: value for name, value in given.items() if value is not None}
