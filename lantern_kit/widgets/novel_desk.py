"""NovelDesk: where a person reads a novel while it is written, says what they want, and decides whether it goes on.

A person's face: nothing of it is reachable from what authors call, and it never writes itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import traitlets as t
from pydantic import Field

from lantern_kit.comic.phrases import Language
from lantern_kit.kernel.errors import BadInput, Corrupt, WrongState
from lantern_kit.novel.controls import Controls
from lantern_kit.novel.edition import title_of
from lantern_kit.novel.export import Form, export_novel
from lantern_kit.novel.model import AttemptEnd, InstructionSource, UnitState
from lantern_kit.novel.model.values import LONGEST_INSTRUCTION
from lantern_kit.novel.service import Moment
from lantern_kit.novel.whole import Novel
from lantern_kit.novel.work.exported import destination
from lantern_kit.novel.work.novel import NovelWork
from lantern_kit.widgets.asks import Args, Ask, Nothing, answers
from lantern_kit.widgets.novel import ledger, outline, standing
from lantern_kit.widgets.novel.controls import controls, require
from lantern_kit.widgets.novel.prose import chapter_prose
from lantern_kit.widgets.novel.still import picture, text
from lantern_kit.widgets.panel import Panel

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

_Id = Field(max_length=40)


class BeforeArgs(Args):
    """Which part of a list, newest first: that before a number; None begins at the newest."""

    before: int | None = Field(default=None, ge=1)


class ChapterArgs(Args):
    """Which chapter."""

    chapter: str = _Id


class ProseArgs(ChapterArgs):
    """Which chapter, from which of its pieces on."""

    start: int = Field(default=0, ge=0)


class InstructArgs(Args):
    """A word of the author's."""

    text: str = Field(min_length=1, max_length=LONGEST_INSTRUCTION)
    message: str = Field(pattern=r"^[0-9a-zA-Z-]{8,64}$")
    """Of one press of a button: what a front end sends twice is taken once."""
    source: InstructionSource = InstructionSource.INSTRUCTION
    answers: str | None = Field(default=None, max_length=40)


class StopArgs(Args):
    """What the person saw being written when they stopped it."""

    unit: str = Field(default="", max_length=40)


class ApproveArgs(Args):
    """The outline that was read."""

    revision: int = Field(ge=1)


class LimitArgs(Args):
    """Limits, those that change; None: no such limit."""

    turns: int | None = None
    planning_turns: int | None = None
    minutes: int | None = None
    tokens: int | None = None
    failures: int | None = None
    stalled: int | None = None


class ConfigureArgs(Args):
    """What is to change, and nothing else; None: none of it."""

    length: int | None = None
    tolerance: float | None = None
    hard_maximum: int | None = None
    unit_maximum: int | None = None
    chapters: int | None = None
    limits: LimitArgs = LimitArgs()


class ExportArgs(Args):
    """In which form, and as of which revision."""

    form: Form
    revision: int = Field(ge=1)


