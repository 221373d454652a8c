"""Paper as people name it."""

from __future__ import annotations

import math
import re

from pydantic import ValidationError

from lantern_kit.comic.beginning import require_room
from lantern_kit.comic.edit.problems import bad_arguments
from lantern_kit.comic.measure import micrometres
from lantern_kit.comic.model import Binding, Paper
from lantern_kit.kernel.errors import BadInput

PAPERS: dict[str, tuple[float, float]] = {
    "A4": (210, 297),
    "A5": (148, 210),
    "A6": (105, 148),
    "B5": (182, 257),
    "US comic": (168.275, 260.35),
}
"""Trim sizes by name, width and height in millimetres."""
_SIZE = re.compile(r"\s*(\d{1,4}(?:\.\d{1,3})?)\s*[x×]\s*(\d{1,4}(?:\.\d{1,3})?)\s*(?:mm)?\s*", re.IGNORECASE)


def paper(
    size: str | tuple[float, float] = "A5",
    *,
    bleed: float = 3,
    safe: float = 5,
    dpi: int = 600,
    binding: Binding | str = Binding.LEFT,
) -> Paper:
    """Paper by name, by ``"148x210"`` or by trim width and height; lengths in millimetres. Raises BadInput.

    ``safe`` is the inset inside which words stay: less than half the shorter side. The paper of a chapter is changed in
    an edit block: ``edit.run("paper.set", chapter.id, width=182, height=257, safe=8)``.
    """
    width, height = _trim(size) if isinstance(size, str) else size
    if not all(map(math.isfinite, (width, height, bleed, safe))):
        raise BadInput("the lengths of a paper are finite numbers of millimetres")
    try:
        made = Paper(
            width=micrometres(width),
            height=micrometres(height),
            bleed=micrometres(bleed),
            safe=micrometres(safe),
            dpi=dpi,
            binding=Binding(binding),
        )
    except ValidationError as error:
        raise bad_arguments(error, Paper, root="paper") from error
    require_room(made)
    return made


def _trim(size: str) -> tuple[float, float]:
    found = {name.lower(): value for name, value in PAPERS.items()}.get(size.strip().lower())
    if found is not None:
        return found
    written = _SIZE.fullmatch(size)
    if written is None:
        known = [*PAPERS, "WIDTHxHEIGHT in millimetres"]
        raise BadInput(f"{size[:40]} is not a known paper", expected=known, found=size[:40])
    return float(written[1]), float(written[2])
