"""The photographs, scripts, cards and lorebooks that come with the kit, to try things on and to show them with.

They lie in ``datasets/`` of a checkout and in ``lantern_kit/_datasets`` of a wheel; this module finds either.
Three have a matte: the same pixels with everything but the subject transparent, ready for a bound breakout.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lantern_kit.kernel.errors import NotFound, nearest

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph of the kit's own, with where it comes from and what may be done with it."""

    name: str
    title: str
    author: str
    licence: str
    """An SPDX id where there is one, else a few words; :attr:`terms` is the whole text."""
    source: str
    """Where its author published it."""
    carried_by: str
    """The package and file it was copied from, unchanged."""
    width: int
    height: int
    path: Path
    sha256: str
    terms: Path
    """A text file with the licence, or with what the publisher says."""
    matte: Path | None
    """The same picture with only its subject left, if one was prepared."""
    matte_sha256: str | None

    def read(self) -> bytes:
        """The file's bytes."""
        return self.path.read_bytes()

    def read_matte(self) -> bytes:
        """The matte's bytes (PNG).

        Raises:
            NotFound: none was prepared for this photograph.
        """
        if self.matte is None:
            raise NotFound(
                f"No matte was prepared for {self.name}.",
                expected=", ".join(photo.name for photo in photos() if photo.matte),
                found=self.name,
                recovery="Take one of the photographs named here.",
            )
        return self.matte.read_bytes()


def names() -> tuple[str, ...]:
    """The names of all photographs, in alphabetical order."""
    return tuple(_photos(root()))


def photos() -> tuple[Photo, ...]:
    """All photographs, in alphabetical order of their names."""
    return tuple(_photos(root()).values())


def photo(name: str) -> Photo:
    """One photograph.

    Raises:
        NotFound: no photograph has this name.
    """
    known = _photos(root())
    if name not in known:
        close = nearest(name, known)
        raise NotFound(
            f"There is no photograph called {name[:40]!r}.",
            expected=", ".join(close or known),
            found=name[:40],
            recovery="Use a name that lantern_kit.datasets.names() lists.",
        )
    return known[name]


def open_photo(name: str) -> bytes:
    """The bytes of a photograph's file; raises NotFound."""
    return photo(name).read()


def open_matte(name: str) -> bytes:
    """The bytes of the matte prepared for a photograph (PNG); raises NotFound."""
    return photo(name).read_matte()


def licence(name: str) -> str:
    """What may be done with a photograph, in a few words; raises NotFound."""
    return photo(name).licence


def licence_text(name: str) -> str:
    """The whole text behind :func:`licence`; raises NotFound."""
    return photo(name).terms.read_text("utf-8")


def font(name: str) -> Path:
    """A font that comes with the kit because no package brings it; raises NotFound."""
    path = root() / "fonts" / name
    if not path.is_file():
        raise NotFound(f"the font {name} is not installed", ids=[name], recovery="Install lantern-kit again.")
    return path


def script_names() -> tuple[str, ...]:
    """The names of the sample scripts, in alphabetical order."""
    return tuple(sorted(path.stem for path in (root() / "scripts").glob("*.md")))


def script(name: str) -> str:
    """A sample script, of two or three pages: ``chapter.edit(…).write_script(datasets.script("gull-rock"))``.

    All are CC0 1.0. Raises NotFound.
    """
    known = script_names()
    if name not in known:
        raise NotFound(
            f"There is no script called {name[:40]!r}.",
            expected=", ".join(known),
            found=name[:40],
            recovery="Use a name that lantern_kit.datasets.script_names() lists.",
        )
    return (root() / "scripts" / f"{name}.md").read_text("utf-8")


def card_names() -> tuple[str, ...]:
    """The names of the sample cards and lorebooks, in alphabetical order."""
    return tuple(_cards(root()))


def card_file(name: str) -> Path:
    """The file of a sample card or lorebook. Raises NotFound."""
    known = _cards(root())
    if name not in known:
        raise NotFound(
            f"There is no card or lorebook called {name[:40]!r}.",
            expected=", ".join(nearest(name, known) or known),
            found=name[:40],
            recovery="Use a name that lantern_kit.datasets.card_names() lists.",
        )
    return known[name]


def open_card(name: str) -> bytes:
    """A sample card or lorebook, for ``lantern_kit.cards.read_any``: all are CC0 1.0. Raises NotFound."""
    return card_file(name).read_bytes()


def _cards(folder: Path) -> dict[str, Path]:
    files = [path for path in (folder / "cards").iterdir() if path.suffix in {".png", ".json", ".charx"}]
    return {path.stem: path for path in sorted(files, key=lambda path: path.stem)}


def root() -> Path:
    """The folder that holds the photographs.

    Raises:
        NotFound: the installation lacks it.
    """
    return _root(_PACKAGE)


def _root(package: Path) -> Path:
    for folder in (package / "_datasets", package.parent / "datasets"):
        if (folder / "photos" / "index.json").is_file():
            return folder
    raise NotFound(
        "The kit's photographs are not installed.",
        expected="lantern_kit/_datasets in a wheel, datasets/ in a checkout",
        found="neither",
        recovery="Install lantern-kit again.",
    )


@lru_cache(maxsize=4)
def _photos(folder: Path) -> dict[str, Photo]:
    entries: list[dict[str, Any]] = json.loads((folder / "photos" / "index.json").read_text("utf-8"))
    return {entry["name"]: _photo(folder, entry) for entry in sorted(entries, key=lambda entry: str(entry["name"]))}


def _photo(folder: Path, entry: dict[str, Any]) -> Photo:
    matte = entry["matte"]
    return Photo(
        name=entry["name"],
        title=entry["title"],
        author=entry["author"],
        licence=entry["licence"],
        source=entry["source"],
        carried_by=entry["carried_by"],
        width=entry["width"],
        height=entry["height"],
        path=folder / entry["file"],
        sha256=entry["sha256"],
        terms=folder / entry["terms"],
        matte=folder / matte["file"] if matte else None,
        matte_sha256=matte["sha256"] if matte else None,
    )
