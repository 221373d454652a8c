"""Annotations in the analysis: as the service tells them, at the moment the tables are brought up to date."""

from __future__ import annotations

from lantern_kit.comic.annotation import Resolution
from tests.analysis.world import World


def test_references_are_told_as_the_service_resolves_them(world: World) -> None:
    service = world.ws.annotation_service
    met: set[str] = set()
    for _ in range(5):
        for _ in range(5):
            world.annotate()
        _repaint_and_remove(world)
        with world.analysis() as db:
            told = db.execute(
                "SELECT annotation, position, resolution, unit, x, y, revision FROM annotation_references ORDER BY 1, 2"
            ).fetchall()
            assert db.execute("SELECT count(*) FROM annotations").fetchone() == (
                sum(len(service.of_chapter(record.id)) for record in world.ws.comics.chapters()),
            )
        wanted = [
            (
                seen.annotation.id,
                place,
                found.resolution.value,
                None if found.unit is None else found.unit.id,
                *(None if found.point is None else part / 1_000 for part in found.point or (0, 0)),
                seen.moment.id,
            )
            for record in world.ws.comics.chapters()
            for seen in service.inspect_all(record.id, states=None)
            for place, found in enumerate(seen.references, 1)
        ]
        assert told == sorted(wanted)
        met |= {row[2] for row in told}
    assert met == {item.value for item in Resolution}, "the history holds every sort"


def _repaint_and_remove(world: World) -> None:
    """Give every unit of every chapter another paper but the last, which goes."""
    for record in world.ws.comics.chapters():
        seen = world.ws.comics.head(record.id)
        book = seen.book
        if len(book) < 2:
            world.edit(3)
            continue
        *others, last = book.units()
        for unit in others:
            colour = "#abcdef" if unit.background != "#abcdef" else "#fedcba"
            book = book.replace(unit.model_copy(update={"background": colour}))
        book = book.remove(last.id)
        world.ws.comics.commit(record.id, seen, book, actor=world.owner, cause="edit", message="paper")
