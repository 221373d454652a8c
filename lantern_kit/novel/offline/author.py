"""The offline author: a deterministic stand-in for a model, so that demos, tests and proofs run anywhere.

It tells one tale, with names out of the novel's cards and book, and reacts to instructions by rule. It understands
nothing; wherever its work shows, it is said to be a stand-in.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.errors import NovelCapability, NovelFindings, NovelLengthLimit
from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.host import Cancelled, Guarantee, HostReport, Order, Row
from lantern_kit.novel.model import Why, WorkKind
from lantern_kit.novel.offline.cast import Cast, sentences
from lantern_kit.novel.offline.pages import Pages
from lantern_kit.novel.offline.planning import Planner
from lantern_kit.novel.offline.script import Script, Take
from lantern_kit.novel.plan import FindingOverrideIn, OutcomeIn, Plan
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.whole import Novel, committed

NAME = "offline stand-in"
LANGUAGES = ("en", "zh")
"""In which it can tell its tale, as subtags of BCP 47."""
_ATTEMPTS = 8
_KEPT = 8
_REASON = {
    "en": "The stand-in has one tale and few words.",
    "zh": "替身作者只有一个故事，词句有限。",
}
_EVIDENCE = {
    "en": "{title}: {exit} All {count} scenes are told.",
    "zh": "{title}：{exit}{count}个场景均已写完。",
}


class OfflineAuthor:
    """Writes novels without a model, the same novel for the same seed.

    Args:
        seed: of its choices.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self._stopped = threading.Event()
        self._turn = ""
        self._ended: OrderedDict[str, None] = OrderedDict()
        self._scripts: OrderedDict[str, Script] = OrderedDict()
        self._taken: dict[str, tuple[set[str], set[str]]] = {}
        """By novel: commits that were read, and their sentences."""

    def report(self) -> HostReport:
        """It needs no model and no service, so that all of it can be guaranteed."""
        why = "It works in this process, one piece of work after the other, and asks nobody."
        rows = tuple(Row(guarantee, ok=True, reason=why) for guarantee in Guarantee)
        return HostReport(NAME, rows, counts_tokens=True, stand_in=True, fits=self._fits)

    def cancel(self) -> None:
        """End the turn that runs."""
        self._stopped.set()

    def running(self, turn: str) -> bool | None:
        """Its own turns it knows; of those of other processes it can tell nothing."""
        if turn and turn == self._turn:
            return True
        return False if turn in self._ended else None

    def work(self, order: Order) -> Usage:
        """Carry one intent through. Raises Cancelled, and what the desk raises."""
        self._stopped.clear()
        self._turn = order.turn
        try:
            self._work(order)
        finally:
            self._turn = ""
            self._ended[order.turn] = None
            if len(self._ended) > _KEPT:
                self._ended.popitem(last=False)
        return Usage(0)

    def _work(self, order: Order) -> None:
        novel = order.desk.novel
        script = self._script(novel, order.reader)
        kind = order.intent.kind
        if kind in {WorkKind.OUTLINE_CREATE, WorkKind.OUTLINE_REVISE}:
            self._plan(order, novel, script)
        elif kind is WorkKind.WRITE_UNIT:
            self._write(order, script)
        elif kind is WorkKind.CHAPTER_COMPLETE:
            chapter = novel.chapter(order.intent.chapter or "")
            evidence = _EVIDENCE[script.cast.language].format(
                title=chapter.title, exit=chapter.exit or chapter.purpose, count=len(chapter.scenes)
            )
            order.desk.complete_chapter(chapter.id, novel.head.content_revision, evidence[:4_000], [])
        else:
            last = list(novel.chapters)[-1]
            ending = committed(novel.units_of(last)[-1])
            story = "" if novel.story is None else novel.story.ending
            order.desk.finish(
                novel.head.content_revision, novel.head.outline_revision, ending.id, story or ending.evidence
            )

    def _fits(self, novel: Novel, reader: Reader) -> None:
        """See that it can tell this novel, before anything is begun. Raises NovelCapability."""
        script = self._script(novel, reader)
        if not novel.chapters:
            Planner(script, novel, reader).fits()

    def _script(self, novel: Novel, reader: Reader) -> Script:
        name, language = novel.head.id, novel.config.language
        if language.lower().replace("_", "-").partition("-")[0] not in LANGUAGES:
            raise NovelCapability(
                f"the offline stand-in tells its tale in {' and '.join(LANGUAGES)} only",
                expected=list(LANGUAGES),
                found=language,
                ids=[name],
                recovery="Begin the novel in one of these, or have a model write it.",
            )
        if name not in self._scripts:
            self._scripts[name] = Script(Cast(self.seed, novel.config.language, reader))
            if len(self._scripts) > _KEPT:
                gone, _ = self._scripts.popitem(last=False)
                self._taken.pop(gone, None)
        return self._scripts[name]

    def _alive(self, order: Order) -> None:
        order.alive()
        if self._stopped.is_set():
            raise Cancelled("The turn was cancelled.", ids=[order.turn])

    # planning

    def _plan(self, order: Order, novel: Novel, script: Script) -> None:
        planner = Planner(script, novel, order.reader)
        against = planner.contradiction()
        self._alive(order)
        if against is not None:
            held, reason, source = against
            order.desk.block(held.id, reason, [source], novel.head.outline_revision)
            return
        if order.intent.kind is WorkKind.OUTLINE_CREATE:
            plan, outcomes, why = planner.create()
        elif order.intent.why is Why.REFINE:
            plan, outcomes, why = planner.refine()
        else:
            plan, outcomes, why = planner.instructed()

        def send(overrides: Sequence[FindingOverrideIn]) -> None:
            _sent(order, plan, outcomes, why, overrides)

        _overridden(send, script.cast)

    # writing

    def _write(self, order: Order, script: Script) -> None:
        desk, intent = order.desk, order.intent
        head = desk.novel.head
        moment, attempt = desk.claim(intent.id, intent.unit or "", head.outline_revision, head.watermark)
        novel = moment.novel
        unit = novel.unit(intent.unit or "")
        scene = next(item for item in novel.chapter(unit.chapter).scenes if item.id == unit.scene)
        take = script.find(scene.goal, novel)
        if take is None:  # a scene somebody else planned: the place tells of it
            take = Take(script.numbered("interlude", unit.number), 0)
        before = "\n".join(
            text
            for item in novel.units_of(unit.chapter)
            if item.scene == unit.scene
            for text in order.reader.paragraphs(committed(item).id)
        )
        pages = Pages(script, take, novel, unit, scene, before, self._read(novel, order.reader))
        most = min(unit.high, novel.config.unit_maximum)
        for number in range(_ATTEMPTS):
            self._alive(order)
            written = pages.write(most, number)
            try:
                weighed = desk.weigh(unit.id, attempt.token, written.paragraphs, written.content)
            except NovelLengthLimit as error:
                most = _shorter(error, most)
                continue
            wrong = [item for item in weighed.found if item.severity is not Severity.NOTE]
            if wrong and number < _ATTEMPTS - 1:
                continue
            if wrong:
                content = written.content.model_copy(update={"overrides": _overrides(wrong, script.cast)})
                weighed = desk.weigh(unit.id, attempt.token, written.paragraphs, content)
            self._alive(order)
            desk.commit(attempt.token, weighed)
            return
        raise NovelLengthLimit("the stand-in cannot tell the scene any shorter", found=most, ids=[unit.id])

    def _read(self, novel: Novel, reader: Reader) -> set[str]:
        """All sentences of a novel so far."""
        commits, texts = self._taken.setdefault(novel.head.id, (set(), set()))
        for name in novel.commits:
            if name not in commits:
                commits.add(name)
                texts.update(part for text in reader.paragraphs(name) for part in sentences(text))
        return texts


