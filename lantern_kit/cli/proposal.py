"""Proposals: what waits, what it says and shows, and the verdict of a person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli import person
from lantern_kit.cli.chapter import called
from lantern_kit.cli.parts import Parts, Reject, options, rejections, say_left_out, say_parts
from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, named, opened
from lantern_kit.cli.screen import done, following, say, working
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, NotAllowed, WrongState

if TYPE_CHECKING:
    from pathlib import Path

    from lantern_kit.comic.approvals import ApplyMode
    from lantern_kit.comic.keychain import Enrolled
    from lantern_kit.comic.proposal import Decided
    from lantern_kit.comic.work.proposal import ProposalWork
    from lantern_kit.workspace import Workspace

LONG_EDGE = 1_400
"""Pixels of the long edge of the pictures that ``show`` writes."""

ProposalArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORKSPACE] PROPOSAL", help="A proposal such as p12, after its workspace if need be."),
]
Reason = Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; the agent reads it.")]
Yes = Annotated[
    bool, typer.Option("--yes", help="Do not ask. Only the demo's key, which has no passphrase, can be used so.")
]
Who = Annotated[
    str | None, typer.Option("--reviewer", metavar="NAME", help="Whose key signs.", show_default="the newest one here")
]


def proposals(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Also those that are decided or superseded.")] = False,
) -> None:
    """List the proposals that wait for a verdict.

    Example: lantern proposals chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found:
        shelf = found.proposals.all() if everything else found.proposals.pending()
        titles = {record.id: f"{record.comic} {record.number}" for record in found.comics.chapters()}
        facts = [item.facts for item in shelf]
    if not facts:
        say(tr("No proposals yet.") if everything else tr("No proposal waits for a verdict."))
        following((place.command("outline"), tr("see the works and open drafts")))
        return
    for item in facts:
        say(f"{item.id}  {tr(item.state)}  {item.actor} · {titles.get(item.chapter, item.chapter)}", style="bold")
        say(
            "    "
            + tr(
                "changes: {changes} · units: {units} · new faults: {faults}",
                changes=item.changes,
                units=len(item.units),
                faults=len(item.new_findings),
            )
        )
        if item.summary:
            say(f"    {item.summary}")
    following(
        (place.command("review", facts[0].id), tr("look at it in the browser, and decide")),
        (place.command("show", facts[0].id), tr("read it, and see it before and after")),
    )


def show(
    words: ProposalArgument = None,
    *,
    folder: WorkspaceOption = None,
    text: Annotated[bool, typer.Option("--text", help="Words only, no pictures.")] = False,
    parts: Parts = False,
) -> None:
    """Say what a proposal changes, and draw it before and after.

    The pictures go to exports/review/ in the workspace.

    Example: lantern show chelsea p12
    """
    place, name = named(words, folder, "PROPOSAL")
    with opened(place) as found:
        proposal = _proposal(found, place, "show", name)
        say(proposal.text())
        if parts:
            say_parts(proposal)
        if not text:
            _pictures(found, proposal)
        waits = proposal.facts.undecided
    if waits:
        following(*_verdicts(place, proposal, parted=parts))


