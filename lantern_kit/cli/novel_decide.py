"""What a person decides about a novel, at the shell: what is wanted of it, whether it goes on, how long and how far."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from lantern_kit.cli.novel import (
    Chapters,
    Hard,
    Length,
    Minutes,
    OneNovel,
    Tokens,
    Tolerance,
    Turns,
    Unit,
    limits_of,
    meant,
    text_of,
)
from lantern_kit.cli.novel_words import next_steps, tell_instruction
from lantern_kit.cli.place import WorkspaceOption, is_workspace, named, opened
from lantern_kit.cli.screen import done
from lantern_kit.cli.words import tr


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
            taken = held.clarify(answers, text_of(text), message=message)
        else:
            taken = held.instruct(text_of(text), message=message)
        number, at = taken.facts.sequence, taken.revision
        done(tr("Received as instruction {number}: {id}, kept in {revision}", number=number, id=taken.id, revision=at))
        tell_instruction(taken)
        next_steps(place, held.id, held.status().ways)


def pause(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Let no further unit be begun; one that is being written may end. Works from any terminal.

    Example: lantern novel pause chelsea
    """
    _control(words, folder, "pause", tr("Paused. A unit that is being written may end."))


def stop(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Stop at once: what is being written is refused when it comes; what is committed stays.

    Example: lantern novel stop chelsea
    """
    _control(words, folder, "stop", tr("Stopped. What was being written is not taken; what was committed stays."))


def resume(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Let a novel go on, once what it waits for is settled; novel run then writes.

    Example: lantern novel resume chelsea
    """
    _control(words, folder, "resume", tr("It may go on."))


def update(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Have an outline that waits for your approval revised once, for what you asked for since.

    Example: lantern novel update chelsea
    """
    _control(words, folder, "update_outline", tr("The outline may be revised; it waits for you again after that."))


def free(words: OneNovel = None, *, folder: WorkspaceOption = None) -> None:
    """Free the author's seat: you vouch that the process that had it is gone. One that is provably dead needs no word.

    Example: lantern novel free chelsea
    """
    _control(words, folder, "free", tr("The author's seat is free."))


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
    limits: dict[str, int | None] = {**limits_of(turns, minutes, tokens)}
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


def _control(words: list[str] | None, folder: Path | None, deed: str, told: str) -> None:
    """Carry out what a person decides, and say what comes next."""
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        held = meant(found, name, place, deed.partition("_")[0])
        now = getattr(held, deed)()
        done(told)
        next_steps(place, held.id, now.ways)


def _last(given: list[str]) -> str:
    """Take the words of an instruction from the end of what was given. Raises a usage error where there are none."""
    if not given or not given[-1].strip() or (len(given) == 1 and is_workspace(given[0])):
        raise typer.BadParameter(
            tr("say what is wanted: {example}", example='lantern novel instruct "Let the mate betray them earlier."')
        )
    return given.pop()
