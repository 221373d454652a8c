"""Reviewers: people whose keys may decide in the workspace. Only public halves live here."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from lantern_kit.comic.keychain import (
    COLUMNS,
    Enrolled,
    Keychain,
    KeyEvent,
    KeyEventKind,
    key_id,
    read_keychain,
    verdicts_digest,
)
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotAllowed, NotFound, WrongState


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


def enrolled(connection: Connection) -> list[Enrolled]:
    """All keys that may decide now, oldest first."""
    return read_keychain(connection).active


def find(connection: Connection, key: str) -> Enrolled:
    """A key that may decide now. Raises NotAllowed."""
    return deciding(read_keychain(connection), key)


def deciding(chain: Keychain, key: str) -> Enrolled:
    """A key of a chain, if it may decide now. Raises NotAllowed."""
    found = chain.get(key)
    if found is None:
        raise NotAllowed(
            "the reviewer's key is not enrolled in this workspace",
            expected="an enrolled key",
            found=key,
            recovery="A person enrols a key with: lantern init (for a new workspace) or lantern enrol.",
        )
    if found.until is not None:
        raise NotAllowed(
            f"{found.name}'s key was {found.state}",
            expected="a key that may decide",
            found=found.state,
            ids=[found.key, *([found.replaced_by] if found.replaced_by else [])],
            recovery="Decide with the key that took its place." if found.replaced_by else "Decide with another key.",
        )
    return found


def enrol(
    connection: Connection, workspace: str, *, name: str, public: bytes, demo: bool, at: int, by: Reviewer
) -> Enrolled:
    """Let a key decide, in a write transaction.

    Args:
        by: who lets it in: somebody who may decide, or, for the first key of a workspace, the key itself.

    Raises WrongState when it was let in before, NotAllowed when ``by`` may not decide.
    """
    chain = read_keychain(connection)
    _require_new(chain, public)
    return _append(connection, workspace, chain, KeyEventKind.ENROL, by, name=name, public=public, demo=demo, at=at)


def rotate(connection: Connection, workspace: str, *, public: bytes, at: int, by: Reviewer) -> Enrolled:
    """Put a new key in the place of the one that signs, in a write transaction; verdicts of the old one stay valid.

    Raises WrongState, NotAllowed.
    """
    chain = read_keychain(connection)
    _require_new(chain, public)
    old = deciding(chain, by.key)
    if old.demo:
        raise WrongState(
            "the demo's key proves nothing, and so would one in its place",
            ids=[old.key],
            recovery="Enrol a key of your own, then revoke the demo's.",
        )
    return _append(
        connection,
        workspace,
        chain,
        KeyEventKind.ROTATE,
        by,
        name=old.name,
        public=public,
        demo=False,
        at=at,
        replaces=old.key,
    )


def revoke(connection: Connection, workspace: str, key: str, *, at: int, by: Reviewer, reason: str = "") -> Enrolled:
    """Take a key's right to decide, in a write transaction; its earlier verdicts stay valid.

    Raises NotFound, WrongState for the last key, NotAllowed.
    """
    chain = read_keychain(connection)
    deciding(chain, by.key)
    old = chain.get(key)
    if old is None:
        raise NotFound("no such key was ever enrolled here", ids=[key], recovery="List them: lantern keys.")
    deciding(chain, key)
    if len(chain.active) == 1:
        raise WrongState(
            "it is the only key that may decide, and nobody could after it",
            ids=[key],
            recovery="Enrol another reviewer first, or put a new key in its place: lantern keys rotate.",
        )
    return _append(
        connection,
        workspace,
        chain,
        KeyEventKind.REVOKE,
        by,
        name=old.name,
        public=old.public,
        demo=old.demo,
        at=at,
        reason=reason[:1000],
    )


def _require_new(chain: Keychain, public: bytes) -> None:
    found = chain.get(key_id(public))
    if found is not None:
        raise WrongState(
            "that key is enrolled already" if found.until is None else f"that key was {found.state}",
            ids=[found.key],
            recovery="Use it as it is." if found.until is None else "Make a new key.",
        )


def _append(
    connection: Connection,
    workspace: str,
    chain: Keychain,
    kind: KeyEventKind,
    by: Reviewer,
    *,
    name: str,
    public: bytes,
    demo: bool,
    at: int,
    replaces: str = "",
    reason: str = "",
) -> Enrolled:
    key = key_id(public)
    if not (by.key == key and kind is KeyEventKind.ENROL and not chain.keys):
        deciding(chain, by.key)
    last = connection.exec_driver_sql("SELECT coalesce(max(id), 0) FROM approvals").scalar_one()
    event = KeyEvent(
        number=len(chain.heads),
        kind=kind,
        key=key,
        name=Actor.person(name).name,
        public=public,
        demo=int(demo),
        replaces=replaces,
        signer=by.key,
        reason=reason,
        verdicts=last,
        verdicts_digest=verdicts_digest(connection, last),
        before=chain.heads[-1],
        at=at,
        signature=b"",
    )
    event = replace(event, signature=by.sign(event.message(workspace)))
    cells = tuple(getattr(event, name) for name in event.__dataclass_fields__)
    connection.exec_driver_sql(
        f"INSERT INTO key_events ({COLUMNS}) VALUES ({','.join('?' * len(cells))})",  # noqa: S608
        (cells[0], kind.value, *cells[2:]),
    )
    made = read_keychain(connection)
    found = made.get(key)
    if found is None or len(made.faults) > len(chain.faults):
        raise NotAllowed("the signature was not made by a key that may decide", ids=[by.key])
    return found
