"""Asset versions: blobs with the facts that a work, a printer and a store ask for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from sqlalchemy import BLOB, Column, Index, Integer, Table, Text

from lantern_kit.imaging.decode import probe
from lantern_kit.imaging.matte import check_foreground
from lantern_kit.imaging.picture import PictureFacts
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import BadInput, LanternError, NotFound
from lantern_kit.kernel.ids import IdSource
from lantern_kit.kernel.progress import Progress, quiet, reporting, steps
from lantern_kit.kernel.tables import METADATA
from lantern_kit.kernel.verify import Report
from lantern_kit.roots import Found, pictures

ASSETS = Table(
    "assets",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("blob", BLOB, nullable=False),
    Column("kind", Text, nullable=False),  # a Use, or foreground
    Column("title", Text, nullable=False),
    Column("media", Text, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("mode", Text, nullable=False),
    Column("bits", Integer, nullable=False),
    Column("alpha", Integer, nullable=False),
    Column("profile", Text, nullable=False),
    Column("orientation", Integer, nullable=False),
    Column("bytes", Integer, nullable=False),
    Column("notes", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("digital_source_type", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("source_of", Text),
    Column("registered_by", Text, nullable=False),
    Column("registered_kind", Text, nullable=False),
    Column("registered_at", Integer, nullable=False),
    Index("assets_blob", "blob"),
)
LARGEST_FILE = 96 * 1024 * 1024
"""Bytes of a picture file that are taken from an agent."""
_COLUMNS = tuple(column.name for column in ASSETS.columns)
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM assets"  # noqa: S608
_SAME = (
    f"{_SELECT} WHERE blob = ? AND title = ? AND source = ? AND digital_source_type = ? AND licence = ?"
    " AND source_of IS ? AND kind = ? ORDER BY registered_at, id LIMIT 1"
)
_INSERT = f"INSERT INTO assets ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608


class SourceType(StrEnum):
    """How a picture came to be, in the words of IPTC's digital source types."""

    PHOTOGRAPH = "digitalCapture"
    DRAWN = "digitalCreation"
    SCANNED = "print"
    EDITED = "humanEdits"
    GENERATED = "trainedAlgorithmicMedia"
    GENERATED_PARTS = "compositeWithTrainedAlgorithmicMedia"
    UNKNOWN = "unknown"


class Use(StrEnum):
    """What a registered picture is for."""

    PICTURE = "picture"
    """To be placed on pages."""
    COVER = "cover"
    """The picture of a comic's cover."""
    STYLE = "style"
    """How a work is to look: a picture to keep to, hardly to be placed."""


@dataclass(frozen=True)
class AssetVersion:
    """An immutable picture with its facts."""

    id: str
    blob: bytes
    kind: str
    title: str
    media: str
    width: int
    height: int
    mode: str
    bits: int
    alpha: bool
    profile: str
    orientation: int
    bytes: int
    notes: str
    source: str
    digital_source_type: str
    licence: str
    source_of: str | None
    """For a foreground, the asset it was cut out of."""
    registered_by: str
    registered_kind: str
    registered_at: int

    def __repr__(self) -> str:
        kind = "Picture" if self.source_of is None else f"Foreground of {self.source_of}"
        return f"<{kind} {self.id} “{self.title}”: {self.width}×{self.height} px, {self.licence or 'no licence named'}>"


@dataclass(frozen=True)
class Offer:
    """A picture that was read and checked, and is durably kept, but not yet registered."""

    blob: bytes
    facts: PictureFacts
    foreground_of: str | None
    redrawn: float
    """Share of a foreground's opaque pixels that differ from its source."""


