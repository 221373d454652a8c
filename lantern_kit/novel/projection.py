"""Reading projections: a novel's chapters in Markdown and ``status.json``, made of its commits alone (seed 004, 14.1).

They are bound to the content revision, can be made again at any time to the same bytes, and nothing reads them to
decide. Only chapters are in them: no instruction, plan, candidate or error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.errors import BadInput, Busy, PathRefused, WorkspaceProblem
from lantern_kit.kernel.files import is_own, replacing, require_unlinked, sweep
from lantern_kit.kernel.progress import reporting
from lantern_kit.kernel.turn import Turn
from lantern_kit.novel.deviation import Deviation, Fault
from lantern_kit.novel.edition import FOLDER, chapter_file, content_of, part, title_of, with_prose
from lantern_kit.novel.errors import ProjectionFailed
from lantern_kit.novel.formats.markdown import chapter_text
from lantern_kit.novel.model import Chapter, Unit
from lantern_kit.novel.search import Search
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed

FORMAT, STATUS = 1, "status.json"
PATIENCE = 10.0
"""Seconds to wait for another process that projects the same novel; told of at once."""
_OURS = re.compile(r"[0-9]{4,}-[a-z]{2}_[0-9a-z]{4,20}\.md")


@dataclass(frozen=True)
class Projected:
    """What a projection came to."""

    novel: str
    content_revision: int
    written: tuple[str, ...]
    """Files that were written, below the novel's folder."""
    removed: tuple[str, ...]


