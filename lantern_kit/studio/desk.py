"""What lies on the table of a review: the proposal that is meant, what else waits, and what to do when nothing does."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import LanternError
from lantern_kit.studio.request import Request, request_of

if TYPE_CHECKING:
    from lantern_kit.comic.proposal import Proposal
    from lantern_kit.comic.work.proposal import ProposalWork
    from lantern_kit.workspace import Workspace

SHOWN = 12
"""Proposals that are listed beside the one on the table."""
WORDS = {
    "en": {
        "by": "by {actor} · changes: {changes} · pages: {units} · frozen {at}",
        "pending": "waits for you",
        "kept": "kept for later",
        "applied": "applied",
        "discarded": "discarded",
        "superseded": "superseded by a newer one",
        "also": "Also waiting:",
        "others": "Waiting for you:",
        "more": "and {count} more",
        "nothing": "Nothing waits for a verdict",
        "ask": "An agent proposes by freezing its draft. To let one work here, in a terminal: "
        "<code>lantern connect claude-code</code> (or codex, gemini, vscode), then ask it for a page.",
        "again": "Look again",
        "run": "Run this cell again to look again.",
        "last": "Decided last:",
        "open": 'lk.ProposalReview(ws.proposals["{id}"]) shows another.',
        "do": "What to do:",
    },
    "zh": {
        "by": "由 {actor} 提出 · 改动：{changes} · 页面：{units} · 冻结于 {at}",
        "pending": "等你裁决",
        "kept": "已暂留",
        "applied": "已采用",
        "discarded": "已放弃",
        "superseded": "已被更新的提案取代",
        "also": "另有等待裁决的：",
        "others": "等你裁决的：",
        "more": "还有 {count} 个",
        "nothing": "没有提案等待裁决",
        "ask": "智能体冻结草稿后就成为提案。让智能体在此工作，请在终端里运行："
        "<code>lantern connect claude-code</code>（或 codex、gemini、vscode），然后请它画一页。",
        "again": "再看一次",
        "run": "再次运行此单元格即可重新查看。",
        "last": "最近裁决的：",
        "open": 'lk.ProposalReview(ws.proposals["{id}"]) 可查看另一个。',
        "do": "怎么办：",
    },
}


class Desk:
    """One proposal on the table.

    Args:
        workspace: where to look.
        request: what was asked for; None reads it from the address of the app, if there is one.

    ``proposal`` is the one asked for (``?proposal=p2``), else the newest that waits; None when there is none.
    """

    def __init__(self, workspace: Workspace, request: Request | None = None) -> None:
        self.request = request_of() if request is None else request
        self.proposal: ProposalWork | None = None
        self._words = WORDS[self.request.language]
        self._refused: LanternError | None = None
        known = workspace.proposal_service.all()
        self._waiting = [item for item in known if item.undecided]
        self._last = max((item for item in known if item.decided_at), key=_decided, default=None)
        wanted = self.request.proposal or (self._waiting[0].id if self._waiting else "")
        try:
            self.proposal = workspace.proposals[wanted] if wanted else None
        except LanternError as error:
            self._refused = error
        self._facts = None if self.proposal is None else self.proposal.facts
        self._beside = [item for item in self._waiting if self._facts is None or item.id != self._facts.id]

    @property
    def waiting(self) -> list[str]:
        """The proposals that wait for a verdict, newest first."""
        return [item.id for item in self._waiting]

    def __repr__(self) -> str:
        if self._facts is not None:
            lines = [f"{self._facts.id} ({self._words[self._facts.state]}): {self._facts.summary}"]
            lines.append(self._by(self._facts))
        elif self._refused is not None:
            lines = [self._refused.message, f"{self._words['do']} {self._refused.recovery}"]
        else:
            lines = [self._words["nothing"]]
        if self._beside:
            lines += [self._also(), *(f"  {item.id}: {item.summary}" for item in self._beside[:SHOWN])]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html()}

    def html(self) -> str:
        """The head of a review page."""
        if self._facts is not None:
            head = self._head(self._facts)
        elif self._refused is not None:
            head = self._refusal(self._refused)
        else:
            head = self._nothing()
        return (
            f'<section lang="{self.request.language}" data-testid="review-desk" '
            'style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;max-width:70em">'
            f"{head}{self._others()}</section>"
        )

    def _head(self, facts: Proposal) -> str:
        mark = (
            '<span style="font-size:13px;border:1px solid currentColor;border-radius:9px;padding:1px 8px;'
            f'margin-right:8px;opacity:.8;white-space:nowrap">{facts.id} · {self._words[facts.state]}</span>'
        )
        return _line(f"{mark}{_large(facts.summary)}") + _line(escape(self._by(facts)), faint=True)

    def _refusal(self, error: LanternError) -> str:
        inside = _line(_large(error.message)) + _line(escape(error.recovery))
        return f'<div role="alert" style="border-left:4px solid #d97706;padding-left:10px">{inside}</div>'

    def _nothing(self) -> str:
        again = f'<a href="?">{self._words["again"]}</a>' if self.request.app else self._words["run"]
        lines = [_large(self._words["nothing"]), self._words["ask"], again]
        if self._last is not None:
            state = self._words[self._last.state]
            lines.append(f"{self._words['last']} {self._named(self._last)} ({state})")
        return "".join(map(_line, lines))

    def _others(self) -> str:
        if not self._beside:
            return ""
        items = [self._named(item) for item in self._beside[:SHOWN]]
        if len(self._beside) > SHOWN:
            items.append(self._words["more"].format(count=len(self._beside) - SHOWN))
        listed = "".join(f"<li>{item}</li>" for item in items)
        hint = "" if self.request.app else _line(escape(self._words["open"].format(id=self._beside[0].id)), faint=True)
        return _line(self._also()) + f'<ul style="margin:0 0 8px;padding-left:22px">{listed}</ul>{hint}'

    def _named(self, facts: Proposal) -> str:
        said = escape(f"{facts.id} · {facts.summary}")
        return f'<a href="{escape(self.request.link(facts.id))}">{said}</a>' if self.request.app else said

    def _by(self, facts: Proposal) -> str:
        at = f"{stamp(facts.frozen_at)[:16].replace('T', ' ')} UTC"
        return self._words["by"].format(actor=facts.actor, changes=facts.changes, units=len(facts.units), at=at)

    def _also(self) -> str:
        return self._words["others" if self._facts is None else "also"]


def _decided(facts: Proposal) -> int:
    return facts.decided_at or 0


def _large(text: str) -> str:
    return f'<strong style="font-size:19px">{escape(text)}</strong>'


def _line(html: str, *, faint: bool = False) -> str:
    return f'<p style="margin:0 0 6px{";opacity:.75" if faint else ""}">{html}</p>'
