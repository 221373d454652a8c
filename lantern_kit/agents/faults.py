"""What can go wrong between an agent and a model: refused, busy, or not understood."""

from __future__ import annotations

from typing import ClassVar

from lantern_kit.kernel.errors import LanternError, MissingDependency


class ModelRefused(LanternError):
    """The model's server will not do this, however often it is asked: a wrong key, model or request."""

    code: ClassVar[str] = "model_refused"
    default_recovery: ClassVar[str] = "Check the model's name, its address and the key."


class ModelBusy(LanternError):
    """The model's server did not answer this time: too many requests, a fault of its own, or no answer in time."""

    code: ClassVar[str] = "model_busy"
    retryable: ClassVar[bool] = True
    default_recovery: ClassVar[str] = "Try again later; nothing was done."


class ModelGarbled(LanternError):
    """The model's server answered with something that cannot be read."""

    code: ClassVar[str] = "model_garbled"
    retryable: ClassVar[bool] = True
    default_recovery: ClassVar[str] = "Try again, or use another model; nothing was done."


def missing() -> MissingDependency:
    """What agents need is not installed."""
    return MissingDependency(
        "what agents need is not installed", recovery="Install it with: pip install 'lantern-kit[agents]'"
    )
