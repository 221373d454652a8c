"""Beginning a novel from cards and books: all of it is fixed before the first word is asked for (seed 004, 4.1, 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.cards import Book, Card, read_any
from lantern_kit.kernel import receipts
from lantern_kit.kernel.actor import Actor, require_person
from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.wording import one_line, said
from lantern_kit.novel.edit.begin import begin
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.lore import content_of_book, content_of_card
from lantern_kit.novel.model import Asset, AssetKind, Config
from lantern_kit.novel.model.values import LONGEST_INSTRUCTION, LONGEST_NAME, as_line
from lantern_kit.novel.service import Moment, NovelService

MOST_FILES = 64


@dataclass(frozen=True)
class CardFile:
    """A card or a book as a file."""

    name: str
    """The file's own name, without its folder."""
    data: bytes


def create_novel(
    service: NovelService,
    *,
    title: str,
    config: Config,
    files: Sequence[CardFile],
    request: str,
    key: str,
    actor: Actor,
) -> Moment:
    """Begin a novel; person-only. The same key gives the novel it gave before.

    Cards are read with the books in them; what says the same is kept once.

    Args:
        title: at most 120 characters on one line.
        files: cards and books, at most 64; none is a choice too.
        request: what is to be written, in the author's words: the first instruction.
        key: names this request.

    Raises NotAllowed, BadInput, IdempotencyConflict, and what reading cards raises.
    """
    require_person(actor, "begin a novel")
    said(title, "a title", longest=LONGEST_NAME, empty=False)
    try:
        one_line(title)
    except ValueError as error:
        raise BadInput(f"a title is {error}") from error
    if "  " in title:
        raise BadInput("a title has single spaces between its words")
    if len(files) > MOST_FILES:
        raise BadInput("that is too many cards and books", expected=f"at most {MOST_FILES}", found=len(files))
    said(request, "what is to be written", longest=LONGEST_INSTRUCTION, empty=False)
    asked = receipts.request_digest(
        [title, request, config.model_dump(mode="json"), [[file.name, digest(file.data).hex()] for file in files]]
    )
    scope = f"novel.create/{actor.name}"
    receipts.check_key(key)
    with service.journal.read() as connection:
        given = receipts.find(connection, scope, key, asked)
    if given is not None:
        return service.head(str(given["novel"]))
    assets = fixed(service, files)
    with service.journal.write() as connection:
        given = receipts.find(connection, scope, key, asked)
        if given is None:
            stamp = Stamp(service.clock.now(), as_line(actor.name), service.ids)
            novel = begin(title, config, assets, request, key, stamp)
            moment = service.create(novel, actor=actor, connection=connection)
            receipts.keep(connection, scope, key, asked, {"novel": novel.head.id}, stamp.at)
            return moment
    return service.head(str(given["novel"]))


def fixed(service: NovelService, files: Sequence[CardFile]) -> list[Asset]:
    """Snapshots of cards and books, in order: each card before its book, each content once.

    Raises what reading cards raises.
    """
    made: dict[str, Asset] = {}
    for file in files:
        read = read_any(file.data, name=file.name)
        card = _kept(service, made, read, file, None)
        if isinstance(read, Card) and read.book is not None:
            _kept(service, made, read.book, file, card.id)
    return list(made.values())


def _kept(
    service: NovelService, made: dict[str, Asset], read: Card | Book, file: CardFile, within: str | None
) -> Asset:
    if read.digest in made:
        return made[read.digest]
    is_card = isinstance(read, Card)
    content: bytes = content_of_card(read) if isinstance(read, Card) else content_of_book(read)
    form: Any = f"{read.spec.value} {read.form.value}" if isinstance(read, Card) else f"{read.form.value} book"
    asset = Asset(
        id=service.ids.new("ns"),
        kind=AssetKind.CARD if is_card else AssetKind.BOOK,
        name=_named(read.name) or _named(file.name) or ("card" if is_card else "book"),
        file=_named(file.name),
        form=form,
        original=service.blobs.put(file.data).hex(),
        content=service.blobs.put(content).hex(),
        digest=read.digest,
        within=within,
        entries=0 if isinstance(read, Card) else len(read.entries),
    )
    made[read.digest] = asset
    return asset


def _named(text: str) -> str:
    """A name as it can be shown: on one line, and not too long."""
    return as_line(text, LONGEST_NAME)
