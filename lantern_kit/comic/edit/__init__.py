"""Edits of a comic: registered pure functions from a book to a book, and the ChangeSets that compose them.

registry, outcome       where operations are kept; what one is given and gives back
args, problems          arguments in millimetres and how a refusal names them
tree, widen, estimate   surgery on a unit's objects; a balloon's size from its words
changeset               up to 25 operations, all or nothing, validated as a whole
shelf                   what edits may ask of the library
chapter, units, spreads, frames, stage, layouts, order, objects, images, lettering, balloons, overlays, effects: one
                        noun a file
script                  many of them at once, from a chapter's words
"""

from __future__ import annotations

from lantern_kit.comic.edit import (
    balloons,
    chapter,
    effects,
    frames,
    images,
    layouts,
    lettering,
    objects,
    order,
    overlays,
    script,
    spreads,
    stage,
    units,
)
from lantern_kit.comic.edit.changeset import MOST, ChangeSetResult, apply_changeset
from lantern_kit.comic.edit.outcome import AssetFacts, EditContext, Outcome, Target
from lantern_kit.comic.edit.raw import RawOperation
from lantern_kit.comic.edit.registry import OPERATIONS

__all__ = [
    "MOST",
    "OPERATIONS",
    "AssetFacts",
    "ChangeSetResult",
    "EditContext",
    "Outcome",
    "RawOperation",
    "Target",
    "apply_changeset",
]

# Importing a noun registers its operations.
NOUNS = (
    chapter, units, spreads, frames, stage, layouts, order, objects, images, lettering, balloons, overlays, effects,
    script,
)  # fmt: skip
