"""Ready pictures: they show what the tables hold, and nobody's eyes or fonts are too poor for them."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

import lantern_kit as lk
from lantern_kit.analysis.plots import look, timeline
from lantern_kit.comic.model import Paper
from lantern_kit.kernel.activity import Event, record
from lantern_kit.kernel.errors import BadInput, NotFound
from tests.analysis.world import World
from tests.comic.strategies import random_unit


def heat(figure: Figure) -> np.ndarray:
    """The counts in the cells."""
    mesh = next(item for axes in figure.axes for item in axes.collections if isinstance(item, QuadMesh))
    return np.ma.filled(mesh.get_array(), 0)


def labels(figure: Figure) -> list[str]:
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def dots(axes: Axes) -> list[PathCollection]:
    return [item for item in axes.collections if isinstance(item, PathCollection)]


def png(figure: Figure) -> bytes:
    target = io.BytesIO()
    figure.savefig(target, format="png", metadata={"Software": None})
    return target.getvalue()


def test_every_change_of_a_chapter_and_its_drafts_is_in_one_cell(world: World) -> None:
    chapter = world.ws.comics.chapters()[0].id
    with world.analysis() as db, world.raw() as raw:
        figure = lk.plots.edit_heatmap(db, chapter=chapter)
    wanted = "SELECT {} FROM changes c JOIN revisions r ON r.id = c.revision JOIN lines l ON l.id = r.line"
    wanted += " WHERE l.root = ? AND r.cause <> 'apply'"
    with world.raw() as raw:
        assert heat(figure).sum() == raw.execute(wanted.format("count(*)"), [chapter]).fetchone()[0]
        revisions = raw.execute(wanted.format("count(DISTINCT r.id)"), [chapter]).fetchone()[0]
    assert heat(figure).shape[1] == min(revisions, 60)
    order = world.ws.comics.head(chapter).book.order
    assert [label.split()[0] for label in labels(figure)[1:-1]] == [str(place) for place in range(1, len(order) + 1)]


def test_a_chapter_in_hand_is_drawn_by_itself_and_leaves_the_file_free(world: World) -> None:
    chapter = world.ws.works()[0].chapters()[0]
    figure = lk.plots.edit_heatmap(chapter)
    assert figure.texts[0].get_text() == chapter.title
    (world.ws.path / "analysis.duckdb").unlink()
    world.analysis().close()
    assert world.notices == []


def test_which_chapter_is_meant_must_be_clear(world: World) -> None:
    known = [record.id for record in world.ws.comics.chapters()]
    assert len(known) > 1
    with pytest.raises(BadInput, match="several") as raised:
        lk.plots.edit_heatmap(world.ws)
    assert set(raised.value.ids) == set(known)
    with pytest.raises(NotFound):
        lk.plots.edit_heatmap(world.ws, chapter="ch_nowhere")
    with pytest.raises(BadInput, match="draw from"):
        lk.plots.edit_heatmap("chelsea")  # type: ignore[arg-type]


def test_every_call_is_a_dot_and_every_failed_one_a_cross(world: World) -> None:
    with world.analysis() as db:
        calls = db.execute(
            "SELECT count(*) FILTER (outcome = 'ok'), count(*) FROM activity WHERE tool <> ''"
        ).fetchone()
        lanes = [row[0] for row in db.execute("SELECT DISTINCT tool FROM activity WHERE tool <> ''").fetchall()]
        figure = lk.plots.activity_timeline(db)
    counted = [len(item.get_offsets()) for item in dots(figure.axes[0])]
    assert calls is not None
    assert sum(counted[0::2]) == calls[0]
    assert sum(counted) == calls[1]
    assert sorted(labels(figure)) == sorted(lanes)


def test_one_agents_calls_can_be_drawn_alone(world: World) -> None:
    with world.analysis() as db:
        figure = lk.plots.activity_timeline(db, actor="codex")
        calls = db.execute("SELECT count(*) FROM activity WHERE actor = 'codex' AND tool <> ''").fetchone()
    assert (sum(len(item.get_offsets()) for item in dots(figure.axes[0])),) == calls


def test_calls_keep_their_order_in_time_and_long_pauses_are_folded_away(world: World) -> None:
    start = 1_790_000_000_000
    minutes = [0, 1, 3, 500, 501, 50_000]
    with world.ws.journal.write() as connection:
        connection.exec_driver_sql("DELETE FROM activity")
        for minute in minutes:
            record(connection, Event(start + 60_000 * minute, "codex", "comic.look", "look", "observe"))
    figure = lk.plots.activity_timeline(world.ws)
    xs = [float(x) for x, _ in dots(figure.axes[0])[0].get_offsets()]
    assert xs == sorted(xs)
    assert 0 <= xs[0] < xs[-1] <= 1
    assert xs[3] - xs[2] < 0.1
    assert "6 calls in 3 sessions" in figure.texts[1].get_text()
    assert [text.get_text() for text in figure.axes[0].texts] == ["8.3 h", "34 d"]


def test_a_crowd_of_calls_is_drawn(world: World) -> None:
    with world.ws.journal.write() as connection:
        for second in range(timeline.CROWD + 1):
            event = Event(
                1_790_000_000_000 + 1000 * second, "codex", "comic.look", "look", "observe", duration_us=second
            )
            record(connection, event)
    assert len(png(lk.plots.activity_timeline(world.ws))) > 5_000


def test_where_nothing_happened_the_picture_says_so(tmp_path: Path) -> None:
    world = World(tmp_path / "world")
    heatmap = lk.plots.edit_heatmap(world.ws)
    assert heatmap.texts[1].get_text() == "Nothing was changed yet."
    assert lk.plots.activity_timeline(world.ws).texts[1].get_text() == "No agent has called anything yet."
    world.close()


def test_chinese_japanese_and_dollars_are_drawn_as_they_are(tmp_path: Path) -> None:
    world = World(tmp_path / "world")
    paper = Paper(width=105_000, height=148_000)
    chapter = world.ws.comics.create_chapter(
        comic="切尔西上天 はじまり $5 and $6", number=9, actor=world.owner, paper=paper, title="第一话"
    ).id
    seen = world.ws.comics.head(chapter)
    unit = random_unit(world.rng, world.ids, 3).model_copy(update={"name": "結び $x_1$"})
    world.ws.comics.commit(chapter, seen, seen.book.insert(unit, 0), actor=world.owner, cause="edit", message="a page")
    figure = lk.plots.edit_heatmap(world.ws, chapter=chapter)
    assert figure.texts[0].get_text() == "切尔西上天 はじまり $5 and $6 · chapter 9 · 第一话"
    assert "1  結び $x_1$" in labels(figure)
    png(figure)  # a glyph that no font has would be a warning, which is an error here
    world.close()


def test_the_same_tables_give_the_same_picture(world: World) -> None:
    chapter = world.ws.comics.chapters()[0].id
    with world.analysis() as db:
        assert png(lk.plots.edit_heatmap(db, chapter=chapter)) == png(lk.plots.edit_heatmap(db, chapter=chapter))
        assert png(lk.plots.activity_timeline(db)) == png(lk.plots.activity_timeline(db))


def test_nothing_is_cut_off_at_the_edges(world: World) -> None:
    with world.analysis() as db:
        figures = [
            lk.plots.activity_timeline(db),
            *(lk.plots.edit_heatmap(db, chapter=record.id) for record in world.ws.comics.chapters()),
        ]
    for figure in figures:
        picture = np.asarray(Image.open(io.BytesIO(png(figure))).convert("L"))
        edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
        assert (edge == 255).all()


def test_a_picture_shows_itself_in_a_notebook() -> None:
    shown = look.nothing("Nothing", "to see")._repr_png_()
    assert Image.open(io.BytesIO(shown)).size == (840, 96)


def test_a_picture_says_its_title_and_its_facts_where_it_cannot_be_seen() -> None:
    assert repr(look.nothing("Agents' activity", "No agent has called anything yet.")) == (
        "Agents' activity: No agent has called anything yet."
    )


SIGHT = {
    "full": np.eye(3),
    "no red cones": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "no green cones": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "no blue cones": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""What becomes of linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""


@pytest.mark.parametrize("sight", SIGHT)
def test_the_colours_of_actors_are_told_apart_by_every_kind_of_eye(sight: str) -> None:
    seen = []
    for colour in (*look.PEOPLE[:1], *look.AGENTS[:3]):
        linear = np.array([(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in to_rgb(colour)])
        changed = np.clip(SIGHT[sight] @ linear, 0, 1)
        xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ changed
        f = np.cbrt(np.maximum(xyz / np.array([0.9505, 1.0, 1.089]), 1e-4))
        seen.append(np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]))
    assert min(float(np.linalg.norm(one - two)) for one, two in combinations(seen, 2)) > 15


def test_drawing_needs_no_pyplot(root: Path) -> None:
    code = "import sys, lantern_kit; lantern_kit.plots; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
