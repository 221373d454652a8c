"""Skills in the folders of hosts: put there, renewed, and never over what a person wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import BadInput
from lantern_kit.mcp_server.connect import Host
from lantern_kit.mcp_server.skill_folders import Fate, install_skills, plan_skills, skill_folder
from lantern_kit.skills import Skill, SkillFile, skills

BOTH = tuple(skills().values())


def version(*files: tuple[str, str], name: str = "lantern") -> tuple[Skill, ...]:
    """A skill of a few files."""
    made = tuple(SkillFile(path, text.encode()) for path, text in files)
    return (replace(skills()["lantern"], name=name, files=made),)


def below(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fates(folder: Path, given: tuple[Skill, ...]) -> list[str]:
    return [item.fate.value for item in install_skills(folder, given)]


@pytest.mark.parametrize(
    ("host", "folder"),
    [
        (Host.CLAUDE_CODE, ".claude/skills"),
        (Host.CODEX, ".agents/skills"),
        (Host.GEMINI, ".agents/skills"),
        (Host.VSCODE, ".agents/skills"),
        (Host.JSON, None),
    ],
)
def test_every_host_has_its_folder_and_others_have_none(host: Host, folder: str | None, tmp_path: Path) -> None:
    assert skill_folder(host, tmp_path) == (None if folder is None else tmp_path / folder)


def test_they_are_put_there_whole_and_a_second_time_changes_nothing(tmp_path: Path) -> None:
    plan = plan_skills(tmp_path / "skills", BOTH)
    assert not (tmp_path / "skills").exists()
    assert install_skills(tmp_path / "skills", BOTH) == plan
    assert {item.fate for item in plan} == {Fate.WRITTEN}
    there = below(tmp_path / "skills")
    assert {name for name in there if not name.startswith(".")} == {
        f"{skill.name}/{file.path}" for skill in BOTH for file in skill.files
    }
    assert there["lantern/references/page.md"] == skills()["lantern"].references["page"].encode()
    assert {item.fate for item in install_skills(tmp_path / "skills", BOTH)} == {Fate.SAME}
    assert below(tmp_path / "skills") == there


def test_an_older_version_is_renewed_and_what_is_no_longer_shipped_goes(tmp_path: Path) -> None:
    install_skills(tmp_path, version(("SKILL.md", "one"), ("references/a.md", "a"), ("references/b.md", "b")))
    newer = version(("SKILL.md", "two"), ("references/b.md", "b"), ("references/c.md", "c"))
    assert fates(tmp_path, newer) == ["renewed", "same", "written", "removed"]
    assert {name for name in below(tmp_path) if name.endswith("md")} == {
        "lantern/SKILL.md",
        "lantern/references/b.md",
        "lantern/references/c.md",
    }


def test_what_a_person_changed_stays_until_ours_changes_and_is_then_kept_beside(tmp_path: Path) -> None:
    first = version(("SKILL.md", "one"), ("references/a.md", "a"))
    install_skills(tmp_path, first)
    for name in ("SKILL.md", "references/a.md"):
        (tmp_path / "lantern" / name).write_text(f"mine {name}")
    assert fates(tmp_path, first) == ["left", "left"]
    assert (tmp_path / "lantern" / "SKILL.md").read_text() == "mine SKILL.md"
    done = install_skills(tmp_path, version(("SKILL.md", "two")))
    assert [(item.fate, item.aside) for item in done] == [
        (Fate.REPLACED, tmp_path / "lantern" / "SKILL.md.yours"),
    ]
    assert (tmp_path / "lantern" / "SKILL.md").read_text() == "two"
    assert (tmp_path / "lantern" / "SKILL.md.yours").read_text() == "mine SKILL.md"
    assert (tmp_path / "lantern" / "references" / "a.md").read_text() == "mine references/a.md"
    (tmp_path / "lantern" / "SKILL.md").write_text("mine again")
    again = install_skills(tmp_path, version(("SKILL.md", "three")))
    assert again[0].aside == tmp_path / "lantern" / "SKILL.md.yours-2"
    assert (tmp_path / "lantern" / "SKILL.md.yours").read_text() == "mine SKILL.md"


def test_a_skill_of_that_name_from_elsewhere_is_kept_beside_and_other_skills_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "lantern").mkdir()
    (tmp_path / "lantern" / "SKILL.md").write_bytes("someone’s\r\n".encode())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "SKILL.md").write_text("theirs")
    (done,) = install_skills(tmp_path, version(("SKILL.md", "ours\n")))
    assert done.fate is Fate.REPLACED
    assert done.aside is not None and done.aside.read_bytes() == "someone’s\r\n".encode()
    assert (tmp_path / "other" / "SKILL.md").read_text() == "theirs"
    assert fates(tmp_path, version(("SKILL.md", "ours\n"))) == ["same"]


def test_one_skill_alone_leaves_the_other_and_what_is_remembered_of_it(tmp_path: Path) -> None:
    install_skills(tmp_path, BOTH)
    install_skills(tmp_path, BOTH[1:])
    assert {item.fate for item in plan_skills(tmp_path, BOTH)} == {Fate.SAME}
    assert len(json.loads((tmp_path / ".lantern-kit.json").read_text())["files"]) == len(
        [file for skill in BOTH for file in skill.files]
    )


@pytest.mark.parametrize(
    "record", ["", "[]", "{}", '{"files": 3}', '{"files": {"lantern/../../gone.md": "x"}}', "\ufffe"]
)
def test_a_record_that_cannot_be_read_counts_as_none(record: str, tmp_path: Path) -> None:
    folder = tmp_path / "skills"
    install_skills(folder, version(("SKILL.md", "one")))
    (folder / ".lantern-kit.json").write_text(record)
    (done,) = install_skills(folder, version(("SKILL.md", "two")))
    assert done.fate is Fate.REPLACED


@pytest.mark.parametrize("kind", ["a folder", "no text", "a file above", "a link out"])
def test_what_is_in_the_way_is_refused_before_anything_is_written(kind: str, tmp_path: Path) -> None:
    folder, outside = tmp_path / "skills", tmp_path / "outside.md"
    outside.write_text("outside")
    place = folder / "lantern" / "references" / "a.md"
    place.parent.mkdir(parents=True)
    if kind == "a folder":
        place.mkdir()
    elif kind == "no text":
        place.write_bytes(b"\xff\xfe")
    elif kind == "a link out":
        place.symlink_to(outside)
    else:
        place.parent.rmdir()
        place.parent.write_text("a file")
    before = below(tmp_path)
    with pytest.raises(BadInput) as caught:
        install_skills(folder, version(("SKILL.md", "one"), ("references/a.md", "a")))
    assert "without skills" in caught.value.recovery
    assert below(tmp_path) == before
