"""Text as words to be found: scripts that part no words go by single characters and pairs, others by words.

All of it is folded (NFKC, without case). Each token is written in letters and digits alone, so that no index needs to
understand it and nothing anybody types can mean more than text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_UNPARTED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303c"
    "\u3040-\u30ff\u3105-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff"
    "\uf900-\ufaff\U0001aff0-\U0001b16f\U0001b170-\U0001b2ff\U00020000-\U0003ffff"
)
"""Han, kana, bopomofo, Hangul, and scripts of South-East Asia that are written without blanks."""
_RUN = re.compile(f"(?P<pairs>[{_UNPARTED}]+)|(?P<word>[^\\W_{_UNPARTED}]+)|(?P<sign>[^\\s\\w])")
_SHORTEST_OPEN = 3
"""Letters from which a last word also finds longer ones."""


def folded(text: str) -> str:
    """Text as it is compared."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def tokens(text: str) -> list[str]:
    """All tokens of a text: of a run without blanks each pair and the last character; else words and pictures."""
    return [_written(token) for kind, run in _runs(folded(text)) for token in _parts(kind, run)]


def query(text: str) -> list[str]:
    """What a text is looked for by, in SQLite's language of full-text search: one phrase for each part between blanks.

    All of them must be there. Empty where there is nothing to look for.
    """
    phrases = []
    for part in folded(text).split():
        runs = list(_runs(part))
        if runs:
            phrases.append(_phrase(runs))
    return list(dict.fromkeys(phrases))


def _phrase(runs: list[tuple[str, str]]) -> str:
    kind, last = runs[-1]
    held = [_written(token) for run in runs[:-1] for token in _parts(*run)]
    if kind == "pairs" and len(last) > 1:  # its last character may go on in what is looked through
        held += [_written(token) for token in _parts(kind, last)[:-1]]
        return f'"{" ".join(held)}"'
    opened = kind == "pairs" or (kind == "word" and len(last) >= _SHORTEST_OPEN)
    return f'"{" ".join([*held, _written(last)])}"{" *" if opened else ""}'


def _runs(text: str) -> Iterator[tuple[str, str]]:
    for found in _RUN.finditer(text):
        kind, run = str(found.lastgroup), found.group()
        if kind != "sign" or unicodedata.category(run) == "So":
            yield kind, run


def _parts(kind: str, run: str) -> list[str]:
    if kind != "pairs":
        return [run]
    return [*(run[at : at + 2] for at in range(len(run) - 1)), run[-1]]


def _written(token: str) -> str:
    return "x" + "".join(f"{ord(character):05x}" for character in token)
