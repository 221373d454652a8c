"""Candidates: what agents keep beside their drafts, seen before and after; adopted into the draft, or dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli import person
from lantern_kit.cli.chapter import every
from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, opened, split
from lantern_kit.cli.screen import done, following, say, working
from lantern_kit.cli.words import tr

if TYPE_CHECKING:
    from lantern_kit.comic.work.candidate import CandidateWork
    from lantern_kit.workspace import Workspace

LONG_EDGE = 1_400
"""Pixels of the long edge of the pictures that ``show`` writes."""

candidates = typer.Typer(
    name="candidates",
    cls=Listing,
    help="Changes that agents keep beside their drafts: candidates [WORKSPACE] lists those that wait.",
)
OneCandidate = Annotated[
    list[str], typer.Argument(metavar="[WORKSPACE] CANDIDATE", help="A candidate such as cd4, after its workspace.")
]


@candidates.command("list", cls=Spoken)
def list_candidates(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Also those that were adopted or dropped.")] = False,
) -> None:
    """List what waits beside agents' drafts.

    Example: lantern candidates chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found:
        rows = [
            (item.facts, _standing(item), chapter.title)
            for chapter in every(found)
            for item in chapter.candidates(settled=everything)
        ]
    if not rows:
        say(tr("No candidates yet.") if everything else tr("No candidate waits."))
        following((place.command("proposals"), tr("see what waits for a verdict")))
        return
    for facts, standing, title in rows:
        say(f"{facts.id}  {standing}  {facts.actor} · {facts.draft} · {title}", style="bold")
        say(f"    {facts.task}")
        say(f"    {facts.summary}")
    following(*_ways(place, rows[0][0].id, waits=rows[0][0].waits))


@candidates.command(cls=Spoken)
def show(
    words: OneCandidate,
    *,
    folder: WorkspaceOption = None,
    text: Annotated[bool, typer.Option("--text", help="Words only, no pictures.")] = False,
) -> None:
    """Say what a candidate would change, and draw it before and after.

    The pictures go to exports/review/ in the workspace.

    Example: lantern candidates show chelsea cd4
    """
    place, (name,) = split(words, folder, "CANDIDATE")
    with opened(place) as found:
        work = _one(found, name)
        say(work.text())
        if not text:
            _pictures(found, work)
        waits = work.facts.waits
    following(*_ways(place, name, waits=waits))


@candidates.command(cls=Spoken)
def adopt(words: OneCandidate, *, folder: WorkspaceOption = None) -> None:
    """Make a candidate one revision of its draft. The work stays as it is.

    It is refused where what it is about changed since.

    Example: lantern candidates adopt chelsea cd4
    """
    place, (name,) = split(words, folder, "CANDIDATE")
    person.require(tr("adopting a candidate"))
    with opened(place) as found:
        work = _one(found, name)
        say(work.text())
        person.must_agree(tr("Adopt {name} into draft {draft}?", name=name, draft=work.facts.draft))
        made = work.adopt()
        draft = work.facts.draft
    done(tr("Adopted {name}: draft {draft} is at {revision}", name=name, draft=draft, revision=made))
    following((place.command("candidates"), tr("see what else waits")))


@candidates.command(cls=Spoken)
def drop(words: OneCandidate, *, folder: WorkspaceOption = None) -> None:
    """Put a candidate away. Its draft and the work stay as they are.

    Example: lantern candidates drop chelsea cd4
    """
    place, (name,) = split(words, folder, "CANDIDATE")
    person.require(tr("dropping a candidate"))
    with opened(place) as found:
        work = _one(found, name)
        say(work.text())
        person.must_agree(tr("Drop {name}?", name=name))
        work.drop()
    done(tr("Dropped {name}: its draft is as it was", name=name))
    following((place.command("candidates"), tr("see what else waits")))


# parts


def _one(found: Workspace, name: str) -> CandidateWork:
    from lantern_kit.comic.work.candidate import CandidateWork

    return CandidateWork(found, found.candidates.get(name).id)


def _standing(work: CandidateWork) -> str:
    """How a candidate stands, in the person's language."""
    facts = work.facts
    if facts.result is not None:
        return tr("adopted as {revision}", revision=f"r{facts.result}")
    moved = work.moved
    return tr("stale: {what}", what="; ".join(item.words() for item in moved)) if moved else tr(facts.state)


def _ways(place: Place, name: str, *, waits: bool) -> list[tuple[str, str]]:
    """What may be done with a candidate, as the person would type it."""
    ways = [(place.command("candidates", name, before="show"), tr("read it, and see it before and after"))]
    if waits:
        ways.append((place.command("candidates", name, before="adopt"), tr("bring it into its draft")))
        ways.append((place.command("candidates", name, before="drop"), tr("put it away")))
    return ways


def _pictures(found: Workspace, work: CandidateWork) -> None:
    """Write the units that it touches, before and after, and say where."""
    target = found.path / "exports" / "review" / work.id
    units = [item.unit for item in work.changes if item.unit in work.moment.book or item.unit in work.before.book]
    say()
    say(tr("Pictures in {folder}", folder=target), style="bold")
    target.mkdir(parents=True, exist_ok=True)
    with working(tr("Drawing")) as step:
        for number, unit in enumerate(units, 1):
            for label, side in work.sides(unit):
                step(side.title, number - 1, len(units))
                say(f"  {side.render(long_edge=LONG_EDGE).save(target / f'{number:02d}-{label}.png').name}")
