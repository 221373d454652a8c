"""What a person decides on a proposal, linked to the tasks of the agents that worked on it."""

from __future__ import annotations

from typing import Protocol

from lantern_kit.kernel import activity_groups
from lantern_kit.kernel.engine import Connection


class Proposal(Protocol):
    """What is needed of a proposal."""

    @property
    def number(self) -> int:
        """12 of p12."""
        ...

    @property
    def id(self) -> str:
        """As people say it: p12."""
        ...

    @property
    def chapter(self) -> str:
        """The work."""
        ...

    @property
    def draft(self) -> int:
        """7 of d7."""
        ...

    @property
    def state(self) -> str:
        """How it stands now."""
        ...

    @property
    def frozen_at(self) -> int:
        """When it was frozen."""
        ...

    @property
    def decided_at(self) -> int | None:
        """When it was decided."""
        ...


def link_verdict(connection: Connection, proposal: Proposal) -> None:
    """Follow a proposal that was just decided, in the same transaction; what is kept or superseded changes no task."""
    match proposal.state:
        case "applied":
            _applied(connection, proposal)
        case "discarded":
            _discarded(connection, proposal)


def _applied(connection: Connection, proposal: Proposal) -> None:
    number, revision = connection.exec_driver_sql(
        "SELECT id, revision FROM snapshots WHERE proposal = ? ORDER BY id DESC LIMIT 1", (proposal.number,)
    ).one()
    activity_groups.decided(
        connection,
        "applied",
        at=proposal.decided_at or proposal.frozen_at,
        scope=proposal.chapter,
        draft=f"d{proposal.draft}",
        summary=f"{proposal.id} was applied and saved as s{number}",
        link=f"s{number}",
        snapshot=f"s{number}",
        revision=revision,
    )


def _discarded(connection: Connection, proposal: Proposal) -> None:
    draft = f"d{proposal.draft}"
    state = connection.exec_driver_sql("SELECT state FROM drafts WHERE id = ?", (proposal.draft,)).scalar()
    activity_groups.decided(
        connection,
        "discarded",
        at=proposal.decided_at or proposal.frozen_at,
        scope=proposal.chapter,
        draft=draft,
        summary=f"{proposal.id} was discarded" + (f"; {draft} stays open" if state == "open" else f" with {draft}"),
        link=proposal.id,
    )
