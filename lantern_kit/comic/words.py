"""Changes in words, for a person who has to decide: what happened on each page, in millimetres, names and quotes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from lantern_kit.comic.book import Book
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.change import Change
from lantern_kit.comic.geometry import extent
from lantern_kit.comic.model import Frame, Node, Unit
from lantern_kit.comic.pages import page_numbers
from lantern_kit.comic.phrases import Language, Speech
from lantern_kit.comic.telling import Teller


class UnitWords(NamedTuple):
    """What changed on one unit."""

    unit: str
    """Id of the unit; of the chapter for its own facts."""
    title: str
    sentences: tuple[str, ...]
    """Without full stops."""


def describe(
    changes: Iterable[Change],
    before: Book,
    after: Book,
    *,
    language: Language = "en",
    titles: Callable[[str], str] | None = None,
) -> list[UnitWords]:
    """What changed, unit by unit in reading order, each with its title and sentences without a full stop.

    Args:
        changes: the rows of ``diff(before, after)``, or some of them.
        before: the state they start from.
        after: the state they lead to.
        language: of the sentences.
        titles: title of a picture by its asset id, or name of an entry of the library; without it pictures go by their
            object's name, or their id.
    """
    told = tuple(changes)
    if not told:
        return []
    old_titles, new_titles = unit_titles(before, language), unit_titles(after, language)
    return _described(told, before, after, Speech(language), titles, old_titles, new_titles)


def describe_each(
    groups: Iterable[Iterable[Change]],
    before: Book,
    after: Book,
    *,
    language: Language = "en",
    titles: Callable[[str], str] | None = None,
) -> list[list[UnitWords]]:
    """``describe`` for each of some groups of rows by itself."""
    speech = Speech(language)
    old_titles, new_titles = unit_titles(before, language), unit_titles(after, language)
    return [_described(group, before, after, speech, titles, old_titles, new_titles) for group in groups]


def _described(
    changes: Iterable[Change],
    before: Book,
    after: Book,
    speech: Speech,
    titles: Callable[[str], str] | None,
    old_titles: Mapping[str, str],
    new_titles: Mapping[str, str],
) -> list[UnitWords]:
    rows: dict[str, list[Change]] = {}
    for change in changes:
        rows.setdefault(change.unit, []).append(change)
    places = _Places(rows, old_titles, new_titles)
    sections: list[UnitWords] = []
    chapter = rows.pop(after.chapter.id, None)
    if chapter is not None:
        # A new order that only comes of pages added or removed is told with those.
        told = [row for row in chapter if row.property != "units" or _turned(row.before, row.after)]
        teller = Teller(speech, titles, None, None)
        sentences = [sentence for row in told for sentence in teller.chapter(row)]
        if sentences:
            sections.append(UnitWords(after.chapter.id, speech.say("title.chapter"), tuple(sentences)))
    ordered = [name for name in after.order if name in rows]
    ordered += [name for name in before.order if name in rows and name not in after]
    for name in ordered:
        old = before.unit(name) if name in before else None
        new = after.unit(name) if name in after else None
        title = new_titles[name] if new is not None else speech.say("title.removed", title=old_titles[name])
        sentences = _unit(rows[name], old, new, Teller(speech, titles, old, new), places)
        if sentences:
            sections.append(UnitWords(name, title, tuple(sentences)))
    return sections


def unit_titles(book: Book, language: Language = "en") -> dict[str, str]:
    """What people call each unit: pages are numbered from 1, a spread is two of them, covers are not counted."""
    return titles_of(book.briefs(), language)


def titles_of(briefs: Iterable[Brief], language: Language = "en") -> dict[str, str]:
    """``unit_titles`` of a chapter's units, all of them and in order."""
    speech = Speech(language)
    briefs = tuple(briefs)
    found: dict[str, str] = {}
    for unit, (number, last) in zip(briefs, page_numbers(unit.kind for unit in briefs), strict=True):
        title = speech.say(f"title.{unit.kind.value}", number=number, next=last)
        found[unit.id] = speech.say("title.named", title=title, name=unit.name) if unit.name else title
    return found


def object_name(
    unit: Unit, thing: str, *, language: Language = "en", titles: Callable[[str], str] | None = None
) -> str:
    """What people call an object of a unit: ``balloon 1``; empty when the id is none of its objects."""
    item = unit.index.get(thing)
    return "" if item is None else Teller(Speech(language), titles, None, unit).what(item)


def object_names(
    unit: Unit, *, language: Language = "en", titles: Callable[[str], str] | None = None
) -> dict[str, str]:
    """What people call each object of a unit, by id."""
    teller = Teller(Speech(language), titles, None, unit)
    return {item.id: teller.what(item) for item in unit.objects}


