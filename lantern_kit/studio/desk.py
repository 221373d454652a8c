"""What lies on the table of a review: the proposal that is meant, what else waits, and what to do when nothing does."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.kernel.errors import LanternError
from lantern_kit.studio.request import Request, request_of
from lantern_kit.widgets.turning import unturned

if TYPE_CHECKING:
    from lantern_kit.comic.proposal import Proposal
    from lantern_kit.comic.work.proposal import ProposalWork
    from lantern_kit.workspace import Workspace

SHOWN = 12
"""Proposals that are listed beside the one on the table."""
WORDS = {
    "en": {
        "pending": "waits for you",
        "kept": "kept for later",
        "applied": "applied",
        "discarded": "discarded",
        "superseded": "superseded by a newer one",
        "table": "On the table:",
        "waiting": "Waiting for you:",
        "alone": "{id} is on the table; nothing else waits for you.",
        "more": "and {count} more",
        "nothing": "Nothing waits for a verdict",
        "ask": "An agent proposes by freezing its draft. To let one work here, in a terminal: "
        "<code>lantern connect claude-code</code> (or codex, gemini, vscode), then ask it for a page.",
        "again": "Look again",
        "run": "Run this cell again to look again.",
        "last": "Decided last:",
        "open": 'lk.ProposalReview(ws.proposals["{id}"]) shows another.',
        "missed": "There is no proposal {name} here",
    },
    "zh": {
        "pending": "等你裁决",
        "kept": "已暂留",
        "applied": "已应用",
        "discarded": "已拒绝",
        "superseded": "已被更新的提案取代",
        "table": "正在审阅：",
        "waiting": "等你裁决的：",
        "alone": "正在审阅 {id}；没有其他提案等你裁决。",
        "more": "还有 {count} 个",
        "nothing": "没有提案等待裁决",
        "ask": "智能体冻结草稿后就成为提案。让智能体在此工作，请在终端里运行："
        "<code>lantern connect claude-code</code>（或 codex、gemini、vscode），然后请它画一页。",
        "again": "再看一次",
        "run": "再次运行此单元格即可重新查看。",
        "last": "最近裁决的：",
        "open": 'lk.ProposalReview(ws.proposals["{id}"]) 可查看另一个。',
        "missed": "这里没有提案 {name}",
    },
}
_CHIP = (
    "display:inline-block;font-size:13px;border:1px solid currentColor;border-radius:12px;padding:1px 10px;"
    "margin:0 6px 6px 0;max-width:26em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:middle"
)


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
        known = workspace.proposal_service.all()
        self._waiting = [item for item in known if item.undecided]
        self._last = max((item for item in known if item.decided_at), key=_decided, default=None)
        wanted = self.request.proposal or (self._waiting[0].id if self._waiting else "")
        with suppress(LanternError):  # that it is not there is said below
            self.proposal = workspace.proposals[wanted] if wanted else None
        self._missed = wanted if self.proposal is None else ""
        self._facts = None if self.proposal is None else self.proposal.facts
        self._beside = [item for item in self._waiting if self._facts is None or item.id != self._facts.id]

    @property
    def waiting(self) -> list[str]:
        """The proposals that wait for a verdict, newest first."""
        return [item.id for item in self._waiting]

    def __repr__(self) -> str:
        if self._facts is not None:
            said = f"{self._facts.id} ({self._words[self._facts.state]}): {self._facts.summary}"
            lines = [f"{self._words['table']} {said}"]
        else:
            missed = [self._words["missed"].format(name=self._missed)] if self._missed else []
            lines = missed if self._beside else [*missed, self._words["nothing"]]
        if self._beside:
            lines += [self._words["waiting"], *(f"  {item.id}: {item.summary}" for item in self._beside[:SHOWN])]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": unturned(repr(self)), "text/html": unturned(self.html())}

    def html(self) -> str:
        """The head of a review page: what else waits, or why there is nothing to see and what to do."""
        missed = _line(_large(self._words["missed"].format(name=self._missed)), role="alert") if self._missed else ""
        head = missed + (self._nothing() if self._facts is None and not self._beside else "")
        return (
            f'<section lang="{self.request.language}" data-testid="review-desk" '
            'style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;max-width:70em">'
            f"{head}{self._line_up()}</section>"
        )

    def _nothing(self) -> str:
        again = f'<a href="?">{self._words["again"]}</a>' if self.request.app else self._words["run"]
        lines = [_large(self._words["nothing"]), self._words["ask"], again]
        if self._last is not None:
            state = self._words[self._last.state]
            lines.append(f"{self._words['last']} {self._chip(self._last)} ({state})")
        return "".join(map(_line, lines))

    def _line_up(self) -> str:
        """All that waits, in a line, with the one on the table marked."""
        if not self._beside:
            return "" if self._facts is None else _line(self._words["alone"].format(id=self._facts.id), faint=True)
        facts = self._facts
        chips = [self._chip(facts, here=True)] if facts is not None and facts.undecided else []
        chips += [self._chip(item) for item in self._beside[:SHOWN]]
        if len(self._beside) > SHOWN:
            chips.append(self._words["more"].format(count=len(self._beside) - SHOWN))
        hint = "" if self.request.app else _line(escape(self._words["open"].format(id=self._beside[0].id)), faint=True)
        name = self._words["waiting"]
        return f'<nav aria-label="{name}">{_line(f"{name} " + "".join(chips))}</nav>{hint}'

    def _chip(self, facts: Proposal, *, here: bool = False) -> str:
        said = escape(f"{facts.id} · {facts.summary}")
        if here:
            return f'<strong aria-current="page" style="{_CHIP};background:#1f4fbf22">{said}</strong>'
        if self.request.app:
            return f'<a href="{escape(self.request.link(facts.id))}" style="{_CHIP}">{said}</a>'
        return f'<span style="{_CHIP}">{said}</span>'


def _decided(facts: Proposal) -> int:
    return facts.decided_at or 0


def _large(text: str) -> str:
    return f'<strong style="font-size:19px">{escape(text)}</strong>'


def _line(html: str, *, faint: bool = False, role: str = "") -> str:
    named = f' role="{role}"' if role else ""
    return f'<p{named} style="margin:0 0 6px{";opacity:.75" if faint else ""}">{html}</p>'
