"""HistoryView's Python half: what it answers."""

from __future__ import annotations

import base64
import json
import queue
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.store import unit_body
from lantern_kit.comic.work.history import CAUSES
from lantern_kit.kernel.canonical import digest
from lantern_kit.widgets.history import still
from lantern_kit.widgets.history_view import HistoryView
from lantern_kit.workspace import Workspace
from tests.widgets.pasts import Studio, asked, raw, storied

NO_LOOK: dict[str, Any] = {}


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = storied(tmp_path)
    yield made
    made.ws.close()


@pytest.fixture
def view(studio: Studio) -> HistoryView:
    return HistoryView(studio.chapter)


def shown(view: HistoryView, **look: Any) -> list[str]:
    """The rows of a look, newest first."""
    found = asked(view, "rows", look=look, count=200)
    assert "error" not in found, found
    return [row["id"] for row in found["rows"]]


def row(view: HistoryView, revision: str, **look: Any) -> dict[str, Any]:
    return next(item for item in asked(view, "rows", look=look, count=200)["rows"] if item["id"] == revision)


def balloons(studio: Studio) -> list[str]:
    return [next(item.id for item in unit.objects if item.kind == "balloon") for unit in studio.chapter.book.units()]


# rows


def test_everything_that_makes_a_revision_has_words_in_both_languages(root: Path) -> None:
    browser = (root / "widgets" / "src" / "history" / "words.ts").read_text(encoding="utf-8")
    for cause in CAUSES:
        assert re.search(rf'^  cause_{cause}: \["[^"]+", "[^"]+"\],$', browser, re.MULTILINE), cause
        assert {cause in words for words in still.WORDS.values()} == {True}, cause


def test_a_history_says_how_long_it_is_and_what_there_is_to_filter_by(view: HistoryView) -> None:
    told = asked(view, "history", look=NO_LOOK, keep=["r16", "r5", "r9"])
    assert (told["rows"], told["shown"], told["all"], told["head"], told["newest"]) == (16, 20, 20, "r16", 20)
    assert told["actors"] == [["agent", "claude-code", 11], ["person", "mina", 9]]
    assert dict(told["causes"])["changeset"] == 8
    assert told["places"] == {"r16": 4, "r5": 12, "r9": 11}
    assert (told["right"], told["left"]) == (2, 3)
    assert told["title"] == "Lantern in the Fog · chapter 1"


def test_each_row_says_who_did_what_and_what_hangs_on_it(view: HistoryView) -> None:
    applied = row(view, "r11")
    assert (applied["who"], applied["kind"], applied["cause"], applied["line"]) == ("mina", "person", "apply", "")
    verdict, saved = applied["marks"]
    assert (verdict["proposal"], verdict["verdict"], verdict["mode"], verdict["left_out"]) == (
        "p1",
        "apply",
        "merge",
        1,
    )
    assert (saved["kind"], saved["id"]) == ("saved", "s1")
    assert row(view, "r9")["marks"][0] == {
        "kind": "proposal", "id": "p1", "state": "applied", "words": "Softer words on all pages",
    }  # fmt: skip
    assert [row(view, name)["from"] for name in ("r12", "r13", "r15", "r16")] == ["r10", "r11", "r2", "r14"]
    assert row(view, "r16")["head"] is True
    assert [mark["kind"] for mark in row(view, "r18")["marks"]] == ["proposal", "verdict"]


def test_a_long_run_of_one_agent_s_edits_is_one_row_until_it_is_opened(view: HistoryView) -> None:
    folded = row(view, "r8")
    assert folded["run"] == {"first": "r4", "count": 5, "oldest": "r4", "before": "r3", "from": folded["run"]["from"]}
    assert folded["changes"] == 5
    assert "r6" not in shown(view)
    assert {"r4", "r5", "r6", "r7"} <= {*shown(view, opened=[4])}
    assert row(view, "r8", opened=[4])["run"]["count"] == 1
    assert len(shown(view, fold=False)) == 20


