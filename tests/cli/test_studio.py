"""JupyterLab and the review app, started as people start them."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from lantern_kit.review_site import announced, running_site
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, propose
from tests.cli.program import Program
from tests.studio.site import message, reply

Start = Callable[..., Program]
COPIED = re.compile(r"Copied into notebooks/: (.*)")


@pytest.fixture
def start(tmp_path: Path, config: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start a command that serves, with nothing of the person's real JupyterLab."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_TOKEN", "JUPYTER_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    running: list[Program] = []

    def run(*words: object, cwd: Path = tmp_path) -> Program:
        running.append(Program(*words, cwd=cwd))
        return running[-1]

    yield run
    for program in running:
        if program.process.poll() is None:
            program.end(signal.SIGTERM)


# the review


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pipe into which the person's browser writes the address that it is opened with."""
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    os.mkfifo(opened)
    browser.write_text(f"#!{sys.executable}\nimport sys\nopen({str(opened)!r}, 'w').write(sys.argv[1])\n")
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    return opened


@pytest.mark.lab
def test_the_review_is_served_and_used_while_it_runs_and_begun_anew_once_it_was_killed(
    made: Workspace, start: Start, run: Run, config: Path, opened: Path
) -> None:
    assert propose(made, "It is mine.") == "p1"
    first = start("review", made.path, "--no-browser")
    assert "proposal" not in first.query
    said = run("review", "p1", made.path, "--no-browser").output
    link = f"http://127.0.0.1:{first.parts.port}/?proposal=p1"
    assert f"The review of Chelsea runs already: {link}\n" in said
    assert first.query["token"][0] not in said
    first.process.kill()
    first.process.communicate(timeout=60)

    second = start("review", made.path, "p1")
    lead = led_in(second, Path(urlsplit(opened.read_text()).path))
    assert lead.parent == config / "review"
    assert second.query["proposal"] == ["p1"]
    visitor = second.visitor()
    answer = visitor.get(f"/?{second.parts.query}")
    assert answer.location == "/?proposal=p1"
    words = visitor.get(answer.location).words
    assert "nothing else waits for you." in words
    assert "A better line" in words
    assert "<title>Review · Chelsea</title>" in words
    site = running_site(config, made.id)
    assert site is not None
    assert site.pid == second.process.pid != first.process.pid

    code, out, errors = second.end()
    assert code == 0
    assert "lantern proposals" in out
    assert errors.splitlines()[-1] == "The review has ended."
    assert "Traceback" not in errors
    assert running_site(config, made.id) is None
    assert list((config / "review").iterdir()) == []
    assert "127.0.0.1" not in repr([path.read_bytes() for path in made.path.glob("journal.sqlite*")])


def led_in(program: Program, lead: Path) -> Path:
    """The file that led the browser in: the person's alone, and no command line showed the token."""
    assert stat.S_IMODE(lead.stat().st_mode) == 0o600
    assert program.address.replace("&", "&amp;") in lead.read_text()
    token = program.query["token"][0]
    assert not [item for item in psutil.process_iter(["cmdline"]) if token in " ".join(item.info["cmdline"] or ())]
    return lead


def test_a_running_review_is_opened_without_any_token(
    made: Workspace, run: Run, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "no-such-browser")
    with announced(config, made.id, "http://127.0.0.1:8866/"):
        said = run("review", made.path).output
    assert "runs already: http://127.0.0.1:8866/\n" in said
    assert "token" in said


@pytest.mark.parametrize("words", [("p9",), ("p9", "{path}"), ("{path}", "p9")])
def test_a_proposal_that_is_not_there_is_refused_at_once(
    words: tuple[str, ...], made: Workspace, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made.path)
    said = run("review", *(word.format(path=made.path) for word in words), code=1).output
    assert "there is no proposal p9" in said


def test_a_folder_that_is_called_like_a_proposal_is_a_workspace(made: Workspace, run: Run, tmp_path: Path) -> None:
    made.close()
    made.path.rename(tmp_path / "p7")
    assert "there is no proposal p9" in run("review", tmp_path / "p7", "p9", code=1).output


@pytest.mark.parametrize("words", [("p1", "p2"), ("a", "b"), ("a", "p1", "b")])
def test_too_many_words_are_a_usage_error(words: tuple[str, ...], run: Run) -> None:
    assert "[WORKSPACE] [PROPOSAL]" in run("review", *words, code=2).output


# JupyterLab


@pytest.mark.lab
def test_jupyterlab_is_served_behind_its_token_and_next_time_keeps_notebooks_and_takes_the_port_given(
    made: Workspace, start: Start
) -> None:
    program = start("lab", made.path, "--no-browser")
    visitor, key = program.visitor(), {"Authorization": f"token {program.query['token'][0]}"}
    assert visitor.get("/api/contents").status == 403
    listed = {item["name"] for item in json.loads(visitor.get("/api/contents", **key).text)["content"]}
    assert {"01-first-chapter.ipynb", "02-review.ipynb"} <= listed
    assert "journal.sqlite" not in listed
    assert program.parts.path == f"/lab/workspaces/{made.id}/tree/01-first-chapter.ipynb"
    assert visitor.get(program.parts.path, **key).status == 200
    made_kernel = json.loads(visitor.ask("POST", "/api/kernels", "{}", **key).text)["id"]
    with visitor.socket(made_kernel) as socket:
        socket.send(message("kernel_info_request", {}, filling="x" * 12_000_000))
        assert reply(socket, "kernel_info_reply")["status"] == "ok"
    kernels = psutil.Process(program.process.pid).children(recursive=True)
    assert kernels
    code, out, errors = program.end()
    assert (code, out) == (0, "")
    assert errors.splitlines()[-1] == "JupyterLab has ended."
    assert "01-first-chapter.ipynb" in COPIED.findall(errors)[0]
    assert ("--allow-root" in errors) == (os.geteuid() == 0)
    assert "Traceback" not in errors
    assert "Warning" not in errors
    assert psutil.wait_procs(kernels, timeout=30)[1] == []

    mine = made.path / "notebooks" / "01-first-chapter.ipynb"
    mine.write_text(mine.read_text().replace("Your first chapter", "My own"))
    second = start("lab", made.path, "--no-browser", "--port", program.parts.port)
    assert second.parts.port == program.parts.port
    assert second.parts.path == f"/lab/workspaces/{made.id}"
    assert "My own" in mine.read_text()


@pytest.mark.parametrize("command", ["lab", "review"])
def test_a_port_that_is_taken_is_refused_in_words(command: str, made: Workspace, run: Run) -> None:
    from lantern_kit.studio.listening import listen

    with listen(None) as listener:
        port = listener.getsockname()[1]
        said = run(command, made.path, "--no-browser", "--port", port, code=1).output
    assert f"port {port} is in use" in said
    assert "Choose another port" in said


@pytest.mark.parametrize("command", ["lab", "review"])
def test_only_a_workspace_is_served(command: str, run: Run, tmp_path: Path) -> None:
    assert "is not a workspace" in run(command, tmp_path, code=1).output


def test_what_is_said_is_said_in_chinese_too(
    made: Workspace, run: Run, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    with announced(config, made.id, "http://127.0.0.1:8866/"):
        assert "Chelsea 的审阅已在运行" in run("review", made.path, "--no-browser").output
