"""The outline in Markdown: what is planned, and how far it is. Neither instructions nor cards are in it."""

from __future__ import annotations

from lantern_kit.novel.formats.labels import label
from lantern_kit.novel.formats.markdown import as_text, heading
from lantern_kit.novel.model import Chapter, Foreshadow, Person
from lantern_kit.novel.whole import Novel


def outline_markdown(novel: Novel) -> str:
    """The outline; of a novel without one, its title alone."""
    if novel.story is None:
        return f"{heading(novel.head.title)}\n"
    story, language = novel.story, novel.config.language
    blocks = [heading(story.title)]
    blocks += _facts(
        language,
        {
            "Premise": story.premise,
            "Theme": story.theme,
            "Conflict": story.conflict,
            "Ending": story.ending,
            "View": story.view,
            "Style": story.style,
            "Taboos": label("; ", language).join(story.taboos),
        },
    )
    blocks.append(heading(label("People", language), 2))
    for person in novel.people.values():
        blocks += _person(novel, person)
    blocks.append(heading(label("Chapters", language), 2))
    for number, chapter in enumerate(novel.chapters.values(), 1):
        blocks += _chapter(novel, chapter, number)
    blocks.append(heading(label("Foreshadows", language), 2))
    blocks += [_foreshadow(novel, item) for item in novel.foreshadows.values()]
    return "\n\n".join(blocks) + "\n"


def _person(novel: Novel, person: Person) -> list[str]:
    language = novel.config.language
    bonds = [f"{_name(novel, bond.to)}{label(': ', language)}{bond.what}" for bond in person.bonds]
    return [
        heading(person.name, 3),
        *_facts(
            language,
            {
                "Also": label(", ", language).join(person.aliases),
                "Role": person.role,
                "At first": person.initial,
                "Motive": person.motive,
                "Bonds": label("; ", language).join(bonds),
                "Arc": person.arc,
                "Choices": label("; ", language).join(person.choices),
                "Knows": label("; ", language).join(person.knows),
            },
        ),
    ]


def _chapter(novel: Novel, chapter: Chapter, number: int) -> list[str]:
    language = novel.config.language
    blocks = [
        heading(f"{number}. {chapter.title}", 3),
        *_facts(
            language,
            {
                "State": label(chapter.state.value, language),
                "Purpose": chapter.purpose,
                "Events": label("; ", language).join(chapter.events),
                "People": label(", ", language).join(_name(novel, person) for person in chapter.people),
                "Planned characters": f"{chapter.characters:,}" if chapter.characters else "",
                "Begins when": chapter.entry,
                "Ends when": chapter.exit,
            },
        ),
    ]
    if chapter.scenes:
        blocks.append("\n".join(f"{at}. {_line(scene.goal)}" for at, scene in enumerate(chapter.scenes, 1)))
    return blocks


def _foreshadow(novel: Novel, item: Foreshadow) -> str:
    need = "must be taken up" if item.required else "may be taken up"
    language = novel.config.language
    told = label("; ", language).join((label(item.state.value, language), label(need, language)))
    return f"- {_line(item.what)}{label(' ({words})', language).format(words=told)}"


def _facts(language: str, facts: dict[str, str]) -> list[str]:
    told = [
        f"- **{label(name, language)}**{label(': ', language)}{_line(value)}"
        for name, value in facts.items()
        if value.strip()
    ]
    return ["\n".join(told)] if told else []


def _line(text: str) -> str:
    return as_text(" ".join(text.split()))


def _name(novel: Novel, person: str) -> str:
    return novel.people[person].name if person in novel.people else person
