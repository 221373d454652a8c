"""A deed that is killed or whose disk fails: the novel is as it was or as it is to be, and doing it again does it once.

The sweep of every deed and call is left to the proof; ``docs/novel-crashes.md`` is what it finds.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.novel.crashes.deeds import DEEDS
from tests.novel.crashes.order import unordered
from tests.novel.crashes.sweep import Call, Deed, Forge, NoTracer

DOCS = Path(__file__).parents[3] / "docs/novel-crashes.md"
OFTEN = {"begin", "commit", "commit, checkpointed"}
EVERY_DEED = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in OFTEN else pytest.mark.prove) for name in DEEDS]
)


@pytest.fixture(scope="module")
def forge() -> Iterator[Forge]:
    if shutil.which("strace") is None:
        pytest.skip("strace is missing, so that no crash was tried: scripts/system.sh check --tests")
    with Forge() as made:
        yield made


def deed(forge: Forge, name: str, folder: Path) -> Deed:
    try:
        return Deed(forge, name, folder / "deed")
    except NoTracer as error:
        pytest.skip(f"nobody may trace here, so that no crash was tried: {error}")


def picked(made: Deed) -> list[Call]:
    """The first call of those that matter most, the last write to the log and the answer."""
    wanted = ("fsync", "rename", "pwrite64", "fdatasync")
    first = [next(call for call in made.calls if call.name == name) for name in wanted]
    return [*first, [call for call in made.calls if call.name == "pwrite64"][-1], made.calls[-1]]


def test_a_commit_killed_at_its_syncs_its_rename_its_log_or_its_answer_is_whole_or_absent(
    forge: Forge, tmp_path: Path
) -> None:
    made = deed(forge, "commit", tmp_path)
    assert [made.kill(call) for call in picked(made)] == [False, False, False, True, False, True]


def test_a_commit_whose_disk_fails_says_so_and_can_be_made_again(forge: Forge, tmp_path: Path) -> None:
    made = deed(forge, "commit", tmp_path)
    failed = [made.fail(call) for call in picked(made)[:-1]]
    assert {said for said, _ in failed} == {"workspace_problem"}


@EVERY_DEED
def test_what_a_deed_names_is_durable_before_it_is_named_and_the_deed_before_it_is_told(
    name: str, forge: Forge, tmp_path: Path
) -> None:
    made = deed(forge, name, tmp_path)
    assert unordered(made.calls) == []


def test_an_order_that_could_lose_something_is_noticed() -> None:
    written = [
        Call("openat", 1, 'AT_FDCWD</>, "/w/blobs/.aside/b", O_WRONLY|O_CREAT) = 9</w/blobs/.aside/b>'),
        Call("write", 1, '9</w/blobs/.aside/b>, "text", 4) = 4'),
        Call("fsync", 1, "9</w/blobs/.aside/b>) = 0"),
        Call("rename", 1, '"/w/blobs/.aside/b", "/w/blobs/ab/abc") = 0'),
        Call("fsync", 2, "9</w/blobs/ab>) = 0"),
        Call("pwrite64", 1, '5</w/journal.sqlite-wal>, "x", 24, 32) = 24'),
        Call("fdatasync", 1, "5</w/journal.sqlite-wal>) = 0"),
        Call("write", 2, '1<pipe:[1]>, "done", 4) = 4'),
    ]
    assert unordered(written) == []
    for missing in (2, 4, 6):
        assert unordered(written[:missing] + written[missing + 1 :]) != []
    assert unordered([*written[:5], written[6], written[5], written[7]]) != []


def test_the_published_matrix_tells_of_every_deed() -> None:
    told = DOCS.read_text()
    assert all(f"\n## {name}\n" in told for name in DEEDS)


@pytest.mark.prove
@pytest.mark.parametrize("name", list(DEEDS))
def test_a_deed_killed_at_any_call_is_whole_or_absent_and_made_once_when_it_is_tried_again(
    name: str, forge: Forge, tmp_path: Path
) -> None:
    made = deed(forge, name, tmp_path)
    done = [made.kill(call) for call in made.calls]
    assert done == sorted(done), "once it is done it stays done"
    assert done[0] is False
    assert done[-1] is True


@pytest.mark.prove
@pytest.mark.parametrize("name", list(DEEDS))
def test_a_deed_whose_disk_fails_at_any_call_fails_with_a_reason_or_is_done_and_never_half(
    name: str, forge: Forge, tmp_path: Path
) -> None:
    made = deed(forge, name, tmp_path)
    failed = [made.fail(call) for call in made.calls[:-1]]
    assert {said for said, _ in failed} <= {"", "workspace_problem", "corrupt", "novel_storage_corruption"}
    assert any(said for said, _ in failed)
