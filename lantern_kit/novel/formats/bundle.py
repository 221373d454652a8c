"""A ZIP of the work: what it is, its outline, its chapters, and how it was counted (seed 004, 14.2).

Cards, books, instructions, conversations and diagnostics stay where they are.
"""

from __future__ import annotations

import json
from typing import Any

from lantern_kit.kernel.canonical import digest
from lantern_kit.novel.edition import Edition
from lantern_kit.novel.formats.archive import packed
from lantern_kit.novel.formats.markdown import chapter_text
from lantern_kit.novel.formats.outline import outline_markdown

EXPORT_VERSION = 1
_COUNTING = """# Count policy 1

After NFC, for counting only, each letter and each number is one effective character: a Han character as much as a
Latin letter. Blanks, punctuation and symbols are none; `punctuated` counts punctuation and symbols too. Which
characters are letters and numbers is fixed by a table of Lantern Kit's, whatever else changes.
"""
"""Said of the only policy there is; ``novel/count.py`` holds to it."""


def novel_zip(made: Edition) -> bytes:
    """A novel as a ZIP."""
    chapters = [(part, chapter_text(part).encode()) for part in made.parts]
    listed = [
        {
            "id": part.id,
            "number": part.number,
            "title": part.title,
            "completed": part.completed,
            "file": part.file,
            "characters": part.characters,
            "punctuated": part.punctuated,
            "paragraphs": len(part.paragraphs),
            "sha256": digest(data).hex(),
        }
        for part, data in chapters
    ]
    facts: dict[str, Any] = {
        "export_version": EXPORT_VERSION,
        **made.facts(),
        "notice": made.notice,
        "chapters": listed,
    }
    return packed(
        [
            ("metadata.json", (json.dumps(facts, ensure_ascii=False, indent=1) + "\n").encode()),
            ("outline.md", outline_markdown(made.novel).encode()),
            ("counting.md", _COUNTING.encode()),
            *((part.file, data) for part, data in chapters),
        ]
    )
