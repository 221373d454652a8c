"""How prose is counted: by a table that is shipped, so that the same prose counts the same for ever (seed 004, 7.1).

Policy 1: after NFC, for counting only, each letter and each number is one *effective character*: a Han character as
much as a Latin letter. Blanks, punctuation and symbols are none; ``punctuated`` counts those marks too.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lantern_kit.kernel.errors import BadInput

_TABLE = Path(__file__).with_name("count_v1.txt")


@dataclass(frozen=True)
class Counted:
    """How much prose there is."""

    effective: int
    punctuated: int


def count(text: str, *, policy: int) -> Counted:
    """Count a text by a policy. Raises BadInput for a policy that this version does not know."""
    if policy != 1:
        raise BadInput("that is no way of counting", expected=1, found=policy)
    plain = unicodedata.normalize("NFC", text)
    effective = len(plain) - len(_other("effective").sub("", plain)) if plain else 0
    marks = len(plain) - len(_other("marks").sub("", plain)) if plain else 0
    return Counted(effective, effective + marks)


@cache
def _other(section: str) -> re.Pattern[str]:
    """What takes the characters of a section out of a text."""
    runs, current = [], ""
    for line in _TABLE.read_text("ascii").splitlines():
        if line in {"effective", "marks"}:
            current = line
        elif current == section and not line.startswith("#"):
            first, _, last = line.partition("-")
            runs.append(f"\\U{int(first, 16):08x}-\\U{int(last or first, 16):08x}")
    return re.compile(f"[{''.join(runs)}]+")
