"""The levels and tiles in which a sheet is sent: pure arithmetic on lengths."""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.kernel.errors import NotFound

TILE = 512
"""Pixels of a tile's side; those at the right and at the bottom may be shorter."""
COARSEST = 2
"""Tiles of the coarsest level at most."""
MILLIMETRES_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Level:
    """One size of a sheet."""

    scale: float
    """Pixels a millimetre."""
    width: int
    height: int

    @property
    def columns(self) -> int:
        """Tiles across."""
        return -(-self.width // TILE)

    @property
    def rows(self) -> int:
        """Tiles down."""
        return -(-self.height // TILE)

    def tile(self, column: int, row: int) -> tuple[int, int, int, int]:
        """Left, top, width and height of a tile in the level's pixels. Raises NotFound."""
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise NotFound(
                "there is no such tile",
                expected=f"columns 0 to {self.columns - 1}, rows 0 to {self.rows - 1}",
                found=f"{column}, {row}",
                recovery="Ask for the sheet again; its page may have another size by now.",
            )
        left, top = column * TILE, row * TILE
        return left, top, min(TILE, self.width - left), min(TILE, self.height - top)

    def facts(self) -> dict[str, float]:
        """As plain data."""
        return {"scale": self.scale, "width": self.width, "height": self.height}


@dataclass(frozen=True, slots=True)
class Pyramid:
    """All levels of a sheet, coarse to fine; each has twice the scale of the one before."""

    levels: tuple[Level, ...]

    @classmethod
    def of(cls, width: int, height: int, dpi: int) -> Pyramid:
        """The levels of an area in micrometres, up to the dots an inch of its print."""
        scale = dpi / MILLIMETRES_PER_INCH
        found = [_level(width, height, scale)]
        while found[-1].columns * found[-1].rows > COARSEST:
            scale /= 2
            found.append(_level(width, height, scale))
        return cls(tuple(reversed(found)))

    def level(self, number: int) -> Level:
        """A level by its place from 0, the coarsest. Raises NotFound."""
        if not 0 <= number < len(self.levels):
            raise NotFound(
                "there is no such level",
                expected=f"0 to {len(self.levels) - 1}",
                found=number,
                recovery="Ask for the sheet again; its paper may have another resolution by now.",
            )
        return self.levels[number]

    def fitting(self, width: int, height: int) -> int:
        """The coarsest level that has the pixels for a view of that size; the finest when none has."""
        for number, level in enumerate(self.levels):
            if level.width >= width or level.height >= height:
                return number
        return len(self.levels) - 1


def _level(width: int, height: int, scale: float) -> Level:
    # As the renderer counts, to the last bit: half a pixel more or less would be another page.
    factor = scale / 1_000
    return Level(scale, max(1, round(width * factor)), max(1, round(height * factor)))


def reduced(width: int, height: int, edge: int) -> float:
    """The scale in pixels a millimetre at which the longer side of an area in micrometres has ``edge`` pixels."""
    return edge * 1_000 / max(width, height)
