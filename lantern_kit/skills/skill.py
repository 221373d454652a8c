"""A skill as its folder holds it. The form is that of agentskills.io."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

NAMES = {"comic": ("lantern", "page-review"), "novel": ("novel-author",)}
"""The skills that ship by the kind of work, the one for every task first."""
READING = frozenset({"page-review"})
"""Those for agents that may only read."""
HEAD = "SKILL.md"
_REFERENCES = "references"
_FENCE = "---\n"


@dataclass(frozen=True)
class SkillFile:
    """One file of a skill."""

    path: str
    """Inside the skill's folder, parted by ``/``, such as ``references/page.md``."""
    data: bytes

    @property
    def text(self) -> str:
        """The file as text."""
        return self.data.decode("utf-8")

    @property
    def digest(self) -> str:
        """SHA-256 of its bytes, in 64 hexadecimal digits."""
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True)
class Skill:
    """A skill that hosts load: SKILL.md and the references beside it. Its evals/ judge it, and stay here."""

    name: str
    files: tuple[SkillFile, ...]
    """SKILL.md first, then the references by name."""
    frontmatter: dict[str, str] = field(hash=False)
    """What SKILL.md says of itself: name, description, licence, what it needs."""
    body: str
    """SKILL.md below that."""

    @property
    def description(self) -> str:
        """What it does and when to use it, in one paragraph."""
        return self.frontmatter["description"]

    @property
    def references(self) -> dict[str, str]:
        """Its references by name: ``page`` for ``references/page.md``."""
        start, end = len(_REFERENCES) + 1, -len(".md")
        return {item.path[start:end]: item.text for item in self.files[1:]}


@lru_cache(maxsize=len(NAMES))
def skills(kind: str = "comic") -> dict[str, Skill]:
    """The skills that ship for a kind of work, by name."""
    folder = files("lantern_kit.skills")
    return {name: _read(name, folder / name) for name in NAMES[kind]}


def _read(name: str, folder: Traversable) -> Skill:
    beside = sorted(item.name for item in (folder / _REFERENCES).iterdir() if item.name.endswith(".md"))
    head = SkillFile(HEAD, (folder / HEAD).read_bytes())
    found = (SkillFile(f"{_REFERENCES}/{item}", (folder / _REFERENCES / item).read_bytes()) for item in beside)
    _, said, body = head.text.split(_FENCE, 2)
    # One line a key, no quotes: that much YAML is read without a parser, and a test holds the files to it.
    frontmatter = dict(line.split(": ", 1) for line in said.splitlines())
    return Skill(name=name, files=(head, *found), frontmatter=frontmatter, body=body)
