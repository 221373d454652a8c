"""A proposal, what an apply of it would make, and its verdicts: as plain data in a person's language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.approvals import Approval, objection
from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.choices import Choices, Told
from lantern_kit.comic.conflicts import ConflictService, StoredConflict, name_of
from lantern_kit.comic.contract import is_order, turns
from lantern_kit.comic.diff import diff
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.found import finding_words
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.locks import Lock
from lantern_kit.comic.phrases import Language, Speech
from lantern_kit.comic.proposal import Review
from lantern_kit.comic.service import Moment
from lantern_kit.comic.words import describe, object_name, unit_titles
from lantern_kit.comic.work.candidate import CandidateWork, beside
from lantern_kit.kernel.errors import Corrupt, LanternError
from lantern_kit.kernel.revision import Revision
from lantern_kit.widgets.review.outcome import Outcome, meeting

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

Data = dict[str, Any]
MOST = 200
"""Warnings of one sort that are told; the others are counted."""
LATELY = 30
"""Revisions that are told of a work that moved on."""


@dataclass(frozen=True)
class Reviewed:
    """A review, told to a browser."""

    host: Workspace
    review: Review

    @property
    def language(self) -> Language:
        """Of all words."""
        return self.review.language

    def data(self) -> Data:
        """Everything about the proposal itself; what depends on choices is the outcome's."""
        review, facts = self.review, self.review.proposal
        told = review.tell(review.parts)
        return {
            "proposal": facts.id,
            "state": facts.state,
            "chapter": facts.chapter,
            "work": self._work(),
            "agent": facts.actor,
            "draft": f"d{facts.draft}",
            "summary": facts.summary,
            "frozen_at": facts.frozen_at,
            "decided_at": facts.decided_at,
            "base": facts.base,
            "frozen": facts.frozen,
            "before": self.before().revision.number,
            "compared": review.current.revision.number,
            "contract": self._contract(),
            "answers": [
                {"id": item.id, "state": item.state.value, "body": item.body}
                for item in self.host.annotation_service.of_proposal(facts.id)
            ],
            "beside": [self._candidate(item) for item in beside(self.host, facts)],
            "units": self._units(told),
            "parts": [self._part(item) for item in told],
            "touches": [self._touch(item) for item in review.touches_human[:MOST]],
            "more_touches": max(0, len(review.touches_human) - MOST),
            "faults": [
                *self.faults(facts.new_findings, "new", review.frozen.book),
                *self.faults(facts.healed, "healed", review.base.book),
            ],
            "verdicts": self.verdicts(),
            "conflicts": [self.stored(item) for item in self._conflicts()],
            "successor": self._successor(),
            "next": self._next(),
        }

    def _candidate(self, work: CandidateWork) -> Data:
        """What waited beside the draft, and how it stands now."""
        facts = work.facts
        state = "stale" if work.moved else facts.state
        return {"id": facts.id, "task": facts.task, "agent": facts.actor, "state": state}

    def outcome(self, found: Outcome, source: str) -> Data:
        """What an apply with some choices would make."""
        book = found.current if found.book is None else found.book
        brought, healed = found.faults
        out = {*found.taken.choices.rejected}
        return {
            "source": source,
            "compared": self.review.current.revision.number,
            "mode": found.mode.value,
            "modes": [item.value for item in found.modes],
            "rejected": [
                {"id": part.id, "because": found.taken.choices.because.get(part.id, "")}
                for part in self.review.parts
                if part.id in out
            ],
            "left": len(self.review.parts) - len(out),
            "changes": len(found.changes),
            "units": list(found.units),
            "overwrites": [{"unit": unit, "title": self._title(unit)} for unit in found.moved],
            "overwritten": self._overwritten(found),
            "conflicts": [
                {
                    "unit": item.unit,
                    "title": self._title(item.unit),
                    "object": item.object,
                    "property": item.property or "",
                    "name": self.called(item.object, item.unit, found.current, self.review.frozen.book),
                    "ours": self._said(meeting(diff(self.review.base.book, found.current), item), found.current),
                    "theirs": self._said(meeting(self.review.changes, item), self.review.frozen.book),
                }
                for item in found.conflicts[:MOST]
            ],
            "locks": [self._lock(item) for item in found.locks],
            "faults": [*self.faults(brought, "new", book), *self.faults(healed, "healed", found.current)],
            "refused": None if found.refused is None else found.refused.payload(),
        }

    def verdicts(self) -> list[Data]:
        """The signed verdicts, oldest first, each checked."""
        with self.host.comics.journal.read() as connection:
            chain = read_keychain(connection)
        told = []
        for item in self.review.approvals:
            key = chain.get(item.key)
            try:
                against = objection(item, self.host.id, chain)
                choices = self.review.left_out(Choices.read(item.choices)) if item.choices else []
            except (Corrupt, ValueError) as error:
                against, choices = str(error), []
            told.append(
                {
                    "id": item.id,
                    "verdict": item.verdict.value,
                    "mode": item.mode,
                    "reviewer": item.reviewer,
                    "key": item.key,
                    "demo": bool(key is not None and key.demo),
                    "at": item.at,
                    "compared": item.compared,
                    "result": item.result,
                    "saved": self._saved(item),
                    "content": item.content.hex(),
                    "reason": item.reason,
                    "objection": against,
                    "rejected": [
                        {
                            "id": part.part.id,
                            "title": part.title,
                            "words": part.words,
                            "reason": part.reason,
                            "because": part.because,
                        }
                        for part in choices
                    ],
                }
            )
        return told

    def stored(self, item: StoredConflict) -> Data:
        """A conflict that a merge left, as it stands now."""
        service, moment = ConflictService(self.host.comics), self.review.current
        merged = self.host.comics.at(item.revision).book
        open_ = item.state == "open"
        would, against = self._would(service, item, moment) if open_ else ([], "")
        return {
            "id": item.id,
            "unit": self.host.comics.unit_of(moment.book, item.object) or item.unit,
            "title": self._title(item.unit),
            "object": item.object,
            "property": "".join(self._named([item.property] if item.property else [])),
            "name": self.called(item.object, item.unit, moment.book, self.review.frozen.book) or name_of(item),
            "ours": self._said(meeting(diff(self.review.base.book, merged), item), merged),
            "theirs": self._said(meeting(self.review.changes, item), self.review.frozen.book),
            "state": item.state,
            "standing": service.standing(item, moment) if open_ else "",
            "would": would,
            "against": against,
            "by": item.settled_by or "",
            "at": item.settled_at,
            "made": item.settled_in,
        }

    def faults(self, found: Iterable[Finding], state: str, book: Book) -> list[Data]:
        """What a check found, with where it is."""
        return [
            {
                "state": state,
                "rule": item.rule,
                "severity": item.severity,
                "unit": item.unit,
                "title": self._title(item.unit),
                "object": item.object,
                "name": self.called(item.object, item.unit, book),
                "message": finding_words(item, self.language),
            }
            for item in list(found)[:MOST]
        ]

    def called(self, thing: str, unit: str, *books: Book) -> str:
        """What people call an object, in the first book that has it; "" for what is none."""
        for book in books:
            if unit in book and thing in book.unit(unit).index:
                return object_name(book.unit(unit), thing, language=self.language, titles=self.review.titles)
        return ""

    # parts

    def _work(self) -> str:
        facts = self.review.current.book.chapter
        number = {"en": f"chapter {facts.number}", "zh": f"第 {facts.number} 话"}[self.language]
        return " · ".join(part for part in (facts.comic, number, facts.title) if part)

    def _contract(self) -> Data:
        held = self.review.contract
        places = [self._title(unit) for unit in held.units]
        for name in held.objects:
            unit = self.host.comics.unit_of(self.review.frozen.book, name) or ""
            places.append(self.called(name, unit, self.review.frozen.book) or name)
        return {"places": places, "only": self._named(held.properties)}

    def _named(self, properties: Iterable[str]) -> list[str]:
        """What people call properties."""
        return [Speech(self.language).value(name) for name in properties]

    @cached_property
    def _titles(self) -> dict[str, str]:
        moments = (self.review.base, self.review.frozen, self.review.current)
        return {unit: title for item in moments for unit, title in unit_titles(item.book, self.language).items()}

    def _title(self, unit: str) -> str:
        """What people call a unit, wherever it is; "" for the chapter itself."""
        return "" if unit == self.review.proposal.chapter else self._titles.get(unit, unit)

    def _units(self, told: Sequence[Told]) -> list[Data]:
        """The chapter, where its own facts change, and every touched unit, with where it is to be seen."""
        names = dict.fromkeys([*(item.part.unit for item in told), *self.review.proposal.units])
        before, after = self.before().book, self.review.frozen.book
        listed = dict.fromkeys((*after.order, *before.order))
        places = {name: place for place, name in enumerate(listed)}
        chapter = self.review.proposal.chapter
        ordered = sorted(names, key=lambda name: (name != chapter, places.get(name, len(places))))
        return [
            {
                "unit": name,
                "title": self._title(name),
                "before": name in before,
                "after": name in after,
                "moved": name in self.review.overwrites,
            }
            for name in ordered
        ]

    def before(self) -> Moment:
        """What a verdict meets, or met."""
        review = self.review
        if review.proposal.undecided:
            return review.current
        compared = next((item.compared for item in reversed(review.approvals)), None)
        return review.base if compared is None else self.host.comics.at(compared)

    def _part(self, item: Told) -> Data:
        part = item.part
        return {
            "id": part.id,
            "unit": part.unit,
            "object": part.object,
            "kind": part.object_kind,
            "change": part.change,
            "name": self.called(part.object, part.unit, self.review.frozen.book, self.review.base.book),
            "words": item.words,
            "needs": list(part.needs),
        }

    def _touch(self, item: Any) -> Data:
        return {
            "unit": item.unit,
            "title": self._title(item.unit),
            "object": item.object,
            "name": self.called(item.object, item.unit, self.review.current.book, self.review.base.book),
            "properties": self._named(item.properties),
            "by": item.actor,
            "at": item.at,
            "revision": f"r{item.revision}",
            "message": item.message,
        }

    def _lock(self, item: Lock) -> Data:
        book = self.review.current.book
        unit = self.host.comics.unit_of(book, item.object) or ""
        return {
            "object": item.object,
            "unit": unit,
            "title": self._title(unit) if unit else "",
            "name": self.called(item.object, unit, book) or (self._title(unit) if unit else item.object),
            "by": item.actor,
            "at": item.at,
            "reason": item.reason,
        }

    def _overwritten(self, found: Outcome) -> list[Data]:
        """What an overwrite would undo, unit by unit in words, and whose it is."""
        base = self.review.base.book
        rows: dict[str, list[Change]] = {}
        makers: dict[str, dict[int, Revision]] = {}
        for item in found.overwritten:
            if not is_order(item.change) or turns(item.change):
                rows.setdefault(item.change.unit, []).append(item.change)
                makers.setdefault(item.change.unit, {})[item.revision.number] = item.revision
        told = []
        for unit, changes in rows.items():
            by = sorted(makers[unit].values(), key=lambda revision: revision.number)
            told.append(
                {
                    "unit": unit,
                    "title": self._title(unit),
                    "sentences": self._sentences(changes, base, found.current),
                    "by": [
                        {"by": item.actor.name, "revision": item.id, "message": item.message, "at": item.at}
                        for item in by
                    ],
                }
            )
        return told

    def _said(self, rows: Iterable[Change], after: Book) -> list[str]:
        """What one side made of a thing, in words."""
        return self._sentences(list(rows), self.review.base.book, after)

    def _sentences(self, rows: Sequence[Change], before: Book, after: Book) -> list[str]:
        found = describe(rows, before, after, language=self.language, titles=self.review.titles)
        return [sentence for unit in found for sentence in unit.sentences]

    def _conflicts(self) -> list[StoredConflict]:
        service, number = ConflictService(self.host.comics), self.review.proposal.number
        found = service.of_chapter(self.review.proposal.chapter, state=None)
        return [item for item in found if item.proposal == number]

    def _would(self, service: ConflictService, item: StoredConflict, moment: Moment) -> tuple[list[str], str]:
        """What taking theirs would do to the work, and why it cannot be taken."""
        try:
            book = service.with_choice(item, moment)
        except LanternError as error:
            return [], error.message
        return self._sentences(diff(moment.book, book), moment.book, book), ""

    def _saved(self, item: Approval) -> str:
        if item.result is None:
            return ""
        found = self.host.comics.snapshots(self.review.proposal.chapter)
        return next((saved.id for saved in found if saved.proposal == item.proposal), "")

    def _successor(self) -> str:
        """The proposal that was frozen of the same draft instead of one that was superseded."""
        own = self.review.proposal
        if own.state != "superseded":
            return ""
        later = [item for item in self.host.proposal_service.all(chapter=own.chapter) if item.draft == own.draft]
        return later[0].id

    def _next(self) -> Data | None:
        """The proposal that has waited longest, of this chapter first."""
        own = self.review.proposal
        waiting = [item for item in self.host.proposal_service.all(states=("pending",)) if item.number != own.number]
        if not waiting:
            return None
        first = min(waiting, key=lambda item: (item.chapter != own.chapter, item.number))
        return {"proposal": first.id, "agent": first.actor, "summary": first.summary, "waiting": len(waiting)}


def since(host: Workspace, head: Moment, number: int, language: Language) -> list[Data]:
    """What happened to the work after a revision, newest first, each with the pages that it changed."""
    titles, told = unit_titles(head.book, language), []
    with host.comics.journal.read() as connection:
        for item in host.history.log(connection, head.revision.line, limit=LATELY):
            if item.number <= number:
                break
            units = dict.fromkeys(row.unit for row in host.history.changes(connection, item))
            told.append(
                {
                    "revision": item.id,
                    "by": item.actor.name,
                    "cause": item.cause,
                    "message": item.message,
                    "at": item.at,
                    "units": [titles.get(unit, unit) for unit in units if unit != head.revision.line],
                }
            )
    return told
