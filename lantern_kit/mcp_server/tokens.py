"""Bearer tokens of the HTTP server: one for each scope, in a file that only its owner may read."""

from __future__ import annotations

import hmac
import json
import os
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import NotAllowed


@dataclass(frozen=True)
class Tokens:
    """What lets a caller read, or read and draft."""

    read: str = field(repr=False)
    draft: str = field(repr=False)

    def scopes(self, token: str) -> frozenset[Scope]:
        """What a token grants; nothing for one that is none. Takes as long for every wrong token."""
        given = token.encode()
        drafts = hmac.compare_digest(given, self.draft.encode())
        reads = hmac.compare_digest(given, self.read.encode())
        if drafts:
            return frozenset({Scope.READ, Scope.DRAFT})
        return frozenset({Scope.READ}) if reads else frozenset()


def held_tokens(path: Path) -> Tokens:
    """The tokens of a file, made on the first call. Raises NotAllowed when others could read or change them."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = {"read": secrets.token_urlsafe(32), "draft": secrets.token_urlsafe(32)}
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return _read(path)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        json.dump(fresh, file)
        file.flush()
        os.fsync(file.fileno())
    return Tokens(**fresh)


def _read(path: Path) -> Tokens:
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode) or facts.st_mode & 0o077 or facts.st_uid != os.getuid():
        raise NotAllowed(
            f"{path.name} can be read by others, so its tokens are worth nothing",
            expected="a file of your own with mode 600",
            recovery="Delete it and start again: new tokens are made.",
        )
    try:
        held = json.loads(path.read_text(encoding="ascii"))
        read, draft = held["read"], held["draft"]
        if not (
            isinstance(read, str) and isinstance(draft, str) and min(len(read), len(draft)) >= 32 and read != draft
        ):
            raise ValueError("not two tokens")
    except (ValueError, KeyError, TypeError):
        raise NotAllowed(
            f"{path.name} holds no tokens", recovery="Delete it and start again: new tokens are made."
        ) from None
    return Tokens(read, draft)