class AssetLibrary:
    """Registers pictures and finds them again.

    Args:
        roots: folders from which files may be read, when a caller's own rights do not go further.
        owner: who registers when nobody else is named.
    """

    def __init__(
        self,
        journal: Journal,
        blobs: BlobStore,
        clock: Clock,
        ids: IdSource,
        roots: Sequence[Path],
        *,
        owner: Actor,
    ) -> None:
        self._owner = owner
        self._journal = journal
        self._blobs = blobs
        self._clock = clock
        self._ids = ids
        self.roots = tuple(roots)
        self._known: dict[str, AssetVersion] = {}
        self._digests: dict[tuple[str, int, int], bytes] = {}

    def offer(self, data: bytes, *, foreground_of: str | None = None) -> Offer:
        """Check a picture and keep its bytes. Raises BadPicture, NotFound."""
        with reporting(None, "Registering") as tell:
            tell("reading", 0, 3)
            facts = probe(data)
            redrawn = 0.0
            if foreground_of is not None:
                tell("comparing", 1, 3)
                source = self.get(foreground_of)
                redrawn = check_foreground(self._blobs.get(source.blob), data).redrawn
            tell("writing", 2, 3)
            return Offer(self._blobs.put(data), facts, foreground_of, redrawn)

    def register_offer(
        self,
        connection: Connection,
        offer: Offer,
        *,
        title: str,
        actor: Actor,
        source: str = "",
        source_type: SourceType = SourceType.UNKNOWN,
        licence: str = "",
        use: Use = Use.PICTURE,
    ) -> tuple[AssetVersion, bool]:
        """Record a checked picture as an asset version, in a write transaction.

        The same bytes with the same facts are one version: the second value says that it was there already.

        Raises BadInput for a foreground that is to be anything else.
        """
        facts = offer.facts
        if offer.foreground_of is not None and use is not Use.PICTURE:
            raise BadInput(f"a foreground is no {use.value} picture", expected="use picture, or no foreground_of")
        kind = use.value if offer.foreground_of is None else "foreground"
        same = connection.exec_driver_sql(
            _SAME, (offer.blob, title, source, source_type.value, licence, offer.foreground_of, kind)
        ).fetchone()
        if same is not None:
            return self.record(same), True
        cells: dict[str, Any] = {
            "id": self._ids.new("as"),
            "blob": offer.blob,
            "kind": kind,
            "title": title,
            "media": facts.media,
            "width": facts.width,
            "height": facts.height,
            "mode": facts.mode,
            "bits": facts.bits,
            "alpha": int(facts.alpha),
            "profile": facts.profile,
            "orientation": facts.orientation,
            "bytes": facts.bytes,
            "notes": "; ".join(facts.notes),
            "source": source,
            "digital_source_type": source_type.value,
            "licence": licence,
            "source_of": offer.foreground_of,
            "registered_by": actor.name,
            "registered_kind": actor.kind.value,
            "registered_at": self._clock.now(),
        }
        row = tuple(cells[name] for name in _COLUMNS)
        connection.exec_driver_sql(_INSERT, row)
        return self.record(row), False

    def record(self, row: Any) -> AssetVersion:
        """An asset version from its row."""
        values = dict(zip(_COLUMNS, row, strict=True))
        return AssetVersion(**{**values, "alpha": bool(values["alpha"])})

    def register(
        self,
        picture: str | Path | bytes,
        *,
        title: str,
        actor: Actor | None = None,
        licence: str = "",
        source: str = "",
        source_type: SourceType = SourceType.UNKNOWN,
        foreground_of: str | None = None,
        use: Use | str = Use.PICTURE,
        progress: Progress | None = None,
    ) -> AssetVersion:
        """Read, check and record a picture: a file the person may read, or its bytes.

        What was registered before with the same facts is given again. ``use`` is picture, cover or style.

        Raises BadPicture, BadInput, NotFound.
        """
        wanted = _use(use)
        if isinstance(picture, bytes):
            data = picture
        else:
            path = Path(picture).expanduser()
            if not path.is_file():
                raise NotFound("there is no such picture file", found=path.name, recovery="Check the path.")
            data = path.read_bytes()
        with reporting(progress, "Registering"):
            offer = self.offer(data, foreground_of=foreground_of)
        with self._journal.write() as connection:
            asset, _ = self.register_offer(
                connection,
                offer,
                title=title,
                actor=actor or self._owner,
                licence=licence,
                source=source,
                source_type=source_type,
                use=wanted,
            )
        return asset

    def get(self, asset: str, connection: Connection | None = None) -> AssetVersion:
        """An asset version by id. Raises NotFound."""
        found = self._known.get(asset)
        if found is not None:
            return found
        if connection is None:
            with self._journal.read() as own:
                found = self._known[asset] = self.get(asset, own)  # never from a write, which may be rolled back
            return found
        row = connection.exec_driver_sql(f"{_SELECT} WHERE id = ?", (asset,)).fetchone()
        if row is None:
            raise NotFound(
                f"{asset[:40]} is not an asset of this workspace",
                ids=[asset[:40]],
                recovery="List the assets, or register the picture first.",
            )
        return self.record(row)

    def find(self, words: str = "", *, use: Use | str | None = None, limit: int = 200) -> Sequence[AssetVersion]:
        """Assets whose title holds ``words``, of one use or of all, newest first. Raises BadInput."""
        kind = None if use is None else _use(use).value
        pattern = "%" + words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        with self._journal.read() as connection:
            rows = connection.exec_driver_sql(
                f"{_SELECT} WHERE title LIKE ? ESCAPE '\\' AND (? IS NULL OR kind = ?)"
                " ORDER BY registered_at DESC, id LIMIT ?",
                (pattern, kind, kind, limit),
            ).fetchall()
        return [self.record(row) for row in rows]

    def registered(self, after: str = "", *, limit: int = 200) -> Sequence[AssetVersion]:
        """Assets in the order in which they were registered, those after one of them. Raises NotFound."""
        last = (self.get(after).registered_at, after) if after else (-1, "")
        with self._journal.read() as connection:
            rows = connection.exec_driver_sql(
                f"{_SELECT} WHERE (registered_at, id) > (?, ?) ORDER BY registered_at, id LIMIT ?",
                (*last, limit),
            ).fetchall()
        return [self.record(row) for row in rows]

    def waiting(self) -> Iterator[Found]:
        """Picture files under the roots whose bytes are not registered, by name."""
        with self._journal.read() as connection:
            rows = connection.exec_driver_sql("SELECT bytes, blob FROM assets").fetchall()
        sizes, blobs = {row[0] for row in rows}, {row[1] for row in rows}
        for found in pictures(self.roots):
            if found.bytes not in sizes or self._digest(found) not in blobs:
                yield found

    def _digest(self, found: Found) -> bytes | None:
        """The hash of a file, worked out once as long as it stays as it is; None when it cannot be read."""
        key = (found.path, found.bytes, found.modified)
        if key not in self._digests:
            try:
                self._digests[key] = digest(Path(found.path).read_bytes())
            except OSError:
                return None
        return self._digests[key]

    def holds(self, asset: AssetVersion) -> bool:
        """Whether the asset's bytes are where they should be."""
        return type(asset.blob) is bytes and self._blobs.has(asset.blob)  # a damaged row may hold anything

    def held(self, assets: Iterable[str]) -> dict[str, bytes]:
        """Of some assets those that are registered and whose bytes are where they should be, with their hashes."""
        wanted = list(dict.fromkeys(assets))
        unknown = [asset for asset in wanted if asset not in self._known]
        if unknown:
            with self._journal.read() as connection:
                rows = connection.exec_driver_sql(
                    f"{_SELECT} WHERE id IN (SELECT value FROM json_each(?))",  # noqa: S608
                    (json.dumps(unknown),),
                ).fetchall()
            for found in map(self.record, rows):
                self._known[found.id] = found
        known = [self._known[asset] for asset in wanted if asset in self._known]
        return {asset.id: asset.blob for asset in known if self.holds(asset)}

    def read(self, asset: AssetVersion | str) -> bytes:
        """The original bytes. Raises NotFound, Corrupt."""
        held = self.get(asset) if isinstance(asset, str) else asset
        return self._blobs.get(held.blob)


def _use(use: Use | str) -> Use:
    try:
        return Use(use)
    except ValueError:
        raise BadInput(f"{str(use)[:40]} is no use of a picture", expected=[item.value for item in Use]) from None


def check_title(title: str) -> str:
    """A title of 1 to 120 printable characters. Raises BadInput."""
    if not title.strip() or len(title) > 120 or not title.isprintable():
        raise BadInput("a title has 1 to 120 printable characters", found=len(title))
    return title


def verify_assets(connection: Connection, blobs: BlobStore, report: Report, tell: Progress = quiet) -> None:
    """Check that every asset's bytes are kept and are as long as its facts say."""
    rows = connection.exec_driver_sql("SELECT id, blob, bytes, title FROM assets").fetchall()
    for asset, blob, size, title in steps(rows, tell, "assets"):
        if type(blob) is not bytes or not blobs.has(blob):
            report.add("asset", str(asset), f"“{title}”: its bytes are missing")
            continue
        try:
            data = blobs.get(blob)
        except LanternError:
            report.add("asset", str(asset), f"“{title}”: its bytes are damaged, or cannot be read")
            continue
        if len(data) != size:
            report.add("asset", str(asset), f"“{title}”: its bytes are not as long as its facts say")
    report.count("assets", len(rows))
