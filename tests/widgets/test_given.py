"""What a panel is given: anything else is refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lantern_kit as lk
from lantern_kit.kernel.errors import BadInput
from tests.widgets.albums import album


@pytest.mark.parametrize("panel", [lk.PageView, lk.HistoryView, lk.AnnotationPanel])
def test_a_panel_of_a_chapter_says_so_when_it_is_given_something_else(panel: Any, tmp_path: Path) -> None:
    with lk.create_workspace(tmp_path / "ws", title="Work", owner="ann") as ws:
        album(ws)
        for wrong in (ws, ws.works()[0], "ch_vaxy4htv"):
            with pytest.raises(BadInput) as caught:
                panel(wrong)
            assert caught.value.payload()["found"] == type(wrong).__name__
            assert "chapter(1)" in str(caught.value.payload()["recovery"])


def test_a_panel_of_a_workspace_says_so_when_it_is_given_a_chapter(tmp_path: Path) -> None:
    with lk.create_workspace(tmp_path / "ws", title="Work", owner="ann") as ws:
        wrong: Any = album(ws)
        with pytest.raises(BadInput, match="open_workspace"):
            lk.ActivityPanel(wrong)
