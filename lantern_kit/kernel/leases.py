"""Leases: one author at a time over something, with a fence number that outdated holders cannot forge."""

from __future__ import annotations

import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, WrongState

FOREVER = 2**62
_PAST_DAMAGE = 2**40
"""A fence past any that was held, where that one cannot be read."""
_PROCESS = re.compile(r".*:[0-9]{1,10}:[^:]*", re.DOTALL)


@dataclass(frozen=True)
class Lease:
    """A held lease."""

    name: str
    holder: str
    fence: int
    """Grows whenever the lease is taken anew; writes made under an older fence are refused."""
    expires_at: int


def this_process() -> str:
    """A name for this process that a later process with the same number does not share."""
    return f"{_place()}:{os.getpid()}:{_started(os.getpid())}"


def _place() -> str:
    """Machine and process namespace: numbers of processes mean nothing in another container of the same name."""
    try:
        return f"{platform.node()}:{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return platform.node()


def _started(pid: int) -> str:
    """When a process was started: the boot, and the time since; "" when none runs.

    One that only waits for its parent's notice can hold nothing.
    """
    try:
        facts = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except (OSError, IndexError):
        return ""
    return "" if facts[0] in {"Z", "X"} else f"{boot}.{facts[19]}"


def is_dead(process: str) -> bool:
    """Whether a named process surely no longer runs: same machine, and its number is free or was given to another."""
    place, pid, started = process.rsplit(":", 2)
    return place == _place() and _started(os.getpid()) != "" and _started(int(pid)) != started


def is_alive(process: str) -> bool:
    """Whether a named process surely runs: same machine, and the number is still the process's that was named."""
    place, pid, started = process.rsplit(":", 2)
    return place == _place() and started != "" and _started(int(pid)) == started


def read(connection: Connection, name: str) -> tuple[str, str, int, int] | None:
    """Who has or had a lease, in which process, its fence and when it ends; None: nobody ever. Raises Corrupt."""
    row = connection.exec_driver_sql(
        "SELECT holder, process, fence, expires_at FROM leases WHERE name = ?", (name,)
    ).fetchone()
    if row is None:
        return None
    if [type(cell) for cell in row] != [str, str, int, int] or not _PROCESS.fullmatch(row[1]):
        raise Corrupt("a lease cannot be read", ids=[name])
    return str(row[0]), str(row[1]), int(row[2]), int(row[3])


def take(connection: Connection, name: str, holder: str, *, now: int, ttl: int | None) -> Lease:
    """Take or renew a lease for ``ttl`` milliseconds, in a write transaction; None: until it is released.

    A lease that expired, or whose process is provably dead, passes on. Raises WrongState while somebody else holds it.
    """
    until = FOREVER if ttl is None else now + ttl
    row = read(connection, name)
    fence = 1
    if row is not None:
        held = row[3] > now
        renewed = held and row[0] == holder and row[1] == this_process()
        if held and not renewed and not is_dead(row[1]):
            raise WrongState(
                f"{name} is held by {row[0]}",
                ids=[name],
                details={"holder": row[0], "expires_at": row[3]},
                recovery="Wait until it is released or expires, then try again.",
            )
        fence = row[2] if renewed else row[2] + 1
    connection.exec_driver_sql(
        "INSERT INTO leases (name, holder, process, fence, expires_at) VALUES (?,?,?,?,?)"
        " ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, process = excluded.process,"
        " fence = excluded.fence, expires_at = excluded.expires_at",
        (name, holder, this_process(), fence, until),
    )
    return Lease(name, holder, fence, until)


def check(connection: Connection, lease: Lease, *, now: int) -> None:
    """Refuse a write under a lease that was lost or ran out. Raises WrongState."""
    row = read(connection, lease.name)
    if row is None or row[2] != lease.fence or row[3] <= now:
        raise WrongState(
            f"the lease on {lease.name} was lost",
            ids=[lease.name],
            recovery="Take the lease again and read the newest state.",
        )


def release(connection: Connection, lease: Lease) -> None:
    """Give a lease back; does nothing if it was lost meanwhile. The fence stays, so that it only ever grows."""
    connection.exec_driver_sql(
        "UPDATE leases SET expires_at = 0 WHERE name = ? AND fence = ?", (lease.name, lease.fence)
    )


def clear(connection: Connection, name: str) -> None:
    """Take a lease from whoever has it, whatever is written of it; its fence grows."""
    connection.exec_driver_sql(
        "UPDATE leases SET holder = '', process = ':0:', expires_at = 0,"
        " fence = CASE typeof(fence) WHEN 'integer' THEN fence + 1 ELSE ? END WHERE name = ?",
        (_PAST_DAMAGE, name),
    )
