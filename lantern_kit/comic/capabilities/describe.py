"""``operation.describe``: the operations, the exact arguments of any of them, and short guides."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.capabilities.answer import In, Out, cut
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.comic.measure import counted
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import NotFound, nearest
from lantern_kit.kernel.operation import Operation
from lantern_kit.kernel.schema import flat_schema
from lantern_kit.skills import guides, title


class DescribeIn(In):
    """What to describe."""

    operations: Annotated[
        list[str], Field(max_length=25, description="their exact argument schemas; absent: list all")
    ] = Field(default_factory=list)
    guide: Annotated[str, Field(max_length=40, description="one of the guides that the list names")] = ""


class DescribeOut(Out):
    """Operations or a guide."""

    operations: list[dict[str, Any]] | None = None
    guides: dict[str, str] | None = None
    guide: str | None = None
    left_out: list[str] | None = None


@observes(
    "operation.describe",
    summary="The operations that edit takes, the exact argument schema of any, and short guides.",
    input=DescribeIn,
    output=DescribeOut,
    applies_to=("operation",),
)
def describe(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    if args.guide:
        return Reply(DescribeOut(guide=_guide(args.guide)).facts(), summary=f"guide {args.guide}")
    if args.operations:
        wanted = [OPERATIONS.get(name) for name in dict.fromkeys(args.operations)]
        shown, more = cut(_whole(item) for item in wanted)
        left = None if more is None else [item.name for item in wanted[more - 1 :]]
        return Reply(DescribeOut(operations=shown, left_out=left).facts(), summary=counted(len(shown), "operation"))
    listed = [{"op": item.name, "target": " ".join(item.target), "does": item.summary} for item in OPERATIONS]
    titles = {name: title(guide) for name, guide in guides().items()}
    return Reply(DescribeOut(operations=listed, guides=titles).facts(), summary="list of operations")


def _whole(operation: Operation) -> dict[str, Any]:
    schema = flat_schema(operation.args)
    facts: dict[str, Any] = {"op": operation.name, "target": list(operation.target), "does": operation.summary}
    facts["args"] = {"properties": schema.get("properties", {}), "required": schema.get("required", [])}
    return facts


def _guide(name: str) -> str:
    found = guides().get(name)
    if found is None:
        close = nearest(name, guides())
        raise NotFound(
            f"{name[:40]} is not a guide",
            expected=list(guides()),
            recovery=f"nearest: {', '.join(close)}" if close else "describe without arguments lists them.",
        )
    return found
