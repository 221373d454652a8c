"""Annotations of one workspace: people write and settle them, agents claim them into drafts and answer.

What becomes of an annotation's draft moves the annotation in the same transaction: frozen, it awaits the person;
discarded, it is open again; applied, it still awaits the person's word (seed 000, 作品批注).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lantern_kit.assets import AssetVersion
from lantern_kit.comic import annotation_rows as rows
from lantern_kit.comic.annotation import (
    PREFIX,
    SETTLED,
    UNSETTLED,
    Annotation,
    Message,
    OnElement,
    OnPoint,
    Reference,
    Resolved,
    State,
    refer,
    resolve,
)
from lantern_kit.comic.book import Book
from lantern_kit.comic.drafts import Draft, DraftService
from lantern_kit.comic.handle import handle_of, parse_handle
from lantern_kit.comic.proposal import Proposal, proposal_number
from lantern_kit.comic.proposals import ProposalService
from lantern_kit.comic.service import ComicService, Moment
from lantern_kit.kernel.actor import Actor, ActorKind, require_person
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput, NotFound, StaleHandle, WrongState
from lantern_kit.kernel.progress import Progress, reporting, steps
from lantern_kit.kernel.wording import said

LONGEST = 4_000
"""Characters of a body or a message."""
MOST = 50
"""References of one annotation, and pictures attached to it."""
On = OnElement | OnPoint | Reference
"""What a reference is made to; one that the annotation has already stays as it was made."""


@dataclass(frozen=True)
class Inspected:
    """An annotation with each reference against the work as it stands."""

    annotation: Annotation
    moment: Moment
    """The working revision it was resolved against."""
    references: tuple[Resolved, ...]
    """In the annotation's own order."""
    attachments: tuple[AssetVersion, ...]