def _shorter(error: NovelLengthLimit, most: int) -> int:
    """What to try after prose was too long: less by what was over, and a half at the most."""
    over = error.details.get("over")
    return max(1, min(most // 2, most - over) if isinstance(over, int) and over < most else most // 2)


def _sent(
    order: Order, plan: Plan, outcomes: Sequence[OutcomeIn], why: str, overrides: Sequence[FindingOverrideIn]
) -> None:
    if order.intent.kind is WorkKind.OUTLINE_CREATE:
        order.desk.create_outline(plan, outcomes, why, overrides)
    else:
        order.desk.revise_outline(plan, outcomes, why, order.desk.novel.head.outline_revision, overrides)


def _overridden(send: Callable[[Sequence[FindingOverrideIn]], None], cast: Cast) -> None:
    """Send a plan, and over what guards found in it, where that may be, once more with a reason."""
    try:
        send(())
    except NovelFindings as error:
        found: list[dict[str, Any]] = error.details.get("findings", [])
        rules = [item["rule"] for item in found if item["severity"] == Severity.OVERRIDE.value]
        if len(rules) < sum(1 for item in found if item["severity"] != Severity.NOTE.value):
            raise
        reason = _REASON[cast.language]
        send([FindingOverrideIn(finding=rule, reason=reason) for rule in dict.fromkeys(rules)])


def _overrides(found: Sequence[Finding], cast: Cast) -> tuple[FindingOverrideIn, ...]:
    rules = dict.fromkeys(item.rule for item in found)
    return tuple(FindingOverrideIn(finding=rule, reason=_REASON[cast.language]) for rule in rules)
