"""The kernel's half of a review: what it tells, what it decides, and what it keeps to itself."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.certificate import check_certificate
from lantern_kit.comic.conflicts import ConflictService
from lantern_kit.comic.model import Balloon
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.widgets.proposal_review import ProposalReview
from lantern_kit.widgets.review.verdict import Verdicts
from tests.widgets.reviewing import PASSPHRASE, Studio, asked, studio, verdict


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


def shown(here: Studio, proposal: str) -> ProposalReview:
    return ProposalReview(here.ws.proposals[proposal])


def outcome(panel: ProposalReview, reject: dict[str, str], mode: str | None = None) -> dict[str, Any]:
    return asked(panel, "outcome", {"proposal": panel.proposal, "reject": reject, "mode": mode})


def test_a_review_tells_what_a_person_must_know_in_their_language(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    seen = asked(panel, "review", {"proposal": proposal.id})
    assert (seen["agent"], seen["state"], seen["summary"]) == ("claude-code", "pending", "A better line")
    assert [unit["title"] for unit in seen["units"]] == ["Page 1 “One”", "Page 2 “Two”"]
    assert seen["work"] == "Chelsea Goes Up · chapter 1"
    by_id = {part["id"]: part for part in seen["parts"]}
    said = by_id[made["said"]]
    assert said["needs"] == [made["new"]]
    assert "Up." in said["words"]
    assert said["name"] == "balloon 1"
    (touch,) = seen["touches"]
    assert (touch["by"], touch["name"]) == ("mina", "balloon 1")
    chinese = asked(panel, "review", {"proposal": proposal.id}, language="zh")
    assert [unit["title"] for unit in chinese["units"]] == ["第 1 页“One”", "第 2 页“Two”"]
    assert "说话人" in "".join(part["words"] for part in chinese["parts"])


def test_what_waited_beside_the_draft_is_told_with_how_it_stands_now(here: Studio) -> None:
    draft = here.draft()
    here.edit(draft, here.usual())
    for text in ("Up!", "Down we go."):
        here.offer(draft, text, f"say {text}")
    frozen = here.freeze(draft)
    panel = ProposalReview(here.ws.proposals[frozen.id])
    told = asked(panel, "review", {"proposal": frozen.id})["beside"]
    assert told == [
        {"id": "cd1", "task": "say Up!", "agent": "claude-code", "state": "waiting"},
        {"id": "cd2", "task": "say Down we go.", "agent": "claude-code", "state": "waiting"},
    ]
    here.chapter.candidates()["cd1"].adopt()
    told = asked(panel, "review", {"proposal": frozen.id})["beside"]
    assert [item["state"] for item in told] == ["adopted", "stale"]


def test_pages_are_told_in_the_order_they_are_read_also_those_that_come_and_go(here: Studio) -> None:
    proposal, made = here.proposed([
        {"op": "unit.add", "as": "last", "args": {"kind": "page", "name": "Four"}},
        {"op": "unit.remove", "target": here.page(1)},
        {"op": "balloon.set", "target": here.balloon().id, "args": {"text": "It is mine."}},
    ])  # fmt: skip
    panel = shown(here, proposal.id)
    units = asked(panel, "review", {"proposal": proposal.id})["units"]
    assert [(item["before"], item["after"]) for item in units] == [(True, True), (False, True), (True, False)]
    assert [item["unit"] for item in units] == [here.page(0), made["last"], here.page(1)]


def test_rejecting_takes_along_what_cannot_stand_without_it(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    found = outcome(panel, {made["new"]: "too crowded"})
    assert found["rejected"] == [
        {"id": made["new"], "because": ""},
        {"id": made["said"], "because": made["new"]},
    ]
    assert found["left"] == 2
    assert found["modes"] == ["plain"]


def test_the_source_of_an_outcome_is_drawn_as_exactly_what_would_land(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    found = outcome(panel, {made["new"]: ""})
    book = panel.book_of(found["source"])
    assert made["new"] not in book.unit(here.page(1)).index
    done = verdict(panel, proposal.id, "apply", reject={made["new"]: ""})
    assert done["state"] == "applied"
    assert here.chapter.book == book
    with pytest.raises(NotFound, match="too long ago"):
        panel.book_of("taking:0000")


def test_regions_say_where_a_page_looks_different_and_through_what(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    base, frozen = f"r{proposal.base}", f"r{proposal.frozen}"
    found = asked(panel, "regions", {"source": frozen, "against": base, "unit": here.page(1)})
    (region,) = found["regions"]
    left, top, wide, tall = region["box"]
    assert (left, top) < (20, 20) < (left + wide, top + tall)
    assert left + wide > 80
    assert region["n"] == 1
    assert {made["new"], made["said"]} <= {*region["objects"]}
    assert 0 < region["share"] == found["changed"] < 1
    assert found["more"] == 0
    same = asked(panel, "regions", {"source": base, "against": base, "unit": here.page(1)})
    assert same == {"regions": [], "more": 0, "changed": 0}
    kept = outcome(panel, {made["new"]: ""})["source"]
    asked_of = {"source": kept, "against": base, "unit": here.page(1)}
    assert asked(panel, "regions", asked_of)["regions"] == []


def test_what_an_overwrite_would_undo_is_named_with_whose_it_is(here: Studio) -> None:
    proposal, _ = here.proposed()
    here.say("My own joke.")
    panel = shown(here, proposal.id)
    found = outcome(panel, {})
    assert found["modes"] == ["merge", "overwrite"]
    (unit,) = found["overwritten"]
    assert unit["title"] == "Page 1 “One”"
    assert "My own joke." in "".join(unit["sentences"])
    assert [item["by"] for item in unit["by"]] == ["mina"]
    assert unit["by"][0]["message"] == "my own words"
    (conflict,) = found["conflicts"]
    assert "My own joke." in conflict["ours"][0]
    assert "It is mine." in conflict["theirs"][0]
    over = outcome(panel, {}, "overwrite")
    assert over["conflicts"] == []
    assert panel.book_of(over["source"]).unit(here.page()).index[here.balloon().id].text == "It is mine."


def test_an_overwrite_undoes_nothing_that_it_does_not_touch(here: Studio) -> None:
    proposal, _ = here.proposed()
    here.say("Another page.", 2)
    assert outcome(shown(here, proposal.id), {})["overwritten"] == []
    here.say("My own joke.")
    frame = here.frame()
    with here.chapter.edit("a border") as edit:
        edit[frame.id].set(border={"width": 2.0, "colour": "#ff0000"})
    found = outcome(shown(here, proposal.id), {here.balloon().id: "keep mine"})
    assert found["modes"] == ["plain"], "nothing that is taken met anything"
    found = outcome(shown(here, proposal.id), {f"{here.balloon().id}.text": "keep mine"})
    assert found["modes"] == ["merge", "overwrite"]
    assert found["overwritten"] == [], "by parts, an overwrite leaves the rest of the page as it is"


def test_a_lock_is_named_and_stands_in_nobody_s_way_once_its_part_is_left_out(here: Studio) -> None:
    proposal, made = here.proposed()
    here.chapter.lock(here.balloon().id, "the joke is settled")
    panel = shown(here, proposal.id)
    (lock,) = outcome(panel, {})["locks"]
    assert (lock["by"], lock["reason"], lock["name"]) == ("mina", "the joke is settled", "balloon 1")
    assert verdict(panel, proposal.id, "apply")["error"]["code"] == "locked"
    assert outcome(panel, {here.balloon().id: "it is locked"})["locks"] == []
    assert verdict(panel, proposal.id, "apply", reject={here.balloon().id: "it is locked"})["state"] == "applied"
    assert made["said"] in here.chapter.book.unit(here.page(1)).index


def test_new_faults_are_those_of_the_outcome(here: Studio) -> None:
    long = "This is far too much to say for so small a balloon, and it goes on and on and on without an end. " * 6
    proposal, _ = here.proposed([
        {"op": "balloon.set", "target": here.balloon().id, "args": {"text": long, "speaker": "Luna"}},
    ])  # fmt: skip
    panel = shown(here, proposal.id)
    seen = asked(panel, "review", {"proposal": proposal.id})
    assert {item["object"] for item in seen["faults"] if item["state"] == "new"} == {here.balloon().id}
    assert outcome(panel, {})["faults"] == seen["faults"]
    chinese = asked(panel, "review", {"proposal": proposal.id}, language="zh")["faults"]
    assert any("文字放不下" in item["message"] for item in chinese)
    assert outcome(panel, {f"{here.balloon().id}.text": "too long"})["faults"] == []


def test_rejecting_everything_is_refused_with_what_to_do_instead(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    everything = dict.fromkeys([here.page(0), here.page(1)], "no")
    for refused in (outcome(panel, everything), verdict(panel, proposal.id, "apply", reject=everything)):
        assert refused["error"]["code"] == "bad_input"
        assert "Discard" in refused["error"]["recovery"]
    assert here.ws.proposal_service.get(proposal.id).state == "pending"


# verdicts


def test_an_apply_is_signed_saved_and_told(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    done = verdict(panel, proposal.id, "apply", reject={made["new"]: "too crowded"}, reason="the line is better")
    assert done == {"verdict": "v1", "state": "applied", "revision": here.chapter.moment.id, "saved": "s1"}
    seen = asked(panel, "review", {"proposal": proposal.id})
    (told,) = seen["verdicts"]
    assert told["objection"] == ""
    assert (told["reviewer"], told["verdict"], told["saved"]) == ("mina", "apply", "s1")
    assert [(item["reason"], item["because"]) for item in told["rejected"]] == [
        ("too crowded", ""),
        ("too crowded", made["new"]),
    ]
    assert here.ws.verify().clean


def test_a_discard_needs_a_reason_and_a_keep_leaves_it_to_be_decided(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    assert verdict(panel, proposal.id, "discard")["error"]["code"] == "bad_input"
    assert verdict(panel, proposal.id, "keep", reason="later")["state"] == "kept"
    assert verdict(panel, proposal.id, "discard", reason="no")["state"] == "discarded"
    assert verdict(panel, proposal.id, "apply")["error"]["code"] == "wrong_state"


def test_one_press_decides_once_even_if_its_message_comes_twice(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    first = verdict(panel, proposal.id, "keep", ticket="one-press", seen=0)
    again = verdict(panel, proposal.id, "keep", ticket="one-press", seen=0)
    assert first == again
    assert len(asked(panel, "review", {"proposal": proposal.id})["verdicts"]) == 1


def test_of_two_who_looked_at_the_same_only_one_decides(here: Studio) -> None:
    proposal, _ = here.proposed()
    one, two = shown(here, proposal.id), shown(here, proposal.id)
    assert verdict(one, proposal.id, "keep", seen=0)["state"] == "kept"
    refused = verdict(two, proposal.id, "keep", seen=0)["error"]
    assert refused["code"] == "wrong_state"
    assert "keep by mina" in refused["message"]
    assert len(asked(two, "review", {"proposal": proposal.id})["verdicts"]) == 1


@pytest.mark.parametrize("what", ["keep", "apply", "discard"])
def test_of_two_processes_that_decide_at_once_one_finds_what_the_other_decided(
    here: Studio, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    proposal, _ = here.proposed()
    checks = Verdicts._require_as_seen

    def overtaken(self: Verdicts, review: Any, args: Any) -> None:
        checks(self, review, args)  # nobody has decided yet
        with here.other() as other:
            other.proposals[proposal.id].keep(other.reviewer("mina"), reason="I was faster.")

    monkeypatch.setattr(Verdicts, "_require_as_seen", overtaken)
    review = ProposalReview("p1", here.ws)
    refused = verdict(review, proposal.id, what, reason="Slower.")
    assert refused["error"]["code"] == "wrong_state"
    assert "keep by mina" in refused["error"]["message"]
    assert [item.reason for item in here.ws.proposal_service.review("p1").approvals] == ["I was faster."]
    review.close()


def test_verdicts_that_were_seen_and_are_gone_are_looked_at_again(here: Studio) -> None:
    here.proposed()
    review = ProposalReview("p1", here.ws)
    refused = verdict(review, "p1", "keep", seen=3)
    assert (refused["error"]["code"], refused["error"]["found"]) == ("wrong_state", "0 verdicts")
    review.close()


def test_a_work_that_moved_on_is_looked_at_again_before_a_verdict(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    seen = asked(panel, "review", {"proposal": proposal.id})
    here.say("Another page.", 2)
    refused = verdict(panel, proposal.id, "apply", compared=seen["compared"])["error"]
    assert refused["code"] == "stale_head"
    stands = asked(panel, "standing", {"proposal": proposal.id, "since": seen["compared"]})
    (step,) = stands["since"]
    assert (step["by"], step["message"], step["units"]) == ("mina", "my own words", ["Page 3 “Three”"])
    assert verdict(panel, proposal.id, "apply")["state"] == "applied"


def test_a_damaged_workspace_is_decided_on_by_nobody(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    assert asked(panel, "sound") == {"clean": True, "damages": [], "count": 0}
    with sqlite3.connect(here.folder / "ws" / "journal.sqlite") as file:
        file.execute("UPDATE revisions SET message = 'forged' WHERE id = 1")
    assert "备份" in asked(panel, "sound", language="zh")["damages"][0]["remedy"]
    sound = asked(panel, "sound")
    assert not sound["clean"]
    assert "chain hash" in sound["damages"][0]["message"]
    for what in ("apply", "keep", "discard"):
        refused = verdict(panel, proposal.id, what, reason="so it is")["error"]
        assert refused["code"] == "corrupt"
        assert refused["damages"][0]["id"] == "r1"
        assert refused["recovery"]
    assert here.ws.proposal_service.get(proposal.id).state == "pending"


def test_reasons_that_are_too_long_are_refused_before_anything_else(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    assert "1,000" in verdict(panel, proposal.id, "keep", reason="x" * 1_001)["error"]["message"]
    refused = verdict(panel, proposal.id, "apply", reject={made["new"]: "x" * 401})["error"]
    assert "400" in refused["message"]
    assert here.ws.proposal_service.get(proposal.id).state == "pending"


# afterwards


def test_a_verdict_is_written_as_a_file_that_another_machine_can_check(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    verdict(panel, proposal.id, "apply")
    made = asked(panel, "export", {"proposal": proposal.id, "verdict": "v1"})
    assert made == {"file": f"exports/{proposal.id}-v1.json"}
    text = (here.folder / "ws" / made["file"]).read_text(encoding="utf-8")
    assert check_certificate(text, here.ws.deciding().key).sound
    lost = asked(panel, "export", {"proposal": proposal.id, "verdict": "../v1"})
    assert lost["error"]["code"] == "not_found"


def test_a_kept_conflict_is_settled_by_a_choice_of_what_was_looked_at(here: Studio) -> None:
    proposal, _ = here.proposed()
    here.say("My own joke.")
    panel = shown(here, proposal.id)
    assert verdict(panel, proposal.id, "apply", mode="merge")["state"] == "applied"
    seen = asked(panel, "review", {"proposal": proposal.id})
    (conflict,) = seen["conflicts"]
    assert (conflict["state"], conflict["standing"], conflict["name"]) == ("open", "kept", "balloon 1")
    assert "It is mine." in conflict["would"][0]
    choice = {"proposal": proposal.id, "conflict": conflict["id"], "choice": "theirs", "compared": seen["compared"]}
    here.say("Another page.", 2)
    assert asked(panel, "settle", choice)["error"]["code"] == "stale_head"
    choice["compared"] = here.chapter.moment.revision.number
    assert asked(panel, "settle", choice)["revision"] == here.chapter.moment.id
    assert here.balloon().text == "It is mine."
    (settled,) = asked(panel, "review", {"proposal": proposal.id})["conflicts"]
    assert (settled["state"], settled["by"]) == ("theirs", "mina")
    assert asked(panel, "settle", {**choice, "compared": choice["compared"] + 1})["error"]["code"] == "wrong_state"
    assert ConflictService(here.ws.comics).of_chapter(here.chapter.id) == []


def test_the_next_proposal_that_waits_is_offered_and_opened(here: Studio) -> None:
    first, _ = here.proposed()
    second, _ = here.proposed([{"op": "balloon.set", "target": here.balloon(2).id, "args": {"text": "Higher."}}])
    panel = shown(here, first.id)
    verdict(panel, first.id, "keep")
    offered = asked(panel, "review", {"proposal": first.id})["next"]
    assert (offered["proposal"], offered["waiting"]) == (second.id, 1)
    asked(panel, "open", {"proposal": offered["proposal"]})
    assert panel.proposal == second.id
    assert panel.comm.state["proposal"] == second.id


# showing


def test_a_review_is_made_of_a_proposal_or_of_its_id_and_workspace(here: Studio) -> None:
    proposal, _ = here.proposed()
    assert ProposalReview(proposal.id, here.ws).proposal == proposal.id
    with pytest.raises(BadInput, match="which workspace"):
        ProposalReview(proposal.id)
    with pytest.raises(NotFound):
        ProposalReview("p99", here.ws)


def test_the_static_form_holds_the_words_and_both_pictures_in_sixty_kilobytes(here: Studio) -> None:
    proposal, _ = here.proposed()
    for language, word in (("en", "New faults"), ("zh", "新问题")):
        html = ProposalReview(here.ws.proposals[proposal.id], language=language).picture()
        assert html.count("data:image/jpeg") == 2
        assert "It is mine." in html
        assert word in html
        assert len(html.encode()) <= 60_000
    assert "It is mine." in shown(here, proposal.id).text()


def test_the_static_form_of_a_large_proposal_stays_small(here: Studio) -> None:
    operations = [
        {"op": "balloon.add", "target": here.page(2), "args": {"text": f"Line {number} <b>{'x' * 50}", "at": [50, 50]}}
        for number in range(400)
    ]
    proposal, _ = here.proposed(operations)
    html = shown(here, proposal.id).picture()
    assert len(html.encode()) <= 60_000
    assert "Line 3 &lt;b&gt;" in html
    assert "and more" in html


def test_four_hundred_parts_are_told_and_weighed_at_once(here: Studio) -> None:
    operations = [
        {"op": "balloon.add", "target": here.page(2), "args": {"text": f"Line {number}", "at": [50, 50]}}
        for number in range(400)
    ]
    proposal, _ = here.proposed(operations)
    panel = shown(here, proposal.id)
    seen = asked(panel, "review", {"proposal": proposal.id})
    assert len(seen["parts"]) == 400
    assert len(json.dumps(seen).encode()) < 400_000
    left = [part["id"] for part in seen["parts"][:-1]]
    found = outcome(panel, dict.fromkeys(left, ""))
    assert found["left"] == 1
    balloons = [item for item in panel.book_of(found["source"]).unit(here.page(2)).objects if isinstance(item, Balloon)]
    assert len(balloons) == 2


def test_what_is_saved_of_a_review_names_it_and_nothing_else(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    verdict(panel, proposal.id, "apply", hold=True)
    state = json.dumps(panel.get_state(), default=str)
    assert len(state) < 5_000
    for word in (PASSPHRASE, "It is mine.", str(here.folder)):
        assert word not in state