@dataclass
class AnnotationService:
    """Annotations of one workspace."""

    comics: ComicService
    drafts: DraftService
    proposals: ProposalService

    def __post_init__(self) -> None:
        self.proposals.on_freeze.append(self._frozen)
        self.proposals.on_state.append(self._decided)
        self.drafts.on_discard.append(self._draft_discarded)

    # reading

    def get(self, annotation: str, connection: Connection | None = None) -> Annotation:
        """An annotation. Raises NotFound."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.get(annotation, own)
        found = rows.find(connection, annotation)
        if found is None:
            raise NotFound(
                f"there is no annotation {annotation[:40]}",
                ids=[annotation[:40]],
                recovery="List the annotations of the chapter and use an id it gives.",
            )
        return found

    def of_chapter(self, chapter: str, *, states: Sequence[State] | None = None) -> list[Annotation]:
        """A chapter's annotations, oldest first; all of them when ``states`` is None."""
        with self.comics.journal.read() as connection:
            found = rows.of_chapter(connection, chapter)
        return [item for item in found if states is None or item.state in states]

    def open_of(self, chapter: str) -> list[Annotation]:
        """The annotations of a chapter that nobody deals with yet, oldest first."""
        return self.of_chapter(chapter, states=(State.OPEN,))

    def of_proposal(self, proposal: str) -> list[Annotation]:
        """The annotations that a proposal answers, oldest first."""
        with self.comics.journal.read() as connection:
            return rows.of_proposal(connection, proposal_number(proposal))

    def inspect(self, annotation: str) -> Inspected:
        """An annotation against the work as it stands. Raises NotFound."""
        with self.comics.journal.read() as connection:
            found = self.get(annotation, connection)
            moment = self.comics.head(found.chapter, connection)
            attached = tuple(self.comics.assets.get(asset, connection) for asset in found.attachments)
        return Inspected(found, moment, self._resolved(found, moment.book), attached)

    def inspect_all(
        self, chapter: str, *, states: Sequence[State] | None = UNSETTLED, progress: Progress | None = None
    ) -> list[Inspected]:
        """A chapter's annotations against one and the same revision of the work, oldest first."""
        with reporting(progress, "Reading the annotations") as tell, self.comics.journal.read() as connection:
            moment = self.comics.head(chapter, connection)
            found = [item for item in rows.of_chapter(connection, chapter) if states is None or item.state in states]
            return [
                Inspected(
                    item,
                    moment,
                    self._resolved(item, moment.book),
                    tuple(self.comics.assets.get(asset, connection) for asset in item.attachments),
                )
                for item in steps(found, tell, "annotations")
            ]

    # a person's alone

    def create(
        self, chapter: str, body: str, *, on: Sequence[On] = (), attach: Sequence[str] = (), actor: Actor
    ) -> Annotation:
        """Write an annotation. Raises BadInput, NotFound, StaleHandle."""
        require_person(actor, "write annotations")
        said(body, "an annotation", longest=LONGEST, empty=False)
        with self.comics.journal.write() as connection:
            book = self.comics.head(chapter, connection).book
            at = self.comics.clock.now()
            made = Annotation(
                id=self.comics.ids.new(PREFIX),
                chapter=chapter,
                body=body,
                state=State.OPEN,
                actor=actor.name,
                created_at=at,
                changed_at=at,
                draft=None,
                proposal=None,
                references=self._refer(on, book, ()),
                attachments=self._attach(attach, connection),
            )
            rows.insert(connection, made)
        return made

    def edit(
        self,
        annotation: str,
        *,
        actor: Actor,
        body: str | None = None,
        on: Sequence[On] | None = None,
        attach: Sequence[str] | None = None,
    ) -> Annotation:
        """Change the words, the references or the attachments; what is not given stays.

        Args:
            annotation: which one.
            actor: a person.
            body: the new words.
            on: all references in their new order: those it has already as they are, new ones as what they point at.
            attach: all attached assets in their new order.

        Raises:
            NotFound, BadInput, StaleHandle.
        """
        require_person(actor, "edit annotations")
        if body is not None:
            said(body, "an annotation", longest=LONGEST, empty=False)
        with self.comics.journal.write() as connection:
            found = self.get(annotation, connection)
            book = self.comics.head(found.chapter, connection).book
            if on is not None:
                rows.refer(connection, found.id, self._refer(on, book, found.references))
            if attach is not None:
                rows.attach(connection, found.id, self._attach(attach, connection))
            rows.reword(connection, found.id, found.body if body is None else body, self.comics.clock.now())
            return self.get(annotation, connection)

    def delete(self, annotation: str, *, actor: Actor) -> Annotation:
        """Take an annotation out for good, with its references and messages; gives what it was. Raises NotFound."""
        require_person(actor, "delete annotations")
        with self.comics.journal.write() as connection:
            found = self.get(annotation, connection)
            rows.delete(connection, found.id)
        return found

    def resolve(self, annotation: str, *, actor: Actor) -> Annotation:
        """Say that it is dealt with. Raises NotFound, WrongState when it is settled already."""
        return self._settle(annotation, State.RESOLVED, actor)

    def shelve(self, annotation: str, *, actor: Actor) -> Annotation:
        """Put it aside. Raises NotFound, WrongState when it is settled already."""
        return self._settle(annotation, State.SHELVED, actor)

    def reopen(self, annotation: str, *, actor: Actor) -> Annotation:
        """Make it open again, freed from any draft. Raises NotFound, WrongState when it is open."""
        require_person(actor, "reopen annotations")
        with self.comics.journal.write() as connection:
            found = self.get(annotation, connection)
            if found.state is State.OPEN:
                raise WrongState(f"{found.id} is open", found="open", ids=[found.id], recovery="It stays as it is.")
            return self._open_again(connection, found.id)

    # an agent's too, in a write transaction

    def claim(
        self, connection: Connection, annotations: Sequence[str], draft: str, *, actor: Actor
    ) -> list[Annotation]:
        """Bind annotations to an open draft of their chapter, agents to one of their own; all or none.

        One that this draft holds already stays as it is. Raises NotFound, WrongState.
        """
        holder = self.drafts.get(draft, connection)
        if holder.state != "open":
            raise WrongState(
                f"{draft} is {holder.state}",
                expected="open",
                found=holder.state,
                ids=[draft],
                recovery="Begin a new draft from the current work.",
            )
        if actor.kind is ActorKind.AGENT and actor.name != holder.actor:
            raise WrongState(
                f"{draft} belongs to {holder.actor}", ids=[draft], recovery="Claim into a draft of your own."
            )
        claimed = []
        for name in dict.fromkeys(annotations):
            found = self.get(name, connection)
            if found.chapter != holder.chapter:
                raise WrongState(
                    f"{found.id} belongs to another chapter than {draft}",
                    expected=holder.chapter,
                    found=found.chapter,
                    ids=[found.id, draft],
                    recovery="Begin a draft on the annotation's own chapter.",
                )
            if found.state is State.OPEN:
                found = self._move(connection, found.id, State.CLAIMED, draft=holder.number, proposal=None)
            elif found.settled or found.draft != holder.number:
                raise _taken(found)
            claimed.append(found)
        return claimed

    def note(self, connection: Connection, annotations: Sequence[str], text: str, *, actor: Actor) -> list[Annotation]:
        """Add the same message to annotations: how they were dealt with, or a question; agents not to settled ones.

        Raises NotFound, BadInput, WrongState.
        """
        said(text, "a note", longest=LONGEST, empty=False)
        message = Message(actor.kind.value, actor.name, text, self.comics.clock.now())
        for name in dict.fromkeys(annotations):
            found = self.get(name, connection)
            if found.settled and actor.kind is not ActorKind.PERSON:
                raise _taken(found)
            rows.say(connection, found.id, message)
        return [self.get(name, connection) for name in dict.fromkeys(annotations)]

    # what follows from a draft's life

    def _frozen(self, connection: Connection, proposal: Proposal) -> None:
        for name in rows.of_draft(connection, proposal.draft, (State.CLAIMED, State.AWAITING)):
            self._move(connection, name, State.AWAITING, draft=proposal.draft, proposal=proposal.number)

    def _decided(self, connection: Connection, proposal: Proposal) -> None:
        if proposal.state == "discarded":
            for name in rows.of_draft(connection, proposal.draft, (State.AWAITING,)):
                if self.get(name, connection).proposal == proposal.number:
                    self._open_again(connection, name)
        elif proposal.state == "applied":
            # Claimed after the freeze: what was applied does not deal with them, and the draft is closed now.
            for name in rows.of_draft(connection, proposal.draft, (State.CLAIMED,)):
                self._open_again(connection, name)

    def _draft_discarded(self, connection: Connection, draft: Draft) -> None:
        for name in rows.of_draft(connection, draft.number, (State.CLAIMED, State.AWAITING)):
            self._open_again(connection, name)

    # parts

    def _resolved(self, found: Annotation, book: Book) -> tuple[Resolved, ...]:
        return tuple(resolve(item, book, lambda thing: self.comics.unit_of(book, thing)) for item in found.references)

    def _refer(self, on: Sequence[On], book: Book, there: tuple[Reference, ...]) -> tuple[Reference, ...]:
        if len(on) > MOST:
            raise BadInput(f"an annotation has at most {MOST} references", expected=MOST, found=len(on))
        made = []
        for item in on:
            if isinstance(item, Reference):
                if item not in there:
                    raise BadInput(
                        f"a reference to {item.target} is not one this annotation has",
                        ids=[item.target],
                        recovery="Name what it shall point at instead; it is taken as it stands now.",
                    )
                made.append(item)
            else:
                made.append(self._new(item, book))
        return tuple(made)

    def _new(self, wanted: OnElement | OnPoint, book: Book) -> Reference:
        name, mark = parse_handle(wanted.target if isinstance(wanted, OnElement) else wanted.unit)
        bare = replace(wanted, target=name) if isinstance(wanted, OnElement) else replace(wanted, unit=name)
        made = refer(bare, book, lambda thing: self.comics.unit_of(book, thing))
        if mark is not None and mark != made.fingerprint:
            unit = book.unit(made.unit)
            thing = unit if made.target == unit.id else unit.index.get(made.target)
            current = [] if thing is None else [handle_of(thing)]
            raise StaleHandle(f"{name} changed since its handle was read", ids=[name], details={"handles": current})
        return made

    def _attach(self, attach: Sequence[str], connection: Connection) -> tuple[str, ...]:
        if len(attach) > MOST:
            raise BadInput(f"an annotation has at most {MOST} attachments", expected=MOST, found=len(attach))
        return tuple(self.comics.assets.get(asset, connection).id for asset in attach)

    def _settle(self, annotation: str, state: State, actor: Actor) -> Annotation:
        require_person(actor, "settle annotations")
        with self.comics.journal.write() as connection:
            found = self.get(annotation, connection)
            if found.settled:
                raise WrongState(
                    f"{found.id} is {found.state.value}",
                    expected=[item.value for item in UNSETTLED],
                    found=found.state.value,
                    ids=[found.id],
                    recovery="Reopen it first.",
                )
            return self._move(connection, found.id, state, draft=found.draft, proposal=found.proposal)

    def _open_again(self, connection: Connection, annotation: str) -> Annotation:
        return self._move(connection, annotation, State.OPEN, draft=None, proposal=None)

    def _move(
        self, connection: Connection, annotation: str, state: State, *, draft: int | None, proposal: int | None
    ) -> Annotation:
        rows.move(connection, annotation, state, self.comics.clock.now(), draft=draft, proposal=proposal)
        return self.get(annotation, connection)


def _taken(found: Annotation) -> WrongState:
    """Why an agent cannot deal with an annotation now."""
    state = found.state.value if found.draft is None or found.settled else f"{found.state.value} in d{found.draft}"
    return WrongState(
        f"{found.id} is {state}",
        expected=State.OPEN.value,
        found=found.state.value,
        ids=[found.id],
        recovery="It is settled: leave it." if found.state in SETTLED else "Leave it, or ask the person to reopen it.",
    )
