"""Skills for hosts of agents: what would be put where, and what was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lantern_kit.cli.screen import done, note, say
from lantern_kit.cli.words import tr

if TYPE_CHECKING:
    from lantern_kit.mcp_server.connect import Host
    from lantern_kit.mcp_server.skill_folders import Placed
    from lantern_kit.skills import Skill


def tell_skills(host: Host, project: Path | None, *, kind: str, read_only: bool) -> None:
    """Say beside a configuration what would become of the skills."""
    from lantern_kit.mcp_server.skill_folders import plan_skills, skill_folder

    folder = skill_folder(host, project)
    if folder is None:
        note(tr("No folder of skills is known for other hosts; agents find the same texts at the server."))
        return
    skills = _taught(kind, read_only=read_only)
    if not skills:
        return
    note(tr("These skills go into {folder}:", folder=folder))
    for item in plan_skills(folder, skills):
        note(f"  {item.path.relative_to(folder)}  {_become(item)}")


def put_skills(host: Host, project: Path | None, *, kind: str, read_only: bool) -> None:
    """Put the skills where a host looks for them, and name the files that a person changed."""
    from lantern_kit.mcp_server.skill_folders import Fate, install_skills, skill_folder

    folder = skill_folder(host, project)
    skills = _taught(kind, read_only=read_only)
    if folder is None or not skills:
        return
    placed = install_skills(folder, skills)
    names = ", ".join(skill.name for skill in skills)
    if all(item.fate in {Fate.SAME, Fate.LEFT} for item in placed):
        say(tr("The skills in {folder} are there already: {names}", folder=folder, names=names))
    else:
        done(tr("Put the skills into {folder}: {names}", folder=folder, names=names))
    for item in placed:
        if item.fate in {Fate.LEFT, Fate.REPLACED}:
            say(f"  {item.path.relative_to(folder)}  {_become(item)}")


def _taught(kind: str, *, read_only: bool) -> tuple[Skill, ...]:
    """What an agent is taught for a kind of work."""
    from lantern_kit.skills import READING, skills

    return tuple(skill for name, skill in skills(kind).items() if not read_only or name in READING)


def _become(item: Placed) -> str:
    """What becomes of a file, in words."""
    from lantern_kit.mcp_server.skill_folders import Fate

    match item.fate:
        case Fate.WRITTEN:
            return tr("new")
        case Fate.RENEWED:
            return tr("renewed")
        case Fate.SAME:
            return tr("there already")
        case Fate.LEFT:
            return tr("yours, left as it is")
        case Fate.REPLACED:
            return tr("replaced; what was there is kept as {name}", name="" if item.aside is None else item.aside.name)
        case Fate.REMOVED:
            return tr("removed: no longer part of it")
