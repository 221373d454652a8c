"""Verdicts taken out of a workspace as files that stand by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lantern_kit.comic.approvals import Approval, objection
from lantern_kit.comic.certificate import certificate
from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.proposal import Review
from lantern_kit.comic.words import unit_titles
from lantern_kit.kernel.errors import Corrupt, NotFound
from lantern_kit.kernel.progress import Progress, reporting, steps

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

DPI = 150
"""Of the pictures whose hashes are kept."""


def make_certificate(host: Host, review: Review, verdict: str | None, *, pages: bool) -> str:
    """A verdict on a reviewed proposal as the text of a file. Raises NotFound, Corrupt when it does not hold."""
    known = {item.id: item for item in review.approvals}
    if not known or (verdict is not None and verdict not in known):
        raise NotFound(
            f"there is no verdict {verdict} on {review.proposal.id}"
            if verdict
            else f"{review.proposal.id} has no verdict",
            expected=list(known),
            ids=[review.proposal.id],
            recovery="Decide on it first." if not known else "Name one of its verdicts.",
        )
    chosen = review.approvals[-1] if verdict is None else known[verdict]
    workspace = host.proposal_service.workspace
    with host.comics.journal.read() as connection:
        chain = read_keychain(connection)
    key = chain.get(chosen.key)
    against = objection(chosen, workspace, chain)
    if key is None or against:
        raise Corrupt(f"{chosen.id} does not hold: {against}", ids=[chosen.id, review.proposal.id])
    words = [(unit.title, unit.sentences) for unit in review.words]
    with reporting(None, "Drawing") as tell:
        drawn = list(_pages(host, chosen, review.proposal.units, tell)) if pages else []
    return certificate(chosen, workspace, key, words=words, pages=drawn)


def _pages(host: Host, approval: Approval, units: tuple[str, ...], tell: Progress) -> Iterator[tuple[str, str, bytes]]:
    """The touched units as the verdict left them."""
    book = host.comics.at(approval.compared if approval.result is None else approval.result).book
    titles = unit_titles(book)
    for unit in steps(units, tell, lambda unit: titles.get(unit, unit)):
        if unit in book:
            drawn = host.renderer.render(book.unit(unit), book.chapter, dpi=DPI)
            yield unit, titles[unit], drawn.png(fast=False)
