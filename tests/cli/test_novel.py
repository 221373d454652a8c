"""Novels at the shell: begun, told what is wanted, and what a person decides about them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit.kernel.clock import minute
from lantern_kit.novel.formats.outline import outline_markdown
from lantern_kit.novel.model import Approval, Source, Target
from lantern_kit.workspace import Workspace, create_workspace
from tests.cli.conftest import Run
from tests.novel.stage import Stage, config, outline, stage

CARDS = Path(__file__).parents[2] / "datasets" / "cards"


@pytest.fixture
def empty(tmp_path: Path, config: Path) -> Iterator[Workspace]:
    """An open workspace without a novel."""
    with create_workspace(tmp_path / "shelf", title="Shelf", owner="mina", config=config) as made:
        yield made


@pytest.fixture
def lamp(tmp_path: Path) -> Iterator[Stage]:
    """A novel with an author at the desk, nothing done yet."""
    made = stage(tmp_path / "lamp")
    yield made
    made.close()


def test_a_novel_is_begun_from_cards_and_listed(run: Run, empty: Workspace) -> None:
    assert "lantern novel new" in run("novel", empty.path).output
    said = run(
        "novel", "new", empty.path, "The Salt", "--ask", "Of salt.", "--card", CARDS / "tobias-fenn.json",
        "--card", CARDS / "saltmarsh.json", "--chapters", "3", "--length", "5000", "--language", "en", "--key", "k1",
    ).output  # fmt: skip
    (made,) = empty.novels
    assert made.id in said
    assert "saltmarsh" in said.lower()
    assert f"lantern novel run {empty.path} {made.id}" in said
    held = made.moment.novel
    assert (held.config.chapters, held.config.language) == (3, "en")
    run("novel", "new", empty.path, "The Salt", "--ask", "Of salt.", "--card", CARDS / "tobias-fenn.json",
        "--card", CARDS / "saltmarsh.json", "--chapters", "3", "--length", "5000", "--language", "en", "--key", "k1",
    )  # fmt: skip
    assert len(empty.novels) == 1
    assert "The Salt" in run("novel", "list", empty.path).output


def test_a_new_novel_lists_all_it_is_fixed_with_books_in_cards_and_what_is_kept_once(
    run: Run, empty: Workspace, tmp_path: Path
) -> None:
    entries = [{"keys": ["harbour"], "content": "It freezes.", "extensions": {}, "enabled": True, "insertion_order": 0}]
    book = {"name": "North", "entries": entries, "extensions": {}}
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mara", "character_book": book}}
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps(card), encoding="utf-8")
    said = run("novel", "new", empty.path, "N", "--ask", "Of ice.", "--card", tmp_path / "one.json").output
    assert "book  North" in said
    assert "1 entry, in Mara" in said
    assert "kept once" not in said
    said = run(
        "novel", "new", empty.path, "M", "--ask", "Of ice.", "--card", tmp_path / "one.json",
        "--card", tmp_path / "two.json",
    ).output  # fmt: skip
    assert said.count("book  North") == said.count("card  Mara") == 1
    assert "what several files say alike is kept once" in said


REFUSED = [
    (("--card", "nowhere.png"), "no such card"),
    (("--length", "90000", "--hard-maximum", "80"), "at least the target"),
    (("--hard-maximum", "80"), "goes with a length"),
    (("--chapters", "9", "--turns", "3"), "limits.turns of at least 20"),
    (("--language", "not a tag"), "language"),
]


def test_what_cannot_be_is_refused_in_words(run: Run, empty: Workspace) -> None:
    for words, told in REFUSED:
        shown = run("novel", "new", empty.path, "Salt", "--ask", "Of salt.", *words, code=1).output
        assert told in shown
        assert "all:" not in shown
    assert not empty.novels


def test_a_novel_without_a_title_is_asked_for_one(run: Run, empty: Workspace) -> None:
    assert "say what it is called" in run("novel", "new", empty.path, "--ask", "Of salt.", code=2).output
    run("novel", "new", "Salt", "--ask", "Of salt.", "-w", empty.path)
    assert [item.title for item in empty.novels] == ["Salt"]


def test_a_novel_that_is_meant_is_named_or_the_only_one(run: Run, empty: Workspace) -> None:
    assert "there are no novels" in run("novel", "status", empty.path, code=1).output
    first = empty.novels.begin("Salt", "Of salt.")
    assert first.id in run("novel", "status", empty.path).output
    second = empty.novels.begin("Tide", "Of the tide.")
    shown = run("novel", "pause", empty.path, code=1).output
    assert "several novels" in shown
    assert second.id in shown
    assert "Tide" in run("novel", "status", empty.path, "Tide").output
    assert "Tide" in run("novel", "status", "Tide", "-w", empty.path).output
    assert "[not_found]" in run("novel", "status", empty.path, "Tida", code=1).output


def test_an_instruction_that_comes_while_a_unit_is_written_names_that_unit(run: Run, lamp: Stage) -> None:
    lamp.plan()
    lamp.claim(lamp.next())
    said = run("novel", "instruct", lamp.ws.path, "Let it rain.").output
    assert "takes effect after unit 1, of “Chapter 1”: it is being written" in said


def test_the_list_says_how_far_each_novel_is_and_when_it_last_went_on(run: Run, empty: Workspace) -> None:
    empty.novels.begin("Salt", "Of salt.", length=4_000)
    empty.novels.begin("Tide", "Of the tide.").pause()
    listed = run("novel", "list", empty.path).output
    salt, tide = (line for name in ("Salt", "Tide") for line in listed.splitlines() if line.startswith(name))
    last = minute(empty.novels["Salt"].moment.revision.at)
    assert salt.split("  ")[-1].strip() == last
    assert "0/4,000" in salt
    assert "paused by a person" in tide
    assert "Paused by" not in listed


def test_the_status_says_what_is_pending_blocked_and_what_would_let_it_go_on(run: Run, lamp: Stage) -> None:
    lamp.plan()
    done = lamp.write(states=[{"person": lamp.made["mira"], "aspect": "life", "value": "dead", "at": 0}])
    said = run("novel", "instruct", lamp.ws.path, "Mira never died.").output
    asked = lamp.novel.open_instructions[0].id
    assert f"Received as instruction 2: {asked}, kept in {lamp.service.head(lamp.novel_id).id}" in said
    assert "takes effect before the next unit" in said
    lamp.next()
    lamp.desk.block(asked, "Mira is dead since chapter 1.", [Source(commit=done.id, paragraph=0)], 1)
    shown = run("novel", "status", lamp.ws.path).output
    assert "an instruction contradicts what is written" in shown
    assert "Mira is dead since chapter 1." in shown
    listed = run("novel", "list", lamp.ws.path).output
    assert f"{lamp.novel_id}: Mira is dead since chapter 1." in listed
    assert f"0/2       {lamp.novel.head.characters}" in listed
    assert f"{done.id}:0 in “Chapter 1”: {lamp.service.paragraphs(lamp.novel, done.id)[0][:40]}" in shown
    assert f"--answers {asked} --withdraw" in shown
    assert "cannot go on yet" in run("novel", "resume", lamp.ws.path, code=1).output
    facts = json.loads(run("novel", "status", lamp.ws.path, "--json").output)
    assert facts["pause"]["reason"] == "requirement-conflict"
    assert facts["instructions"]["blocked"] == [asked]
    assert facts["ledger"][1]["conflict"]["sources"] == [f"{done.id}:0"]
    assert {item["deed"] for item in facts["next"]} == {"clarify", "withdraw"}
    run("novel", "instruct", lamp.ws.path, "A dream, much later.", "--answers", asked)
    shown = run("novel", "status", lamp.ws.path).output
    assert f" (about {asked})  still pending: A dream, much later." in shown
    assert "let it go on" in shown
    run("novel", "resume", lamp.ws.path)
    lamp.plan()
    told = run("novel", "status", lamp.ws.path, "--instructions").output
    assert "dealt with by outline revision 2" in told
    assert lamp.novel.head.run.status.value == "active"
    assert "1 in_" in run("novel", "status", lamp.ws.path, "--instructions").output


def test_a_blocked_instruction_is_withdrawn_without_words(run: Run, lamp: Stage) -> None:
    lamp.plan()
    run("novel", "instruct", lamp.ws.path, "Mira never died.", "--message", "m1")
    run("novel", "instruct", lamp.ws.path, "Mira never died.", "--message", "m1")
    (asked,) = lamp.novel.open_instructions
    lamp.next()
    lamp.desk.block(asked.id, "She is.", [], 1)
    assert "--withdraw goes with --answers" in run("novel", "instruct", lamp.ws.path, "--withdraw", code=2).output
    run("novel", "instruct", lamp.ws.path, "--answers", asked.id, "--withdraw")
    assert lamp.novel.open_instructions[-1].source.value == "withdrawal"
    assert "is not blocked" in run("novel", "instruct", lamp.ws.path, "…", "--answers",
                                   lamp.novel.open_instructions[-1].id, code=1).output  # fmt: skip


def test_without_words_nothing_is_instructed(run: Run, lamp: Stage) -> None:
    for words in ((), ("",), ("  ",)):
        assert "say what is wanted" in run("novel", "instruct", *words, "-w", lamp.ws.path, code=2).output
    assert "say what is wanted" in run("novel", "instruct", lamp.ws.path, code=2).output
    assert lamp.novel.head.received == 1


def test_an_outline_is_read_then_approved_and_no_other_than_that(run: Run, tmp_path: Path) -> None:
    made = stage(tmp_path / "ws", configured=config(approval=Approval.MANUAL))
    assert "No outline yet" in run("novel", "outline", made.ws.path).output
    assert "What to do: Let its author write" in run("novel", "approve", made.ws.path, "--outline", "1", code=1).output
    made.plan()
    made.halted()
    shown = run("novel", "outline", made.ws.path).output
    assert "goal 1.2" in shown
    assert f"approve {made.ws.path} {made.novel_id} --outline 1" in shown
    run("novel", "instruct", made.ws.path, "More fog.")
    assert "[wrong_state]" in run("novel", "approve", made.ws.path, "--outline", "1", code=1).output
    run("novel", "update", made.ws.path)
    made.plan()
    made.halted()
    assert "[novel_revision_conflict]" in run("novel", "approve", made.ws.path, "--outline", "1", code=1).output
    assert "Approved outline revision 2." in run("novel", "approve", made.ws.path, "--outline", "2").output
    assert made.novel.head.approved == 2
    made.close()


def test_pause_stop_resume_free_and_limits_go_through_while_an_author_writes(run: Run, lamp: Stage) -> None:
    lamp.plan()
    lamp.claim(lamp.next())
    assert "an author is at work: bot" in run("novel", "status", lamp.ws.path).output
    run("novel", "pause", lamp.ws.path)
    assert lamp.novel.head.claimed is not None
    run("novel", "stop", lamp.ws.path)
    assert lamp.novel.head.claimed is None
    run("novel", "configure", lamp.ws.path, "--turns", "70", "--stalled", "2", "--length", "900")
    assert (lamp.novel.config.limits.turns, lamp.novel.config.limits.stalled) == (70, 2)
    assert "name something to change" in run("novel", "configure", lamp.ws.path, code=2).output
    run("novel", "configure", lamp.ws.path, "--no-length")
    assert lamp.novel.config.length.kind == "unbounded"
    run("novel", "configure", lamp.ws.path, "--tokens", "9000")
    assert lamp.novel.config.limits.tokens == 9_000
    run("novel", "configure", lamp.ws.path, "--no-tokens", "--tokens", "5", code=2)
    run("novel", "configure", lamp.ws.path, "--no-tokens")
    assert (lamp.novel.config.limits.tokens, lamp.novel.config.limits.turns) == (None, 70)
    run("novel", "resume", lamp.ws.path)
    run("novel", "free", lamp.ws.path)
    assert lamp.service.authors.holder(lamp.novel_id) == ""


def test_what_a_model_wrote_cannot_steer_a_terminal(run: Run, lamp: Stage) -> None:
    run("novel", "instruct", lamp.ws.path, "Red \x1b[31mfog\u202e.", code=1)
    run("novel", "instruct", lamp.ws.path, "Red fog\u202e.")
    shown = run("novel", "status", lamp.ws.path).output
    assert "\u202e" not in shown
    assert "Red fog\\u202e." in shown


def test_it_speaks_chinese(run: Run, lamp: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "已接收，第 2 条指令" in run("novel", "instruct", lamp.ws.path, "多一点雾。").output
    shown = run("novel", "pause", lamp.ws.path).output + run("novel", "status", lamp.ws.path).output
    assert "由人暂停" in shown
    assert "在下一单元之前生效" in shown
    run("novel", "new", lamp.ws.path, "灯", "--ask", "写一盏灯。")
    assert lamp.ws.novel("灯").moment.novel.config.language == "zh"


@pytest.mark.parametrize(("ask", "language"), [("写一个 lamp 守灯人的故事", "zh"), ("Of salt, 盐.", "en")])
def test_the_language_is_that_of_the_request_and_is_said(run: Run, empty: Workspace, ask: str, language: str) -> None:
    said = run("novel", "new", empty.path, "Salt", "--ask", ask).output
    assert empty.novels[0].moment.novel.config.language == language
    assert f"language: {language}" in said
    again = run("novel", "new", empty.path, "Salt", "--ask", ask).output
    assert f"of the same title: {empty.novels[0].id};" in again


def test_a_misspelt_command_is_told_the_nearest(run: Run) -> None:
    assert "nearest: status" in run("novel", "statsu", "w", code=2).output


def test_what_is_offered_is_not_refused(run: Run, lamp: Stage) -> None:
    assert "novel run" not in run("novel", "list", lamp.ws.path).output  # its author has the seat
    lamp.plan()
    lamp.write()
    lamp.ann.pause()
    assert "novel resume" in run("novel", "list", lamp.ws.path).output


def test_a_workspace_for_novels_asks_nothing(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "my-novels"
    assert f"lantern novel new {folder}" in run("init", folder, "--novels").output
    run("init", tmp_path / "other", "--novels", "--paper", "A5", code=2)
    run("novel", "new", folder, "灯", "--ask", "守灯人的故事。")
    assert "灯" in run("novel", folder).output


def test_an_outline_is_told_in_its_novels_language(run: Run, tmp_path: Path) -> None:
    made = stage(tmp_path / "lamp", configured=config(language="zh-CN"))
    made.plan()
    shown = run("novel", "outline", made.ws.path).output
    assert "大纲第 1 版" in shown
    assert "前提：" in shown
    assert "（大纲第 1 版）" in shown
    assert "（计划中）" in shown
    assert not {"(", "[", ":"} & set(shown.partition("Next")[0])
    written = outline_markdown(made.novel)
    assert "- **前提**：" in written
    assert "- **状态**：计划中" in written
    assert "Premise" not in shown + written
    made.close()


def test_an_instruction_is_taken_back_in_the_persons_language(
    run: Run, lamp: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    asked = lamp.instruct("Let it rain.")
    run("novel", "instruct", lamp.ws.path, "--answers", asked.id, "--withdraw")
    assert "已撤回。" in run("novel", "status", lamp.ws.path, "--instructions").output
    refused = run("novel", "run", lamp.ws.path, "nothing-like-it", code=1).output
    assert "怎么办：" in refused


def test_after_a_pause_for_length_each_offer_is_taken_and_leads_on(run: Run, tmp_path: Path) -> None:
    aimed = Target(kind="target", characters=60, tolerance=100_000, hard_maximum=None)
    made = stage(tmp_path / "lamp", configured=config(length=aimed))
    made.plan(outline(chapters=1, scenes=1))
    made.write()
    made.complete()
    assert made.halted().reason.value == "length"
    shown = run("novel", "status", made.ws.path).output
    over = made.novel.head.characters - aimed.high
    assert f"{over:,} characters more than its length allows" in shown
    place = f"{made.ws.path} {made.novel_id}"
    assert f"lantern novel configure {place} --length N" in shown
    assert f"lantern novel instruct {place} '…'" in shown
    assert "novel resume" not in shown
    assert "[wrong_state]" in run("novel", "resume", made.ws.path, code=1).output
    said = run("novel", "configure", made.ws.path, made.novel_id, "--length", made.novel.head.characters).output
    assert f"lantern novel resume {place}" in said
    run("novel", "resume", made.ws.path)
    assert made.novel.head.run.status.value == "active"
    made.close()
