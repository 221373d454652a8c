"""A chapter's words in Python: read, changed, written back, saved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.comic.model import Balloon
from lantern_kit.comic.script.groups import meet
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, MergeConflict, NotFound
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


def test_a_script_is_merged_with_what_changed_since_it_was_read(chapter: ChapterWork) -> None:
    with chapter.edit("from the script") as edit:
        edit.write_script(datasets.script("gull-rock"))
    for form in ("markdown", "fountain"):
        text = chapter.script(form)
        balloon = next(item for item in chapter[1].model.objects if getattr(item, "text", "") == "Please burn.")
        with chapter.edit("meanwhile") as edit:
            edit[balloon.id].set(text="Burn!")
            edit.write_script(text.replace("Pull!", "PULL!"), form=form)
        assert "Burn!" in chapter.script()
        assert "PULL! And mind" in chapter.script()
        with chapter.edit("both changed it") as edit:
            with pytest.raises(MergeConflict) as caught:
                edit.write_script(text.replace("Please burn.", "Please, please."), form=form)
            assert caught.value.ids == (balloon.id,)
        lines = [line for line in text.replace("Please burn.", "Please, please.").splitlines() if " at r" not in line]
        with chapter.edit("over it") as edit:
            edit.write_script("\n".join(lines), form=form)
        assert "Please, please." in chapter.script()
        with chapter.edit("again") as edit:
            edit[balloon.id].set(text="Please burn.")


@pytest.mark.parametrize("form", ["markdown", "fountain"])
def test_what_a_script_of_an_earlier_revision_added_already_is_not_added_again(chapter: ChapterWork, form: str) -> None:
    with chapter.edit("from the script") as edit:
        edit.write_script(datasets.script("gull-rock"))
    text = chapter.script(form)
    line = next(line for line in text.splitlines() if "Pull!" in line)
    new = ("MIRA: Hello?\n", "MIRA: Still there?\n")
    if form == "fountain":
        new = ("MIRA\nHello?\n\n", "MIRA\nStill there?\n\n")
        line = f"GRANDFATHER (shout)\n{line}"
        assert line in text
    head = "## Page 9\n\n### Panel 1\n\n" if form == "markdown" else ".PAGE 9\n\n.PANEL 1\n\n"
    before, last = text.rsplit("\n\n", 1)
    once = f"{before}\n\n{head}{new[0]}\n{last}".replace(line, f"{new[0]}{line}", 1)
    with chapter.edit("a line and a page") as edit:
        edit.write_script(once, form=form)
    assert chapter.script().count("Hello?") == 2
    with chapter.edit("the same again") as edit:
        told = edit.write_script(once, form=form)
    assert edit.revision is None
    page, added = chapter.book.order[-2:]
    assert told == (
        f"1 unit without an id taken for what says the same: {added}",
        f"{page}: 1 line without an id taken for what says the same there",
    )
    with chapter.edit("one more") as edit:
        edit.write_script(once.replace(line, f"{new[1]}{line}", 1), form=form)
    assert chapter.script().count("Hello?") == 2
    assert chapter.script().count("Still there?") == 1
    assert not [finding for finding in chapter.check() if finding.rule == "lettering.overlap"]
    for unit in chapter.book.units():
        boxes = [item.box for item in unit.objects if isinstance(item, Balloon)]
        assert not [1 for at, one in enumerate(boxes) for other in boxes[:at] if meet(one, other)]