def test_rows_come_in_pages_with_the_edges_that_touch_them(view: HistoryView) -> None:
    whole = asked(view, "rows", look=NO_LOOK, count=200)
    page = asked(view, "rows", look=NO_LOOK, start=10, count=4)
    assert [item["id"] for item in page["rows"]] == [item["id"] for item in whole["rows"]][10:14]
    assert page["stamp"] == whole["stamp"]
    heights = [(top, bottom) for _, _, top, bottom, *_ in page["edges"]]
    assert heights
    assert all(top < 28 and bottom > 19 for top, bottom in heights)
    merge = next(edge for edge in whole["edges"] if edge[0] == "merge")
    places = {item["id"]: place for place, item in enumerate(whole["rows"])}
    assert (merge[2], merge[3]) == (2 * places["r11"], 2 * places["r9"])


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        ({"lines": "work"}, ["r16", "r15", "r14", "r13", "r12", "r11", "r10", "r2", "r1"]),
        ({"lines": "drafts"}, ["r20", "r19", "r18", "r17", "r9", "r8", "r3"]),
        ({"actors": ["person:mina"], "causes": ["undo", "redo"]}, ["r13", "r12"]),
        ({"actors": ["agent:claude-code"], "lines": "work"}, []),
        ({"text": "LOUD"}, ["r16", "r14"]),
        ({"text": "softer words on"}, ["r11", "r9"]),
        ({"text": "r14"}, ["r16", "r14"]),
        ({"causes": ["apply", "restore"]}, ["r15", "r11"]),
    ],
)
def test_a_filter_shows_what_goes_through_it(view: HistoryView, look: dict[str, Any], expected: list[str]) -> None:
    assert shown(view, **look) == expected
    told = asked(view, "history", look=look)
    assert (told["all"], told["rows"]) == (20, len(expected))


def test_time_is_a_filter_from_and_before_a_moment(view: HistoryView) -> None:
    since, until = row(view, "r12")["at"], row(view, "r15")["at"]
    assert shown(view, since=since, until=until) == ["r14", "r13", "r12"]


def test_what_touches_a_thing_or_anything_on_a_page_is_found(view: HistoryView, studio: Studio) -> None:
    page, balloon = studio.chapter.book.order[1], balloons(studio)[1]
    assert shown(view, touches=balloon, lines="drafts", fold=False) == ["r18", "r8", "r5"]
    assert shown(view, touches=page, lines="work") == ["r15", "r13", "r12", "r11", "r2"]
    assert asked(view, "rows", look={"touches": "what?"})["error"]["code"] == "bad_input"


def test_things_to_filter_by_are_named_in_the_language_asked_for(view: HistoryView, studio: Studio) -> None:
    units = asked(view, "things")["things"]
    assert [item["name"] for item in units] == ["Page 1", "Page 2", "Page 3"]
    assert asked(view, "things", "zh")["things"][0]["name"] == "第 1 页"
    objects = asked(view, "things", unit=units[0]["id"])["things"]
    assert {"frame 1", "balloon 1"} <= {item["name"] for item in objects}


def test_an_unknown_filter_is_refused(view: HistoryView) -> None:
    assert asked(view, "rows", look={"who": "mina"})["error"]["code"] == "unknown_key"
    assert asked(view, "rows", look={"lines": "both"})["error"]["code"] == "bad_input"


# one revision, and two


def test_a_revision_s_verdict_is_told_with_what_it_left_out_and_whether_the_signature_holds(view: HistoryView) -> None:
    told = asked(view, "revision", revision="r11")
    (proposal,) = told["proposals"]
    (verdict,) = proposal["verdicts"]
    assert (proposal["id"], proposal["draft"], proposal["frozen"]) == ("p1", "d1", "r9")
    assert (verdict["by"], verdict["valid"], verdict["result"]) == ("mina (demo key)", True, "r11")
    assert (verdict["reason"], verdict["compared"]) == ("much better", "r10")
    assert verdict["left_out"][0]["words"] == "Page 3: balloon 1: “Hm.” → “Nobody lit it.”"
    assert verdict["left_out"][0]["reason"] == "keep my silence"
    chinese = asked(view, "revision", "zh", revision="r11")["proposals"][0]["verdicts"][0]
    assert chinese["left_out"][0]["words"].startswith("第 3 页")


