from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.patches import Rectangle

import lantern_kit as lk
from lantern_kit.kernel.errors import NotFound
from lantern_kit.workspace import create_workspace
from tests.novel.reading.pages import begun, say


def test_bars_and_steps_are_what_was_written(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws", chapters=3, scenes=2)
    say(made, ["Twelve letters."])
    say(made, ["And more."])
    made.complete()
    say(made, ["One."])
    figure = lk.plots.novel_progress(made.ws, novel=made.novel_id)
    growth, chapters = figure.axes
    assert list(growth.lines[0].get_ydata()) == [0, 13, 20, 23]
    bars = [bar for bar in chapters.patches if isinstance(bar, Rectangle)]
    assert [bar.get_height() for bar in bars] == [20, 3, 0]
    assert [item.get_text() for item in figure.texts] == [
        "The Lamp",
        "active: 23 characters in 3 commits, 1 of 3 chapters complete",
    ]
    with pytest.raises(NotFound):
        lk.plots.novel_progress(made.ws, novel="nv_other0000")
    made.close()


def test_without_a_novel_it_says_how_one_comes_to_be(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "ws", title="Empty", owner="Ann") as ws:
        figure = lk.plots.novel_progress(ws)
    assert figure.axes == []
    assert "lantern novel new" in figure.texts[-1].get_text()
