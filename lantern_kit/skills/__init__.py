"""What agents are taught: folders of Markdown in the form of agentskills.io, the same texts wherever they are read.

lantern/        how to make pages; its references are the guides of ``describe``
page-review/    how to look pages over without changing them
novel-author/   how to write a novel; its references are the guides of the novel's ``describe``
skill           a skill as its folder holds it
guide           every text by name
workflow        tasks that a person starts by name, each led by what they asked for
"""

from __future__ import annotations

from lantern_kit.skills.guide import ORDER, guides, title
from lantern_kit.skills.skill import READING, Skill, SkillFile, skills
from lantern_kit.skills.workflow import WORKFLOWS, Argument, Workflow

__all__ = ["ORDER", "READING", "WORKFLOWS", "Argument", "Skill", "SkillFile", "Workflow", "guides", "skills", "title"]
