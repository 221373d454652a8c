"""What words mean in the works of a workspace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli.chapter import ComicOption, chosen, every
from lantern_kit.cli.place import WorkspaceOption, is_workspace, opened, split
from lantern_kit.cli.screen import following, note, table
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.service import Moment
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.match import Match
    from lantern_kit.workspace import Workspace

_ID = re.compile(r"[a-z]{2}_[0-9a-z]{4,20}(#[0-9a-z]{8})?")


def find(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[WORKSPACE] WORDS", help="What you would call it, in quotes, after its workspace."),
    ],
    *,
    folder: WorkspaceOption = None,
    chapter: Annotated[
        str | None,
        typer.Option("--chapter", metavar="CHAPTER", help="Only there, by number or id.", show_default="all"),
    ] = None,
    comic: ComicOption = None,
) -> None:
    """Find what words mean: a page, a panel, a balloon, a picture, by name, place or what is said or described.

    Where several could be meant, all are listed with what tells them apart.

    Example: lantern find chelsea "page 3, last panel"
    """
    if len(words) == 1 and folder is None and is_workspace(words[0]):
        raise typer.BadParameter(
            tr('say what to find too: lantern find {workspace} "page 3, last panel"', workspace=words[0])
        )
    place, (text,) = split(words, folder, "WORDS")
    with opened(place) as found:
        if chapter is None and comic is None:
            chapters = every(found)
        else:
            chapters = [chosen(found, chapter, comic, place, "find", text)]
        hits = _found(chapters, text)
        rows = [_row(item, several=len(chapters) > 1, title=title) for title, item in hits]
    table([tr(head) for head in ("page", "object", "handle", "words", "told apart by")], rows)
    if len(rows) > 1:
        note(tr("{count} things may be meant: say what tells yours apart.", count=len(rows)))
    else:
        following((place.command("blame", hits[0][1].id), tr("see who made it what it is")))


def meant(found: Workspace, text: str, *, at: Moment | None = None) -> str:
    """The id of the one thing that words mean, as ``find`` reads them; an id, or a handle, is what it says.

    Args:
        found: the workspace; all its chapters are looked through as they stand.
        text: an id, or what one would call it.
        at: only there.

    Raises NotFound; BadInput where several are meant, with what tells them apart.
    """
    from lantern_kit.comic.work.match import find as matches

    if _ID.fullmatch(text):
        return text
    works = every(found)
    hits = _found(works, text) if at is None else [("", item) for item in matches(found, at, text)]
    if not hits:
        raise NotFound(
            tr("nothing answers to “{text}”", text=text[:80]),
            recovery=tr("Say it otherwise; lantern outline lists what there is."),
        )
    if len(hits) > 1:
        rows = [_row(item, several=at is None and len(works) > 1, title=title) for title, item in hits]
        told = [
            {"object": item.id, "message": ", ".join(filter(None, (page, name, words, apart)))}
            for (_, item), (page, name, _, words, apart) in zip(hits, rows, strict=True)
        ]
        raise BadInput(
            tr("“{text}” may mean {count} things", text=text[:80], count=len(hits)),
            recovery=tr("Say what tells it apart, or name it by its id."),
            details={"findings": told},
        )
    return hits[0][1].id


def _found(chapters: list[ChapterWork], text: str) -> list[tuple[str, Match]]:
    """All that answers in these chapters, under their titles. Raises NotFound when nothing does."""
    found: list[tuple[str, Match]] = []
    refused: NotFound | None = None
    why: dict[str, None] = {}
    for work in chapters:
        try:
            matches = work.find(text)
        except NotFound as error:  # an id belongs to one chapter at most
            refused = error
            continue
        why.setdefault(matches.note)
        found += [(work.title, item) for item in matches]
    if not found and refused is not None and not why:
        raise refused
    if not found:
        raise NotFound(
            tr("nothing answers to “{text}”", text=text[:80]),
            found="; ".join(filter(None, why)) or None,
            recovery=tr("Say it otherwise; lantern outline lists what there is."),
        )
    return found


def _row(item: Match, *, several: bool, title: str) -> tuple[str, ...]:
    page = f"{title}, {item.page}" if several else item.page
    return (page, item.name, item.handle, item.words, item.apart)
