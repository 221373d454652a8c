"""What authors send of many parts: named by ``describe``, too large for a list of tools, and checked here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from lantern_kit.kernel.problems import refused
from lantern_kit.novel.content import Content, Facts, ProgressIn
from lantern_kit.novel.plan import FindingOverrideIn, OutcomeIn, Plan

SHAPES: Mapping[str, type[BaseModel]] = {
    "plan": Plan,
    "outcomes": OutcomeIn,
    "scene": ProgressIn,
    "facts": Facts,
    "overrides": FindingOverrideIn,
}
"""By the name of the argument."""
_Shape = TypeVar("_Shape", bound=BaseModel)

PlanArg = Annotated[dict[str, Any], Field(description="describe plan")]
OutcomesArg = Annotated[
    list[dict[str, Any]],
    Field(max_length=500, description="for each next instruction {instruction, result: applied|superseded, note}"),
]
SceneArg = Annotated[dict[str, Any], Field(description="{done, evidence}, or {done: false, remaining, anchor}")]
FactsArg = Annotated[dict[str, Any], Field(description="what became true, each with its paragraph; describe facts")]
OverridesArg = Annotated[
    list[dict[str, Any]], Field(max_length=20, description="over findings: {finding: rule, reason}")
]


def read_as(name: str, value: Any) -> Any:
    """A value as what its argument is called. Raises BadInput, UnknownKey."""
    return _read(SHAPES[name], value, name)


def read_all(name: str, values: Sequence[Any]) -> list[Any]:
    """Each of some values as what their argument is called. Raises BadInput, UnknownKey."""
    return [_read(SHAPES[name], value, f"{name}.{place}") for place, value in enumerate(values, start=1)]


def content(scene: Any, facts: Any, overrides: Sequence[Any]) -> Content:
    """All that a commit says beside its prose. Raises BadInput, UnknownKey."""
    return Content(
        scene=read_as("scene", scene), facts=read_as("facts", facts), overrides=tuple(read_all("overrides", overrides))
    )


def _read(model: type[_Shape], value: Any, root: str) -> _Shape:
    # By the models' own strictness, unlike ``sent``: a paragraph is a whole number, and never true.
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise refused(error, model, root=root) from None
