"""Pictures of review: what they show is what the tables hold, and they are whole, whoever looks at whatever history."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pytest
from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

import lantern_kit as lk
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.workspace import create_workspace
from tests.analysis.studio import Studio
from tests.analysis.world import World

PICTURES = (
    lk.plots.churn,
    lk.plots.cost_of_change,
    lk.plots.edit_heatmap,
    lk.plots.layout,
    lk.plots.lead_time,
    lk.plots.rejections,
)
OF_ONE = (lk.plots.churn, lk.plots.edit_heatmap, lk.plots.layout)
Draw = Callable[..., Figure]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """Some weeks of work on a short chapter; for reading only."""
    made = Studio(tmp_path_factory.mktemp("studio"), pages=4, seed=3).live(14)
    yield made
    made.ws.close()


@pytest.fixture
def db(studio: Studio) -> Iterator[DuckDBPyConnection]:
    with studio.ws.analysis() as connection:
        yield connection


def png(figure: Figure) -> bytes:
    target = io.BytesIO()
    figure.savefig(target, format="png", metadata={"Software": None})
    return target.getvalue()


def bars(axes: Axes) -> list[Rectangle]:
    """The bars that have any length."""
    return [item for item in axes.patches if isinstance(item, Rectangle) and item.get_width() and item.get_height()]


def dots(axes: Axes) -> int:
    return sum(len(item.get_offsets()) for item in axes.collections if isinstance(item, PathCollection))


def ticks(axes: Axes) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def one(db: DuckDBPyConnection, query: str, *given: Any) -> Any:
    """The only value of a question."""
    ((value,),) = db.execute(query, given).fetchall()
    return value


def test_churn_counts_every_change_once_by_kind_and_by_actor(studio: Studio, db: DuckDBPyConnection) -> None:
    figure = lk.plots.churn(studio.chapter)
    counted = """
        SELECT count(*) FROM changes JOIN revisions USING (revision) WHERE cause <> 'apply'
        AND coalesce(property, '') NOT IN ('reading', 'objects') AND unit IN (SELECT unit FROM units)
    """
    left, right = figure.axes
    assert sum(bar.get_width() for bar in bars(left)) == one(db, counted)
    assert sum(bar.get_width() for bar in bars(right)) == pytest.approx(len(ticks(left)))
    assert [label.split()[0] for label in ticks(left)] == ["1", "2", "3", "4"]


def test_only_what_had_been_changed_before_is_changed_again(tmp_path: Path) -> None:
    world = World(tmp_path / "world")
    chapter = world.ws.works()[0].chapters()[0]
    with chapter.edit("a page") as edit:
        balloon = edit.add_page().say("Hm.", rect=(10, 10, 40, 20)).id
    for words in ("Hm?", "Hm!", "Well."):
        with chapter.edit("words") as edit:
            edit[balloon].set(text=words)
    with chapter.edit("out") as edit:
        edit[balloon].remove()
    figure = lk.plots.churn(chapter)
    assert [bar.get_width() for bar in bars(figure.axes[0])] == [2, 1, 2, 1]
    assert "6 changes, 33% of them" in figure.texts[1].get_text()
    world.close()


def test_every_proposal_is_a_mark_at_the_time_it_waited(studio: Studio, db: DuckDBPyConnection) -> None:
    figure = lk.plots.lead_time(studio.chapter)
    calendar, drafting, waiting = figure.axes
    proposals = one(db, "SELECT count(*) FROM proposals")
    open_ones = one(db, "SELECT count(*) FROM proposals WHERE state IN ('pending', 'kept')")
    assert dots(calendar) == dots(drafting) == proposals
    assert dots(waiting) == proposals - open_ones
    waited = "SELECT date_diff('microsecond', frozen_at, decided_at) / 1000 FROM proposals WHERE state = 'applied'"
    shown = [float(y) for item in calendar.collections for _, y in np.asarray(item.get_offsets())]
    for (milliseconds,) in db.execute(waited).fetchall():
        assert any(y == pytest.approx(milliseconds) for y in shown)


def test_the_middle_is_said_beside_each_strip(studio: Studio, db: DuckDBPyConnection) -> None:
    drafting = lk.plots.lead_time(db).axes[1]
    said = {label: text.get_text() for label, text in zip(ticks(drafting), drafting.texts, strict=True)}
    for agent, words in said.items():
        query = "SELECT date_diff('microsecond', created_at, frozen_at) / 60e6 FROM proposals WHERE actor = ?"
        minutes = median(value for (value,) in db.execute(query, [agent]).fetchall())
        assert words == f"{minutes:.0f} min"


def test_what_became_of_proposals_adds_up_and_reasons_stand_in_their_own_words(
    studio: Studio, db: DuckDBPyConnection
) -> None:
    outcomes, things, words = lk.plots.rejections(studio.chapter).axes
    assert sum(bar.get_width() for bar in bars(outcomes)) == one(db, "SELECT count(*) FROM proposals")
    assert sum(bar.get_width() for bar in bars(things)) == one(db, "SELECT count(*) FROM rejections") > 0
    reasons = db.execute(
        "SELECT reason FROM rejections WHERE went_with IS NULL"
        " UNION ALL SELECT reason FROM approvals WHERE verdict = 'discard'"
    ).fetchall()
    assert sum(bar.get_width() for bar in bars(words)) == len(reasons)
    told = {f"“{reason}”" if reason else "no reason given" for (reason,) in reasons}
    assert set(ticks(words)) == told


def test_calls_and_answers_are_those_of_the_tasks_that_led_to_the_change(
    studio: Studio, db: DuckDBPyConnection
) -> None:
    figure = lk.plots.cost_of_change(studio.chapter)
    calls, _, answers, _ = figure.axes
    applied = db.execute(
        "SELECT draft, revisions.changes FROM approvals JOIN proposals USING (proposal)"
        " JOIN revisions ON revision = result"
    ).fetchall()
    assert dots(calls) == dots(answers) == len(applied)
    group = "FROM activity JOIN activity_groups AS g USING (activity_group) WHERE capability <> '' AND g.draft = ?"
    for axes, what in ((calls, "count(*)"), (answers, "sum(answer_bytes)")):
        shown = sorted(float(x) for item in axes.collections for x, _ in np.asarray(item.get_offsets()))
        wanted = sorted(one(db, f"SELECT {what} {group}", draft) / changes for draft, changes in applied)
        assert shown == pytest.approx(wanted)


def test_layout_shows_each_unit_frame_gutter_and_balloon(studio: Studio, db: DuckDBPyConnection) -> None:
    frames, words, areas, gutters, balloons, eye = lk.plots.layout(studio.chapter).axes
    here = "FROM objects WHERE line = ? AND kind = "
    count = one(db, f"SELECT count(*) {here}'frame'", studio.chapter.id)
    assert sum(bar.get_height() for bar in bars(frames)) == sum(bar.get_height() for bar in bars(areas)) == count
    assert sum(bar.get_height() for bar in bars(words)) == one(
        db, "SELECT sum(characters) FROM objects WHERE line = ?", studio.chapter.id
    )
    assert sum(bar.get_height() for bar in bars(gutters)) == one(
        db, "SELECT count(*) FROM gutters WHERE line = ?", studio.chapter.id
    )
    assert sum(bar.get_height() for bar in bars(balloons)) == one(
        db, f"SELECT count(*) {here}'balloon'", studio.chapter.id
    )
    assert dots(eye) == count


def test_where_there_is_no_chapter_pictures_say_so_or_what_is_missing(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "ws", title="Empty", owner="mina", config=tmp_path / "config") as ws:
        for draw in PICTURES:
            figure = draw(ws)
            assert figure.axes == []
            assert figure.texts[1].get_text().startswith(("Begin one", "No ")), draw
        ws.comic("Chelsea").begin_chapter(1)
        for draw in PICTURES:
            figure = draw(ws)
            assert figure.axes == []
            assert figure.texts[1].get_text().startswith(("The chapter has", "No", "Nothing was")), draw


def test_one_of_several_chapters_must_be_named_where_one_is_drawn(world: World) -> None:
    known = [record.id for record in world.ws.comics.chapters()]
    assert len(known) > 1
    with world.analysis() as tables:
        for draw in PICTURES:
            with pytest.raises(NotFound, match="ch_nowhere"):
                draw(tables, chapter="ch_nowhere")
            if draw in OF_ONE:
                with pytest.raises(BadInput, match="several"):
                    draw(tables)
            else:
                assert draw(tables).axes
            assert draw(tables, chapter=known[0]).axes


@pytest.mark.parametrize("draw", PICTURES, ids=lambda draw: draw.__name__)
def test_the_same_tables_give_the_same_picture_and_nothing_is_cut_off(
    draw: Draw, studio: Studio, db: DuckDBPyConnection
) -> None:
    first = png(draw(db, chapter=studio.chapter.id))
    assert first == png(draw(db, chapter=studio.chapter.id))
    picture = np.asarray(Image.open(io.BytesIO(first)).convert("L"))
    edge = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    assert (edge == 255).all()


def test_an_agent_has_one_colour_in_all_pictures(studio: Studio, db: DuckDBPyConnection) -> None:
    def legend(figure: Figure) -> dict[str, str]:
        found = {}
        for legend in filter(None, (axes.get_legend() for axes in figure.axes)):
            for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
                colour = handle.get_facecolor() if hasattr(handle, "get_facecolor") else handle.get_color()
                found[text.get_text()] = to_hex(colour)
        return found

    pictures = [lk.plots.churn(db), lk.plots.edit_heatmap(db), lk.plots.activity_timeline(db)]
    for agent in ("claude-code", "codex", "gemini-cli"):
        assert len({legend(figure)[agent] for figure in pictures}) == 1


def test_of_many_units_those_that_churn_most_are_drawn(tmp_path: Path) -> None:
    world = World(tmp_path / "world")
    chapter = world.ws.works()[0].chapters()[0]
    with chapter.edit("pages") as edit:
        pages = [edit.add_page().id for _ in range(60)]
    for turn in range(3):
        with chapter.edit("names") as edit:
            for page in pages[40:50]:
                edit[page].run("unit.set", name=f"turn {turn}")
    figure = lk.plots.churn(chapter)
    places = [int(label.split()[0]) for label in ticks(figure.axes[0])]
    assert len(places) == 28
    assert set(range(41, 51)) <= set(places)
    assert places == sorted(places)
    world.close()
