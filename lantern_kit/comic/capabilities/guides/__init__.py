"""Short guides for agents: how to work, and what the field knows about pages. One Markdown file each."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from lantern_kit.comic.layout.template import built_in, sketch

ORDER = ("workflow", "names", "page", "layout", "pictures", "lettering", "effects", "breakout", "spread", "annotations")


@lru_cache(maxsize=1)
def guides() -> dict[str, str]:
    """All guides by name, in the order in which they help. A guide's first line is its title."""
    folder = files(__name__)
    found = {name: (folder / f"{name}.md").read_text(encoding="utf-8") for name in ORDER}
    return {**found, "layout": found["layout"] + _templates()}


def _templates() -> str:
    """The layout templates, a line each."""
    return "".join(
        f"{item.name} {sketch(item)} {item.title}{' · for a spread' if item.sheet == 'spread' else ''}\n"
        for item in built_in().values()
    )


def title(guide: str) -> str:
    """The title of a guide's text."""
    return guide.split("\n", 1)[0].removeprefix("# ")
