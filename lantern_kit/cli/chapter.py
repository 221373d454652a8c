"""Chapters: what is in a workspace, and files out of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lantern_kit.cli.place import Place, WorkspaceOption, find, is_workspace, named, opened, split
from lantern_kit.cli.screen import done, following, say, table, working
from lantern_kit.cli.words import tr
from lantern_kit.comic.measure import counted
from lantern_kit.home import own_language
from lantern_kit.kernel.errors import BadInput, NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.formats.report import Loss
    from lantern_kit.comic.service import ChapterRecord
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.workspace import Workspace

_CHAPTER = re.compile(r"\d{1,6}|ch_[0-9a-z]+")
Formats = Literal["cbz", "pdf", "png", "tiff", "webp"]
Spreads = Literal["whole", "split"]
Colours = Literal["rgb", "grey", "bitonal"]
MOST_NAMED = 6
OneChapter = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[WORKSPACE] [CHAPTER]", help="A chapter by number or id; left out where there is only one."
    ),
]
ComicOption = Annotated[
    str | None,
    typer.Option("--comic", metavar="TITLE", help="Which comic, where there are several.", show_default=False),
]


def outline(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORKSPACE] [CHAPTER] [PAGE]",
            help="All of a workspace; or one chapter, by number or id; or the objects of one of its pages, by number.",
        ),
    ] = None,
    *,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
) -> None:
    """List comics, chapters, pages and open drafts; or what lies on a page.

    Example: lantern outline chelsea 1 3
    """
    place, name, page = _part(words, folder)
    if name is not None:
        with opened(place) as found:
            chapter = chosen(found, name, comic, place, "outline", *([] if page is None else [page]))
            if page is None:
                _outline(found, found.comics.find_chapter(chapter.id))
            else:
                _objects(chapter, page)
        return
    with opened(place) as found:
        say(f"{found.title} · {found.owner.name}", style="bold")
        records = found.comics.chapters()
        for record in records:
            _outline(found, record)
        waiting = found.proposals.pending()
        if not records:
            say(tr("no chapters yet"))
    if waiting:
        following(
            *((place.command("show", item.id), tr("read it, and see it before and after")) for item in waiting[:3])
        )
    else:
        following((place.command("connect", before="claude-code"), tr("let an agent draft in it")))


def check(
    words: OneChapter = None,
    *,
    notes: Annotated[
        bool, typer.Option("--notes", help="Also what taste decides: composition, reading order, weight, colours.")
    ] = False,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
) -> None:
    """List what a good page should not have: words that do not fit, coarse pictures and such.

    Example: lantern check chelsea 1
    """
    place, name = one(words, folder)
    with opened(place) as found:
        chapter = chosen(found, name, comic, place, "check")
        with working(tr("Checking")) as step:
            found_here = chapter.check(notes=notes, progress=step)
        rows = list(found_here.rows())
        say(f"{chapter.title} · {chapter.moment.id}", style="bold")
    if rows:
        table([tr(head) for head in ("severity", "rule", "object", "what")], rows)
    else:
        done(tr("Nothing to mend."))


def export(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORKSPACE] CHAPTER", help="A chapter by number or id, after its workspace."),
    ] = None,
    *,
    folder: WorkspaceOption = None,
    to: Annotated[
        Formats,
        typer.Option(
            help="cbz is one book for readers, pdf one book for a printer; png, tiff and webp are a picture a page."
        ),
    ] = "cbz",
    dpi: Annotated[
        int | None,
        typer.Option(
            min=72,
            max=1200,
            metavar="N",
            help="Pixels an inch; of a pdf, how fine its pictures are at most. Print wants 300, 600 or 1200.",
            show_default="the paper's for pdf and tiff, else 300",
        ),
    ] = None,
    spreads: Annotated[
        Spreads, typer.Option(help="A spread as one wide page, or as two, the one read first before the other.")
    ] = "whole",
    bleed: Annotated[bool, typer.Option("--bleed", help="Pictures with their bleed; a pdf always has it.")] = False,
    colour: Annotated[
        Colours, typer.Option(help="grey and bitonal are for books without colour; bitonal has a screen for greys.")
    ] = "rgb",
    marks: Annotated[bool, typer.Option("--marks/--no-marks", help="Crop marks outside a pdf's bleed.")] = True,
    intent: Annotated[
        Path | None,
        typer.Option(metavar="FILE.icc", help="Your printer's colour profile, declared in a pdf.", show_default="sRGB"),
    ] = None,
    author: Annotated[str, typer.Option(metavar="NAME", help="Named as the author of a pdf.")] = "",
    lpi: Annotated[
        float | None,
        typer.Option(metavar="N", help="Of bitonal: rows of dots an inch.", show_default="60, fewer below 300 dpi"),
    ] = None,
    angle: Annotated[
        float | None, typer.Option(metavar="DEGREES", help="Of bitonal: the rows' angle.", show_default="45")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to.", show_default="exports/ of the workspace")
    ] = None,
    comic: ComicOption = None,
) -> None:
    """Write a chapter, as it stands, as a book or as pictures.

    Example: lantern export chelsea 1 --to pdf --spreads split

    In the printer's colours:  lantern export chelsea 1 --to pdf --intent coated.icc

    In black and white:  lantern export chelsea 1 --to tiff --dpi 1200 --colour bitonal --bleed

    docs/print.md says what a printer is promised.
    """
    place, name = named(words, folder, "CHAPTER")
    given: list[tuple[str, object]] = [("--to", to), ("--dpi", dpi), ("--intent", intent), ("--author", author or None)]
    given += [("--spreads", spreads if spreads != "whole" else None), ("--colour", colour if colour != "rgb" else None)]
    given.append(("--out", out))
    options = [str(part) for option, value in given if value is not None for part in (option, value)]
    options += [*(["--bleed"] if bleed else []), *([] if marks else ["--no-marks"])]
    with opened(place) as found:
        if name is None:
            raise _unnamed(found, place, options)
        chapter = chosen(found, name, comic, place, "export", *options)
        target = out.expanduser() if out is not None else found.path / "exports"
        revision = chapter.moment.id
        with working(tr("Exporting")) as step:
            reports = chapter.export(
                target,
                to,
                dpi=dpi,
                spreads=spreads,
                bleed=bleed,
                colour=colour,
                marks=marks,
                intent=intent,
                author=author,
                lpi=lpi,
                angle=angle,
                progress=step,
            )
        title = chapter.title
    done(tr("Exported {title} at {revision}:", title=title, revision=revision))
    for report in reports:
        before = f", {tr('an older file of that name was replaced')}" if report.replaced else ""
        say(f"  {report.path}  ({report.size / 1e6:.1f} MB{before})")
    losses: dict[str, dict[str, None]] = {}
    for loss in (loss for report in reports for loss in report.losses):
        losses.setdefault(_told(loss), {}).update(dict.fromkeys(loss.where))
    if losses:
        say(tr("What the format cannot hold:"))
        for message, where in losses.items():
            named_places = [*where][:MOST_NAMED] + (["…"] if len(where) > MOST_NAMED else [])
            say(f"  · {message}" + (f" ({', '.join(named_places)})" if where else ""))


# parts


def one(words: list[str] | None, option: Path | None) -> tuple[Place, str | None]:
    """The workspace and the chapter out of ``[WORKSPACE] [CHAPTER]``."""
    given = list(words or ())
    name = given.pop() if given and _CHAPTER.fullmatch(given[-1]) else None
    if len(given) > 1:
        raise _miscounted("[WORKSPACE] [CHAPTER]", words)
    return split(given, option)[0], name


def _part(words: list[str] | None, option: Path | None) -> tuple[Place, str | None, str | None]:
    """The workspace, a chapter and a page out of ``[WORKSPACE] [CHAPTER] [PAGE]``."""
    given = list(words or ())
    first = given[0] if given else None
    named_first = first is not None and (is_workspace(first) or not _CHAPTER.fullmatch(first))
    place = find(Path(given.pop(0)) if named_first else None, option)
    if len(given) > 2:
        raise _miscounted("[WORKSPACE] [CHAPTER] [PAGE]", words)
    name, page = [*given, None, None][:2]
    return place, name, page


def _miscounted(wanted: str, words: Sequence[str] | None) -> typer.BadParameter:
    return typer.BadParameter(tr("expected {wanted}, got {count} words", wanted=wanted, count=len(words or ())))


def every(found: Workspace) -> list[ChapterWork]:
    """All chapters, in order."""
    from lantern_kit.comic.work.chapter import ChapterWork

    return [ChapterWork(found, record.id) for record in found.comics.chapters()]


def chosen(
    found: Workspace, name: str | None, comic: str | None, place: Place, command: str, *options: str
) -> ChapterWork:
    """The chapter that is meant: by id, by number, or the only one.

    Raises NotFound and BadInput, with the whole command for each chapter that could be meant.
    """
    from lantern_kit.comic.work.chapter import ChapterWork

    records = found.comics.chapters()
    if name is not None and name.startswith("ch_"):
        return ChapterWork(found, found.comics.find_chapter(name).id)
    if name is not None and not _CHAPTER.fullmatch(name):
        raise BadInput(tr("that is no chapter"), expected=tr("a number such as 1, or an id"), found=name[:40])
    fitting = [
        record
        for record in records
        if (comic is None or record.comic == comic) and (name is None or record.number == int(name))
    ]
    if len(fitting) == 1:
        return ChapterWork(found, fitting[0].id)
    details = {"commands": _commands(place, command, fitting or records, *options)}
    if not fitting:
        begin = _begin(place, records, comic, name)
        told = tr("Run one of these, or begin it: {command}", command=begin)
        raise NotFound(
            tr("there is no such chapter here"),
            found=" ".join(word for word in (comic, name) if word),
            recovery=told if records else tr("Begin one: {command}", command=begin),
            details=details,
        )
    raise BadInput(tr("several chapters are meant"), recovery=tr("Run one of these."), details=details)


def _objects(chapter: ChapterWork, page: str) -> None:
    """What lies on a page, by its place in the chapter. Raises BadInput, NotFound."""
    if not page.isdecimal() or not 1 <= int(page) <= len(chapter):
        raise NotFound(
            tr("there is no such page in this chapter"),
            expected=tr("a number from 1 to {count}", count=len(chapter)),
            found=page[:40],
        )
    unit = chapter[int(page) - 1]
    say(f"{chapter.title} · {unit.title} · {unit.moment.id}", style="bold")
    rows = unit.objects().rows()
    if rows:
        table([tr(head) for head in ("object", "handle", "place", "words")], rows)
    else:
        say(tr("nothing on it yet"))


def _told(loss: Loss) -> str:
    """A loss in the person's language."""
    match loss.code:
        case "flattened":
            return tr("Pages are pictures: frames, layers and lettering cannot be told apart, nor text selected.")
        case "pictures":
            return tr("Pages are pictures: frames, layers and lettering cannot be told apart.")
        case "missing":
            return tr("Pictures are missing; marked stand-ins are printed.")
        case "gutter":
            return tr("What lies between the two pages of a spread is on neither of them.")
        case "straddling":
            return tr(
                "These words lie across the fold: they are cut there, and copied from the half with most of them."
            )
        case "sides":
            return tr("These spreads begin on an odd page: bound so, their halves would be two sides of one leaf.")
        case "beating":
            return tr("Drawn tones may lie over pictures here, whose greys are screened: give both one lpi and angle.")
        case "colours":
            return tr("Colours stay sRGB and are not separated; the printing condition they are for is declared.")
    return loss.message


