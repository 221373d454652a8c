"""Beginning a novel: its assets are fixed and the first instruction is in the ledger before anything is written."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.model import (
    NOTHING_SPENT,
    Asset,
    Config,
    Instruction,
    InstructionSource,
    InstructionState,
    Phase,
    Run,
    Status,
)
from lantern_kit.novel.whole import Head, Novel


def begin(title: str, config: Config, assets: Sequence[Asset], request: str, message: str, stamp: Stamp) -> Novel:
    """A new novel: no outline, one instruction pending."""
    first = Instruction(
        id=stamp.ids.new("in"),
        message=message,
        sequence=1,
        text=request,
        source=InstructionSource.CREATION,
        answers=None,
        by=stamp.by,
        received_at=stamp.at,
        during=None,
        state=InstructionState.PENDING,
        outcome=None,
        conflict=None,
        earlier=(),
        replaced_by=None,
    )
    head = Head(
        id=stamp.ids.new("nv"),
        layout=1,
        title=title,
        created_at=stamp.at,
        created_by=stamp.by,
        outline_revision=0,
        approved=0,
        received=1,
        watermark=0,
        generation=1,
        content_revision=0,
        characters=0,
        punctuated=0,
        commits=0,
        units=0,
        claimed=None,
        run=Run(status=Status.ACTIVE, phase=Phase.OUTLINING, pause=None, intent=None),
        spent=NOTHING_SPENT,
        finished=None,
    )
    return Novel(
        head=head,
        config=config,
        story=None,
        assets={asset.id: asset for asset in assets},
        plans={},
        people={},
        foreshadows={},
        chapters={},
        instructions={first.id: first},
        units={},
    )
