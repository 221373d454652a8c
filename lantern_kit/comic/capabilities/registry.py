"""All capabilities of comics, by name. The modules of the nouns fill it; importing the package loads them."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel

from lantern_kit.kernel.capability import (
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
