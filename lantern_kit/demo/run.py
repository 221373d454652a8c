"""The play: an empty chapter, an agent behind MCP, a verdict, a book, and something left to decide."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import anyio

from lantern_kit import datasets
from lantern_kit.demo.agent import Agent, Figures, sitting
from lantern_kit.demo.book import export, play_notebook
from lantern_kit.demo.drafting import Drafting, Say
from lantern_kit.demo.story import COMIC, PARTS, PICTURES, PROPOSED, SECOND, SOUGHT, SUMMARY, TITLE
from lantern_kit.folders import DEMO_KEYS, FOLDERS, require_free
from lantern_kit.kernel.errors import Stopped, WrongState
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.workspace import Workspace, create_workspace, open_workspace

WORKSPACE = "Lantern demo"
OWNER = "you"
REVIEWER = "demo reviewer"
ALBUM = Path("exports") / "as-the-agent-saw-it"
MADE = re.compile("|".join([*FOLDERS, re.escape(DEMO_KEYS), r"journal\.sqlite.*", r"analysis\.duckdb.*"]))
"""What the demo, and looking at it, leaves in its folder."""
ACTS = 5
OPERATIONS = ("unit.add", "frame.add", "frame.cut", "image.place", "balloon.add", "foreground.bind", "overlay.add")


@dataclass(frozen=True)
class DemoResult:
    """What the demo made, and what it took."""

    path: Path
    chapter: str
    applied: str
    """The proposal that the demo key applied."""
    pending: str
    """The proposal that is left to decide on."""
    revision: str
    saved: str
    edits: int
    mended: tuple[str, ...]
    """Rules of the findings that the agent mended, in order."""
    figures: Figures
    exports: tuple[Path, ...]
    notebook: Path | None
    seconds: float


@dataclass(frozen=True)
class _Told:
    """What the agent reports at the end of a sitting."""

    proposal: str
    edits: int
    mended: tuple[str, ...]
    figures: Figures


def run_demo(
    path: str | Path,
    say: Say | None = None,
    *,
    fresh: bool = False,
    notebook: bool = True,
    program: str = "lantern",
    progress: Progress | None = None,
) -> DemoResult:
    """Play the whole story once, into a new folder.

    Args:
        path: the workspace folder to make.
        say: told each step, a line at a time; None prints it.
        fresh: remove an earlier demo in that folder first; a folder that is anything else is left alone.
        notebook: execute the first notebook too.
        program: what a person types to run the command line, for what is suggested.
        progress: told at every line; a demo that is stopped takes its folder along.

    Raises:
        WrongState: the folder is in use.
        LanternError: whatever went wrong on the way, as its own class says.
    """
    folder = Path(path).expanduser()
    make_room(folder, fresh=fresh, program=program)
    with reporting(progress, "Playing the demo") as report:
        try:
            result = _play(folder, _reported(say or _print, report), notebook=notebook)
        except Exception as error:
            stopped = _first_of(error)
            if not isinstance(stopped, Stopped):
                raise
            shutil.rmtree(folder)
            raise stopped from None
    _close(result, Path(path), program, say or _print)
    return result


def _play(folder: Path, tell: Say, *, notebook: bool) -> DemoResult:
    started = time.monotonic()
    tell(f"1  A workspace in {folder}, with an empty chapter of {COMIC} (A6, read left to right)")
    with create_workspace(folder, title=WORKSPACE, owner=OWNER) as workspace:
        folder = workspace.path
        chapter = workspace.comic(COMIC).begin_chapter(1, size="A6", title=TITLE)
        key = workspace.enrol(REVIEWER, None, demo=True)
        copied = workspace.copy_notebooks()
    album = folder / ALBUM
    album.mkdir(parents=True)
    tell(f"   the demo key {key} may decide here: it has no passphrase, lies in {DEMO_KEYS}/ and proves nothing")

    tell("2  An agent over MCP: the SDK's client on one side, this workspace's server on the other")
    first = anyio.run(_first, folder, album, tell)

    tell("3  A verdict: the demo key stands in for the person who would read, look and decide")
    with open_workspace(folder) as workspace:
        revision, saved = _apply(workspace, first.proposal, tell)
        exported = export(workspace.comic(COMIC).chapter(1), folder / "exports")
    for file in exported:
        tell(f"   {file.relative_to(folder)}, {file.stat().st_size / 1e6:.1f} MB")

    tell("4  Another sitting: the agent reads the verdict and proposes a last change, which is left to you")
    second = anyio.run(_second, folder, album, first.proposal, tell)

    played = None
    if notebook:
        tell("5  A notebook, run from top to bottom")
        played = play_notebook(copied)
        tell(f"   {played.relative_to(folder)}" if played else "   none is installed")

    return DemoResult(
        path=folder,
        chapter=chapter.id,
        applied=first.proposal,
        pending=second.proposal,
        revision=revision,
        saved=saved,
        edits=first.edits + second.edits,
        mended=(*first.mended, *second.mended),
        figures=_sum(first.figures, second.figures),
        exports=exported,
        notebook=played,
        seconds=time.monotonic() - started,
    )


def _reported(say: Say, report: Progress) -> Say:
    """Says lines, and reports at each the act that it belongs to."""
    act = 0

    def tell(line: str) -> None:
        nonlocal act
        act = int(line[0]) if line[:1].isdigit() else act
        say(line)
        report("acts", act - 1, ACTS)

    return tell


def _first_of(error: BaseException) -> BaseException:
    """What asynchronous parts raise is a group: the first in it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def draw_chapter(drafting: Drafting, say: Say) -> None:
    """Draw the story's units in a draft of their own, from the first look at the empty chapter to before the freeze."""
    units = (await drafting.outline())["units"]
    say(f"    outline: {len(units)} units")
    await drafting.learn(OPERATIONS)
    await drafting.register(PICTURES)
    say(f"    registered {len(PICTURES)} pictures, each with its source and licence")
    say(f"    draft  {await drafting.begin('Draw chapter 1')}")
    for place, part in enumerate(PARTS, 1):
        await drafting.draw(part, place)


