"""Several agents at once, each in a process of its own, and processes killed in the middle of a write."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lantern_kit.comic.model import Balloon
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from lantern_kit.workspace import Workspace, open_workspace

WORKER = Path(__file__).with_name("worker.py")
WEIGHER = Path(__file__).with_name("weigher.py")
AGENTS = ("ann", "ben", "cat", "dan")


def drafts(ws: Workspace, chapter: ChapterWork, count: int) -> list[str]:
    made = []
    for _ in range(count):
        with ws.journal.write() as connection:
            draft, _ = ws.drafts.begin(connection, chapter.id, title="t", actor=Actor.agent("host"))
        made.append(draft.id)
    return made


def start(ws: Workspace, chapter: ChapterWork, agent: str, own: str, shared: str, count: int) -> subprocess.Popen[str]:
    balloon = next(item.id for unit in chapter.book.units() for item in unit.objects if isinstance(item, Balloon))
    command = [sys.executable, str(WORKER), str(ws.path), agent, own, shared, balloon, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def texts(ws: Workspace, draft: str) -> dict[str, str]:
    """What each revision of a draft set the balloon to."""
    with ws.journal.read() as connection:
        log = ws.history.log(connection, draft)
        return {
            item.id: row.after or ""
            for item in log
            for row in ws.history.changes(connection, item)
            if row.property == "text"
        }


def together(ws: Workspace, chapter: ChapterWork, each: int) -> tuple[int, int, float]:
    """Four agents on drafts of their own and one shared draft; acknowledged, refused, longest wait."""
    own = drafts(ws, chapter, 4)
    (shared,) = drafts(ws, chapter, 1)
    workers = [start(ws, chapter, agent, draft, shared, each) for agent, draft in zip(AGENTS, own, strict=True)]
    lines = [line.split(" ", 3) for worker in workers for line in worker.communicate()[0].splitlines()]
    assert all(worker.returncode == 0 for worker in workers)
    found = {draft: texts(ws, draft) for draft in (*own, shared)}
    acknowledged = [line for line in lines if line[0] == "ack"]
    refused = [line for line in lines if line[0] == "refused"]
    assert len(acknowledged) + len(refused) == 4 * each
    for _, draft, revision, text in acknowledged:
        assert found[draft][revision] == f'"{text}"'
    assert sum(len(of_draft) for of_draft in found.values()) == len(acknowledged)
    assert {line[1] for line in refused} <= {shared}
    assert {line[2] for line in refused} <= {"stale_handle"}
    assert ws.verify().clean
    return len(acknowledged), len(refused), max(float(line[1]) for line in lines if line[0] == "wait")


def test_four_agents_at_once_lose_no_acknowledged_edit(ws: Workspace, chapter: ChapterWork) -> None:
    acknowledged, refused, wait = together(ws, chapter, 40)
    print(f"acknowledged {acknowledged}, refused {refused}, longest wait {wait:.3f} s")
    assert acknowledged >= 4 * 20


@pytest.mark.prove
def test_four_agents_make_a_thousand_edits_at_once(ws: Workspace, chapter: ChapterWork) -> None:
    acknowledged, refused, wait = together(ws, chapter, 250)
    print(f"acknowledged {acknowledged}, refused {refused}, longest wait {wait:.3f} s")


def kill_amid(ws: Workspace, chapter: ChapterWork, *, kills: int, before: int) -> int:
    """Kill an editing process after ``before`` acknowledgements, again and again; how many edits were acknowledged."""
    (draft,) = drafts(ws, chapter, 1)
    seen: dict[str, str] = {}
    for round_ in range(kills):
        worker = start(ws, chapter, f"agent{round_}", draft, "-", 100_000)
        assert worker.stdout is not None
        for count, line in enumerate(worker.stdout, 1):
            word, _, revision, text = line.rstrip("\n").split(" ", 3)
            assert word == "ack"
            seen[revision] = f'"{text}"'
            if count == before + round_ % 7:
                worker.send_signal(signal.SIGKILL)
                break
        late = worker.communicate()[0].splitlines()
        for line in late:
            if line.count(" ") == 4:  # whole lines that were on their way when it was killed
                _, _, revision, text = line.split(" ", 3)
                seen[revision] = f'"{text}"'
        with open_workspace(ws.path) as again:
            kept = texts(again, draft)
            assert seen.items() <= kept.items()
            assert len(kept) <= len(seen) + round_ + 1
            assert again.verify().clean
    return len(seen)


def test_a_killed_agent_loses_nothing_that_was_acknowledged(ws: Workspace, chapter: ChapterWork) -> None:
    assert kill_amid(ws, chapter, kills=3, before=20) >= 60


@pytest.mark.prove
def test_twenty_kills_amid_a_thousand_edits_lose_nothing(ws: Workspace, chapter: ChapterWork) -> None:
    assert kill_amid(ws, chapter, kills=20, before=50) >= 1000


def weigh(ws: Workspace, chapter: ChapterWork, agent: str, draft: str, count: int) -> subprocess.Popen[str]:
    balloon = next(item.id for unit in chapter.book.units() for item in unit.objects if isinstance(item, Balloon))
    command = [sys.executable, str(WEIGHER), str(ws.path), agent, draft, balloon, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def require_candidates(ws: Workspace, draft: str, lines: list[list[str]]) -> int:
    """Hold what agents were told of their candidates to what is kept; how many adoptions there are."""
    kept = {item.id: item for item in ws.candidates.of_draft(draft, state=None)}
    said = texts(ws, draft)
    for word, candidate, *rest in lines:
        if word == "adopted":
            revision, text = rest[0], " ".join(rest[1:])
            assert (kept[candidate].state, f"r{kept[candidate].result}") == ("adopted", revision)
            assert said[revision] == f'"{text}"'
        elif word == "proposed":
            assert candidate in kept
    results = [item.result for item in kept.values() if item.state == "adopted"]
    assert len(results) == len({*results}) == len(said)
    assert ws.verify().clean
    return len(results)


def test_agents_that_weigh_candidates_in_one_draft_lose_none_and_adopt_none_twice(
    ws: Workspace, chapter: ChapterWork
) -> None:
    (draft,) = drafts(ws, chapter, 1)
    workers = [weigh(ws, chapter, agent, draft, 12) for agent in AGENTS[:3]]
    lines = [line.split() for worker in workers for line in worker.communicate()[0].splitlines()]
    assert all(worker.returncode == 0 for worker in workers)
    assert {line[2] for line in lines if line[0] == "refused"} <= {"stale_candidate", "stale_handle"}
    assert require_candidates(ws, draft, lines) == sum(line[0] == "adopted" for line in lines)
    assert ws.candidates.of_draft(draft) == []


def test_an_agent_killed_amid_candidates_leaves_each_whole(ws: Workspace, chapter: ChapterWork) -> None:
    (draft,) = drafts(ws, chapter, 1)
    lines: list[list[str]] = []
    for round_, before in enumerate((3, 6, 9)):
        worker = weigh(ws, chapter, f"agent{round_}", draft, 100_000)
        assert worker.stdout is not None
        for _, line in zip(range(before), worker.stdout, strict=False):
            lines.append(line.split())
        worker.send_signal(signal.SIGKILL)
        worker.communicate()
        with open_workspace(ws.path) as again:
            require_candidates(again, draft, lines)
    assert len(lines) == 18