def _unnamed(found: Workspace, place: Place, options: Sequence[str]) -> BadInput:
    """What to raise when a workspace is named, and no chapter of it."""
    records = found.comics.chapters()
    return BadInput(
        tr("no chapter is named"),
        recovery=tr("Run one of these.")
        if records
        else tr("Begin one: {command}", command=_begin(place, records, None, None)),
        details={"commands": _commands(place, "export", records, *options)},
    )


def _begin(place: Place, records: Sequence[ChapterRecord], comic: str | None, number: str | None) -> str:
    """The command that begins a chapter, in the only comic where none is named."""
    comics = {item.comic for item in records}
    return place.command("begin", comic or (comics.pop() if len(comics) == 1 else "COMIC"), number or "1")


def _commands(place: Place, command: str, records: Sequence[ChapterRecord], *options: str) -> list[str]:
    """The command for each of these chapters, as the person would type it."""
    return [place.command(command, str(item.number), "--comic", item.comic, *options) for item in records]


def called(found: Workspace, record: ChapterRecord) -> list[str]:
    """How a command names a chapter: by number, or by id where that would be unclear."""
    same = [item for item in found.comics.chapters() if item.number == record.number]
    return [str(record.number) if len(same) == 1 else record.id]


def _outline(found: Workspace, record: ChapterRecord) -> None:
    from lantern_kit.comic.work.chapter import ChapterWork

    chapter = ChapterWork(found, record.id)
    moment = chapter.moment
    facts = moment.book.chapter
    size = f"{facts.paper.width / 1000:g}×{facts.paper.height / 1000:g} mm"
    say()
    say(f"{chapter.title}  {record.id}", style="bold")
    say(f"  {moment.id} · {facts.direction.value} · {size} · " + tr("units: {count}", count=len(moment.book)))
    for unit in moment.book.units():
        kinds = Counter(item.kind for item in unit.objects)
        inside = ", ".join(_so_many(count, kind) for kind, count in kinds.items()) or tr("empty")
        say(f"  {unit.id}  {moment.titles[unit.id]}: {inside}")
    for draft in found.drafts.of_chapter(record.id):
        say(tr("  open draft {draft} by {actor}: {title}", draft=draft.id, actor=draft.actor, title=draft.title))


def _so_many(count: int, kind: str) -> str:
    return f"{count} {tr(kind)}" if own_language() == "zh" else counted(count, kind)