def apply(
    words: ProposalArgument = None,
    *,
    folder: WorkspaceOption = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="The work moved on meanwhile: take both sides' changes.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="The work moved on meanwhile: take the proposal's units as they are.")
    ] = False,
    reject: Reject = None,
    reason: Reason = "",
    reviewer: Who = None,
    yes: Yes = False,
) -> None:
    """Make a proposal the work, whole or without some of its parts, signed with your key.

    Shows the words first, then asks for a yes and for the passphrase. One step makes a new revision
    and a saved version of it. What needs a rejected part is left out too; the agent reads why.

    Example: lantern apply chelsea p12 --reject bl_0zr4n6yc="keep my joke"
    """
    from lantern_kit.comic.approvals import ApplyMode

    if merge and overwrite:
        raise typer.BadParameter(tr("--merge and --overwrite are two ways; choose one"))
    left_out = rejections(reject)
    mode = ApplyMode.MERGE if merge else ApplyMode.OVERWRITE if overwrite else ApplyMode.PLAIN
    place, name = named(words, folder, "PROPOSAL")
    with opened(place) as found:
        proposal, key = _shown(found, place, "apply", name, reviewer)
        count, whole = say_left_out(proposal, left_out) if left_out else (0, 0)
        _require_way(place, proposal, mode, left_out)
        question = {
            ApplyMode.PLAIN: tr("Apply {name} to the work?", name=proposal.id),
            ApplyMode.MERGE: tr("Merge {name} into the work?", name=proposal.id),
            ApplyMode.OVERWRITE: tr("Apply {name} and overwrite what changed meanwhile?", name=proposal.id),
        }[mode]
        if count:
            question += " " + tr("({count} of {whole} parts left out)", count=count, whole=whole)
        _agreed(key, question, yes=yes)
        with found.reviewer(key.name) as me:
            decided = proposal.apply(me, mode=mode, reason=reason, reject=left_out)
        chapter = found.comics.find_chapter(decided.proposal.chapter)
        operands = called(found, chapter)
    if decided.revision is None or decided.snapshot is None:
        raise AssertionError("an apply makes a revision and a snapshot")
    done(
        tr(
            "Applied {name}: {comic}, chapter {number} is at {revision}, saved as {snapshot}",
            name=proposal.id,
            comic=chapter.comic,
            number=chapter.number,
            revision=decided.revision.id,
            snapshot=decided.snapshot.id,
        )
    )
    if count:
        say(tr("  {count} of {whole} parts left out; the agent reads why", count=count, whole=whole))
    _signed(decided, key)
    following(
        (place.command("export", *operands, "--to", "cbz"), tr("make a book of it")),
        (place.command("verify"), tr("check every hash and signature")),
    )


def keep(
    words: ProposalArgument = None,
    *,
    folder: WorkspaceOption = None,
    reason: Reason = "",
    reviewer: Who = None,
    yes: Yes = False,
) -> None:
    """Leave a proposal for later, with a signed note.

    Example: lantern keep chelsea p12 --reason "after the colours are settled"
    """
    place, name = named(words, folder, "PROPOSAL")
    with opened(place) as found:
        proposal, key = _shown(found, place, "keep", name, reviewer)
        _agreed(key, tr("Keep {name} for later?", name=proposal.id), yes=yes)
        with found.reviewer(key.name) as me:
            decided = proposal.keep(me, reason=reason)
    done(tr("Kept {name}: it still waits, and the work is as it was", name=proposal.id))
    _signed(decided, key)
    following((place.command("apply", proposal.id), tr("take it after all")))


def discard(
    words: ProposalArgument = None,
    *,
    folder: WorkspaceOption = None,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; the agent reads it.")],
    reviewer: Who = None,
    yes: Yes = False,
) -> None:
    """Turn a proposal down; the agent reads your reason.

    Its draft stays open for another try.

    Example: lantern discard chelsea p12 --reason "the joke needs its pause"
    """
    if not reason.strip():
        raise typer.BadParameter(tr("--reason is empty, and it is all that the agent has to go by"))
    place, name = named(words, folder, "PROPOSAL")
    with opened(place) as found:
        proposal, key = _shown(found, place, "discard", name, reviewer, "--reason", reason)
        _agreed(key, tr("Discard {name}?", name=proposal.id), yes=yes)
        with found.reviewer(key.name) as me:
            decided = proposal.discard(me, reason=reason)
    done(
        tr(
            "Discarded {name}: the work is as it was, draft d{draft} stays open",
            name=proposal.id,
            draft=decided.proposal.draft,
        )
    )
    _signed(decided, key)
    following((place.command("proposals"), tr("see what else waits")))


# parts


def _proposal(found: Workspace, place: Place, verb: str, name: str | None, *options: str) -> ProposalWork:
    """The proposal of that name. Raises NotFound; BadInput, with the commands for those waiting, when none is named."""
    if name is not None:
        return found.proposals[name]
    waiting = found.proposals.pending()
    raise BadInput(
        tr("no proposal is named"),
        recovery=tr("Run one of these.") if waiting else tr("No proposal waits for a verdict."),
        details={"commands": [place.command(verb, item.id, *options) for item in waiting]},
    )


def _shown(
    found: Workspace, place: Place, verb: str, name: str | None, reviewer: str | None, *options: str
) -> tuple[ProposalWork, Enrolled]:
    """An undecided proposal, after its words were printed, and the key that will sign.

    A verdict speaks of what was shown. Raises WrongState, NotAllowed.
    """
    from lantern_kit.comic.proposal import require_undecided

    proposal = _proposal(found, place, verb, name, *options)
    require_undecided(proposal.facts)
    key = found.deciding(reviewer)
    say(proposal.text())
    say()
    return proposal, key


