"""The specimen book: every page as a document, in the order of the book."""

from __future__ import annotations

from functools import lru_cache

from lantern_kit.comic.render import render_unit
from lantern_kit.imaging.picture import Pixels
from tests.specimens import drawn, shapes, writing
from tests.specimens.sheet import Specimen, picture

HEAD = """# Specimen book

What the kit's lettering, balloons and effects look like. Every page is a document made of the kit's own objects
(`tests/specimens/`), drawn by `python scripts/specimens.py`. The tests draw it again and hold it against
the picture here by [FLIP](https://github.com/NVlabs/flip), NVIDIA's measure of what a person sees; and they hold that
every word has its glyphs and its room.

Chromium sets the same sentences in the same fonts and is asked which characters it turns, in which order it shows them
and where it may break a line; a Japanese typesetter, jtypeset, is asked for spaces and lines
(`tests/specimens/test_judge_*.py`). [lettering.md](lettering.md) has the same script lettered by all three.

The words were written for this book and are CC0. The photographs are those of [datasets](../../datasets/README.md),
with their licences.
"""
MAKERS = (*writing.PAGES, *shapes.PAGES, *drawn.PAGES)


@lru_cache(maxsize=1)
def book() -> dict[str, Specimen]:
    """Every page by name."""
    pages = [make() for make in MAKERS]
    return {page.name: page for page in pages}


def draw(specimen: Specimen) -> Pixels:
    """A page as pixels: rows, columns, RGBA."""
    return render_unit(specimen.unit, specimen.chapter, picture, dpi=specimen.dpi).pixels


def told() -> str:
    """The book in words: what docs/specimens/README.md says."""
    parts = [HEAD]
    for specimen in book().values():
        seen = "\n".join(f"- {sentence}" for sentence in specimen.look)
        rules = "; ".join(specimen.rules)
        parts.append(
            f"## {specimen.title}\n\n![{specimen.title}]({specimen.name}.png)\n\n{seen}\n\n*Follows:* {rules}.\n"
        )
    return "\n".join(parts)
