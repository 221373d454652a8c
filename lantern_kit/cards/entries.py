"""One entry of a book, in the shape of each program."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from lantern_kit.cards.decorators import divided, ignored
from lantern_kit.cards.fields import Fields, parted
from lantern_kit.cards.limits import KEYS
from lantern_kit.cards.model import BookEntry, BookForm, Decorator, Logic
from lantern_kit.cards.text import Tell

LOGICS = (Logic.AND_ANY, Logic.NOT_ALL, Logic.NOT_ANY, Logic.AND_ALL)
"""By the numbers that SillyTavern gives them."""
POSITIONS = (
    *("before_char", "after_char", "before_note", "after_note", "at_depth"),
    *("before_examples", "after_examples", "outlet"),
)
"""By the numbers that SillyTavern gives them."""
USUAL_ORDER = 100


def read_entry(form: BookForm, raw: Mapping[str, Any], ident: str, where: str, tell: Tell) -> BookEntry:
    """An entry of a form.

    Args:
        form: whose shape it has.
        raw: as written.
        ident: what it is told from others by.
        where: what it is, for notices.
        tell: takes notices.
    """
    fields = Fields(raw, where, tell)
    made = _READERS[form](fields)
    decorators, content = divided(made.pop("content"))
    _tell_of(decorators, where, tell)
    for side in ("keys", "secondary_keys"):
        kept = tuple(key for key in made[side] if key.strip())
        if len(kept) > KEYS:
            tell("too_many_keys", f"An entry has at most {KEYS:,} keys; the rest is not looked for.", where)
        made[side] = kept[:KEYS]
    return BookEntry(id=ident, content=content, decorators=decorators, raw=raw, **made)


def _tell_of(decorators: tuple[Decorator, ...], where: str, tell: Tell) -> None:
    for one in ignored(decorators):
        tell("unknown_decorator", f"@@{one.name[:40]} is not known, or has no value that it may have.", where)


def _character_book(fields: Fields) -> dict[str, Any]:
    """V2 and V3. SillyTavern keeps what is its own among the extensions."""
    more = fields.object("extensions")
    own = Fields(more, f"{fields.where}.extensions", fields.tell)
    made_there = "selectiveLogic" in more
    case = fields.maybe("case_sensitive")
    place = own.number("position") if isinstance(more.get("position"), int) else None
    return {
        "keys": fields.texts("keys"),
        "secondary_keys": fields.texts("secondary_keys"),
        "selective": fields.flag("selective"),
        "logic": _logic(own.number("selectiveLogic")),
        "constant": fields.flag("constant"),
        "enabled": fields.flag("enabled", usual=True),
        "case_sensitive": own.maybe("case_sensitive") if case is None else case,
        "whole_words": own.maybe("match_whole_words"),
        "use_regex": fields.flag("use_regex") and not made_there,
        "content": fields.text("content"),
        "order": _or(fields.number("insertion_order"), USUAL_ORDER),
        "priority": fields.number("priority"),
        "position": fields.text("position") if place is None else _position(place),
        "name": fields.text("name"),
        "comment": fields.text("comment"),
        "scan_depth": own.count("scan_depth"),
        "probability": _chance(own),
        "exclude_recursion": own.flag("exclude_recursion"),
        "prevent_recursion": own.flag("prevent_recursion"),
        "delay_until_recursion": bool(own.held.get("delay_until_recursion")),
        "extensions": more,
    }


def _sillytavern(fields: Fields) -> dict[str, Any]:
    return {
        "keys": fields.texts("key", "keys"),
        "secondary_keys": fields.texts("keysecondary", "secondary_keys"),
        "selective": fields.flag("selective"),
        "logic": _logic(fields.number("selectiveLogic")),
        "constant": fields.flag("constant"),
        "enabled": not fields.flag("disable") and fields.flag("enabled", usual=True),
        "case_sensitive": fields.maybe("caseSensitive"),
        "whole_words": fields.maybe("matchWholeWords"),
        "content": fields.text("content"),
        "order": _or(fields.number("order", "insertion_order"), USUAL_ORDER),
        "position": _position(fields.number("position")),
        "comment": fields.text("comment"),
        "scan_depth": fields.count("scanDepth"),
        "probability": _chance(fields),
        "exclude_recursion": fields.flag("excludeRecursion"),
        "prevent_recursion": fields.flag("preventRecursion"),
        "delay_until_recursion": bool(fields.held.get("delayUntilRecursion")),
        "extensions": fields.object("extensions"),
    }


def _novelai(fields: Fields) -> dict[str, Any]:
    """NovelAI: keys in slashes are patterns; what has most of the budget's priority comes first there."""
    config = Fields(fields.object("contextConfig"), f"{fields.where}.contextConfig", fields.tell)
    return {
        "keys": fields.texts("keys"),
        "secondary_keys": (),
        "constant": fields.flag("forceActivation"),
        "enabled": fields.flag("enabled", usual=True),
        "content": fields.text("text"),
        "order": _or(config.number("budgetPriority"), 0),
        "priority": config.number("budgetPriority"),
        "name": fields.text("displayName"),
    }


def _risu(fields: Fields) -> dict[str, Any]:
    chance = fields.number("activationPercent")
    return {
        "keys": _words(fields, "key"),
        "secondary_keys": _words(fields, "secondkey"),
        "selective": fields.flag("selective"),
        "constant": fields.flag("alwaysActive"),
        "use_regex": fields.flag("useRegex"),
        "enabled": fields.held.get("mode") != "folder",
        "content": fields.text("content"),
        "order": _or(fields.number("insertorder"), USUAL_ORDER),
        "comment": fields.text("comment"),
        "probability": 100 if chance is None else chance,
        "extensions": fields.object("extentions") or fields.object("extensions"),
    }


def _agnai(fields: Fields) -> dict[str, Any]:
    return {
        "keys": fields.texts("keywords"),
        "secondary_keys": (),
        "enabled": fields.flag("enabled", usual=True),
        "content": fields.text("entry"),
        "order": _or(fields.number("weight"), USUAL_ORDER),
        "priority": fields.number("priority"),
        "name": fields.text("name"),
    }


_READERS: Mapping[BookForm, Callable[[Fields], dict[str, Any]]] = {
    BookForm.V2: _character_book,
    BookForm.V3: _character_book,
    BookForm.SILLYTAVERN: _sillytavern,
    BookForm.NOVELAI: _novelai,
    BookForm.RISU: _risu,
    BookForm.AGNAI: _agnai,
}


def own_id(form: BookForm, raw: Mapping[str, Any]) -> str:
    """What an entry calls itself, as text; empty where it does not."""
    name = {BookForm.SILLYTAVERN: "uid"}.get(form, "id")
    value = raw.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return ""
    return value.strip() if isinstance(value, str) else json.dumps(value)


def _words(fields: Fields, name: str) -> tuple[str, ...]:
    """Keys in one text, parted by commas, as Risu has them; a list is as good."""
    value = fields.held.get(name)
    if isinstance(value, str):
        return (value,) if fields.held.get("useRegex") is True else parted(value)
    return fields.texts(name)


def _logic(value: int | float | None) -> Logic:
    return LOGICS[int(value)] if value in range(len(LOGICS)) and value is not None else Logic.AND_ANY


def _position(value: int | float | None) -> str:
    return POSITIONS[int(value)] if value in range(len(POSITIONS)) and value is not None else ""


def _chance(fields: Fields) -> int | float:
    if fields.held.get("useProbability") is False:
        return 100
    return _or(fields.number("probability"), 100)


def _or(value: int | float | None, usual: int) -> int | float:
    return usual if value is None else value
