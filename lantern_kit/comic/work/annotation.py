"""Annotations as people hold them: their words, the pages they point at with numbered pins, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.annotation import (
    MIDDLE,
    UNSETTLED,
    Annotation,
    OnElement,
    OnPoint,
    Reference,
    Resolution,
    Resolved,
    State,
)
from lantern_kit.comic.annotations import Inspected
from lantern_kit.comic.measure import millionths, spoken
from lantern_kit.comic.model import Unit
from lantern_kit.comic.work import show
from lantern_kit.comic.work.asset import figure_of
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import Progress

if TYPE_CHECKING:
    from lantern_kit.comic.service import Moment
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.host import Host

On = Any
"""What may be pointed at: an id or a handle, anything with an ``id`` (a unit, an object of an edit block), a mapping
``{"element": id, "at": (0.5, 0.5)}`` or ``{"unit": id, "point": (0.3, 0.4), "surface": id}``, shares from 0 to 1, or a
reference that the annotation has already."""
Attach = AssetVersion | str | bytes | Path
"""A registered picture or its id; or a file or its bytes, which are registered first."""
LONG_EDGE = 700
DRAWN = 10
"""Annotations of one list that are drawn; the others are listed."""
_WORDS = "border-left:4px solid #c2185b;margin:.4em 0;padding-left:8px;white-space:pre-wrap"


def write(
    host: Host, chapter: str, body: str, on: On = (), attach: Attach | Sequence[Attach] = (), *, by: Actor | None = None
) -> AnnotationWork:
    """Write an annotation about a chapter. Raises BadInput, NotFound, StaleHandle."""
    actor = by or host.owner
    made = host.annotation_service.create(
        chapter, body, on=targets(on), attach=pictures(host, attach, actor), actor=actor
    )
    return AnnotationWork(host, made.id)


def targets(on: On) -> list[OnElement | OnPoint | Reference]:
    """What a person points at, in order. Raises BadInput."""
    several = isinstance(on, Sequence) and not isinstance(on, str | bytes)
    return [_target(item) for item in (on if several else [on])]


def pictures(host: Host, attach: Attach | Sequence[Attach], actor: Actor) -> list[str]:
    """Ids of pictures; files and bytes are registered as assets of their own. Raises BadPicture, NotFound."""
    items: Sequence[Attach] = (attach,) if isinstance(attach, AssetVersion | str | bytes | Path) else attach
    found = []
    for item in items:
        if isinstance(item, AssetVersion):
            found.append(item.id)
        elif isinstance(item, str) and item.startswith("as_"):
            found.append(item)
        else:
            title = "attached picture" if isinstance(item, bytes) else Path(item).name[:120]
            found.append(host.assets.register(item, title=title, actor=actor).id)
    return found


class AnnotationWork:
    """One annotation, read anew each time it is looked at."""

    def __init__(self, host: Host, annotation: str) -> None:
        self._host = host
        self.id = annotation

    # reading

    @property
    def facts(self) -> Annotation:
        """The annotation as it is kept. Raises NotFound when it was deleted."""
        return self._host.annotation_service.get(self.id)

    @property
    def state(self) -> State:
        """open, claimed, awaiting, resolved or shelved."""
        return self.facts.state

    @property
    def references(self) -> tuple[Reference, ...]:
        """Its references as they were made, in order."""
        return self.facts.references

    def look(self) -> Inspected:
        """The annotation against the work as it stands."""
        return self._host.annotation_service.inspect(self.id)

    # a person's acts

    def edit(
        self,
        body: str | None = None,
        *,
        on: On = None,
        attach: Attach | Sequence[Attach] | None = None,
        by: Actor | None = None,
    ) -> AnnotationWork:
        """Change its words, all its references or all its pictures; what is not given stays.

        ``note.edit(on=[*note.references, "bl_…"])`` adds one; those it had keep what they were made with.
        """
        actor = by or self._host.owner
        self._host.annotation_service.edit(
            self.id,
            actor=actor,
            body=body,
            on=None if on is None else targets(on),
            attach=None if attach is None else pictures(self._host, attach, actor),
        )
        return self

    def resolve(self, *, by: Actor | None = None) -> AnnotationWork:
        """Say that it is dealt with. Raises WrongState when it is settled already."""
        self._host.annotation_service.resolve(self.id, actor=by or self._host.owner)
        return self

    def shelve(self, *, by: Actor | None = None) -> AnnotationWork:
        """Put it aside. Raises WrongState when it is settled already."""
        self._host.annotation_service.shelve(self.id, actor=by or self._host.owner)
        return self

    def reopen(self, *, by: Actor | None = None) -> AnnotationWork:
        """Make it open again, freed from any draft. Raises WrongState when it is open."""
        self._host.annotation_service.reopen(self.id, actor=by or self._host.owner)
        return self

    def delete(self, *, by: Actor | None = None) -> None:
        """Take it out for good."""
        self._host.annotation_service.delete(self.id, actor=by or self._host.owner)

    def reply(self, text: str, *, by: Actor | None = None) -> AnnotationWork:
        """Add a message; agents read it."""
        with self._host.comics.journal.write() as connection:
            self._host.annotation_service.note(connection, [self.id], text, actor=by or self._host.owner)
        return self

    # showing

    def text(self) -> str:
        """All of it in words."""
        return text_of(self.look())

    def pages(self, *, long_edge: int = LONG_EDGE) -> list[tuple[str, show.RenderedPage]]:
        """The pages it points at as they stand, each with its title and numbered pins drawn over it."""
        return pages_of(self._host, self.look(), long_edge=long_edge)

    def html(self) -> str:
        """Its words, then the pages it points at."""
        return html_of(self._host, self.look())

    def __repr__(self) -> str:
        return f"<Annotation {line_of(self.facts)}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        seen = self.look()
        return show.bundle(text_of(seen), html_of(self._host, seen))


class Annotations(Sequence[AnnotationWork]):
    """Annotations of a chapter, oldest first, as they were listed; they show themselves one below the other."""

    def __init__(self, host: Host, chapter: str, states: Sequence[State] | None = UNSETTLED) -> None:
        self._host = host
        self._chapter = chapter
        self._states = states
        self.chosen = states != UNSETTLED
        """Whether other states than those not settled yet were asked for."""
        self._found = host.annotation_service.of_chapter(chapter, states=states)

    @property
    def chapter(self) -> ChapterWork:
        """The chapter that they are about."""
        from lantern_kit.comic.work.chapter import ChapterWork

        return ChapterWork(self._host, self._chapter)

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, place: Any) -> Any:
        """One by its place from 0 or by its id, or a slice of them. Raises NotFound, IndexError."""
        if isinstance(place, str):
            return AnnotationWork(self._host, self._host.annotation_service.get(place).id)
        if isinstance(place, slice):
            return [AnnotationWork(self._host, item.id) for item in self._found[place]]
        return AnnotationWork(self._host, self._found[place].id)

    def __iter__(self) -> Iterator[AnnotationWork]:
        return (AnnotationWork(self._host, item.id) for item in self._found)

    def _ipython_key_completions_(self) -> list[str]:
        return [item.id for item in self._found]

    def __repr__(self) -> str:
        return "\n".join(line_of(item) for item in self._found) or "no annotations"

    def export(self, path: str | Path, *, progress: Progress | None = None) -> Path:
        """Write them as W3C Web Annotation JSON-LD. Raises BadInput when the file cannot be written."""
        from lantern_kit.comic.formats.web_annotation import annotation_page, write_annotations

        moment = self._host.comics.head(self._chapter)
        seen = self._host.annotation_service.inspect_all(self._chapter, states=self._states, progress=progress)
        if seen:
            moment = seen[0].moment
        paper = moment.book.chapter.paper
        page = annotation_page(seen, chapter=self._chapter, revision=moment.id, paper=paper)
        return write_annotations(Path(path), page)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        seen = self._host.annotation_service.inspect_all(self._chapter, states=self._states)
        html = "<hr>".join(html_of(self._host, item) for item in seen[:DRAWN])
        more = seen[DRAWN:]
        if more:
            lines = show.bullets(line_of(item.annotation) for item in more)
            html += "<hr>" + show.small(f"{DRAWN} of {len(seen)} are drawn; annotations[ID] shows any other") + lines
        text = "\n\n".join(text_of(item) for item in seen)
        return show.bundle(text or "no annotations", html or show.small("no annotations"))


def line_of(item: Annotation) -> str:
    """An annotation in a line: its id, state and first words."""
    words = " ".join(item.body.split())
    return f"{item.id} {item.state.value}: {words if len(words) <= 60 else words[:59] + '…'}"


def text_of(seen: Inspected) -> str:
    """An annotation in words: what was written, where it points now, what was said since."""
    item = seen.annotation
    lines = [f"{item.id} · {_state(item)} · {item.actor}, {to_the_minute(item.created_at)}", item.body]
    lines += [f"  {place}. {where(found, seen.moment)}" for place, found in enumerate(seen.references, 1)]
    lines += [f"  picture: {asset.title} ({asset.id})" for asset in seen.attachments]
    lines += [f"  {said.actor}: {said.body}" for said in item.messages]
    return "\n".join(lines)


def where(found: Resolved, moment: Moment) -> str:
    """Where a reference points now, and what became of its target, in words."""
    made = found.reference
    what = (
        "a point" if made.target_kind == "unit" and made.kind.value == "point" else f"{made.target_kind} {made.target}"
    )
    fate = {Resolution.UNCHANGED: "", Resolution.CHANGED: ", changed since", Resolution.MISSING: ", gone since"}
    if found.unit is None or found.point is None:
        return f"{what}, gone with its page"
    x, y = (spoken(part, 1) for part in found.point)
    return f"{moment.titles[found.unit.id]}: {what} at {x}, {y} mm{fate[found.resolution]}"


def pages_of(host: Host, seen: Inspected, *, long_edge: int = LONG_EDGE) -> list[tuple[str, show.RenderedPage]]:
    """The pages that an annotation points at, in the order of its references, with numbered pins."""
    from lantern_kit.comic.render.pins import Pin, pinned

    book = seen.moment.book
    units: dict[str, Unit] = {}
    pins: dict[str, list[Pin]] = {}
    for place, found in enumerate(seen.references, 1):
        if found.unit is None or found.point is None:
            continue
        lost = found.resolution is Resolution.MISSING
        outline = () if isinstance(found.thing, Unit) else found.outline
        units[found.unit.id] = found.unit
        pins.setdefault(found.unit.id, []).append(Pin(str(place), found.point, outline, lost))
    return [
        (
            seen.moment.titles[name],
            show.RenderedPage(pinned(host.renderer.render(unit, book.chapter, long_edge=long_edge), pins[name])),
        )
        for name, unit in units.items()
    ]


def html_of(host: Host, seen: Inspected) -> str:
    """An annotation for a notebook: nothing in it needs a connection or a script."""
    item = seen.annotation
    head = f"<b>{item.id}</b> · {escape(_state(item))} · {escape(item.actor)}, {to_the_minute(item.created_at)}"
    parts = [
        f'<p style="margin:.2em 0"><small>{head}</small></p>',
        f'<blockquote style="{_WORDS}">{escape(item.body)}</blockquote>',
    ]
    if seen.references:
        places = "".join(f"<li>{escape(where(found, seen.moment))}</li>" for found in seen.references)
        parts.append(f"<ol>{places}</ol>")
    pages = [show.figure(page, f"{title} at {seen.moment.id}") for title, page in pages_of(host, seen)]
    pages += [figure_of(host.assets, asset, f"{asset.title} ({asset.id})", edge=300) for asset in seen.attachments]
    if pages:
        parts.append(show.side_by_side(pages))
    parts.extend(
        f'<p style="margin:.2em 0;white-space:pre-wrap"><small>{escape(said.actor)}, {to_the_minute(said.at)}:</small> '
        f"{escape(said.body)}</p>"
        for said in item.messages
    )
    return "".join(parts)


def _state(item: Annotation) -> str:
    links = [] if item.draft is None else [f"draft d{item.draft}"]
    links += [] if item.proposal is None else [f"proposal p{item.proposal}"]
    return item.state.value + (f" ({', '.join(links)})" if links else "")


def _target(item: Any) -> OnElement | OnPoint | Reference:
    if isinstance(item, OnElement | OnPoint | Reference):
        return item
    if isinstance(item, str):
        return OnElement(item)
    if isinstance(item, Mapping):
        return _mapped(item)
    name = getattr(item, "id", None)
    if isinstance(name, str):
        return OnElement(name)
    raise BadInput(
        "that cannot be pointed at",
        expected='an id, a unit, {"element": id, "at": [x, y]} or {"unit": id, "point": [x, y]}',
        found=type(item).__name__,
    )


def _mapped(item: Mapping[str, Any]) -> OnElement | OnPoint:
    keys = set(item)
    if "element" in keys and keys <= {"element", "at"}:
        return OnElement(str(item["element"]), _shares(item["at"]) if "at" in keys else MIDDLE)
    if {"unit", "point"} <= keys <= {"unit", "point", "surface"}:
        return OnPoint(str(item["unit"]), _shares(item["point"]), str(item.get("surface") or ""))
    raise BadInput(
        "that says not what is pointed at",
        expected='{"element": id, "at": [x, y]} or {"unit": id, "point": [x, y], "surface": id}',
        found=sorted(map(str, keys)),
    )


def _shares(value: Any) -> tuple[int, int]:
    try:
        x, y = (millionths(float(part)) for part in value)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(
            "a place is given as shares across and down", expected="two numbers from 0 to 1", found=str(value)[:40]
        ) from None
    return x, y
