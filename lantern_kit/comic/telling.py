"""One change of one thing as a sentence, or part of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from lantern_kit.comic.change import Change
from lantern_kit.comic.geometry import extent, gap, gutter, rect_of
from lantern_kit.comic.markup import Look, Marked, parse, plain
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import (
    Balloon,
    Effect,
    Foreground,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    TextStyle,
    Unit,
)
from lantern_kit.comic.phrases import Speech
from lantern_kit.comic.quoting import quote, quotes
from lantern_kit.comic.stage_words import cast_words, lit, marks_words

_STYLE: dict[str, Any] = {name: field.default for name, field in TextStyle.model_fields.items()}


class Teller:
    """Tells changes of one unit.

    Args:
        speech: the language.
        titles: title of a picture by asset id, or name of an entry of the library by its id, if known.
        old: the unit before.
        new: the unit after.
    """

    def __init__(self, speech: Speech, titles: Callable[[str], str] | None, old: Unit | None, new: Unit | None) -> None:
        self.speech = speech
        self._titles = titles
        self._old = old
        self._new = new
        self._numbers: dict[int, dict[str, int]] = {}

    # What things are called

    def what(self, item: Node, *, named: bool = True) -> str:
        """What people call an object: its kind and number in reading order, or its title; and its name."""
        say = self.speech.say
        if isinstance(item, Image | Overlay):
            where = self._where(item)
            title = say(f"kind.{item.kind}", title=item.name or self._title(item.asset))
            return title if where is None else say("in", what=title, where=where)
        if isinstance(item, Foreground):
            source = self._unit_of(item).index[item.parent]
            return say("kind.foreground", title=source.name or self._title(source.asset))
        if isinstance(item, Effect):
            where = self._where(item)
            kind = say(f"kind.{item.effect.value}")
            return kind if where is None else say("in", what=kind, where=where)
        text = say(f"kind.{item.kind}", number=self._number(item))
        return say("named", what=text, name=item.name) if named and item.name else text

    def things(self, kinds: list[str]) -> str:
        """Objects counted by kind: ``2 frames and a balloon``."""
        say = self.speech.say
        counted = Counter(kinds)
        parts = [
            say(f"one.{kind}") if number == 1 else say(f"count.{kind}", number=number)
            for kind, number in sorted(counted.items())
        ]
        return say("and").join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)

    def _unit_of(self, item: Node) -> Unit:
        for unit in (self._new, self._old):
            if unit is not None and unit.index.get(item.id) is item:
                return unit
        unit = self._new or self._old
        assert unit is not None  # noqa: S101 - objects are told of units only
        return unit

    def _number(self, item: Node) -> int:
        unit = self._unit_of(item)
        numbers = self._numbers.get(id(unit))
        if numbers is None:
            counted: Counter[str] = Counter()
            numbers = self._numbers[id(unit)] = {}
            for name in unit.reading:
                kind = unit.index[name].kind
                counted[kind] += 1
                numbers[name] = counted[kind]
        return numbers[item.id]

    def _where(self, item: Node) -> str | None:
        parent = self._unit_of(item).index.get(item.parent)
        return None if parent is None else self.what(parent)

    def _title(self, asset: str) -> str:
        return asset if self._titles is None else self._titles(asset)

    def _words(self, item: Lettering) -> str:
        speaker = item.speaker if isinstance(item, Balloon) else ""
        text = quote(plain(item.text))
        return self.speech.say("said", speaker=speaker, text=text) if speaker else self.speech.say("written", text=text)

    def _quoted(self, text: str) -> str:
        return self._written(quote(text))

    def _values(self, names: list[str]) -> str:
        return self.speech.join([self.speech.value(name) for name in names])

    # Whole objects

    def added(self, item: Node) -> str:
        """A new object."""
        say = self.speech.say
        what = self.what(item)
        if isinstance(item, Frame):
            return say("frame.added", what=what, size=_size(extent(item.shape)))
        if isinstance(item, Lettering):
            return say("added.words", what=what, words=self._words(item))
        if isinstance(item, Foreground):
            return say("foreground.added", what=what)
        if isinstance(item, Effect):
            kind = say(f"kind.{item.effect.value}")
            return say("effect.added", what=kind, where=self._where(item) or say("the.paper"))
        if isinstance(item, Image | Overlay):
            title = say(f"kind.{item.kind}", title=item.name or self._title(item.asset))
            where, box = self._where(item), item.placement.box
            if where is not None:
                return say("image.added", what=title, where=where, fit=self.speech.value(item.placement.fit.value))
            at = "" if box is None else point((box.x, box.y))
            return say("image.added.free", what=title, at=at)
        return say("added", what=what)

    def removed(self, item: Node, with_it: list[str]) -> str:
        """An object that went, and what went with it."""
        say = self.speech.say
        what = self.what(item)
        if with_it:
            return say("removed.with", what=what, things=self.things(with_it))
        if isinstance(item, Lettering):
            return say("removed.words", what=what, words=self._words(item))
        return say("foreground.removed" if isinstance(item, Foreground) else "removed", what=what)

    def cut(self, frame: str, parts: list[str]) -> str:
        """A frame that became several."""
        assert self._old is not None and self._new is not None  # noqa: S101, PT018 - a cut frame is on both
        what = self.what(self._old.index[frame])
        if len(parts) > 1:
            return self.speech.say("frame.cut.many", what=what, number=len(parts) + 1)
        between = gap(self._new.index[frame].shape, self._new.index[parts[0]].shape)
        return self.speech.say("frame.cut", what=what, gutter=spoken(between))

    # Properties

    def chapter(self, row: Change) -> Iterator[str]:
        """A fact of the chapter."""
        say = self.speech.say
        if row.property == "paper":
            yield say("chapter.paper", parts=self.speech.join(list(self._paper(row.before, row.after))))
        elif row.property in {"comic", "title"}:
            yield say(f"chapter.{row.property}", before=self._quoted(row.before), after=self._quoted(row.after))
        elif row.property == "units":
            yield say("chapter.units")
        elif row.property == "styles":
            names = self.speech.join([self._title(name) for name in row.after])
            yield say("chapter.styles", after=names) if names else say("chapter.styles.none")
        else:
            before, after = (self.speech.value(str(value)) for value in (row.before, row.after))
            yield say(f"chapter.{row.property}", before=before, after=after)

    def _paper(self, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
        say = self.speech.say
        sizes = [f"{spoken(paper['width'])} × {spoken(paper['height'])}" for paper in (before, after)]
        if sizes[0] != sizes[1]:
            yield say("paper.size", before=sizes[0], after=sizes[1])
        for name in ("bleed", "safe"):
            if before[name] != after[name]:
                yield say(f"paper.{name}", before=spoken(before[name]), after=spoken(after[name]))
        if before["dpi"] != after["dpi"]:
            yield say("paper.dpi", before=before["dpi"], after=after["dpi"])
        if before["binding"] != after["binding"]:
            yield say("paper.binding", after=self.speech.value(after["binding"]))

    def unit(self, row: Change) -> Iterator[str]:
        """A fact of the unit."""
        say = self.speech.say
        before, after = row.before, row.after
        match row.property:
            case "kind":
                yield say("unit.kind", before=say(f"kind.{before}"), after=say(f"kind.{after}"))
            case "name":
                yield say("unit.name", before=self._quoted(before), after=self._quoted(after))
            case "gutter":
                yield say("unit.gutter", before=spoken(before), after=spoken(after))
            case "surfaces":
                sizes = [
                    " + ".join(f"{spoken(s['width'])} × {spoken(s['height'])}" for s in v) for v in (before, after)
                ]
                if sizes[0] != sizes[1]:
                    yield say("unit.surfaces", before=sizes[0], after=sizes[1])
            case _:
                yield say(f"unit.{row.property}", before=before, after=after)

    def changed(self, item: Node, rows: list[Change]) -> Iterator[str]:
        """All that changed of one object, as one sentence."""
        parts: list[str] = []
        other: list[str] = []
        shaped = any(row.property == "shape" for row in rows)
        for row in rows:
            if row.property == "outline" and shaped:
                continue  # the shape says it
            told = list(self._property(item, row))
            parts += told
            if not told:
                other.append(str(row.property))
        if other:
            parts.append(self.speech.say("other", names=self._values(other)))
        if parts:
            what = self.what(item, named=all(row.property != "name" for row in rows))
            yield self.speech.say("changed", what=what, parts=self.speech.join(parts))

    def _property(self, item: Node, row: Change) -> Iterator[str]:
        say = self.speech.say
        before, after = row.before, row.after
        match row.property:
            case "shape" if isinstance(item, Frame):
                yield from self._frame(item)
            case "box" if before is not None and after is not None:
                yield from self._box(_edges(before), _edges(after))
            case "box":
                yield say("unboxed" if after is None else "boxed")
            case "text":
                yield self._retold(before, after)
            case "speaker":
                yield say("speaker", before=before or say("nobody"), after=after or say("nobody"))
            case "name":
                yield say("name", after=quote(after)) if after else say("unnamed")
            case "joined":
                yield self._joined(after)
            case "outline":
                yield say("reshaped")
            case "tails":
                yield from self._tails(before, after)
            case "style":
                yield from self._style(before, after)
            case "placement":
                yield from self._placement(before, after)
            case "border" | "stroke":
                yield say(row.property, before=self._line(before), after=self._line(after))
            case "bleed":
                yield say("bleed", after=self._values(after)) if after else say("bleed.none")
            case "keep":
                yield say("keep", after=self.speech.value(after)) if after else say("keep.none")
            case "background" | "fill":
                yield say(row.property, before=before or say("none"), after=after or say("none"))
            case "padding":
                yield say("padding", before=spoken(before), after=spoken(after))
            case "opacity":
                yield say("opacity", before=share(before), after=share(after))
            case "rotate" | "arc" | "skew":
                yield say(row.property, before=spoken(before), after=spoken(after))
            case "clip" | "gutter_safe":
                yield say(f"{row.property}.{'on' if after else 'off'}")
            case "asset":
                yield say("asset", before=self._title(before), after=self._title(after))
            case "band":
                yield say("band", after=self.speech.value(after or item.default_band.value))
            case "parent":
                parent = self._unit_of(item).index.get(after)
                yield say("parent", after=say("the.paper") if parent is None else self.what(parent))
            case "description":
                yield self._reworded("description", before, after)
            case "scene":
                yield say("scene", after=self._title(after)) if after else say("scene.none")
            case "light":
                yield say("light", before=lit(self.speech, before), after=lit(self.speech, after))
            case "cast":
                yield from cast_words(self.speech, self._title, before, after)
            case "marks":
                yield marks_words(self.speech, after)
            case "shape" | "colour" | "screen":
                yield say(row.property, before=self.speech.value(before), after=self.speech.value(after))
            case _:  # told together with the others, by name
                pass

    def _retold(self, before: str, after: str) -> str:
        """Other words; or words marked otherwise, which are quoted with their marks."""
        was, now = parse(before), parse(after)
        key = "text"
        if was.text == now.text:
            key = "text.ruby" if was.stretches == now.stretches else "text.marks"
        elif _marks(was) == _marks(now):
            before, after = was.text, now.text
        return self._reworded(key, before, after)

    def _reworded(self, key: str, before: str, after: str) -> str:
        """Words and other words, both quoted."""
        first, second = quotes(before, after)
        return self.speech.say(key, before=self._written(first), after=self._written(second))

    def _written(self, quoted: str) -> str:
        return self.speech.say("written", text=quoted) if quoted else self.speech.say("none")

    def _joined(self, other: str | None) -> str:
        if other is None:
            return self.speech.say("joined.none")
        found = None if self._new is None else self._new.index.get(other)
        return self.speech.say("joined", after=other if found is None else self.what(found))

    def _frame(self, item: Frame) -> Iterator[str]:
        was = None if self._old is None else self._old.index.get(item.id)
        if not isinstance(was, Frame):
            yield self.speech.say("reshaped")
            return
        before, after = extent(was.shape), extent(item.shape)
        if before == after or (rect_of(was.shape) is None) != (rect_of(item.shape) is None):
            yield self.speech.say("reshaped")
        yield from self._box(before, after)
        strip = None if self._new is None else gutter(self._new)
        if strip is not None and after[0] < strip.x and after[2] > strip.right:
            yield self.speech.say("across")

    def _box(self, before: tuple[int, int, int, int], after: tuple[int, int, int, int]) -> Iterator[str]:
        say = self.speech.say
        wider = (after[2] - after[0]) - (before[2] - before[0])
        higher = (after[3] - after[1]) - (before[3] - before[1])
        if wider and higher:
            yield say("resized", before=_size(before), after=_size(after))
        elif wider:
            yield say("widened" if wider > 0 else "narrowed", mm=spoken(abs(wider)))
        elif higher:
            yield say("heightened" if higher > 0 else "lowered", mm=spoken(abs(higher)))
        dx = _shift(before[0], before[2], after[0], after[2])
        dy = _shift(before[1], before[3], after[1], after[3])
        if dx or dy:
            yield say("moved", by=self._by(dx, dy))

    def _by(self, dx: int, dy: int) -> str:
        say = self.speech.say
        parts = []
        if dx:
            parts.append(say("by.right" if dx > 0 else "by.left", mm=spoken(abs(dx))))
        if dy:
            parts.append(say("by.down" if dy > 0 else "by.up", mm=spoken(abs(dy))))
        return self.speech.join(parts)

    def _tails(self, before: list[dict[str, Any]], after: list[dict[str, Any]]) -> Iterator[str]:
        say = self.speech.say
        for was, now in zip(before, after, strict=False):
            if was["tip"] != now["tip"]:
                yield say("tail.turned", at=point(now["tip"]))
            elif was != now:
                yield say("tail.changed")
        for now in after[len(before) :]:
            yield say("tail.added", at=point(now["tip"]))
        for _ in before[len(after) :]:
            yield say("tail.removed")

    def _style(self, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
        say = self.speech.say
        other = []
        for name in dict.fromkeys((*before, *after)):
            was, now = (style.get(name, _STYLE[name]) for style in (before, after))
            if was == now:
                continue
            if name in {"size", "smallest"}:
                yield say(f"style.{name}", before=spoken(was), after=spoken(now))
            elif name == "font":
                yield say("style.font", before=was, after=now)
            elif name == "colour":
                yield say("colour", before=was, after=now)
            elif name == "writing":
                yield say(f"style.writing.{now}")
            elif name == "tracking":
                yield say("style.tracking", before=share(was), after=share(now))
            elif name == "leading":
                parts = [say("by.script") if value is None else share(value) for value in (was, now)]
                yield say("style.leading", before=parts[0], after=parts[1])
            else:
                other.append(name)
        if other:
            yield say("style.other", names=self._values(other))

    def _placement(self, before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
        say = self.speech.say
        if before["box"] != after["box"]:
            if before["box"] is None or after["box"] is None:
                yield say("unboxed" if after["box"] is None else "boxed")
            else:
                yield from self._box(_edges(before["box"]), _edges(after["box"]))
        if before["fit"] != after["fit"]:
            yield say("fit", before=self.speech.value(before["fit"]), after=self.speech.value(after["fit"]))
        for name in ("focus", "crop"):
            if before[name] != after[name]:
                parts = [", ".join(share(part) for part in values[name]) for values in (before, after)]
                yield say(name, before=parts[0], after=parts[1])
        was, now = before["transform"], after["transform"]
        if was["scale"] != now["scale"]:
            yield say("scale", before=share(was["scale"]), after=share(now["scale"]))
        if was["rotate"] != now["rotate"]:
            yield say("rotate", before=spoken(was["rotate"]), after=spoken(now["rotate"]))
        if (was["flip_x"], was["flip_y"]) != (now["flip_x"], now["flip_y"]):
            yield say("flipped")
        dx, dy = now["dx"] - was["dx"], now["dy"] - was["dy"]
        if dx or dy:
            yield say("moved", by=self._by(dx, dy))

    def _line(self, stroke: dict[str, Any]) -> str:
        say = self.speech.say
        if stroke["width"] == 0:
            return say("line.none")
        text = say("line", mm=spoken(stroke["width"]), colour=stroke["colour"])
        return f"{text} {say('dashed')}" if stroke["dash"] else text


def _marks(words: Marked) -> tuple[list[tuple[str, ...]], list[Look]]:
    """The readings and looks in words, in order, whatever they mark."""
    looks = [stretch.look for stretch in words.stretches if stretch.look != Look()]
    return [ruby.readings for ruby in words.rubies], looks


def point(at: Any) -> str:
    """A point in millimetres."""
    return f"{spoken(at[0])}, {spoken(at[1])}"


def share(parts: int) -> str:
    """A share of one from millionths."""
    return f"{parts / 1_000_000:.3f}".rstrip("0").rstrip(".")


def _shift(low: int, high: int, new_low: int, new_high: int) -> int:
    """How far something moved along one axis: not at all when it grew or shrank on one side, or about its middle."""
    if new_high - new_low != high - low and (
        low == new_low or high == new_high or abs(low + high - new_low - new_high) < 3
    ):
        return 0
    return new_low - low


def _size(edges: tuple[int, int, int, int]) -> str:
    return f"{spoken(edges[2] - edges[0])} × {spoken(edges[3] - edges[1])}"


def _edges(box: dict[str, int]) -> tuple[int, int, int, int]:
    return box["x"], box["y"], box["x"] + box["w"], box["y"] + box["h"]
