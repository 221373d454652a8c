"""Private halves of reviewers' keys: files in the person's own configuration folder, never in a workspace.

The MCP face and the agent runtime never import this module (held by a contract).
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lantern_kit.asking import Ask
from lantern_kit.comic.keychain import key_id
from lantern_kit.kernel.errors import NotAllowed, WrongState

TRIES = 3
"""How often a passphrase is asked for."""


@dataclass
class UnlockedKey:
    """A reviewer whose key is unlocked until ``lock``."""

    name: str
    key: str
    public: bytes
    _private: Ed25519PrivateKey | None = field(repr=False, default=None)

    def sign(self, message: bytes) -> bytes:
        """Sign. Raises NotAllowed after ``lock``."""
        if self._private is None:
            raise NotAllowed("the reviewer's key is locked", ids=[self.key], recovery="Unlock it again to decide.")
        return self._private.sign(message)

    def lock(self) -> None:
        """Forget the private half."""
        self._private = None

    def __enter__(self) -> UnlockedKey:
        return self

    def __exit__(self, *_: object) -> None:
        self.lock()


class KeyFolder:
    """The person's key files: ``keys/<key id>.pem``, readable by the owner only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, name: str, passphrase: str | None) -> UnlockedKey:
        """Make a key. Without a passphrase the file is not encrypted: for the demo only."""
        private = Ed25519PrivateKey.generate()
        public = _public(private)
        self._write(self._path(key_id(public)), private, passphrase)
        return UnlockedKey(name, key_id(public), public, private)

    def change_passphrase(self, key: UnlockedKey, new: str) -> None:
        """Protect an unlocked key with another passphrase; the key stays the same. Raises NotAllowed, WrongState."""
        if key._private is None:
            raise NotAllowed("the reviewer's key is locked", ids=[key.key], recovery="Unlock it again first.")
        fresh = self._path(key.key).with_suffix(".new")
        fresh.unlink(missing_ok=True)
        self._write(fresh, key._private, new)
        fresh.replace(self._path(key.key))

    def remove(self, key: str) -> None:
        """Take back a key that was made and came to nothing."""
        self._path(key).unlink(missing_ok=True)

    def has(self, key: str) -> bool:
        """Whether the private half of a key is in this folder."""
        return self._path(key).is_file()

    def unlock(self, key: str, name: str, ask: Ask | None) -> UnlockedKey:
        """Load a key, asking for its passphrase, if it has one, until it is right or ``TRIES`` are over.

        Raises NotAllowed.
        """
        path = self._path(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError as error:
            raise NotAllowed(
                "this machine does not hold the private half of the reviewer's key",
                ids=[key],
                recovery="Decide on the machine where the key was made, or enrol a key of this one.",
            ) from error
        with suppress(TypeError):  # raised for a key that needs a passphrase
            return self._loaded(data, None, name)
        if ask is None:
            raise NotAllowed(
                "the key needs its passphrase and nobody can be asked",
                ids=[key],
                recovery="Decide in a terminal or a notebook.",
            )
        for attempt in range(TRIES):
            again = "That was not it. " if attempt else ""
            with suppress(TypeError, ValueError):  # TypeError is what an empty passphrase gives
                return self._loaded(data, ask(f"{again}Passphrase of {name}'s key: ").encode(), name)
        raise NotAllowed("the passphrase is wrong", ids=[key], found=f"{TRIES} tries", recovery="Try again.")

    def _write(self, path: Path, private: Ed25519PrivateKey, passphrase: str | None) -> None:
        encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase is not None:
            if len(passphrase) < 8:
                raise WrongState(
                    "the passphrase is too short", expected="at least 8 characters", recovery="Choose a longer one."
                )
            encryption = serialization.BestAvailableEncryption(passphrase.encode())
        data = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _loaded(self, data: bytes, passphrase: bytes | None, name: str) -> UnlockedKey:
        private = serialization.load_pem_private_key(data, passphrase)
        if not isinstance(private, Ed25519PrivateKey):
            raise NotAllowed("the key file does not hold an Ed25519 key", recovery="Enrol a new key.")
        public = _public(private)
        return UnlockedKey(name, key_id(public), public, private)

    def _path(self, key: str) -> Path:
        return self.folder / "keys" / f"{key}.pem"


def _public(private: Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
