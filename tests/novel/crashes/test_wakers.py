"""Authors that are woken many times at once, and authors who want one novel: each unit is written once, by one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lantern_kit.novel.errors import NovelOwnership
from lantern_kit.novel.model import UnitState
from lantern_kit.novel.turns import Turns
from lantern_kit.novel.whole import committed
from tests.novel.crashes.sweep import ROOT
from tests.novel.stage import BOT, Stage, config, outline, stage, text

MANY = 1_000_000


def process(made: Stage, *words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.novel.crashes.waker", made.ws.path, made.novel_id, *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT, stdin=-1, stdout=-1, text=True)


def woken(folder: Path, processes: int, threads: int, times: int, chapters: int, scenes: int) -> Counter[str]:
    """Wake an author in several processes and threads, and hold what they leave to one commit a unit."""
    made = stage(folder, configured=config(limits={"turns": MANY, "stalled": MANY}))
    made.plan(outline(chapters, scenes).model_copy(update={"foreshadows": ()}))
    running = [process(made, "wake", number, made.seat.lease.fence, times, threads) for number in range(processes)]
    told: Counter[str] = Counter()
    for one in running:
        out, _ = one.communicate()
        assert one.returncode == 0
        told.update(json.loads(out))
    novel = made.novel
    done = [unit for unit in novel.units.values() if unit.state is UnitState.COMMITTED]
    acknowledged = {name.split()[1] for name in told if name.startswith("commit ")}
    assert acknowledged == set(novel.commits)
    assert len(done) == len(novel.commits) == novel.head.commits
    assert len({committed(unit).content_revision for unit in done}) == len(done)
    assert len({unit.scene for unit in done}) == len(done) == chapters * scenes
    counted = 0
    for name, unit in novel.commits.items():
        sent = [text(unit.number), *(text(unit.number + 1_000 * (number + 1)) for number in range(processes))]
        assert list(made.service.paragraphs(novel, name)) in sent
        counted += committed(unit).characters
    assert novel.head.characters == counted
    with made.ws.journal.read() as connection:
        query = "SELECT count(*) FROM revisions WHERE cause = 'commit'"
        assert connection.exec_driver_sql(query).scalar_one() == len(done)
    assert made.ws.verify().clean
    made.close()
    assert sum(told.values()) >= processes * threads * times
    return told


def test_an_author_woken_many_times_at_once_commits_each_unit_once(tmp_path: Path) -> None:
    woken(tmp_path / "ws", processes=2, threads=2, times=12, chapters=1, scenes=5)


@pytest.mark.prove
def test_a_thousand_wake_ups_at_once_commit_each_unit_once(tmp_path: Path) -> None:
    told = woken(tmp_path / "ws", processes=5, threads=4, times=50, chapters=5, scenes=10)
    print(f"\n{told.most_common(12)}")
    assert {"novel_stale_unit"} <= set(told), "they were in each other's way"


def test_a_second_author_is_refused_while_the_first_may_live_and_succeeds_one_that_is_surely_dead(
    tmp_path: Path,
) -> None:
    made = stage(tmp_path / "ws")
    made.service.authors.release(made.seat)
    with process(made, "hold") as first:
        assert first.stdout is not None
        fence = json.loads(first.stdout.readline())["fence"]
        with pytest.raises(NovelOwnership):
            made.service.authors.take(made.novel_id, BOT.name, "second")
        os.kill(first.pid, signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1])
        with pytest.raises(NovelOwnership):
            made.service.authors.take(made.novel_id, BOT.name, "second")
        made.ann.instruct("More rain.", message="m1")  # people are not kept out
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    seat = made.service.authors.take(made.novel_id, BOT.name, "second")
    assert seat.lease.fence > fence
    with pytest.raises(NovelOwnership):
        Turns(made.service, made.seat).prepare()
    Turns(made.service, seat).prepare()
    made.close()
