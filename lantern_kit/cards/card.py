"""A card from its JSON, whatever file that lay in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lantern_kit.cards.books import book_of
from lantern_kit.cards.errors import BadCard
from lantern_kit.cards.fields import Fields
from lantern_kit.cards.model import Book, BookForm, Card, CardForm, Notice, Spec
from lantern_kit.cards.text import Notices, digest, written

_SPECS = {"chara_card_v2": Spec.V2, "chara_card_v3": Spec.V3}
_NEWEST = {Spec.V2: 2.0, Spec.V3: 3.0}
_FAMILY = "chara_card_v"
_FIRST = ("description", "personality", "scenario", "first_mes", "mes_example")
"""What a V1 card has beside its name."""
_ENOUGH = 2
"""How much of that makes a card: other files have a name and a description too."""
_SUPPOSED = ("name", "description", "first_mes", "extensions")
TEXTS = (
    *("description", "personality", "scenario", "first_mes", "mes_example"),
    *("creator_notes", "system_prompt", "post_history_instructions"),
)


def spec_of(raw: Mapping[str, Any]) -> Spec | None:
    """Which specification a JSON object follows as a card; None where it is no card."""
    spec, data = raw.get("spec"), raw.get("data")
    if isinstance(data, dict):
        if isinstance(spec, str) and spec in _SPECS:
            return _SPECS[spec]
        if isinstance(spec, str) and spec.startswith(_FAMILY):
            return Spec.V3
        if spec is None and "name" in data and any(name in data for name in _FIRST):
            return Spec.V2
    if isinstance(raw.get("name"), str) and sum(name in raw for name in _FIRST) >= _ENOUGH:
        return Spec.V1
    return None


def card_of(
    raw: Mapping[str, Any], spec: Spec, tell: Notices, *, form: CardForm, source: bytes, file: bytes, name: str = ""
) -> Card:
    """The card that a JSON object is.

    Args:
        raw: as written.
        spec: what it follows.
        tell: gathers notices; those of the card are all that are there at the end.
        form: of the file it lay in.
        source: its bytes.
        file: those of the file.
        name: what the card is called if it does not say so itself.

    Raises:
        CardUnknownShape, CardTooLarge: its book is none, or too large.
    """
    held = raw if spec is Spec.V1 else raw["data"]
    where = "" if spec is Spec.V1 else "data"
    fields = Fields(held, where, tell)
    _tell_of_spec(raw, held, spec, tell)
    texts = {key: fields.text(key) for key in TEXTS}
    greetings = fields.texts("alternate_greetings")
    called = fields.text("name") or name
    if not fields.text("name").strip():
        tell("missing_name", "The card has no name; it is called after its file.", f"{where}.name".lstrip("."))
    book = _book(held, spec, tell)
    return Card(
        spec=spec,
        spec_version=fields_version(raw),
        form=form,
        name=called,
        nickname=fields.text("nickname") if spec is Spec.V3 else "",
        alternate_greetings=greetings,
        tags=fields.texts("tags"),
        creator=fields.text("creator"),
        character_version=fields.text("character_version"),
        book=book,
        raw=raw,
        notices=tell.all(),
        digest=digest(raw),
        characters=sum(map(len, (*texts.values(), *greetings))) + (book.characters if book else 0),
        source=source,
        file=file,
        **texts,
    )


def fields_version(raw: Mapping[str, Any]) -> str:
    """``spec_version`` as written."""
    value = raw.get("spec_version")
    return "" if value is None or isinstance(value, dict | list | bool) else str(value)


def _tell_of_spec(raw: Mapping[str, Any], held: Mapping[str, Any], spec: Spec, tell: Notices) -> None:
    if spec is Spec.V1:
        if isinstance(raw.get("spec"), str):
            tell("unknown_spec", "The specification it names is not known; its plain fields are read as V1.", "spec")
        return
    if raw.get("spec") is None:
        tell("missing_spec", "The card does not say which specification it follows; read as V2.", "spec")
    elif raw["spec"] not in _SPECS:
        tell("newer_version", "The card follows a newer specification; what V3 knows of it is read.", "spec")
    missing = [name for name in _SUPPOSED if name not in held and name != "name"]
    for name in missing:
        tell(f"missing_{name}", f"The card has no {name}; read as none.", f"data.{name}")
    version = fields_version(raw)
    try:
        number = float(version)
    except ValueError:
        tell("odd_version", "spec_version should be a number in quotes.", "spec_version")
        return
    if number > _NEWEST[spec]:
        tell("newer_version", f"The card is of a newer version than {_NEWEST[spec]}.", "spec_version")
    elif number != _NEWEST[spec]:
        tell("odd_version", f"spec_version should be {_NEWEST[spec]}.", "spec_version")


def _book(held: Mapping[str, Any], spec: Spec, tell: Notices) -> Book | None:
    value = held.get("character_book")
    if value is None:
        return None
    if not isinstance(value, dict):
        tell("wrong_type", "This should be a book; it is left out.", "data.character_book")
        return None
    own = Notices()
    form = BookForm.V3 if spec is Spec.V3 else BookForm.V2
    if isinstance(value.get("entries"), dict):
        own("book_of_another_form", "The book has the shape of SillyTavern's.", "data.character_book")
        form = BookForm.SILLYTAVERN
    try:
        book = book_of(value, form, own, source=written(value), where="data.character_book")
    except BadCard as error:
        if not isinstance(value.get("entries"), dict | list):
            tell("wrong_type", "The book has no entries; it is left out.", "data.character_book")
            return None
        raise error from None
    for notice in own.all():
        tell(notice.code, notice.message, notice.where)
    return book


def told(notices: tuple[Notice, ...]) -> list[str]:
    """Notices as lines for people."""
    return [f"{one.where}: {one.message}" if one.where else one.message for one in notices]
