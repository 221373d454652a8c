from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.files import replacing_all, write_text


def test_a_text_is_written_as_it_is_and_replaces_an_older_one(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "one\n")
    write_text(tmp_path / "a.txt", "two\r\n灯")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.txt": "two\r\n灯".encode()}


@pytest.mark.parametrize("name", ["journal.sqlite", "journal.sqlite-wal", "JOURNAL.sqlite", "blobs/ab/cd", "link/cd"])
def test_what_a_workspace_lives_by_is_never_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / "blobs" / "ab").mkdir(parents=True)
    (tmp_path / "journal.sqlite").write_bytes(b"journal")
    (tmp_path / "link").symlink_to(tmp_path / "blobs" / "ab")
    path = tmp_path / name
    before = path.read_bytes() if path.exists() else None
    with pytest.raises(BadInput, match="belongs to a workspace"):
        write_text(path, "a book")
    with pytest.raises(BadInput, match="belongs to a workspace"), replacing_all(path.parent) as write:
        write(path.name, b"a book")
    assert (path.read_bytes() if path.exists() else None) == before
    assert list(tmp_path.rglob("*.part")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_devices_pipes_and_the_links_to_them_are_never_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.md"
    os.mkfifo(pipe)
    (tmp_path / "linked.md").symlink_to(pipe)
    for path in (pipe, tmp_path / "linked.md", Path("/proc/self/fd/1")):
        with pytest.raises(BadInput, match="is a device or a pipe"):
            write_text(path, "a book")
    assert pipe.is_fifo()
    assert (tmp_path / "linked.md").is_symlink()
