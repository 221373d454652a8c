"""The check of a workspace finds what is damaged in a novel, each damage by its own words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.verify import Report
from lantern_kit.novel.model import ChapterState, Pause, Reason, Source, Status, UnitState
from lantern_kit.novel.records import verify_novels
from lantern_kit.novel.whole import Novel, changed
from tests.novel.stage import Stage, stage


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    stood = stage(tmp_path / "ws")
    stood.plan()
    stood.write(
        foreshadows=[{"foreshadow": stood.made["key"], "move": "planted", "at": 0}],
        events=[{"what": "a lamp", "people": [stood.made["mira"]], "at": 1}],
    )
    assert stood.ws.verify().clean
    assert stood.ws.verify().checked["novels"] == 1
    return stood


def told(made: Stage) -> str:
    return " · ".join(item.message for item in made.ws.verify().problems if item.kind == "novel")


def bent(made: Stage, bend: Callable[[Novel], Novel]) -> str:
    """What is told of a novel whose newest revision says something that no edit gives."""
    held = made.novel
    made.service.step(made.novel_id, lambda novel, _: (bend(novel), None), actor=Actor.person("Eve"), cause="bend")
    report = Report()
    with made.ws.journal.read() as connection:
        verify_novels(connection, made.service, report)
    made.service.step(made.novel_id, lambda *_: (held, None), actor=Actor.person("Eve"), cause="back")
    return " · ".join(item.message for item in report.problems)


def test_numbers_and_states_that_do_not_agree_are_each_told(made: Stage) -> None:
    unit = next(iter(made.novel.commits.values()))
    chapter, key = made.made["c1"], made.made["key"]
    nowhere = Source(commit="cm_0000", paragraph=0)

    def committing(**facts: Any) -> Callable[[Novel], Novel]:
        return lambda novel: novel.put("units", changed(unit, commit=changed(unit.commit, **facts)))  # type: ignore[type-var]

    pause = Pause(reason=Reason.REQUESTED, told="", ids=(), resume="", at=0)
    bends: dict[str, Callable[[Novel], Novel]] = {
        "it says 2 commits": lambda novel: novel.with_head(commits=2),
        "it says 0 characters,": lambda novel: novel.with_head(characters=0),
        "characters with punctuation": lambda novel: novel.with_head(punctuated=0),
        "it says 9 units": lambda novel: novel.with_head(units=9),
        "it says 5 instructions": lambda novel: novel.with_head(received=5),
        "it says 4 outline": lambda novel: novel.with_head(outline_revision=4),
        "the unit it says is claimed": lambda novel: novel.with_head(claimed=unit.id),
        "has a reason and is not paused": lambda novel: novel.with_run(pause=pause),
        "completed without an end": lambda novel: novel.with_run(status=Status.COMPLETED),
        "approved that there never was": lambda novel: novel.with_head(approved=7),
        "newer than its content": lambda novel: novel.with_head(content_revision=0),
        "with the watermark at 0": lambda novel: novel.with_head(watermark=0),
        "a story and no outline": lambda novel: replace(novel, plans={}),
        "its prose says otherwise": lambda novel: novel.put(
            "chapters", changed(novel.chapter(chapter), state=ChapterState.PLANNED)
        ),
        "taken up in prose that there is not": lambda novel: novel.put(
            "foreshadows", changed(novel.foreshadows[key], planted=nowhere)
        ),
        "its commit says otherwise": lambda novel: novel.put("units", changed(unit, state=UnitState.PREPARED)),
        "prose of no scene there is": lambda novel: novel.put("units", changed(unit, scene="sc_0000")),
        "numbers of its units have gaps": lambda novel: novel.put("units", changed(unit, number=3)),
        "is not as long as its commit says": committing(characters=1),
        "is missing or damaged": committing(body="0" * 64),
        "stands in prose that there is not": committing(id="cm_0001"),
    }
    for words, bend in bends.items():
        assert words in bent(made, bend)
    assert made.ws.verify().clean


def test_a_body_that_is_gone_or_changed_is_told_with_its_commit(made: Stage) -> None:
    (unit,) = made.novel.commits.values()
    assert unit.commit is not None
    path = made.ws.path / "blobs" / unit.commit.body[:2] / unit.commit.body
    path.chmod(0o644)
    path.write_bytes(b"other\n")
    assert f"the prose of {unit.commit.id} is missing or damaged" in told(made)
    path.unlink()
    assert f"the prose of {unit.commit.id} is missing or damaged" in told(made)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE novels SET title = title || 'x'",
        "UPDATE novels SET created_at = created_at + 1",
        "DELETE FROM novels",
        "UPDATE documents SET body = x'00' WHERE hash = (SELECT document FROM revisions ORDER BY id DESC LIMIT 1)",
        "UPDATE changes SET after = '9' WHERE id = (SELECT max(id) FROM changes)",
    ],
)
def test_a_damaged_row_is_told_and_never_a_traceback(made: Stage, damage: str) -> None:
    driver = sqlite3.connect(made.ws.journal.path)
    driver.executescript("".join(_untied(driver)))
    driver.execute(damage)
    driver.commit()
    driver.close()
    assert not made.ws.verify().clean


def _untied(driver: sqlite3.Connection) -> list[str]:
    """What takes the guards off the tables, as somebody with the file could."""
    return [
        f"DROP TRIGGER {name};" for (name,) in driver.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    ]
