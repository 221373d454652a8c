"""Calls, as jobs make them: what they are handed, how they are named, what is kept of them."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from functools import partial
from typing import Any

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import Progress

_SHORT = 200
"""Characters of what a call gave that are shown."""


def handed(
    call: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any], report: Progress
) -> tuple[tuple[Any, ...], dict[str, Any], bool]:
    """Arguments with the job's report among them, and whether the call takes one.

    Raises BadInput when they do not fit the call.
    """
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):  # some that are written in C do not say
        return args, kwargs, False
    wanted = signature.parameters.get("progress")
    takes = wanted is not None and wanted.kind not in {wanted.VAR_POSITIONAL, wanted.VAR_KEYWORD}
    try:
        given = signature.bind_partial(*args, **kwargs)
        if takes and "progress" in given.arguments:
            given.arguments["progress"] = _both(report, given.arguments["progress"])
            args, kwargs = given.args, given.kwargs
        elif takes:
            kwargs = {**kwargs, "progress": report}
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise BadInput(f"{name} does not take these arguments: {error}", expected=f"{name}{signature}") from error
    return args, kwargs, takes


def _both(report: Progress, own: Progress | None) -> Progress:
    """The job's report, and the caller's own."""
    if own is None:
        return report

    def both(what: str, done: int, total: int) -> None:
        own(what, done, total)
        report(what, done, total)

    return both


def name_of(call: Callable[..., Any]) -> str:
    """What a call is named, without its folders: export."""
    while isinstance(call, partial):
        call = call.func
    name = str(getattr(call, "__name__", type(call).__name__))
    return "the call" if name == "<lambda>" else name


def short(value: Any) -> str:
    """What a call gave, on a line."""
    if value is None:
        return ""
    words = " ".join(repr(value).split())
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"


def said(error: BaseException) -> str:
    """What an error says, on a line, without this machine's folders."""
    words = (error.strerror or "") if isinstance(error, OSError) else str(error).strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def let_go(error: BaseException) -> None:
    """Free what the frames of a call held, in every error of the chain: a job may stay in a notebook for days."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        traceback.clear_frames(link.__traceback__)
        link = link.__cause__ or link.__context__
