from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lantern_kit.kernel.blobs import FolderBlobs
from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.errors import Corrupt, LanternError, NotFound, WorkspaceProblem


@pytest.fixture
def blobs(tmp_path: Path) -> FolderBlobs:
    (tmp_path / "blobs").mkdir()
    return FolderBlobs(tmp_path / "blobs")


def files(blobs: FolderBlobs) -> list[Path]:
    return [path for path in blobs.folder.rglob("*") if path.is_file()]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=2_000))
def test_bytes_come_back_under_their_own_hash(blobs: FolderBlobs, data: bytes) -> None:
    name = blobs.put(data)
    assert name == digest(data)
    assert blobs.has(name)
    assert blobs.get(name) == data


def test_the_same_bytes_are_kept_once_and_not_written_again(blobs: FolderBlobs) -> None:
    blobs.put(b"picture")
    (path,) = files(blobs)
    before = path.stat()
    blobs.put(b"picture")
    assert files(blobs) == [path]
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_names_are_those_of_the_blobs_alone(blobs: FolderBlobs) -> None:
    names = sorted(blobs.put(bytes([number])) for number in range(30))
    for stray in ("ab/.abcd-left-over", f"ab/{'g' * 64}", f"ab/{'A' * 64}", "ab/readme", "notes.txt"):
        (blobs.folder / stray).parent.mkdir(exist_ok=True)
        (blobs.folder / stray).write_bytes(b"")
    assert list(blobs.names()) == names


def test_a_changed_blob_is_corrupt_and_a_lost_one_not_found(blobs: FolderBlobs) -> None:
    name = blobs.put(b"picture")
    (path,) = files(blobs)
    for place in range(len(b"picture")):
        damaged = bytearray(b"picture")
        damaged[place] ^= 1
        path.write_bytes(bytes(damaged))
        with pytest.raises(Corrupt):
            blobs.get(name)
    path.unlink()
    assert not blobs.has(name)
    with pytest.raises(NotFound):
        blobs.get(name)
    path.mkdir()
    with pytest.raises(Corrupt):
        blobs.get(name)


def test_keeping_the_bytes_of_a_damaged_blob_again_heals_it(blobs: FolderBlobs) -> None:
    name = blobs.put(b"picture")
    files(blobs)[0].write_bytes(b"pictura")
    blobs.put(b"picture")
    assert blobs.get(name) == b"picture"


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_write_that_fails_leaves_nothing_behind(
    blobs: FolderBlobs, failing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if failing == "fsync" else (Path, "replace")), fail)
    with pytest.raises(WorkspaceProblem, match="No space left"):
        blobs.put(b"picture")
    assert files(blobs) == []
    monkeypatch.undo()
    assert blobs.get(blobs.put(b"picture")) == b"picture"


def test_what_a_killed_process_left_half_written_is_swept_after_an_hour(blobs: FolderBlobs) -> None:
    blobs.put(b"picture")
    aside = blobs.folder / ".aside"
    for name, age in (("old", 3_700), ("young", 60)):
        (aside / name).write_bytes(b"half a pic")
        then = (aside / name).stat().st_mtime - age
        os.utime(aside / name, (then, then))
    blobs.put(b"another picture")
    assert [path.name for path in aside.iterdir()] == ["young"]
    assert len(list(blobs.names())) == 2


def test_threads_that_keep_the_same_bytes_do_not_meet(blobs: FolderBlobs) -> None:
    data = os.urandom(200_000)
    start = threading.Barrier(8)
    trouble: list[LanternError] = []

    def keep() -> None:
        start.wait()
        try:
            for _ in range(20):
                blobs.get(blobs.put(data))
        except LanternError as error:
            trouble.append(error)

    threads = [threading.Thread(target=keep) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert trouble == []
    assert [path.name for path in files(blobs)] == [digest(data).hex()]


PUT = """
import sys
from pathlib import Path
from lantern_kit.kernel.blobs import FolderBlobs
print(FolderBlobs(Path(sys.argv[1])).put(b"picture").hex())
"""


def traced(folder: Path, root: Path) -> list[str]:
    """What a process that keeps a blob asks of the system, in order; handles are shown with their paths."""
    program = shutil.which("strace")
    if program is None:
        pytest.skip("strace is not installed: the order of writing, syncing and renaming is not checked")
    calls = "openat,write,fsync,fdatasync,rename,renameat,renameat2,mkdir"
    log = folder / "log"
    run = subprocess.run(
        [program, "-y", "-f", "-e", f"trace={calls}", "-o", log, sys.executable, "-c", PUT, folder / "blobs"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    if run.returncode and "ptrace" in run.stderr:
        pytest.skip("strace may not trace here: the order of writing, syncing and renaming is not checked")
    assert run.stdout.strip() == digest(b"picture").hex(), run.stderr
    return [line for line in log.read_text().splitlines() if f"{folder}/blobs" in line]


def test_a_blob_is_synced_before_it_gets_its_name_and_its_folders_after(tmp_path: Path, root: Path) -> None:
    (tmp_path / "blobs").mkdir()
    name = digest(b"picture").hex()
    inner = f"{tmp_path}/blobs/{name[:2]}"
    steps = [
        rf'mkdir\("{inner}"',
        rf"write\(\d+<{tmp_path}/blobs/\.aside/[^>]+>, \"picture\"",
        rf"fsync\(\d+<{tmp_path}/blobs/\.aside/[^>]+>\)",
        rf'rename[^(]*\([^)]*"{tmp_path}/blobs/\.aside/[^"]+"[^)]*"{inner}/{name}"',
        rf"fsync\(\d+<{inner}>\)",
        rf"fsync\(\d+<{tmp_path}/blobs>\)",
    ]
    lines = traced(tmp_path, root)
    places = []
    for step in steps:
        found = [place for place, line in enumerate(lines) if re.search(step, line)]
        assert len(found) == 1, (step, lines)
        places += found
    assert places == sorted(places)


def test_a_blob_that_is_there_already_is_made_as_durable_as_one_that_was_written(tmp_path: Path, root: Path) -> None:
    """Whoever put it there may have been stopped before its folder was synced."""
    (tmp_path / "blobs").mkdir()
    FolderBlobs(tmp_path / "blobs").put(b"picture")
    lines = "\n".join(traced(tmp_path, root))
    inner = f"{tmp_path}/blobs/{digest(b'picture').hex()[:2]}"
    assert "write(" not in lines
    assert re.search(rf"fsync\(\d+<{inner}>\)", lines)
    assert re.search(rf"fsync\(\d+<{tmp_path}/blobs>\)", lines)
