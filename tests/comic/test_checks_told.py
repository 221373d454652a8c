"""Every rule is told of in the documents, in Chinese, and shown faulty in the tests."""

from __future__ import annotations

import re
from pathlib import Path

from lantern_kit.comic import found
from tests.comic import faulty, faulty_stage

CASES = [*faulty.CASES, *faulty_stage.CASES]
ELSEWHERE = {
    "lettering.overflow", "lettering.small", "lettering.glyph", "lettering.font", "lettering.safe", "lettering.gutter",
    "picture.missing", "picture.dpi",
}  # fmt: skip


def test_every_rule_is_in_the_documents_in_chinese_and_in_the_tests(root: Path) -> None:
    source = "".join(path.read_text() for path in (root / "lantern_kit" / "comic" / "checks").glob("*.py"))
    named = set(re.findall(r'Wrong\(\s*"([a-z]+\.[a-z]+)"', source))
    named |= {f"lettering.{name}" for name in re.findall(r'_note\(\s*"([a-z]+)"', source)}
    told = set(re.findall(r"^\| `([a-z.]+)`", (root / "docs" / "checks.md").read_text(), re.MULTILINE))
    assert named == told == found._CHINESE.keys() == {case.rule for case in CASES} | ELSEWHERE


def test_the_documents_say_which_are_faults(root: Path) -> None:
    faults, notes = (root / "docs" / "checks.md").read_text().split("## Notes")
    for case in CASES:
        (row,) = re.findall(rf"^\| `{case.rule}` .*", faults + notes, re.MULTILINE)
        assert (row in faults) == (case.severity == "warning") or ("a note" if row in faults else "a warning") in row
