"""How things that people hold say what they are, in a shell and in a notebook."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Balloon
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, LanternError, NotFound
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import proposed


def test_an_error_says_on_one_line_what_was_expected_and_what_to_do() -> None:
    error = BadInput("A9 is no paper", expected=["A4", "A5"], found="A9", recovery="Choose one.")
    assert str(error) == "A9 is no paper · expected: A4, A5 · found: A9 · Choose one."
    assert str(LanternError("x")) == "x"
    assert len(str(NotFound("x", expected=["word"] * 1_000))) < 600


def test_an_error_in_a_notebook_is_told_without_a_traceback_through_the_kit(
    ws: Workspace, chapter: ChapterWork, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = InteractiveShell.instance()
    shell.user_ns["ws"] = ws
    try:
        shell.run_cell("1 + 1\nws.proposals['p9']")
    finally:
        InteractiveShell.clear_instance()
    said = capsys.readouterr().out
    assert said.splitlines()[0].endswith("NotFound [not_found]: there is no proposal p9")
    assert "  about: p9" in said
    assert "  what to do: List the proposals." in said
    assert "  line 2 of the cell: ws.proposals['p9']" in said
    assert "lantern_kit" not in said


def test_a_verdict_shows_what_came_of_it(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    name = proposed(ws, chapter, "It is mine.").id
    kept = ws.proposals[name].keep(me, reason="after <lunch>")
    assert repr(kept) == f"<{name} kept by mina (after <lunch>), signed with {me.key}>"
    assert "after &lt;lunch&gt;" in kept._repr_html_()
    done = ws.proposals[name].apply(me)
    assert done.revision is not None
    assert (
        repr(done) == f"<{name} applied by mina: the work is at {done.revision.id}, saved as s1, signed with {me.key}>"
    )


def test_things_are_called_by_what_people_know_of_them(ws: Workspace, chapter: ChapterWork, cat: AssetVersion) -> None:
    saved = chapter.save("first words")
    assert repr(saved) == f"<Saved version s1 “first words”: {chapter.moment.id}, by mina>"
    assert repr(cat) == f"<Picture {cat.id} “Chelsea”: 451×300 px, CC0-1.0>"
    assert repr(ws) == "<Workspace 'Chelsea': 1 chapter>"
    assert repr(ws.works()) == "<Comic 'Chelsea Goes Up': 1 chapter>"
    assert "2 units" in repr(chapter)
    assert "1 object," in repr(chapter[1])


def test_findings_name_their_objects_beside_the_ids(chapter: ChapterWork) -> None:
    balloon = next(item for item in chapter[0].model.objects if isinstance(item, Balloon))
    with chapter.edit("too much") as edit:
        edit[balloon.id].set(text="far too many words for so small a balloon " * 9, rect=(70, 20, 9, 5))
    here, whole = chapter[0].check(), chapter.check()
    assert f"balloon 1 ({balloon.id})" in repr(here)
    assert f"balloon 1 ({balloon.id})" in here._repr_mimebundle_()["text/html"]
    assert f"Page 1 “One”, balloon 1 ({balloon.id})" in repr(whole)
    assert len(whole) >= len(here)
    assert list(whole)[: len(here)] == list(here)


def test_an_answer_of_the_history_can_be_had_as_a_data_frame(ws: Workspace, chapter: ChapterWork) -> None:
    with ws.analysis() as tables:
        frame = tables.sql("select actor, count(*) as changes from changes group by all").df()
    assert list(frame["actor"]) == ["mina"]
    assert int(frame["changes"].iloc[0]) > 5
