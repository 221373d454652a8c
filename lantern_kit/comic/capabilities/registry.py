"""All capabilities of comics, by name. The modules of the nouns fill it; importing the package loads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from lantern_kit.kernel.capability import (
    Call,
    Capabilities,
    Confirmation,
    Effect,
    Handler,
    Idempotency,
    Precondition,
    Risk,
    Scope,
)

CAPABILITIES = Capabilities()


def observes(
    name: str,
    *,
    summary: str,
    input: type[BaseModel],  # noqa: A002  the seed's own word for it
    output: type[BaseModel],
    applies_to: tuple[str, ...],
) -> Callable[[Handler], Handler]:
    """Register a capability that only reads: scope read, no risk, nothing to confirm, naturally idempotent."""
    return CAPABILITIES.capability(
        name,
        summary=summary,
        input=input,
        output=output,
        applies_to=applies_to,
        scope=Scope.READ,
        effect=Effect.OBSERVE,
        risk=Risk.LOW,
        confirmation=Confirmation.NONE,
        idempotency=Idempotency.NATURAL,
        precondition=Precondition.NONE,
    )


def changes_draft(
    name: str,
    *,
    summary: str,
    input: type[BaseModel],  # noqa: A002  the seed's own word for it
    output: type[BaseModel],
    applies_to: tuple[str, ...],
    effect: Effect = Effect.DIRECT_CHANGE,
    prepare: Callable[[Call], Any] | None = None,
) -> Callable[[Handler], Handler]:
    """Register a capability that carries a draft on from the revision that was seen: a person's verdict confirms it."""
    return CAPABILITIES.capability(
        name,
        summary=summary,
        input=input,
        output=output,
        applies_to=applies_to,
        scope=Scope.DRAFT,
        effect=effect,
        risk=Risk.LOW,
        confirmation=Confirmation.VERDICT,
        idempotency=Idempotency.KEY,
        precondition=Precondition.REVISION,
        prepare=prepare,
    )
