"""The outline in Markdown: what is planned, and how far it is. Neither instructions nor cards are in it."""

from __future__ import annotations

from lantern_kit.novel.formats.markdown import as_text, heading
from lantern_kit.novel.model import Chapter, Foreshadow, Person
from lantern_kit.novel.whole import Novel


def outline_markdown(novel: Novel) -> str:
    """The outline; of a novel without one, its title alone."""
    if novel.story is None:
        return f"{heading(novel.head.title)}\n"
    story = novel.story
    blocks = [heading(story.title)]
    blocks += _facts(
        {
            "Premise": story.premise,
            "Theme": story.theme,
            "Conflict": story.conflict,
            "Ending": story.ending,
            "View": story.view,
            "Style": story.style,
            "Taboos": "; ".join(story.taboos),
        }
    )
    blocks.append(heading("People", 2))
    for person in novel.people.values():
        blocks += _person(novel, person)
    blocks.append(heading("Chapters", 2))
    for number, chapter in enumerate(novel.chapters.values(), 1):
        blocks += _chapter(novel, chapter, number)
    blocks.append(heading("Foreshadows", 2))
    blocks += [_foreshadow(novel, item) for item in novel.foreshadows.values()]
    return "\n\n".join(blocks) + "\n"


def _person(novel: Novel, person: Person) -> list[str]:
    bonds = [f"{_name(novel, bond.to)}: {bond.what}" for bond in person.bonds]
    return [
        heading(person.name, 3),
        *_facts(
            {
                "Also": ", ".join(person.aliases),
                "Role": person.role,
                "At first": person.initial,
                "Motive": person.motive,
                "Bonds": "; ".join(bonds),
                "Arc": person.arc,
                "Choices": "; ".join(person.choices),
                "Knows": "; ".join(person.knows),
            }
        ),
    ]


def _chapter(novel: Novel, chapter: Chapter, number: int) -> list[str]:
    blocks = [
        heading(f"{number}. {chapter.title}", 3),
        *_facts(
            {
                "State": chapter.state.value,
                "Purpose": chapter.purpose,
                "Events": "; ".join(chapter.events),
                "People": ", ".join(_name(novel, person) for person in chapter.people),
                "Planned characters": f"{chapter.characters:,}" if chapter.characters else "",
                "Begins when": chapter.entry,
                "Ends when": chapter.exit,
            }
        ),
    ]
    if chapter.scenes:
        blocks.append("\n".join(f"{at}. {_line(scene.goal)}" for at, scene in enumerate(chapter.scenes, 1)))
    return blocks


def _foreshadow(novel: Novel, item: Foreshadow) -> str:
    need = "must be taken up" if item.required else "may be taken up"
    return f"- {_line(item.what)} ({item.state.value}; {need})"


def _facts(facts: dict[str, str]) -> list[str]:
    told = [f"- **{name}**: {_line(value)}" for name, value in facts.items() if value.strip()]
    return ["\n".join(told)] if told else []


def _line(text: str) -> str:
    return as_text(" ".join(text.split()))


def _name(novel: Novel, person: str) -> str:
    return novel.people[person].name if person in novel.people else person
