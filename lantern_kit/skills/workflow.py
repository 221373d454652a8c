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
    """For the person who chooses it."""
    lead: str
    """What is asked of the agent."""
    arguments: tuple[Argument, ...]
    guides: tuple[str, ...]
    """The texts that say how."""
    before: str = (
        "If the skill lantern is not in front of you, call describe with guide lantern before anything else. "
        "What follows are the kit's guides to this task."
    )
    """What is said before them."""

    def words(self, given: Mapping[str, str]) -> str:
        """The task as it is put to an agent."""
        lines = [self.lead]
        for argument in self.arguments:
            value = given.get(argument.name, "").strip()
            lines.append(f"{argument.said}: {value}" if value else argument.unsaid)
        lines.append(self.before)
        return "\n".join(line for line in lines if line) + "\n\n" + "\n".join(guides()[name] for name in self.guides)


_CHAPTER = Argument(
    "chapter",
    description="Its title or number, if there are several",
    said="The chapter",
    unsaid="No chapter was named: take the only one that outline lists, or ask.",
)

WORKFLOWS = (
    Workflow(
        "draft_page",
        title="Draft a page",
        description="Make a comic page from what it is to tell: panels, pictures, words, checks, a proposal.",
        lead="Draft comic pages in Lantern, in one draft, and hand them over as one proposal.",
        arguments=(
            Argument(
                "wish",
                description="What happens on the page, in your words",
                said="What they are to tell",
                unsaid="Nothing was said of what they tell: ask before you begin.",
            ),
            Argument(
                "place",
                description="Where it goes, such as: after page 3",
                said="Where they go",
                unsaid="They go to the end.",
            ),
            _CHAPTER,
        ),
        guides=("workflow", "page", "pictures", "lettering"),
    ),
    Workflow(
        "revise_page",
        title="Change a page",
        description="Change what is on a page, and nothing else; ends with a proposal.",
        lead="Change a page of a comic in Lantern, and nothing that was not asked for; hand it over as one proposal.",
        arguments=(
            Argument(
                "wish",
                description="What is to be different",
                said="What is to be different",
                unsaid="Nothing was said of what is to change: ask before you begin.",
            ),
            Argument(
                "page",
                description="Which page, or what on it",
                said="Where",
                unsaid="No page was named: find what the words mean, or ask.",
            ),
            _CHAPTER,
        ),
        guides=("revising", "workflow"),
    ),
    Workflow(
        "review_page",
        title="Look pages over",
        description="A report on pages: faults, continuity, expression. Changes nothing.",
        lead="Look pages of a comic in Lantern over and report. Change nothing: begin no draft.",
        arguments=(
            Argument("pages", description="Which pages", said="The pages", unsaid="All pages of the chapter."),
            Argument("focus", description="What to look at most", said="Look most of all at"),
            Argument("source", description="A draft or proposal instead of the work", said="Look them over in"),
            _CHAPTER,
        ),
        guides=("page-review", "findings"),
        before="What follows is how it is done.",
    ),
    Workflow(
        "handle_annotations",
        title="Work off annotations",
        description="Deal with what people wrote on the pages, in one draft; ends with a proposal.",
        lead="Work off the open annotations of a comic chapter in Lantern, in one draft, "
        "and hand it over as one proposal.",
        arguments=(
            Argument("which", description="Which ones, if not all", said="Only these", unsaid="All that are open."),
            _CHAPTER,
        ),
        guides=("annotations", "workflow"),
    ),
)
