"""A process of its own that edits lines and says what was acknowledged: what the proofs about processes run.

python -m tests.kernel.writer FOLDER NUMBER EDITS LINE [LINE …]: edits the lines in turn, always its own page of each.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lantern_kit.kernel.clock import SystemClock
from lantern_kit.kernel.errors import StaleHead
from tests.kernel.shelf import open_shelf, page


def main() -> None:
    """Edit and report, one JSON object a line; the last one is the longest wait."""
    folder, number, edits, *lines = sys.argv[1:]
    shelf = open_shelf(Path(folder), SystemClock())
    name = f"un_{int(number):04d}"
    say({"ready": True})
    sys.stdin.readline()
    for count in range(int(edits)):
        line = lines[count % len(lines)]
        words = f"{number}/{count}"
        blob = shelf.blobs.put(words.encode()).hex() if count % 10 == 0 else ""
        head = shelf.head(line)
        try:
            made = shelf.edit(line, head.number, {name: page(int(number), f"{words} {blob}")})
        except StaleHead as error:
            say({"refused": words, "line": line, "since": error.details["since"]})
        else:
            say({"made": words, "line": line, "revision": made.number, "page": name, "blob": blob})
    say({"longest_wait": shelf.journal.longest_wait})
    shelf.journal.close()


def say(thing: dict[str, object]) -> None:
    """Print at once: what was said is acknowledged."""
    print(json.dumps(thing), flush=True)


if __name__ == "__main__":
    main()
