"""The novels of a workspace: begun from cards and books, listed, and found by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit.cards.limits import FILE
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.listed import Listed
from lantern_kit.novel.creation import CardFile, create_novel
from lantern_kit.novel.model import Target
from lantern_kit.novel.whole import Head
from lantern_kit.novel.work.configured import GENRE, LANGUAGE, STYLE, TOLERANCE, UNIT_MAXIMUM, VIEW, configured, words
from lantern_kit.novel.work.host import clipped
from lantern_kit.novel.work.novel import NovelWork

if TYPE_CHECKING:
    from lantern_kit.kernel.actor import Actor
    from lantern_kit.novel.work.host import Host

CardSource = str | Path | bytes | tuple[str, bytes]
"""A card or a book: a file's path, its bytes, or a name with bytes."""


class NovelShelf(Listed[NovelWork]):
    """The novels of a workspace, oldest first; ``shelf["title"]`` is one by its title or id."""

    heads: ClassVar = ("novel", "id", "state", "chapters", "characters", "last step")
    empty = 'no novels yet: ws.novels.begin("TITLE", "what is to be written")'
    key: ClassVar = "title"

    def __init__(self, host: Host) -> None:
        super().__init__(NovelWork(host, record.id) for record in host.novel_service.novels())
        self._host = host

    def __getitem__(self, place: Any) -> Any:
        """A novel by its place from 0, by its title or its id, or a part of the list. Raises NotFound, IndexError."""
        return self.get(place) if isinstance(place, str) else super().__getitem__(place)

    def get(self, name: str) -> NovelWork:
        """A novel by id, or by a title that only one has. Raises NotFound."""
        return NovelWork(self._host, self._host.novel_service.find(name).id)

    def begin(
        self,
        title: str,
        request: str,
        *,
        cards: Iterable[CardSource] = (),
        language: str = LANGUAGE,
        genre: str = GENRE,
        view: str = VIEW,
        style: str = STYLE,
        approval: str = "automatic",
        length: int | None = None,
        tolerance: float = TOLERANCE,
        hard_maximum: int | None = None,
        chapters: int | None = None,
        unit_maximum: int = UNIT_MAXIMUM,
        limits: Mapping[str, Any] | None = None,
        key: str | None = None,
        by: Actor | None = None,
    ) -> NovelWork:
        """Begin a novel; nothing is written yet. What is left out is what forms propose, and is kept with the novel.

        Args:
            title: what it is called here.
            request: what is to be written, in your words: the first instruction.
            cards: character cards and books, fixed as they are now; the books in cards are read too. None is fine.
            language: of its prose, such as ``en`` or ``zh-CN``.
            genre, view, style: in your words; the author decides on what is left empty.
            approval: ``automatic``, or ``manual``: nothing is written before you approve the outline.
            length: effective characters to aim at; None: as it comes.
            tolerance: how far off that it may end, as a part of it.
            hard_maximum: never more than this.
            chapters: how many there are to be; None: as it comes.
            unit_maximum: effective characters of one piece of prose at most.
            limits: those that differ from what forms propose; as in ``novel.configure``.
            key: names this request, so that making it again gives the same novel; None: a new one.

        Raises BadInput, UnknownKey, NotFound for a file that is none, and what reading cards raises.
        """
        config = configured(
            language=language,
            genre=genre,
            view=view,
            style=style,
            approval=approval,
            length=length,
            tolerance=tolerance,
            hard_maximum=hard_maximum,
            chapters=chapters,
            unit_maximum=unit_maximum,
            limits=limits or {},
        )
        files = [card_file(item, number) for number, item in enumerate(cards, 1)]
        with words(Head):
            moment = create_novel(
                self._host.novel_service,
                title=title,
                config=config,
                files=files,
                request=request,
                key=key or self._host.ids.new("nk"),
                actor=by or self._host.owner,
            )
        return NovelWork(self._host, moment.novel.head.id)

    # showing

    def row(self, item: NovelWork) -> tuple[str, ...]:
        """Title, id, state with what went wrong, chapters, length, and when it was last changed."""
        status = item.status()
        head = status.novel.head
        done = f"{status.completed_chapters} of {len(status.novel.chapters)}"
        pause, aimed = status.pause, status.novel.config.length
        state = status.state if pause is None else f"{status.state}: {pause.reason.value}"
        state += "" if pause is None or pause.chosen else f", {clipped(pause.told, 160)}"
        size = f"{head.characters:,}" + (f" of {aimed.characters:,}" if isinstance(aimed, Target) else "")
        return (head.title, head.id, state, done, size, to_the_minute(status.moment.revision.at))

    def line(self, item: NovelWork) -> str:
        """A novel on one line."""
        return repr(item)


def card_file(source: CardSource, number: int) -> CardFile:
    """A card or a book from what names it. Raises NotFound, BadInput."""
    if isinstance(source, bytes):
        return CardFile(f"card {number}", source)
    if isinstance(source, tuple):
        name, data = source
        return CardFile(name, data)
    path = Path(source).expanduser()
    if not path.is_file():
        raise NotFound(
            "there is no such card or book",
            found=path.name[:120],
            recovery="Check the path: a card as PNG, JSON or CHARX, a book as JSON.",
        )
    if path.stat().st_size > FILE:
        raise BadInput(f"{path.name[:120]} is too large", expected=f"at most {FILE >> 20} MB")
    return CardFile(path.name, path.read_bytes())
