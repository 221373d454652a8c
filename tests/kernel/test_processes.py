from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kernel.shelf import Shelf, book, open_shelf, page

Said = list[dict[str, Any]]


def writer(folder: Path, root: Path, number: int, edits: int, *lines: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.kernel.writer", folder, str(number), str(edits), *lines]
    return subprocess.Popen(command, cwd=root, stdin=-1, stdout=-1, stderr=-1, text=True)


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def ready(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert json.loads(process.stdout.readline()) == {"ready": True}


def words_of(facts: dict[str, Any]) -> str:
    return str(facts["objects"][0]["text"]).split()[0]


def check_acknowledged(shelf: Shelf, said: Said) -> None:
    """Every acknowledged edit is a revision of its line whose document holds it, and whose pictures are kept."""
    assert shelf.verify().clean
    with shelf.journal.read() as connection:
        for item in said:
            if "made" in item:
                revision = shelf.history.revision(connection, item["revision"])
                assert revision.line == item["line"]
                assert words_of(shelf.read(connection, revision.document)[item["page"]]) == item["made"]
                if item["blob"]:
                    assert shelf.blobs.get(bytes.fromhex(item["blob"])) == item["made"].encode()


def compete(folder: Path, root: Path, edits: int) -> tuple[Shelf, list[Said]]:
    """Four processes, each on a line of its own and on one that they share."""
    shelf = open_shelf(folder)
    for line in ("shared", *(f"own{number}" for number in range(4))):
        shelf.create(line, book(4))
    with ExitStack() as stack:
        writers = [
            stack.enter_context(writer(folder, root, number, edits, f"own{number}", "shared")) for number in range(4)
        ]
        for process in writers:
            ready(process)
        for process in writers:
            go(process)
        outputs = [process.communicate() for process in writers]
        assert [process.returncode for process in writers] == [0] * 4, outputs
    return shelf, [[json.loads(line) for line in said.splitlines()] for said, _ in outputs]


def check_competition(folder: Path, root: Path, edits: int) -> None:
    shelf, told = compete(folder, root, edits)
    longest = max(said[-1]["longest_wait"] for said in told)
    made = [item for said in told for item in said if "made" in item]
    refused = [item for said in told for item in said if "refused" in item]
    print(f"\n{len(made)} acknowledged, {len(refused)} refused, longest wait {longest * 1000:.0f} ms")
    assert len(made) + len(refused) == 4 * edits
    assert {item["line"] for item in refused} <= {"shared"}, "nobody else edits a line of one's own"
    assert len([item for item in made if item["line"] != "shared"]) == 4 * edits // 2
    assert any(item["line"] == "shared" for item in made)
    check_acknowledged(shelf, made)
    now = {line: shelf.pages(shelf.head(line)) for line in ("shared", *(f"own{number}" for number in range(4)))}
    for said in told:
        last = {item["line"]: item for item in said if "made" in item}
        for line, item in last.items():
            assert words_of(now[line][item["page"]]) == item["made"], "a later edit undid an acknowledged one"
    with shelf.journal.read() as connection:
        for line in now:
            log = shelf.history.log(connection, line)
            assert [item.seq for item in log] == list(range(len(log)))[::-1]
            assert [item.parent for item in log[:-1]] == [item.number for item in log[1:]]
            assert len(log) == 1 + len([item for item in made if item["line"] == line])
    assert longest < 30
    shelf.journal.close()


def test_four_processes_lose_no_acknowledged_edit(tmp_path: Path, root: Path) -> None:
    check_competition(tmp_path, root, 40)


@pytest.mark.prove
def test_four_processes_of_250_edits_lose_no_acknowledged_edit(tmp_path: Path, root: Path) -> None:
    check_competition(tmp_path, root, 250)


# killed


def kill_amid(folder: Path, root: Path, edits: int, after: int) -> Said:
    """Start a writer and kill it when it has said so much; what it had said by then."""
    with writer(folder, root, 0, edits, "ch") as process:
        assert process.stdout is not None
        ready(process)
        go(process)
        said = [json.loads(process.stdout.readline()) for _ in range(after)]
        process.kill()
        rest = process.stdout.read()
    return said + [json.loads(line) for line in rest.splitlines() if line.endswith("}")]


def check_kills(folder: Path, root: Path, times: int, edits: int) -> None:
    shelf = open_shelf(folder)
    shelf.create("ch", book(4))
    shelf.journal.close()
    random = Random(1)
    made: Said = []
    for _ in range(times):
        made += [item for item in kill_amid(folder, root, edits, random.randint(1, edits - 1)) if "made" in item]
        shelf = open_shelf(folder)
        check_acknowledged(shelf, made)
        head = shelf.head("ch")
        unsaid = head.number - made[-1]["revision"]
        assert unsaid in {0, 1}, "old or new, never other"
        made.append({"made": words_of(shelf.pages(head)["un_0000"]), "line": "ch", "revision": head.number})
        made[-1] |= {"page": "un_0000", "blob": ""}
        shelf.edit("ch", head.number, {"un_0001": page(1, "Still alive.")})
        shelf.journal.close()
    print(f"\n{len(made)} acknowledged edits survived {times} kills")


def test_a_process_killed_amid_edits_loses_no_acknowledged_one(tmp_path: Path, root: Path) -> None:
    check_kills(tmp_path, root, 3, 60)


@pytest.mark.prove
def test_a_process_killed_twenty_times_amid_a_thousand_edits_loses_no_acknowledged_one(
    tmp_path: Path, root: Path
) -> None:
    check_kills(tmp_path, root, 20, 1_000)


SWEEP = """
import sys
from pathlib import Path
from tests.kernel.shelf import open_shelf, page
shelf = open_shelf(Path(sys.argv[1]))
head = shelf.head()
for number in range(3):
    blob = shelf.blobs.put(b"picture %d" % number)
    head = shelf.edit("ch", head.number, {"un_0000": page(0, f"{number} {blob.hex()}")})
    sys.stdout.write(f"{head.number} {number} {blob.hex()}\\n")
    sys.stdout.flush()
shelf.journal.close()
"""


def killed_at(folder: Path, root: Path, call: str, place: int) -> tuple[bool, list[str]]:
    """Run three edits and kill them at the so-manieth call of one kind; whether they were killed, and what was said."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed: no process is killed at a chosen system call")
    inject = f"inject={call}:signal=KILL:when={place}"
    command = [strace, "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject]
    run = subprocess.run([*command, sys.executable, "-c", SWEEP, folder], cwd=root, capture_output=True, text=True)
    if "ptrace" in run.stderr:
        pytest.skip("strace may not trace here: no process is killed at a chosen system call")
    assert run.returncode in {0, 137, -9}, run.stderr
    return run.returncode != 0, re.findall(r"^\d+ \d+ [0-9a-f]{64}$", run.stdout, re.MULTILINE)


def sweep(folder: Path, root: Path, call: str, places: list[int]) -> int:
    """Kill at each place, in a fresh folder each time; the number of kills."""
    origin = folder / "origin"
    origin.mkdir()
    shelf = open_shelf(origin)
    first = shelf.create("ch", book(4))
    shelf.journal.close()
    kills = 0
    for place in places:
        copy = folder / f"{call}{place}"
        shutil.copytree(origin, copy)
        killed, said = killed_at(copy, root, call, place)
        kills += killed
        shelf = open_shelf(copy)
        assert shelf.verify().clean
        head = shelf.head()
        assert head.number - first.number - len(said) in {0, 1}, (call, place, said)
        if head.number > first.number:
            number, blob = str(shelf.pages(head)["un_0000"]["objects"][0]["text"]).split()
            assert shelf.blobs.get(bytes.fromhex(blob)) == b"picture " + number.encode()
        shelf.edit("ch", head.number, {"un_0001": page(1, "Still alive.")})
        shelf.journal.close()
        if not killed:
            break
    return kills


@pytest.mark.parametrize(("call", "places"), [("fdatasync", [2]), ("pwrite64", [9]), ("rename", [2])])
def test_a_process_killed_at_a_system_call_leaves_the_old_or_the_new(
    tmp_path: Path, root: Path, call: str, places: list[int]
) -> None:
    assert sweep(tmp_path, root, call, places) == len(places)


@pytest.mark.prove
@pytest.mark.parametrize("call", ["fdatasync", "fsync", "pwrite64", "rename", "unlink", "ftruncate"])
def test_a_process_killed_at_any_system_call_leaves_the_old_or_the_new(tmp_path: Path, root: Path, call: str) -> None:
    assert sweep(tmp_path, root, call, list(range(1, 400))) > 0
