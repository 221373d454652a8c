"""What comes out in the end: pages, a book, and the executed notebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.progress import reporting

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork

DPI = 300
NOTEBOOK = "01-first-chapter.ipynb"
PATIENCE = 300
"""Seconds that one cell may take."""


def export(chapter: ChapterWork, folder: Path) -> tuple[Path, ...]:
    """Write the chapter as PNG pages, as one PDF for print and as one CBZ."""
    return tuple(report.path for form in ("png", "pdf", "cbz") for report in chapter.export(folder, form, dpi=DPI))


def play_notebook(copied: Sequence[Path]) -> Path | None:
    """Execute the first notebook where it lies, and keep what it showed; None when there is none.

    Raises LanternError when a cell fails.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    path = next((item for item in copied if item.name == NOTEBOOK), None)
    if path is None:
        return None
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    client = NotebookClient(
        notebook,
        timeout=PATIENCE,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],  # it warns of its own transport, which stays on this machine
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        with reporting(None, "Running a notebook") as report:
            client.on_cell_start = lambda cell, cell_index: report("cells", cell_index, len(notebook.cells))
            client.execute()
    except CellExecutionError as error:
        raise _failed(path, f"{error.ename}: {error.evalue}") from error
    except CellTimeoutError as error:
        raise _failed(path, "no answer in time") from error
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]
    return path


def _failed(path: Path, found: str) -> LanternError:
    return LanternError(
        f"a cell of {path.name} failed",
        found=found[:600],
        recovery="Open it with jupyter lab, and run it cell by cell.",
    )