def test_a_revision_s_facts_name_its_line_parent_source_and_digests(view: HistoryView, studio: Studio) -> None:
    told = asked(view, "revision", revision="r18")
    assert told["draft"] == {
        "id": "d2", "title": "a joke", "state": "open", "base": "r16", "who": "claude-code", "from_proposal": None,
    }  # fmt: skip
    assert (told["parent"], told["from"]) == ("r17", None)
    then = studio.ws.comics.at(18).revision
    assert (told["digest"], told["chain"]) == (then.document.hex(), then.chain.hex())
    assert asked(view, "revision", revision="r16")["from"] == "r14"
    assert told["faults"] == []


def test_any_two_revisions_are_compared_in_words_page_by_page(view: HistoryView) -> None:
    told = asked(view, "difference", before="r2", after="r9", start=0, count=2)
    assert (told["total"], told["changes"], len(told["units"])) == (3, 3, 2)
    assert told["units"][0]["sentences"] == ["balloon 1: “Hm.” → “Oh!”"]
    rest = asked(view, "difference", before="r2", after="r9", start=2, count=2)
    assert [unit["title"] for unit in rest["units"]] == ["Page 3"]
    unit = rest["units"][0]["unit"]
    one = asked(view, "difference", before="r2", after="r9", unit=unit, start=0, count=5)
    assert one["sentences"] == rest["units"][0]["sentences"]
    chinese = asked(view, "difference", "zh", before="r9", after="r2")
    assert chinese["units"][0]["sentences"] == ["气泡1：“Oh!”→“Hm.”"]
    assert asked(view, "difference", before="r11", after="r13")["total"] == 0


def test_what_begins_the_chapter_is_compared_as_pages_that_came(view: HistoryView) -> None:
    told = asked(view, "difference", before="r1", after="r2")
    assert [(unit["before"], unit["after"]) for unit in told["units"]] == [(False, True)] * 3


def test_a_revision_of_another_chapter_is_refused_everywhere(view: HistoryView, studio: Studio) -> None:
    other = studio.ws.comic("Another").begin_chapter(1, size="A6").moment.id
    head = studio.chapter.moment.id
    asks: list[tuple[str, dict[str, Any]]] = [
        ("revision", {"revision": other}),
        ("difference", {"before": "r1", "after": other}),
        ("check", {"revisions": [other]}),
        ("restoring", {"revision": other}),
        ("restore", {"revision": other, "reason": "no", "expected": head}),
        ("differing", {"revision": other}),
        ("picking", {"revision": other, "things": [balloons(studio)[0]]}),
        ("pick", {"revision": other, "things": [balloons(studio)[0]], "expected": head}),
        ("units", {"source": other}),
        ("thumbs", {"source": other, "units": [studio.chapter.book.order[0]]}),
    ]
    for name, args in asks:
        assert asked(view, name, **args)["error"]["code"] == "not_found", name
    assert asked(view, "revision", revision="what")["error"]["code"] == "bad_input"
    assert studio.chapter.moment.id == head
    assert other not in shown(view, fold=False)


# going back


def test_a_restore_is_told_before_it_is_done_and_needs_a_reason(view: HistoryView, studio: Studio) -> None:
    told = asked(view, "restoring", revision="r11")
    assert (told["head"], told["owner"], told["working"], told["same"]) == ("r16", "mina", True, False)
    assert {unit["title"] for unit in told["units"]} == {"Page 1 “Fog”", "Page 2"}
    assert asked(view, "restore", revision="r11", reason=" ", expected="r16")["error"]["message"].endswith("a reason")
    assert studio.chapter.moment.id == "r16"
    made = asked(view, "restore", revision="r11", reason="both were better", expected="r16")
    assert made == {"revision": studio.chapter.moment.id}
    newest = studio.chapter.history().revisions[0]
    assert (newest.cause, newest.message, newest.actor.name) == ("restore", "both were better", "mina")
    assert studio.chapter.book == studio.ws.comics.at(11).book
    assert row(view, newest.id)["from"] == "r13", "the newest earlier one of that content"


def test_a_restore_of_what_lies_in_a_draft_or_is_there_already_is_told_as_such(view: HistoryView) -> None:
    assert asked(view, "restoring", revision="r18")["working"] is False
    assert asked(view, "restore", revision="r18", reason="x", expected="r16")["error"]["code"] == "not_found"
    assert asked(view, "restoring", revision="r16")["same"] is True


