"""The keys that decide in a workspace, as a person holds them: let in, change, replace, revoke, see."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from lantern_kit.asking import Ask
from lantern_kit.comic import reviewers
from lantern_kit.comic.keychain import Enrolled, is_signed, key_id, read_keychain
from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.comic.work import show
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.canonical import dumps, loads
from lantern_kit.kernel.clock import Clock, stamp
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import BadInput, Corrupt, NotAllowed, NotFound
from lantern_kit.keys import KeyFolder, UnlockedKey

OFFER = "lantern-kit key offer 1"


@dataclass(frozen=True)
class Offer:
    """The public half of a key that its owner would like to be let in with."""

    name: str
    public: bytes

    @property
    def key(self) -> str:
        """Id of the key."""
        return key_id(self.public)

    @classmethod
    def make(cls, name: str, key: UnlockedKey) -> str:
        """An offer as text: its owner's signature shows that the private half is theirs."""
        facts = {"format": OFFER, "name": Actor.person(name).name, "public": base64.b64encode(key.public).decode()}
        signature = base64.b64encode(key.sign(dumps(facts))).decode()
        return dumps({**facts, "signature": signature}).decode() + "\n"

    @classmethod
    def read(cls, text: str) -> Offer:
        """An offer from its text. Raises BadInput when it is none, or was not signed with the key it names."""
        try:
            facts = loads(text)
            signature = base64.b64decode(facts.pop("signature"), validate=True)
            public = base64.b64decode(facts["public"], validate=True)
            sound = facts.keys() == {"format", "name", "public"} and facts["format"] == OFFER
            if not sound or not is_signed(public, dumps(facts), signature):
                raise BadInput("the offer was not signed with the key it names", recovery="Ask its owner for it again.")
            return cls(Actor.person(facts["name"]).name, public)
        except (Corrupt, KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput("that is no offer of a key", expected="a file made by lantern keys offer") from error


class KeyRing:
    """The keys of one workspace.

    Args:
        folder: where private halves are: the person's own folder, or the demo's.
        ask: asks a person for the passphrase of a named key.
    """

    heads: ClassVar = ("key", "name", "state", "since", "let in by", "until", "replaced by", "here")

    def __init__(
        self, journal: Journal, clock: Clock, workspace: str, folder: Callable[[bool], KeyFolder], ask: Ask
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._workspace = workspace
        self._folder = folder
        self._ask = ask

    # reading

    def all(self) -> list[Enrolled]:
        """Every key that ever might decide here, in the order in which they were let in."""
        with self._journal.read() as connection:
            return list(read_keychain(connection).keys)

    def active(self) -> list[Enrolled]:
        """The keys that may decide now, oldest first."""
        return [item for item in self.all() if item.until is None]

    def get(self, key: str) -> Enrolled:
        """A key by id, or the one active key of a person by name. Raises NotFound, BadInput."""
        known = self.all()
        found = [item for item in known if item.key == key] or [
            item for item in known if item.name == key and item.until is None
        ]
        if not found:
            raise NotFound(
                f"no key {key[:80]} was ever let in here", expected=[item.key for item in known], found=key[:80]
            )
        if len(found) > 1:
            raise BadInput(f"{key[:80]} has several keys here", expected=[item.key for item in found], found=key[:80])
        return found[0]

    def holds(self, key: Enrolled) -> bool:
        """Whether the private half of a key is on this machine."""
        return self._folder(key.demo).has(key.key)

    def deciding(self, name: str | None = None) -> Enrolled:
        """The key that ``unlock`` unlocks: the newest active one whose private half is here. Raises NotAllowed."""
        known = [item for item in self.active() if name is None or item.name == name]
        held = [item for item in known if self.holds(item)]
        if not held:
            whose = "" if name is None else f" under the name {name[:80]}"
            raise NotAllowed(
                f"no key that may decide here is on this machine{whose}"
                if known
                else f"nobody is enrolled to decide here{whose}",
                expected=[item.name for item in self.active()] or None,
                ids=[item.key for item in known],
                recovery="Decide on the machine where the key was made, or offer a key of this one to somebody who"
                " may decide: lantern keys offer."
                if known
                else "Decide on the machine where the key was made, or enrol a key: lantern enrol.",
            )
        return held[-1]

    def unlock(self, name: str | None = None, *, ask: Ask | None = None) -> UnlockedKey:
        """Unlock the key of a reviewer, asking for its passphrase by ``ask``, else as usual. Raises NotAllowed."""
        chosen = self.deciding(name)
        return self._folder(chosen.demo).unlock(chosen.key, chosen.name, ask or self._ask)

    # changing

    def enrol(
        self, name: str, passphrase: str | None, *, demo: bool = False, by: UnlockedKey | None = None
    ) -> Enrolled:
        """Make a key for a person and let it decide.

        Args:
            by: who lets it in, when somebody may decide already; None unlocks the newest key here.

        Raises BadInput without a passphrase (only the demo's key has none), NotAllowed.
        """
        Actor.person(name)
        if passphrase is None and not demo:
            raise BadInput("a reviewer's key needs a passphrase", recovery="Choose one of at least 8 characters.")
        with self._signer(by) as signer, self._made(name, passphrase, demo=demo) as key:
            return self._enrol(name, key.public, demo=demo, by=signer or key)

    def enrol_offer(self, offer: Offer, *, by: UnlockedKey | None = None) -> Enrolled:
        """Let a key decide that was made on another machine. Raises NotAllowed when nobody may decide yet."""
        with self._signer(by) as signer:
            if signer is None:
                raise NotAllowed(
                    "nobody may decide here yet, so nobody can let a key in",
                    recovery="Make the first key where it will be used: lantern enrol.",
                )
            return self._enrol(offer.name, offer.public, demo=False, by=signer)

    def rotate(self, passphrase: str, *, by: UnlockedKey | None = None, name: str | None = None) -> Enrolled:
        """Put a new key in the place of one's own; what the old one signed stays valid. Raises NotAllowed."""
        with (
            self._unlocked(by, name) as old,
            self._made(old.name, passphrase, demo=False) as key,
            self._journal.write() as connection,
        ):
            return reviewers.rotate(connection, self._workspace, public=key.public, at=self._clock.now(), by=old)

    def revoke(self, key: str, *, by: UnlockedKey | None = None, reason: str = "") -> Enrolled:
        """Take a key's right to decide; what it signed before stays valid. Raises NotFound, WrongState, NotAllowed.

        Args:
            key: its id, or the name of a person with one active key.
            by: who revokes it; None unlocks the newest key here.
        """
        target = self.get(key)
        with self._unlocked(by, None) as signer, self._journal.write() as connection:
            return reviewers.revoke(
                connection, self._workspace, target.key, at=self._clock.now(), by=signer, reason=reason
            )

    def change_passphrase(self, new: str, *, by: UnlockedKey | None = None, name: str | None = None) -> None:
        """Protect one's key on this machine with another passphrase. Raises NotAllowed, WrongState.

        Args:
            by: the key, unlocked with its old passphrase; None unlocks the newest here, or that of ``name``.
        """
        with self._unlocked(by, name) as key:
            if self.get(key.key).demo:
                raise NotAllowed("the demo's key has no passphrase", ids=[key.key], recovery="Enrol a key of your own.")
            self._folder(False).change_passphrase(key, new)

    # showing

    def rows(self) -> list[tuple[str, ...]]:
        """One row a key, under ``heads``."""
        known = self.all()
        labels = {item.key: item.label for item in known}
        return [
            (
                item.key,
                item.label,
                item.state,
                stamp(item.enrolled_at),
                labels.get(item.vouched_by, item.vouched_by),
                "" if item.ended_at is None else stamp(item.ended_at),
                item.replaced_by,
                "yes" if self.holds(item) else "",
            )
            for item in known
        ]

    def data(self) -> list[dict[str, Any]]:
        """The keys as plain data, with their public halves in hex."""
        return [
            {
                "key": item.key,
                "name": item.name,
                "public": item.public.hex(),
                "demo": item.demo,
                "state": item.state,
                "enrolled_at": stamp(item.enrolled_at),
                "let_in_by": item.vouched_by or None,
                "ended_at": None if item.ended_at is None else stamp(item.ended_at),
                "replaced_by": item.replaced_by or None,
                "reason": item.reason,
                "here": self.holds(item),
            }
            for item in self.all()
        ]

    def __len__(self) -> int:
        return len(self.all())

    def __repr__(self) -> str:
        lines = ["  ".join(cell for cell in row if cell) for row in self._told()]
        return "\n".join(lines) or "nobody may decide here"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.table(self.heads, self._told(), empty="nobody may decide here"))

    # parts

    def _told(self) -> list[tuple[str, ...]]:
        return [(*row[:4], row[4] or "the first key here", *row[5:]) for row in self.rows()]

    def _enrol(self, name: str, public: bytes, *, demo: bool, by: Reviewer) -> Enrolled:
        with self._journal.write() as connection:
            return reviewers.enrol(
                connection, self._workspace, name=name, public=public, demo=demo, at=self._clock.now(), by=by
            )

    @contextmanager
    def _made(self, name: str, passphrase: str | None, *, demo: bool) -> Iterator[UnlockedKey]:
        """A new key, which is taken back if it comes to nothing."""
        folder = self._folder(demo)
        key = folder.create(name, passphrase)
        try:
            with key:
                yield key
        except BaseException:
            folder.remove(key.key)
            raise

    @contextmanager
    def _signer(self, by: UnlockedKey | None) -> Iterator[UnlockedKey | None]:
        """Who lets a new key in: nobody, when it is the first."""
        if by is None and not self.all():
            yield None
            return
        with self._unlocked(by, None) as signer:
            yield signer

    @contextmanager
    def _unlocked(self, by: UnlockedKey | None, name: str | None) -> Iterator[UnlockedKey]:
        """A key that was given, which stays as it is, or one that is unlocked for the block."""
        if by is not None:
            yield by
            return
        with self.unlock(name) as key:
            yield key


def offer(config: Path, name: str, passphrase: str) -> tuple[str, str]:
    """Make a key on this machine for other people's workspaces; gives its id and the offer's text."""
    key = KeyFolder(config).create(name, passphrase)
    with key:
        return key.key, Offer.make(name, key)
