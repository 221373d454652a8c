"""The library: entries kept, updated, restored, found and put away. Versions are only ever added."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from lantern_kit.assets import AssetLibrary
from lantern_kit.kernel.actor import Actor, require_person
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import BadInput, Corrupt, NotFound, StaleEntry, WrongState, nearest
from lantern_kit.kernel.ids import IdSource
from lantern_kit.kernel.wording import MESSAGE, said
from lantern_kit.library.entry import Cause, Content, Entry, Kind, Version, chained, content_of, folded, kind_named
from lantern_kit.library.lookup import Lookup

TOLD = 10
"""Versions that an error tells of."""
_VERSION = "v.entry, v.number, v.cause, v.content, v.actor_kind, v.actor, v.message, v.at, v.chain"
_INSERT = (
    "INSERT INTO library_versions (entry, number, cause, content, actor_kind, actor, message, at, chain)"
    " VALUES (?,?,?,?,?,?,?,?,?)"
)

Check = Callable[[Kind, Content], Content]
"""What a document kind has to say of an entry's content: the content as it is to be kept. Raises BadInput."""


class Library:
    """The library of one workspace.

    Args:
        journal, clock, ids: the workspace's.
        assets: where reference pictures are registered.
        owner: who acts when nobody else is named.
        check: looks at what is to be kept.
    """

    def __init__(
        self, journal: Journal, assets: AssetLibrary, clock: Clock, ids: IdSource, *, owner: Actor, check: Check
    ) -> None:
        self.journal = journal
        self.assets = assets
        self._clock = clock
        self._ids = ids
        self._owner = owner
        self._check = check
        self._known: tuple[dict[str, Entry], int] = {}, 0
        self._names = Lookup({})

    def record(self, entry: Entry) -> Any:
        """An entry as this library gives it; faces give one that shows itself."""
        return entry

    def facts(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Facts of an entry as this library keeps them; faces take more than plain ones."""
        return given

    def comics(self, connection: Connection) -> Collection[str] | None:
        """The titles that an entry may say it belongs to; None: any. Faces know the works."""
        del connection
        return None

    # reading

    def entries(self, connection: Connection | None = None) -> dict[str, Entry]:
        """All entries at their newest versions, also those put away, by id, in the order in which they were kept.

        Only what is newer than the last answer is read.
        """
        if connection is None:
            with self.journal.read() as own:
                self._known = self._read(own)  # never from a write, which may be rolled back
            return self._known[0]
        return self._read(connection)[0]

    def get(self, entry: str, connection: Connection | None = None) -> Any:
        """An entry by id. Raises NotFound."""
        return self.record(self._get(entry, connection))

    def resolve(self, name: str, *, kind: Kind | str | None = None, comic: str | None = None) -> Any:
        """The one entry that an id, a name or another name means, put away ones only by id.

        Args:
            name: what it is called; case, width and blanks tell nothing apart.
            kind: only of this kind.
            comic: names mean only entries of this comic, or of the whole workspace; None: all of them.

        Raises:
            NotFound: none, with the nearest names.
            BadInput: several; ``details['candidates']`` says what tells them apart.
        """
        return self.record(self._looked_up().one(name, kind=kind, comic=comic))

    def find(
        self, words: str = "", *, kind: Kind | str | None = None, comic: str | None = None, archived: bool = False
    ) -> Sequence[Any]:
        """Entries in whose names, notes or looks each of the words is, the best first, else the newest.

        Args:
            words: parted by blanks; none finds all.
            kind: only of this kind.
            comic: only of this comic, or of the whole workspace.
            archived: those that were put away instead of the others.
        """
        found = self._looked_up().holding(words, kind=kind, comic=comic, archived=archived)
        return [self.record(item) for item in found]

    def versions(self, entry: str, connection: Connection | None = None) -> list[Version]:
        """All versions of an entry, oldest first. Raises NotFound."""
        if connection is None:
            with self.journal.read() as own:
                return self.versions(entry, own)
        rows = connection.exec_driver_sql(
            f"SELECT {_VERSION} FROM library_versions AS v WHERE v.entry = ? ORDER BY v.number",  # noqa: S608
            (entry,),
        ).fetchall()
        if not rows:
            raise _unknown(entry)
        return [_version(row) for row in rows]

    def version(self, entry: str, number: int, connection: Connection | None = None) -> Version:
        """One version of an entry. Raises NotFound."""
        found = self.versions(entry, connection)
        if not 1 <= number <= len(found):
            raise NotFound(
                f"{entry} has no version {number}",
                expected=f"1 to {len(found)}",
                found=number,
                ids=[entry],
                recovery="Name one of its versions.",
            )
        return found[number - 1]

    # writing, in a transaction of the caller's

    def add(
        self, connection: Connection, kind: Kind, facts: Mapping[str, Any], *, actor: Actor, message: str = ""
    ) -> Any:
        """Keep a new entry. Raises BadInput, NotFound for a picture that is not registered, WrongState for its like."""
        content = self._sound(connection, kind, content_of(self.facts(facts)))
        self._require_comic(connection, content)
        self._require_free(connection, kind, content)
        made = self._ids.new("li")
        connection.exec_driver_sql("INSERT INTO library (id, kind, head) VALUES (?,?,1)", (made, kind.value))
        return self._append(connection, made, kind, None, Cause.KEPT, content, actor, message)

    def change(
        self,
        connection: Connection,
        entry: str,
        seen: int,
        facts: Mapping[str, Any],
        *,
        actor: Actor,
        message: str = "",
    ) -> Any:
        """A new version of an entry in which some fields hold something else.

        Raises:
            StaleEntry: it has a newer version than ``seen``.
            WrongState: it was put away.
            BadInput, NotFound: the content is wrong, or as it was.
        """
        held = self._at(connection, entry, seen)
        self._require_live(held)
        content = content_of({**held.content.model_dump(mode="json"), **self.facts(facts)})
        content = self._sound(connection, held.kind, content)
        if content.comic != held.content.comic:
            self._require_comic(connection, content)
        if content == held.content:
            raise BadInput(
                f"{held.name}: that changes nothing", ids=[entry], recovery="Nothing was written; it is so already."
            )
        self._require_free(connection, held.kind, content, but=entry)
        return self._append(connection, entry, held.kind, held.version, Cause.UPDATED, content, actor, message)

    # writing

    def keep(
        self,
        kind: Kind | str,
        name: str,
        *,
        message: str = "",
        actor: Actor | None = None,
        **facts: Any,
    ) -> Any:
        """Keep a new character, scene, prop, style or layout.

        Args:
            kind: which of them.
            name: what it is called.
            message: why.
            facts: aliases, notes (Markdown), palette (``#rrggbb``), looks, sheets (ids of pictures, or asset, role and
                note), layout, comic.

        Raises:
            BadInput, NotFound, WrongState.
        """
        wanted = kind_named(kind)
        with self.journal.write() as connection:
            return self.add(connection, wanted, {"name": name, **facts}, actor=actor or self._owner, message=message)

    def update(self, entry: str, seen: int, *, message: str = "", actor: Actor | None = None, **facts: Any) -> Any:
        """A new version in which the fields that are given hold something else; raises as ``change`` does."""
        with self.journal.write() as connection:
            return self.change(connection, entry, seen, facts, actor=actor or self._owner, message=message)

    def restore(self, entry: str, number: int, seen: int, *, message: str = "", actor: Actor | None = None) -> Any:
        """An earlier version as a new one; it brings back what was put away, which only a person may.

        Raises StaleEntry, NotFound, NotAllowed; WrongState where it is as it was then.
        """
        who = actor or self._owner
        with self.journal.write() as connection:
            held = self._at(connection, entry, seen)
            if held.archived:
                require_person(who, f"bring {held.name} back")
            then = self.version(entry, number, connection)
            if then.content == held.content and not held.archived:
                raise WrongState(
                    f"{held.name} is as it was in version {number}", ids=[entry], recovery="Nothing to do."
                )
            self._require_free(connection, held.kind, then.content, but=entry)
            why = message or f"as in version {number}"
            return self._append(connection, entry, held.kind, held.version, Cause.RESTORED, then.content, who, why)

    def archive(self, entry: str, *, confirm: str, message: str = "", actor: Actor | None = None) -> Any:
        """Put an entry away: it is no longer listed nor meant by its name; what uses it stays. Only a person may.

        Args:
            entry: its id.
            confirm: its exact name.
            message: why.
            actor: who.

        Raises:
            NotAllowed: an agent asked.
            BadInput: another name was confirmed.
            WrongState: it was put away before.
        """
        who = actor or self._owner
        with self.journal.write() as connection:
            held = self._get(entry, connection)
            require_person(who, f"put {held.name} away")
            self._require_live(held)
            if confirm != held.name:
                raise BadInput(
                    "the name that was confirmed is another one",
                    expected=held.name,
                    found=str(confirm)[:40],
                    ids=[entry],
                    recovery="Nothing was changed; give the exact name of what is to be put away.",
                )
            return self._append(connection, entry, held.kind, held.version, Cause.ARCHIVED, held.content, who, message)

    # parts

    def _read(self, connection: Connection) -> tuple[dict[str, Entry], int]:
        """All entries, from what is known and what is newer; and the number of the newest row."""
        known, seen = self._known
        found, newest = _newer(connection, seen)
        return (known, seen) if not found else ({**known, **found}, newest)

    def _looked_up(self) -> Lookup:
        """All entries by their names; made anew only when something changed."""
        known = self.entries()
        if self._names.entries is not known:
            self._names = Lookup(known)
        return self._names

    def _get(self, entry: str, connection: Connection | None = None) -> Entry:
        found = self.entries(connection).get(entry)
        if found is None:
            raise _unknown(entry)
        return found

    def _at(self, connection: Connection, entry: str, seen: int) -> Entry:
        """An entry that is still at the version that the caller saw. Raises StaleEntry, NotFound."""
        held = self._get(entry, connection)
        if seen == held.number:
            return held
        if not 1 <= seen < held.number:
            raise BadInput(
                f"{held.name} has no version {seen}", expected=f"1 to {held.number}", found=seen, ids=[entry]
            )
        later = self.versions(entry, connection)
        changed = later[seen - 1].content.changed(held.content)
        since = [{"version": one.number, "actor": one.actor, "message": one.message} for one in later[seen:][::-1]]
        raise StaleEntry(
            f"{held.name} is at version {held.number}, and you saw version {seen}",
            expected=held.number,
            found=seen,
            ids=[entry],
            details={"current_version": held.number, "changed": list(changed), "since": since[:TOLD]},
        )

    def _sound(self, connection: Connection, kind: Kind, content: Content) -> Content:
        """Content that may be kept. Raises BadInput, NotFound."""
        if (content.layout is None) is (kind is Kind.LAYOUT):
            raise BadInput(
                "layout: a layout needs its template" if kind is Kind.LAYOUT else f"layout: a {kind.value} has none",
                expected="a page template for kind layout, and for no other",
            )
        for asset in content.assets:
            self.assets.get(asset, connection)
        return self._check(kind, content)

    def _require_free(self, connection: Connection, kind: Kind, content: Content, *, but: str = "") -> None:
        """Refuse a second entry of a kind, comic and name."""
        word = folded(content.name)
        for item in self.entries(connection).values():
            same = item.kind is kind and item.content.comic == content.comic and folded(item.name) == word
            if same and item.id != but and not item.archived:
                raise WrongState(
                    f"{item.name} is in the library already: {item.id}, version {item.number}",
                    ids=[item.id],
                    recovery="Update that entry, or choose another name.",
                )

    def _require_comic(self, connection: Connection, content: Content) -> None:
        """Refuse an entry of a comic that is none: no chapter could ever use it."""
        known = self.comics(connection)
        if content.comic and known is not None and content.comic not in known:
            close = nearest(content.comic, known)
            raise NotFound(
                f"comic: there is no comic {content.comic}",
                expected=sorted(known)[:TOLD] or "no comic yet",
                found=content.comic,
                recovery=f"nearest: {', '.join(close)}"
                if close
                else "Name a comic that has a chapter, or none: then the entry belongs to all of the workspace.",
            )

    def _require_live(self, held: Entry) -> None:
        if held.archived:
            raise WrongState(
                f"{held.name} was put away by {held.version.actor}",
                ids=[held.id],
                recovery="A person can bring it back by restoring a version of it.",
            )

    def _append(
        self,
        connection: Connection,
        entry: str,
        kind: Kind,
        before: Version | None,
        cause: Cause,
        content: Content,
        actor: Actor,
        message: str,
    ) -> Any:
        said(message, "a message", longest=MESSAGE)
        text = content.canonical()
        number = 1 if before is None else before.number + 1
        made = Version(
            entry, number, cause, content, actor.kind.value, actor.name, message, self._clock.now(), chain=b""
        )
        chain = chained(b"" if before is None else before.chain, kind, made, text)
        connection.exec_driver_sql(
            _INSERT,
            (entry, number, cause.value, text.decode(), made.actor_kind, made.actor, message, made.at, chain),
        )
        connection.exec_driver_sql("UPDATE library SET head = ? WHERE id = ?", (number, entry))
        return self.record(Entry(entry, kind, _with(made, chain)))


def read_entries(connection: Connection) -> dict[str, Entry]:
    """All entries at their newest versions, by id. Raises Corrupt."""
    return _newer(connection, 0)[0]


def _newer(connection: Connection, seen: int) -> tuple[dict[str, Entry], int]:
    """Entries whose newest version is in a row after one, and the number of the last of them."""
    rows = connection.exec_driver_sql(
        f"SELECT v.id, l.kind, {_VERSION} FROM library_versions AS v JOIN library AS l"  # noqa: S608
        " ON l.id = v.entry AND l.head = v.number WHERE v.id > ? ORDER BY v.id",
        (seen,),
    ).fetchall()
    found = {}
    for _, kind, *row in rows:
        version = _version(row)
        found[version.entry] = Entry(version.entry, Kind(kind), version)
    return found, rows[-1][0] if rows else seen


def _with(version: Version, chain: bytes) -> Version:
    return Version(**{**vars(version), "chain": chain})


def _version(row: Iterable[Any]) -> Version:
    """A version from its row. Raises Corrupt."""
    entry, number, cause, content, *rest = row
    try:
        return Version(entry, number, Cause(cause), Content.model_validate_json(content), *rest)
    except (ValidationError, ValueError, BadInput) as error:
        raise Corrupt(f"version {number} of {entry} of the library cannot be read", ids=[str(entry)]) from error


def _unknown(entry: str) -> NotFound:
    return NotFound(
        f"{entry[:40]} is no entry of the library", ids=[entry[:40]], recovery="List the library and use an id of it."
    )
