"""What profiles teach: their skills' files by address, and workflows as prompts."""

from __future__ import annotations

from lantern_kit.mcp_server.profile import Argument, Prompt, Text
from lantern_kit.skills import WORKFLOWS, Skill, SkillFile, skills, title


def address(skill: Skill, file: SkillFile) -> str:
    """Where a file of a skill is read."""
    return f"skill://{skill.name}/{file.path}"


def texts(kind: str = "comic") -> tuple[Text, ...]:
    """Every file of every skill for a kind of work."""
    return tuple(_text(skill, file) for skill in skills(kind).values() for file in skill.files)


def _text(skill: Skill, file: SkillFile) -> Text:
    if file is skill.files[0]:
        return Text(address(skill, file), skill.name, title(skill.body), skill.description, lambda: file.text)
    return Text(
        address(skill, file),
        f"{skill.name}/{file.path}",
        title(file.text),
        f"A reference of the skill {skill.name}.",
        lambda: file.text,
    )


def prompts() -> tuple[Prompt, ...]:
    """The workflows of comics; nothing that a person may say of one has to be said."""
    return tuple(
        Prompt(
            item.name,
            item.title,
            item.description,
            item.words,
            tuple(Argument(argument.name, argument.description) for argument in item.arguments),
        )
        for item in WORKFLOWS
    )
