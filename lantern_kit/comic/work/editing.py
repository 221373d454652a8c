"""A person's own edit: a block that runs operations on a copy and makes one revision when it ends well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.edit.changeset import apply_changeset
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Chapter, Node, Unit
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import NotFound, WrongState

if TYPE_CHECKING:
    from lantern_kit.comic.book import Book
    from lantern_kit.comic.work.host import Host

Xy = tuple[float, float]
Box = tuple[float, float, float, float]


class Edit:
    """The block ``with chapter.edit("why") as edit:``. Lengths are millimetres; nothing is written if it raises."""

    def __init__(self, host: Host, chapter: str, message: str, actor: Actor) -> None:
        self._host = host
        self._chapter = chapter
        self._message = message
        self._actor = actor
        self._seen: Moment | None = None
        self._book: Book | None = None
        self._homes: dict[str, str] = {}
        self.revision: str | None = None
        """The revision made, once the block has ended; None when nothing changed."""

    def __enter__(self) -> Self:
        self._seen = self._host.comics.head(self._chapter)
        self._book = self._seen.book
        self._homes = {thing: unit.id for unit in self._book.units() for thing in unit.index}
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        seen, book = self._seen, self._book
        self._seen = self._book = None
        if kind is not None or seen is None or book is None or book is seen.book or book == seen.book:
            return
        made = self._host.comics.commit(
            self._chapter, seen, book, actor=self._actor, cause="edit", message=self._message
        )
        self.revision = made.id

    @property
    def book(self) -> Book:
        """The chapter as edited so far. Raises WrongState outside the block."""
        if self._book is None:
            raise WrongState("the edit block has ended", recovery="Open a new one: with chapter.edit(...) as edit")
        return self._book

    def run(self, operation: str, target: str | None = None, /, **args: Any) -> dict[str, str]:
        """Run one operation by name, with the arguments that ``describe`` lists; gives the ids of what it made.

        Raises:
            UnknownOperation, BadInput, NotFound, WrongTarget, InvalidDocument: the block stays as it was before.
        """
        given = {key: plain(value) for key, value in args.items() if value is not None}
        host = self._host
        context = EditContext(ids=host.comics.ids, assets=host.assets.get)
        raw = {"op": operation, "target": target, "as": "new", "args": given}
        result = apply_changeset(self.book, [raw], context, find=self._homes.get)
        self._book = result.book
        for unit in result.units:
            if unit in result.book:
                self._homes.update(dict.fromkeys(result.book.unit(unit).index, unit))
        return {name.removeprefix("new").removeprefix("."): made for name, made in result.made.items()}

    def thing(self, name: str) -> Chapter | Unit | Node:
        """The chapter, a unit or an object as it is now. Raises NotFound."""
        if name == self.book.chapter.id:
            return self.book.chapter
        if name in self.book:
            return self.book.unit(name)
        home = self._homes.get(name)
        if home is not None and home in self.book and name in self.book.unit(home).index:
            found: Node = self.book.unit(home).index[name]
            return found
        raise NotFound(f"{name} is nothing in this chapter", ids=[name])

    def add_page(self, **args: Any) -> EditUnit:
        """A page at the end, or ``after``/``before`` another unit."""
        return self._add("page", args)

    def add_cover(self, **args: Any) -> EditUnit:
        """A cover."""
        return self._add("cover", args)

    def add_transition(self, **args: Any) -> EditUnit:
        """A transition page."""
        return self._add("transition", args)

    def add_spread(self, **args: Any) -> EditUnit:
        """A true spread of two facing pages; ``gutter`` in millimetres."""
        return self._add("spread", args)

    def __getitem__(self, place: int | str) -> Any:
        """A unit by its place or id, or an object by its id, to edit."""
        if isinstance(place, int):
            try:
                return EditUnit(self, self.book.order[place])
            except IndexError:
                raise NotFound(f"the chapter has {counted(len(self.book), 'unit')}", found=place) from None
        return wrap(self, self.thing(place))

    def _add(self, kind: str, args: dict[str, Any]) -> EditUnit:
        return EditUnit(self, self.run("unit.add", kind=kind, **args)[""])


class EditThing:
    """Something inside an edit block."""

    def __init__(self, edit: Edit, thing: str) -> None:
        self._edit = edit
        self.id = thing

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    def run(self, operation: str, /, **args: Any) -> dict[str, str]:
        """Run an operation on this thing."""
        return self._edit.run(operation, self.id, **args)

    @property
    def now(self) -> Any:
        """The thing as a frozen model, in micrometres."""
        return self._edit.thing(self.id)

    def remove(self) -> None:
        """Take it out, with everything inside it."""
        self.run("object.remove")

    def move(self, *, by: Xy) -> Self:
        """Shift it, in millimetres."""
        self.run("object.move", by=by)
        return self


class EditObject(EditThing):
    """A picture, balloon, caption, text, effect or overlay."""

    def set(self, **args: Any) -> Self:
        """Change its properties, with the arguments of its kind's ``set`` or ``adjust`` operation."""
        kind = str(self.now.kind)
        self.run({"image": "image.adjust"}.get(kind, f"{kind}.set"), **args)
        return self

    def bind(self, foreground: AssetVersion | str, **args: Any) -> EditObject:
        """Bind a cut-out of this picture so that its subject breaks out of the frame."""
        return EditObject(self._edit, self.run("foreground.bind", asset=foreground, **args)[""])


