"""Reviewers: people whose keys are enrolled in the workspace. Only public halves live here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotAllowed, WrongState
from lantern_kit.kernel.ids import encode


class Reviewer(Protocol):
    """A person who is present with an unlocked key."""

    @property
    def name(self) -> str:
        """The person's name."""
        ...

    @property
    def key(self) -> str:
        """Id of the key."""
        ...

    def sign(self, message: bytes) -> bytes:
        """An Ed25519 signature, 64 bytes. Raises NotAllowed when the key was locked again."""
        ...


@dataclass(frozen=True)
class Enrolled:
    """A key that may decide in this workspace."""

    key: str
    name: str
    public: bytes
    demo: bool
    """The demo's key: it has no passphrase and proves nothing about who decided."""
    enrolled_at: int

    @property
    def label(self) -> str:
        """How the reviewer is shown wherever the key signed."""
        return f"{self.name} (demo key)" if self.demo else self.name

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Whether ``signature`` over ``message`` was made with this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def key_id(public: bytes) -> str:
    """A key's name: ``ke_`` and 60 bits of the hash of its public half."""
    return f"ke_{encode(int.from_bytes(digest(public)[:8], 'big') >> 4, 12)}"


def enrol(connection: Connection, *, name: str, public: bytes, demo: bool, at: int) -> Enrolled:
    """Let a key decide in this workspace, in a write transaction. Raises WrongState when it may already."""
    key = key_id(public)
    if connection.exec_driver_sql("SELECT 1 FROM reviewers WHERE key = ?", (key,)).fetchone() is not None:
        raise WrongState("that key is enrolled already", ids=[key], recovery="Use it as it is.")
    connection.exec_driver_sql(
        "INSERT INTO reviewers (key, name, public, demo, enrolled_at) VALUES (?,?,?,?,?)",
        (key, name, public, int(demo), at),
    )
    return Enrolled(key, name, public, demo, at)


def enrolled(connection: Connection) -> list[Enrolled]:
    """All keys that may decide, oldest first."""
    rows = connection.exec_driver_sql(
        "SELECT key, name, public, demo, enrolled_at FROM reviewers ORDER BY enrolled_at, key"
    ).fetchall()
    return [Enrolled(row[0], row[1], row[2], bool(row[3]), row[4]) for row in rows]


def find(connection: Connection, key: str) -> Enrolled:
    """An enrolled key. Raises NotAllowed."""
    for item in enrolled(connection):
        if item.key == key:
            return item
    raise NotAllowed(
        "the reviewer's key is not enrolled in this workspace",
        expected="an enrolled key",
        found=key,
        recovery="A person enrols a key with: lantern init (for a new workspace) or lantern enrol.",
    )
