"""How a running review server is found, and how one that is gone is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from lantern_kit.review_site import ReviewSite, announced, running_site

WORKSPACE = "ws_0123"
URL = "http://127.0.0.1:8866/"
HOLD = """
import sys
from pathlib import Path
from lantern_kit.review_site import announced
with announced(Path(sys.argv[1]), sys.argv[2], sys.argv[3]):
    print("announced", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that says it serves, until its standard input closes."""
    command = [sys.executable, "-c", HOLD, str(tmp_path), WORKSPACE, URL]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "announced\n"
        yield process
        process.kill()


def note_of(config: Path) -> Path:
    return config / "review" / f"{WORKSPACE}.json"


def test_a_running_server_is_found_by_its_workspace_alone(tmp_path: Path, server: subprocess.Popen[str]) -> None:
    site = running_site(tmp_path, WORKSPACE)
    assert site is not None
    assert (site.url, site.pid, site.workspace) == (URL, server.pid, WORKSPACE)
    assert site.link("p2") == "http://127.0.0.1:8866/?proposal=p2"
    assert running_site(tmp_path, "ws_other") is None
    note = note_of(tmp_path)
    assert note.stat().st_mode & 0o777 == 0o600
    assert set(json.loads(note.read_text())) == {"url", "pid", "started", "workspace"}


def test_a_server_that_ends_takes_its_note_away(tmp_path: Path, server: subprocess.Popen[str]) -> None:
    server.communicate(timeout=30)
    assert server.returncode == 0
    assert not note_of(tmp_path).exists()
    assert running_site(tmp_path, WORKSPACE) is None


def test_a_server_that_was_killed_is_not_believed(tmp_path: Path, server: subprocess.Popen[str]) -> None:
    server.kill()
    os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)  # dead, and not yet buried
    assert running_site(tmp_path, WORKSPACE) is None
    server.wait(timeout=30)
    assert note_of(tmp_path).exists()
    assert running_site(tmp_path, WORKSPACE) is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"started": 1.0},
        {"pid": 2**40},
        {"pid": "1"},
        {"workspace": "ws_other"},
        {"url": "http://evil.example/"},
        {"url": "http://127.0.0.1:8866/?token=secret"},
        {"more": "keys"},
    ],
)
def test_a_note_that_does_not_fit_a_living_process_is_not_believed(
    wrong: dict[str, Any], tmp_path: Path, server: subprocess.Popen[str]
) -> None:
    note = note_of(tmp_path)
    note.write_text(json.dumps({**json.loads(note.read_text()), **wrong}))
    assert running_site(tmp_path, WORKSPACE) is None


@pytest.mark.parametrize("text", ["", "[]", "null", '"x"', "{"])
def test_a_note_that_is_none_is_not_believed(text: str, tmp_path: Path, server: subprocess.Popen[str]) -> None:
    note_of(tmp_path).write_text(text)
    assert running_site(tmp_path, WORKSPACE) is None


def test_a_note_that_others_can_write_is_not_believed(tmp_path: Path, server: subprocess.Popen[str]) -> None:
    note_of(tmp_path).chmod(0o666)
    assert running_site(tmp_path, WORKSPACE) is None


def test_a_server_does_not_take_away_the_note_of_the_one_that_came_after_it(
    tmp_path: Path, server: subprocess.Popen[str]
) -> None:
    later = ReviewSite("http://127.0.0.1:9999/", server.pid, psutil.Process(server.pid).create_time(), WORKSPACE)
    with announced(tmp_path, WORKSPACE, "http://127.0.0.1:1234/"):
        note_of(tmp_path).write_text(json.dumps(vars(later)))
    assert running_site(tmp_path, WORKSPACE) == later


def test_a_workspace_s_id_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    with announced(tmp_path / "config", "../../evil", URL):
        (note,) = (tmp_path / "config" / "review").iterdir()
        assert note.name == "evil.json"
        assert running_site(tmp_path / "config", "../../evil") is not None
