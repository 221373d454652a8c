"""How a novel is spoken of at the shell: where it stands, what was asked for, and the commands that help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lantern_kit.cli.place import Place
from lantern_kit.cli.screen import following, say
from lantern_kit.cli.words import aside, counted, tr

if TYPE_CHECKING:
    from lantern_kit.novel.model import Reason
    from lantern_kit.novel.work.ledger import InstructionWork
    from lantern_kit.novel.work.status import NovelStatus
    from lantern_kit.novel.work.ways import Way

MOST_STEPS = 6
"""Commands that are offered at once."""


def command(place: Place, deed: str, *operands: str) -> str:
    """A command of the group as the person would type it."""
    return place.command("novel", *operands, before=deed)


def told_state(status: NovelStatus) -> str:
    """Under way, completed, or why it is paused."""
    if status.pause is not None:
        return why(status.pause.reason)
    return tr("completed") if status.state == "completed" else tr("under way")


def told_progress(status: NovelStatus) -> str:
    """Effective characters that are written, and of how many where a length is aimed at."""
    from lantern_kit.novel.model import Target

    written, aimed = f"{status.novel.head.characters:,}", status.novel.config.length
    return f"{written}/{aimed.characters:,}" if isinstance(aimed, Target) else written


def author_name(name: str) -> str:
    """What an author calls itself; the stand-in's name in the person's language."""
    from lantern_kit.novel.offline.author import NAME

    return tr("offline stand-in") if name == NAME else name


def why(reason: Reason) -> str:
    """Why a novel is paused, in a few words."""
    match reason.value:
        case "requested":
            return tr("paused by a person")
        case "stopped":
            return tr("stopped by a person")
        case "awaiting-approval":
            return tr("waits for its outline to be approved")
        case "requirement-conflict":
            return tr("paused: an instruction contradicts what is written")
        case "external-error":
            return tr("paused: the author's host failed again and again")
        case "invalid":
            return tr("paused: something was refused that trying again does not mend")
        case "stalled":
            return tr("paused: turns went by without progress")
        case "budget":
            return tr("paused: a limit of the run is reached")
        case "length":
            return tr("paused: the length cannot be kept to as things stand")
        case "projection-pending":
            return tr("paused: chapters and index could not be brought up to date")
        case "recovery-required":
            return tr("paused: whether an earlier author still writes cannot be told")
        case _:
            return tr("paused: the host lacks something that this needs")


def tell(status: NovelStatus, asked: Sequence[InstructionWork]) -> None:
    """Say where a novel stands."""
    now, head = status.novel, status.novel.head
    say(f"{head.title} · {head.id} · {status.moment.id}", style="bold")
    say(f"  {told_state(status)}", style="yellow" if status.pause is not None else "green")
    if status.pause is not None and not status.pause.chosen:
        say(f"    {status.pause.told}")
    chapters = f"{status.completed_chapters}/{len(now.chapters)}"
    say("  " + tr("chapters completed: {chapters} · units committed: {units}", chapters=chapters, units=head.commits))
    say("  " + tr("length: {told}", told=_length(status)))
    if head.outline_revision:
        say("  " + tr("outline revision {revision}", revision=head.outline_revision))
    if status.author:
        say("  " + tr("an author is at work: {author}", author=author_name(status.author)))
    counts = [f"{_limit(name)} {used:,}/{most:,}" for name, used, most in status.spent() if most and used]
    if counts:
        say("  " + tr("spent: {counts}", counts=tr(", ").join(counts)))
    for item in asked:
        about = aside(tr("about {id}", id=item.facts.answers)) if _answers(item) else ""
        words = " ".join(item.text.split())
        say(f"  {item.facts.sequence} {item.id}{about}  {_state(item)}{tr(': ')}{words}")
        tell_instruction(item)


def tell_instruction(item: InstructionWork) -> None:
    """Say from where on an instruction shows, or what it contradicts, with the paragraphs."""
    say(f"    {_effect(item)}")
    for at in item.places if item.state == "blocked" else ():
        words = " ".join(at.words.split())
        told = tr("{source} in “{chapter}”: {words}", source=at.source, chapter=at.chapter, words=words)
        say(f"    · {told}")


def next_steps(place: Place, novel: str, ways: Sequence[Way]) -> None:
    """Say what helps now."""
    following(*(_step(place, novel, way) for way in ways[:MOST_STEPS]))


def _step(place: Place, novel: str, way: Way) -> tuple[str, str]:
    match way.deed.value:
        case "run":
            return command(place, "run", novel), tr("let its author write on")
        case "resume":
            return command(place, "resume", novel), tr("let it go on")
        case "approve":
            return (
                command(place, "approve", novel, "--outline", way.target),
                tr("let this outline begin, once you have read it: novel outline"),
            )
        case "update":
            return command(place, "update", novel), tr("have the outline revised for what you asked for")
        case "instruct":
            return command(place, "instruct", novel, "…"), tr("ask for something")
        case "clarify":
            return command(place, "instruct", novel, "…", "--answers", way.target), tr("say what is meant")
        case "withdraw":
            return command(place, "instruct", novel, "--answers", way.target, "--withdraw"), tr("take it back")
        case "raise":
            option = f"--{way.target.replace('_', '-')}"
            return command(place, "configure", novel, option, "N"), tr("raise that limit")
        case "lengthen":
            return command(place, "configure", novel, "--length", "N"), tr("change the length aimed at")
        case _:
            return command(place, "export", novel, "--to", "md"), tr("have it as a book")


def _length(status: NovelStatus) -> str:
    from lantern_kit.novel.model import Target

    head, aimed = status.novel.head, status.novel.config.length
    told = tr(
        "{effective}, {all} with punctuation",
        effective=counted(head.characters, "{count} effective character"),
        all=f"{head.punctuated:,}",
    )
    if isinstance(aimed, Target):
        told += tr("; ") + tr("{low} to {high} wanted", low=f"{aimed.low:,}", high=f"{aimed.high:,}")
    return told


def _limit(name: str) -> str:
    match name:
        case "turns":
            return tr("turns")
        case "planning_turns":
            return tr("turns that plan")
        case "minutes":
            return tr("minutes")
        case "tokens":
            return tr("tokens")
        case "failures":
            return tr("failures in a row")
        case _:
            return tr("turns without progress in a row")


def _answers(item: InstructionWork) -> bool:
    """Whether it only speaks of another one."""
    return item.facts.answers is not None


def _state(item: InstructionWork) -> str:
    if _answers(item) and item.facts.settled:
        return tr("dealt with")
    match item.state:
        case "pending":
            return tr("still pending")
        case "blocked":
            return tr("blocked")
        case "applied" if item.facts.in_force:
            return tr("applied, in force")
        case "applied":
            return tr("applied, no longer in force")
        case _:
            return tr("superseded")


def _effect(item: InstructionWork) -> str:
    held, novel = item.facts, item.novel
    if item.state == "blocked":
        return tr("contradicts what is written: {reason}", reason="" if held.conflict is None else held.conflict.reason)
    if held.outcome is not None:
        revision = held.outcome.outline_revision
        if _answers(item):
            return tr("dealt with by outline revision {revision}", revision=revision)
        if held.outcome.superseded_by is not None:
            return tr(
                "superseded by {id}, in outline revision {revision}", id=held.outcome.superseded_by, revision=revision
            )
        chapter = novel.chapters.get(held.outcome.effective or "")
        if chapter is None:
            return tr("from the next unit on, by outline revision {revision}", revision=revision)
        return tr("from “{chapter}” on, by outline revision {revision}", chapter=chapter.title, revision=revision)
    if held.during is not None and held.during == novel.head.claimed:
        unit = novel.unit(held.during)
        title = novel.chapter(unit.chapter).title
        return tr(
            "takes effect after unit {number}, of “{chapter}”: it is being written", number=unit.number, chapter=title
        )
    return tr("takes effect before the next unit")
