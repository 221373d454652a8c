"""A novel as people hold it: what is written, what is meant, and all that a person decides about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lantern_kit import showing as show
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.controls import Controls
from lantern_kit.novel.model import Instruction, InstructionSource, Target
from lantern_kit.novel.service import Moment
from lantern_kit.novel.work.chapters import Chapters, chapters
from lantern_kit.novel.work.configured import TOLERANCE, aimed, approved_by, limited, shared, words
from lantern_kit.novel.work.facts import Facts, facts
from lantern_kit.novel.work.history import NovelHistory, history
from lantern_kit.novel.work.ledger import Instructions, InstructionWork
from lantern_kit.novel.work.outline import OutlineWork
from lantern_kit.novel.work.repetition import Repetitions, repetitions
from lantern_kit.novel.work.status import NovelStatus

if TYPE_CHECKING:
    from pathlib import Path

    from lantern_kit.kernel.progress import Progress
    from lantern_kit.novel.host import AuthorHost
    from lantern_kit.novel.steps import Step
    from lantern_kit.novel.work.exported import ExportWork
    from lantern_kit.novel.work.found import Hits
    from lantern_kit.novel.work.guarantees import Guarantees
    from lantern_kit.novel.work.host import Host
    from lantern_kit.novel.work.rebuilt import Rebuilt
    from lantern_kit.novel.work.running import RunWork

_KEPT = object()
"""Stands for what is left as it is, where None says something."""


class NovelWork:
    """One novel of a workspace. What it gives is as things stand at that moment; ask again for the newest.

    Args:
        host: the workspace.
        novel: its id.
        by: the person who decides; None is the workspace's owner.
    """

    def __init__(self, host: Host, novel: str, by: Actor | None = None) -> None:
        self._host = host
        self._by = by
        self.id = novel

    # reading

    @property
    def host(self) -> Host:
        """The workspace."""
        return self._host

    @property
    def moment(self) -> Moment:
        """The newest revision, with all it says. Raises NovelStorageCorruption."""
        return self._host.novel_service.head(self.id)

    @property
    def title(self) -> str:
        """The title it was begun under."""
        return self.moment.novel.head.title

    def status(self) -> NovelStatus:
        """Where it stands, what it waits for, and what would let it go on."""
        return NovelStatus(self.moment, self._host.novel_service.authors.holder(self.id))

    @property
    def outline(self) -> OutlineWork:
        """What is meant to be written."""
        return OutlineWork(self.moment.novel)

    @property
    def chapters(self) -> Chapters:
        """Its chapters, each with its prose."""
        return chapters(self._host, self.moment.novel)

    @property
    def instructions(self) -> Instructions:
        """All that people asked for, and what came of it."""
        now = self.moment
        return Instructions(
            InstructionWork(self._host, now.novel, item, now.id) for item in now.novel.instructions.values()
        )

    def facts(self, *, kind: str | None = None, about: str | None = None) -> Facts:
        """What is true by what is written, each with its paragraph.

        Args:
            kind: of one kind only: event, state, relation, knowledge, variable or foreshadow.
            about: of one person or variable only, by name or id.

        Raises BadInput.
        """
        return facts(self._host, self.moment.novel, kind=kind, about=about)

    def repetition(self) -> Repetitions:
        """How much each chapter repeats itself: shares of its word runs that are new, and loops.

        Raises NovelStorageCorruption.
        """
        return repetitions(self.chapters)

    def search(self, words: str, *, kinds: Sequence[str] | None = None, limit: int = 20) -> Hits:
        """What holds some words, best first: prose, facts and plans that became true, each with its paragraph.

        Args:
            words: all of them must be there; Chinese and Japanese need no blanks between them.
            kinds: of these kinds only.
            limit: how many at most.

        Raises BadInput, ProjectionFailed.
        """
        from lantern_kit.novel.work.found import found

        return found(self._host, self.id, words, None if kinds is None else tuple(kinds), limit)

    def history(self, last: int = 1_000) -> NovelHistory:
        """Its last revisions, newest first, each with what it was about; ``export`` takes their ids."""
        return history(self._host, self.id, last)

    def export(
        self, path: str | Path | None = None, *, to: str | None = None, revision: str | int | None = None
    ) -> ExportWork:
        """Write it to a file, as of one revision; an unfinished one says that it is. The same again, the same bytes.

        Args:
            path: the file or its folder; None: in the workspace's ``exports``. An older file of that name is replaced.
            to: md, zip, epub or docx; None: as the file's name says, else Markdown.
            revision: such as ``r41``; None: the newest.

        Raises BadInput, NotFound, NovelStorageCorruption.
        """
        from lantern_kit.novel.work.exported import export

        return export(self._host, self.id, path, to, revision)

    def rebuild(self) -> Rebuilt:
        """Make the files for reading and the index anew, from what is committed, and say what was wrong with them.

        Nothing is written by an author for it, and nothing that is committed is touched.

        Raises ProjectionFailed, NovelStorageCorruption.
        """
        from lantern_kit.novel.work.rebuilt import rebuilt

        return rebuilt(self._host, self.id)

    # deciding

    def instruct(self, text: str, *, message: str | None = None) -> InstructionWork:
        """Ask for something; what this gives is durably in the ledger, before another unit can be claimed.

        Args:
            text: what is wanted, in your words.
            message: names it, so that sending it again adds nothing; None: a new name.

        Raises WrongState when the novel is completed, IdempotencyConflict, BadInput.
        """
        return self._received(text, InstructionSource.INSTRUCTION, None, message)

    def clarify(self, instruction: str, text: str, *, message: str | None = None) -> InstructionWork:
        """Say what a blocked instruction is to mean; it stays paused until you resume it.

        Raises WrongState when that one is not blocked, NotFound, BadInput.
        """
        return self._received(text, InstructionSource.CLARIFICATION, instruction, message)

    def withdraw(self, instruction: str, text: str = "Withdrawn.", *, message: str | None = None) -> InstructionWork:
        """Take an instruction back: one that is blocked, waits, or is in force; prose that is committed stays.

        A novel that is paused stays so until you resume it. Raises WrongState when that one holds no longer, NotFound,
        BadInput.
        """
        return self._received(text, InstructionSource.WITHDRAWAL, instruction, message)

    def pause(self) -> NovelStatus:
        """Let no further unit be claimed; one that is being written may end. Raises WrongState."""
        self._controls.pause()
        return self.status()

    def stop(self) -> NovelStatus:
        """Stop at once: what is being written is refused when it comes, what is committed stays. Raises WrongState."""
        self._controls.stop()
        return self.status()

    def resume(self) -> NovelStatus:
        """Let it go on; ``run`` does. Raises WrongState, which says what is in the way."""
        self._controls.resume()
        return self.status()

    def approve(self, outline_revision: int) -> NovelStatus:
        """Let the outline begin that you read: only this revision. Raises WrongState, NovelRevisionConflict."""
        self._controls.approve(outline_revision)
        return self.status()

    def update_outline(self) -> NovelStatus:
        """Have an outline that waits to be approved revised once, for the instructions since. Raises WrongState."""
        self._controls.update_outline()
        return self.status()

    def configure(
        self,
        *,
        approval: str | None = None,
        length: Any = _KEPT,
        tolerance: float | None = None,
        hard_maximum: Any = _KEPT,
        chapters: Any = _KEPT,
        unit_maximum: int | None = None,
        limits: Mapping[str, Any] | None = None,
        shares: Mapping[str, float] | None = None,
    ) -> NovelStatus:
        """Change approval, length, chapters or limits; what was spent stays spent.

        Args:
            approval: ``automatic`` or ``manual``, until an outline was let begin.
            length: effective characters aimed at; None: no length.
            tolerance: how far off it may end, as a part of it.
            hard_maximum: never more than this; None: no such limit.
            chapters: how many there are to be; None: as it comes.
            unit_maximum: effective characters of one unit at most.
            limits: those that change: turns, planning_turns, minutes, failures, stalled, corrections, tokens (None: no
                limit), ``retries`` and ``deductions`` as mappings.
            shares: how length is shared out, as parts of one: ending, low, high.

        Raises BadInput, UnknownKey, WrongState.
        """
        config = self.moment.novel.config
        changes: dict[str, Any] = {} if approval is None else {"approval": approved_by(approval).value}
        if length is not _KEPT or tolerance is not None or hard_maximum is not _KEPT:
            held = config.length if isinstance(config.length, Target) else None
            if length is _KEPT and held is None:
                raise BadInput("the novel aims at no length", recovery="Give a length too.")
            before = TOLERANCE if held is None else held.tolerance / 1_000_000
            most = (None if held is None else held.hard_maximum) if hard_maximum is _KEPT else hard_maximum
            changes["length"] = aimed(
                held.characters if length is _KEPT and held is not None else length,
                before if tolerance is None else tolerance,
                None if length is None else most,
            )
        if chapters is not _KEPT:
            changes["chapters"] = chapters
        if unit_maximum is not None:
            changes["unit_maximum"] = unit_maximum
        if limits:
            changes["limits"] = limited(config.limits, limits)
        if shares:
            changes["shares"] = shared(config.shares, shares)
        with words(type(config)):
            self._controls.configure(**changes)
        return self.status()

    def free(self) -> NovelStatus:
        """Free the author's seat: you vouch that whoever had it is gone."""
        self._controls.free()
        return self.status()

    # writing

    def run(
        self,
        host: AuthorHost | None = None,
        *,
        until: Callable[[Step], bool] | None = None,
        on_step: Callable[[Step], None] | None = None,
        progress: Progress | None = None,
    ) -> RunWork:
        """Let an author write on until the novel is completed or paused. You may instruct, pause or stop it meanwhile.

        Interrupting it pauses nothing: what is committed is kept, and another run goes on from there.

        Args:
            host: who writes: ``lk.AgentAuthor(ws, chat)`` for a model; None: the offline stand-in, which is none.
            until: asked after each step whether to end there.
            on_step: told of each step.
            progress: told of the chapter, how many are completed, and of how many.

        Raises NovelCapability, NovelOwnership while another author writes, NovelStorageCorruption.
        """
        from lantern_kit.novel.work.running import carried

        if host is None:
            from lantern_kit.novel.offline import OfflineAuthor

            host = OfflineAuthor()
        return carried(self._host, self.id, host, until=until, on_step=on_step, progress=progress)

    def capabilities(self, host: AuthorHost | None = None) -> Guarantees:
        """What whoever writes guarantees, and why it does not where it does not.

        Args:
            host: as for ``run``; None: a host that asks for its work over MCP.
        """
        from lantern_kit.novel.capabilities.served import SERVED
        from lantern_kit.novel.work.guarantees import Guarantees

        return Guarantees(SERVED if host is None else host.report())

    # showing

    def __repr__(self) -> str:
        status = self.status()
        done = f"{status.completed_chapters} of {counted(len(status.novel.chapters), 'chapter')}"
        size = counted(status.novel.head.characters, "character")
        return f"<Novel {self.title!r} {self.id}: {status.state}, {done}, {size}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self.html())

    def html(self) -> str:
        """Where it stands, its chapters, and what was asked for."""
        asked = show.folded("What was asked for", self.instructions.html())
        return self.status().html() + self.chapters.html() + asked

    # parts

    @property
    def _controls(self) -> Controls:
        return Controls(self._host.novel_service, self.id, self._by or self._host.owner)

    def _received(
        self, text: str, source: InstructionSource, answers: str | None, message: str | None
    ) -> InstructionWork:
        with words(Instruction):
            moment, taken = self._controls.instruct(
                text, message=message or self._host.ids.new("ms"), source=source, answers=answers
            )
        return InstructionWork(self._host, moment.novel, taken, moment.id)
