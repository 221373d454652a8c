"""A ChangeSet: up to 25 operations, all or nothing, validated as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.problems import bad_arguments
from lantern_kit.comic.edit.raw import RawOperation
from lantern_kit.comic.edit.references import reference_fields
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.handle import Thing, fingerprint_of, handle_of, parse_handle
from lantern_kit.comic.measure import a
from lantern_kit.comic.model import OBJECT_TYPES, Chapter, Unit
from lantern_kit.comic.validate import validate_book, validate_unit
from lantern_kit.kernel.errors import (
    BadInput,
    InvalidDocument,
    LanternError,
    NotFound,
    StaleHandle,
    WrongTarget,
    nearest,
)
from lantern_kit.kernel.operation import Operation

MOST = 25
"""Operations in one ChangeSet."""
_ID = re.compile(r"\b[a-z]{2}_[0-9a-z]{4,20}\b")
_NAME = re.compile(r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")


@dataclass(frozen=True, slots=True)
class ChangeSetResult:
    """What a ChangeSet did."""

    book: Book
    made: Mapping[str, str]
    """Names given with ``as`` (``row``, or ``row.1``, ``row.2`` for several things) to ids. What was made without a
    name stands under the operation's number: ``3``, ``3.1``."""
    units: tuple[str, ...]
    """Units that were added, changed or removed."""
    notes: tuple[str, ...]
    """What else happened, in words."""
    named: tuple[str, ...] = ()
    """Ids of what was there before and is named by an operation, as its target or in its arguments."""
    ordered: tuple[str, ...] = ()
    """Units that were there before, or the chapter, among whose children operations add, remove or move."""


def apply_changeset(
    book: Book,
    operations: Iterable[RawOperation | Mapping[str, Any]],
    ctx: EditContext,
    *,
    find: Callable[[str], str | None] | None = None,
    seen: Callable[[str], None] | None = None,
    seen_order: Callable[[str], None] | None = None,
) -> ChangeSetResult:
    """The book after all the operations, in order.

    Args:
        book: the state the handles are compared with.
        operations: one to ``MOST`` of them.
        ctx: fresh ids and facts of pictures.
        find: id of the unit an object of ``book`` lies on, or None; without it the units are searched.
        seen: called with the id of every existing thing that is named without a fingerprint; raises to refuse.
        seen_order: called once for each unit (or the chapter) whose order of children an operation changes.

    Raises:
        BadInput: and its subclasses, naming the operation and the field, never the value.
        NotFound: an id or a name that is nothing here.
        StaleHandle: a fingerprint that is not the thing's own any more.
        InvalidDocument: the result would be broken; ``details['findings']`` says where.
    """
    raw = list(operations)
    if not 1 <= len(raw) <= MOST:
        raise BadInput(
            f"a ChangeSet holds 1 to {MOST} operations, not {len(raw)}", expected=f"1 to {MOST}", found=len(raw)
        )
    run = _Run(book, ctx, find, seen, seen_order)
    for number, item in enumerate(raw, 1):
        operation = item if isinstance(item, RawOperation) else RawOperation.parse(item, number)
        try:
            run.step(operation, number)
        except LanternError as error:
            _locate(error, number, operation.op)
            raise
    return run.result()


def _locate(error: LanternError, number: int, name: str) -> None:
    """Say in an error which operation it is about."""
    error.message = f"operation {number} ({name}): {error.message}" if name in OPERATIONS else error.message
    error.args = (error.message,)
    error.details.setdefault("operation", number)


class _FreshIds:
    """Ids that no thing of the chapter has, whatever the source gives."""

    def __init__(self, run: _Run, ctx: EditContext) -> None:
        self._run = run
        self._ids = ctx.ids

    def new(self, prefix: str) -> str:
        for _ in range(100):
            made = self._ids.new(prefix)
            if made not in self._run.fresh and not self._run.knows(made):
                self._run.fresh.add(made)
                return made
        raise NotFound("the source of ids gives only ids that are taken")