class Projection:
    """Writes and checks reading projections.

    Args:
        folder: where those of all novels lie: ``<workspace>/projections/novels``.
        service: the canon.
    """

    def __init__(self, folder: Path, service: NovelService) -> None:
        self.folder = folder
        self._service = service

    def bring_up(self, novel: str, *, anew: bool = False) -> Projected:
        """Write what changed since it was last written; all of it when ``anew``, whatever is there.

        Also brings up the search index. Files that are there stay whole whatever happens.

        Raises:
            ProjectionFailed: a file could not be written.
            NotFound, NovelStorageCorruption: of the canon.
        """
        with self._failing(novel), self._alone(novel) as home:
            held = self._service.head(novel).novel
            status, written = self._chapters(home, held, {} if anew else _known(home))
            body = _bytes(status)
            if anew or _read(home / STATUS) != body:
                _write(home / STATUS, body)
                written.append(STATUS)
            removed = _clear(home, {item["file"] for item in status["chapters"]})
            Search(self.folder, self._service).bring_up(novel, anew=anew)
        return Projected(novel, held.head.content_revision, tuple(written), tuple(removed))

    def content_revision(self, novel: str) -> int | None:
        """The content revision that is projected; None where nothing is."""
        try:
            found = json.loads(_read(self.folder / novel / STATUS) or b"")["content_revision"]
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        return found if isinstance(found, int) else None

    def verify(self, novel: str) -> list[Deviation]:
        """All files that are not what the canon gives now, byte by byte; none: it is whole and up to date.

        Raises ProjectionFailed, NotFound, NovelStorageCorruption.
        """
        home = self.folder / novel
        held = self._service.head(novel).novel
        wanted = {name: text.encode() for name, text in self.texts(held)}
        entries = []
        for chapter, number, units in with_prose(held):
            data = wanted[chapter_file(number, chapter.id)]
            entries.append(_entry(chapter, number, units, digest(data).hex(), len(data)))
        wanted[STATUS] = _bytes(_status(held, entries))
        with self._failing(novel):
            require_unlinked(self.folder.parent, self.folder, home, home / FOLDER)
            there = {name: _read(home / name) for name in wanted}
            strays = [name for name in _ours(home) if name not in wanted]
        before = _older(there[STATUS], held)
        found = []
        for name, data in wanted.items():
            body = there[name]
            if body is None:
                found.append(Deviation(name, Fault.MISSING))
            elif body != data:
                stale = before is not None if name == STATUS else digest(body).hex() in (before or ())
                found.append(Deviation(name, Fault.STALE if stale else Fault.DAMAGED))
        found += [Deviation(name, Fault.STRAY) for name in strays]
        return found + Search(self.folder, self._service).verify(novel)

    def texts(self, novel: Novel) -> Iterator[tuple[str, str]]:
        """Each chapter's file and what belongs into it."""
        for chapter, number, units in with_prose(novel):
            yield chapter_file(number, chapter.id), self._text(novel, chapter, number, units)

    # parts

    def _chapters(self, home: Path, novel: Novel, known: dict[str, dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
        entries, written = [], []
        for chapter, number, units in with_prose(novel):
            name = chapter_file(number, chapter.id)
            old = known.get(chapter.id)
            same = old is not None and old["file"] == name and old["content"] == content_of(chapter, number, units)
            if old is not None and same and _size(home / name) == old["bytes"]:
                entries.append(_entry(chapter, number, units, old["sha256"], old["bytes"]))
                continue
            data = self._text(novel, chapter, number, units).encode()
            _write(home / name, data)
            written.append(name)
            entries.append(_entry(chapter, number, units, digest(data).hex(), len(data)))
        return _status(novel, entries), written

    def _text(self, novel: Novel, chapter: Chapter, number: int, units: Sequence[Unit]) -> str:
        return chapter_text(part(chapter, number, units, lambda commit: self._service.paragraphs(novel, commit)))

    @contextmanager
    def _alone(self, novel: str) -> Iterator[Path]:
        """The novel's folder, for this writer alone."""
        self._service.head(novel)  # only what is a novel gets a folder
        home = self.folder / novel
        require_unlinked(self.folder.parent, self.folder, home, home / FOLDER)
        (home / FOLDER).mkdir(parents=True, exist_ok=True)
        turn = Turn(home / ".writer", PATIENCE)
        try:
            with turn.held(_told):
                sweep(home)
                sweep(home / FOLDER)
                yield home
        finally:
            turn.close()

    @contextmanager
    def _failing(self, novel: str) -> Iterator[None]:
        """What the operating system refuses is said as ProjectionFailed."""
        try:
            yield
        except OSError as error:
            raise ProjectionFailed(
                f"the reading projection cannot be written: {error.strerror}", ids=[novel]
            ) from error
        except Busy as error:
            raise ProjectionFailed(
                f"another process has been writing the novel's files for reading for {PATIENCE:g} s",
                ids=[novel],
                recovery="End that process if it hangs.",
            ) from error
        except (BadInput, PathRefused, WorkspaceProblem) as error:
            raise ProjectionFailed(
                f"the reading projection cannot be written: {error.message}", ids=[novel], recovery=error.recovery
            ) from error


def _told() -> None:
    """Say what is waited for."""
    with reporting(None, "Writing the files for reading") as tell:
        tell("waiting for another process that writes them", 0, 0)


def _entry(chapter: Chapter, number: int, units: Sequence[Unit], sha256: str, size: int) -> dict[str, Any]:
    made = [committed(unit) for unit in units]
    return {
        "id": chapter.id,
        "number": number,
        "title": chapter.title,
        "file": chapter_file(number, chapter.id),
        "characters": sum(commit.characters for commit in made),
        "punctuated": sum(commit.punctuated for commit in made),
        "paragraphs": sum(commit.paragraphs for commit in made),
        "commits": len(made),
        "content": content_of(chapter, number, units),
        "sha256": sha256,
        "bytes": size,
    }


def _status(novel: Novel, chapters: list[dict[str, Any]]) -> dict[str, Any]:
    head = novel.head
    return {
        "format": FORMAT,
        "novel": head.id,
        "title": title_of(novel),
        "language": novel.config.language,
        "content_revision": head.content_revision,
        "count_policy": novel.config.count_policy,
        "characters": head.characters,
        "punctuated": head.punctuated,
        "chapters": chapters,
    }


def _bytes(status: dict[str, Any]) -> bytes:
    return (json.dumps(status, ensure_ascii=False, indent=1) + "\n").encode()


_FIELDS = {"id": str, "file": str, "content": str, "sha256": str, "bytes": int}


def _known(home: Path) -> dict[str, dict[str, Any]]:
    """Entries of the status that is there, by chapter; none where it is missing, damaged or of another format."""
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        status = json.loads(_read(home / STATUS) or b"")
        entries = list(status["chapters"])
        if status["format"] == FORMAT and all(
            isinstance(item[name], kind) for item in entries for name, kind in _FIELDS.items()
        ):
            return {item["id"]: item for item in entries}
    return {}


def _older(body: bytes | None, novel: Novel) -> set[str] | None:
    """Digests of the chapters that a status of before speaks of; None for one that is missing, damaged or of now."""
    try:
        status = json.loads(body or b"")
        digests = {str(item["sha256"]) for item in status["chapters"]}
        return None if status["content_revision"] == novel.head.content_revision else digests
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _read(path: Path) -> bytes | None:
    """A file's bytes; None where there is none, or something that is no file of this folder's own."""
    with suppress(FileNotFoundError):
        return path.read_bytes() if is_own(path) else None
    return None


def _size(path: Path) -> int | None:
    with suppress(FileNotFoundError):
        return path.stat().st_size if is_own(path) else None
    return None


def _write(path: Path, data: bytes) -> None:
    with replacing(path) as file:
        file.write(data)


def _ours(home: Path) -> list[str]:
    """Chapter files whose names are of the program's making."""
    return sorted(f"{FOLDER}/{path.name}" for path in (home / FOLDER).glob("*.md") if _OURS.fullmatch(path.name))


def _clear(home: Path, wanted: set[str]) -> list[str]:
    gone = [name for name in _ours(home) if name not in wanted]
    for name in gone:
        (home / name).unlink(missing_ok=True)
    return gone
