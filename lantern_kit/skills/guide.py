"""The texts by name."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

ORDER = ("workflow", "names", "page", "layout", "pictures", "lettering", "effects", "breakout", "spread", "annotations")


@lru_cache(maxsize=1)
def guides() -> dict[str, str]:
    """All guides by name, in the order in which they help. A guide's first line is its title."""
    folder = files(__package__ or __name__) / "lantern" / "references"
    return {name: (folder / f"{name}.md").read_text(encoding="utf-8") for name in ORDER}


def title(guide: str) -> str:
    """The title of a guide's text."""
    return guide.split("\n", 1)[0].removeprefix("# ")
