"""Material in what models are told: what cards, books and prose say stands between marks that nothing in it can end."""

from __future__ import annotations


def fenced(text: str) -> str:
    """A text of somebody else's, between the marks that models are told of; marks in it are parted."""
    return f"<<<\n{text.replace('<<<', '< < <').replace('>>>', '> > >')}\n>>>"
