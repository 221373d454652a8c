"""Every planted damage is said with its place, what was expected there, and what to do."""

from __future__ import annotations

import json
import sqlite3

import pytest

from lantern_kit.comic.store import unit_body
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.report import Problem, Report
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace, open_workspace
from tests.workspace.test_proposals import balloon, proposed


def raw(ws: Workspace, statement: str, *values: object) -> int:
    with sqlite3.connect(ws.journal.path) as driver:
        count = driver.execute(statement, values).rowcount
    driver.close()
    assert count == 1
    return count


def looked(ws: Workspace) -> Report:
    """A check by a process that has read nothing before."""
    ws.journal.close()
    with open_workspace(ws.path, config=ws.config) as fresh:
        return fresh.verify()


def only(ws: Workspace) -> Problem:
    (problem,) = looked(ws).problems
    assert problem.remedy
    return problem


@pytest.fixture
def decided(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> Workspace:
    """p1 applied, p2 kept, p3 pending."""
    ws.proposals[proposed(ws, chapter, "It is mine.").id].apply(me)
    ws.proposals[proposed(ws, chapter, "Is it?").id].keep(me)
    proposed(ws, chapter, "It is not.")
    assert looked(ws).clean
    return ws


def test_an_edited_revision_is_named_alone_with_both_hashes(decided: Workspace, chapter: ChapterWork) -> None:
    raw(decided, "UPDATE revisions SET message = 'never said' WHERE id = 2")
    problem = only(decided)
    assert (problem.kind, problem.id) == ("revision", "r2")
    assert problem.where == {"lines": (chapter.id,), "revisions": ("r2",)}
    assert len(problem.expected) == len(problem.found) == 64


def test_an_edited_chain_hash_is_the_fault_of_its_own_revision_only(decided: Workspace) -> None:
    raw(decided, "UPDATE revisions SET chain = zeroblob(32) WHERE id = 1")
    problem = only(decided)
    assert (problem.kind, problem.id) == ("revision", "r1")


def test_a_missing_revision_is_named(decided: Workspace) -> None:
    raw(decided, "DELETE FROM revisions WHERE id = 4")
    assert ("revision", "r4") in {(item.kind, item.id) for item in looked(decided).problems}


def test_an_edited_change_row_is_said_with_its_object_property_and_values(
    decided: Workspace, chapter: ChapterWork
) -> None:
    thing, unit = balloon(chapter).id, chapter.book.order[0]
    revision = chapter.moment.id
    raw(
        decided,
        "UPDATE changes SET before = '\"Never.\"' WHERE revision = ? AND object = ? AND property = 'text'",
        int(revision[1:]),
        thing,
    )
    problem = only(decided)
    assert (problem.kind, problem.id, problem.message) == ("change", revision, "a change row is not what was written")
    assert problem.where == {
        "lines": (chapter.id,),
        "revisions": (revision,),
        "units": (unit,),
        "objects": (thing,),
        "properties": ("text",),
    }
    assert problem.expected == '"Is that… mine?" → "It is mine."'
    assert problem.found == '"Never." → "It is mine."'


def test_a_damaged_document_says_which_revisions_and_pages_need_it(decided: Workspace, chapter: ChapterWork) -> None:
    page = chapter.book.unit(chapter.book.order[1])
    name = digest(unit_body(page))
    raw(decided, "UPDATE documents SET body = zeroblob(9) WHERE hash = ?", name)
    (problem,) = [item for item in looked(decided).problems if item.kind == "document"]
    assert problem.where["units"] == (page.id,)
    assert problem.where["revisions"] == tuple(f"r{number}" for number in range(2, 10))
    assert problem.where["lines"] == (chapter.id, "d1", "d2", "d3")
    assert problem.expected == f"SHA-256 {name.hex()}"


def test_a_missing_document_says_who_needs_it(decided: Workspace, chapter: ChapterWork) -> None:
    name = digest(unit_body(chapter[0].model))
    raw(decided, "DELETE FROM documents WHERE hash = ?", name)
    problem = next(item for item in looked(decided).problems if item.message == "it is missing")
    assert problem.id == name.hex()[:16]
    assert problem.where["units"] == (chapter[0].id,)
    assert chapter.moment.id in problem.where["revisions"]


def test_a_damaged_picture_says_which_assets_and_pages_show_it(decided: Workspace, chapter: ChapterWork) -> None:
    (blob,) = decided.blobs.folder.glob("??/*")
    blob.write_bytes(blob.read_bytes()[:-1] + b"x")
    problems = looked(decided).problems
    assert {item.kind for item in problems} == {"blob", "asset"}
    problem = next(item for item in problems if item.kind == "blob")
    image = next(item for item in chapter[0].model.objects if item.kind == "image")
    assert problem.kind == "blob"
    assert problem.where["assets"] == (image.asset,)
    assert problem.where["units"] == (chapter[0].id,)
    assert problem.where["objects"] == (image.id,)
    assert chapter.id in problem.where["lines"]


def test_a_picture_that_is_gone_says_so_too(decided: Workspace, chapter: ChapterWork) -> None:
    (blob,) = decided.blobs.folder.glob("??/*")
    blob.unlink()
    problem = only(decided)
    assert (problem.kind, problem.message) == ("asset", "“Chelsea”: its bytes are missing")
    assert problem.where["units"] == (chapter[0].id,)


def test_an_edited_verdict_is_named_with_its_proposal_and_key(decided: Workspace, me: UnlockedKey) -> None:
    raw(decided, "UPDATE approvals SET reason = 'because' WHERE id = 2")
    problem = only(decided)
    assert (problem.kind, problem.id) == ("approval", "v2")
    assert problem.where == {"proposals": ("p2",), "keys": (me.key,)}


def test_a_verdict_that_is_gone_leaves_its_proposal_and_revision(decided: Workspace, chapter: ChapterWork) -> None:
    raw(decided, "DELETE FROM approvals WHERE id = 1")
    found = {(item.kind, item.id) for item in looked(decided).problems}
    assert {("approval", "v1"), ("approval", chapter.moment.id), ("proposal", "p1"), ("draft", "d1")} <= found


@pytest.mark.parametrize(
    ("proposal", "column", "value"),
    [
        (1, "frozen", 2),
        (1, "base", 1),
        (1, "chapter", "ch_00000000"),
        (1, "summary", "harmless"),
        (1, "units", "[]"),
        (1, "changes", 2),
        (1, "actor", "nobody"),
        (1, "new_findings", '[{"rule": "x"}]'),
        (1, "frozen_at", 7),
        (1, "state", "pending"),
        (1, "decided_at", 7),
        (2, "frozen", 5),
        (2, "summary", "harmless"),
        (2, "state", "applied"),
        (3, "frozen", 2),
        (3, "base", 1),
        (3, "state", "applied"),
        (3, "state", "kept"),
        (3, "draft", 1),
    ],
)
def test_an_edited_proposal_is_named(decided: Workspace, proposal: int, column: str, value: object) -> None:
    raw(decided, f"UPDATE proposals SET {column} = ? WHERE id = ?", value, proposal)
    problems = looked(decided).problems
    assert {(item.kind, item.id) for item in problems} <= {
        ("proposal", f"p{proposal}"),
        ("draft", f"d{proposal}"),
        ("draft", "d1"),
        ("snapshot", "s1"),
    }
    assert any(column.removesuffix("_at") in item.message or "decided" in item.message or "propose" in item.message
               or "find" in item.message or "base" in item.message for item in problems)  # fmt: skip


@pytest.mark.parametrize(
    ("column", "value"),
    [("base", 1), ("chapter", "ch_00000000"), ("actor", "nobody"), ("title", "other"), ("state", "open")],
)
def test_an_edited_draft_is_named(decided: Workspace, column: str, value: object) -> None:
    raw(decided, f"UPDATE drafts SET {column} = ? WHERE id = 1", value)
    assert ("draft", "d1") in {(item.kind, item.id) for item in looked(decided).problems}


def test_a_contract_that_was_widened_after_the_verdict_shows(decided: Workspace) -> None:
    raw(decided, "UPDATE drafts SET contract = '{\"units\":[]}' WHERE id = 1")
    problem = only(decided)
    assert (problem.kind, problem.id) == ("proposal", "p1")
    assert "contract" in problem.message


def test_an_edited_saved_version_is_named(decided: Workspace) -> None:
    raw(decided, "UPDATE snapshots SET title = 'other' WHERE id = 1")
    assert (only(decided).kind, only(decided).id) == ("snapshot", "s1")


@pytest.mark.parametrize(
    ("damage", "kind", "told"),
    [
        ("DELETE FROM snapshots", "snapshot", "no version of it was saved"),
        ("UPDATE snapshots SET actor = 'eve'", "snapshot", "not saved by who decided"),
        ("UPDATE proposals SET state = 'pending', decided_at = NULL WHERE id = 1", "proposal", "its state is not"),
        ("UPDATE proposals SET summary = 'harmless' WHERE id = 1", "proposal", "its summary is not"),
        ("UPDATE drafts SET state = 'open' WHERE id = 1", "draft", "its state is not"),
    ],
)
def test_what_was_done_to_a_decision_is_told_once(decided: Workspace, damage: str, kind: str, told: str) -> None:
    raw(decided, damage)
    problem = only(decided)
    assert problem.kind == kind
    assert told in problem.message


def test_an_edited_conflict_is_named(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    with chapter.edit("my own line") as block:
        block[balloon(chapter).id].set(text="MINE!")
    held.look()
    held.apply(me, mode="merge")
    assert looked(ws).clean
    raw(ws, "UPDATE conflicts SET theirs = '\"other\"' WHERE id = 1")
    problem = only(ws)
    assert (problem.kind, problem.where["conflicts"]) == ("conflict", ("c1",))
    assert problem.where["revisions"] == (chapter.moment.id,)


def test_history_written_anew_with_all_its_hashes_shows_in_the_verdicts(decided: Workspace) -> None:
    """Whoever recomputes every chain hash still lacks the key that signed over them."""
    from lantern_kit.kernel.revision import opening

    with decided.journal.write() as connection:
        history = decided.history
        connection.exec_driver_sql("UPDATE revisions SET message = 'never said' WHERE id = 2")
        lines = {row[0]: row for row in connection.exec_driver_sql("SELECT id, kind, mode, root FROM lines")}
        chains: dict[int | None, bytes] = {None: bytes(32)}
        for number in range(1, 10):
            item = history.revision(connection, number)
            before = chains[item.parent]
            chains[number] = item.link(before if item.seq else opening(lines[item.line], before))
            connection.exec_driver_sql("UPDATE revisions SET chain = ? WHERE id = ?", (chains[number], number))
    problems = looked(decided).problems
    assert problems
    assert all("was signed over" in item.message for item in problems)
    assert problems[0].id == "r2"


# how it is shown


def test_a_report_shows_itself_as_a_table_and_as_data(decided: Workspace) -> None:
    raw(decided, "UPDATE revisions SET message = '<b>never</b>' WHERE id = 2")
    report = looked(decided)
    shown = report._repr_mimebundle_()
    assert "<td" in shown["text/html"]
    assert "r2" in shown["text/html"]
    assert "What to do".lower() in shown["text/html"].lower()
    assert "revision r2: the chain hash does not match" in shown["text/plain"]
    data = json.loads(json.dumps(report.data()))
    assert data["clean"] is False
    assert data["problems"][0]["where"]["revisions"] == ["r2"]
    assert data["problems"][0]["what_to_do"]


def test_a_clean_report_says_so_and_names_who_is_trusted(decided: Workspace) -> None:
    report = looked(decided)
    assert "everything is as it was written" in report._repr_mimebundle_()["text/html"]
    assert "trusted because it was there first: mina" in repr(report)
    assert report.checked["keys"] == 1
    assert report.checked["proposals"] == 3
