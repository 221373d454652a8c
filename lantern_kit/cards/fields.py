"""Fields of plain data, read kindly: what is of another kind than it should be is told, and never guessed at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lantern_kit.cards.text import Tell


class Fields:
    """The fields of one JSON object.

    Args:
        held: the object.
        where: what it is, for notices.
        tell: takes notices.
    """

    def __init__(self, held: Mapping[str, Any], where: str, tell: Tell) -> None:
        self.held = held
        self.where = where
        self.tell = tell

    def text(self, *names: str) -> str:
        """Text under the first of these names that is there; a number as written, nothing for anything else."""
        name, value = self._first(names)
        if value is None or isinstance(value, str):
            return value or ""
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._odd(name, "text", "read as written")
            return str(value)
        self._odd(name, "text")
        return ""

    def texts(self, *names: str) -> tuple[str, ...]:
        """Texts under the first of these names that is there; one text is parted at its commas."""
        name, value = self._first(names)
        if value is None:
            return ()
        if isinstance(value, str):
            if value:
                self._odd(name, "a list of texts", "parted at its commas")
            return parted(value)
        if not isinstance(value, list):
            self._odd(name, "a list of texts")
            return ()
        kept = tuple(item for item in value if isinstance(item, str))
        if len(kept) < len(value):
            self._odd(name, "a list of texts", "kept without what is no text")
        return kept

    def maybe(self, *names: str) -> bool | None:
        """True, false, or None where nothing is said."""
        name, value = self._first(names)
        if value is None or isinstance(value, bool):
            return value
        if value in (0, 1):
            return bool(value)
        self._odd(name, "true or false")
        return None

    def flag(self, *names: str, usual: bool = False) -> bool:
        """True or false."""
        value = self.maybe(*names)
        return usual if value is None else value

    def number(self, *names: str) -> int | float | None:
        """A number, or None where there is none; text that is one counts."""
        name, value = self._first(names)
        if isinstance(value, str):
            try:
                value = int(value) if value.strip().lstrip("-").isdecimal() else float(value)
            except ValueError:
                self._odd(name, "a number")
                return None
            self._odd(name, "a number", "read as one")
        if value is None or isinstance(value, bool) or not isinstance(value, int | float):
            if value is not None:
                self._odd(name, "a number")
            return None
        if value != value or abs(value) == float("inf"):
            self._odd(name, "a number")
            return None
        return int(value) if isinstance(value, float) and value.is_integer() else value

    def count(self, *names: str) -> int | None:
        """A whole number from 0, or None."""
        value = self.number(*names)
        return None if value is None or value < 0 else int(value)

    def object(self, name: str) -> Mapping[str, Any]:
        """An object; an empty one where there is none."""
        value = self.held.get(name)
        if value is None or isinstance(value, dict):
            return value or {}
        self._odd(name, "an object")
        return {}

    def _first(self, names: tuple[str, ...]) -> tuple[str, Any]:
        for name in names:
            if self.held.get(name) is not None:
                return name, self.held[name]
        return names[0], None

    def _odd(self, name: str, wanted: str, done: str = "left out") -> None:
        self.tell("wrong_type", f"This should be {wanted}; it is {done}.", f"{self.where}.{name}".lstrip("."))


def parted(text: str) -> tuple[str, ...]:
    """Words parted by commas, blanks at their ends and empty ones left out."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
