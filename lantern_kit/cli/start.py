"""Beginning: a new workspace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar, get_args

import typer

from lantern_kit.asking import user
from lantern_kit.cli import person
from lantern_kit.cli.chapter import called
from lantern_kit.cli.place import Place, WorkspaceOption, opened, split
from lantern_kit.cli.screen import done, following, say
from lantern_kit.cli.words import tr
from lantern_kit.home import config_folder
from lantern_kit.kernel.errors import BadInput

if TYPE_CHECKING:
    from lantern_kit.comic.model import Paper

Answer = TypeVar("Answer")
Directions = Literal["ltr", "rtl", "ttb"]


def init(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder to make; it must be new or empty.")],
    *,
    title: Annotated[str | None, typer.Option(help="The workspace's title.", show_default="asked")] = None,
    comic: Annotated[str | None, typer.Option(help="The comic's title.", show_default="asked")] = None,
    direction: Annotated[
        Directions | None, typer.Option(help="Which way the comic is read.", show_default="asked")
    ] = None,
    paper: Annotated[
        str | None,
        typer.Option(help="A4, A5, A6, B5, 'US comic', or WIDTHxHEIGHT in millimetres.", show_default="asked"),
    ] = None,
    bleed: Annotated[float, typer.Option(help="Drawn area past the trim, in millimetres.")] = 3,
    safe: Annotated[float, typer.Option(help="Inset inside which lettering stays, in millimetres.")] = 5,
    language: Annotated[str, typer.Option(help="The language of the words in it, such as en, ja or zh-Hans.")] = "en",
    reviewer: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose key may decide here.", show_default="asked")
    ] = None,
    no_key: Annotated[
        bool, typer.Option("--no-key", help="Enrol nobody: proposals can be read, but not decided, until `enrol`.")
    ] = False,
    novels: Annotated[
        bool, typer.Option("--novels", help="For novels: no comic is begun, nobody is enrolled, nothing is asked.")
    ] = False,
) -> None:
    """Make a workspace, with the key of the person who decides in it.

    A workspace is a folder: the history of everything, the pictures, the exports. A comic's first chapter is begun.
    What no option says is asked. The passphrase of the key is only ever typed at a terminal.

    Example: lantern init chelsea --comic "Chelsea Goes Up" --direction rtl --paper A6

    For novels:  lantern init my-novels --novels
    """
    if novels:
        if any(given is not None for given in (comic, direction, paper, reviewer)):
            raise typer.BadParameter(tr("--novels goes with no comic, direction, paper or reviewer"))
        _for_novels(path, title)
        return
    if not no_key:
        person.require(
            tr("choosing a passphrase"),
            tr("Run it in a terminal; or add --no-key, and run lantern enrol in a terminal later."),
        )
    from lantern_kit.comic.beginning import chapter_facts
    from lantern_kit.comic.model import Direction
    from lantern_kit.comic.work.paper import paper as paper_of
    from lantern_kit.folders import require_free
    from lantern_kit.workspace import create_workspace

    require_free(path)
    name = path.expanduser().resolve().name
    title = person.answer(title, tr("Title of the workspace"), _titled(name), _title)
    comic = person.answer(comic, tr("Title of the comic"), title, _title)
    reading = person.answer(direction, tr("Reading direction (ltr, rtl, ttb)"), "ltr", _direction)
    binding = "right" if reading == "rtl" else "left"
    sheet = person.answer(
        paper,
        tr("Paper (A4, A5, A6, B5, US comic, or WIDTHxHEIGHT in mm)"),
        "A5",
        lambda size: paper_of(size, bleed=bleed, safe=safe, binding=binding),
    )
    chapter_facts("ch_0000", comic=comic, number=1, paper=sheet, direction=Direction(reading), language=language)
    passphrase = None
    if not no_key:
        reviewer = person.answer(reviewer, tr("Name of the reviewer"), user(), person.name)
        passphrase = person.new_passphrase(reviewer)
    with create_workspace(path, title=title, owner=reviewer, config=config_folder()) as workspace:
        chapter = workspace.comic(comic).begin_chapter(1, size=sheet, direction=reading, language=language)
        copied = workspace.copy_notebooks()
        key = None
        if passphrase is not None and reviewer is not None:
            key = workspace.enrol(reviewer, passphrase)
        place = Place(workspace.path, str(path))
        done(tr("Made the workspace {title} in {path}", title=title, path=path))
        say(tr("  comic      {title} ({id})", title=chapter.title, id=chapter.id))
        say(tr("  paper      {size}, read {direction}", size=_size(sheet), direction=reading))
        if copied:
            say(tr("  notebooks  {count} in notebooks/", count=len(copied)))
        if key is None:
            say(tr("  reviewer   nobody: proposals can be read, but not decided, until somebody is enrolled"))
        else:
            say(
                tr(
                    "  reviewer   {name}, key {key}; its private half is in {folder}",
                    name=reviewer,
                    key=key,
                    folder=workspace.config / "keys",
                )
            )
    first = [(place.command("enrol"), tr("make the key of the person who decides"))] if key is None else []
    following(
        *first,
        (place.command("connect", before="claude-code"), tr("let an agent draft in it")),
        (place.command("lab"), tr("work on it in notebooks")),
        (place.command("outline"), tr("see what is in it")),
    )


def begin(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[WORKSPACE] COMIC NUMBER", help="The comic's title and the chapter's number, after its workspace."
        ),
    ],
    *,
    folder: WorkspaceOption = None,
    title: Annotated[str, typer.Option(metavar="TITLE", help="The chapter's own title.")] = "",
    size: Annotated[
        str | None,
        typer.Option(
            help="A4, A5, A6, B5, 'US comic', or WIDTHxHEIGHT in millimetres.",
            show_default="as the comic's last chapter, else A5",
        ),
    ] = None,
    direction: Annotated[
        Directions | None,
        typer.Option(help="Which way it is read.", show_default="as the comic's last chapter, else ltr"),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(
            help="The language of the words in it, such as en, ja or zh-Hans.",
            show_default="as the comic's last chapter, else en",
        ),
    ] = None,
) -> None:
    """Begin an empty chapter, of a comic that is there or of a new one.

    Example: lantern begin chelsea "Chelsea Goes Up" 2 --title "The Roof"
    """
    place, (comic, number) = split(words, folder, "COMIC", "NUMBER")
    if not number.isdecimal():
        raise BadInput(tr("that is no chapter's number"), expected=tr("a number such as 2"), found=number[:40])
    from lantern_kit.comic.model import Binding

    with opened(place) as found:
        before = [*found.comic(comic).chapters()]
        held = before[-1].book.chapter if before else None
        reading = direction or ("ltr" if held is None else held.direction.value)
        sheet = "A5" if held is None else held.paper
        if held is not None and held.direction.value != reading:
            sheet = held.paper.model_copy(update={"binding": Binding.RIGHT if reading == "rtl" else Binding.LEFT})
        chapter = found.comic(comic).begin_chapter(
            int(number),
            size=size or sheet,
            title=title,
            direction=reading,
            language=language or ("en" if held is None else held.language),
        )
        told = chapter.title
        (name,) = called(found, found.comics.find_chapter(chapter.id))
    done(tr("Began {title} ({id})", title=told, id=chapter.id) + ("" if before else f", {tr('a new comic')}"))
    following(
        (place.command("script", name, "--from", "script.md"), tr("write its pages from a script")),
        (place.command("connect", before="claude-code"), tr("let an agent draft in it")),
    )


# parts


def _for_novels(path: Path, title: str | None) -> None:
    """Make a workspace without a comic, and without a question."""
    from lantern_kit.folders import require_free
    from lantern_kit.workspace import create_workspace

    require_free(path)
    title = _title(title or _titled(path.expanduser().resolve().name))
    with create_workspace(path, title=title, config=config_folder()) as workspace:
        workspace.copy_notebooks()
        place = Place(workspace.path, str(path))
        done(tr("Made the workspace {title} in {path}", title=title, path=path))
    following((place.command("novel", tr("The Lamp"), "--ask", "…", before="new"), tr("begin one")))


def _title(text: str) -> str:
    from lantern_kit.assets import check_title

    return check_title(text)


def _direction(text: str) -> str:
    if text not in get_args(Directions):
        raise BadInput(tr("that is no reading direction"), expected=get_args(Directions), found=text[:20])
    return text


def _titled(name: str) -> str:
    """A folder's name as a title."""
    return re.sub(r"[-_]+", " ", name).strip().capitalize() or "Untitled"


def _size(paper: Paper) -> str:
    return f"{paper.width / 1000:g} × {paper.height / 1000:g} mm, {paper.bleed / 1000:g} mm bleed"
