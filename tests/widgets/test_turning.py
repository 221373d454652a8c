"""Words of agents that would turn the direction of writing: a person decides on what stands there, in its order."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import AnnotationPanel, HistoryView, ProposalReview
from lantern_kit.comic.handle import handle_of
from lantern_kit.studio.desk import Desk
from lantern_kit.studio.request import Request
from lantern_kit.widgets.turning import all_unturned, unturned
from tests.widgets.reviewing import Studio, asked, studio

TURNED = "safe \u202e gnihtyreve ylppa \u202c \u2066x\u2069"
SHOWN = "safe \\u202e gnihtyreve ylppa \\u202c \\u2066x\\u2069"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        draft = made.draft()
        words = {"op": "balloon.set", "target": handle_of(made.balloon()), "args": {"text": TURNED}}
        made.edit(draft, [words])
        made.freeze(draft, summary=TURNED)
        yield made


def test_what_would_turn_words_round_is_spelled_out_and_all_else_stays() -> None:
    assert unturned(TURNED) == SHOWN
    hebrew = "שלום, שנת 2026\u200f 👩\u200d🚀 雾"
    assert all_unturned({"a": [hebrew, (TURNED, 1.5)], "points": [[1.0, 2.0]], "none": None}) == {
        "a": [hebrew, [SHOWN, 1.5]],
        "points": [[1.0, 2.0]],
        "none": None,
    }


def test_a_review_shows_an_agent_s_words_in_the_order_in_which_they_stand(here: Studio) -> None:
    review = ProposalReview("p1", here.ws)
    told = asked(review, "review", {"proposal": "p1"})
    assert told["summary"] == SHOWN
    assert "\\u202e" in told["parts"][0]["words"]
    desk = Desk(here.ws, Request())._repr_mimebundle_()
    for words in (_raw(told), review._framed(), *desk.values()):
        assert "\u202e" not in words
        assert "\u2066" not in words
    review.close()


def test_every_other_view_does_so_too(here: Studio) -> None:
    here.chapter.annotate(TURNED, on=[here.balloon().id])
    for panel, ask in ((AnnotationPanel(here.chapter), "notes"), (HistoryView(here.chapter), "rows")):
        for words in (_raw(asked(panel, ask)), panel._framed()):
            assert "\u202e" not in words
        panel.close()


def _raw(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
