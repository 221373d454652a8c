"""What a person takes of a proposal, and how that meets the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.book import Book
from lantern_kit.comic.choices import Choices, decide, landed
from lantern_kit.comic.diff import diff
from lantern_kit.comic.merge import Merged, merge
from lantern_kit.comic.parts import Part, chosen, parts
from lantern_kit.comic.service import ComicService
from lantern_kit.comic.verdict import applied, moved
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError, WrongState
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.verify import Report


@dataclass(frozen=True)
class Taken:
    """A proposal without its rejected parts."""

    proposal: str
    """Its id, for messages."""
    found: tuple[Part, ...]
    """All parts; empty when nothing is rejected and nobody asked for them."""
    choices: Choices
    base: Book
    frozen: Book
    book: Book
    """What is taken: the frozen state, with the rejected parts as they are in the base."""
    units: tuple[str, ...]
    """The units it touches."""

    def modes(self, current: Book) -> tuple[ApplyMode, ...]:
        """The ways in which it may be applied to the work as it stands."""
        if not moved(self.units, self.base, current) and not merge(self.base, current, self.book).conflicts:
            return (ApplyMode.PLAIN,)
        return (ApplyMode.MERGE, ApplyMode.OVERWRITE)

    def meet(self, current: Book, mode: ApplyMode) -> Merged:
        """The work with it.

        Taken by parts, *overwrite* puts the accepted parts over what changed meanwhile and leaves the rest of their
        pages as it is now. Raises what ``applied`` raises.
        """
        if mode is ApplyMode.OVERWRITE and self.choices.reasons:
            merged = Merged(merge(self.base, self.book, current).book, ())
        else:
            merged = applied(self.proposal, self.units, self.base, current, self.book, mode)
        came = landed(self.found, self.choices.rejected, self.base, self.frozen, current, merged.book)
        if came:
            raise WrongState(
                f"{len(came)} rejected parts of {self.proposal} would come all the same",
                ids=came,
                recovery="Discard the proposal, and ask for a new one from the work as it stands.",
            )
        return merged


def take(proposal: str, base: Book, frozen: Book, units: Sequence[str], reject: Mapping[str, str]) -> Taken:
    """A proposal without what is rejected.

    Args:
        proposal: its id.
        base, frozen: what it leads from and to.
        units: what it touches, whole.
        reject: reasons by part, object or unit; empty takes it whole.

    Raises:
        NotFound: a name is none of its parts.
        BadInput: nothing would be left of it.
    """
    if not reject:
        return Taken(proposal, (), Choices({}, {}), base, frozen, frozen, tuple(units))
    found = parts(diff(base, frozen), base, frozen)
    choice, choices = decide(found, reject)
    accepted = {*choice.accepted}
    touched = {row.unit for part in found if part.id in accepted for row in part.rows}
    book = chosen(base, frozen, found, accepted)
    return Taken(proposal, found, choices, base, frozen, book, tuple(name for name in units if name in touched))


def verify_parts(connection: Connection, comics: ComicService, report: Report, tell: Progress = quiet) -> None:
    """Check that nothing of a rejected part is in the work that its verdict made."""
    rows = connection.exec_driver_sql(
        "SELECT a.id, p.base, p.frozen, a.compared, a.result, a.choices FROM approvals AS a"
        " JOIN proposals AS p ON p.id = a.proposal WHERE a.choices <> '' AND a.result IS NOT NULL ORDER BY a.id"
    ).fetchall()
    for number, *revisions, text in steps(rows, tell, "parts"):
        try:
            choices = Choices.read(text)
            base, frozen, before, after = (comics.at(revision, connection).book for revision in revisions)
            found = parts(diff(base, frozen), base, frozen)
        except (LanternError, ValueError):
            report.add("approval", str(number), "the parts that it rejected cannot be read")
            continue
        unknown = {*choices.rejected} - {part.id for part in found}
        if unknown:
            report.add("approval", str(number), f"it rejects what is no part of its proposal: {min(unknown)}")
        came = landed(found, choices.rejected, base, frozen, before, after)
        if came:
            report.add("approval", str(number), f"the revision it made holds what it rejected: {', '.join(came[:5])}")
