"""Annotations at the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from lantern_kit import datasets
from lantern_kit.cli import person
from lantern_kit.comic.annotation import Annotation, Kind, State
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, balloon


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal; what they answer to the next questions."""
    answers = ["no", "yes"]
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(person, "agrees", lambda question: answers.pop(0) == "yes")
    return answers


@pytest.fixture
def work(made: Workspace) -> ChapterWork:
    return ChapterWork(made, made.comics.chapters()[0].id)


def kept(made: Workspace) -> list[Annotation]:
    return made.annotation_service.of_chapter(made.comics.chapters()[0].id)


@pytest.mark.usefixtures("here")
def test_an_annotation_is_written_listed_shown_with_pins_and_settled(run: Run, made: Workspace, tmp_path: Path) -> None:
    picture = tmp_path / "like-this.png"
    picture.write_bytes(datasets.open_photo("chelsea"))
    thing, page = balloon(made).id, made.comics.head(made.comics.chapters()[0].id).book.order[0]
    where = ("--on", f"{thing}@0.25,0.5", "--on", f"{page}@0.3,0.8", "--on", page)
    said = run("annotate", made.path, "1", "Softer, please.", *where, "--attach", picture).output
    (item,) = kept(made)
    assert item.id in said
    assert [(found.kind, found.at) for found in item.references] == [
        (Kind.ELEMENT, (250_000, 500_000)),
        (Kind.POINT, (300_000, 800_000)),
        (Kind.ELEMENT, (500_000, 500_000)),
    ]
    assert made.assets.get(item.attachments[0]).title == "like-this.png"
    listed = run("annotations", made.path).output
    assert "Softer, please." in listed
    assert f"lantern annotations settle {made.path} {item.id}" in listed
    run("annotations", "show", made.path, item.id)
    with Image.open(made.path / "exports" / "review" / item.id / "1.png") as drawn:
        assert max(drawn.size) == 1_400
    for deed, state in (
        ("settle", State.RESOLVED),
        ("reopen", State.OPEN),
        ("shelve", State.SHELVED),
        ("reopen", State.OPEN),
    ):
        run("annotations", deed, made.path, item.id)
        assert kept(made)[0].state is state
    run("annotations", "reword", made.path, item.id, "Much softer.")
    run("annotations", "reply", made.path, item.id, "Or not at all.")
    assert kept(made)[0].body == "Much softer."
    assert kept(made)[0].messages[0].body == "Or not at all."


def test_an_annotation_is_erased_only_with_a_yes(run: Run, made: Workspace, work: ChapterWork, here: list[str]) -> None:
    item = work.annotate("Softer, please.")
    run("annotations", "erase", made.path, item.id, code=1)
    assert len(kept(made)) == 1
    run("annotations", "erase", made.path, item.id)
    assert kept(made) == []
    assert "No annotations" in run("annotations", made.path).output
    assert here == []


def test_a_script_may_write_but_not_erase(run: Run, made: Workspace, work: ChapterWork) -> None:
    run("annotate", made.path, "1", "Softer, please.")
    (item,) = kept(made)
    for deed, *words in (("reword", "Softer."), ("reply", "Done."), ("settle",), ("reopen",), ("shelve",)):
        run("annotations", deed, made.path, item.id, *words)
    assert "[not_allowed]" in run("annotations", "erase", made.path, item.id, code=1).output
    assert [held.body for held in kept(made)] == ["Softer."]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("on", ["what", "un_1", "bl_0zr4n6yc@1", "bl_0zr4n6yc@0.5,9", "bl_0000none", "bl_0zr4n6yc@.,."])
def test_what_cannot_be_pointed_at_is_refused_in_words(run: Run, made: Workspace, on: str) -> None:
    said = run("annotate", made.path, "1", "Here.", "--on", on, code=1).output
    assert "[bad_input]" in said or "[not_found]" in said
    assert kept(made) == []


def test_annotations_are_exported_apart_from_the_work(
    run: Run, made: Workspace, work: ChapterWork, tmp_path: Path
) -> None:
    work.annotate("Softer, please.", on=balloon(made).id)
    work.annotate("Settled.").resolve()
    run("annotations", "export", made.path)
    page = json.loads((made.path / "exports" / "annotations-1.jsonld").read_text(encoding="utf-8"))
    assert [item["body"][0]["value"] for item in page["items"]] == ["Softer, please."]
    run("annotations", "export", made.path, "1", "--all", "--out", tmp_path / "notes.jsonld")
    assert len(json.loads((tmp_path / "notes.jsonld").read_text())["items"]) == 2


def test_what_was_written_cannot_steer_the_terminal(run: Run, made: Workspace, work: ChapterWork) -> None:
    work.annotate("fine \u202eevil [bold]not markup[/bold]")
    said = run("annotations", made.path).output
    assert "\u202e" not in said
    assert "[bold]not markup[/bold]" in said


def test_an_annotation_that_is_not_there_is_named(run: Run, made: Workspace) -> None:
    assert "[not_found]" in run("annotations", "show", made.path, "an_0000none", code=1).output
