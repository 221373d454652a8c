"""The picture of agents' turns: its bars are what the tables hold."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from PIL import Image

import lantern_kit as lk
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.telemetry import SpanRow, TokenRow, record
from lantern_kit.workspace import Workspace, create_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return create_workspace(tmp_path / "ws", title="Turns", owner="Mira")


def turn(workspace: Workspace, name: str, model: int, tool: int, own: int, *, said: int = 7) -> None:
    whole = model + tool + own
    spans = [
        SpanRow(0, None, "invoke_workflow", "turn", 0, whole * 1_000),
        SpanRow(1, 0, "chat", "small-1", 0, model * 1_000),
        SpanRow(2, 0, "execute_tool", "edit", 0, tool * 1_000),
    ]
    tokens = [TokenRow(1, "small-1", 100, said, 0, 40, 30, 20, 10, "parts")]
    with workspace.journal.write() as connection:
        record(connection, name, "lantern", workspace.clock.now(), spans, tokens)


def test_a_bar_is_as_long_as_what_was_spent(workspace: Workspace) -> None:
    turn(workspace, "t1", 1_400, 300, 9)
    turn(workspace, "t2", 20, 0, 8)
    turn(workspace, "t2", 30, 5, 7, said=3)
    figure = lk.plots.agent_turns(workspace)
    time, tokens = figure.axes
    assert sorted(_widths(time)) == sorted([1_400, 300, 9, 50, 5, 15])
    assert sorted(_widths(tokens)) == sorted([40, 30, 20, 10, 7, 80, 60, 40, 20, 10])
    assert {label.get_text() for label in time.get_yticklabels()} == {"t1", "t2"}
    assert figure.texts[1].get_text() == (
        "the last 2 turns, the newest on top: 1.8 s, 1% of it the graph's own; 317 tokens"
    )


def _widths(axes: object) -> list[float]:
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]  # type: ignore[attr-defined]
    return [round(bar.get_width()) for bar in bars if bar.get_width()]


def test_the_same_tables_give_the_same_picture_and_nothing_is_cut_off(workspace: Workspace) -> None:
    for number in range(30):
        turn(workspace, f"t{number}", 100 * number, 20, 9)
    pictures = []
    for _ in range(2):
        target = io.BytesIO()
        lk.plots.agent_turns(workspace).savefig(target, format="png", metadata={"Software": None})
        pictures.append(target.getvalue())
    assert pictures[0] == pictures[1]
    grey = np.asarray(Image.open(io.BytesIO(pictures[0])).convert("L"))
    assert (np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]]) == 255).all()


def test_without_a_turn_it_says_how_one_comes_to_be(workspace: Workspace) -> None:
    figure = lk.plots.agent_turns(workspace)
    assert figure.axes == []
    assert "lantern agent" in figure.texts[1].get_text()
    with pytest.raises(BadInput, match="so many turns"):
        lk.plots.agent_turns(workspace, last=0)
