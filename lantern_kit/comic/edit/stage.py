"""What is staged: what a frame shows, where, in which light and who is there; and the marks in its pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Degrees, Share, Word, cleared
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.shelf import EntryFacts
from lantern_kit.comic.edit.tree import swap
from lantern_kit.comic.measure import a, counted, millidegrees, millionths
from lantern_kit.comic.model import MOST_DESCRIBED, Image, Light, Mark, MarkKind, Overlay, Presence
from lantern_kit.kernel.errors import BadInput, NotFound, WrongTarget

FULL_TURN = 360_000
SEEN = ("character", "prop")
"""Kinds of entries that may be seen in a panel."""
EntryArg = Annotated[Word, Field(min_length=1, max_length=120)]


class LightArgs(Args):
    """The light, whole: what is left out is not said of it."""

    angle: Degrees | None = Field(None, description="where it comes from: degrees clockwise from above")
    kind: Annotated[Word, Field(min_length=1, max_length=40)] | None = Field(
        None, description="in a word: night, lamp, overcast"
    )

    @model_validator(mode="after")
    def _some(self) -> LightArgs:
        if self.angle is None and not (self.kind or "").strip():
            raise ValueError("give angle, kind or both")
        return self


class CastArgs(Args):
    """One who is seen."""

    who: EntryArg = Field(description="a character or prop of the library: id or name")
    look: Annotated[Word, Field(max_length=120)] | None = Field(None, description="one of its looks")


class StageArgs(Args):
    """What a frame shows; never drawn, but held against its pictures and neighbours by the checks."""

    description: Annotated[Word, Field(max_length=MOST_DESCRIBED)] | None = Field(
        None, description='what is to be seen; "": nothing said'
    )
    scene: Annotated[Word, Field(max_length=120)] | None = Field(
        None, description='where: a scene of the library, by id or name; null or "": none'
    )
    light: LightArgs | None = Field(None, description="replaces it; null: none")
    cast: Annotated[list[CastArgs], Field(max_length=60)] | None = Field(
        None, description="who and what is seen, each once; replaces all"
    )


class MarkArgs(Args):
    """A place in a picture."""

    kind: MarkKind = Field(description="focus: what the eye is to find")
    area: tuple[Share, Share, Share, Share] = Field(description="[left, top, right, bottom] of the whole picture, 0…1")
    who: EntryArg | None = Field(None, description="a character or prop of the library: id or name")

    @model_validator(mode="after")
    def _sound(self) -> MarkArgs:
        if self.area[0] >= self.area[2] or self.area[1] >= self.area[3]:
            raise ValueError("area reaches from left to right and from top to bottom")
        return self


class ImageMark(Args):
    """All marks of a picture."""

    marks: Annotated[list[MarkArgs], Field(max_length=40)] = Field(description="replaces all; []: none")


@OPERATIONS.operation("image.mark", target=("image", "overlay"), args=ImageMark)
def image_mark(book: Book, target: Target, args: ImageMark, ctx: EditContext) -> Outcome:
    """Mark faces and what the eye is to find in a picture: never drawn, but the checks keep them seen."""
    item = target.object
    if not isinstance(item, Image | Overlay):
        raise WrongTarget(f"{item.id} is no picture", expected="an image or an overlay", ids=[item.id])
    marks = tuple(_mark(mark, place, ctx) for place, mark in enumerate(args.marks, 1))
    return Outcome(book.replace(swap(target.sheet(), item.model_copy(update={"marks": marks}))))


def _mark(mark: MarkArgs, place: int, ctx: EditContext) -> Mark:
    left, top, right, bottom = (millionths(part) for part in mark.area)
    who = None if mark.who is None else entry(ctx, mark.who, f"marks.{place}.who", SEEN).id
    return Mark(kind=mark.kind, area=(left, top, right, bottom), who=who)


def unmarked(item: Image | Overlay, asset: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What else changes when a picture is replaced, with a note of it: its marks tell of the old one, and go."""
    if asset == item.asset or not item.marks:
        return {}, ()
    note = (
        f"dropped the {counted(len(item.marks), 'mark')} of {item.id}, which told of the picture before; "
        "image.mark marks the new one"
    )
    return {"marks": ()}, (note,)


def staged(args: StageArgs, ctx: EditContext) -> dict[str, Any]:
    """The given values of what a frame shows, as the document keeps them. Raises NotFound, BadInput."""
    values: dict[str, Any] = {}
    if args.description is not None:
        values["description"] = args.description
    if args.scene:
        values["scene"] = entry(ctx, args.scene, "scene", ("scene",)).id
    elif "scene" in args.model_fields_set:
        values["scene"] = None
    if args.light is not None:
        angle = args.light.angle
        values["light"] = Light(
            angle=None if angle is None else millidegrees(angle) % FULL_TURN, kind=(args.light.kind or "").strip()
        )
    elif cleared(args, "light"):
        values["light"] = None
    if args.cast is not None:
        values["cast"] = _cast(args.cast, ctx)
    return values


def _cast(cast: Iterable[CastArgs], ctx: EditContext) -> tuple[Presence, ...]:
    found: dict[str, Presence] = {}
    for place, one in enumerate(cast, 1):
        facts = entry(ctx, one.who, f"cast.{place}.who", SEEN)
        if facts.id in found:
            raise BadInput(f"args.cast.{place}.who: {facts.name} is named twice", expected="each once", ids=[facts.id])
        found[facts.id] = Presence(who=facts.id, look=_look(one.look or "", facts, f"cast.{place}.look"))
    return tuple(found.values())


def _look(look: str, facts: EntryFacts, where: str) -> str:
    """The look as its entry writes it; any, where the entry lists none."""
    look = look.strip()
    if not look or not facts.looks:
        return look
    known: Mapping[str, str] = {name.casefold(): name for name in facts.looks}
    if look.casefold() not in known:
        raise BadInput(
            f"args.{where}: {facts.name} has no such look",
            expected=list(facts.looks),
            ids=[facts.id],
            recovery=f"its looks: {', '.join(facts.looks[:12])}; leave look out for its usual one.",
        )
    return known[look.casefold()]


def entry(ctx: EditContext, name: str, where: str, kinds: tuple[str, ...]) -> EntryFacts:
    """An entry of the library of one of some kinds. Raises NotFound, BadInput, naming the argument."""
    try:
        found = ctx.library.entry(name)
    except (BadInput, NotFound) as error:
        error.message = f"args.{where}: {error.message}"
        raise
    if found.kind not in kinds:
        raise BadInput(
            f"args.{where}: {found.name} is {a(found.kind)} of the library",
            expected=" or ".join(a(kind) for kind in kinds),
            found=found.kind,
            ids=[found.id],
        )
    return found
