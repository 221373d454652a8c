"""Novels with prose of one's own, for what is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lantern_kit.novel.model import Commit
from tests.novel.stage import Stage, content, outline, stage


def say(made: Stage, paragraphs: Sequence[str], *, done: bool = True, **facts: Any) -> Commit:
    """Commit paragraphs as the next unit."""
    intent, before = made.next(), made.novel
    assert intent.unit is not None
    token = made.claim(intent)
    weighed = made.desk.weigh(intent.unit, token, list(paragraphs), content(done=done, **facts))
    _, commit = made.desk.commit(token, weighed)
    made.end(before)
    return commit


def begun(folder: Path, chapters: int = 2, scenes: int = 1, **configured: Any) -> Stage:
    """A novel with an outline."""
    made = stage(folder, **configured)
    made.plan(outline(chapters, scenes))
    return made


def whole(folder: Path, **configured: Any) -> Stage:
    """A finished novel of two chapters."""
    made = begun(folder, **configured)
    say(made, ["灯塔的看守人点亮了灯。", "# not a heading"], foreshadows=[_move(made, "planted")])
    made.complete()
    say(made, ["The lamp burnt again.", "“End,” said Tom."], foreshadows=[_move(made, "resolved")])
    made.complete()
    made.finish()
    return made


def _move(made: Stage, move: str) -> dict[str, Any]:
    return {"foreshadow": made.made["key"], "move": move, "at": 0}


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder that are not the index or a lock."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in {".md", ".json"}
    }
