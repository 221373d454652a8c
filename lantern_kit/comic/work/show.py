"""How comics show themselves: pages and pictures, beside what any object shows itself with."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.work.saving import save_pixels
from lantern_kit.showing import (
    ROWS,
    Markup,
    bullets,
    bundle,
    facts,
    folded,
    heading,
    paragraph,
    small,
    table,
    warning,
)

if TYPE_CHECKING:
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.imaging.picture import Picture, Pixels

__all__ = [
    "LARGEST",
    "ROWS",
    "STRIP",
    "THUMB",
    "DrawnPicture",
    "Markup",
    "RenderedPage",
    "bullets",
    "bundle",
    "facts",
    "figure",
    "filmstrip",
    "folded",
    "heading",
    "image",
    "paragraph",
    "picture",
    "side_by_side",
    "small",
    "table",
    "warning",
]

THUMB = 260
"""Long edge of a filmstrip's pictures, in pixels."""
LARGEST = 1_568
"""Long edge of any picture that is shown; saved files keep all their pixels."""
MOST_BYTES = 700_000
"""Of one picture that is shown."""
STRIP = 24
"""Pictures of one filmstrip."""
_CAPTION = "font:12px system-ui,sans-serif;opacity:.8;margin-top:4px"


class RenderedPage:
    """A drawn unit: it can be looked at and saved."""

    def __init__(self, rendered: Rendered) -> None:
        self.rendered = rendered

    @property
    def width(self) -> int:
        """Pixels."""
        return self.rendered.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self.rendered.height

    def save(self, path: str | Path) -> Path:
        """Write it with its resolution as ``.png``, ``.jpg``, ``.webp`` or ``.tif``, as the name says.

        An older file of that name is replaced. Raises BadInput, also for a name with another ending or none.
        """
        return save_pixels(path, self.rendered.pixels, dpi=max(1, round(self.rendered.dpi)))

    def picture(self, alternative: str) -> Markup:
        """An inline picture: JPEG, or PNG when the paper is not opaque; a large one is shown smaller."""
        drawn = self.rendered
        if max(self.width, self.height) > LARGEST:
            from lantern_kit.imaging.picture import Picture

            return picture(Picture(drawn.width, drawn.height, drawn.pixels, drawn.opaque), alternative, LARGEST)
        data, media = (drawn.jpeg(), "image/jpeg") if drawn.opaque else (drawn.png(), "image/png")
        return image(data, media, alternative)

    def __repr__(self) -> str:
        return f"<rendered {self.width}×{self.height} px>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        shown = "" if max(self.width, self.height) <= LARGEST else "; shown smaller, save(path) keeps every pixel"
        size = f"{self.width} × {self.height} px at {round(self.rendered.dpi)} dpi{shown}"
        return bundle(repr(self), figure(self, size))


class DrawnPicture:
    """A picture that was made to be looked at: it shows itself, and can be saved.

    Args:
        held: its pixels.
        caption: what is to be seen on it.
    """

    def __init__(self, held: Picture, caption: str) -> None:
        self.held = held
        self.caption = caption

    @property
    def width(self) -> int:
        """Pixels."""
        return self.held.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self.held.height

    @property
    def pixels(self) -> Pixels:
        """(height, width, 4) uint8 RGBA, read-only."""
        return self.held.pixels

    def save(self, path: str | Path) -> Path:
        """Write it as ``.png``, ``.jpg``, ``.webp`` or ``.tif``, as the name says; an older file is replaced.

        Raises BadInput, also for a name with another ending or none.
        """
        return save_pixels(path, self.pixels)

    def shown(self, caption: str = "") -> Markup:
        """An inline picture with the caption as its words; a large one is shown smaller."""
        return picture(self.held, caption or self.caption, LARGEST)

    def __repr__(self) -> str:
        return f"<picture {self.width}×{self.height} px: {self.caption}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(repr(self), figure(self.shown(), self.caption))


def image(data: bytes, media: str, alternative: str) -> Markup:
    """An inline picture with words for those who cannot see it."""
    source = base64.b64encode(data).decode()
    return Markup(
        f'<img src="data:{media};base64,{source}" alt="{escape(alternative)}" '
        'style="max-width:100%;border:1px solid #8884">'
    )


def picture(found: Picture, alternative: str, max_edge: int) -> Markup:
    """Decoded pixels as an inline picture, no larger than that."""
    from lantern_kit.imaging.sendable import sendable

    sent = sendable(found, max_edge=max_edge, max_bytes=MOST_BYTES)
    return image(sent.data, sent.media, alternative)


def figure(shown: RenderedPage | Markup, caption: str, *, width: int | None = None) -> Markup:
    """A page or an inline picture, with a line under it; ``width`` in pixels is the most that both take."""
    inner = shown if isinstance(shown, Markup) else shown.picture(caption)
    line = f'<figcaption style="{_CAPTION}">{escape(caption)}</figcaption>'
    most = "" if width is None else f";max-width:{width}px"
    return Markup(f'<figure style="margin:0 12px 12px 0{most}">{inner}{line}</figure>')


def side_by_side(figures: Iterable[str]) -> Markup:
    """Figures beside each other, as far as there is room."""
    return Markup(f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{"".join(figures)}</div>')


def filmstrip(title: str, pages: Iterable[tuple[RenderedPage, str]], *, rest: str = "") -> Markup:
    """Small pictures with their captions in a row; ``rest`` says where the others are."""
    figures = [figure(page, caption) for page, caption in pages]
    return Markup(heading(title) + (side_by_side(figures) if figures else small("no units yet")) + small(rest))
