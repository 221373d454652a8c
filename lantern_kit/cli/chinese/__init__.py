"""The command line's sentences in simplified Chinese, by the English ones they stand for."""

from __future__ import annotations

from lantern_kit.cli.chinese import agents, cards, deciding, novels, places, works

SENTENCES: dict[str, str] = {
    **places.SENTENCES,
    **deciding.SENTENCES,
    **works.SENTENCES,
    **agents.SENTENCES,
    **cards.SENTENCES,
    **novels.SENTENCES,
}
