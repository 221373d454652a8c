"""An author at work, watched at the shell, stopped from elsewhere, and the book that comes of it."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from lantern_kit.cli import novel_run
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.host import Order
from lantern_kit.novel.model import Source, WorkKind
from lantern_kit.novel.work.novel import NovelWork
from lantern_kit.workspace import Workspace, create_workspace
from tests.cli.conftest import Run
from tests.novel.work.scribe import Scribe

Meanwhile = Callable[[Order], None]
Program = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def ws(tmp_path: Path, config: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Novels", owner="Ann", config=config) as made:
        yield made


@pytest.fixture
def novel(ws: Workspace) -> NovelWork:
    return ws.novels.begin("The Lamp", "Write of a lamp.")


@pytest.fixture
def scribe(monkeypatch: pytest.MonkeyPatch) -> Callable[[Meanwhile | None], None]:
    """Let a scribe be the author, with what happens once it claimed a piece."""

    def seat(meanwhile: Meanwhile | None = None) -> None:
        monkeypatch.setattr(novel_run, "_author", lambda *_: Scribe(meanwhile))

    seat(None)
    return seat


@pytest.mark.usefixtures("scribe")
def test_a_run_is_told_line_by_line_and_ends_in_a_file(
    run: Run, ws: Workspace, novel: NovelWork, tmp_path: Path
) -> None:
    target = tmp_path / "lamp.md"
    shown = run("novel", "run", ws.path, "--export", target)
    assert shown.stdout.startswith("scribe, no model\n")
    lines = shown.stderr.splitlines()
    assert lines[0] == "outline revision 1: 2 chapters · instructions dealt with: 1"
    assert lines[1] == "“Chapter 1” · 101 characters, 101 in all"
    assert lines[-2:] == ["“Chapter 2” is completed", "all is told"]
    assert "Completed: The Lamp, 2 chapters, 404 characters" in shown.stdout
    assert "lantern novel export" not in shown.stdout  # it is exported
    assert target.read_text().startswith("# The Lamp\n")
    again = run("novel", "run", ws.path, "--export", target)
    assert "an older file of that name was replaced" in again.stdout


@pytest.mark.usefixtures("scribe")
def test_a_run_ends_after_some_steps_and_another_goes_on(run: Run, ws: Workspace, novel: NovelWork) -> None:
    assert "Ended here; what is committed is kept." in run("novel", "run", ws.path, "--steps", "2").output
    assert novel.moment.novel.head.commits == 1
    assert "Completed: The Lamp" in run("novel", "run", ws.path, "The Lamp").output


@pytest.mark.usefixtures("novel")
def test_a_stop_from_another_process_refuses_what_is_being_written(
    run: Run, ws: Workspace, scribe: Callable[[Meanwhile], None], lantern: Program
) -> None:
    told: list[int] = []
    scribe(lambda order: told.append(lantern("novel", "stop", ws.path).returncode))
    shown = run("novel", "run", ws.path).output
    assert told == [0]
    assert "stopped by a person" in shown
    assert f"lantern novel resume {ws.path}" in shown
    assert ws.novels[0].moment.novel.head.commits == 0
    assert "stopped by a person" in run("novel", "run", ws.path).output
    assert told == [0]


def test_an_interrupt_ends_after_the_piece_and_a_second_one_at_once_and_neither_pauses(
    run: Run, ws: Workspace, novel: NovelWork, scribe: Callable[[Meanwhile | None], None]
) -> None:
    scribe(lambda order: os.kill(os.getpid(), signal.SIGINT))
    shown = run("novel", "run", ws.path, code=130).output
    assert "Ending after this step" in shown
    assert "Ended here" in shown
    assert novel.moment.novel.head.commits == 1

    def twice(order: Order) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    scribe(twice)
    shown = run("novel", "run", ws.path, code=130).output
    assert "Ended at once" in shown
    assert f"lantern novel run {ws.path} {novel.id}" in shown
    assert (novel.status().state, novel.moment.novel.head.commits) == ("active", 1)
    scribe(None)
    assert "Completed" in run("novel", "run", ws.path).output


def test_what_a_person_did_not_choose_ends_with_one(
    run: Run, ws: Workspace, novel: NovelWork, scribe: Callable[[Meanwhile | None], None]
) -> None:
    def fail(order: Order) -> None:
        raise ValueError

    scribe(fail)
    shown = run("novel", "run", ws.path, code=1).output
    assert "nothing came of it: the author's host failed with ValueError [unexpected]" in shown
    assert "something was refused that trying again does not mend" in shown
    novel.configure(limits={"turns": 12})
    novel.resume()
    scribe(None)
    novel.configure(limits={"turns": 8})
    shown = run("novel", "run", ws.path, code=1).output
    assert "a limit of the run is reached" in shown
    assert f"lantern novel configure {ws.path} {novel.id} --turns N" in shown


def test_what_ended_a_run_is_told_of_a_novel_too_that_is_paused_or_completed_already(
    run: Run, ws: Workspace, novel: NovelWork, tmp_path: Path
) -> None:
    folder = ws.path / "projections"
    for steps, stands in ((2, "paused by a person"), (99, "Completed")):
        run("novel", "run", ws.path, "--steps", steps)
        if stands != "Completed":
            novel.pause()
        folder.rename(tmp_path / "aside")
        folder.symlink_to(tmp_path / "aside")
        shown = run("novel", "run", ws.path, code=1).output
        assert stands in shown
        assert "projections is a link to another folder  [projection_failed]" in shown
        folder.unlink()
        (tmp_path / "aside").rename(folder)
        if stands != "Completed":
            novel.resume()


class Contradicted(Scribe):
    """A scribe to whom every later wish contradicts the first unit that is written."""

    def work(self, order: Order) -> Usage:
        """Block it where it can; else write."""
        if order.intent.kind is not WorkKind.OUTLINE_REVISE:
            return super().work(order)
        novel = order.desk.novel
        asked, written = novel.open_instructions[0].id, next(iter(novel.commits))
        order.desk.block(asked, "She died there.", [Source(commit=written, paragraph=0)], novel.head.outline_revision)
        return Usage(1, 1, 10, 5)


def test_a_run_shows_the_paragraphs_that_an_instruction_contradicts(
    run: Run, ws: Workspace, novel: NovelWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(novel_run, "_author", lambda *_: Contradicted())
    run("novel", "run", ws.path, "--steps", "2")
    asked = novel.instruct("She never died.").id
    shown = run("novel", "run", ws.path, code=1)
    assert "an instruction contradicts what is written" in shown.stderr
    assert "contradicts what is written: She died there." in shown.stdout
    source, words = novel.chapters[0].paragraphs[0]
    assert f"· {source} in “Chapter 1”: {words}\n" in shown.stdout
    assert f"lantern novel instruct {ws.path} {novel.id} --answers {asked} --withdraw" in shown.stdout


@pytest.mark.usefixtures("scribe", "novel")
def test_a_file_that_cannot_be_is_refused_before_anything_is_written(run: Run, ws: Workspace, tmp_path: Path) -> None:
    before = ws.novels[0].moment.id
    for name in ("lamp.txt", "nowhere/lamp.md"):
        assert "[bad_input]" in run("novel", "run", ws.path, "--export", tmp_path / name, code=1).output
    assert ws.novels[0].moment.id == before


@pytest.mark.usefixtures("scribe")
def test_an_export_is_of_one_revision_in_any_form(run: Run, ws: Workspace, novel: NovelWork, tmp_path: Path) -> None:
    run("novel", "run", ws.path, "--steps", "3")
    early = novel.moment.id
    assert "unfinished" in run("novel", "export", ws.path, "--out", tmp_path / "a.md").output
    run("novel", "run", ws.path)
    run("novel", "export", ws.path, "--out", tmp_path / "b.md", "--revision", early)
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes()
    for form in ("md", "zip", "epub", "docx"):
        shown = run("novel", "export", ws.path, "--to", form).output
        assert str(ws.path / "exports" / f"{novel.id}.{form}") in shown
    assert "[not_found]" in run("novel", "export", ws.path, "--revision", "r9999", code=1).output
    assert "[bad_input]" in run("novel", "export", ws.path, "--out", tmp_path / "a.txt", code=1).output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--demo",), "--demo goes with --workspace"),
        (("--demo", "--workspace", "x", "--model", "m"), "--demo goes with --workspace"),
        (("--language", "zh"), "--language goes with --demo"),
        (("--address", "http://localhost/v1"), "belong to --model"),
    ],
)
def test_options_that_do_not_go_together_are_told(run: Run, words: tuple[str, ...], told: str) -> None:
    assert told in run("novel", "run", *words, code=2).output


@pytest.mark.usefixtures("scribe", "novel")
def test_it_speaks_chinese(run: Run, ws: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    shown = run("novel", "run", ws.path).output
    assert "scribe，不是模型" in shown
    assert "“Chapter 1”已完成" in shown
    assert "已完结：《The Lamp》，2 章，404 字" in shown


def test_a_model_writes_behind_the_same_options_as_the_agents_and_its_key_is_never_said(
    run: Run, ws: Workspace, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws.novels.begin("The Lamp", "Write of a lamp.", limits={"retries": {"attempts": 1, "wait_ms": 0}})
    httpserver.expect_request("/v1/chat/completions").respond_with_json({}, status=503)
    monkeypatch.setenv("MODEL_KEY", "sk-planted-77b1")
    model = ("--model", "small", "--address", httpserver.url_for("/v1"), "--key-env", "MODEL_KEY")
    shown = run("novel", "run", ws.path, *model, code=1)
    assert "author: lantern-author" in shown.output
    assert "no model" not in shown.output
    assert "the author's host failed again and again" in shown.output
    assert httpserver.log[0][0].headers["Authorization"] == "Bearer sk-planted-77b1"
    status = run("novel", "status", ws.path, "--json").output
    assert "sk-planted" not in shown.output + status
    assert not any(b"sk-planted" in path.read_bytes() for path in ws.path.rglob("*") if path.is_file())
