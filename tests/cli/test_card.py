"""Character cards and lorebooks, at the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.cards import read_book, read_card
from tests.cli.conftest import Run


def test_a_card_is_shown_with_its_book_and_its_files(run: Run) -> None:
    said = run("card", datasets.card_file("lin-zhao")).output
    assert "A card, V3 3.0, in JSON" in said
    assert "林昭随身" in said
    assert "半张灯录" in said
    assert "Notices:" not in said
    assert "assets/icon/images/main.png" in run("card", datasets.card_file("mara-quill")).output
    assert "A lorebook, sillytavern, 12 entries" in run("card", datasets.card_file("wu-gang")).output


def test_a_card_is_written_in_another_form_and_what_is_lost_is_told(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "shen.json"
    said = run("card", datasets.card_file("shen-yan"), "--to", "json", "--out", target).output
    assert "The picture is left out." in said
    assert target.read_bytes() == read_card(datasets.open_card("shen-yan")).source
    target.write_text("mine")
    assert (
        "is there already"
        in run("card", datasets.card_file("shen-yan"), "--to", "json", "--out", target, code=1).output
    )
    assert target.read_text() == "mine"
    run(
        "card",
        datasets.card_file("tobias-fenn"),
        "--to",
        "png",
        "--out",
        target,
        "--force",
        "--picture",
        datasets.card_file("shen-yan"),
    )
    assert read_card(target.read_bytes()).name == "Tobias Fenn"
    world = tmp_path / "world.json"
    assert (
        "lost_extensions"
        not in run("card", datasets.card_file("saltmarsh"), "--to", "sillytavern", "--out", world).output
    )
    assert "A lorebook, sillytavern" in run("card", world).output


def test_notices_are_told_and_words_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    data = {"name": "A\x1b[31m", "description": "d", "first_mes": ""}
    file.write_text(json.dumps({"spec": "chara_card_v2", "spec_version": "2.5", "data": data}))
    said = run("card", file).output
    assert "[newer_version]" in said
    assert "[missing_extensions]" in said
    assert "\x1b[31m" not in said


@pytest.mark.parametrize(
    ("data", "code"), [(b"{", "card_not_json"), (b"\x89PNG\r\n\x1a\n", "card_cut_short"), (b"{}", "card_unknown_shape")]
)
def test_a_file_that_is_no_card_is_refused_by_its_code(run: Run, tmp_path: Path, data: bytes, code: str) -> None:
    (tmp_path / "x").write_bytes(data)
    said = run("card", tmp_path / "x", code=1).output
    assert f"[{code}]" in said
    assert "What to do" in said


def test_forms_and_files_go_together(run: Run, tmp_path: Path) -> None:
    assert "--out" in run("card", datasets.card_file("lin-zhao"), "--to", "png", code=2).output
    assert (
        "[card_unwritable]"
        in run("card", datasets.card_file("shen-yan"), "--to", "risu", "--out", tmp_path / "x", code=1).output
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["sillytavern", "v2", "v3"])
def test_the_book_inside_a_card_is_written_by_itself(run: Run, tmp_path: Path, form: str) -> None:
    target = tmp_path / "book.json"
    said = run("card", datasets.card_file("lin-zhao"), "--to", form, "--out", target).output
    assert "Wrote the book in 林昭" in said
    book = read_book(target.read_bytes())
    assert (book.form, [entry.id for entry in book.entries]) == (form, ["1", "2"])


def test_a_card_without_a_book_has_none_to_write(run: Run, tmp_path: Path) -> None:
    said = run("card", datasets.card_file("shen-yan"), "--to", "v3", "--out", tmp_path / "x", code=1).output
    assert "there is no book in this card" in said
    assert "json, png, charx" in said
    assert not list(tmp_path.iterdir())


def test_of_several_files_the_sound_ones_are_shown_and_the_others_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b"{")
    files = (tmp_path / "none.png", datasets.card_file("lin-zhao"), tmp_path / "x.json", datasets.card_file("wu-gang"))
    shown = run("card", *files, code=1)
    assert "林昭随身" in shown.stdout
    assert "A lorebook, sillytavern" in shown.stdout
    assert "[card_not_json]" in shown.stderr
    assert shown.stderr.endswith(f"Could not be read: {files[0]}, {files[2]}\n")
    assert "Could not be read" not in run("card", files[1], files[3]).output
    assert "one file at a time" in run("card", files[1], files[3], "--to", "v3", "--out", "x", code=2).output


def test_a_card_speaks_chinese(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    said = run("card", datasets.card_file("mara-quill")).output
    assert "Mara Quill（Mara）" in said
    assert "标签：English，mystery，sea" in said
    assert "世界书，sillytavern，12 个条目" in run("card", datasets.card_file("wu-gang")).output