def test_a_restore_decided_on_an_older_head_is_refused_with_what_happened_since(
    view: HistoryView, studio: Studio
) -> None:
    told = asked(view, "restoring", revision="r11")
    with studio.chapter.edit("meanwhile") as edit:
        edit[balloons(studio)[2]].set(text="Psst.")
    error = asked(view, "restore", revision="r11", reason="back", expected=told["head"])["error"]
    assert (error["code"], error["current_revision"]) == ("stale_head", studio.chapter.moment.id)
    assert error["since"][0]["message"] == "meanwhile"
    again = asked(view, "restoring", revision="r11")["head"]
    assert "revision" in asked(view, "restore", revision="r11", reason="back", expected=again)


def test_what_differs_is_listed_by_page_with_names_and_words(view: HistoryView, studio: Studio) -> None:
    told = asked(view, "differing", revision="r9")
    first, second, third = balloons(studio)
    assert [item["thing"] for item in told["things"] if not item["whole"]] == [first, second, third]
    assert [item["thing"] for item in told["things"] if item["whole"]] == list(studio.chapter.book.order)
    assert told["total"] == 6
    words = next(item for item in told["things"] if item["thing"] == second)
    assert (words["name"], words["title"]) == ("balloon 1", "Page 2")
    assert words["words"] == "balloon 1: “Hm.” → “Ah!”"
    page = asked(view, "differing", revision="r9", start=2, count=2)
    assert [item["thing"] for item in page["things"]] == [item["thing"] for item in told["things"]][2:4]


def test_a_pick_takes_one_thing_and_keeps_where_it_is_from(view: HistoryView, studio: Studio) -> None:
    thing = balloons(studio)[2]
    told = asked(view, "picking", revision="r9", things=[thing])
    assert (told["head"], told["comes"], told["goes"]) == ("r16", [], [])
    assert told["units"][0]["sentences"] == ["balloon 1: “Hm.” → “Nobody lit it.”"]
    made = asked(view, "pick", revision="r9", things=[thing], reason="say it", expected="r16")
    newest = studio.chapter.history().revisions[0]
    assert (made["revision"], newest.cause, newest.message) == (newest.id, "pick", "say it · from r9")
    assert row(view, newest.id)["from"] == "r9"
    error = asked(view, "pick", revision="r9", things=[thing], expected="r16")["error"]
    assert error["code"] == "stale_head"


def test_a_pick_says_what_comes_along_and_what_goes(view: HistoryView, studio: Studio) -> None:
    chapter = studio.chapter
    with chapter.edit("a frame with a balloon") as edit:
        frame = edit[0].add_frame(rect=(20, 20, 60, 60))
        said = frame.say("Up.", at=(50, 50))
    full = chapter.moment.id
    with chapter.edit("without it") as edit:
        edit[frame.id].remove()
        edit[0].add_frame(rect=(30, 30, 20, 20))
    told = asked(view, "picking", revision=full, things=[said.id])
    assert told["comes"] == ["Page 1: frame 3"]
    whole = asked(view, "picking", revision=full, things=[chapter.book.order[0]])
    assert len(whole["goes"]) == 1
    listed = {item["thing"]: item for item in asked(view, "differing", revision=full)["things"]}
    assert listed[said.id]["gone"] is True


def test_a_pick_that_does_not_fit_is_explained_and_changes_nothing(view: HistoryView, studio: Studio) -> None:
    chapter = studio.chapter
    with chapter.edit("a spread") as edit:
        spread = edit.add_spread()
    wide = chapter.moment.id
    with chapter.edit("two pages") as edit:
        edit.run("spread.split", spread.id)
    head = chapter.moment.id
    listed = {item["thing"]: item for item in asked(view, "differing", revision=wide)["things"]}
    assert listed[spread.id]["refused"]
    error = asked(view, "picking", revision=wide, things=[spread.id])["error"]
    assert error["code"] == "invalid_document"
    assert error["findings"]
    assert asked(view, "pick", revision=wide, things=[spread.id], expected=head)["error"]["code"] == "invalid_document"
    assert chapter.moment.id == head