class _Places:
    """Objects that left one unit and came to another: they are told as moved."""

    def __init__(self, rows: Mapping[str, list[Change]], old: Mapping[str, str], new: Mapping[str, str]) -> None:
        gone = {row.object: row.unit for group in rows.values() for row in group if row.change == "removed"}
        come = {row.object: row.unit for group in rows.values() for row in group if row.change == "added"}
        self.moved = {name: (gone[name], come[name]) for name in gone if come.get(name, gone[name]) != gone[name]}
        self._old, self._new = old, new

    def origin(self, name: str) -> str:
        """Title of the unit an object came from."""
        return self._old[self.moved[name][0]]

    def goal(self, name: str) -> str:
        """Title of the unit an object went to."""
        return self._new[self.moved[name][1]]


def _unit(rows: list[Change], old: Unit | None, new: Unit | None, teller: Teller, places: _Places) -> list[str]:
    say = teller.speech.say
    sentences: list[str] = []
    name = rows[0].unit
    added = {row.object: row for row in rows if row.change == "added"}
    removed = {row.object: row for row in rows if row.change == "removed"}
    changed: dict[str, list[Change]] = {}
    for row in rows:
        if row.change == "changed":
            changed.setdefault(row.object, []).append(row)
    if name in added and new is not None:
        sentences.append(say("unit.added", kind=say(f"kind.{new.kind.value}")))
    if name in removed and old is not None:
        left = [row for row in removed if row != name and row not in places.moved]
        sentences.append(say("unit.removed" if left else "unit.emptied", kind=say(f"kind.{old.kind.value}")))
    own = changed.pop(name, [])
    facts = {row.property: row for row in own if row.property not in {"objects", "reading"}}
    if "kind" in facts:
        facts.pop("surfaces", None)  # the other kind says it
    sentences.extend(sentence for row in facts.values() for sentence in teller.unit(row))
    sentences.extend(_moved(added, removed, teller, places))
    came = {item for item in added if item in places.moved}
    fresh = {item for item in added if item not in came and item != name}
    cuts = _cuts(fresh, changed, old, new)
    for frame, parts in cuts.items():
        sentences.append(teller.cut(frame, parts))
        fresh -= set(parts)
        changed[frame] = [row for row in changed[frame] if row.property != "shape"]
        for item, own in changed.items():
            changed[item] = [row for row in own if row.property != "parent" or row.after not in parts]
    index = {} if new is None else new.index
    for item in index:
        if item in fresh:
            sentences.append(teller.added(index[item]))
        elif changed.get(item):
            sentences.extend(teller.changed(index[item], changed[item]))
    if old is not None and name not in removed:
        gone = {item for item in removed if item not in places.moved}
        sentences.extend(_removed(gone, old, teller))
    if name not in added and name not in removed:
        orders = [row for row in rows if row.object == name and row.property in {"objects", "reading"}]
        sentences.extend(say(f"unit.{row.property}") for row in orders if _turned(row.before, row.after))
    return sentences


def _turned(before: list[str], after: list[str]) -> bool:
    """Whether an order changed beyond what was added and removed."""
    common = {*before} & {*after}
    return [name for name in before if name in common] != [name for name in after if name in common]


def _moved(
    added: Mapping[str, Change], removed: Mapping[str, Change], teller: Teller, places: _Places
) -> Iterable[str]:
    """Objects that went over to another unit, by where they came from and went to."""
    for group, key, where in ((added, "unit.arrived", places.origin), (removed, "unit.left", places.goal)):
        by_place: dict[str, list[str]] = {}
        for name, row in group.items():
            if name in places.moved:
                by_place.setdefault(where(name), []).append(row.object_kind)
        for place, kinds in by_place.items():
            yield teller.speech.say(key, things=teller.things(kinds), where=place)


def _removed(gone: set[str], old: Unit, teller: Teller) -> Iterable[str]:
    """Removed objects, those that went with their parent told with it."""
    for item in old.objects:
        if item.id in gone and item.parent not in gone:
            with_it = [other for other in old.objects if other.id in gone and _under(other, item.id, old)]
            yield teller.removed(item, [other.kind for other in with_it])


def _under(item: Node, root: str, unit: Unit) -> bool:
    parent = unit.index.get(item.parent)
    return item.parent == root or (parent is not None and _under(parent, root, unit))


def _cuts(
    fresh: set[str], changed: Mapping[str, list[Change]], old: Unit | None, new: Unit | None
) -> dict[str, list[str]]:
    """Frames that were cut: those that shrank, with the new frames that stand where they stood."""
    found: dict[str, list[str]] = {}
    if old is None or new is None:
        return found
    taken: set[str] = set()
    for name, rows in changed.items():
        if not any(row.property == "shape" for row in rows) or not isinstance(new.index.get(name), Frame):
            continue
        whole = extent(old.index[name].shape)
        if not _inside(new.index[name], whole):
            continue
        parts = [
            item.id for item in new.objects
            if item.id in fresh - taken and isinstance(item, Frame) and _inside(item, whole)
        ]  # fmt: skip
        if parts:
            found[name] = parts
            taken.update(parts)
    return found


def _inside(frame: Frame, whole: tuple[int, int, int, int]) -> bool:
    left, top, right, bottom = extent(frame.shape)
    return left >= whole[0] and top >= whole[1] and right <= whole[2] and bottom <= whole[3]
