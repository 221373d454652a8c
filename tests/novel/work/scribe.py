"""An author for tests: it writes what ``stage`` writes, and lets a test in before each piece."""

from __future__ import annotations

from collections.abc import Callable

from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.host import Guarantee, HostReport, Order, Row
from lantern_kit.novel.model import WorkKind
from lantern_kit.novel.plan import OutcomeIn, Plan
from tests.novel.stage import content, outline, text


class Scribe:
    """Writes two chapters of two scenes; ``meanwhile`` is called once a piece is claimed."""

    def __init__(self, meanwhile: Callable[[Order], None] | None = None) -> None:
        self._meanwhile = meanwhile
        self.cancelled = 0

    def report(self) -> HostReport:
        """It can do everything."""
        rows = tuple(Row(item, ok=True, reason="a test's") for item in Guarantee)
        return HostReport("scribe", rows, counts_tokens=True, stand_in=True)

    def work(self, order: Order) -> Usage:
        """Carry one intent through."""
        desk, intent, novel = order.desk, order.intent, order.desk.novel
        head = novel.head
        dealt = [OutcomeIn(instruction=item.id, result="applied", note="") for item in novel.open_instructions]
        match intent.kind:
            case WorkKind.OUTLINE_CREATE:
                plan = outline().model_dump(exclude_unset=True, by_alias=True)
                plan.pop("foreshadows")
                desk.create_outline(Plan.model_validate(plan), dealt, "it begins")
            case WorkKind.OUTLINE_REVISE:
                desk.revise_outline(Plan(), dealt, "as asked", head.outline_revision)
            case WorkKind.WRITE_UNIT:
                unit = str(intent.unit)
                token = desk.claim(intent.id, unit, head.outline_revision, head.watermark)[1].token
                if self._meanwhile is not None:
                    self._meanwhile(order)
                order.alive()
                desk.commit(token, desk.weigh(unit, token, text(novel.unit(unit).number), content()))
            case WorkKind.CHAPTER_COMPLETE:
                desk.complete_chapter(str(intent.chapter), head.content_revision, "all is told", [])
            case WorkKind.FINISH:
                desk.finish(head.content_revision, head.outline_revision, list(novel.commits)[-1], "the lamp burns")
        return Usage(1, 1, 10, 5)

    def cancel(self) -> None:
        """Note that it was told."""
        self.cancelled += 1

    def running(self, turn: str) -> bool | None:
        """Nothing of it outlives its process."""
        return False
