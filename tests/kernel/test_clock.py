from __future__ import annotations

from datetime import UTC, datetime

from lantern_kit.kernel.clock import SteppingClock, SystemClock, moment, stamp


def test_a_stepping_clock_moves_only_when_it_is_read_or_told_to() -> None:
    clock = SteppingClock(1_000, 10)
    assert [clock.now(), clock.now()] == [1_000, 1_010]
    clock.skip(5_000)
    assert clock.now() == 6_020


def test_moments_are_written_in_utc_to_the_millisecond() -> None:
    assert stamp(1_780_000_000_007) == "2026-05-28T20:26:40.007Z"
    assert moment(0) == datetime(1970, 1, 1, tzinfo=UTC)


def test_the_systems_clock_tells_milliseconds_of_now() -> None:
    before = datetime.now(UTC)
    now = moment(SystemClock().now())
    assert abs((now - before).total_seconds()) < 5
