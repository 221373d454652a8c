"""All operations on comics, by name. The modules of the nouns fill it; ``edit/__init__`` imports them."""

from __future__ import annotations

from lantern_kit.kernel.operation import Operations

OPERATIONS = Operations(
    {
        "page": "unit",
        "cover": "unit",
        "transition": "unit",
        "panel": "frame",
        "bubble": "balloon",
        "speech": "balloon",
        "dialogue": "balloon",
        "caption": "narration",
        "sfx": "text",
        "sound": "text",
        "lettering": "text",
        "picture": "image",
        "photo": "image",
        "insert": "add",
        "create": "add",
        "new": "add",
        "delete": "remove",
        "update": "set",
        "edit": "set",
        "change": "set",
        "image.add": "image.place",
        "image.set": "image.adjust",
    }
)
