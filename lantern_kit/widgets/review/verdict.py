"""A verdict as a browser asks for it, and how it is given: once, by a person's key, on a workspace that is sound."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pydantic import Field

from lantern_kit.comic.approvals import ApplyMode, Verdict
from lantern_kit.comic.choices import MOST
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.proposal import Decided, Review, require_seen, require_undecided
from lantern_kit.comic.proposals import REASON, ProposalService
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import BadInput, Corrupt
from lantern_kit.kernel.report import Report
from lantern_kit.kernel.wording import said
from lantern_kit.widgets.asks import Args, Ask
from lantern_kit.widgets.review.unlocking import Unlocked, Unlocking

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

TOLD = 20
"""Damages that are told."""
_STEPS: Mapping[str, tuple[str, str]] = {
    "unlock": ("Unlocking {name}'s key", "正在解锁 {name} 的密钥"),
    "check": ("Checking the workspace: {what}", "正在检查工作区：{what}"),
    "compare": ("Comparing with the work", "正在与作品比较"),
    "apply": ("Applying, signing and saving", "正在应用、签署并保存"),
    "keep": ("Signing", "正在签署"),
    "discard": ("Signing", "正在签署"),
}
_KINDS = {
    "document": "文档",
    "revision": "修订",
    "change": "改动",
    "line": "线",
    "blob": "图片文件",
    "asset": "素材",
    "approval": "裁决",
    "key": "密钥",
    "proposal": "提案",
    "draft": "草稿",
    "snapshot": "保存版本",
    "conflict": "冲突",
    "journal": "日志",
    "chapter": "话",
}
_BACKUP = "先保留整个文件夹的副本，再从备份恢复 journal.sqlite 和 blobs/。"
_REMEDIES = {
    "blob": "放回原图：从备份恢复 blobs/，或重新登记并放置该图片。",
    "asset": "从同一份备份恢复 journal.sqlite 和 blobs/，使两者一致。",
    "approval": "不要信赖这条裁决：与备份或已导出的凭证比对，然后重新裁决。",
    "key": "查明是谁写入之前，不要让任何人裁决：将 lantern keys 与各位裁决者所述比对。",
    "proposal": "不要依据它现在的内容裁决：与备份比对，或让草稿重新冻结。",
}
_WHAT = {"documents": "文档", "revisions": "修订", "trees": "文档树", "blobs": "图片", "assets": "素材"}


class VerdictArgs(Args):
    """What a person decided, and what they had before their eyes. The passphrase comes beside it, as bytes."""

    proposal: str = Field(max_length=40)
    verdict: Verdict
    compared: int
    """The revision of the work that was looked at."""
    seen: int = Field(ge=0)
    """How many verdicts the proposal had then."""
    mode: ApplyMode = ApplyMode.PLAIN
    reject: dict[str, str] = Field(default_factory=dict, max_length=20_000)
    reason: str = ""
    who: str = Field(max_length=200)
    """Whose key signs."""
    hold: bool = False
    """Keep the key unlocked afterwards."""
    ticket: str = Field(min_length=8, max_length=64)
    """Of one press of a button: a message that a front end sends twice decides once."""


def step(language: Language, name: str, /, **values: str) -> str:
    """What is being done, in words."""
    return _STEPS[name][language == "zh"].format(**values)


def checked(host: Workspace, ask: Ask[Any]) -> Report:
    """The check of the whole workspace, told while it runs."""

    def report(what: str, done: int, total: int) -> None:
        name = _WHAT.get(what, what) if ask.language == "zh" else what
        ask.progress(done, total, step(ask.language, "check", what=name))

    return host.verify(report)


def damages(report: Report, language: Language) -> list[dict[str, Any]]:
    """What a check found, as far as it is told; what is wrong stays in English, what to do about it is translated."""
    return [
        {
            "kind": _KINDS.get(item.kind, item.kind) if language == "zh" else item.kind,
            "id": item.id,
            "message": item.message,
            "where": item.place,
            "remedy": _REMEDIES.get(item.kind, _BACKUP) if language == "zh" else item.remedy,
        }
        for item in report.problems[:TOLD]
    ]


class Verdicts:
    """Gives verdicts in one workspace, one at a time.

    Args:
        host: the workspace.
        unlocking: the person's keys.
    """

    KEPT = 16

    def __init__(self, host: Workspace, unlocking: Unlocking) -> None:
        self._host = host
        self._unlocking = unlocking
        self._done: dict[str, dict[str, Any]] = {}

    def given(self, ticket: str) -> bool:
        """Whether the verdict of a press of a button was given."""
        return ticket in self._done

    def give(self, ask: Ask[VerdictArgs]) -> dict[str, Any]:
        """Decide, and say what came of it.

        Raises:
            NotAllowed: the passphrase is wrong, or the key may not decide.
            Corrupt: the workspace is damaged.
            StaleHead: the work moved on since it was compared.
            WrongState: it was decided meanwhile, or another verdict is being given.
            BadInput, Locked, MergeConflict, …: what ``ProposalService.apply`` raises.
        """
        with _one(self._host.journal):
            known = self._done.get(ask.args.ticket)
            if known is None:
                known = self._given(ask)
                self._done[ask.args.ticket] = known
                for old in list(self._done)[: -self.KEPT]:
                    self._done.pop(old)
            return known

    def _given(self, ask: Ask[VerdictArgs]) -> dict[str, Any]:
        args = ask.args
        passphrase = ask.buffers[0].decode(errors="replace") if ask.buffers else None
        _require_words(args, passphrase)
        ask.progress(0, 0, step(ask.language, "unlock", name=args.who))
        with self._unlocking.key(args.who, passphrase, hold=args.hold) as key:
            report = checked(self._host, ask)
            if not report.clean:
                raise Corrupt(
                    f"the workspace is damaged in {len(report.problems)} "
                    f"{'place' if len(report.problems) == 1 else 'places'}, so nothing is decided on it",
                    ids=[item.id for item in report.problems[:TOLD]],
                    recovery=report.problems[0].remedy,
                    details={"damages": damages(report, ask.language)},
                )
            ask.progress(0, 0, step(ask.language, "compare"))
            self._require_as_seen(self._host.proposal_service.review(args.proposal), args)
            ask.progress(0, 0, step(ask.language, args.verdict.value))
            decided = _decide(self._host.proposal_service, key, args)
        return {
            "verdict": decided.approval.id,
            "state": decided.proposal.state,
            "revision": "" if decided.revision is None else decided.revision.id,
            "saved": "" if decided.snapshot is None else decided.snapshot.id,
        }

    def _require_as_seen(self, review: Review, args: VerdictArgs) -> None:
        """Refuse what was decided, or what the work moved away from, since the person looked."""
        found = review.proposal
        require_undecided(found)
        require_seen(found, review.approvals, args.seen)
        if review.current.revision.number != args.compared:
            with self._host.journal.read() as connection:
                raise self._host.history.stale(connection, found.chapter, args.compared, review.current.revision)


def _decide(service: ProposalService, key: Unlocked, args: VerdictArgs) -> Decided:
    """Decide on what was seen; whoever was faster, in whatever process, is found inside the transaction."""
    name, compared, reason, seen = args.proposal, args.compared, args.reason, args.seen
    if args.verdict is Verdict.APPLY:
        return service.apply(name, key, compared=compared, mode=args.mode, reason=reason, reject=args.reject, seen=seen)
    if args.verdict is Verdict.KEEP:
        return service.keep(name, key, compared=compared, reason=reason, seen=seen)
    return service.discard(name, key, compared=compared, reason=reason, seen=seen)


def _require_words(args: VerdictArgs, passphrase: str | None) -> None:
    """Refuse words that cannot be kept, or must not be, before anything else is done. Raises BadInput."""
    if passphrase and any(passphrase in reason for reason in (args.reason, *args.reject.values())):
        raise BadInput(
            "the passphrase stands in a reason too, where everybody would read it",
            expected="a reason without it",
            recovery="Take it out of the reason; nothing was changed or kept.",
        )
    said(args.reason, "a reason", longest=REASON, empty=args.verdict is not Verdict.DISCARD)
    for reason in args.reject.values():
        said(reason, "a reason", longest=MOST)


_lock = threading.Lock()
_turns: WeakKeyDictionary[Journal, threading.Lock] = WeakKeyDictionary()


def _one(journal: Journal) -> threading.Lock:
    """The turn of whoever decides in a workspace in this process; others wait for it, then find what was decided."""
    with _lock:
        return _turns.setdefault(journal, threading.Lock())
