"""A chapter's words in Python: read, changed, written back, saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.workspace import create_workspace


@pytest.fixture
def chapter(tmp_path: Path) -> Iterator[ChapterWork]:
    with create_workspace(tmp_path / "up", title="Up") as ws:
        yield ws.comic("Gull Rock").begin_chapter(1, size="A5")


def test_a_script_makes_pages_and_is_read_back(chapter: ChapterWork) -> None:
    with chapter.edit("from the script") as edit:
        told = edit.write_script(datasets.script("gull-rock"))
    assert told == ("3 units added with 9 panels and 20 lines",)
    assert [unit.model.kind for unit in chapter] == ["cover", "page", "page"]
    assert not chapter.check()
    text = chapter.script()
    assert text.startswith("# The Lamp on Gull Rock\n\n## Cover {#un_")
    with chapter.edit("softer") as edit:
        assert edit.write_script(text.replace("Please burn.", "Burn, please.")) == (
            f"{chapter.book.order[1]}: 1 line changed",
        )
    with chapter.edit("nothing") as edit:
        edit.write_script(chapter.script())
    assert edit.revision is None
    assert "Burn, please." in chapter.script()


def test_a_script_shows_its_lines_and_is_saved(chapter: ChapterWork, tmp_path: Path) -> None:
    with chapter.edit("a page") as edit:
        edit.write_script(".PAGE 1\n\n.PANEL 1\n\nMIRA\nIs it <you>?\n", form="fountain")
        with pytest.raises(BadInput, match="line 3"):
            edit.write_script("## Page\n\n### Act 2\n")
    text = chapter.script("fountain")
    assert repr(text) == str(text)
    shown = text._repr_mimebundle_()
    assert shown["text/plain"] == text
    assert "Is it &lt;you&gt;?" in shown["text/html"]
    assert text.save(tmp_path / "up.fountain").read_text("utf-8") == text
    page = chapter.book.order[0]
    assert chapter.script(units=[page]) == chapter.script()
    with pytest.raises(BadInput, match="no form"):
        chapter.script("markdwon")
    with pytest.raises(NotFound):
        chapter.script(units=["un_00000000"])
