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
_KIRAT_RAI = re.compile("[\U00016d63\U00016d67-\U00016d6a]+")
"""Vowels that NFC composes since Unicode 16, the only letters of which the tables of older Pythons do not know it."""
_APART = {0x16D68: "\U00016d67\U00016d67", 0x16D69: "\U00016d63\U00016d67", 0x16D6A: "\U00016d63\U00016d67\U00016d67"}
_ONE = re.compile("\U00016d63\U00016d67{1,2}|\U00016d67\U00016d67")


@dataclass(frozen=True)
class Counted:
    """How much prose there is."""

    effective: int
    punctuated: int


def count(text: str, *, policy: int) -> Counted:
    """Count a text by a policy. Raises BadInput for a policy that this version does not know."""
    if policy != 1:
        raise BadInput("that is no way of counting", expected=1, found=policy)
    plain = _KIRAT_RAI.sub(_composed, unicodedata.normalize("NFC", text))
    effective = len(plain) - len(_other("effective").sub("", plain)) if plain else 0
    marks = len(plain) - len(_other("marks").sub("", plain)) if plain else 0
    return Counted(effective, effective + marks)


def _composed(found: re.Match[str]) -> str:
    """Vowels of Kirat Rai as NFC has them; whichever stands for one that is composed."""
    return _ONE.sub("\U00016d68", found.group().translate(_APART))


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
