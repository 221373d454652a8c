"""What a person decides about a novel; these go through whoever writes it (seed 004, 4.3, 9, 13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lantern_kit.kernel.actor import Actor, require_person
from lantern_kit.novel.edit import control, ledger
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.model import Instruction, InstructionSource
from lantern_kit.novel.service import Moment, NovelService
from lantern_kit.novel.whole import Novel


class Controls:
    """A person's hand on one novel. Every method raises NotAllowed for anybody else."""

    def __init__(self, service: NovelService, novel: str, actor: Actor) -> None:
        require_person(actor, "decide about a novel")
        self._service = service
        self._novel = novel
        self._actor = actor

    def instruct(
        self,
        text: str,
        *,
        message: str,
        source: InstructionSource = InstructionSource.INSTRUCTION,
        answers: str | None = None,
    ) -> tuple[Moment, Instruction]:
        """Add an instruction; when this returns it is durably in the ledger, before anything else can be claimed.

        Args:
            message: names it, so that sending it again adds nothing.
            answers: the blocked instruction that a clarification or a withdrawal is about.

        Raises as ``edit.ledger.receive``.
        """
        return self._service.step(
            self._novel,
            lambda novel, stamp: ledger.receive(novel, message, text, source, answers, stamp),
            actor=self._actor,
            cause="instruct",
        )

    def pause(self) -> Moment:
        """No further unit is claimed; one that is claimed may end."""
        return self._do(control.pause, "pause")

    def stop(self) -> Moment:
        """Stop at once: what is being written is refused when it comes."""
        return self._do(control.stop, "stop")

    def resume(self) -> Moment:
        """Let it go on. Raises WrongState, which says what is in the way."""
        return self._do(control.resume, "resume")

    def approve(self, outline_revision: int) -> Moment:
        """Let an outline begin. Raises WrongState, NovelRevisionConflict."""
        return self._do(lambda novel, stamp: control.approve(novel, outline_revision, stamp), "approve")

    def update_outline(self) -> Moment:
        """Allow one revision of an outline that waits to be approved. Raises WrongState."""
        return self._do(control.update_outline, "update outline")

    def configure(self, **changes: Any) -> Moment:
        """Change approval, length, chapters, limits, shares or unit_maximum. Raises WrongState, BadInput."""
        return self._do(lambda novel, stamp: control.configure(novel, changes, stamp), "configure")

    def free(self) -> None:
        """Free the author's seat: the person vouches that whoever held it is gone."""
        self._service.authors.free(self._novel)

    def _do(self, make: Callable[[Novel, Stamp], Novel], cause: str) -> Moment:
        moment, _ = self._service.step(
            self._novel, lambda novel, stamp: (make(novel, stamp), None), actor=self._actor, cause=cause
        )
        return moment
