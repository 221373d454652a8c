"""Long actions on a workspace: what they report, and that they can be stopped wherever they do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from lantern_kit.comic.proposal import Proposal
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.imaging.decode import decode, read
from lantern_kit.imaging.encode import encode_png
from lantern_kit.kernel.errors import BadInput, BadPicture, Stopped
from lantern_kit.kernel.progress import Progress, quiet, reporting
from lantern_kit.keys import UnlockedKey
from lantern_kit.widgets.jobs.job import start
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import AGENT, balloon, begin, edit, proposed, say

Told = list[tuple[str, int, int]]


def everything(action: Callable[[Progress], object]) -> Told:
    """All that an action reports."""
    told: Told = []
    action(lambda what, done, total: told.append((what, done, total)))
    return told


def stopping(at: int) -> Progress:
    """One who stops an action at its report of this number."""
    left = at

    def tell(what: str, done: int, total: int) -> None:
        nonlocal left
        if not left:
            raise Stopped(f"stopped at {what}")
        left -= 1

    return tell


def stops(action: Callable[[Progress], object]) -> int:
    """How often an action could be stopped, each time a report later, until it came to its end."""
    for at in range(1_000):
        try:
            action(stopping(at))
        except Stopped:
            continue
        return at
    raise AssertionError("it never came to its end")


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops report every step, however short."""
    monkeypatch.setattr("lantern_kit.kernel.progress.PACE", 0.0)
    monkeypatch.setattr("lantern_kit.kernel.engine.PACE", 0.0)
    monkeypatch.setattr("lantern_kit.imaging.heard.PACE", 0.0)
    monkeypatch.setattr("lantern_kit.kernel.engine.LOOK_EVERY", 200)


