"""``character.read`` and ``lore.search``: cards and books as the novel was begun with them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.services import services
from lantern_kit.novel.capabilities.telling import pieces, told
from lantern_kit.novel.deduction import of_character
from lantern_kit.novel.model import AssetKind


class CharacterIn(In):
    """Whose card."""

    character: Annotated[
        str, Field(max_length=60, description="pn_… of the outline or ns_… of a card; none: the cards")
    ] = ""
    start: Start = 1


class CharacterOut(Out):
    """What the card tells, and what the outline says of the person."""

    card: str | None = None
    digest: str | None = None
    person: dict[str, Any] | None = None
    rows: list[dict[str, Any]]
    next: int | None = None


@observes("character.read", summary="A character's card, as it was fixed.", input=CharacterIn, output=CharacterOut)
def character(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    novel = held.now
    if not args.character:
        cards = [{"card": item.id, "name": item.name} for item in held.reader.assets(AssetKind.CARD)]
        taken, more = cut(cards, args.start)
        answer = CharacterOut(rows=taken, next=more)
        return Reply(answer.facts(), scope=novel.head.id, target=novel.head.id, summary=counted(len(cards), "card"))
    person = novel.people.get(args.character)
    card = args.character if person is None else person.card
    rows: list[dict[str, Any]] = []
    if card is not None:
        who = novel.asset(card).name if person is None else person.name
        for name, value in held.reader.character(card).items():
            for text in [value] if isinstance(value, str) else value:
                rows += [{"field": name, "text": part} for part in pieces(of_character(text, who)) if part]
    taken, more = cut(rows, args.start)
    answer = CharacterOut(
        card=card,
        digest=None if card is None else novel.asset(card).digest,
        person=None if person is None else told(person),
        rows=taken,
        next=more,
    )
    return Reply(answer.facts(), scope=novel.head.id, target=args.character, summary="a character")


class LoreIn(In):
    """Words to look for, or a text whose entries are wanted."""

    words: Annotated[str, Field(max_length=400, description="entries that hold each of them")] = ""
    text: Annotated[
        str, Field(max_length=8_000, description="instead: entries that such a text wakes by their keys")
    ] = ""
    book: Annotated[str, Field(max_length=60, description="only of this ns_…; with nothing else: all its entries")] = ""
    start: Start = 1


class LoreOut(Out):
    """Entries with the book and version they are of."""

    entries: list[dict[str, Any]]
    next: int | None = None


@observes("lore.search", summary="Search the novel's books.", input=LoreIn, output=LoreOut)
def lore(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    if args.words and args.text:
        raise BadInput("words or text, not both", expected="one of them")
    if args.text:
        found = held.reader.woken([args.text])
    elif args.words:
        found = held.reader.lore(args.words, limit=200)
    elif args.book:
        found = held.reader.entries(args.book)
    else:
        found = [entry for book in held.reader.assets(AssetKind.BOOK) for entry in held.reader.entries(book.id)]
    if args.book:
        found = [entry for entry in found if entry.asset == held.now.asset(args.book).id]
    rows = [
        {
            "entry": entry.ref,
            "digest": entry.digest[:16],
            "title": entry.title,
            **({"keys": list(entry.keys)} if place == 0 else {}),
            **({"why": list(entry.why)} if entry.why and place == 0 else {}),
            "content": part,
        }
        for entry in found
        for place, part in enumerate(pieces(entry.content))
    ]
    taken, more = cut(rows, args.start)
    return Reply(
        LoreOut(entries=taken, next=more).facts(),
        scope=held.novel,
        target=held.novel,
        summary=counted(len(found), "entry", "entries"),
    )