class _Holder(EditThing):
    """What may hold pictures, words and effects: a unit or a frame."""

    def place(self, asset: AssetVersion | str, **args: Any) -> EditObject:
        """Place a picture."""
        return self._new("image.place", asset=asset, **args)

    def say(self, text: str, *, at: Xy, **args: Any) -> EditObject:
        """A balloon centred ``at``; ``tail`` is where it points, ``speaker`` who says it."""
        return self._new("balloon.add", text=text, at=at, **args)

    def narrate(self, text: str, **args: Any) -> EditObject:
        """A caption."""
        return self._new("narration.add", text=text, **args)

    def letter(self, text: str, **args: Any) -> EditObject:
        """Lettering on the paper: a title or a sound."""
        return self._new("text.add", text=text, **args)

    def effect(self, effect: str, **args: Any) -> EditObject:
        """Focus lines, speed lines, a tone or a gradient."""
        return self._new("effect.add", effect=effect, **args)

    def _new(self, operation: str, **args: Any) -> EditObject:
        return EditObject(self._edit, self.run(operation, **args)[""])


class EditUnit(_Holder):
    """A unit inside an edit block."""

    def add_frame(self, **args: Any) -> EditFrame:
        """A frame: ``rect``, ``polygon`` or ``curve`` in millimetres."""
        return EditFrame(self._edit, self.run("frame.add", **args)[""])

    def overlay(self, asset: AssetVersion | str, **args: Any) -> EditObject:
        """A free object above the borders."""
        return self._new("overlay.add", asset=asset, **args)

    def remove(self) -> None:
        """Take the unit out of the chapter."""
        self.run("unit.remove")


class EditFrame(_Holder):
    """A frame inside an edit block."""

    def cut(self, *, line: Sequence[Xy], gutter: float) -> tuple[EditFrame, EditFrame]:
        """Cut it along a line into two, in reading order; this frame becomes one of them."""
        made = self.run("frame.cut", line=line, gutter=gutter)
        return EditFrame(self._edit, made["1"]), EditFrame(self._edit, made["2"])

    def set(self, **args: Any) -> Self:
        """Change border, background, bleed or name."""
        self.run("frame.set", **args)
        return self

    def reshape(self, **args: Any) -> Self:
        """Give it another outline."""
        self.run("frame.reshape", **args)
        return self


def wrap(edit: Edit, thing: Chapter | Unit | Node) -> EditThing:
    """The right handle for a thing."""
    if isinstance(thing, Unit):
        return EditUnit(edit, thing.id)
    return EditFrame(edit, thing.id) if thing.kind == "frame" else EditObject(edit, thing.id)


def plain(value: Any) -> Any:
    """A value as operations take it: bound things by id, tuples as lists, whole numbers as they are."""
    if isinstance(value, AssetVersion | EditThing):
        return value.id
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
