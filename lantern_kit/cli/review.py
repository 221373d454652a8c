"""What a person keeps, chooses and brings back: locks, conflicts of merges, picks out of earlier revisions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli import person
from lantern_kit.cli.chapter import ComicOption, OneChapter, called, chosen, every, one
from lantern_kit.cli.place import Place, WorkspaceOption, find, opened, split
from lantern_kit.cli.screen import done, following, say, table
from lantern_kit.cli.seek import meant
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.conflict import ConflictWork
    from lantern_kit.workspace import Workspace

_REVISION = re.compile(r"r\d{1,16}")
OneThing = Annotated[
    list[str],
    typer.Argument(
        metavar="[WORKSPACE] THING",
        help="The id of an object, a page or a chapter; or what you would call it; after its workspace.",
    ),
]
OneConflict = Annotated[
    list[str], typer.Argument(metavar="[WORKSPACE] CONFLICT", help="A conflict such as c3, after its workspace.")
]


def lock(
    words: OneThing,
    *,
    folder: WorkspaceOption = None,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why; agents read it.")] = "",
) -> None:
    """Keep agents from a thing and all that lies in it.

    What they would change of it is refused, in drafts and when a proposal is applied, until you unlock it.

    Example: lantern lock chelsea fr_7kq2m9x4 --reason "this page is done"
    """
    place, (name,) = split(words, folder, "THING")
    with opened(place) as found:
        name = meant(found, name)
        made = _holding(found, name).lock(name, reason)
    done(tr("Locked {thing}: agents leave it as it is", thing=made.object))
    following((place.command("unlock", made.object), tr("give it free again")))


def unlock(words: OneThing, *, folder: WorkspaceOption = None) -> None:
    """Give a locked thing free again.

    Example: lantern unlock chelsea fr_7kq2m9x4
    """
    place, (name,) = split(words, folder, "THING")
    person.require(tr("unlocking"))
    with opened(place) as found:
        name = meant(found, name)
        chapter = _locked(found, name)
        held = next(item for item in chapter.locks() if item.object == name.split("#")[0])
        say(held.words())
        person.must_agree(tr("Unlock {thing}?", thing=held.object))
        chapter.unlock(held.object)
    done(tr("Unlocked {thing}", thing=held.object))
    following((place.command("locks"), tr("see what else is locked")))


def locks(words: OneChapter = None, *, folder: WorkspaceOption = None, comic: ComicOption = None) -> None:
    """List what agents are kept from.

    Example: lantern locks chelsea
    """
    place, name = one(words, folder)
    with opened(place) as found:
        held = chosen(found, name, comic, place, "locks").locks()
        rows = [(row[0], row[1], row[2][:16].replace("T", " "), row[3]) for row in held.rows()]
    if not rows:
        say(tr("Nothing is locked."))
        return
    table([tr(head) for head in ("object", "who", "time (UTC)", "reason")], rows)
    following((place.command("unlock", rows[0][0]), tr("give it free again")))


def conflicts(
    words: OneChapter = None,
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Also those that are settled.")] = False,
) -> None:
    """List what merges left for you to choose.

    Where a proposal and the work changed one thing differently, a merge keeps the work's and asks here.

    Example: lantern conflicts chelsea
    """
    place, name = one(words, folder)
    with opened(place) as found:
        shelf = chosen(found, name, comic, place, "conflicts").conflicts(settled=everything)
        texts = [item.text() for item in shelf]
        waiting = [item.id for item in shelf if item.facts.state == "open"]
    if not texts:
        say(tr("No conflict waits for a choice."))
        return
    for text in texts:
        say(text)
        say()
    following(*((place.command("resolve", item, "--theirs"), tr("see both drawn, and choose")) for item in waiting[:3]))


def resolve(
    words: OneConflict,
    *,
    folder: WorkspaceOption = None,
    ours: Annotated[bool, typer.Option("--ours", help="Leave the work as it is.")] = False,
    theirs: Annotated[bool, typer.Option("--theirs", help="Take what the proposal has.")] = False,
) -> None:
    """Settle a conflict that a merge left.

    Says and draws both choices first; the pictures go to exports/review/ in the workspace. Taking theirs
    makes one revision.

    Example: lantern resolve chelsea c3 --theirs
    """
    if ours == theirs:
        raise typer.BadParameter(tr("choose one: --ours or --theirs"))
    place, (name,) = split(words, folder, "CONFLICT")
    person.require(tr("a choice"))
    with opened(place) as found:
        from lantern_kit.comic.work.conflict import ConflictWork

        work = ConflictWork(found, name)
        say(work.text())
        _draw(found, work)
        person.must_agree(
            tr("Take theirs for {name}?", name=name) if theirs else tr("Keep ours for {name}?", name=name)
        )
        made = work.resolve("theirs" if theirs else "ours")
    if made is None:
        done(tr("Settled {name}: the work is as it was", name=name))
    else:
        done(tr("Settled {name}: the work is at {revision}", name=name, revision=made))
    following((place.command("conflicts"), tr("see what else waits")))


def pick(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORKSPACE] REVISION THING...",
            help="A revision such as r30, and objects or pages in it: ids, or what you would call them.",
        ),
    ],
    *,
    folder: WorkspaceOption = None,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why.")] = "",
) -> None:
    """Bring things back as they were at a revision, without the rest of it.

    An object comes with what lay in it, and with the frame and the page it cannot stand without.

    Example: lantern pick chelsea r30 bl_0zr4n6yc
    """
    from lantern_kit.kernel.revision import revision_number

    place, revision, things = _picked(words, folder)
    person.require(tr("a pick"))
    with opened(place) as found:
        chapter = _of_revision(found, revision)
        then = found.comics.at(revision_number(revision))
        things = [meant(found, thing, at=then) for thing in things]
        person.must_agree(tr("Bring back {things} as at {revision}?", things=", ".join(things), revision=revision))
        made = chapter.pick(revision, *things, reason=reason)
        title = chapter.title
    done(tr("Picked: {title} is at {revision}", title=title, revision=made))
    following((place.command("history"), tr("see what came before")))


def restore(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORKSPACE] [CHAPTER] REVISION",
            help="A revision such as r30, or a saved version by its id or title, after its workspace and chapter.",
        ),
    ],
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
    message: Annotated[str, typer.Option("--message", "-m", metavar="WORDS", help="Why, for the history.")] = "",
) -> None:
    """Bring a whole chapter back as it was at a revision.

    That makes a new revision; what came between stays in the history, and can be brought back the same way. Asks for
    a yes first.

    Example: lantern restore chelsea 1 r12 -m "the first ending was better"
    """
    from lantern_kit.comic.work.named import revision_named

    *before, revision = words
    place, name = one(before, folder)
    person.require(tr("bringing a chapter back"))
    with opened(place) as found:
        chapter = chosen(found, name, comic, place, "restore", revision)
        seen = chapter.moment.id
        at = f"r{revision_named(found, chapter.id, revision)}"
        person.must_agree(tr("Bring back {title} as at {revision}?", title=chapter.title, revision=at))
        made = chapter.restore(at, message, expected=seen)
        title, (number,) = chapter.title, called(found, found.comics.find_chapter(chapter.id))
    done(tr("Brought back: {title} is at {made}, as it was at {revision}", title=title, made=made, revision=at))
    following(
        (place.command("history", number), tr("see what came before")),
        (place.command("restore", number, seen), tr("take it back")),
    )


# parts


def _holding(found: Workspace, name: str) -> ChapterWork:
    """The chapter that holds a thing, or is it. Raises NotFound."""
    thing = name.split("#", maxsplit=1)[0]
    for chapter in every(found):
        if thing == chapter.id or found.comics.unit_of(chapter.book, thing) is not None:
            return chapter
    raise NotFound(
        tr("{name} is nothing in this workspace", name=name[:40]),
        recovery=tr("Read its id from lantern outline, or from the page in a notebook."),
    )


def _locked(found: Workspace, name: str) -> ChapterWork:
    """The chapter in which a thing is locked; it may be gone. Raises NotFound."""
    thing = name.split("#", maxsplit=1)[0]
    for chapter in every(found):
        if any(item.object == thing for item in chapter.locks()):
            return chapter
    raise NotFound(tr("{name} is not locked", name=name[:40]), recovery=tr("See what is: lantern locks"))


def _of_revision(found: Workspace, revision: str) -> ChapterWork:
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.kernel.revision import revision_number

    return ChapterWork(found, found.comics.at(revision_number(revision)).book.chapter.id)


def _picked(words: list[str], option: Path | None) -> tuple[Place, str, list[str]]:
    """The workspace, the revision and the things out of ``[WORKSPACE] REVISION THING...``. Raises BadInput."""
    at = next((number for number, word in enumerate(words) if _REVISION.fullmatch(word)), None)
    if at is None or at > 1 or at + 1 == len(words):
        raise typer.BadParameter(
            tr("expected {wanted}, got {count} words", wanted="[WORKSPACE] REVISION THING...", count=len(words))
        )
    return find(Path(words[0]) if at else None, option), words[at], words[at + 1 :]


def _draw(found: Workspace, work: ConflictWork) -> None:
    """Write the page with either choice, and say where."""
    target = found.path / "exports" / "review" / work.id
    target.mkdir(parents=True, exist_ok=True)
    for label, page in work.pages():
        say(f"  {page.save(target / f'{label}.png')}")
