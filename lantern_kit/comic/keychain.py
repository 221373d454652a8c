"""The keys that may decide, as a chain of signed events: who let whom in, which took whose place, which was revoked.

The first key of a workspace is trusted because it was there first. Every later event is signed by a key that could
decide then, and covers the events and verdicts before it, so that rows slipped in or taken out show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.ids import encode
from lantern_kit.kernel.revision import GENESIS

COLUMNS = (
    "id, kind, key, name, public, demo, replaces, signer, reason, verdicts, verdicts_digest, before, at, signature"
)


class KeyEventKind(StrEnum):
    """What happened to a key."""

    CARRIED = "carried"
    """Enrolled before events were kept: unsigned, trusted as it was found."""
    ENROL = "enrol"
    ROTATE = "rotate"
    """A new key takes the place of another, which signs for it."""
    REVOKE = "revoke"


@dataclass(frozen=True)
class Enrolled:
    """A key that may decide in this workspace, or might once."""

    key: str
    name: str
    public: bytes
    demo: bool
    """The demo's key: it has no passphrase and proves nothing about who decided."""
    enrolled_at: int
    vouched_by: str = ""
    """The key that signed for it; empty for one that is trusted because it was there first."""
    after: int = 0
    """Verdicts with a greater number may be its."""
    until: int | None = None
    """Verdicts with a greater number are not its any more; None while it may decide."""
    ended_at: int | None = None
    replaced_by: str = ""
    reason: str = ""
    """Why it was revoked."""

    @property
    def label(self) -> str:
        """How the reviewer is shown wherever the key signed."""
        return f"{self.name} (demo key)" if self.demo else self.name

    @property
    def state(self) -> str:
        """How it stands: active, replaced or revoked."""
        if self.until is None:
            return "active"
        return "replaced" if self.replaced_by else "revoked"

    def could_sign(self, verdict: int) -> bool:
        """Whether the verdict of that number fell into the time in which the key might decide."""
        return self.after < verdict and (self.until is None or verdict <= self.until)

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Whether ``signature`` over ``message`` was made with this key."""
        return is_signed(self.public, message, signature)


@dataclass(frozen=True)
class KeyEvent:
    """One row of the chain."""

    number: int
    kind: KeyEventKind
    key: str
    """The key that was enrolled, came in another's place, or was revoked."""
    name: str
    public: bytes
    demo: int
    replaces: str
    signer: str
    reason: str
    verdicts: int
    """Number of the last verdict before it. Order goes by this, never by a clock."""
    verdicts_digest: bytes
    """Over the signatures of all verdicts up to that one."""
    before: bytes
    """Chain hash of the events before it."""
    at: int
    signature: bytes

    @property
    def id(self) -> str:
        """As people say it: ``k3``."""
        return f"k{self.number}"

    def message(self, workspace: str) -> bytes:
        """The canonical bytes that are signed."""
        return dumps(
            {
                "about": "key",
                "at": self.at,
                "before": self.before.hex(),
                "demo": self.demo,
                "key": self.key,
                "kind": self.kind.value,
                "name": self.name,
                "number": self.number,
                "public": self.public.hex(),
                "reason": self.reason,
                "replaces": self.replaces,
                "signer": self.signer,
                "verdicts": self.verdicts,
                "verdicts_digest": self.verdicts_digest.hex(),
                "workspace": workspace,
            }
        )

    def link(self, chain: bytes, workspace: str) -> bytes:
        """The chain hash after this event."""
        return digest(chain + self.message(workspace) + self.signature)


@dataclass(frozen=True)
class Fault:
    """An event that does not hold; it changes nobody's rights."""

    event: int
    key: str
    message: str


@dataclass(frozen=True)
class Keychain:
    """What the events come to."""

    keys: tuple[Enrolled, ...]
    """Every key that ever might decide, in the order in which they were let in."""
    heads: tuple[bytes, ...]
    """Chain hash after so many events: ``heads[0]`` before the first."""
    verdicts: tuple[int, ...]
    """For each event, the number of the last verdict before it."""
    faults: tuple[Fault, ...]

    def get(self, key: str) -> Enrolled | None:
        """A key by id, whatever its state."""
        return next((item for item in self.keys if item.key == key), None)

    @property
    def active(self) -> list[Enrolled]:
        """The keys that may decide now."""
        return [item for item in self.keys if item.until is None]


def key_id(public: bytes) -> str:
    """A key's name: ``ke_`` and 60 bits of the hash of its public half."""
    return f"ke_{encode(int.from_bytes(digest(public)[:8], 'big') >> 4, 12)}"


def is_signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an Ed25519 signature holds."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError, TypeError):
        return False
    return True


def verdicts_digest(connection: Connection, number: int) -> bytes:
    """Digest over the signatures of all verdicts up to a number, in order."""
    rows = connection.exec_driver_sql("SELECT signature FROM approvals WHERE id <= ? ORDER BY id", (number,))
    return digest(b"".join(row[0] if isinstance(row[0], bytes) else b"?" for row in rows))