class _Run:
    """One ChangeSet while its operations are applied."""

    def __init__(
        self,
        book: Book,
        ctx: EditContext,
        find: Callable[[str], str | None] | None,
        seen: Callable[[str], None] | None,
        seen_order: Callable[[str], None] | None,
    ) -> None:
        self.start = book
        self.book = book
        self.fresh: set[str] = set()
        self._ctx = replace(ctx, ids=_FreshIds(self, ctx))
        self._find = find
        self._seen = seen
        self._seen_order = seen_order
        self._made: dict[str, str] = {}
        self._notes: list[str] = []
        self._named_before: dict[str, None] = {}
        self._ordered: dict[str, None] = {}
        self._makers: dict[str, tuple[int, str]] = {}

    def step(self, raw: RawOperation, number: int) -> None:
        """Apply one operation."""
        operation = OPERATIONS.get(raw.op)
        if raw.name is not None:
            self._check_name(raw.name)
        target = self._target(operation, raw.target)
        args = _arguments(operation, self._references(operation, raw.args))
        self._check_order(operation, target)
        self._check_named(args)
        try:
            outcome: Outcome = operation.run(self.book, target, args, self._ctx)
        except ValidationError as error:
            raise bad_arguments(error, operation.args, root="result") from None
        self.book = outcome.book
        for new in self.fresh.difference(self._makers):
            self._makers[new] = (number, raw.op)
        self._notes.extend(outcome.notes)
        name = raw.name or str(number)
        for key, made in outcome.made.items():
            self._made[f"{name}.{key}" if key else name] = made

    def result(self) -> ChangeSetResult:
        """The outcome of all operations, if it is sound. Raises InvalidDocument."""
        start, book = self.start, self.book
        added = [unit for unit in book.order if unit not in start] if book.order != start.order else []
        removed = [unit for unit in start.order if unit not in book] if book.order != start.order else []
        touched = [*book.differing(start), *added]
        if book.chapter != start.chapter:
            findings = validate_book(book, None if book.chapter.paper != start.chapter.paper else touched)
        else:
            findings = tuple(found for unit in touched for found in validate_unit(book.unit(unit), book.chapter))
        self._refuse(findings)
        return ChangeSetResult(
            book,
            self._made,
            (*touched, *removed),
            tuple(self._notes),
            named=tuple(self._named_before),
            ordered=tuple(self._ordered),
        )

    def knows(self, thing: str) -> bool:
        """Whether an id is taken, as far as can be told without reading every unit."""
        if thing in self.start or thing in self.book:
            return True
        return self._find is not None and self._find(thing) is not None

    def _refuse(self, wrong: tuple[Finding, ...]) -> None:
        """Raise InvalidDocument when something would be broken; what this ChangeSet would make has no id yet."""
        if not wrong:
            return
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        first = wrong[0]
        known = dict.fromkeys(found.object for found in wrong if found.object not in self._makers)
        raise InvalidDocument(
            f"the result would be broken: {self._named(first.message)}, at {self._called(first.object)}{more}",
            ids=list(known),
            details={"findings": [self._told(found) for found in wrong]},
        )

    def _told(self, found: Finding) -> dict[str, Any]:
        """A finding as plain data, with what would have been made called by the operation that makes it."""
        facts = found.model_dump(mode="json")
        for key in ("unit", "object"):
            facts[key] = self._called(facts[key])
        facts["message"] = self._named(found.message)
        if found.object in self._makers:
            facts["operation"] = self._makers[found.object][0]
        return facts

    def _called(self, thing: str) -> str:
        """What an error calls a thing: its id, or the operation that would make it and its kind."""
        if thing not in self._makers:
            return thing
        number, operation = self._makers[thing]
        name = next((f" @{name}" for name, made in self._made.items() if made == thing and not name[0].isdigit()), "")
        return f"what operation {number} ({operation}) makes{name}"

    def _named(self, text: str) -> str:
        """A sentence without ids that never were."""
        return _ID.sub(lambda found: self._called(found[0]), text)

    def _check_name(self, name: str) -> None:
        if not _NAME.match(name):
            raise BadInput("as is a short name", expected="a letter, then up to 39 letters, digits, - or _")
        if any(made == name or made.startswith(f"{name}.") for made in self._made):
            raise BadInput(f"as {name} is used twice", expected="a name of its own for each operation")

    def _target(self, operation: Operation, text: str | None) -> Target:
        if text is None:
            if "chapter" not in operation.target:
                raise BadInput("a target is needed", expected=f"the handle of {_kinds_in_words(operation.target)}")
            if "chapter" not in operation.order:  # the order of its units is compared; else it is its own facts
                self._resolve(self.book.chapter.id)
            return Target(None, self.book.chapter)
        try:
            unit, thing = self._now(self._resolve(text))
        except (BadInput, NotFound) as error:
            error.message = f"target: {error.message}"
            raise
        kinds = _kinds(thing)
        if not kinds.intersection(operation.target):
            raise WrongTarget(
                f"{operation.name} applies to {_kinds_in_words(operation.target)}, not to {a(thing.kind)}",
                expected=list(operation.target),
                found=str(thing.kind),
                ids=[thing.id],
            )
        return Target(unit, thing)

    def _references(self, operation: Operation, args: Mapping[str, Any]) -> Mapping[str, Any]:
        fields = reference_fields(operation.args)
        names = [
            name for name, mark in fields.items() if not (args.get(name) is None or (mark.clears and args[name] == ""))
        ]
        if not names:
            return args
        resolved = dict(args)
        for name in names:
            value = resolved[name]
            if isinstance(value, str):
                resolved[name] = self._reference(name, value)
            elif isinstance(value, Sequence):
                resolved[name] = [self._reference(name, item) if isinstance(item, str) else item for item in value]
        return resolved

    def _reference(self, field_name: str, text: str) -> str:
        try:
            thing = self._resolve(text)
            self._now(thing)
        except (BadInput, NotFound) as error:
            error.message = f"args.{field_name}: {error.message}"
            raise
        return thing

    def _resolve(self, text: str) -> str:
        """The bare id that a handle, an id or an ``@name`` means. Raises StaleHandle."""
        if text.startswith("@"):
            made = self._made.get(text[1:])
            if made is None:
                known = list(self._made)
                several = [name for name in known if name.startswith(f"{text[1:]}.")]
                close = several or nearest(text[1:], known)
                raise NotFound(
                    "nothing was made under that name in this ChangeSet",
                    expected=[f"@{name}" for name in known],
                    recovery=f"nearest: {', '.join(f'@{name}' for name in close)}."
                    if close
                    else 'Name a thing with "as" in an earlier operation first.',
                )
            return made
        name, fingerprint = parse_handle(text)
        if name in self.fresh:
            return name
        self._named_before[name] = None
        if fingerprint is None:
            if self._seen is not None:
                self._seen(name)
            return name
        thing = self._at_start(name)
        current = fingerprint_of(thing)
        if current != fingerprint:
            raise StaleHandle(
                f"{name} changed since its handle was read", ids=[name], details={"handles": [handle_of(thing)]}
            )
        return name

    def _at_start(self, name: str) -> Thing:
        """The thing as the caller could have seen it. Raises NotFound."""
        if name == self.start.chapter.id:
            return self.start.chapter
        if name in self.start:
            return self.start.unit(name)
        unit = self._unit_of(name)
        if unit is None or unit not in self.start:
            raise NotFound(f"{name} is nothing in this chapter", ids=[name])
        thing: Thing = self.start.unit(unit).index[name]
        return thing

    def _unit_of(self, name: str) -> str | None:
        """The unit of the starting book on which an object lies."""
        if self._find is None:
            return next((unit.id for unit in self.start.units() if name in unit.index), None)
        found = self._find(name)
        return found if found is not None and found in self.start and name in self.start.unit(found).index else None

    def _now(self, name: str) -> tuple[Unit | None, Thing]:
        """A thing as it is now, with its unit. Raises NotFound."""
        book = self.book
        if name == book.chapter.id:
            return None, book.chapter
        if name in book:
            unit = book.unit(name)
            return unit, unit
        places = list(book.differing(self.start))
        if book.order != self.start.order:
            places += [unit for unit in book.order if unit not in self.start]
        for place in places:
            unit = book.unit(place)
            if name in unit.index:
                return unit, unit.index[name]
        home = self._unit_of(name)
        if home is not None and home in book:
            unit = book.unit(home)
            if name in unit.index:
                return unit, unit.index[name]
        if home is not None or name in self.start or name in self.fresh:
            raise NotFound(f"{name} was removed by an earlier operation", ids=[name])
        raise NotFound(f"{name} is nothing in this chapter", ids=[name])

    def _check_order(self, operation: Operation, target: Target) -> None:
        """Let the caller compare the orders that the operation changes: each once, as it was at the start."""
        chapter = self.start.chapter.id
        for kind in operation.order:
            name = chapter if kind == "chapter" else target.sheet().id
            if name not in self._ordered and (name == chapter or name in self.start):
                self._ordered[name] = None
                if self._seen_order is not None:
                    self._seen_order(name)

    def _check_named(self, args: Args) -> None:
        """Let the caller compare what a text among the arguments names, with the order of what lies in its units."""
        for name in args.named():
            if name in self.fresh:
                continue
            self._named_before[name] = None
            if self._seen is not None:
                self._seen(name)
            if name in self.start and name not in self._ordered:
                self._ordered[name] = None
                if self._seen_order is not None:
                    self._seen_order(name)


def _kinds(thing: Thing) -> set[str]:
    if isinstance(thing, Chapter):
        return {"chapter"}
    return {"unit", thing.kind.value} if isinstance(thing, Unit) else {thing.kind}


def _kinds_in_words(kinds: tuple[str, ...]) -> str:
    """``a frame or a unit``; many kinds as ``an object`` and what is left out."""
    if len(kinds) > 4:
        left_out = [kind for kind in OBJECT_TYPES if kind not in kinds]
        return "an object on a unit" + (f" other than {a(left_out[0])}" if left_out else "")
    return " or ".join(a(kind) for kind in kinds)


def _arguments(operation: Operation, args: Mapping[str, Any]) -> Any:
    try:
        return operation.args.model_validate(args)
    except ValidationError as error:
        raise bad_arguments(error, operation.args) from None
