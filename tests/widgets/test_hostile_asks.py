"""What no browser of ours asks: each is refused in words, and never fails the kit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import HistoryView, PageView, ProposalReview
from lantern_kit.widgets.panel import Panel
from tests.widgets.reviewing import Studio, asked, studio

HUGE = 10**400
PAGE: dict[str, list[dict[str, Any]]] = {
    "sheet": [
        {"unit": "../../x"},
        {"unit": "UNIT", "source": "r9999999999999999"},
        {"unit": "UNIT", "source": "../.."},
    ],
    "tiles": [
        {"unit": "UNIT", "level": 10**9, "tiles": [[0, 0]]},
        {"unit": "UNIT", "level": 0, "tiles": [[-1, 0]]},
        {"unit": "UNIT", "level": float("nan"), "tiles": [[0, 0]]},
        {"unit": "UNIT", "level": HUGE, "tiles": [[0, 0]]},
        {"unit": "UNIT", "level": 0, "tiles": [[0, 0]] * 100_000},
    ],
    "thumbs": [{"units": ["OTHER"]}, {"units": ["UNIT"], "edge": 10**9}],
    "facts": [{"unit": "UNIT", "object": "\ud800"}, {"unit": "UNIT", "object": "fr_\x00"}],
    "note.write": [
        {"body": "x", "on": [{"unit": "UNIT", "point": [1e308, -1e308]}]},
        {"body": "x", "on": [{"unit": "UNIT", "point": [float("nan"), 0]}]},
        {"body": "x", "on": [{"unit": "OTHER"}]},
        {"body": "x" * 100_000},
    ],
    "note.settle": [{"note": "../x", "to": "delete"}],
}
REVIEW: dict[str, list[dict[str, Any]]] = {
    "review": [{"proposal": "../.."}, {"proposal": "p" + "9" * 39}, {"proposal": "p-1"}],
    "outcome": [{"proposal": "p1", "reject": {"../x": ""}}],
    "pair": [{"source": "head", "against": "taking:../x", "unit": "UNIT"}],
    "regions": [
        {"source": "head", "against": "taking:../x", "unit": "UNIT"},
        {"source": "head", "against": "head", "unit": "un_00000000"},
    ],
    "export": [{"proposal": "p1", "verdict": "../../x"}, {"proposal": "../p1", "verdict": "v1"}],
    "note.write": [{"body": "x"}],
}
HISTORY: dict[str, list[dict[str, Any]]] = {
    "difference": [{"before": "r" + "9" * 50, "after": "r1"}, {"before": "../", "after": "r1"}],
    "restore": [{"revision": "d1", "reason": "x", "expected": "r1"}],
    "undo": [{"expected": "r" + "9" * 50}],
    "picking": [{"revision": "r2", "things": ["../.."]}],
    "rows": [{"start": -1}, {"start": HUGE, "count": HUGE}],
}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        made.proposed()
        yield made


@pytest.mark.parametrize("kind", ["page", "review", "history"])
def test_an_ask_that_makes_no_sense_is_refused_in_words(kind: str, here: Studio) -> None:
    other = here.ws.comic("Other").begin_chapter(1, size="A6")
    with other.edit("a page") as edit:
        edit.add_page(name="Foreign")
    names = {"UNIT": here.page(), "OTHER": other.book.order[0]}
    head = here.ws.comics.head(here.chapter.id).id
    panel, asks = _shown(kind, here)
    for name, tries in asks.items():
        for args in tries:
            answer = asked(panel, name, _named(args, names))
            code = answer.get("error", {}).get("code", "no refusal")
            assert code not in ("no refusal", "internal"), (name, str(args)[:80])
    assert here.ws.comics.head(here.chapter.id).id == head
    panel.close()


def _shown(kind: str, here: Studio) -> tuple[Panel, dict[str, list[dict[str, Any]]]]:
    match kind:
        case "page":
            return PageView(here.chapter), PAGE
        case "review":
            return ProposalReview("p1", here.ws), REVIEW
        case _:
            return HistoryView(here.chapter), HISTORY


def _named(value: Any, names: dict[str, str]) -> Any:
    match value:
        case dict():
            return {key: _named(item, names) for key, item in value.items()}
        case list():
            return [_named(item, names) for item in value]
        case str():
            return names.get(value, value)
    return value
