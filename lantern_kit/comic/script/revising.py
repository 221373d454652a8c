"""One unit brought into step with its part of a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import StyleArgs
from lantern_kit.comic.edit.balloons import BalloonSet, balloon_set
from lantern_kit.comic.edit.lettering import NarrationSet, TextSet, narration_set, text_set
from lantern_kit.comic.edit.outcome import EditContext, Target
from lantern_kit.comic.edit.tree import add, drop, family, loose, swap
from lantern_kit.comic.edit.units import UnitSet, unit_set
from lantern_kit.comic.geometry import bounds, polygon_of, trim
from lantern_kit.comic.layout.carrying import carried
from lantern_kit.comic.layout.edges import frames_of
from lantern_kit.comic.layout.template import MOST_SLOTS
from lantern_kit.comic.model import Balloon, Frame, Image, Lettering, Narration, Shape, Tail, Unit
from lantern_kit.comic.script import pointing
from lantern_kit.comic.script.faults import fault
from lantern_kit.comic.script.groups import Group, Spot, groups_of, shaken_in
from lantern_kit.comic.script.lettering import balloon_before, lettered, moved
from lantern_kit.comic.script.model import Line, Panel, Sheet, Voice
from lantern_kit.comic.script.of_book import sheet_of
from lantern_kit.comic.script.paging import paged
from lantern_kit.comic.script.speakers import Speakers
from lantern_kit.comic.script.spots import needs_of, spots
from lantern_kit.comic.script.telling import Deeds
from lantern_kit.kernel.errors import BadInput

ROUNDS = 6
MANY = 80
"""Lines of a page that is laid out once, however full its panels come to be."""
GROWTH = 1.35
"""How much more room a panel that is too full wants in the next round."""


class Layout(NamedTuple):
    """A unit whose panels are where they go, and what finds a place there."""

    unit: Unit
    groups: list[Group]
    spots: dict[int, Spot]
    """By place among the lines of the sheet."""
    full: list[Group]
    """Those that have more to say than room."""
    shaken: set[str]
    """Lettering that is no longer well where it is, by id."""


class Revision:
    """A unit while it is brought into step.

    Args:
        book: before.
        unit: its id.
        sheet: what the script has of it.
        ctx: fresh ids and facts of pictures.
        speakers: how names are spelt.
        relay: its panels have to be laid out anew.
    """

    def __init__(
        self, book: Book, unit: str, sheet: Sheet, ctx: EditContext, speakers: Speakers, *, relay: bool
    ) -> None:
        self.book = book
        self.deeds = Deeds(unit)
        self.made: dict[int, str] = {}
        """Ids of new panels by their place among the sheet's, from 1."""
        self._unit_id = unit
        self._sheet = replace(sheet, id=unit)
        self._old = sheet_of(self._unit)
        self._ctx = ctx
        self._speakers = speakers
        self._relay = relay
        self._frames: list[str] = []
        self._moved: set[str] = set()

    @property
    def _unit(self) -> Unit:
        return self.book.unit(self._unit_id)

    def run(self) -> None:
        """Do it. Raises BadInput, naming lines of the script."""
        if self._old == self._sheet and not self._relay:
            return
        self._facts()
        self._framed()
        self._homes()
        self._gone()
        laid = self._laid_out()
        self._described()
        self._changed()
        self._lettered(laid)
        for group in laid.full:
            where = group.frame.id if group.frame is not None else self._unit_id
            self.deeds.notes.append(f"{where} has more words than room: shorten them, enlarge it or split it")

    def _facts(self) -> None:
        old, sheet = self._old, self._sheet
        update: dict[str, Any] = {}
        if sheet.kind is not old.kind:
            update["kind"] = sheet.kind.value
        if sheet.name != old.name:
            update["name"] = sheet.name
        if update:
            target = Target(self._unit, self._unit)
            self.book = unit_set(self.book, target, UnitSet(**update), self._ctx).book

    def _framed(self) -> None:
        """Every panel of the script with a frame, new ones as large as the page until they are laid out."""
        unit = self._unit
        for number, panel in enumerate(self._sheet.frames, 1):
            name = panel.id or self._ctx.ids.new("fr")
            self._frames.append(name)
            if not panel.id:
                self.made[number] = name
                unit = add(unit, [Frame(id=name, parent=unit.id, shape=polygon_of(trim(unit)))])
                self.deeds.panel_deeds["added"] += 1
        self.book = self.book.replace(unit)
        if len(self._frames) > MOST_SLOTS:
            raise fault(
                self._sheet.at, f"this page has {len(self._frames)} panels", f"{MOST_SLOTS} at most; begin a new page"
            )

    def _homes(self) -> None:
        """Lines that are there put into the panels in which the script has them."""
        unit = self._unit
        for parent, panel in self._panels():
            for line in panel.lines:
                item = unit.index.get(line.id)
                if isinstance(item, Lettering) and item.parent != parent:
                    unit = swap(unit, item.model_copy(update={"parent": parent}))
                    self._moved.add(line.id)
        self.deeds.line_deeds["moved"] += len(self._moved)
        self.book = self.book.replace(unit)

    def _panels(self) -> list[tuple[str, Panel]]:
        names = iter(self._frames)
        return [(next(names) if panel.framed else self._unit_id, panel) for panel in self._sheet.panels]

    def _gone(self) -> None:
        """What the script does not have any more taken away. Raises BadInput for a panel that holds pictures."""
        unit = self._unit
        here = {line.id for line in self._sheet.lines if line.id}
        lines = {line.id for line in self._old.lines} - here
        panels = {panel.id for panel in self._old.frames} - {*self._frames}
        for name in panels:
            held = [item for item in unit.children(name) if not isinstance(item, Lettering)]
            if held:
                raise fault(
                    self._sheet.at,
                    f"the script leaves out {name}, which holds {held[0].kind}s",
                    "the panel; frame.remove takes it away with what it holds",
                    ids=[name, *(item.id for item in held)],
                )
        going = {*lines, *panels, *chain.from_iterable(family(unit, name) for name in panels)}
        if going:
            self.deeds.notes += [f"{item.id} is no longer joined to {item.joined}" for item in loose(unit, going)]
            self.book = self.book.replace(drop(unit, going))
        self.deeds.line_deeds["removed"] += len(lines)
        self.deeds.panel_deeds["removed"] += len(panels)

    def _laid_out(self) -> Layout:
        """The panels where they go, and spots for what is new."""
        was = [panel.id for panel in self._old.frames]
        anew = bool(self._frames) and (self._relay or {*was} != {*self._frames})
        turned = bool(self._frames) and not anew and was != self._frames
        if anew or turned:
            self._free_to_move()
        if anew:
            self.deeds.panels = len(self._frames)
            laid = self._paged()
        elif turned:
            slots = [self._unit.index[name] for name in was]
            places = {name: (slot.shape, slot.bleed) for name, slot in zip(self._frames, slots, strict=True)}
            laid = self._spotted(self._carried(self._unit, places))
            self.deeds.panel_deeds["moved"] += sum(one != two for one, two in zip(was, self._frames, strict=True))
        else:
            laid = self._spotted(self._unit)
        self.book = self.book.replace(laid.unit)
        return laid

    def _paged(self) -> Layout:
        """The panels laid out anew: in rounds, until all that is said has room; the round that leaves out least."""
        unit, chapter = self._unit, self.book.chapter
        needs = needs_of(self.book, unit, groups_of(unit, self._sheet, self._frames))
        rounds: list[Layout] = []
        for _ in range(ROUNDS if len([*self._sheet.lines]) <= MANY else 1):
            places = paged(unit, chapter.paper, chapter.direction, needs)
            shapes = {name: (at.shape, at.bleed) for name, at in zip(self._frames, places, strict=True)}
            laid = self._spotted(self._carried(unit, shapes))
            rounds.append(laid)
            if not laid.full:
                break
            crowded = {id(group) for group in laid.full}
            grown = [GROWTH if id(group) in crowded else 1 for group in laid.groups]
            needs = [need * growth for need, growth in zip(needs, grown, strict=True)]
        return min(rounds, key=lambda laid: len(laid.full))

    def _spotted(self, unit: Unit) -> Layout:
        """Spots on the unit as its panels are laid out there."""
        groups = groups_of(unit, self._sheet, self._frames)
        shaken = shaken_in(self._unit, unit, groups) - self._moved
        found, full = spots(self.book, unit, groups, self._moved, self._ctx, shaken)
        return Layout(unit, groups, found, full, shaken)

    def _free_to_move(self) -> None:
        kept = [item for item in frames_of(self._unit) if item.keep is not None]
        if kept:
            raise fault(
                next((panel.at for panel in self._sheet.frames if not panel.id), self._sheet.at),
                f"{kept[0].id} keeps its {kept[0].keep}, so that the page cannot be laid out anew",
                'frame.set {"keep": null} first, or a page of its own for new panels',
                ids=[item.id for item in kept],
            )

    def _carried(self, unit: Unit, places: Mapping[str, tuple[Shape, Any]]) -> Unit:
        laid = carried(unit, self.book.chapter.paper, {name: shape for name, (shape, _) in places.items()})
        new = (laid.index[name].model_copy(update={"bleed": bleed}) for name, (_, bleed) in places.items())
        return swap(laid, *new)

    def _described(self) -> None:
        old = {panel.id: panel.description for panel in self._old.frames}
        new = [
            self._unit.index[name].model_copy(update={"description": panel.description})
            for name, panel in self._panels()
            if panel.framed and panel.description != old.get(name, "")
        ]
        self.deeds.panel_deeds["changed"] += sum(item.id in old for item in new)
        if new:
            self.book = self.book.replace(swap(self._unit, *new))

    def _changed(self) -> None:
        """What is said, by whom and how, where the script has it otherwise."""
        old = {line.id: line for line in self._old.lines}
        for _, panel in self._panels():
            for line in panel.lines:
                was = old.get(line.id)
                if was is not None and line != was:
                    self._change(was, line)

    def _change(self, was: Line, line: Line) -> None:
        unit = self._unit
        item, start = unit.index[line.id], self.book
        target = Target(unit, item)
        same: dict[str, Any] = {"text": line.text} if line.text != was.text else {}
        if line.label != was.label:
            same["name"] = line.label
        if isinstance(item, Balloon):
            if line.speaker != was.speaker:
                same["speaker"] = self._speakers.spelt(line.speaker, unit)
            if line.shape is not was.shape:
                same["shape"] = line.shape
            if was.joined and not line.joined:
                same["joined"] = ""
            if same:
                self.book = balloon_set(self.book, target, BalloonSet(**same), self._ctx).book
            if line.off is not was.off and line.id not in self._moved:
                self._turn(line)
        elif isinstance(item, Narration):
            self.book = narration_set(self.book, target, NarrationSet(**same), self._ctx).book
        else:
            if line.voice is not was.voice:
                same["style"] = StyleArgs(font="sound" if line.voice is Voice.SOUND else "sans")
            self.book = text_set(self.book, target, TextSet(**same), self._ctx).book
        self.deeds.line_deeds["changed"] += self.book is not start and line.id not in self._moved

    def _turn(self, line: Line) -> None:
        """The tail of a balloon turned out of its panel, or back into it."""
        unit = self._unit
        item = unit.index[line.id]
        frame = unit.index.get(item.parent)
        if not isinstance(frame, Frame):
            return
        around = bounds(frame.shape)
        others = [
            other.box
            for other in unit.objects
            if isinstance(other, Lettering) and other.id != item.id and other.parent == frame.id
        ]
        direction = self.book.chapter.direction
        if line.off:
            tip = pointing.out_of(item.box, around, others, direction)
        elif any(isinstance(held, Image) for held in unit.children(frame.id)):
            tip = None
        else:
            tip = pointing.towards(item.box, pointing.stance(around, 0, 1, direction), others, around)
        if tip is not None or not line.off:
            tails = () if tip is None else (Tail(tip=tip),)
            self.book = self.book.replace(swap(unit, item.model_copy(update={"tails": tails})))

    def _join(self, line: Line, lines: Sequence[Line], place: int, names: Mapping[int, str]) -> None:
        """A balloon that is there joined to the one before it, where it is not joined any more, or not yet."""
        unit = self._unit
        item = unit.index[line.id]
        if not isinstance(item, Balloon) or item.joined is not None:
            return
        was = any(old.joined for old in self._old.lines if old.id == line.id)
        before = balloon_before(lines, place, names, unit) if was else self._before(lines, place, names, line)
        if before:
            self.book = balloon_set(self.book, Target(unit, item), BalloonSet(joined=before), self._ctx).book
            self.deeds.line_deeds["changed"] += not was

    def _before(self, lines: Sequence[Line], place: int, names: Mapping[int, str], line: Line) -> str:
        found = balloon_before(lines, place, names, self._unit)
        if not found:
            raise fault(line.at, "it is joined, and no balloon stands before it in its panel", "a line to go on from")
        return found

    def _lettered(self, laid: Layout) -> None:
        """New lines made, lines from other panels moved, and all of them read in the script's order."""
        number = 0
        order: list[str] = []
        for parent, panel in self._panels():
            names: dict[int, str] = {}
            order += [parent] if panel.framed else []
            for place, line in enumerate(panel.lines):
                spot = laid.spots.get(number)
                number += 1
                if spot is not None and line.id:
                    item, still = self._unit.index[line.id], line.id in laid.shaken
                    self.book = moved(self.book, self._unit_id, parent, item, spot, still=still)
                elif spot is not None:
                    joined = self._before(panel.lines, place, names, line) if line.joined else ""
                    spelt = replace(line, speaker=self._speakers.spelt(line.speaker, self._unit))
                    outcome = lettered(self.book, self._unit_id, parent, spelt, spot, joined, self._ctx)
                    self.book, names[place] = outcome.book, outcome.made[""]
                    self.deeds.line_deeds["added"] += 1
                elif not line.id:
                    raise BadInput(
                        f"line {line.at}: there is no room for it beside what is there",
                        expected="a panel that reaches into the safe area, with room that no other lettering takes",
                        ids=[self._unit_id],
                        details={"line": line.at},
                    )
                if line.id and line.joined:
                    self._join(line, panel.lines, place, names)
                order.append(names.get(place, line.id))
        was = [name for panel in self._old.panels for name in (panel.id, *(line.id for line in panel.lines)) if name]
        if order != was:
            self.book = self.book.replace(self._unit.model_copy(update={"reading": tuple(order)}))
