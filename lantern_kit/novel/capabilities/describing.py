"""``shape.describe``: what the larger arguments hold, and the guides of the author's craft."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Out
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import NotFound, nearest
from lantern_kit.kernel.schema import flat_schema
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.shapes import SHAPES
from lantern_kit.skills import skills, title


class DescribeIn(In):
    """What to describe."""

    name: Annotated[str, Field(max_length=60, description="an argument or a guide; none: list them")] = ""


class DescribeOut(Out):
    """A list, a schema or a guide."""

    arguments: list[str] | None = None
    guides: dict[str, str] | None = None
    argument: dict[str, Any] | None = None
    guide: str | None = None


@observes(
    "shape.describe",
    summary="The exact shape of plan, outcomes, scene, facts and overrides; and the guides.",
    input=DescribeIn,
    output=DescribeOut,
)
def describe(call: Call) -> Reply:
    """Carry it out."""
    name, guides = call.args.name, texts()
    if not name:
        titles = {key: title(text) for key, text in guides.items()}
        return Reply(DescribeOut(arguments=list(SHAPES), guides=titles).facts(), summary="list of shapes")
    if name in SHAPES:
        return Reply(DescribeOut(argument=flat_schema(SHAPES[name])).facts(), summary=f"shape {name}")
    if name not in guides:
        close = nearest(name, [*SHAPES, *guides])
        raise NotFound(
            f"{name[:40]} is neither an argument nor a guide",
            expected=[*SHAPES, *guides],
            recovery=f"nearest: {', '.join(close)}" if close else "describe without a name lists them.",
        )
    return Reply(DescribeOut(guide=guides[name]).facts(), summary=f"guide {name}")


def texts() -> dict[str, str]:
    """The author's guides by name, the whole craft first."""
    return {
        name: text
        for skill in skills("novel").values()
        for name, text in [(skill.name, skill.body), *skill.references.items()]
    }
