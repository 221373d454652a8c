"""What agents, buttons and the kit's own agent may ask of comics, each declared whole on one registry.

registry, services, answer, place, pictures    what all of them share
addresses                                      what can be read by address
outline, read, look, find, compare, check      what can be seen: facts, compact, told, noted and compared say it
contact_sheet                                  many pages in one picture
drafts, picking, candidates, layouts, proposals, assets, library
                                               what can be done: never more than a draft and a proposal
annotating                                     what people wrote about the work, and how it is dealt with
describe                                       what edits take, and how to work
"""

from __future__ import annotations

from lantern_kit.comic.capabilities import (
    addresses,
    annotating,
    assets,
    candidates,
    check,
    compare,
    describe,
    drafts,
    find,
    layouts,
    library,
    look,
    outline,
    picking,
    proposals,
    read,
)
from lantern_kit.comic.capabilities.registry import CAPABILITIES

__all__ = [
    "CAPABILITIES",
    "addresses",
    "annotating",
    "assets",
    "candidates",
    "check",
    "compare",
    "describe",
    "drafts",
    "find",
    "layouts",
    "library",
    "look",
    "outline",
    "picking",
    "proposals",
    "read",
]