def read_events(connection: Connection) -> list[KeyEvent | Fault]:
    """All events in order; a row that cannot be read is a fault."""
    rows = connection.exec_driver_sql(f"SELECT {COLUMNS} FROM key_events ORDER BY id")  # noqa: S608
    return [_event(row) for row in rows]


def read_keychain(connection: Connection) -> Keychain:
    """What the journal's key events come to. Never raises for events that do not hold: they are faults."""
    workspace = str(connection.exec_driver_sql("SELECT value FROM workspace WHERE key = 'id'").scalar())
    return keychain(read_events(connection), workspace)


def keychain(events: Iterable[KeyEvent | Fault], workspace: str) -> Keychain:
    """Replay events: each is taken only if it is signed by a key that could decide then."""
    keys: dict[str, Enrolled] = {}
    heads, verdicts = [GENESIS], [0]
    faults: list[Fault] = []
    carrying = True
    for place, event in enumerate(events, 1):
        if isinstance(event, Fault):
            faults.append(event)
            heads.append(digest(heads[-1]))
            verdicts.append(verdicts[-1])
            continue
        carrying = carrying and event.kind is KeyEventKind.CARRIED
        fault = _fault(event, place, keys, workspace, heads[-1], last=verdicts[-1], carrying=carrying)
        if fault and not (faults and fault is _BROKEN):  # a break is the fault of the event before it, said once
            faults.append(Fault(event.number, event.key, fault))
        if not fault or fault is _BROKEN:
            _take(keys, event)
        heads.append(event.link(heads[-1], workspace))
        verdicts.append(event.verdicts)
    return Keychain(tuple(keys.values()), tuple(heads), tuple(verdicts[1:]), tuple(faults))


_BROKEN = "the key events before it are not those that stood when it was signed"


def _fault(
    event: KeyEvent,
    place: int,
    keys: dict[str, Enrolled],
    workspace: str,
    chain: bytes,
    *,
    last: int,
    carrying: bool,
) -> str:
    """Why an event does not hold, or nothing."""
    problem = ""
    if event.kind is not KeyEventKind.REVOKE and key_id(event.public) != event.key:
        problem = "the key's id is not that of its public half"
    elif event.kind is not KeyEventKind.REVOKE and event.key in keys:
        problem = "the key was let in before"
    elif event.verdicts < last:
        problem = "it claims to be older than the event before it"
    elif event.kind is KeyEventKind.CARRIED:
        if not carrying:
            problem = "an unsigned key stands after signed events"
    else:
        problem = _unsigned(event, keys, workspace)
    if problem:
        return problem
    if event.number != place or (event.kind is not KeyEventKind.CARRIED and event.before != chain):
        return _BROKEN
    return ""


def _unsigned(event: KeyEvent, keys: dict[str, Enrolled], workspace: str) -> str:
    """Why the signature of an event does not count, or nothing."""
    first = not keys and event.kind is KeyEventKind.ENROL and event.signer == event.key
    signer = keys.get(event.signer)
    if not first and signer is None:
        return "it is signed by a key that nobody let in"
    if not first and signer is not None and signer.until is not None:
        return f"it is signed by a key that was {signer.state} before"
    if event.kind is KeyEventKind.ROTATE and event.signer != event.replaces:
        return "a key is put in another's place, and the other did not sign"
    if event.kind is KeyEventKind.REVOKE and (event.key not in keys or keys[event.key].until is not None):
        return "it revokes a key that could not decide"
    public = event.public if signer is None else signer.public
    if not is_signed(public, event.message(workspace), event.signature):
        return "the signature does not match what the event says"
    return ""


def _take(keys: dict[str, Enrolled], event: KeyEvent) -> None:
    if event.kind is KeyEventKind.REVOKE:
        if event.key in keys:
            keys[event.key] = replace(keys[event.key], until=event.verdicts, ended_at=event.at, reason=event.reason)
        return
    vouched = "" if event.signer == event.key else event.signer
    keys[event.key] = Enrolled(
        event.key, event.name, event.public, bool(event.demo), event.at, vouched, after=event.verdicts
    )
    if event.replaces in keys:
        old = keys[event.replaces]
        keys[event.replaces] = replace(old, until=event.verdicts, ended_at=event.at, replaced_by=event.key)


def _event(row: Sequence[Any]) -> KeyEvent | Fault:
    try:
        event = KeyEvent(row[0], KeyEventKind(row[1]), *row[2:])
        event.link(GENESIS, "")  # everything in it can be said in canonical bytes
        if not all(type(cell) is str for cell in (event.key, event.name, event.replaces, event.signer)):
            raise TypeError
        if type(event.verdicts) is not int or type(event.public) is not bytes or type(event.signature) is not bytes:
            raise TypeError
    except (ValueError, TypeError, AttributeError):
        return Fault(row[0], str(row[2]), "a column of the key event cannot be read")
    return event