def test_undo_redo_and_save_act_on_the_head_that_was_seen(view: HistoryView, studio: Studio) -> None:
    steps = asked(view, "steps")
    assert (steps["head"], steps["undo"], steps["redo"], steps["owner"]) == ("r16", "r15", None, "mina")
    undone = asked(view, "undo", expected="r16")["revision"]
    assert asked(view, "redo", expected="r16")["error"]["code"] == "stale_head"
    assert asked(view, "steps")["redo"] == "r16"
    redone = asked(view, "redo", expected=undone)["revision"]
    assert asked(view, "redo", expected=redone)["error"]["code"] == "wrong_state"
    saved = asked(view, "save", title="the loud one", expected=redone)
    assert saved == {"saved": "s2", "revision": redone}
    assert row(view, redone)["marks"][0]["words"] == "the loud one"
    assert asked(view, "save", title=" ", expected=redone)["error"]["code"] == "bad_input"


def test_what_is_locked_against_agents_is_named_before_a_person_goes_back_over_it(
    view: HistoryView, studio: Studio
) -> None:
    thing = balloons(studio)[0]
    studio.chapter.lock(thing, "this line is done")
    told = asked(view, "restoring", revision="r11")
    assert told["locked"] == [{"name": "Page 1: balloon 1", "reason": "this line is done", "by": "mina"}]
    assert "revision" in asked(view, "restore", revision="r11", reason="all the same", expected="r16")


# damage


def test_a_revision_whose_facts_were_edited_says_so_and_the_others_do_not(studio: Studio) -> None:
    raw(studio.ws, "UPDATE revisions SET message = 'never said' WHERE id = 10")
    view = HistoryView(studio.chapter)
    everyone = [f"r{number}" for number in range(1, 21)]
    assert asked(view, "check", revisions=everyone)["faults"] == {"r10": [{"kind": "facts"}]}
    assert asked(view, "revision", revision="r10")["faults"] == [{"kind": "facts"}]
    assert asked(view, "difference", before="r2", after="r10")["total"] == 1


def test_an_edited_chain_hash_is_the_fault_of_its_own_revision(studio: Studio) -> None:
    raw(studio.ws, "UPDATE revisions SET chain = zeroblob(32) WHERE id = 12")
    view = HistoryView(studio.chapter)
    assert [*asked(view, "check", revisions=["r11", "r12", "r13"])["faults"]] == ["r12"]


def test_edited_change_rows_are_the_fault_of_their_revision(studio: Studio) -> None:
    raw(studio.ws, "UPDATE changes SET after = '\"Boo\"' WHERE revision = 14")
    view = HistoryView(studio.chapter)
    assert asked(view, "check", revisions=["r13", "r14", "r15"])["faults"] == {"r14": [{"kind": "changes"}]}


def test_a_revision_that_cannot_be_read_stands_in_its_place_and_the_rest_works(studio: Studio) -> None:
    raw(studio.ws, "UPDATE revisions SET actor_kind = 'nobody', message = CAST(x'ff' AS TEXT) WHERE id = 10")
    view = HistoryView(studio.chapter)
    assert row(view, "r10")["damage"] == "unreadable"
    assert shown(view, fold=False) == [f"r{number}" for number in range(20, 0, -1)]
    assert asked(view, "revision", revision="r10")["damage"] == "unreadable"
    assert asked(view, "difference", before="r2", after="r9")["total"] == 3
    assert "revision" in asked(view, "undo", expected="r16")
    assert "revision" in asked(view, "restore", revision="r2", reason="x", expected="r21")


def test_a_revision_that_is_missing_is_named_where_it_was(studio: Studio) -> None:
    raw(studio.ws, "DELETE FROM revisions WHERE id = 14")
    view = HistoryView(studio.chapter)
    gone = row(view, "r14")
    assert gone["damage"] == "missing"
    found = asked(view, "rows", look={"fold": False}, count=200)
    trunk = [(edge[2], edge[3]) for edge in found["edges"] if edge[0] == "trunk"]
    places = {item["id"]: place for place, item in enumerate(found["rows"])}
    assert (2 * places["r15"], 2 * places["r14"]) in trunk
    assert (2 * places["r14"], 2 * places["r13"]) in trunk
    assert asked(view, "difference", before="r13", after="r15")["total"] == 2


