"""Cards and books to files: in their own form byte for byte, in another with all that is lost told."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from lantern_kit.cards.charx import CARD, Member, archive_of, member, members
from lantern_kit.cards.errors import CardUnwritable
from lantern_kit.cards.model import Card, CardForm, Notice, Spec, Written
from lantern_kit.cards.png import SIGNATURE, asset_names, with_card, without_cards
from lantern_kit.cards.text import written

ICON = "assets/icon/images/main.png"
PIXELS = 40_000_000
"""Pixels of a picture that a card is put into, at most."""
_LISTED = 20


def write_card(card: Card, form: CardForm | str, *, picture: bytes | None = None) -> Written:
    """A card as a file.

    Args:
        card: what was read.
        form: json, png or charx.
        picture: for PNG and CHARX, the picture it lies in; else the one it came with.

    Returns:
        The file, and what of the card it does not hold. In the form that it was read from, without another picture,
        the file is the one that was read.

    Raises:
        CardUnwritable: no picture, or none that can be used. BadInput: no such form.
    """
    wanted = form_named(form)
    if wanted is card.form and (picture is None or wanted is CardForm.JSON):
        return Written(card.file)
    match wanted:
        case CardForm.JSON:
            return Written(card.source, tuple(_left_behind(card)))
        case CardForm.PNG:
            return _as_png(card, picture)
        case CardForm.CHARX:
            return _as_charx(card, picture)


def form_named(form: CardForm | str) -> CardForm:
    """A form by name. Raises CardUnwritable."""
    try:
        return CardForm(form)
    except ValueError:
        raise CardUnwritable(
            f"{str(form)[:40]} is no form of cards", expected=[one.value for one in CardForm]
        ) from None


def assets(card: Card) -> tuple[Member, ...]:
    """Files that lie in a CHARX beside its card; nothing for other forms."""
    return tuple(one for one in members(card.file) if one.name != CARD) if card.form is CardForm.CHARX else ()


def _left_behind(card: Card, *, but: str = "") -> Iterator[Notice]:
    """What lies beside the data of a card, and is not in it."""
    if card.form is CardForm.PNG:
        if but != "picture":
            yield Notice("lost_picture", "The picture is left out.")
        for name in asset_names(card.file)[:_LISTED]:
            yield Notice("lost_asset", "A file inside the picture is left out.", name[:80])
    others = [one for one in assets(card) if one.name != but]
    for one in others[:_LISTED]:
        yield Notice("lost_asset", f"A file is left out; its bytes: {one.size:,}.", one.name[:80])
    if len(others) > _LISTED:
        yield Notice("lost_asset", f"More files are left out: {len(others) - _LISTED:,}.")


def _as_png(card: Card, picture: bytes | None) -> Written:
    used = ""
    if picture is None and card.form is CardForm.CHARX:
        used, picture = _icon(card)
    if picture is None:
        raise CardUnwritable(
            "a PNG card needs a picture", recovery="Give a picture, or write the card as JSON or CHARX."
        )
    keyword = "ccv3" if card.spec is Spec.V3 else "chara"
    made = with_card(_png_of(picture), keyword, card.source)
    lost = _left_behind(card, but=used or "picture") if card.form is CardForm.CHARX else iter(())
    return Written(made, tuple(lost))


def _icon(card: Card) -> tuple[str, bytes | None]:
    """The main icon of a CHARX, by its member's name; else the first picture that it names."""
    listed = card.raw["data"].get("assets") if isinstance(card.raw.get("data"), dict) else None
    named = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    icons = [one for one in named if one.get("type") == "icon" and isinstance(one.get("uri"), str)]
    icons.sort(key=lambda one: one.get("name") != "main")
    for one in icons:
        for scheme in ("embeded://", "embedded://"):
            name = one["uri"].removeprefix(scheme)
            if name != one["uri"] and (data := member(card.file, name)) is not None:
                return name, data
    data = member(card.file, ICON)
    return (ICON, data) if data is not None else ("", None)


def _png_of(picture: bytes) -> bytes:
    """A picture as PNG; one that is PNG already stays as it is."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(picture), formats=("PNG", "JPEG", "WEBP")) as opened:
            if opened.width * opened.height > PIXELS:
                raise CardUnwritable("the picture is too large", expected=f"at most {PIXELS:,} pixels")
            opened.load()
            if picture.startswith(SIGNATURE):
                return picture
            out = io.BytesIO()
            opened.convert("RGBA" if opened.has_transparency_data else "RGB").save(out, "PNG")
            return out.getvalue()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise CardUnwritable("the picture cannot be read", found=str(error)[:80]) from None


def _as_charx(card: Card, picture: bytes | None) -> Written:
    losses: list[Notice] = []
    files: list[tuple[str, bytes]] = []
    if card.spec is Spec.V3:
        files.append((CARD, card.source))
    else:
        files.append((CARD, written(as_v3(card.raw, card.spec))))
        losses.append(Notice("converted", f"CHARX holds V3: the card was turned from {card.spec} into V3."))
    for one in assets(card):
        if one.name not in {name for name, _ in files} and not (one.name == ICON and picture is not None):
            files.append((one.name, member(card.file, one.name) or b""))
    if picture is None and card.form is CardForm.PNG:
        losses += _left_behind(card, but="picture")
        picture = card.file
    if picture is not None:
        files.append((ICON, without_cards(_png_of(picture))))
        if card.form is not CardForm.CHARX:
            losses.append(Notice("unnamed_asset", "The picture lies in the archive; the card does not name it.", ICON))
    return Written(archive_of(files), tuple(losses))


def as_v3(raw: Any, spec: Spec) -> dict[str, Any]:
    """The data of an older card as V3, every field of it kept."""
    data: dict[str, Any] = dict(raw if spec is Spec.V1 else raw["data"])
    for name, usual in (("extensions", {}), ("group_only_greetings", [])):
        data.setdefault(name, usual)
    book = data.get("character_book")
    if isinstance(book, dict) and isinstance(book.get("entries"), list):
        data["character_book"] = book_as_v3(book)
    rest = (
        {}
        if spec is Spec.V1
        else {key: value for key, value in raw.items() if key not in {"spec", "spec_version", "data"}}
    )
    return {"spec": "chara_card_v3", "spec_version": "3.0", **rest, "data": data}


def book_as_v3(book: dict[str, Any]) -> dict[str, Any]:
    """A V2 book as V3, every field of it kept."""
    entries = [
        {"extensions": {}, "use_regex": False, **entry} if isinstance(entry, dict) else entry
        for entry in book["entries"]
    ]
    return {"extensions": {}, **book, "entries": entries}
