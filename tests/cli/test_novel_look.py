"""What a novel holds, at the shell: its past, what is true in it, where words stand, and its files made anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.novel.stage import Stage, stage


@pytest.fixture
def lamp(tmp_path: Path) -> Iterator[Stage]:
    """A novel with an outline, a unit with facts, and an instruction that waits."""
    made = stage(tmp_path / "lamp")
    made.plan()
    mira = made.made["mira"]
    made.write(
        states=[{"person": mira, "aspect": "place", "value": "the pier", "at": 1}],
        knowledge=[{"who": "reader", "what": "the brass token fits", "at": 0}],
        foreshadows=[{"foreshadow": made.made["key"], "move": "planted", "at": 0}],
    )
    made.instruct("Let it rain.")
    yield made
    made.close()


def test_the_past_of_a_novel_is_listed_and_any_of_it_exported(run: Run, lamp: Stage, tmp_path: Path) -> None:
    said = run("novel", "history", lamp.ws.path).output
    deeds = [line.split("  ", 3)[-1] for line in said.splitlines() if line.startswith("r") and line[1].isdigit()]
    told = [
        "instruction received",
        "unit committed",
        "unit begun",
        "outlined",
        "begun",
    ]
    assert len(deeds) == len(told)
    assert all(word in line for word, line in zip(told, deeds, strict=True))
    assert f"“Chapter 1”, {lamp.novel.head.characters} characters" in said
    assert f"2 {lamp.novel.open_instructions[0].id}: Let it rain." in said
    everything = json.loads(run("novel", "history", lamp.ws.path, "--json").output)
    assert [item["cause"] for item in everything][-1] == "create"
    assert len(everything) == lamp.service.head(lamp.novel_id).revision.seq + 1
    (committed,) = [item for item in everything if item["cause"] == "commit"]
    out = tmp_path / "then.md"
    run("novel", "export", lamp.ws.path, "--revision", committed["revision"], "--out", out)
    assert committed["revision"] in out.read_text()
    assert f"--revision {committed['revision']}" in said


def test_what_the_kit_accounts_for_is_left_out_but_a_pause_never_is(run: Run, lamp: Stage) -> None:
    lamp.ann.configure(limits={"turns": lamp.novel.head.spent.turns + 3})
    lamp.plan()
    lamp.write()
    lamp.next()
    lamp.end(lamp.novel, "it broke")
    assert lamp.halted().reason is not None
    said = run("novel", "history", lamp.ws.path).output
    assert "work prepared" in said.splitlines()[2]
    assert "a limit of the run is reached" in said
    assert "turn ended" not in said
    assert run("novel", "history", lamp.ws.path, "--all").output.count("turn ended") == lamp.novel.head.spent.turns
    newest = run("novel", "history", lamp.ws.path, "--limit", "1").output
    assert "work prepared" in newest and "unit committed" not in newest
    assert "Older ones are not shown" in newest
    assert "Older ones" not in run("novel", "history", lamp.ws.path, "--limit", "12").output
    assert len(json.loads(run("novel", "history", lamp.ws.path, "--json", "--limit", "3").output)) == 3


def test_the_revisions_of_the_outline_say_what_changed_and_why(run: Run, lamp: Stage) -> None:
    lamp.plan()
    said = run("novel", "history", lamp.ws.path, "--outline").output
    assert "as asked" in said and "it begins" in said
    assert "2 chapters added" in said
    assert "--outline goes with no --all" in run("novel", "history", lamp.ws.path, "--outline", "--all", code=2).output


def test_words_are_found_where_they_stand(run: Run, lamp: Stage) -> None:
    (commit,) = lamp.novel.commits
    said = run("novel", "search", lamp.ws.path, "The Lamp", "brass token").output
    assert f"knowledge  Chapter 1  {commit}:0" in said
    said = run("novel", "search", "-w", lamp.ws.path, "said Tom", "--kind", "prose").output
    assert f"prose  Chapter 1  {commit}:1" in said
    assert "Nothing holds these words." in run("novel", "search", lamp.ws.path, "zebra").output
    assert "say what to find too" in run("novel", "search", lamp.ws.path, code=2).output
    assert "foreshadow, lore" in " ".join(
        run("novel", "search", lamp.ws.path, "Tom", "--kind", "x", code=1).output.split()
    )


def test_what_is_true_is_listed_with_its_paragraphs(run: Run, lamp: Stage) -> None:
    (commit,) = lamp.novel.commits
    said = run("novel", "facts", lamp.ws.path).output
    assert f"place: the pier       {commit}:1" in said
    assert "the brass token fits" in said and "foreshadow" in said
    said = run("novel", "facts", lamp.ws.path, "--about", "Mira").output
    assert "the pier" in said and "brass" not in said
    assert "Nothing of that kind" in run("novel", "facts", lamp.ws.path, "--kind", "variable").output
    assert "[bad_input]" in run("novel", "facts", lamp.ws.path, "--kind", "rumour", code=1).output


def test_files_that_somebody_wrote_into_are_made_anew_and_told_of(run: Run, lamp: Stage) -> None:
    assert "status.json: missing" in run("novel", "rebuild", lamp.ws.path).output
    (file,) = (lamp.ws.path / "projections" / "novels" / lamp.novel_id / "chapters").glob("*.md")
    whole = file.read_bytes()
    file.write_bytes(b"x" * len(whole))
    said = run("novel", "rebuild", lamp.ws.path).output
    assert f"chapters/{file.name}: damaged" in said
    assert "2 files made anew" in said
    assert file.read_bytes() == whole
    assert "damaged" not in run("novel", "rebuild", lamp.ws.path).output


def test_the_past_and_what_is_true_are_told_in_chinese_too(
    run: Run, lamp: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    said = run("novel", "history", lamp.ws.path).output
    assert "指令已接收" in said and "单元已提交" in said and "大纲第 1 版" in said
    assert "新增 2 章" in run("novel", "history", lamp.ws.path, "--outline").output
    assert "读者" in run("novel", "facts", lamp.ws.path).output
    assert "所知" in run("novel", "search", lamp.ws.path, "brass").output
    assert "status.json：缺失" in run("novel", "rebuild", lamp.ws.path).output
