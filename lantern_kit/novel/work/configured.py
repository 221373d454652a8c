"""A person's words as a whole configuration: what they left out is what forms propose (seed 004, 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel.errors import BadInput, UnknownKey, nearest
from lantern_kit.kernel.problems import refused
from lantern_kit.novel.model import (
    MILLION,
    PRESET_LIMITS,
    PRESET_SHARES,
    Approval,
    Config,
    Length,
    Limits,
    Record,
    Shares,
    Target,
    Unbounded,
)
from lantern_kit.novel.whole import changed

LANGUAGE, GENRE, VIEW, STYLE = "en", "", "", ""
UNIT_MAXIMUM = 6_000
TOLERANCE = 0.15
"""What forms propose; the kernel of novels itself presumes nothing."""
T = TypeVar("T", bound=Record)


def configured(
    *,
    language: str,
    genre: str,
    view: str,
    style: str,
    approval: str,
    length: int | None,
    tolerance: float,
    hard_maximum: int | None,
    chapters: int | None,
    unit_maximum: int,
    limits: Mapping[str, Any],
) -> Config:
    """The configuration to begin a novel with. Raises BadInput, UnknownKey."""
    with words(Config):
        return Config(
            language=language.strip(),
            genre=genre.strip(),
            view=view.strip(),
            style=style.strip(),
            approval=approved_by(approval),
            length=aimed(length, tolerance, hard_maximum),
            chapters=chapters,
            unit_maximum=unit_maximum,
            shares=PRESET_SHARES,
            limits=limited(PRESET_LIMITS, limits),
            count_policy=1,
        )


def aimed(length: int | None, tolerance: float, hard_maximum: int | None) -> Length:
    """A length to aim at, in effective characters; None: none. Raises BadInput."""
    if length is None:
        if hard_maximum is not None:
            raise BadInput("a hard maximum goes with a length to aim at", recovery="Give a length too.")
        return Unbounded(kind="unbounded")
    if not 0 <= tolerance < 1:
        raise BadInput("tolerance is a part of the length", expected="from 0 to less than 1", found=tolerance)
    with words(Target, "length"):
        return Target(kind="target", characters=length, tolerance=round(tolerance * MILLION), hard_maximum=hard_maximum)


def limited(held: Limits, changes: Mapping[str, Any]) -> Limits:
    """Limits with some of them changed; ``retries`` and ``deductions`` are mappings of what changes in them.

    Raises BadInput, UnknownKey.
    """
    given = dict(changes)
    for name, part in (("retries", held.retries), ("deductions", held.deductions)):
        if isinstance(given.get(name), Mapping):
            given[name] = _with(part, given[name], f"limits.{name}")
    return _with(held, given, "limits")


def shared(held: Shares, changes: Mapping[str, float]) -> Shares:
    """Shares with some of them changed, given as parts of one. Raises BadInput, UnknownKey."""
    return _with(held, {name: round(value * MILLION) for name, value in changes.items()}, "shares")


def _with(held: T, changes: Mapping[str, Any], what: str) -> T:
    for name in changes:
        if name not in type(held).model_fields:
            close = nearest(name, type(held).model_fields)
            raise UnknownKey(
                f"{what}.{name[:40]} is no limit" if "limits" in what else f"{what}.{name[:40]} is none",
                expected=list(type(held).model_fields),
                recovery=f"nearest: {', '.join(close)}" if close else None,
            )
    with words(type(held), what):
        return changed(held, **changes)


def approved_by(given: str) -> Approval:
    """A way of approving by its name. Raises BadInput."""
    try:
        return Approval(given)
    except ValueError as error:
        raise BadInput(
            "that is no way of approving", expected=[item.value for item in Approval], found=str(given)[:40]
        ) from error


@contextmanager
def words(model: type[BaseModel], root: str = "") -> Iterator[None]:
    """Raise what a model refuses as BadInput."""
    try:
        yield
    except ValidationError as error:
        told = refused(error, model, root=root)
        told.message = told.message.removeprefix("all: ")
        raise told from error
    except BadInput as error:
        error.message = error.message.removeprefix("all: ")  # a rule about several fields says itself which
        raise
