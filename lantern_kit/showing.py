"""How objects show themselves in a notebook: HTML that needs nothing from outside, with a plain-text form beside it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

ROWS = 100
"""Rows of one table."""
_WARNING = "border-left:4px solid #d97706;padding-left:8px"


class Markup(str):
    """HTML that is shown as it is; any other text is escaped."""

    __slots__ = ()


def bundle(text: str, html: str) -> dict[str, str]:
    """What Jupyter shows: HTML where it can, text elsewhere."""
    return {"text/plain": text, "text/html": html}


def heading(title: str) -> Markup:
    """A line over what follows."""
    return Markup(f'<h4 style="margin:.2em 0">{escape(title)}</h4>')


def paragraph(words: str) -> Markup:
    """Words, their line breaks kept; nothing for no words."""
    return Markup(f'<p style="margin:.2em 0;white-space:pre-wrap">{escape(words)}</p>' if words else "")


def small(words: str) -> Markup:
    """A remark; nothing for no words."""
    return Markup(f'<p style="margin:.2em 0;opacity:.75"><small>{escape(words)}</small></p>' if words else "")


def warning(words: str) -> Markup:
    """Words to heed."""
    return Markup(f'<p style="{_WARNING}">{escape(words)}</p>')


def bullets(sentences: Iterable[str]) -> Markup:
    """Sentences, one a line; nothing for none."""
    items = "".join(f"<li>{_cell(sentence)}</li>" for sentence in sentences)
    return Markup(f"<ul>{items}</ul>" if items else "")


def facts(rows: Iterable[tuple[str, str]]) -> Markup:
    """Facts by name, those without a value left out."""
    body = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{_cell(value)}</td></tr>'
        for name, value in rows
        if value
    )
    return Markup(f"<table><tbody>{body}</tbody></table>")


def folded(summary: str, inner: str) -> Markup:
    """Something that opens on a click."""
    return Markup(f"<details><summary>{escape(summary)}</summary>{inner}</details>")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, empty: str = "nothing") -> Markup:
    """A plain table; cells of ``Markup`` are shown as they are."""
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align:left">{_cell(cell)}</td>' for cell in row) + "</tr>" for row in rows
    )
    if not body:
        return Markup(f"<p>{escape(empty)}</p>")
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in heads)
    return Markup(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def _cell(text: str) -> str:
    return text if isinstance(text, Markup) else escape(text)
