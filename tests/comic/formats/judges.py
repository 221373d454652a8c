"""Other people's readers of PDF: poppler, MuPDF (an old one and a new one) and qpdf."""

from __future__ import annotations

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from numpy.typing import NDArray
from PIL import Image

PROGRAMS = ("pdftotext", "pdffonts", "pdfinfo", "pdfimages", "pdftoppm", "qpdf", "mutool")
missing = [name for name in PROGRAMS if shutil.which(name) is None]
needs_judges = pytest.mark.skipif(
    bool(missing),
    reason=f"NO {', '.join(missing).upper()}: printed books were not read by others; install the system packages"
    " poppler-utils, qpdf and mupdf-tools",
)


def run(*words: object) -> str:
    """What a program says; it must be content."""
    done = subprocess.run([str(word) for word in words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode()


def poppler_lines(path: Path) -> list[list[str]]:
    """What poppler reads, page by page."""
    return [_lines(page) for page in run("pdftotext", path, "-").split("\f")[:-1]]


def mutool_lines(path: Path) -> list[list[str]]:
    """What mutool reads, page by page."""
    count = len(pymupdf.open(path))
    return [_lines(run("mutool", "draw", "-q", "-F", "text", path, page + 1)) for page in range(count)]


def pymupdf_lines(path: Path) -> list[list[str]]:
    """What PyMuPDF reads, page by page."""
    with pymupdf.open(path) as book:
        return [_lines(page.get_text()) for page in book]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.replace("\f", "\n").split("\n") if line.strip()]


def shares(read: list[list[str]], wanted: list[list[str]]) -> tuple[float, float]:
    """Of dialogues, those that are a line to the letter; of neighbours, those that follow each other."""
    exact = neighbours = pairs = 0
    for lines, words in zip(read, wanted, strict=True):
        left = list(lines)
        for said in words:
            if said in left:
                left.remove(said)
                exact += 1
        pairs += len(words) - 1
        there = [*pairwise(lines)]
        neighbours += sum(pair in there for pair in pairwise(words))
    return exact / sum(len(words) for words in wanted), neighbours / max(1, pairs)


def boxes(path: Path, page: int) -> dict[str, tuple[float, ...]]:
    """The boxes of a page, in points, as pdfinfo has them."""
    found = {}
    for line in run("pdfinfo", "-box", "-f", page, "-l", page, path).splitlines():
        for name in ("MediaBox", "BleedBox", "TrimBox", "CropBox"):
            if f"{name}:" in line:
                found[name] = tuple(float(word) for word in line.split(f"{name}:")[1].split())
    return found


def poppler_pixels(path: Path, page: int, dpi: int, folder: Path) -> NDArray[np.uint8]:
    """A page as poppler draws it, (h, w, 3)."""
    run("pdftoppm", "-r", dpi, "-f", page, "-l", page, "-png", "-singlefile", path, folder / "poppler")
    return np.asarray(Image.open(folder / "poppler.png").convert("RGB"))


def mutool_pixels(path: Path, page: int, dpi: int, folder: Path) -> NDArray[np.uint8]:
    """A page as mutool draws it, (h, w, 3)."""
    run("mutool", "draw", "-q", "-r", dpi, "-o", folder / "mutool.png", path, page)
    return np.asarray(Image.open(folder / "mutool.png").convert("RGB"))
