"""A workspace with one small chapter, made the same way each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion, SourceType
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace, create_workspace

PASSPHRASE = "a lantern in the fog"


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def ws(tmp_path: Path, clock: SteppingClock) -> Iterator[Workspace]:
    """An empty workspace of Mina's, with her key enrolled."""
    made = create_workspace(
        tmp_path / "ws",
        title="Chelsea",
        owner="mina",
        ids=SeededIds(7),
        clock=clock,
        config=tmp_path / "config",
        ask=lambda name: PASSPHRASE,
    )
    made.enrol("mina", PASSPHRASE)
    yield made
    made.close()


@pytest.fixture
def cat(ws: Workspace) -> AssetVersion:
    return ws.assets.register(
        datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0", source_type=SourceType.PHOTOGRAPH
    )


@pytest.fixture
def chapter(ws: Workspace, cat: AssetVersion) -> ChapterWork:
    """Two pages: one with a cut frame, a picture and a balloon; one with a frame."""
    made = ws.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
    with made.edit("two pages") as edit:
        page = edit.add_page(name="One")
        left, right = page.add_frame(rect=(6, 6, 93, 60)).cut(line=((52, 6), (50, 66)), gutter=3)
        left.place(cat, fit="cover", focus=(0.5, 0.3))
        right.say("Is that… mine?", speaker="Chelsea", at=(75, 25), tail=(60, 45))
        edit.add_page(name="Two").add_frame(rect=(6, 6, 93, 136))
    return made


@pytest.fixture
def me(ws: Workspace) -> Iterator[UnlockedKey]:
    """Mina with her key unlocked."""
    with ws.reviewer() as key:
        yield key