class NovelDesk(Panel):
    """A novel: its outline, its prose, the author's instructions with their receipts, and whether it goes on.

    What a person does here they do as the workspace's owner. It never writes: a cell or the shell runs an author.

    Args:
        novel: itself, or its id or title with ``workspace``.
        workspace: where it is, when it is named.
        language: ``en`` or ``zh``; "" takes the language of the notebook's page.

    Raises:
        NotFound: there is no such novel.
        BadInput: a name says not of which workspace.
    """

    kind = "novel"

    novel = t.Unicode().tag(sync=True)
    """Id of the novel that is shown."""

    def __init__(self, novel: NovelWork | str, workspace: Workspace | None = None, *, language: str = "") -> None:
        if isinstance(novel, NovelWork):
            host, name = cast("Workspace", novel.host), novel.id
        elif workspace is None or not isinstance(novel, str):
            raise BadInput(
                "this shows a novel of a workspace",
                expected="a novel, or its id or title and its workspace",
                found=type(novel).__name__,
                recovery="Give ws.novel(…), or NovelDesk(ID, ws).",
            )
        else:
            host, name = workspace, novel
        found = host.novel_service.find(name)
        super().__init__(host, language=language)
        self.novel = found.id

    # what is shown

    @answers("desk", Nothing)
    def desk(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """All but prose, plans and older lists."""
        return self._told(self._head(), ask.language)

    @answers("author", Nothing)
    def author(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """Who writes it now; a process that ends tells nobody, so this is asked for now and then."""
        return self._seat()

    @answers("prose", ProseArgs)
    def prose(self, ask: Ask[ProseArgs]) -> dict[str, Any]:
        """Committed prose of a chapter. Raises NotFound, NovelStorageCorruption."""
        return chapter_prose(self.host.novel_service, self._head().novel, ask.args.chapter, ask.args.start)

    @answers("chapter", ChapterArgs)
    def chapter(self, ask: Ask[ChapterArgs]) -> dict[str, Any]:
        """What is planned for a chapter. Raises NotFound."""
        return outline.chapter_plan(self._head().novel, ask.args.chapter)

    @answers("people", Nothing)
    def people(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """The people, as planned and as they are by what is written."""
        return {"people": outline.cast(self.host.novel_service, self._head().novel)}

    @answers("foreshadows", Nothing)
    def foreshadows(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """What is planted to be taken up."""
        return {"foreshadows": outline.foreshadows(self.host.novel_service, self._head().novel)}

    @answers("plans", BeforeArgs)
    def plans(self, ask: Ask[BeforeArgs]) -> dict[str, Any]:
        """Revisions of the plan, newest first."""
        return {"plans": outline.plans(self._head().novel, ask.args.before, ask.language)}

    @answers("instructions", BeforeArgs)
    def instructions(self, ask: Ask[BeforeArgs]) -> dict[str, Any]:
        """Instructions, newest first."""
        return ledger.page(self.host.novel_service, self._head().novel, ask.args.before)

    # what a person does

    @answers("instruct", InstructArgs, aside=True)
    def instruct(self, ask: Ask[InstructArgs]) -> dict[str, Any]:
        """Take a word of the author's; the receipt says where it lies once it lies there for good.

        Raises WrongState, IdempotencyConflict, NotFound, BadInput.
        """
        args = ask.args
        moment, taken = self._controls.instruct(
            args.text, message=args.message, source=args.source, answers=args.answers
        )
        receipt = {"id": taken.id, "sequence": taken.sequence, "revision": moment.id, "at": taken.received_at}
        return {"receipt": receipt, "desk": self._told(moment, ask.language)}

    @answers("pause", Nothing, aside=True)
    def pause(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """No further unit is claimed; one that is claimed may end. Raises WrongState."""
        return self._done("pause", ask.language, lambda person: person.pause())

    @answers("stop", StopArgs, aside=True)
    def stop(self, ask: Ask[StopArgs]) -> dict[str, Any]:
        """Stop at once, and say what became of what was being written. Raises WrongState."""
        answer = self._done("stop", ask.language, lambda person: person.stop())
        return {**answer, "unit": _became(self._head().novel, ask.args.unit)}

    @answers("resume", Nothing, aside=True)
    def resume(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """Let it go on; whoever runs an author carries it out. Raises WrongState."""
        return self._done("resume", ask.language, lambda person: person.resume())

    @answers("update", Nothing, aside=True)
    def update(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """Allow one revision of an outline that waits to be approved. Raises WrongState."""
        return self._done("update", ask.language, lambda person: person.update_outline())

    @answers("approve", ApproveArgs, aside=True)
    def approve(self, ask: Ask[ApproveArgs]) -> dict[str, Any]:
        """Let the outline that was read begin. Raises WrongState, NovelRevisionConflict."""
        return {"desk": self._told(self._controls.approve(ask.args.revision), ask.language)}

    @answers("configure", ConfigureArgs, aside=True)
    def configure(self, ask: Ask[ConfigureArgs]) -> dict[str, Any]:
        """Change length, chapters or limits; what was spent stays spent. Raises WrongState, BadInput."""
        require(self._head().novel, "configure", self.host.clock.now(), self.host.owner.name, ask.language)
        NovelWork(self.host, self.novel).configure(**ask.args.model_dump(exclude_unset=True))
        return {"desk": self._told(self._head(), ask.language)}

    @answers("free", Nothing, aside=True)
    def free(self, ask: Ask[Nothing]) -> dict[str, Any]:
        """Free the author's seat, where only a person can say that its author is gone. Raises WrongState."""
        told = self._told(self._head(), ask.language)["controls"]["free"]
        if not told["can"]:
            raise WrongState(told["why"], ids=[self.novel], recovery="")
        self._controls.free()
        return {"desk": self._told(self._head(), ask.language)}

    @answers("export", ExportArgs, aside=True)
    def export(self, ask: Ask[ExportArgs]) -> dict[str, Any]:
        """Write the novel, as it was when it was looked at, into ``exports/``; an older file of that name goes.

        Raises WrongState, NotFound, NovelStorageCorruption.
        """
        form, host = ask.args.form, self.host
        require(self._head().novel, "export", host.clock.now(), host.owner.name, ask.language)
        path = destination(host, self.novel, None, form)
        made = export_novel(host.novel_service, self.novel, path, form=form, revision=ask.args.revision)
        return {
            "file": f"exports/{path.name}",
            "revision": made.revision,
            "finished": made.finished,
            "chapters": made.chapters,
            "characters": made.characters,
            "size": made.size,
        }

    # showing

    def text(self) -> str:
        """How it stands, and its chapters, in plain text."""
        return text(self._head().novel, self.tongue)

    def picture(self) -> str:
        """How it stands, its chapters, and how what is written begins."""
        return picture(self.host.novel_service, self._head().novel, self.tongue)

    # parts

    @property
    def _controls(self) -> Controls:
        return Controls(self.host.novel_service, self.novel, self.host.owner)

    def _head(self) -> Moment:
        return self.host.novel_service.head(self.novel)

    def _seat(self) -> dict[str, Any]:
        """Who has the author's seat, and whether only a person can say that they do; a damaged seat is nobody's."""
        authors = self.host.novel_service.authors
        doubtful = authors.is_doubtful(self.novel)
        try:
            return {"author": authors.holder(self.novel), "doubtful": doubtful}
        except Corrupt:
            return {"author": "", "doubtful": doubtful}

    def _done(self, name: str, language: Language, deed: Callable[[Controls], Moment]) -> dict[str, Any]:
        require(self._head().novel, name, self.host.clock.now(), self.host.owner.name, language)
        return {"desk": self._told(deed(self._controls), language)}

    def _told(self, moment: Moment, language: Language) -> dict[str, Any]:
        novel, service = moment.novel, self.host.novel_service
        now, seat = self.host.clock.now(), self._seat()
        newest = next(reversed(list(novel.plans.values())), None)
        return {
            "revision": moment.revision.number,
            "now": now,
            "title": title_of(novel),
            "language": novel.config.language,
            "content": novel.head.content_revision,
            "story": None if novel.story is None else novel.story.model_dump(include=_STORY),
            "outline": {
                "revision": novel.head.outline_revision,
                "approved": novel.head.approved,
                "approval": novel.config.approval.value,
                "latest": None if newest is None else outline.plan(novel, newest, language),
            },
            "chapters": outline.chapters(novel),
            "run": standing.run(novel, language),
            "author": seat["author"],
            "config": standing.config(novel),
            "length": standing.length(novel),
            "spent": standing.spent(novel),
            "assets": standing.assets(novel),
            "ledger": ledger.page(service, novel, None),
            "open": len(novel.open_instructions),
            "controls": controls(novel, now, self.host.owner.name, language, doubtful=seat["doubtful"]),
        }


_STORY = {"premise", "theme", "conflict", "ending", "view", "style"}


def _became(novel: Novel, unit: str) -> str:
    """What a stop made of a unit that was being written: it was in time to stop it, or the commit came first."""
    held = novel.units.get(unit)
    if held is None:
        return ""
    if held.state is UnitState.COMMITTED:
        return "committed"
    return "stopped" if held.attempts and held.attempts[-1].end is AttemptEnd.STOPPED else ""
