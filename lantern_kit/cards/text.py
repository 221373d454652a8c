"""Untrusted bytes to JSON: bounded, in order, with everything odd about it reported; and the canonical form of it."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from lantern_kit.cards.errors import CardNotJson, CardNotText, CardNumber, CardTooDeep, CardTooLarge
from lantern_kit.cards.limits import DEPTH, DIGITS, NOTICES
from lantern_kit.cards.model import Notice

Tell = Callable[[str, str, str], None]
_BOM = b"\xef\xbb\xbf"
_MARKS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(rb"\\u[dD][89a-fA-F]")


class Notices:
    """Notices as they gather; each once, and a few hundred at most."""

    def __init__(self) -> None:
        self._found: dict[Notice, None] = {}

    def __call__(self, code: str, message: str, where: str = "") -> None:
        """Add one."""
        if len(self._found) < NOTICES:
            self._found.setdefault(Notice(code, message, where))
        elif len(self._found) == NOTICES:
            self._found.setdefault(Notice("more_notices", "There is more to be said of this file than is listed."))

    def all(self) -> tuple[Notice, ...]:
        """All of them, in order."""
        return tuple(self._found)


def decoded(data: bytes, what: str, *, most: int) -> str:
    """UTF-8 text, a byte order mark left out. Raises CardTooLarge, CardNotText."""
    if len(data) > most:
        raise CardTooLarge(f"{what} is too large", expected=f"at most {most:,} bytes", found=f"{len(data):,} bytes")
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CardNotText(f"{what} is no UTF-8 text", found=f"byte {error.start:,} of {len(data):,}") from None


def parsed(data: bytes, what: str, tell: Tell, *, most: int) -> dict[str, Any]:
    """The JSON object that bytes hold, keys in their order.

    Of a key that stands twice in one object the last counts, as in JavaScript; halves of surrogate pairs become
    U+FFFD. Both are told.

    Raises:
        CardTooLarge, CardNotText: bytes that are no text.
        CardTooDeep, CardNumber, CardNotJson: text that is no JSON object, or more than one may say.
    """
    text = decoded(data, what, most=most)
    _shallow(data, what)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        held = dict(items)
        if len(held) < len(items):
            seen: set[str] = set()
            for key, _ in items:
                if key in seen:
                    tell("duplicate_key", "A key stands twice in one object; the last one counts.", _shown(key))
                seen.add(key)
        return held

    try:
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_int=lambda word: _integer(word, what),
            parse_float=lambda word: _float(word, what),
            parse_constant=lambda word: _no_number(word, what),
        )
    except json.JSONDecodeError as error:
        raise CardNotJson(
            f"{what} is no JSON", found=f"{error.msg}, line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise CardTooDeep(f"{what} is nested too deeply", expected=f"at most {DEPTH} levels") from None
    if not isinstance(value, dict):
        raise CardNotJson(f"{what} is no JSON object", expected="an object", found=_kind(value))
    return (
        {_mended(key, "", tell): _whole(item, _shown(key), tell) for key, item in value.items()}
        if _ESCAPED.search(data)
        else value
    )


def _shallow(data: bytes, what: str) -> None:
    depth = 0
    for mark in _MARKS.finditer(data):
        match mark.group()[:1]:
            case b"[" | b"{":
                depth += 1
                if depth > DEPTH:
                    raise CardTooDeep(f"{what} is nested too deeply", expected=f"at most {DEPTH} levels")
            case b"]" | b"}":
                depth -= 1


def _integer(word: str, what: str) -> int:
    if len(word) > DIGITS:
        _no_number(f"{len(word):,} digits", what)
    return int(word)


def _float(word: str, what: str) -> float:
    if len(word) > DIGITS:
        _no_number(f"{len(word):,} digits", what)
    value = float(word)
    if not math.isfinite(value):
        _no_number(word, what)
    return value


def _no_number(word: str, what: str) -> NoReturn:
    raise CardNumber(f"{what} holds a number that cannot be kept", expected="a finite number", found=word[:40])


def _whole(value: Any, where: str, tell: Tell) -> Any:
    """The value without halves of surrogate pairs."""
    if isinstance(value, str):
        return _mended(value, where, tell)
    if isinstance(value, list):
        return [_whole(item, f"{where}[{place}]", tell) for place, item in enumerate(value)]
    if isinstance(value, dict):
        return {
            _mended(key, where, tell): _whole(item, f"{where}.{_shown(key)}".lstrip("."), tell)
            for key, item in value.items()
        }
    return value


def _mended(text: str, where: str, tell: Tell) -> str:
    if _SURROGATE.search(text) is None:
        return text
    tell("lone_surrogate", "Half of a character is missing; it is read as U+FFFD.", where)
    return _SURROGATE.sub("\ufffd", text)


def _shown(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)[:60]


def _kind(value: object) -> str:
    names = {list: "an array", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def written(value: Mapping[str, Any]) -> bytes:
    """Plain data as JSON, keys in their order."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2).encode()


def digest(value: Any) -> str:
    """SHA-256 of plain data's canonical form (RFC 8785; integers past 2^53 keep all their digits), in hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()


def canonical(value: Any) -> bytes:
    """Plain data as canonical JSON."""
    return _canonical(value).encode("utf-8", "surrogatepass")


def _canonical(value: Any) -> str:
    if isinstance(value, Mapping):
        keys = sorted(value, key=lambda key: str(key).encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_quoted(key)}:{_canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return _quoted(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """A float as JavaScript writes it."""
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{value!r}e0".partition("e")
    power = int(exponent.partition("e")[0])
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + power - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"
