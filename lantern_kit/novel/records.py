"""Whether novels agree with themselves: rows with lines, heads with what they sum up, prose with its counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, LanternError, NotFound, Stopped
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.verify import Report
from lantern_kit.novel.count import count
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.model import ChapterState, Source, Status, Unit, UnitState
from lantern_kit.novel.prose import paragraphs_of
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.store import KIND
from lantern_kit.novel.whole import Novel, committed

_NOVELS = "SELECT id, title, created_at FROM novels ORDER BY id"
_LINES = "SELECT id FROM lines WHERE kind = ?"


def verify_novels(connection: Connection, service: NovelService, report: Report, tell: Progress = quiet) -> None:
    """Check every novel as it stands, with its prose, cards and books; notes go into ``report``."""
    rows = {row[0]: tuple(row[1:]) for row in connection.exec_driver_sql(_NOVELS)}
    lines = {row[0] for row in connection.exec_driver_sql(_LINES, (KIND,))}
    for name in sorted(map(str, rows.keys() ^ lines)):
        report.add("novel", name, "it has a line and no row, or a row and no line")
    for name in steps(sorted(rows.keys() & lines), tell, "novels"):
        try:
            found = list(_novel(connection, service, name, rows[name]))
        except Stopped:
            raise
        except (LanternError, ValueError, TypeError, AttributeError, KeyError) as error:
            found = [f"it cannot be read: {error.message if isinstance(error, LanternError) else 'a value is wrong'}"]
        for message in found:
            report.add("novel", name, message)
    report.count("novels", len(rows))


def _novel(connection: Connection, service: NovelService, name: str, row: tuple[object, ...]) -> Iterator[str]:
    novel = service.head(name, connection).novel
    head = novel.head
    if (head.id, head.title, head.created_at) != (name, *row):
        yield "its title or time are not those it was begun with"
    yield from _heads(novel)
    yield from _ledger(novel)
    yield from _outline(novel)
    yield from _units(novel)
    for unit in novel.commits.values():
        yield from _prose(service, novel, unit)
    for asset in novel.assets.values():
        if not all(service.blobs.has(bytes.fromhex(digest)) for digest in (asset.original, asset.content)):
            yield f"{asset.id} ({asset.name}) is not kept any more"


def _heads(novel: Novel) -> Iterator[str]:
    """What the head says of itself and of the whole."""
    head, run = novel.head, novel.head.run
    done = [committed(unit) for unit in novel.commits.values()]
    sums = {
        "commits": (head.commits, len(done)),
        "characters": (head.characters, sum(item.characters for item in done)),
        "characters with punctuation": (head.punctuated, sum(item.punctuated for item in done)),
        "units": (head.units, len(novel.units)),
        "instructions": (head.received, len(novel.instructions)),
        "outline revisions": (head.outline_revision, len(novel.plans)),
    }
    for what, (said, found) in sums.items():
        if said != found:
            yield f"it says {said} {what}, and there are {found}"
    claimed = [unit.id for unit in novel.units.values() if unit.state is UnitState.CLAIMED]
    if claimed != ([] if head.claimed is None else [head.claimed]):
        yield "the unit it says is claimed is not the one that is"
    if (run.status is Status.PAUSED) != (run.pause is not None):
        yield "it is paused without a reason, or has a reason and is not paused"
    if (run.status is Status.COMPLETED) != (head.finished is not None):
        yield "it is completed without an end, or has an end and is not completed"
    if head.approved > head.outline_revision:
        yield "an outline is approved that there never was"
    if any(item.content_revision > head.content_revision for item in done):
        yield "a commit is newer than its content"


def _ledger(novel: Novel) -> Iterator[str]:
    """Instructions in order, dealt with up to the watermark and no further."""
    told = list(novel.instructions.values())
    if not _numbered([item.sequence for item in told]):
        yield "the numbers of its instructions have gaps"
    for item in told:
        if item.settled != (item.sequence <= novel.head.watermark):
            yield f"{item.id} is {item.state.value}, with the watermark at {novel.head.watermark}"


def _outline(novel: Novel) -> Iterator[str]:
    """Plans in order, and chapters as far as their prose."""
    if not _numbered([item.number for item in novel.plans.values()]):
        yield "the numbers of its outline revisions have gaps"
    if (novel.story is None) != (not novel.plans):
        yield "it has a story and no outline, or an outline and no story"
    for chapter in novel.chapters.values():
        state = ChapterState.COMPLETED if chapter.completion is not None else chapter.state
        written = bool(novel.units_of(chapter.id))
        if chapter.state is not state or written != (state is not ChapterState.PLANNED):
            yield f"{chapter.id} is {chapter.state.value}, and its prose says otherwise"
    for item in novel.foreshadows.values():
        if not all(place is None or _there(novel, place) for place in (item.planted, item.resolved)):
            yield f"{item.id} is planted or taken up in prose that there is not"


def _units(novel: Novel) -> Iterator[str]:
    """Units in order, each with a commit exactly when it is committed, and facts that stand in prose."""
    if not _numbered([unit.number for unit in novel.units.values()]):
        yield "the numbers of its units have gaps"
    for unit in novel.units.values():
        if (unit.commit is not None) != (unit.state is UnitState.COMMITTED):
            yield f"{unit.id} is {unit.state.value}, and its commit says otherwise"
    for unit in novel.commits.values():
        chapter = novel.chapters.get(unit.chapter)
        if chapter is None or unit.scene not in {scene.id for scene in chapter.scenes}:
            yield f"{unit.id} is prose of no scene there is"
        if not all(_there(novel, fact.source) for fact in committed(unit).delta.facts()):
            yield f"a fact of {committed(unit).id} stands in prose that there is not"


def _prose(service: NovelService, novel: Novel, unit: Unit) -> Iterator[str]:
    """The body of a commit, and what it says of it."""
    held = committed(unit)
    try:
        body = service.blobs.get(bytes.fromhex(held.body))
        found = paragraphs_of(body)
    except (Corrupt, NotFound, NovelStorageCorruption):
        yield f"the prose of {held.id} is missing or damaged"
        return
    counted = count("\n".join(found), policy=novel.config.count_policy)
    said = (held.size, held.paragraphs, held.characters, held.punctuated)
    if said != (len(body), len(found), counted.effective, counted.punctuated):
        yield f"the prose of {held.id} is not as long as its commit says"


def _there(novel: Novel, source: Source) -> bool:
    unit = novel.commits.get(source.commit)
    return unit is not None and source.paragraph < committed(unit).paragraphs


def _numbered(numbers: Sequence[int]) -> bool:
    return list(numbers) == list(range(1, len(numbers) + 1))
