"""An author at work, watched at the shell; the demo; and the book that comes of it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lantern_kit.cli.agent import Address, KeyVariable, named_model
from lantern_kit.cli.guard import REFUSED, STOPPED
from lantern_kit.cli.novel import OneNovel, meant
from lantern_kit.cli.novel_words import author_name, command, next_steps, tell_instruction, told_state
from lantern_kit.cli.place import Place, WorkspaceOption, named, opened
from lantern_kit.cli.screen import done, following, note, say, working
from lantern_kit.cli.words import aside, counted, tr
from lantern_kit.home import own_language

if TYPE_CHECKING:
    from lantern_kit.novel.host import AuthorHost
    from lantern_kit.novel.model import Intent
    from lantern_kit.novel.steps import Step
    from lantern_kit.novel.whole import Novel
    from lantern_kit.novel.work.novel import NovelWork
    from lantern_kit.novel.work.running import RunWork
    from lantern_kit.workspace import Workspace


def run(
    words: OneNovel = None,
    *,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--workspace", "-w", metavar="FOLDER", help="The workspace's folder; with --demo: the folder to make."
        ),
    ] = None,
    demo: Annotated[
        bool,
        typer.Option("--demo", help="Show the whole way: two cards and a world, twelve chapters, offline, unasked."),
    ] = False,
    seed: Annotated[
        int, typer.Option(min=0, metavar="N", help="Of the stand-in: the same number, the same novel.")
    ] = 0,
    language: Annotated[Literal["en", "zh"] | None, typer.Option(help="Of the demo.", show_default="your own")] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A model that writes. Left out: an offline stand-in, which is none."),
    ] = None,
    address: Address = None,
    key_env: KeyVariable = None,
    steps: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="End after so many steps; another run goes on from there.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="When it is completed, write it there: .md, .zip, .epub …", show_default=False
        ),
    ] = None,
) -> None:
    """Let an author write on, unit by unit, until the novel is completed or waits for you.

    Instruct, pause or stop it meanwhile, from any other terminal. Ctrl-C ends it after the unit that is being
    written, a second one at once; neither pauses anything, and another run goes on from there.

    Example: lantern novel run chelsea "The Lamp"

    All of it, offline:  lantern novel run --demo --seed 7 --workspace novel-demo --export novel.md
    """
    if demo:
        if words or model is not None or folder is None:
            raise typer.BadParameter(tr("--demo goes with --workspace FOLDER, and with no novel or model"))
        _demo(folder, seed, language or own_language(), steps, export)
        return
    if language is not None:
        raise typer.BadParameter(tr("--language goes with --demo; a novel's own was chosen when it was begun"))
    if model is None and (address is not None or key_env is not None):
        raise typer.BadParameter(tr("--address and --key-env belong to --model"))
    place, name = named(words, folder, "NOVEL")
    with ExitStack() as stack:
        found = stack.enter_context(opened(place))
        held = meant(found, name, place, "run")
        author = _author(found, model, address, key_env, seed)
        _carry(held, author, place, steps, export)


def _demo(folder: Path, seed: int, language: Literal["en", "zh"], steps: int | None, export: Path | None) -> None:
    from lantern_kit.demo.novel import demo_novel
    from lantern_kit.novel.offline import OfflineAuthor

    with demo_novel(folder, seed=seed, language=language) as held:
        assets = tr(", ").join(f"“{item.name}”" for item in held.moment.novel.assets.values())
        say(f"{held.title} · {assets}", style="bold")
        _carry(held, OfflineAuthor(seed), Place(folder, str(folder)), steps, export)


def _author(found: Workspace, model: str | None, address: str | None, key_env: str | None, seed: int) -> AuthorHost:
    """Who writes: the model that is named, or the stand-in."""
    if model is None:
        from lantern_kit.novel.offline import OfflineAuthor

        return OfflineAuthor(seed)
    from lantern_kit.author_host import AgentAuthor

    return AgentAuthor(found, named_model(model, address, key_env))


def _carry(held: NovelWork, author: AuthorHost, place: Place, steps: int | None, export: Path | None) -> None:
    """Have the author write, shown step by step; say what came of it, and what to do next."""
    if export is not None:
        from lantern_kit.novel.work.exported import destination

        destination(held.host, held.id, export, None)  # before anything is written for it
    report = author.report()
    if report.stand_in:
        say(tr("{author}, no model", author=author_name(report.name)), style="yellow")
    else:
        say(tr("author: {author}", author=report.name))
    count = 0
    with _ending() as asked, _shown(held) as tell:

        def over(_: Step) -> bool:
            nonlocal count
            count += 1
            return asked() or (steps is not None and count >= steps)

        try:
            came = held.run(author, until=over, on_step=tell)
        except KeyboardInterrupt:
            note(tr("Ended at once. What was committed is kept, and nothing is paused."))
            following((command(place, "run", held.id), tr("go on from there")))
            raise typer.Exit(STOPPED) from None
        interrupted = asked()
    _told(came, held, place, export)
    if interrupted and not came.completed:
        raise typer.Exit(STOPPED)


def export_novel(
    words: OneNovel = None,
    *,
    folder: WorkspaceOption = None,
    to: Annotated[
        Literal["md", "zip", "epub", "docx"] | None,
        typer.Option(
            help="One Markdown file; a ZIP with a file a chapter; a book for readers; a document.",
            show_default="as the file's name says, else md",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where to; an older file is replaced.", show_default="exports/ in the workspace"
        ),
    ] = None,
    revision: Annotated[
        str | None, typer.Option(metavar="REVISION", help="As of this one, such as r41.", show_default="the newest")
    ] = None,
) -> None:
    """Write a novel to a file, completed or not, as of one revision: the same revision, the same bytes.

    Example: lantern novel export chelsea "The Lamp" --to epub --out lamp.epub
    """
    place, name = named(words, folder, "NOVEL")
    with opened(place) as found:
        _export(meant(found, name, place, "export"), out, to, revision)


def _export(held: NovelWork, out: Path | None, to: str | None = None, revision: str | None = None) -> None:
    made = held.export(out, to=to, revision=revision)
    facts = made.facts
    state = tr("completed") if facts.finished else tr("unfinished")
    told = [state, _size(facts.chapters, facts.characters)]
    told += [tr("an older file of that name was replaced")] if made.replaced else []
    done(tr("Exported {title} at {revision}:", title=held.title, revision=facts.revision))
    say(f"  {made.path} {aside(tr('; ').join(told))}")


def _size(chapters: int, characters: int) -> str:
    return counted(chapters, "{count} chapter") + tr(", ") + counted(characters, "{count} character")


def _told(came: RunWork, held: NovelWork, place: Place, export: Path | None) -> None:
    """Say how a run ended; one that waits for something a person did not choose ends with 1.

    Raises what ended it where the novel does not say so itself.
    """
    status = came.status
    head = status.novel.head
    pause = status.pause
    if came.completed:
        size = _size(len(status.novel.chapters), head.characters)
        done(tr("Completed: {title}, {size}", title=head.title, size=size))
        if export is not None:
            _export(held, export)
    elif pause is None:
        done(tr("Ended here; what is committed is kept."))
    else:
        say(told_state(status), style="yellow")
        if not pause.chosen:
            say(f"  {pause.told}")
        for item in held.instructions:
            if item.state == "blocked":
                tell_instruction(item)
    if export is not None and not came.completed:
        note(tr("It is not exported yet: it is not completed."))
    if export is None or not came.completed:
        next_steps(place, held.id, status.ways)
    error, halt = came.ended.error, came.ended.halt
    if error is not None and halt is not None and (pause is None or pause.reason != halt.reason):
        raise error  # it ended the run, and a novel that is completed or paused already keeps no other reason
    if pause is not None and not pause.chosen:
        raise typer.Exit(REFUSED)


@contextmanager
def _ending() -> Iterator[Callable[[], bool]]:
    """Ctrl-C ends the run after the step that goes on; a second one at once."""
    asked = threading.Event()

    def ask(*_: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        note(tr("Ending after this step; Ctrl-C again ends at once."))

    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _shown(held: NovelWork) -> Iterator[Callable[[Step], None]]:
    """Each step on a line of its own, with what goes on now under it on a terminal."""
    before = held.moment.novel
    with working(tr("The author is at work")) as bar:

        def tell(step: Step) -> None:
            nonlocal before
            now = step.moment.novel
            line = _line(before, step)
            if line:
                note(line, style="")
            before = now
            bar("" if now.current is None else now.current.title, now.completed_chapters, len(now.chapters))

        yield tell


def _line(before: Novel, step: Step) -> str:
    """A step in a line; nothing where there is nothing to tell."""
    if step.intent is None:
        return ""
    if step.error is not None:
        return tr("nothing came of it: {error}", error=f"{step.error.message} [{step.error.code}]")
    return _work(before, step.moment.novel, step.intent)


def _work(before: Novel, now: Novel, intent: Intent) -> str:
    """What a turn brought."""
    chapter = now.chapters.get(intent.chapter or "")
    title = "" if chapter is None else chapter.title
    match intent.kind.value:
        case "outline-create" | "outline-revise" if now.head.outline_revision > before.head.outline_revision:
            dealt = now.head.watermark - before.head.watermark
            told = tr("outline revision {revision}", revision=now.head.outline_revision)
            told += tr(": ") + counted(len(now.chapters), "{count} chapter")
            return told + (" · " + tr("instructions dealt with: {count}", count=dealt) if dealt else "")
        case "write-unit" if now.head.commits > before.head.commits:
            more, all_of_it = now.head.characters - before.head.characters, now.head.characters
            told = tr("{more}, {all} in all", more=counted(more, "{count} character"), all=f"{all_of_it:,}")
            return f"“{title}” · {told}"
        case "chapter-complete" if chapter is not None and chapter.completion is not None:
            return tr("“{title}” is completed", title=title)
        case "finish" if now.head.run.status.value == "completed":
            return tr("all is told")
        case _ if len(now.blocked) > len(before.blocked):
            return tr("an instruction contradicts what is written")
        case _:
            return tr("a turn without progress ({work})", work=intent.kind.value)