async def _first(folder: Path, album: Path, say: Say) -> _Told:
    async def work(agent: Agent) -> _Told:
        drafting = Drafting(agent, say, album, sitting="first")
        await draw_chapter(drafting, say)
        proposal = await drafting.freeze(PROPOSED)
        say(f"    frozen as {proposal}; nothing has reached the work yet")
        return _Told(proposal, drafting.edits, tuple(drafting.mended), agent.figures)

    return await sitting(folder, [datasets.root()], work)


async def _second(folder: Path, album: Path, before: str, say: Say) -> _Told:
    async def work(agent: Agent) -> _Told:
        drafting = Drafting(agent, say, album, sitting="second")
        await drafting.outline()
        say(f"    {before} is {await drafting.outcome(before)}")
        say(f"    draft  {await drafting.begin('A last beat')}")
        await drafting.find(**SOUGHT)
        await drafting.revise(SECOND, len(PARTS))
        proposal = await drafting.freeze(SUMMARY)
        say(f"    frozen as {proposal}")
        return _Told(proposal, drafting.edits, tuple(drafting.mended), agent.figures)

    return await sitting(folder, [], work)


def _apply(workspace: Workspace, proposal: str, say: Say) -> tuple[str, str]:
    """Apply a proposal with the demo key; gives the new revision and the saved version."""
    found = workspace.proposals[proposal]
    with workspace.reviewer() as reviewer:
        decided = found.apply(reviewer, reason="It made the cat laugh.")
        key = workspace.deciding(reviewer.name)
    revision, saved = decided.revision, decided.snapshot
    if revision is None or saved is None:
        raise WrongState(f"{proposal} was applied without a revision or a saved version", ids=[proposal])
    say(f"   {proposal} applied and signed by {key.label}: {revision.id}, saved as {saved.id}")
    return revision.id, saved.id


def make_room(folder: Path, *, fresh: bool, program: str = "lantern") -> None:
    """See that the folder is free, or free it of an earlier demo when that is wanted.

    Raises WrongState, also when something lies in an earlier demo that no demo made.
    """
    if _holds_demo(folder):
        name = shlex.quote(str(folder))
        if not fresh:
            raise WrongState(
                f"{folder.name} holds an earlier demo",
                recovery=f"Look at it with: {program} outline {name}; play it anew with: {program} demo --fresh "
                f"{name}; or make one beside it: make demo DEMO=other-demo",
            )
        own = _not_the_demo_s(folder)
        if own:
            raise WrongState(
                f"{folder.name} holds something besides the demo: {', '.join(own[:5])}",
                ids=own[:5],
                recovery="Move it away first, or play the demo in another folder: make demo DEMO=other-demo",
            )
        shutil.rmtree(folder)
    require_free(folder)


def _not_the_demo_s(folder: Path) -> list[str]:
    """What lies in a demo's folder and was put there by somebody."""
    stray = [item.name for item in folder.iterdir() if not MADE.fullmatch(item.name)]
    inbox = folder / "inbox"
    return sorted([*stray, *(f"inbox/{item.name}" for item in (inbox.iterdir() if inbox.is_dir() else ()))])


def _holds_demo(folder: Path) -> bool:
    if not (folder / DEMO_KEYS).is_dir() or not (folder / "journal.sqlite").is_file():
        return False
    with open_workspace(folder) as workspace:
        return workspace.title == WORKSPACE


def _sum(one: Figures, two: Figures) -> Figures:
    tools = {name: one.tools.get(name, 0) + two.tools.get(name, 0) for name in {**one.tools, **two.tools}}
    return Figures(
        calls=one.calls + two.calls,
        tokens=one.tokens + two.tokens,
        sent=one.sent + two.sent,
        seconds=one.seconds + two.seconds,
        pictures=one.pictures + two.pictures,
        picture_bytes=one.picture_bytes + two.picture_bytes,
        tools=tools,
    )


def _close(result: DemoResult, given: Path, program: str, say: Say) -> None:
    """Say what there is now, what it took, and what to do next."""
    figures, place = result.figures, shlex.quote(str(given))
    say("")
    say(f"{COMIC} is in {result.path}")
    say(f"  revision {result.revision}, saved as {result.saved}; {result.pending} waits for you")
    say(
        f"  {figures.calls} tool calls, {result.edits} of them edits; {len(result.mended)} faults mended; "
        f"{figures.sent:,} tokens sent, {figures.tokens:,} and {figures.pictures} pictures read; {result.seconds:.0f} s"
    )
    say("")
    say("Next:")
    query = "select actor, count(*) from changes group by all"
    for words, what in (
        (f"{program} show {place} {result.pending}", "read what waits, and see it before and after"),
        (f"{program} apply {place} {result.pending}", "take it (signed by the demo key)"),
        (f"{program} verify {place}", "check every hash, chain and signature"),
        (f'{program} sql {place} "{query}"', "ask who changed how much"),
        (f"{program} init my-comic", "begin your own"),
    ):
        say(f"  {words}")
        say(f"      {what}")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
