"""``layout.propose``: units laid out by a template, or anew, as a candidate to look at before it is adopted."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.capabilities.answer import DraftRef, Expected, In, Key
from lantern_kit.comic.capabilities.candidates import ProposeOut, keep
from lantern_kit.comic.capabilities.place import unit_names
from lantern_kit.comic.capabilities.registry import changes_draft
from lantern_kit.comic.capabilities.services import services
from lantern_kit.comic.edit.changeset import MOST
from lantern_kit.comic.measure import counted
from lantern_kit.comic.planning import Planned
from lantern_kit.kernel.capability import (
    Call,
    Effect,
    Reply,
)
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.revision import revision_number

REFLOW = "reflow"
"""The layout that is none of the templates: what is beside and above what stays."""


class LayoutIn(In):
    """Which units, and how they are laid out."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    units: Annotated[list[str], Field(min_length=1, max_length=MOST, description="propose_layout: handles, or places")]
    layout: Annotated[str, Field(min_length=1, max_length=120, description="propose_layout: template, unit or reflow")]
    weights: list[float] | None = Field(None, max_length=80, description="sizes of frames, as read; 1: usual")
    gutter: float | None = Field(None, description="mm beside each other")
    rows: float | None = Field(None, description="mm above each other")
    most: int | None = Field(None, description="reflow: frames a unit; more go on to the next of units")


def _operations(call: Call, connection: Connection | None = None) -> list[dict[str, Any]]:
    """The change set that lays the units out; places are those of the revision that was seen. Raises BadInput."""
    args, comics = call.args, services(call).comics
    units = unit_names(args.units, lambda: comics.at(revision_number(args.expected_revision), connection).book)
    given = {"weights": args.weights, "gutter": args.gutter, "rows": args.rows}
    facts: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if args.layout != REFLOW:
        if args.most is not None:
            raise BadInput("most: frames flow from unit to unit in a reflow only", expected=f"layout {REFLOW}")
        facts["like" if args.layout.startswith("un_") else "template"] = args.layout
        return [{"op": "layout.apply", "target": unit, "args": facts} for unit in units]
    if args.most is None and args.weights is None:
        return [{"op": "layout.reflow", "target": unit, "args": facts} for unit in units]
    first, *over = units
    facts |= {"over": over} if over else {}
    facts |= {} if args.most is None else {"most": args.most}
    return [{"op": "layout.reflow", "target": first, "args": facts}]


def _plan(call: Call) -> Planned:
    args = call.args
    return services(call).candidates.plan(args.draft, revision_number(args.expected_revision), _operations(call))


@changes_draft(
    "layout.propose",
    summary="Lay units out by a template, or anew, as a candidate beside the draft; all in the frames goes along.",
    input=LayoutIn,
    output=ProposeOut,
    applies_to=("unit",),
    effect=Effect.CANDIDATE,
    prepare=_plan,
)
def propose_layout(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    return keep(
        call, _operations(call, call.transaction), f"layout {args.layout} of {counted(len(args.units), 'unit')}"
    )
