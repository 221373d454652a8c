"""The library: characters, scenes, props, styles and layouts that works keep to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lantern_kit.cli import person
from lantern_kit.cli.chapter import ComicOption, OneChapter, chosen, one
from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.place import Place, WorkspaceOption, named, opened, split
from lantern_kit.cli.screen import done, following, say, table
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, LanternError, NotFound

if TYPE_CHECKING:
    from lantern_kit.comic.work.library import EntryWork
    from lantern_kit.workspace import Workspace

EDGE = 1_400
"""Pixels of the long edge of the picture that ``show`` writes."""

library = typer.Typer(
    name="library",
    cls=Listing,
    help="Characters, scenes, props, styles and layouts that works keep to: library [WORKSPACE] [SEARCH] lists them.",
)
_OPTIONS = {
    "name": "NAME",
    "notes": "--notes",
    "palette": "--colour",
    "aliases": "--alias",
    "looks": "--look",
    "sheets": "--sheet",
    "comic": "--comic",
    "layout": "--page",
}
"""The option that gives each field of an entry."""
_FIELD = re.compile(r"^([a-z]+)(?:\.(\d+))?((?:\.\w+)*):")
Kinds = Literal["character", "scene", "prop", "style", "layout"]
OneEntry = Annotated[
    list[str],
    typer.Argument(metavar="[WORKSPACE] ENTRY", help="An entry by its name or id, such as li_7kq2m9x4."),
]
Notes = Annotated[str | None, typer.Option("--notes", metavar="TEXT", help="What is to be kept to, in Markdown.")]
Palette = Annotated[
    list[str] | None, typer.Option("--colour", metavar="#RRGGBB", help="A colour of it, in quotes. May be repeated.")
]
Aliases = Annotated[
    list[str] | None, typer.Option("--alias", metavar="NAME", help="Another name of it. May be repeated.")
]
Looks = Annotated[
    list[str] | None,
    typer.Option("--look", metavar="NAME[=NOTES]", help="A way in which it is seen. May be repeated."),
]
Sheets = Annotated[
    list[str] | None,
    typer.Option(
        "--sheet",
        metavar="PICTURE[=ROLE]",
        help="A reference picture: as_…, or a file, which is registered; and what it shows. May be repeated.",
    ),
]
Why = Annotated[str, typer.Option("--message", "-m", metavar="TEXT", help="Why.")]


@library.command("list", cls=Spoken)
def list_entries(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORKSPACE] [SEARCH]", help="Words in names, notes or looks; left out: all."),
    ] = None,
    *,
    folder: WorkspaceOption = None,
    kind: Annotated[Kinds | None, typer.Option(help="Only these.", show_default=False)] = None,
    archived: Annotated[bool, typer.Option("--archived", help="Those that were put away instead.")] = False,
) -> None:
    """List what is kept.

    Example: lantern library chelsea raincoat --kind character
    """
    place, search = named(words, folder, "SEARCH")
    with opened(place) as found:
        entries = found.library.find(search or "", kind=kind, archived=archived)
        rows = [(item.id, tr(item.kind.value), item.name, str(item.number), _clipped(item.notes)) for item in entries]
    if not rows:
        say(tr("Nothing in the library fits.") if search or kind or archived else tr("Nothing is kept yet."))
        following((_command(place, "keep", "character", "Mira"), tr("keep a character")))
        return
    table([tr(head) for head in ("entry", "kind", "name", "version", "notes")], rows)
    following(
        (_command(place, "show", rows[0][0]), tr("see all of it, on one picture")),
        (_command(place, "uses"), tr("see what the chapters use")),
    )


@library.command(cls=Spoken)
def show(words: OneEntry, *, folder: WorkspaceOption = None) -> None:
    """Say all of an entry, with its versions, and draw its reference pictures.

    The picture goes to exports/library/ in the workspace.

    Example: lantern library show chelsea Mira
    """
    place, (name,) = split(words, folder, "ENTRY")
    with opened(place) as found:
        entry = found.library[name]
        say(entry.text())
        say()
        table([tr(head) for head in ("version", "who", "when", "how", "what changed", "why")], entry.versions.rows())
        drawn = entry.picture(edge=EDGE)
        if drawn is not None:
            target = found.path / "exports" / "library" / f"{entry.id}.png"
            target.parent.mkdir(parents=True, exist_ok=True)
            say(f"  {drawn.save(target)}")
    following(
        (_command(place, "update", entry.id, "--notes", "…"), tr("say it anew")),
        (_command(place, "uses"), tr("see what the chapters use")),
    )


@library.command(cls=Spoken)
def keep(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORKSPACE] KIND NAME", help="character, scene, prop, style or layout, and what it is called."
        ),
    ],
    *,
    folder: WorkspaceOption = None,
    notes: Notes = None,
    colours: Palette = None,
    aliases: Aliases = None,
    looks: Looks = None,
    sheets: Sheets = None,
    of: Annotated[
        str | None, typer.Option("--comic", metavar="TITLE", help="The comic it belongs to; left out: all of them.")
    ] = None,
    page: Annotated[
        str | None,
        typer.Option("--page", metavar="[CHAPTER/]PAGE", help="Of a layout: the page it is taken from, such as 1/3."),
    ] = None,
    message: Why = "",
) -> None:
    """Keep a character, scene, prop, style or page layout.

    Example: lantern library keep chelsea character Mira --sheet mira.png=front --colour "#d97706" --look raincoat
    """
    place, (kind, name) = split(words, folder, "KIND", "NAME")
    with opened(place) as found:
        facts = _facts(found, name, notes, colours, aliases, looks, sheets)
        if of is not None:
            facts["comic"] = of
        if page is not None:
            facts["layout"] = _page(found, page, of, place)
        elif kind == "layout":
            raise BadInput(
                tr("a layout is taken from a page"),
                expected="--page 1/3",
                recovery=tr("Say which: --page with chapter and page."),
            )
        with _options():
            entry = found.library.keep(kind, name, message=message, **facts)
    done(tr("Kept {name}: {entry}, version {version}", name=entry.name, entry=entry.id, version=entry.number))
    following((_command(place, "show", entry.id), tr("see all of it, on one picture")))


@library.command(cls=Spoken)
def update(
    words: OneEntry,
    *,
    folder: WorkspaceOption = None,
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="What it is called now.")] = None,
    notes: Notes = None,
    colours: Palette = None,
    aliases: Aliases = None,
    looks: Looks = None,
    sheets: Sheets = None,
    message: Why = "",
) -> None:
    """Keep a new version of an entry: what is given takes the place of what was there.

    Example: lantern library update chelsea Mira --notes "Never smiles." -m "as in chapter 2"
    """
    place, (entry,) = split(words, folder, "ENTRY")
    with opened(place) as found:
        called = found.library[entry].name if name is None else name
        facts = _facts(found, called, notes, colours, aliases, looks, sheets)
        if name is not None:
            facts["name"] = name
        with _options():
            changed = found.library[entry].update(message=message, **facts)
        _said(place, changed)


@library.command(cls=Spoken)
def restore(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[WORKSPACE] ENTRY VERSION", help="An entry, and the number of an earlier version."),
    ],
    *,
    folder: WorkspaceOption = None,
    message: Why = "",
) -> None:
    """Bring an earlier version back as a new one; one that was put away too. Asks for a yes first.

    Example: lantern library restore chelsea Mira 2
    """
    place, (name, number) = split(words, folder, "ENTRY", "VERSION")
    person.require(tr("bringing an entry back"))
    if not number.isdecimal():
        raise BadInput(tr("that is no version"), expected=tr("a number such as 2"), found=number[:40])
    with opened(place) as found:
        entry = found.library[name]
        then = entry.versions.items[int(number) - 1 : int(number)] if int(number) else []
        if then:
            person.must_agree(tr("Bring back version {version} of {name}?", version=number, name=entry.name))
        _said(place, entry.restore(int(number), message=message))


@library.command(cls=Spoken)
def archive(words: OneEntry, *, folder: WorkspaceOption = None, message: Why = "") -> None:
    """Put an entry away: it is listed no more, nor meant by its name. Asks for the exact name first.

    Example: lantern library archive chelsea Mira
    """
    place, (name,) = split(words, folder, "ENTRY")
    person.require(tr("putting an entry away"))
    with opened(place) as found:
        entry = found.library[name]
        say(entry.text())
        used = len(entry.uses())
        if used:
            say(tr("Uses, which stay as they are: {count}", count=used))
        confirmed = person.types(tr("To put it away, type its name"))
        _said(place, entry.archive(confirm=confirmed, message=message))


@library.command(cls=Spoken)
def uses(words: OneChapter = None, *, folder: WorkspaceOption = None, comic: ComicOption = None) -> None:
    """List what a chapter uses of the library, and where; or all chapters.

    Example: lantern library uses chelsea 1
    """
    place, name = one(words, folder)
    with opened(place) as found:
        wanted = "" if name is None and comic is None else chosen(found, name, comic, place, "library").id
        shown = found.library.uses(chapter=wanted)
        rows = [(item.entry, tr(item.use.how.value), item.chapter, item.page, item.use.object) for item in shown]
    if rows:
        table([tr(head) for head in ("entry", "how", "chapter", "page", "object")], rows)
    else:
        say(tr("Nothing of the library is used."))
    following((place.command("library"), tr("see what is kept")))


# parts


def _command(place: Place, deed: str, *operands: str) -> str:
    """A command of the group as the person would type it."""
    return place.command("library", *operands, before=deed)


def _said(place: Place, entry: EntryWork) -> None:
    """Say what became of an entry."""
    if entry.archived:
        done(tr("Put away {name}: {entry}", name=entry.name, entry=entry.id))
        following((_command(place, "restore", entry.id, "1"), tr("bring it back")))
        return
    done(tr("{name} is at version {version}", name=entry.name, version=entry.number))
    following((_command(place, "show", entry.id), tr("see all of it, on one picture")))


@contextmanager
def _options() -> Iterator[None]:
    """Let errors about a field of an entry name the option that gave it: ``--colour 1`` for ``palette.1``."""
    try:
        yield
    except LanternError as error:
        error.message = _FIELD.sub(
            lambda at: " ".join(filter(None, (_OPTIONS.get(at[1], at[1]), at[2], at[3].removeprefix(".")))) + ":",
            error.message,
        )
        raise


def _facts(
    found: Workspace,
    called: str,
    notes: str | None,
    colours: Sequence[str] | None,
    aliases: Sequence[str] | None,
    looks: Sequence[str] | None,
    sheets: Sequence[str] | None,
) -> dict[str, Any]:
    """What is given of an entry, its pictures registered."""
    facts: dict[str, Any] = {}
    if notes is not None:
        facts["notes"] = notes
    if colours:
        facts["palette"] = list(colours)
    if aliases:
        facts["aliases"] = list(aliases)
    if looks:
        parts = [text.partition("=") for text in looks]
        facts["looks"] = [{"name": name, "notes": words} for name, _, words in parts]
    if sheets:
        facts["sheets"] = [_sheet(found, called, text) for text in sheets]
    return facts


def _sheet(found: Workspace, called: str, text: str) -> dict[str, str]:
    """A reference picture: one that is registered, or a file, which is registered then under its entry's name."""
    picture, _, role = text.rpartition("=") if "=" in text and not Path(text).expanduser().is_file() else (text, "", "")
    if picture.startswith("as_"):
        return {"asset": found.assets.get(picture).id, "role": role}
    path = Path(picture).expanduser()
    if not path.is_file():
        raise NotFound(
            tr("there is no such picture file"), found=path.name, recovery=tr("Check the path, or name as_….")
        )
    title = ", ".join(filter(None, (called, role)))[:120]
    return {"asset": found.assets.register(path, title=title).id, "role": role}


def _page(found: Workspace, text: str, comic: str | None, place: Place) -> Any:
    """The page that ``1/3`` names."""
    chapter, _, page = text.rpartition("/")
    if not page.isdecimal() or int(page) < 1:
        raise BadInput(tr("that is no page"), expected=tr("chapter and page such as 1/3"), found=text[:40])
    work = chosen(found, chapter or None, comic, place, "library")
    if int(page) > len(work):
        raise NotFound(
            tr("there is no such page in this chapter"),
            expected=tr("a number from 1 to {count}", count=len(work)) if len(work) else tr("no pages yet"),
            found=page[:40],
        )
    return work[int(page) - 1]


def _clipped(notes: str) -> str:
    first = notes.strip().partition("\n")[0]
    return first if len(first) <= 60 else first[:59] + "…"
