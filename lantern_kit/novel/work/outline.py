"""The outline as people read it: what is meant to be written, in layers, and how far each part is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lantern_kit import showing as show
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.novel.formats.labels import label
from lantern_kit.novel.model import Chapter, Foreshadow, ForeshadowState, Person, PlanRevision, Story
from lantern_kit.novel.whole import Novel

_STORY = ("Premise", "Theme", "Conflict", "Ending", "View", "Style")
NONE_YET = "no outline yet: the author writes it first, novel.run()"


@dataclass(frozen=True)
class OutlineWork:
    """The plan of a novel at one moment."""

    novel: Novel

    @property
    def revision(self) -> int:
        """Which revision of the outline it is; 0: there is none yet."""
        return self.novel.head.outline_revision

    @property
    def approved(self) -> bool:
        """Whether a person let it begin, or need not."""
        return bool(self.novel.head.approved) or self.novel.config.approval.value == "automatic"

    @property
    def story(self) -> Story | None:
        """The whole in a few words."""
        return self.novel.story

    @property
    def people(self) -> list[Person]:
        """Whom it is about."""
        return list(self.novel.people.values())

    @property
    def chapters(self) -> list[Chapter]:
        """Its chapters, with the scenes of those that are near."""
        return list(self.novel.chapters.values())

    @property
    def foreshadows(self) -> list[Foreshadow]:
        """What is planted to be taken up again."""
        return list(self.novel.foreshadows.values())

    @property
    def revisions(self) -> list[PlanRevision]:
        """Every revision it had, with its reason."""
        return list(self.novel.plans.values())

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """All of it, as plain text."""
        if self.story is None:
            return NONE_YET
        revision = self._said("outline revision {number}").format(number=self.revision)
        lines = [self.story.title + self._said(" ({words})").format(words=revision)]
        lines += [f"  {self._said(name)}{self._said(': ')}{words}" for name, words in self._story()]
        lines += ["", self._said("People")] + [f"  {item.name}  {_joined(item.role, item.arc)}" for item in self.people]
        lines += ["", self._said("Chapters")]
        for number, chapter in enumerate(self.chapters, 1):
            lines.append(f"  {number}. {chapter.title}{self._marked(chapter.state.value)}  {chapter.purpose}")
            lines += [f"       · {scene.goal}{self._marked(scene.state.value)}" for scene in chapter.scenes]
        if self.foreshadows:
            lines += ["", self._said("Foreshadows")]
            lines += [f"  {item.what}{self._marked(self._foreshadow(item))}" for item in self.foreshadows]
        return "\n".join(lines)

    def html(self) -> str:
        """All of it, as it is shown in a notebook; scenes open on a click."""
        if self.story is None:
            return show.small(NONE_YET)
        parts = [show.heading(f"{self.story.title} · outline revision {self.revision}"), show.facts(self._story())]
        parts += [
            show.table(
                ("person", "role", "motive", "arc"),
                [(item.name, item.role, item.motive, item.arc) for item in self.people],
                empty="nobody yet",
            ),
            show.table(
                ("", "chapter", "state", "purpose", "scenes"),
                [
                    (str(number), item.title, item.state.value, item.purpose, _scenes(item))
                    for number, item in enumerate(self.chapters, 1)
                ],
            ),
        ]
        if self.foreshadows:
            rows = [(item.what, self._foreshadow(item)) for item in self.foreshadows]
            parts.append(show.table(("foreshadow", "state"), rows))
        told = [f"{item.number} · {to_the_minute(item.at)} · {item.reason}" for item in self.revisions[-20:]]
        parts.append(show.folded("Revisions of the outline", show.bullets(told)))
        return "".join(parts)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self.html())

    # parts

    def _said(self, words: str) -> str:
        return label(words, self.novel.config.language)

    def _marked(self, words: str) -> str:
        return self._said("  [{words}]").format(words=self._said(words))

    def _story(self) -> Iterator[tuple[str, str]]:
        if self.story is not None:
            yield from (
                (name, getattr(self.story, name.lower())) for name in _STORY if getattr(self.story, name.lower())
            )
            if self.story.taboos:
                yield self._said("not to be told"), self._said("; ").join(self.story.taboos)
            for item in self.story.overrides:
                yield self._said("differs by {id}").format(id=item.instruction), item.setting

    def _foreshadow(self, item: Foreshadow) -> str:
        if item.state in {ForeshadowState.RESOLVED, ForeshadowState.DROPPED}:
            return self._said(item.state.value)
        due = self.novel.chapters.get(item.resolve or "")
        needed = self._said(", ") + self._said("must be taken up") if item.required else ""
        by = "" if due is None else self._said(" by “{chapter}”").format(chapter=due.title)
        return self._said(item.state.value) + needed + by


def _scenes(chapter: Chapter) -> str:
    if not chapter.scenes:
        return ""
    done = sum(1 for scene in chapter.scenes if scene.state.value == "done")
    told = show.bullets(f"{scene.goal} [{scene.state.value}]" for scene in chapter.scenes)
    return show.Markup(show.folded(f"{done} of {len(chapter.scenes)} done", told))


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)
