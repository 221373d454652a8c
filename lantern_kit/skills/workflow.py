"""Tasks that a person starts by name: what they asked for, then the guides of the skills that say how it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lantern_kit.skills.guide import guides


@dataclass(frozen=True)
class Argument:
    """What a person may say of a task."""

    name: str
    description: str
    """For the person who fills it in."""
    said: str
    """How it is told, before the value."""
    unsaid: str = ""
    """What is told when it is left out; empty: nothing."""


@dataclass(frozen=True)
class Workflow:
    """One task."""

    name: str
    title: str
    description: str
    lead: str
    arguments: tuple[Argument, ...]
    guides: tuple[str, ...]
    """The texts that say how."""
    first: str = (
        "If the skill lantern is not in front of you, call describe with guide lantern before anything else. "
        "What follows are the kit's guides to this task."
    )

    def words(self, given: Mapping[str, str]) -> str:
        """The task as it is put to an agent."""
        lines = [self.lead]
        for argument in self.arguments:
            value = given.get(argument.name, "").strip()
            lines.append(f"{argument.said}: {value}" if value else argument.unsaid)
        lines.append(self.first)
        return "\n".join(line for line in lines if line) + "\n\n" + "\n".join(guides()[name] for name in self.guides)


_CHAPTER = Argument(
    "chapter",
    "Its title or number, if there are several",
    "The chapter",
    "No chapter was named: take the only one that outline lists, or ask.",
)

WORKFLOWS = (
    Workflow(
        "draft_page",
        "Draft a page",
        "Make a comic page from what it is to tell: panels, pictures, words, checks, a proposal.",
        "Draft comic pages in Lantern, in one draft, and hand them over as one proposal.",
        (
            Argument(
                "wish",
                "What happens on the page, in your words",
                "What they are to tell",
                "Nothing was said of what they tell: ask before you begin.",
            ),
            Argument("place", "Where it goes, such as: after page 3", "Where they go", "They go to the end."),
            _CHAPTER,
        ),
        ("workflow", "page", "pictures", "lettering"),
    ),
    Workflow(
        "revise_page",
        "Change a page",
        "Change what is on a page, and nothing else; ends with a proposal.",
        "Change a page of a comic in Lantern, and nothing that was not asked for; hand it over as one proposal.",
        (
            Argument(
                "wish",
                "What is to be different",
                "What is to be different",
                "Nothing was said of what is to change: ask before you begin.",
            ),
            Argument(
                "page", "Which page, or what on it", "Where", "No page was named: find what the words mean, or ask."
            ),
            _CHAPTER,
        ),
        ("revising", "workflow"),
    ),
    Workflow(
        "review_page",
        "Look pages over",
        "A report on pages: faults, continuity, expression. Changes nothing.",
        "Look pages of a comic in Lantern over and report. Change nothing: begin no draft.",
        (
            Argument("pages", "Which pages", "The pages", "All pages of the chapter."),
            Argument("focus", "What to look at most", "Look most of all at"),
            Argument("source", "A draft or proposal instead of the work", "Look them over in"),
            _CHAPTER,
        ),
        ("page-review", "findings"),
        "What follows is how it is done.",
    ),
    Workflow(
        "handle_annotations",
        "Work off annotations",
        "Deal with what people wrote on the pages, in one draft; ends with a proposal.",
        "Work off the open annotations of a comic chapter in Lantern, in one draft, and hand it over as one proposal.",
        (
            Argument("which", "Which ones, if not all", "Only these", "All that are open."),
            _CHAPTER,
        ),
        ("annotations", "workflow"),
    ),
)