def test_lost_content_is_said_of_the_revisions_that_need_it_by_page(studio: Studio) -> None:
    page = studio.ws.comics.at(14).book.unit(studio.chapter.book.order[0])
    raw(studio.ws, "UPDATE documents SET body = zeroblob(9) WHERE hash = ?", digest(unit_body(page)))
    with Workspace(studio.ws.path, config=studio.ws.config) as fresh:
        view = HistoryView(fresh.comic("Lantern in the Fog").chapter(1))
        faults = asked(view, "check", revisions=["r13", "r14", "r15"])["faults"]
        assert faults == {"r14": [{"kind": "content", "units": [page.id]}]}
        assert asked(view, "difference", before="r13", after="r14")["error"]["code"] == "corrupt"
        assert asked(view, "difference", before="r13", after="r15")["total"] == 2
        assert asked(view, "restoring", revision="r14")["error"]["code"] == "corrupt"


# live, small, still


def test_a_commit_to_this_chapter_is_told_and_one_elsewhere_is_not(view: HistoryView, studio: Studio) -> None:
    events = told_events(view)
    view.moved()
    assert len(told_events(view)) == 1 and not events
    view.moved()
    assert told_events(view) == []
    other = studio.ws.comic("Another").begin_chapter(1, size="A6")
    before = asked(view, "history")["rows"]
    with other.edit("elsewhere") as edit:
        edit.add_page()
    assert asked(view, "history")["rows"] == before
    studio.chapter.undo()
    view.moved()
    (event,) = told_events(view)
    assert event["stamp"] == asked(view, "history")["stamp"]


def told_events(view: HistoryView) -> list[dict[str, Any]]:
    found = []
    wire: Any = view.comm
    try:
        while True:
            data, _ = wire.sent.get_nowait()
            if data.get("content", {}).get("event") == "moved":
                found.append(data["content"]["data"])
    except queue.Empty:
        return found


def test_what_is_saved_of_it_is_small_and_the_page_can_close_it(view: HistoryView) -> None:
    assert sum(len(str(value)) for value in view.get_state().values()) < 5_000
    view.close()


def test_the_static_form_is_a_drawn_graph_and_a_table_of_the_newest(studio: Studio) -> None:
    studio.live(300, 12)
    view = HistoryView(studio.chapter)
    html = view.picture()
    assert len(html) < 60_000
    assert "<script" not in html and "http" not in html.replace("http://www.w3.org", "")
    assert html.count("<tr>") == 31
    drawn = base64.b64decode(re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", html)[0]).decode()
    assert drawn.count("<path") > 30 and studio.chapter.moment.id in drawn
    assert "run the cell for all" in html
    text = view.text()
    assert text.count("\n") == 31 and studio.chapter.moment.id in text
    chinese = HistoryView(studio.chapter, language="zh")
    assert "修订" in chinese.picture() and "采纳" not in text


def test_the_static_form_of_a_chapter_that_just_began_has_its_one_row(tmp_path: Path) -> None:
    studio = Studio.new(tmp_path, pages=0)
    view = HistoryView(studio.ws.comic("Other").begin_chapter(1, size="A6"))
    assert asked(view, "history")["all"] == 1
    assert "begun" in view.text()
    assert asked(view, "steps")["undo"] is None
    studio.ws.close()


def test_a_page_of_a_long_history_stays_small(tmp_path: Path) -> None:
    studio = Studio.new(tmp_path)
    studio.live(1_000, 40)
    view = HistoryView(studio.chapter)
    for look in (NO_LOOK, {"fold": False}):
        found = asked(view, "rows", look=look, count=60)
        assert len(found["rows"]) == 60
        assert len(json.dumps(found)) < 40_000
    assert len(json.dumps(asked(view, "history"))) < 5_000
    studio.ws.close()


def test_nobody_is_blamed_for_a_parent_that_is_gone(studio: Studio) -> None:
    raw(studio.ws, "DELETE FROM revisions WHERE id = 12")
    view = HistoryView(studio.chapter)
    assert asked(view, "check", revisions=["r11", "r13", "r14"])["faults"] == {}
