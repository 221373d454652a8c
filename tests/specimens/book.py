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

Two outside judges are asked about 43 sentences in seven languages (`tests/specimens/test_judge_*.py`):

- **Chromium** sets them in the same fonts. All 930 glyphs and words of the columns and lines are the ones that it
  shows, turned as there; the order of Arabic and Hebrew is its order; brackets side by side are as far apart as there.
  Of 567 line ends it permits 563; the rest are right by UAX #14 (after a solidus) and CLREQ (between ” and “).
- **jtypeset**, a Japanese typesetter, has 490 of 516 distances between characters the same, and permits all line ends.
  Where it differs, JLREQ and Chromium agree with the kit (」「), or comics have a habit of their own (single letters
  upright).

[lettering.md](lettering.md) has one script lettered by all three.

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
