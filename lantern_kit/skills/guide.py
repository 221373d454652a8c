"""Every text by name: a skill's own by the skill's name, a reference by its file's."""

from __future__ import annotations

from functools import lru_cache

from lantern_kit.skills.skill import skills

ORDER = (
    "lantern",
    "workflow",
    "revising",
    "names",
    "page",
    "layout",
    "pictures",
    "lettering",
    "effects",
    "breakout",
    "spread",
    "staging",
    "script",
    "library",
    "candidates",
    "checks",
    "annotations",
    "page-review",
    "findings",
)
"""All of them, in the order in which they help."""


@lru_cache(maxsize=1)
def guides() -> dict[str, str]:
    """All texts by name, in order. A text's first line is its title."""
    found: dict[str, str] = {}
    for skill in skills().values():
        found |= {skill.name: skill.body, **skill.references}
    return {name: found[name] for name in ORDER}


def title(guide: str) -> str:
    """The title of a guide's text."""
    return guide.split("\n", 1)[0].removeprefix("# ")
