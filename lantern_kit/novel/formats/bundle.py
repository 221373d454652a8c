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
from lantern_kit.novel.model import is_chinese

EXPORT_VERSION = 1
_COUNTING = """# Count policy 1

After NFC, for counting only, each letter and each number is one effective character: a Han character as much as a
Latin letter. Blanks, punctuation and symbols are none; `punctuated` counts punctuation and symbols too. Which
characters are letters and numbers is fixed by a table of Lantern Kit's, whatever else changes.
"""
_COUNTING_ZH = """# 字数口径 1

仅为计数而作 NFC 规范化；此后每个字母、每个数字各计一个有效字符，汉字与拉丁字母同等计数。
空白、标点和符号不计；`punctuated` 另含标点和符号。哪些字符算字母和数字，由 Lantern Kit 自带的表固定，不随其他版本变化。
"""
"""Said of the only policy there is, in the novel's language; ``novel/count.py`` holds to it."""


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
            ("counting.md", (_COUNTING_ZH if is_chinese(made.novel.config.language) else _COUNTING).encode()),
            *((part.file, data) for part, data in chapters),
        ]
    )
