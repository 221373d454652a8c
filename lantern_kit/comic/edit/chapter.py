"""Operations on the chapter's own facts."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Extent, Flag, Language, Whole, Word, given
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.stage import EntryArg, entry
from lantern_kit.comic.measure import counted, micrometres
from lantern_kit.comic.model import Binding, Direction, Paper, Unit


class ChapterSet(Args):
    """Facts of the chapter."""

    comic: Annotated[Word, Field(min_length=1, max_length=200)] | None = Field(None, description="title of the comic")
    title: Annotated[Word, Field(max_length=200)] | None = Field(None, description="title of the chapter")
    number: Annotated[Whole, Field(ge=0, le=100_000)] | None = None
    language: Language | None = None
    direction: Direction | None = Field(None, description="reading direction")
    styles: Annotated[list[EntryArg], Field(max_length=12)] | None = Field(
        None, description="styles of the library that its pictures keep to: ids or names; replaces all"
    )


class PaperSet(Args):
    """Facts of the paper."""

    width: Extent | None = Field(None, description="trim width, mm")
    height: Extent | None = Field(None, description="trim height, mm")
    bleed: Annotated[float, Strict(), Field(ge=0, le=50)] | None = Field(None, description="mm past the trim")
    safe: Annotated[float, Strict(), Field(ge=0, le=100)] | None = Field(None, description="inset for lettering, mm")
    dpi: Annotated[Whole, Field(ge=72, le=2_400)] | None = Field(None, description="of print exports")
    binding: Binding | None = None
    resize: Flag = Field(True, description="units of the old trim size take the new one; objects stay where they are")


@OPERATIONS.operation("chapter.set", target=("chapter",), args=ChapterSet)
def chapter_set(book: Book, target: Target, args: ChapterSet, ctx: EditContext) -> Outcome:
    """Change the chapter's titles, number, language, reading direction, or the styles its pictures keep to."""
    values = given(args)
    if args.styles is not None:
        found = (entry(ctx, name, f"styles.{place}", ("style",)).id for place, name in enumerate(args.styles, 1))
        values["styles"] = tuple(dict.fromkeys(found))
    return Outcome(book.with_chapter(book.chapter.model_copy(update=values)))


@OPERATIONS.operation("paper.set", target=("chapter",), args=PaperSet)
def paper_set(book: Book, target: Target, args: PaperSet, ctx: EditContext) -> Outcome:
    """Change the paper: trim size, bleed, safe inset, print resolution, binding side."""
    old = book.chapter.paper
    values: dict[str, Any] = dict(old)
    for name, value in given(args).items():
        if name in {"width", "height", "bleed", "safe"}:
            values[name] = micrometres(value)
        elif name != "resize":
            values[name] = value
    new = Paper(**values)
    result = book.with_chapter(book.chapter.model_copy(update={"paper": new}))
    count = 0
    if args.resize and (new.width, new.height) != (old.width, old.height):
        for unit in book.units():
            resized = _resized(unit, old, new)
            if resized is not unit:
                result = result.replace(resized)
                count += 1
    return Outcome(
        result, notes=(f"resized {counted(count, 'unit')}; the objects stay where they are",) if count else ()
    )


def _resized(unit: Unit, old: Paper, new: Paper) -> Unit:
    """The unit with its surfaces of the old trim size made to the new one."""
    surfaces = []
    x = 0
    for surface in unit.surfaces:
        same = (surface.width, surface.height) == (old.width, old.height)
        size = {"width": new.width, "height": new.height} if same else {}
        made = surface.model_copy(update={"x": x, **size})
        surfaces.append(made)
        x += made.width + unit.gutter
    found = tuple(surfaces)
    return unit if found == unit.surfaces else unit.model_copy(update={"surfaces": found})
