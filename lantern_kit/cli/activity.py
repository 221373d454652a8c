"""What agents did, as a tree: tasks and their events."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli.chapter import ComicOption, OneChapter, chosen, one
from lantern_kit.cli.parts import without
from lantern_kit.cli.place import WorkspaceOption, opened
from lantern_kit.cli.screen import following, note, say
from lantern_kit.cli.words import tr

if TYPE_CHECKING:
    from lantern_kit.comic.work.activity import Activity
    from lantern_kit.kernel.activity_groups import Group
    from lantern_kit.kernel.activity_page import Kept


def activity(
    words: OneChapter = None,
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
    agent: Annotated[str, typer.Option(metavar="NAME", help="Only what this agent did.", show_default=False)] = "",
    after: Annotated[
        str, typer.Option(metavar="EVENT", help="What came after an event such as e120.", show_default=False)
    ] = "",
    before: Annotated[str, typer.Option(metavar="EVENT", help="What came before one.", show_default=False)] = "",
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many events at most.")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="The page as one JSON object.")] = False,
) -> None:
    """Show what agents did: which task, to which pages and pictures, and what came of it.

    Without a chapter it is that of all works. It only reads.

    Example: lantern activity chelsea 1
    """
    place, name = one(words, folder)
    with opened(place) as found:
        chapter = "" if name is None and comic is None else chosen(found, name, comic, place, "activity")
        page = found.activity(chapter, agent=agent, after=after, before=before, limit=limit)
    if as_json:
        sys.stdout.write(json.dumps(page.facts(), ensure_ascii=False, indent=1) + "\n")
        return
    _tree(page)
    awaited = dict.fromkeys(item.group.proposal for item in page if item.group.state == "awaiting")
    if awaited:
        see = tr("read it, and see it before and after")
        following(*((place.command("show", item), see) for item in list(awaited)[:3]))
    if page.page.earlier:
        note(tr("earlier: --before {event}", event=page.page.oldest))
    if page.page.later:
        note(tr("later: --after {event}", event=page.page.newest))


# parts


def _tree(page: Activity) -> None:
    if not len(page):
        say(tr("No agent did anything there."))
    for branch in page:
        state = _state(branch.group) + without(page.left_out(branch.group))
        say(page.title(branch.group, state), style="bold")
        for place, item in enumerate(branch.events, 1):
            say(f"{'└' if place == len(branch.events) else '├'} {_event(item)}")


def _state(group: Group) -> str:
    match group.state:
        case "running":
            return tr("running")
        case "timed_out":
            return tr("timed out")
        case "awaiting":
            return tr("awaits a verdict on {proposal}", proposal=group.proposal)
        case _:
            return tr("completed: {proposal} saved as {snapshot}", proposal=group.proposal, snapshot=group.snapshot)


def _event(item: Kept) -> str:
    event = item.event
    parts = [item.id, item.time, item.what]
    parts.append(tr("failed: {code}", code=event.code) if event.outcome == "failed" else event.summary)
    parts += [", ".join(event.assets), "" if event.link == event.target else event.link]
    return "  ".join(part for part in parts if part)
