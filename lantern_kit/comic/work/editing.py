"""A person's own edit: a block that runs operations on a copy and makes one revision when it ends well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from lantern_kit.comic.edit.changeset import ChangeSetResult, apply_changeset
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Chapter, Node, Unit
from lantern_kit.comic.script import Form, read_script, write_script
from lantern_kit.comic.script.apart import apart
from lantern_kit.comic.script.recognized import without_known
from lantern_kit.comic.service import Moment
from lantern_kit.comic.work.holders import EditUnit, wrap
from lantern_kit.comic.work.script import merged, revision_of
from lantern_kit.comic.work.things import Colour, ThingOrId, plain
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import LanternError, NotFound, WrongState

if TYPE_CHECKING:
    from lantern_kit.comic.book import Book
    from lantern_kit.comic.work.host import Host
    from lantern_kit.comic.work.match import Match
    from lantern_kit.comic.work.operations import Arguments, Operations


class Edit:
    """The block ``with chapter.edit("why") as edit:``. Lengths are millimetres; nothing is written if it raises."""

    def __init__(self, host: Host, chapter: str, message: str, actor: Actor) -> None:
        self._host = host
        self._chapter = chapter
        self._message = message
        self._actor = actor
        self._seen: Moment | None = None
        self._book: Book | None = None
        self._begun = False
        self._homes: dict[str, str] = {}
        self.revision: str | None = None
        """The revision made, once the block has ended; None when nothing changed."""

    def __enter__(self) -> Self:
        self._begun = True
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
            if self._begun:
                raise WrongState("the edit block has ended", recovery="Open a new one: with chapter.edit(...) as edit")
            raise WrongState(
                "an edit block begins with with",
                expected='with chapter.edit("why") as edit:',
                found="chapter.edit(...) alone",
                recovery="Put what is edited into the block; it makes one revision when it ends.",
            )
        return self._book

    def describe(self, operation: str | None = None) -> Operations | Arguments:
        """All operations that ``run`` takes, or the arguments of one: ``edit.describe("balloon.tail")``.

        Raises UnknownOperation, naming the nearest.
        """
        from lantern_kit.comic.work.operations import Arguments, Operations

        return Operations() if operation is None else Arguments(operation)

    def run(self, operation: str, target: str | None = None, /, **args: Any) -> dict[str, str]:
        """Run one operation by name, with the arguments that ``describe`` lists; gives the ids of what it made.

        Raises:
            UnknownOperation, BadInput, NotFound, WrongTarget, InvalidDocument: the block stays as it was before.
        """
        given = {key: plain(value) for key, value in args.items()}
        raw = {"op": operation, "target": target, "as": "new", "args": given}
        made = self._take(self._worked_out(self.book, raw)).made
        return {name.removeprefix("new").removeprefix("."): thing for name, thing in made.items()}

    def write_script(self, text: str, *, form: str = "markdown") -> tuple[str, ...]:
        """Bring the chapter into step with a script; gives what that did, in words.

        What has an id is kept and changed, what has none is made and lettered; units that the text does not name stay.
        ``form`` is ``markdown`` or ``fountain``; docs/script.md tells both. A text that says of which revision it is,
        as one from ``chapter.script()`` does, is merged with what changed since.

        Raises:
            BadInput: with the line that is wrong.
            MergeConflict: the text and others changed the same things since. The block stays as it was before.
        """
        raw = {"op": "script.write", "args": {"text": str(text), "form": form}}
        book, seen = self.book, self._seen
        revision = revision_of(text, self._chapter)
        if revision is None or seen is None:
            return self._take(self._worked_out(book, raw)).notes
        then = seen if revision == seen.revision.number else self._host.comics.at(revision)
        if then.book is book:
            return self._take(self._worked_out(book, raw)).notes
        result = self._worked_out(then.book, raw)
        read = read_script(text, Form(form))
        fresh, taken = without_known(read, then.book, book)
        if fresh is not read:
            args = {"text": write_script(fresh, Form(form)), "form": form}
            result = self._worked_out(then.book, {**raw, "args": args})
        new = merged(then.book, book, result.book)
        self._take(result, apart(then.book, book, new, self._context(book)))
        return (*result.notes, *taken.told())

    def _worked_out(self, book: Book, raw: dict[str, Any]) -> ChangeSetResult:
        """One operation on a state of the chapter."""
        find = self._homes.get if book is self._book else None
        try:
            return apply_changeset(book, [raw], self._context(book), find=find)
        except LanternError as error:
            error.message = error.message.removeprefix("operation 1 (script.write): ")  # a script tells its own lines
            error.args = (error.message,)
            raise

    def _context(self, book: Book) -> EditContext:
        host = self._host
        shelf = host.comics.shelf(book.chapter.comic)
        return EditContext(ids=host.comics.ids, assets=host.assets.get, library=shelf)

    def _take(self, result: ChangeSetResult, book: Book | None = None) -> ChangeSetResult:
        """Go on from what an operation made, or from a book into which it was merged."""
        self._book = result.book if book is None else book
        for unit in result.units:
            if unit in self._book:
                self._homes.update(dict.fromkeys(self._book.unit(unit).index, unit))
        return result

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

    def add_page(
        self, *, name: str | None = None, after: ThingOrId = None, before: ThingOrId = None, background: Colour = None
    ) -> EditUnit:
        """A page at the end, or ``after`` or ``before`` another unit."""
        return self._add("page", name=name, after=after, before=before, background=background)

    def add_cover(
        self, *, name: str | None = None, after: ThingOrId = None, before: ThingOrId = None, background: Colour = None
    ) -> EditUnit:
        """A cover at the end, or ``after`` or ``before`` another unit."""
        return self._add("cover", name=name, after=after, before=before, background=background)

    def add_transition(
        self, *, name: str | None = None, after: ThingOrId = None, before: ThingOrId = None, background: Colour = None
    ) -> EditUnit:
        """A transition page at the end, or ``after`` or ``before`` another unit."""
        return self._add("transition", name=name, after=after, before=before, background=background)

    def add_spread(
        self,
        *,
        gutter: float | None = None,
        name: str | None = None,
        after: ThingOrId = None,
        before: ThingOrId = None,
        background: Colour = None,
    ) -> EditUnit:
        """A true spread of two facing pages, ``gutter`` millimetres apart."""
        return self._add("spread", gutter=gutter, name=name, after=after, before=before, background=background)

    def __getitem__(self, place: int | str | Match) -> Any:
        """A unit by its place or id, or an object by its id, to edit; or what ``chapter.find`` found."""
        if isinstance(place, int):
            try:
                return EditUnit(self, self.book.order[place])
            except IndexError:
                raise NotFound(f"the chapter has {counted(len(self.book), 'unit')}", found=place) from None
        return wrap(self, self.thing(place if isinstance(place, str) else place.id))

    def _add(self, kind: str, **args: Any) -> EditUnit:
        return EditUnit(self, self.run("unit.add", kind=kind, **args)[""])
