"""Files that come in parts: whole at the end, never mixed, bounded, and gone when nobody sends on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import BadInput, Busy, LanternError, NotFound, WorkspaceProblem, WrongState
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.uploads import EACH, OPEN, PATIENCE, Uploads

CAT, DOG = "agent/cat", "agent/dog"


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock(step=0)


@pytest.fixture
def uploads(tmp_path: Path, clock: SteppingClock) -> Iterator[Uploads]:
    made = Uploads(tmp_path, clock, SeededIds(), largest=1_000)
    yield made
    made.close()


@given(
    data=st.binary(min_size=1, max_size=200),
    cuts=st.lists(st.integers(1, 40), max_size=30),
    again=st.lists(st.booleans(), max_size=30),
)
def test_however_it_is_cut_and_whatever_is_sent_twice_the_bytes_are_the_file(
    data: bytes, cuts: list[int], again: list[bool], tmp_path_factory: pytest.TempPathFactory
) -> None:
    uploads = Uploads(tmp_path_factory.mktemp("up"), SteppingClock(step=0), SeededIds(), largest=1_000)
    first = min(cuts[0] if cuts else len(data), len(data))
    got = uploads.begin(CAT, len(data), data[:first])
    offset = first
    for number, size in enumerate([*cuts[1:], len(data)]):
        if offset == len(data):
            break
        part = data[offset : offset + size]
        for _ in range(2 if number < len(again) and again[number] else 1):
            got = uploads.go_on(CAT, got.upload, offset, part)
        offset += len(part)
    assert (got.received, got.data) == (len(data), data)
    uploads.close()


def test_nothing_of_it_can_be_seen_in_the_folder_and_closing_leaves_nothing(uploads: Uploads, tmp_path: Path) -> None:
    uploads.begin(CAT, 10, b"abc")
    assert list(tmp_path.iterdir()) == []
    uploads.close()
    assert (len(uploads), list(tmp_path.iterdir())) == (0, [])


def test_one_sender_does_not_reach_anothers(uploads: Uploads) -> None:
    mine = uploads.begin(CAT, 6, b"abc")
    theirs = uploads.begin(DOG, 6, b"xyz")
    with pytest.raises(NotFound):
        uploads.go_on(DOG, mine.upload, 3, b"!!!")
    assert uploads.go_on(CAT, mine.upload, 3, b"def").data == b"abcdef"
    assert uploads.go_on(DOG, theirs.upload, 3, b"uvw").data == b"xyzuvw"


@pytest.mark.parametrize(
    ("offset", "data", "error"),
    [
        (4, b"x", WrongState),  # a gap
        (2, b"cde", WrongState),  # past what is there, from before its end
        (0, b"abX", WrongState),  # other bytes
        (3, b"", BadInput),
        (3, b"12345678", BadInput),  # past the end
    ],
)
def test_a_part_that_does_not_fit_is_refused_and_changes_nothing(
    offset: int, data: bytes, error: type[LanternError], uploads: Uploads
) -> None:
    got = uploads.begin(CAT, 10, b"abc")
    with pytest.raises(error) as caught:
        uploads.go_on(CAT, got.upload, offset, data)
    if error is WrongState:
        assert caught.value.details["received"] == 3
    assert uploads.go_on(CAT, got.upload, 3, b"defghij").data == b"abcdefghij"


@pytest.mark.parametrize(("whole", "data"), [(0, b"a"), (1_001, b"a"), (2, b"abc"), (5, b"")])
def test_a_first_part_that_cannot_be_one_is_refused_and_opens_nothing(
    whole: int, data: bytes, uploads: Uploads
) -> None:
    with pytest.raises(BadInput):
        uploads.begin(CAT, whole, data)
    assert len(uploads) == 0


def test_one_that_nobody_goes_on_with_is_given_up(uploads: Uploads, clock: SteppingClock) -> None:
    got = uploads.begin(CAT, 10, b"abc")
    clock.skip(PATIENCE)
    uploads.go_on(CAT, got.upload, 3, b"d")
    clock.skip(PATIENCE)
    uploads.go_on(CAT, got.upload, 4, b"e")
    clock.skip(PATIENCE + 1)
    with pytest.raises(NotFound):
        uploads.go_on(CAT, got.upload, 5, b"f")
    assert len(uploads) == 0


def test_there_are_so_many_of_a_sender_and_so_many_in_all(uploads: Uploads, clock: SteppingClock) -> None:
    for sender in (CAT, DOG):
        for _ in range(EACH):
            uploads.begin(sender, 10, b"abc")
        with pytest.raises(Busy):
            uploads.begin(sender, 10, b"abc")
    assert len(uploads) == OPEN
    with pytest.raises(Busy):
        uploads.begin("agent/third", 10, b"abc")
    clock.skip(PATIENCE + 1)
    assert uploads.begin("agent/third", 3, b"abc").data == b"abc"
    assert len(uploads) == 1


def test_complete_ones_make_room(uploads: Uploads) -> None:
    done = [uploads.begin(CAT, 3, b"abc").upload for _ in range(EACH)]
    uploads.begin(CAT, 4, b"abc")
    with pytest.raises(NotFound):
        uploads.go_on(CAT, done[0], 0, b"abc")
    assert uploads.go_on(CAT, done[1], 0, b"abc").data == b"abc"


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path, clock: SteppingClock) -> None:
    uploads = Uploads(tmp_path / "gone", clock, SeededIds(), largest=10)
    with pytest.raises(WorkspaceProblem):
        uploads.begin(CAT, 3, b"abc")
    assert len(uploads) == 0
