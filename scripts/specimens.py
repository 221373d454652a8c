"""Draw the specimen book from its documents: docs/specimens/*.png and its README."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.specimens.book import book, draw, told  # noqa: E402

FOLDER = ROOT / "docs" / "specimens"


def main() -> int:
    """Draw every page, or those that are named; says what was written."""
    wanted = set(sys.argv[1:])
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, specimen in book().items():
        if wanted and name not in wanted:
            continue
        data = io.BytesIO()
        with Image.fromarray(draw(specimen)[..., :3]) as drawn:
            colours = drawn.getcolors(256)
            grey = colours is not None and all(len(set(colour)) == 1 for _, colour in colours)
            (drawn.convert("L") if grey else drawn).save(data, "PNG", optimize=True, dpi=(specimen.dpi, specimen.dpi))
        path = FOLDER / f"{name}.png"
        said = "as it was" if path.is_file() and path.read_bytes() == data.getvalue() else "drawn"
        path.write_bytes(data.getvalue())
        sys.stdout.write(f"{path.name}: {drawn.width}×{drawn.height}, {len(data.getvalue()) // 1000} kB, {said}\n")
    (FOLDER / "README.md").write_text(told())
    return 0


if __name__ == "__main__":
    sys.exit(main())
