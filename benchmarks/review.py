"""What a person waits for before deciding: a chapter of 100 pages in which an agent changed 1,000 objects.

diff_ms     base against the frozen draft
merge_ms    base, the work in which a person changed 100 other objects meanwhile, and the draft
freeze_ms   the whole freeze: difference, findings on both sides, one durable transaction
review_ms   the whole review: parts, words, overwrites, conflicts
apply_ms    the verdict: merge, validation, signature, one durable transaction

The floors: ``walk_ms`` compares all objects of both states by their JSON, with nothing skipped; ``durable_ms``
is one empty durable transaction. Both states are read from the journal, as in a new process. Medians over rounds.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import diff, own_fields
from lantern_kit.comic.merge import merge
from lantern_kit.comic.model import Balloon
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.workspace import Workspace, create_workspace

PAGES, BALLOONS, MEANWHILE = 100, 10, 100
AGENT = Actor.agent("bench")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print only one JSON object, as the last line")
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    found: dict[str, list[float]] = {}
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name, seconds in round_(Path(folder)).items():
                found.setdefault(name, []).append(seconds * 1e3)
    figures: dict[str, Any] = {name: round(statistics.median(values), 2) for name, values in found.items()}
    if not chosen.json:
        for name, value in figures.items():
            print(f"{name:12} {value:10.2f}")
    facts = {"pages": PAGES, "changed": PAGES * BALLOONS, "meanwhile": MEANWHILE, "rounds": chosen.rounds}
    print(json.dumps({"benchmark": "review", **figures, **facts}))


def round_(folder: Path) -> dict[str, float]:
    """One chapter, one draft, one verdict; seconds by name."""
    ws = create_workspace(folder / "ws", title="Bench", owner="bench", config=folder / "config")
    ws.enrol("bench", None, demo=True)
    chapter = ws.comic("Bench").begin_chapter(1, size="A5")
    with chapter.edit("pages") as edit:
        for _ in range(PAGES):
            page = edit.add_page()
            for place in range(BALLOONS):
                left, top = 10 + place % 2 * 66, 10 + place // 2 * 38
                page.add_frame(rect=(left, top, 62, 34)).say("Is that… mine?", at=(left + 31, top + 15))
    draft, head = drafted(ws, chapter)
    with chapter.edit("meanwhile") as edit:
        for balloon in balloons(chapter.book)[:MEANWHILE]:
            edit[balloon].set(speaker="Chelsea")
    seconds = compared(ws, chapter, head)
    seconds["durable_ms"] = timed(lambda: durable(ws))[0]

    def freeze() -> str:
        with ws.journal.write() as connection:
            return ws.proposal_service.freeze(connection, draft, head, summary="All lines", actor=AGENT)[0].id

    seconds["freeze_ms"], proposal = timed(freeze)
    held = ws.proposals[proposal]
    seconds["review_ms"], _ = timed(held.look)
    with ws.reviewer() as me:
        seconds["apply_ms"], _ = timed(lambda: held.apply(me, mode="merge"))
    texts = {item.text for unit in chapter.book.units() for item in unit.objects if isinstance(item, Balloon)}
    assert texts == {"It is mine now."}
    ws.close()
    return seconds


def drafted(ws: Workspace, chapter: ChapterWork) -> tuple[str, int]:
    """A draft in which every balloon says something else, and its head."""
    with ws.journal.write() as connection:
        draft, moment = ws.drafts.begin(connection, chapter.id, title="all lines", actor=AGENT)
    head = moment.revision.number
    names = balloons(moment.book)
    for start in range(0, len(names), 25):
        operations = [
            {"op": "balloon.set", "target": name, "args": {"text": "It is mine now."}}
            for name in names[start : start + 25]
        ]
        planned = ws.drafts.plan(draft.id, head, operations)
        with ws.journal.write() as connection:
            edited = ws.drafts.commit(connection, draft.id, planned, head, operations, message="m", actor=AGENT)
        head = edited.moment.revision.number
    return draft.id, head


def compared(ws: Workspace, chapter: ChapterWork, head: int) -> dict[str, float]:
    """The pure parts, on states read anew from the journal."""
    with Workspace(ws.path, config=ws.config) as fresh:
        frozen = fresh.comics.at(head).book
        draft = fresh.drafts.head(fresh.comics.at(head).revision.line)
        base = fresh.comics.at(fresh.drafts.get(draft.revision.line).base).book
        current = fresh.comics.head(chapter.id).book
        for book in (base, current, frozen):
            for unit in book.units():
                assert unit.index
        seconds = {"walk_ms": timed(lambda: walk(base, frozen))[0]}
        seconds["diff_ms"], changes = timed(lambda: diff(base, frozen))
        assert len(changes) == PAGES * BALLOONS
        seconds["merge_ms"], merged = timed(lambda: merge(base, current, frozen))
        assert not merged.conflicts
        return seconds


def walk(one: Book, other: Book) -> int:
    """Compare all objects of two states by their fields."""
    count = 0
    for first, second in zip(one.units(), other.units(), strict=True):
        for before, after in zip(first.objects, second.objects, strict=True):
            count += own_fields(before) != own_fields(after)
    return count


def durable(ws: Workspace) -> None:
    """One small durable transaction."""
    with ws.journal.write() as connection:
        connection.exec_driver_sql("INSERT INTO workspace (key, value) VALUES ('bench', '1')")


def balloons(book: Book) -> list[str]:
    """Ids of all balloons."""
    return [item.id for unit in book.units() for item in unit.objects if isinstance(item, Balloon)]


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result."""
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