@pytest.fixture
def decided(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> Workspace:
    """Something of everything: a proposal applied without a part, one that waits, an annotation."""
    ws.proposals[proposed(ws, chapter, "It is mine.").id].apply(me)
    proposed(ws, chapter, "Is it?")
    chapter.annotate("Softer.", on=chapter[0].id)
    return ws


# verify


def test_a_check_reports_each_of_its_parts_to_its_end(decided: Workspace) -> None:
    told = everything(decided.verify)
    parts = dict.fromkeys(what for what, _, _ in told)
    assert {"file", "documents", "revisions", "trees", "blobs", "assets", "annotations", "approvals"} <= {*parts}
    count = decided.verify().checked["revisions"]
    last = {what: (done, total) for what, done, total in told}
    assert [what for what, (done, total) in last.items() if done != total] == []
    assert last["revisions"] == (count, count)


def test_a_check_can_be_stopped_at_any_of_its_reports(decided: Workspace) -> None:
    assert stops(decided.verify) > 20
    assert decided.verify().clean


# exports


@pytest.mark.parametrize("to", ["cbz", "pdf", "png", "tiff", "webp"])
def test_an_export_reports_each_page_by_its_name(chapter: ChapterWork, tmp_path: Path, to: str) -> None:
    told = everything(lambda tell: chapter.export(tmp_path / "out", to, dpi=72, progress=tell))
    told = [*dict.fromkeys(told)]
    assert told[:3] == [("Page 1 “One”", 0, 2), ("Page 2 “Two”", 1, 2), ("Page 2 “Two”", 2, 2)]
    writing = {"cbz": [("writing", 0, 2), ("writing", 1, 2), ("writing", 2, 2)], "pdf": [("writing", 0, 1)]}
    assert told[3:] == writing.get(to, [])


@pytest.mark.parametrize("to", ["cbz", "pdf", "png", "tiff"])
def test_a_stopped_export_leaves_the_earlier_files_and_nothing_else(
    chapter: ChapterWork, tmp_path: Path, to: str
) -> None:
    out = tmp_path / "out"
    chapter.export(out, to, dpi=72)
    before = {file.name: file.read_bytes() for file in out.iterdir()}
    with chapter.edit("other words") as edit:
        edit[1].add_frame(rect=(20, 20, 50, 50))
    for at in range(len(everything(lambda tell: chapter.export(tmp_path / "other", to, dpi=72, progress=tell)))):
        with pytest.raises(Stopped):
            chapter.export(out, to, dpi=72, progress=stopping(at))
        assert {file.name: file.read_bytes() for file in out.iterdir()} == before
    chapter.export(out, to, dpi=72)
    assert {file.name: file.read_bytes() for file in out.iterdir()} != before


def test_pictures_of_which_one_cannot_be_written_leave_the_others_as_they_were(
    chapter: ChapterWork, tmp_path: Path
) -> None:
    first, second = chapter.export(tmp_path, "png", dpi=72)
    second.path.unlink()
    second.path.mkdir()
    kept = first.path.read_bytes()
    with pytest.raises(BadInput, match=second.path.name):
        chapter.export(tmp_path, "png", dpi=100)
    assert first.path.read_bytes() == kept
    assert sorted(tmp_path.glob(".*.part")) == []


def test_an_export_on_a_thread_is_stopped_there(chapter: ChapterWork, tmp_path: Path) -> None:
    out = tmp_path / "out"
    reached, go = threading.Event(), threading.Event()

    def tell(what: str, done: int, total: int) -> None:
        reached.set()
        assert go.wait(60)

    job = start(chapter.export, out, to="png", dpi=72, progress=tell)
    assert reached.wait(60)
    job.stop()
    go.set()
    with pytest.raises(Stopped):
        job.result(60)
    assert sorted(out.iterdir()) == []
    assert len(start(chapter.export, out, to="png", dpi=72).result(60)) == 2


# checks


def test_a_check_of_a_chapter_reports_each_page_and_can_be_stopped(chapter: ChapterWork) -> None:
    told = everything(lambda tell: chapter.check(progress=tell))
    assert told == [("Page 1 “One”", 0, 2), ("Page 2 “Two”", 1, 2), ("Page 2 “Two”", 2, 2)]
    assert stops(lambda tell: chapter.check(progress=tell)) == 3


# proposals


def test_a_look_at_a_proposal_can_be_stopped_at_any_of_its_reports(decided: Workspace) -> None:
    waiting = decided.proposals.pending()[0]
    told = everything(lambda tell: waiting.look(progress=tell))
    assert {what for what, _, _ in told} == {"changes", "what people changed", "words"}
    assert stops(lambda tell: waiting.look(progress=tell)) >= 3


def test_an_apply_that_is_stopped_decided_nothing(decided: Workspace, me: UnlockedKey) -> None:
    waiting = decided.proposals.pending()[0]
    chapter = ChapterWork(decided, waiting.facts.chapter)
    waiting.look()
    before = (chapter.moment.id, len(chapter.snapshots()), waiting.facts)
    for at in range(4):
        with pytest.raises(Stopped):
            waiting.apply(me, progress=stopping(at))
        assert (chapter.moment.id, len(chapter.snapshots()), waiting.facts) == before
    told = everything(lambda tell: waiting.apply(me, progress=tell))
    assert told == [("changes", 0, 4), ("merge", 1, 4), ("rules", 2, 4), ("writing", 3, 4)]
    assert decided.verify().clean


def test_a_freeze_that_is_stopped_leaves_the_draft_as_it_was(ws: Workspace, chapter: ChapterWork) -> None:
    draft, head = begin(ws, chapter)
    head = edit(ws, draft, head, [say(balloon(chapter).id, "Mine.")]).moment.revision.number

    def freeze(tell: Progress | None = None) -> Proposal:
        with ws.journal.write() as connection:
            return ws.proposal_service.freeze(connection, draft, head, summary="s", actor=AGENT, progress=tell)[0]

    for at in range(2):
        with pytest.raises(Stopped):
            freeze(stopping(at))
    assert len(ws.proposals.all()) == 0
    assert freeze().id == "p1"


def test_drawing_pages_for_a_certificate_reports_each(decided: Workspace) -> None:
    proposal = decided.proposals["p1"]
    proposal.look()
    told = everything(lambda tell: proposal.certificate(pages=True, progress=tell))
    assert [*dict.fromkeys(told)] == [("Page 1 “One”", 0, 1), ("Page 1 “One”", 1, 1)]
    with pytest.raises(Stopped):
        proposal.certificate(pages=True, progress=stopping(0))


# what is read


def test_a_history_reports_its_revisions_and_can_be_stopped(decided: Workspace, chapter: ChapterWork) -> None:
    told = everything(lambda tell: chapter.history(drafts=True, progress=tell))
    assert told[-1][:2] == (told[-1][0], told[-1][2])
    assert stops(lambda tell: chapter.history(drafts=True, progress=tell)) >= 3


def test_a_stopped_export_of_annotations_leaves_the_earlier_file(
    decided: Workspace, chapter: ChapterWork, tmp_path: Path
) -> None:
    file = chapter.annotations().export(tmp_path / "notes.json")
    before = file.read_bytes()
    chapter.annotate("Darker.", on=chapter[1].id)
    for at in range(3):
        with pytest.raises(Stopped):
            chapter.annotations().export(file, progress=stopping(at))
        assert [item.read_bytes() for item in tmp_path.iterdir() if item.is_file()] == [before]
    chapter.annotations().export(file)
    assert file.read_bytes() != before


# pictures


def photograph() -> bytes:
    """A PNG whose codec reads in many pieces."""
    pixels = np.random.default_rng(1).integers(0, 255, (700, 700, 3), np.uint8)
    return encode_png(pixels)


def test_a_picture_that_is_registered_reports_while_it_is_decoded(ws: Workspace) -> None:
    told = everything(lambda tell: ws.assets.register(photograph(), title="Grain", progress=tell))
    assert told[0] == ("reading", 0, 3)
    assert told[-1] == ("writing", 2, 3)
    assert told.count(("reading", 0, 3)) > 5


def test_a_registration_that_is_stopped_keeps_nothing(ws: Workspace) -> None:
    data = photograph()
    for at in (0, 1, 4):
        with pytest.raises(Stopped):
            ws.assets.register(data, title="Grain", progress=stopping(at))
    assert len(ws.assets.find("Grain")) == 0
    assert list(ws.blobs.names()) == []
    assert stops(lambda tell: ws.assets.register(data, title="Grain", progress=tell)) > 5
    assert len(ws.assets.find("Grain")) == 1


def test_an_error_of_whoever_is_told_is_no_fault_of_the_picture(ws: Workspace) -> None:
    def fail(what: str, done: int, total: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), reporting(fail):
        read(photograph())
    with pytest.raises(BadPicture), reporting(quiet):
        read(photograph()[:9000])


def test_a_large_page_reports_while_it_is_encoded(chapter: ChapterWork, tmp_path: Path) -> None:
    told = everything(lambda tell: chapter.export(tmp_path, "png", dpi=150, progress=tell))
    assert told.count(("Page 1 “One”", 0, 2)) > 2
    with pytest.raises(Stopped):
        chapter.export(tmp_path / "other", "png", dpi=150, progress=stopping(2))
    assert sorted((tmp_path / "other").iterdir()) == []


def test_whoever_is_told_of_a_picture_may_read_another_one(ws: Workspace) -> None:
    read_too: list[int] = []

    def tell(what: str, done: int, total: int) -> None:
        if not read_too:
            read_too.append(decode(photograph()).width)

    with reporting(tell):
        read(photograph())
    assert read_too == [700]


# jobs


def test_jobs_on_one_workspace_go_on_at_once_beside_edits_and_give_what_they_give_alone(
    decided: Workspace, chapter: ChapterWork, tmp_path: Path
) -> None:
    moment = chapter.moment.id
    alone = [report.sha256 for report in chapter.export(tmp_path / "alone", "png", dpi=72)]
    jobs = [start(chapter.export, tmp_path / str(number), "png", dpi=72) for number in range(2)]
    jobs_of_checks = [start(chapter.check), start(decided.verify), start(decided.analysis, in_memory=True)]
    chapter.annotate("Softer.", on=chapter[0].id)
    for job in jobs:
        assert [report.sha256 for report in job.result(60)] == alone
    checks, whole, tables = (job.result(60) for job in jobs_of_checks)
    assert (len(checks), whole.clean, chapter.moment.id) == (len(chapter.check()), True, moment)
    with tables:
        assert tables.execute("SELECT count(*) FROM revisions").fetchone() == (whole.checked["revisions"],)
