"""Skills put where hosts look for them, in the folder of the project.

Claude Code reads ``.claude/skills``; Codex, Gemini CLI and VS Code read ``.agents/skills``, so that one copy serves all
three. What was put there is remembered beside it: a later version tells a file that a person changed from an old one.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from lantern_kit.kernel.errors import BadInput
from lantern_kit.mcp_server.connect import Host, write_whole
from lantern_kit.skills import Skill

RECORD = ".lantern-kit.json"
"""In the folder of skills: the digests of the files as they were put there."""
ASIDE = ".yours"
"""What is put behind the name of a person's own file when ours takes its place."""
_SHIPPED = re.compile(r"[a-z0-9-]+/(references/)?\w[\w.-]*\.md")
_FOLDERS = {
    Host.CLAUDE_CODE: (".claude", "skills"),
    Host.CODEX: (".agents", "skills"),
    Host.GEMINI: (".agents", "skills"),
    Host.VSCODE: (".agents", "skills"),
}


class Fate(StrEnum):
    """What becomes of a file."""

    WRITTEN = "written"
    """It was not there."""
    RENEWED = "renewed"
    """An older version of ours was there, as we had put it."""
    SAME = "same"
    """It is there already."""
    LEFT = "left"
    """A person changed it, and ours has not changed since: theirs stays."""
    REPLACED = "replaced"
    """Something else was there: that is kept beside it."""
    REMOVED = "removed"
    """We put it there once and no longer ship it."""


@dataclass(frozen=True)
class Placed:
    """One file and what becomes of it."""

    path: Path
    fate: Fate
    aside: Path | None = None
    """Where the file is kept that was there; None unless it is replaced."""


def skill_folder(host: Host, project: Path | None = None) -> Path | None:
    """Where a host looks for skills; None where that is not known."""
    return (project or Path.cwd()).joinpath(*_FOLDERS[host]) if host in _FOLDERS else None


def plan_skills(folder: Path, skills: Iterable[Skill]) -> tuple[Placed, ...]:
    """What putting skills into a folder would do, file by file. Writes nothing.

    Raises:
        BadInput: a file of its own stands where a folder should be, or leads out of the folder, or is no text.
    """
    before = _record(folder)
    shipped = {f"{skill.name}/{file.path}": file.data for skill in skills for file in skill.files}
    mine = {name.partition("/")[0] for name in shipped}
    gone = (name for name in before if name not in shipped and name.partition("/")[0] in mine)
    for name in shipped:
        if not (folder / name).resolve().is_relative_to(folder.resolve()):
            raise _in_the_way(folder / name)
    placed = [_fate(folder / name, data, before.get(name)) for name, data in shipped.items()]
    return (*placed, *(found for name in gone if (found := _leftover(folder / name, before[name])) is not None))


def install_skills(folder: Path, skills: Sequence[Skill]) -> tuple[Placed, ...]:
    """Put skills into a folder of skills. No file of a person's is lost; a second time changes nothing.

    Raises:
        BadInput: as ``plan_skills`` does; nothing was written then.
    """
    plan = plan_skills(folder, skills)
    texts = {folder / skill.name / file.path: file for skill in skills for file in skill.files}
    for item in plan:
        if item.aside is not None:
            write_whole(item.aside, _text(item.path))
        if item.fate in {Fate.WRITTEN, Fate.RENEWED, Fate.REPLACED}:
            write_whole(item.path, texts[item.path].text)
        elif item.fate is Fate.REMOVED:
            item.path.unlink()
    mine = {skill.name for skill in skills}
    others = {name: digest for name, digest in _record(folder).items() if name.partition("/")[0] not in mine}
    digests = {f"{skill.name}/{file.path}": file.digest for skill in skills for file in skill.files}
    record = json.dumps({"files": {**others, **digests}}, indent=1, sort_keys=True) + "\n"
    if not (folder / RECORD).is_file() or _text(folder / RECORD) != record:
        write_whole(folder / RECORD, record)
    return plan


def _fate(path: Path, data: bytes, put: str | None) -> Placed:
    """What becomes of a file that is shipped, given the digest of what was put there."""
    if not path.exists():
        for above in path.parents:
            if above.exists() and not above.is_dir():
                raise _in_the_way(above)
        return Placed(path, Fate.WRITTEN)
    there = _text(path).encode()
    if there == data:
        return Placed(path, Fate.SAME)
    found, ours = (hashlib.sha256(item).hexdigest() for item in (there, data))
    if found == put:
        return Placed(path, Fate.RENEWED)
    if ours == put:
        return Placed(path, Fate.LEFT)
    return Placed(path, Fate.REPLACED, _aside(path, there))


def _leftover(path: Path, put: str) -> Placed | None:
    """A file that is no longer shipped, if it is still as it was put there."""
    if not path.is_file() or hashlib.sha256(_text(path).encode()).hexdigest() != put:
        return None
    return Placed(path, Fate.REMOVED)


def _aside(path: Path, there: bytes) -> Path:
    """A name beside a file that is free, or holds the same already."""
    number = 1
    while True:
        beside = path.with_name(f"{path.name}{ASIDE}{'' if number == 1 else f'-{number}'}")
        if not beside.exists() or (beside.is_file() and beside.read_bytes() == there):
            return beside
        number += 1


def _record(folder: Path) -> dict[str, str]:
    """Digests of what was put into a folder, by name; none where nothing readable says so."""
    try:
        files = json.loads((folder / RECORD).read_text(encoding="utf-8"))["files"]
        return {name: str(digest) for name, digest in files.items() if _SHIPPED.fullmatch(name)}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        raise _in_the_way(path) from None


def _in_the_way(path: Path) -> BadInput:
    return BadInput(
        f"{path.name} is in the way of a skill, so no skill was written",
        expected="a readable text file, or nothing",
        recovery="Move it away, or connect without skills.",
    )
