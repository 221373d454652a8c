"""The library at the shell."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from lantern_kit import datasets
from lantern_kit.cli import person
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal, and what they type to the next questions."""
    answers: list[str] = []
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(person, "types", lambda question: answers.pop(0))
    monkeypatch.setattr(person, "agrees", lambda question: True)
    return answers


@pytest.mark.usefixtures("here")
def test_an_entry_is_kept_with_its_pictures_listed_shown_and_updated(run: Run, made: Workspace, tmp_path: Path) -> None:
    assert "Nothing is kept yet." in run("library", made.path).output
    picture = tmp_path / "mira=1.png"
    picture.write_bytes(datasets.open_photo("chelsea"))
    known = made.assets.find("Chelsea")[0].id
    said = run(
        "library", "keep", made.path, "character", "Mira", "--sheet", picture, "--sheet", f"{known}=front",
        "--colour", "#D97706", "--alias", "小光", "--look", "raincoat=yellow", "--notes", "Never smiles.",
        "--message", "she stays",
    ).output  # fmt: skip
    entry = made.library["小光"]
    assert entry.id in said and "version 1" in said
    assert [sheet.role for sheet in entry.content.sheets] == ["", "front"]
    assert made.assets.get(entry.content.sheets[0].asset).title == "Mira"
    assert (entry.palette, entry.content.looks[0].notes) == (("#d97706",), "yellow")
    assert "Never smiles." in run("library", made.path, "raincoat", "--kind", "character").output
    assert "Nothing in the library fits." in run("library", made.path, "nobody").output
    shown = run("library", "show", made.path, "mira").output
    assert "she stays" in shown and "Never smiles." in shown
    with Image.open(made.path / "exports" / "library" / f"{entry.id}.png") as drawn:
        assert drawn.width == 1_400
    assert "version 2" in run("library", "update", made.path, "Mira", "--notes", "Smiles once.").output
    assert made.library["Mira"].notes == "Smiles once."
    assert "version 3" in run("library", "restore", made.path, "Mira", "1").output
    assert made.library["Mira"].notes == "Never smiles."
    assert made.verify().clean


def test_an_entry_is_put_away_only_by_its_exact_name_and_brought_back(
    run: Run, made: Workspace, here: list[str]
) -> None:
    entry = made.library.keep("character", "Chelsea")
    here += ["chelsea", "Chelsea"]
    refused = run("library", "archive", made.path, "Chelsea", code=1).output
    assert "another one" in refused and "Nothing was changed" in refused
    said = run("library", "archive", made.path, "Chelsea", "-m", "cut").output
    assert "stay as they are: 1" in said
    assert f"lantern library restore {made.path} {entry.id} 1" in said
    assert "Nothing is kept yet." in run("library", made.path).output
    assert entry.id in run("library", made.path, "--archived").output
    run("library", "restore", made.path, entry.id, "1")
    assert entry.id in run("library", made.path).output


@pytest.mark.usefixtures("here")
def test_a_layout_is_kept_from_a_page_and_uses_are_listed(run: Run, made: Workspace) -> None:
    run("library", "keep", made.path, "layout", "Full page", "--page", "1/1")
    assert made.library["Full page"].template.slots
    made.library.keep("character", "Chelsea")
    said = run("library", "uses", made.path, "1").output
    assert "Chelsea" in said and "speaker" in said and "Page 1" in said
    assert run("library", "uses", made.path).output == said
    for words in (("Other", "--page", "one"), ("Other", "--page", "1/x"), ("Other", "--page", "1/9"), ("Full page",)):
        run("library", "keep", made.path, "layout", *words, code=1)
    run("library", "keep", made.path, "villain", "Other", code=1)
    run("library", "keep", made.path, "prop", "Other", "--sheet", "nowhere.png", code=1)
    run("library", "restore", made.path, "Full page", "x", code=1)
    assert len(made.library) == 2


@pytest.mark.parametrize(
    "words",
    [
        ("restore", "Chelsea", "1"),
        ("archive", "Chelsea"),
    ],
)
def test_nothing_is_brought_back_or_put_away_where_no_person_is(
    run: Run, made: Workspace, words: tuple[str, ...]
) -> None:
    made.library.keep("character", "Chelsea")
    deed, *rest = words
    assert "terminal" in run("library", deed, made.path, *rest, code=1).output
    assert [(item.name, item.number) for item in made.library] == [("Chelsea", 1)]


def test_what_is_wrong_of_an_entry_is_told_by_its_option(run: Run, made: Workspace) -> None:
    def refused(*words: str) -> str:
        return run("library", "keep", made.path, *words, code=1).output

    said = refused("prop", "Cup", "--colour", "#ffffff", "--colour", "red")
    assert "--colour 2: a colour" in said and "palette" not in said
    assert "--comic: there is no comic Chelsea" in refused("prop", "Cup", "--comic", "Chelsea")
    assert "--page 1/3" in refused("layout", "Wide")
    beyond = refused("layout", "Wide", "--page", "1/9")
    assert "a number from 1 to 1" in beyond and "found: 9" in beyond
    made.library.keep("prop", "Cup")
    assert "--look 1 name" in run("library", "update", made.path, "Cup", "--look", "=worn", code=1).output
    assert made.library["Cup"].number == 1


def test_a_script_keeps_entries_and_says_them_anew(run: Run, made: Workspace) -> None:
    for name in ("Lamp", "Cup"):
        run("library", "keep", made.path, "prop", name)
        run("library", "update", made.path, name, "--notes", "Old.")
    assert [(item.name, item.number, item.notes) for item in made.library] == [("Cup", 2, "Old."), ("Lamp", 2, "Old.")]


def test_an_entry_is_brought_back_only_after_a_yes(
    run: Run, made: Workspace, here: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made.library.keep("character", "Chelsea").update(notes="x")
    monkeypatch.setattr(person, "agrees", here.append)
    assert "Nothing was changed" in run("library", "restore", made.path, "Chelsea", "1", code=1).output
    assert here == ["Bring back version 1 of Chelsea?"]
    assert made.library["Chelsea"].number == 2
    assert "[not_found]" in run("library", "restore", made.path, "Chelsea", "0", code=1).output


def test_it_speaks_chinese(run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "资产库还是空的。" in run("library", made.path).output
    made.library.keep("character", "Chelsea")
    assert "角色" in run("library", made.path).output
    assert "说话者" in run("library", "uses", made.path).output
