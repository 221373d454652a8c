"""Annotations: what a person wants changed, where it points, and the person's word on what became of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lantern_kit.cli import person
from lantern_kit.cli.chapter import ComicOption, OneChapter, called, chosen, one
from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.place import Place, WorkspaceOption, opened, split
from lantern_kit.cli.screen import done, following, say
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput

if TYPE_CHECKING:
    from lantern_kit.comic.work.annotation import AnnotationWork
    from lantern_kit.workspace import Workspace

LONG_EDGE = 1_400
"""Pixels of the long edge of the pictures that ``show`` writes."""
_ON = re.compile(r"(?P<thing>[a-z]{2}_[0-9a-z]{4,20}(#[0-9a-z]{8})?)(@(?P<x>[0-9.]+),(?P<y>[0-9.]+))?")

notes = typer.Typer(
    name="annotations",
    cls=Listing,
    help="What you want changed, in your words, for agents to read: annotations [WORKSPACE] [CHAPTER] lists it.",
)
OneAnnotation = Annotated[
    list[str],
    typer.Argument(metavar="[WORKSPACE] ANNOTATION", help="An annotation such as an_7kq2m9x4, after its workspace."),
]
Everything = Annotated[bool, typer.Option("--all", help="Also those that are settled.")]


def annotate(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[WORKSPACE] CHAPTER WORDS", help="A chapter by number or id, and what you want."),
    ],
    *,
    folder: WorkspaceOption = None,
    on: Annotated[
        list[str] | None,
        typer.Option(
            "--on",
            metavar="THING[@X,Y]",
            help="What it is about: the id of an object or page, with shares of it from 0 to 1. May be repeated.",
        ),
    ] = None,
    attach: Annotated[
        list[Path] | None, typer.Option("--attach", metavar="FILE", help="A picture to go with it. May be repeated.")
    ] = None,
    comic: ComicOption = None,
) -> None:
    """Write what you want changed; agents read it, and the work stays as it is.

    A page with @X,Y means that place on the paper; an object with @X,Y a place inside it, wherever it goes.

    Example: lantern annotate chelsea 1 "Softer, please." --on bl_0zr4n6yc --on un_4tq8w2pa@0.3,0.8
    """
    place, (name, body) = split(words, folder, "CHAPTER", "WORDS")
    wanted = [_pointed(item) for item in on or ()]
    with opened(place) as found:
        made = chosen(found, name, comic, place, "annotate").annotate(body, on=wanted, attach=list(attach or ()))
        say(made.text())
    done(tr("Written: {annotation}", annotation=made.id))
    following(
        (_command(place, "show", made.id), tr("see it on its page")),
        (place.command("connect", before="claude-code"), tr("let an agent deal with it")),
    )


@notes.command("list", cls=Spoken)
def list_annotations(
    words: OneChapter = None,
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
    everything: Everything = False,
) -> None:
    """List what you wrote and have not settled.

    Example: lantern annotations chelsea 1
    """
    place, name = one(words, folder)
    with opened(place) as found:
        texts = [
            (item.id, item.state.value, item.text())
            for item in _listed(found, name, comic, place, everything=everything)
        ]
    if not texts:
        say(tr("No annotations."))
        following((place.command("annotate", "1", "…"), tr("write what you want changed")))
        return
    for _, _, text in texts:
        say(text)
        say()
    awaiting = [name for name, state, _ in texts if state == "awaiting"]
    shown = awaiting[0] if awaiting else texts[0][0]
    following(
        (_command(place, "show", shown), tr("see it on its page")),
        (_command(place, "settle", shown), tr("say that it is dealt with")),
    )


@notes.command(cls=Spoken)
def show(words: OneAnnotation, *, folder: WorkspaceOption = None) -> None:
    """Say all of an annotation, and draw the pages it points at with numbered pins.

    The pictures go to exports/review/ in the workspace.

    Example: lantern annotations show chelsea an_7kq2m9x4
    """
    place, (name,) = split(words, folder, "ANNOTATION")
    with opened(place) as found:
        work = _one(found, name)
        say(work.text())
        target = found.path / "exports" / "review" / work.id
        for number, (title, page) in enumerate(work.pages(long_edge=LONG_EDGE), 1):
            target.mkdir(parents=True, exist_ok=True)
            say(f"  {title}: {page.save(target / f'{number}.png')}")
        settled, proposal = work.facts.settled, work.facts.proposal
    ways = [(_command(place, "reopen", name), tr("open it again"))] if settled else []
    if not settled and proposal is not None:
        ways.append((place.command("show", f"p{proposal}"), tr("see what the agent proposes")))
    if not settled:
        ways.append((_command(place, "settle", name), tr("say that it is dealt with")))
        ways.append((_command(place, "shelve", name), tr("put it aside")))
    following(*ways)


@notes.command(cls=Spoken)
def settle(words: OneAnnotation, *, folder: WorkspaceOption = None) -> None:
    """Say that an annotation is dealt with.

    Example: lantern annotations settle chelsea an_7kq2m9x4
    """
    _moved(words, folder, "resolve", tr("Settled {annotation}: it is dealt with"))


@notes.command(cls=Spoken)
def shelve(words: OneAnnotation, *, folder: WorkspaceOption = None) -> None:
    """Put an annotation aside; agents no longer see it as open.

    Example: lantern annotations shelve chelsea an_7kq2m9x4
    """
    _moved(words, folder, "shelve", tr("Shelved {annotation}"))


@notes.command(cls=Spoken)
def reopen(words: OneAnnotation, *, folder: WorkspaceOption = None) -> None:
    """Make an annotation open again, freed from any draft.

    Example: lantern annotations reopen chelsea an_7kq2m9x4
    """
    _moved(words, folder, "reopen", tr("Open again: {annotation}"))


@notes.command(cls=Spoken)
def reword(
    words: Annotated[
        list[str], typer.Argument(metavar="[WORKSPACE] ANNOTATION WORDS", help="An annotation and its new words.")
    ],
    *,
    folder: WorkspaceOption = None,
) -> None:
    """Give an annotation other words; what it points at stays.

    Example: lantern annotations reword chelsea an_7kq2m9x4 "Much softer."
    """
    place, (name, body) = split(words, folder, "ANNOTATION", "WORDS")
    with opened(place) as found:
        work = _one(found, name).edit(body)
        say(work.text())
    done(tr("Reworded {annotation}", annotation=name))


@notes.command(cls=Spoken)
def reply(
    words: Annotated[
        list[str], typer.Argument(metavar="[WORKSPACE] ANNOTATION WORDS", help="An annotation and what to add to it.")
    ],
    *,
    folder: WorkspaceOption = None,
) -> None:
    """Add a message to an annotation; agents read it.

    Example: lantern annotations reply chelsea an_7kq2m9x4 "The second version was better."
    """
    place, (name, body) = split(words, folder, "ANNOTATION", "WORDS")
    with opened(place) as found:
        say(_one(found, name).reply(body).text())
    done(tr("Added to {annotation}", annotation=name))


@notes.command(cls=Spoken)
def erase(words: OneAnnotation, *, folder: WorkspaceOption = None) -> None:
    """Take an annotation out for good, with everything said about it. Asks first.

    Example: lantern annotations erase chelsea an_7kq2m9x4
    """
    place, (name,) = split(words, folder, "ANNOTATION")
    person.require(tr("erasing an annotation"))
    with opened(place) as found:
        work = _one(found, name)
        say(work.text())
        person.must_agree(tr("Erase {annotation} for good?", annotation=name))
        work.delete()
    done(tr("Erased {annotation}", annotation=name))
    following((place.command("annotations"), tr("see the others")))


@notes.command("export", cls=Spoken)
def export_annotations(
    words: OneChapter = None,
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
    everything: Everything = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to.", show_default="exports/ of the workspace")
    ] = None,
) -> None:
    """Write the annotations as W3C Web Annotations (JSON-LD), apart from the work.

    Example: lantern annotations export chelsea 1 --out notes.jsonld
    """
    place, name = one(words, folder)
    with opened(place) as found:
        shelf = _listed(found, name, comic, place, everything=everything)
        target = out.expanduser() if out is not None else _target(found, name, comic, place)
        target.parent.mkdir(parents=True, exist_ok=True)
        written, count = shelf.export(target), len(shelf)
    done(tr("Exported annotations: {count}", count=count))
    say(f"  {written}")


# parts


def _command(place: Place, deed: str, *operands: str) -> str:
    """A command of the group as the person would type it."""
    return place.command("annotations", *operands, before=deed)


def _moved(words: list[str], option: Path | None, deed: str, sentence: str) -> None:
    place, (name,) = split(words, option, "ANNOTATION")
    with opened(place) as found:
        work = _one(found, name)
        getattr(work, deed)()
        say(work.text())
    done(sentence.format(annotation=name))
    following((place.command("annotations"), tr("see the others")))


def _one(found: Workspace, name: str) -> AnnotationWork:
    from lantern_kit.comic.work.annotation import AnnotationWork

    return AnnotationWork(found, found.annotation_service.get(name).id)


def _listed(found: Workspace, name: str | None, comic: str | None, place: Place, *, everything: bool) -> Any:
    from lantern_kit.comic.annotation import State

    return chosen(found, name, comic, place, "annotations").annotations(*(State if everything else ()))


def _target(found: Workspace, name: str | None, comic: str | None, place: Place) -> Path:
    chapter = chosen(found, name, comic, place, "annotations export")
    (word,) = called(found, found.comics.find_chapter(chapter.id))
    return found.path / "exports" / f"annotations-{word}.jsonld"


def _pointed(text: str) -> dict[str, Any] | str:
    """What ``--on`` names: a thing, a place in an object, or a place on a page's paper. Raises BadInput."""
    found = _ON.fullmatch(text)
    try:
        at = None if found is None or found["x"] is None else (float(found["x"]), float(found["y"]))
    except ValueError:
        found = None
    if found is None:
        raise BadInput(tr("that cannot be pointed at"), expected="bl_0zr4n6yc, bl_0zr4n6yc@0.5,0.2", found=text[:40])
    thing = found["thing"]
    if at is None:
        return thing
    return {"unit": thing, "point": at} if thing.startswith("un_") else {"element": thing, "at": at}