def _require_way(place: Place, proposal: ProposalWork, mode: ApplyMode, left_out: Mapping[str, str]) -> None:
    """Refuse a way of applying that the work does not allow now, and name those that it does. Raises WrongState."""
    from lantern_kit.comic.approvals import ApplyMode

    review = proposal.review
    modes = review.taking(left_out).modes(review.current.book) if left_out else review.modes
    if mode in modes or modes == (ApplyMode.PLAIN,):
        return
    ways = [place.command("apply", proposal.id, f"--{item.value}", *options(left_out)) for item in modes]
    raise WrongState(
        tr("the work moved on where {name} touches it", name=proposal.id),
        ids=review.overwrites or dict.fromkeys(item.object for item in review.conflicts),
        recovery=tr("Choose how: {ways}", ways=tr("  or  ").join(ways)),
    )


def _agreed(key: Enrolled, question: str, *, yes: bool) -> None:
    """Go on once the person said yes. Raises NotAllowed; ends the command on a no."""
    if yes and not key.demo:
        raise NotAllowed(
            tr("--yes works with the demo's key only: {name} answers and types the passphrase", name=key.name),
            ids=[key.key],
            recovery=tr("Run it in a terminal, without --yes."),
        )
    if yes:
        return
    person.require(
        tr("a verdict"),
        tr("Run it in a terminal; or, with the demo's key alone, add --yes.")
        if key.demo
        else tr("Run it in a terminal, or decide in a notebook."),
    )
    person.must_agree(question)


def _signed(decided: Decided, key: Enrolled) -> None:
    say(tr("  signed by {name}, key {key}", name=key.label, key=decided.approval.key))


def _verdicts(place: Place, proposal: ProposalWork, *, parted: bool) -> list[tuple[str, str]]:
    """What may be done with a proposal; ``parted``: its parts were told just now."""
    from lantern_kit.comic.approvals import ApplyMode

    words = {
        ApplyMode.PLAIN: tr("make it the work"),
        ApplyMode.MERGE: tr("make it the work, with what changed meanwhile"),
        ApplyMode.OVERWRITE: tr("make it the work, over what changed meanwhile"),
    }
    ways = [
        (place.command("apply", proposal.id, *([] if mode is ApplyMode.PLAIN else [f"--{mode.value}"])), words[mode])
        for mode in proposal.review.modes
    ]
    show_parts = place.command("show", proposal.id, "--text", "--parts")
    return [
        *ways,
        *([] if parted else [(show_parts, tr("see what can be left out: apply --reject ID=why"))]),
        (place.command("keep", proposal.id), tr("leave it for later")),
        (place.command("discard", proposal.id, "--reason", "…"), tr("turn it down; the agent reads why")),
    ]


def _pictures(found: Workspace, proposal: ProposalWork) -> None:
    """Write the touched units as they stand and as they are proposed, and say where."""
    target = found.path / "exports" / "review" / proposal.id
    units = proposal.facts.units
    say()
    say(tr("Pictures in {folder}", folder=target), style="bold")
    target.mkdir(parents=True, exist_ok=True)
    with working(tr("Drawing")) as step:
        for place, unit in enumerate(units):
            sides = proposal.sides(unit)
            for label, work in sides:
                step(work.title, place, len(units))
                name = _file_name(sides[-1][1].title)  # a unit that moved is called as it will be, on both sides
                saved = work.render(long_edge=LONG_EDGE).save(target / f"{place + 1:02d}-{name}-{label}.png")
                say(f"  {saved.name}")
            if len(sides) > 1:
                _difference(proposal, unit, target / f"{place + 1:02d}-{_file_name(sides[-1][1].title)}-difference.png")


def _difference(proposal: ProposalWork, unit: str, target: Path) -> None:
    """Write what changed on a unit in colour, and say how much of it that is."""
    from lantern_kit.comic.work.comparison import percent

    found = proposal.compare(unit, long_edge=LONG_EDGE)
    if found.found.alike:
        say(tr("  both look the same: what changed is told above"))
        return
    count = len(found.regions) + found.found.rest.regions
    told = tr(
        "places that look different: {count}, {share} of the page", count=count, share=percent(found.distance.changed)
    )
    say(f"  {found.save(target).name}  ({told})")


def _file_name(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title).strip("-").lower()[:60]
