"""What an export wrote, and what its format could not hold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing of the work that the exported file does not carry.

    Args:
        code: stable name of the kind of loss (``flattened``, ``direction``, ``characters``, ``names``, ``missing``,
            ``pictures``, ``gutter``, ``straddling``, ``sides``, ``beating``,
            ``colours``).
        message: one sentence for people.
        where: the fields or pages concerned, empty for the whole file.
    """

    code: str
    message: str
    where: tuple[str, ...] = ()


FLATTENED = Loss(
    "flattened", "Pages are pictures: frames, layers and lettering cannot be told apart, nor text selected."
)


STAND_INS = "Pictures are missing; marked stand-ins are printed."


@dataclass(frozen=True, slots=True)
class ExportReport:
    """One file that was written.

    Args:
        path: where it lies.
        format: name of the format, with its version.
        size: bytes.
        sha256: of the whole file, in hex.
        pages: pages in it (a spread counts once).
        losses: what the format could not hold.
        replaced: an older file of that name was there, and is replaced.
    """

    path: Path
    format: str
    size: int
    sha256: str
    pages: int
    losses: tuple[Loss, ...]
    replaced: bool = False

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    def payload(self) -> dict[str, Any]:
        """The report as plain data, without the folder it was written to."""
        return {
            "file": self.path.name,
            "format": self.format,
            "size": self.size,
            "sha256": self.sha256,
            "pages": self.pages,
            "replaced": self.replaced,
            "losses": [
                {"code": loss.code, "message": loss.message, **({"where": list(loss.where)} if loss.where else {})}
                for loss in self.losses
            ],
        }
