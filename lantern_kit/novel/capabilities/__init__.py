"""What callers may ask of a novel: reading, and an author's deeds. A person's controls are none of them.

registry services seats        all of them by name; what they work with; where an author's right to write comes from
status requirements outline units completing working        one file a noun; ``working`` gives a host its next work
body facts lore searching describing        what is read: prose, canon, cards and books, shapes and guides
acting deductions        scenes acted out by their people; those that are on
shapes telling        what is sent of many parts; how records are told
"""

from lantern_kit.novel.capabilities import (
    acting,
    body,
    completing,
    describing,
    facts,
    lore,
    outline,
    requirements,
    searching,
    status,
    units,
    working,
)
from lantern_kit.novel.capabilities.registry import CAPABILITIES

__all__ = [
    "CAPABILITIES",
    "acting",
    "body",
    "completing",
    "describing",
    "facts",
    "lore",
    "outline",
    "requirements",
    "searching",
    "status",
    "units",
    "working",
]
