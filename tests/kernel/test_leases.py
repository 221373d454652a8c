from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lantern_kit.kernel import leases
from lantern_kit.kernel.errors import Corrupt, WrongState
from lantern_kit.kernel.leases import Lease
from tests.kernel.shelf import Shelf, undone

TTL = 60_000

PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not tell when processes began")


def take(shelf: Shelf, holder: str, now: int) -> Lease:
    with shelf.journal.write() as connection:
        return leases.take(connection, "novel/author", holder, now=now, ttl=TTL)


def check(shelf: Shelf, lease: Lease, now: int) -> None:
    with shelf.journal.write() as connection:
        leases.check(connection, lease, now=now)


def held_by(shelf: Shelf, process: str) -> None:
    with shelf.journal.write() as connection:
        connection.exec_driver_sql("UPDATE leases SET process = ?", (process,))


def test_one_holder_at_a_time_and_the_others_are_told_who_and_until_when(shelf: Shelf) -> None:
    lease = take(shelf, "ann", 1_000)
    with pytest.raises(WrongState) as caught:
        take(shelf, "bob", 1_000 + TTL - 1)
    assert (caught.value.details["holder"], caught.value.details["expires_at"]) == ("ann", lease.expires_at)
    check(shelf, lease, 1_000 + TTL - 1)


def test_an_expired_lease_passes_on_and_its_old_holder_can_write_no_more(shelf: Shelf) -> None:
    old = take(shelf, "ann", 1_000)
    with pytest.raises(WrongState):
        check(shelf, old, 1_000 + TTL)
    new = take(shelf, "bob", 1_000 + TTL)
    assert new.fence > old.fence
    with pytest.raises(WrongState):
        check(shelf, old, 1_001 + TTL)
    check(shelf, new, 1_001 + TTL)


def test_a_holder_renews_without_a_new_fence(shelf: Shelf) -> None:
    first = take(shelf, "ann", 1_000)
    second = take(shelf, "ann", 1_000 + TTL // 2)
    assert second.fence == first.fence
    assert second.expires_at > first.expires_at
    check(shelf, second, 1_000 + TTL)


def test_a_lease_that_was_given_back_is_free_and_worth_nothing_any_more(shelf: Shelf) -> None:
    first = take(shelf, "ann", 1_000)
    with shelf.journal.write() as connection:
        leases.release(connection, first)
    with pytest.raises(WrongState):
        check(shelf, first, 1_001)
    again = take(shelf, "ann", 1_002)
    assert again.fence > first.fence
    with pytest.raises(WrongState):
        check(shelf, first, 1_003)


def test_giving_back_a_lease_that_was_lost_does_not_take_it_from_the_new_holder(shelf: Shelf) -> None:
    old = take(shelf, "ann", 1_000)
    new = take(shelf, "bob", 1_000 + TTL)
    with shelf.journal.write() as connection:
        leases.release(connection, old)
    check(shelf, new, 1_001 + TTL)


def test_the_same_name_in_another_process_is_another_holder(shelf: Shelf) -> None:
    take(shelf, "ann", 1_000)
    held_by(shelf, leases.this_process().replace(f":{os.getpid()}:", ":1:").rsplit(":", 1)[0] + ":" + started(1))
    with pytest.raises(WrongState):
        take(shelf, "ann", 1_001)


def started(pid: int) -> str:
    since = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]
    return f"{Path('/proc/sys/kernel/random/boot_id').read_text().strip()}.{since}"


@PROC
def test_a_lease_of_a_killed_process_passes_on_at_once_even_before_its_parent_took_notice(shelf: Shelf) -> None:
    program = "from lantern_kit.kernel.leases import this_process; print(this_process(), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", program], stdin=-1, stdout=-1, text=True) as child:
        assert child.stdout is not None
        process = child.stdout.readline().strip()
        old = take(shelf, "ann", 1_000)
        held_by(shelf, process)
        with pytest.raises(WrongState):
            take(shelf, "bob", 1_001)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it is a zombie now
        assert take(shelf, "bob", 1_002).fence > old.fence


@PROC
def test_only_what_can_be_proven_dead_is_dead() -> None:
    place, pid, began = leases.this_process().rsplit(":", 2)
    assert not leases.is_dead(f"{place}:{pid}:{began}")
    assert leases.is_alive(f"{place}:{pid}:{began}")
    boot, _, since = began.partition(".")
    assert leases.is_dead(f"{place}:{pid}:{boot}.{int(since) + 1}"), "the number was given to another process"
    assert leases.is_dead(f"{place}:{pid}:{boot[::-1]}.{since}"), "the machine was started anew"
    assert leases.is_dead(f"{place}:999999999:{began}")
    assert not leases.is_dead(f"another-machine:1:999999999:{began}"), "nothing is known of another machine"
    assert not leases.is_alive(f"another-machine:1:{pid}:{began}")
    assert not leases.is_alive(f"{place}:{pid}:{boot}.{int(since) + 1}")


def test_leases_have_nothing_to_do_with_each_other(shelf: Shelf) -> None:
    take(shelf, "ann", 1_000)
    with shelf.journal.write() as connection:
        other = leases.take(connection, "canvas/1", "bob", now=1_000, ttl=TTL)
        leases.check(connection, other, now=1_001)


def test_a_lease_rolled_back_with_its_transaction_was_never_held(shelf: Shelf) -> None:
    with undone(shelf.journal) as connection:
        leases.take(connection, "novel/author", "ann", now=1_000, ttl=TTL)
    assert take(shelf, "bob", 1_000).fence == 1


def test_a_lease_without_an_end_is_held_until_it_is_given_back(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        lease = leases.take(connection, "novel/author", "ann", now=1_000, ttl=None)
    with pytest.raises(WrongState):
        take(shelf, "bob", 10**15)
    check(shelf, lease, 10**15)
    with shelf.journal.write() as connection:
        leases.release(connection, lease)
    assert take(shelf, "bob", 10**15).fence == lease.fence + 1


@pytest.mark.parametrize("cell", ["expires_at = 'x'", "fence = 'x'", "process = 'nobody'", "holder = x'00'"])
def test_a_damaged_lease_is_told_as_damage_and_can_be_cleared(shelf: Shelf, cell: str) -> None:
    old = take(shelf, "ann", 1_000)
    with shelf.journal.write() as connection:
        connection.exec_driver_sql(f"UPDATE leases SET {cell}")
    for deed in (lambda: take(shelf, "bob", 1_001), lambda: check(shelf, old, 1_001)):
        with pytest.raises(Corrupt):
            deed()
    with shelf.journal.write() as connection:
        leases.clear(connection, "novel/author")
    assert take(shelf, "bob", 1_002).fence > old.fence
    with pytest.raises(WrongState):
        check(shelf, old, 1_003)
