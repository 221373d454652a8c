"""All capabilities of novels, by name. The modules of the nouns fill it; importing the package loads them.

The novel is bound where they are wired: no argument names it, so that none reaches another one (seed 004, 4.2, 15).
"""

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
) -> Callable[[Handler], Handler]:
    """Register a capability that only reads."""
    return CAPABILITIES.capability(
        name,
        summary=summary,
        input=input,
        output=output,
        applies_to=("novel",),
        scope=Scope.READ,
        effect=Effect.OBSERVE,
        risk=Risk.LOW,
        confirmation=Confirmation.NONE,
        idempotency=Idempotency.NATURAL,
        precondition=Precondition.NONE,
    )


def authors(
    name: str,
    *,
    summary: str,
    input: type[BaseModel],  # noqa: A002  the seed's own word for it
    output: type[BaseModel],
    prepare: Callable[[Call], Any] | None = None,
) -> Callable[[Handler], Handler]:
    """Register an author's deed: it needs the author's seat, and names the versions it goes by itself."""
    return CAPABILITIES.capability(
        name,
        summary=summary,
        input=input,
        output=output,
        applies_to=("novel",),
        scope=Scope.DRAFT,
        effect=Effect.DIRECT_CHANGE,
        risk=Risk.LOW,
        confirmation=Confirmation.NONE,
        idempotency=Idempotency.KEY,
        precondition=Precondition.NONE,
        prepare=prepare,
    )
