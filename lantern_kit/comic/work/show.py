"""How bound objects show themselves: HTML that needs nothing from outside, with a plain-text form beside it."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.formats.file import replacing

if TYPE_CHECKING:
    from lantern_kit.comic.render.rendered import Rendered

THUMB = 260
"""Long edge of a filmstrip's pictures, in pixels."""
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
        """Write a PNG file with its resolution; an older one of that name is replaced. Raises BadInput."""
        target = Path(path)
        with replacing(target) as file:
            file.write(self.rendered.png(fast=False))
        return target

    def picture(self, alternative: str) -> str:
        """An inline picture: JPEG, or PNG when the paper is not opaque."""
        opaque = self.rendered.opaque
        data, media = (self.rendered.jpeg(), "image/jpeg") if opaque else (self.rendered.png(), "image/png")
        return image(data, media, alternative)

    def __repr__(self) -> str:
        return f"<rendered {self.width}×{self.height} px>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return bundle(repr(self), self.picture(f"a page of {self.width} by {self.height} pixels"))


def bundle(text: str, html: str) -> dict[str, str]:
    """What Jupyter shows: HTML where it can, text elsewhere."""
    return {"text/plain": text, "text/html": html}


def image(data: bytes, media: str, alternative: str) -> str:
    """An inline picture with words for those who cannot see it."""
    source = base64.b64encode(data).decode()
    return (
        f'<img src="data:{media};base64,{source}" alt="{escape(alternative)}" '
        'style="max-width:100%;border:1px solid #8884">'
    )


def figure(page: RenderedPage, caption: str) -> str:
    """A picture of a page with a line under it."""
    line = f'<figcaption style="{_CAPTION}">{escape(caption)}</figcaption>'
    return f'<figure style="margin:0 12px 12px 0">{page.picture(caption)}{line}</figure>'


def filmstrip(title: str, pages: Iterable[tuple[RenderedPage, str]]) -> str:
    """Small pictures with their captions in a row."""
    pictures = "".join(figure(page, caption) for page, caption in pages)
    shown = pictures or '<p style="opacity:.7">no units yet</p>'
    return f'<h4 style="margin:.2em 0">{escape(title)}</h4><div style="display:flex;flex-wrap:wrap">{shown}</div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str = "nothing") -> str:
    """A plain table."""
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows
    )
    if not body:
        return f"<p>{escape(empty)}</p>"
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
