from __future__ import annotations

import pytest

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput
from lantern_kit.mcp_server.novel_profile import NOVEL, READING
from lantern_kit.mcp_server.server import Face, scopes_for
from lantern_kit.mcp_server.tools import listed_tools
from lantern_kit.novel.capabilities import CAPABILITIES
from lantern_kit.novel.capabilities.shapes import read_as
from lantern_kit.novel.model import Reason, Status, UnitState
from lantern_kit.workspace import open_workspace
from tests.novel.capabilities.conftest import Place, Refused
from tests.novel.capabilities.host import Scripted
from tests.novel.stage import text

KINDS = [
    "outline-create",
    "write-unit",
    "write-unit",
    "chapter-complete",
    "write-unit",
    "write-unit",
    "chapter-complete",
    "finish",
    "completed",
]


def test_a_novel_is_written_from_request_to_end_by_tools_alone(place: Place) -> None:
    assert place.host().all() == KINDS
    novel = place.novel
    assert novel.head.run.status is Status.COMPLETED
    assert novel.head.commits == 4
    assert place.ws.verify().clean


def test_the_brief_tells_an_author_which_tools_do_the_work(place: Place) -> None:
    host = place.host()
    work = host.next()
    assert "outline_create" in work["brief"]
    host.do(work)
    work = host.next()
    assert "unit_claim" in work["brief"] and "body_commit" in work["brief"]


def test_a_host_that_lost_its_context_reads_its_work_again_and_ends_it(place: Place) -> None:
    place.ws.novel_service.find(place.novel.head.id)
    host = place.host()
    for _ in range(2):
        host.do(host.next())
    told = host.next()
    token = host.claim(told)["token"]
    status = host.call("status_read")
    found = {"unit": status["work"]["unit"], "intent": status["work"]["intent"], **status["versions"]}
    assert {name: found[name] for name in ("unit", "intent", "outline", "watermark", "content")} == {
        name: told[name] for name in ("unit", "intent", "outline", "watermark", "content")
    }
    again = host.claim(found)
    assert (again["token"], again["scene"]["goal"]) == (token, "goal 1.2")
    assert (
        host.call("requirements_read")["instructions"][0]["text"]
        == place.novel.instructions[next(iter(place.novel.instructions))].text
    )
    assert host.call("outline_read", part="story")["rows"][0]["style"]
    foreshadows = host.call("facts_read", kinds=["foreshadows"])["rows"]
    assert [item["state"] for item in foreshadows] == ["planted"]
    assert host.call("body_read")["units"][0]["paragraphs"] == text(1)
    assert host._write_unit(found | {"chapter": told["chapter"]})["commit"]


def test_without_work_that_was_asked_for_nobody_writes(place: Place) -> None:
    host = place.host()
    with pytest.raises(Refused) as refused:
        host._outline_create({})
    assert refused.value.code == "novel_ownership"
    assert refused.value.payload["next_tool"] == "status_read"
    assert place.novel.head.outline_revision == 0


def test_a_second_author_is_refused_while_the_first_is_there_and_may_read(place: Place) -> None:
    first, second = place.host(), place.host("codex", "s")
    first.next()
    for deed in (second.next, lambda: second._outline_create({})):
        with pytest.raises(Refused) as refused:
            deed()
        assert refused.value.code == "novel_ownership"
    assert second.call("status_read")["author"] == "claude-code"


def test_the_deed_that_ends_a_work_ends_the_turn(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    work = host.next()
    host.do(work)
    with pytest.raises(Refused) as refused:
        host.claim(work)
    assert refused.value.code == "novel_stale_unit"
    assert refused.value.payload["next_tool"] == "next_work"


def test_a_commit_that_is_retried_with_its_key_is_answered_from_its_receipt(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    work = host.next()
    claimed = host.claim(work)
    asked = {
        "unit": work["unit"],
        "token": claimed["token"],
        "paragraphs": ["Mira waits."],
        "scene": {"done": True, "evidence": "it is"},
        "facts": {},
        "idempotency_key": "once",
    }
    first = host.call("body_commit", **asked)
    assert host.call("body_commit", **asked) == first
    with pytest.raises(Refused) as refused:
        host.call("body_commit", **{**asked, "paragraphs": ["Mira goes."]})
    assert refused.value.code == "idempotency_conflict"
    with pytest.raises(Refused) as refused:
        host.call("body_commit", **{**asked, "paragraphs": ["Mira goes."], "idempotency_key": "twice"})
    assert refused.value.code == "novel_duplicate_commit"
    assert host.call("body_commit", **{**asked, "idempotency_key": "thrice"})["commit"] == first["commit"]
    assert place.novel.head.commits == 1


def test_a_commit_that_is_sent_again_after_others_is_answered_as_it_was(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    work = host.next()
    asked = {
        "unit": work["unit"],
        "token": host.claim(work)["token"],
        "paragraphs": ["Mira waits."],
        "scene": {"done": True, "evidence": "it is"},
        "facts": {},
    }
    first = host.call("body_commit", **asked, idempotency_key="once")
    host.do(host.next())
    host.next()
    assert place.novel.head.characters > first["total"] == first["characters"]
    assert host.call("body_commit", **asked, idempotency_key="again") == first


def test_what_was_done_is_answered_with_where_it_lies_and_from_where_on_it_shows(place: Place) -> None:
    host = place.host()
    planned = host.do(host.next())
    (begun,) = place.novel.instructions
    assert planned["effective"] == {begun: "next unit"}
    for _ in range(2):
        host.do(host.next())
    completed = host.do(host.next())
    assert completed["revision"] == place.ws.novel_service.head(place.novel.head.id).id


LISTS = [("outline_revise", "outcomes"), ("body_commit", "facts"), ("chapter_complete", "open_ends")]


@pytest.mark.parametrize(("tool", "name"), LISTS)
def test_an_author_who_has_nothing_to_list_says_so(place: Place, tool: str, name: str) -> None:
    """A list may be empty; it may not be left out, for then nobody knows whether it was forgotten (seed 004, 10.4)."""
    (listed,) = (item for item in listed_tools(NOVEL, CAPABILITIES) if item.name == tool)
    schema = listed.input_schema
    usual = {"string": "x", "integer": 0, "array": [], "object": {}}
    asked = {key: usual[schema["properties"][key]["type"]] for key in schema["required"]}
    assert asked.pop(name) in ([], {})
    with pytest.raises(Refused) as refused:
        place.host().call(tool, **asked)
    assert [item["field"] for item in refused.value.payload["problems"]] == [name]


def test_one_key_at_two_novels_of_a_workspace_means_two_requests(place: Place) -> None:
    first = place.host()
    other = Place.caller(place)
    work = first.next()
    place.id = place.begin("The Door")
    second = place.host()
    assert second.next()["intent"] != work["intent"]
    assert other("status_read")["title"] == "The Lamp"


def test_asking_again_without_having_worked_counts_as_a_turn_without_progress_and_pauses_in_the_end(
    place: Place,
) -> None:
    place.ann.configure(limits={**place.novel.config.limits.model_dump(), "stalled": 2})
    host = place.host()
    assert host.next()["intent"] == host.next()["intent"]
    told = host.next()
    assert told["reason"] == Reason.STALLED.value
    assert "resume" in told
    assert place.novel.head.run.status is Status.PAUSED


def test_a_unit_that_was_claimed_and_not_committed_is_given_back_with_its_turn(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    work = host.next()
    token = host.claim(work)["token"]
    again = host.next()
    assert again["unit"] == work["unit"]
    with pytest.raises(Refused) as refused:
        host.call(
            "body_commit",
            unit=work["unit"],
            token=token,
            paragraphs=["Too late."],
            scene={"done": True, "evidence": "it is"},
            facts={},
            idempotency_key="late",
        )
    assert refused.value.code == "novel_stale_unit"
    assert host.do(again)["scene_done"] is True


def test_an_instruction_comes_before_the_next_unit_and_pushes_an_unclaimed_one_aside(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    work = host.next()
    place.ann.instruct("Let it rain.", message="m1")
    with pytest.raises(Refused) as refused:
        host.claim(work)
    assert refused.value.code in {"novel_stale_unit", "novel_revision_conflict"}
    work = host.next()
    assert (work["kind"], work["why"]) == ("outline-revise", "instructions")
    assert "Let it rain." in work["brief"]
    host.do(work)
    assert host.next()["kind"] == "write-unit"


def test_a_pause_lets_the_claimed_unit_end_and_gives_no_other(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    work = host.next()
    token = host.claim(work)["token"]
    place.ann.pause()
    host.call(
        "body_commit",
        unit=work["unit"],
        token=token,
        paragraphs=["The last one."],
        scene={"done": True, "evidence": "it is"},
        facts={},
        idempotency_key="last",
    )
    told = host.next()
    assert told["reason"] == "requested"
    assert place.novel.head.commits == 1


def test_an_instruction_against_what_is_written_is_blocked_with_its_place(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    commit = host.do(host.next())["commit"]
    taken = place.ann.instruct("It was never dark.", message="m1")[1]
    work = host.next()
    told = host.call(
        "requirement_block",
        instruction=taken.id,
        reason="it went dark",
        sources=[f"{commit}:0"],
        expected_outline=work["outline"],
        idempotency_key="block",
    )
    assert told == {"blocked": taken.id, "status": "paused"}
    assert host.next()["reason"] == "requirement-conflict"


def test_a_host_that_cannot_count_tokens_is_refused_a_novel_that_limits_them(place: Place) -> None:
    place.ann.configure(limits={**place.novel.config.limits.model_dump(), "tokens": 1_000})
    with pytest.raises(Refused) as refused:
        place.host().next()
    assert refused.value.code == "novel_capability"


def test_closing_gives_the_seat_back_with_what_was_begun(place: Place) -> None:
    with open_workspace(place.ws.path) as ws:
        host = Scripted(place.caller(ws=ws))
        host.do(host.next())
        work = host.next()
        host.claim(work)
    assert place.ws.novel_service.authors.holder(place.id) == ""
    assert place.novel.unit(work["unit"]).state is UnitState.PREPARED
    assert place.host("codex", "c").all()[-1] == "completed"


def test_a_halt_gives_the_seat_back_so_that_nobody_is_kept_out(place: Place) -> None:
    host = place.host()
    host.next()
    place.ann.pause()
    assert host.next()["reason"] == "requested"
    assert place.ws.novel_service.authors.holder(place.id) == ""
    place.ann.resume()
    assert place.host("codex", "c").all()[-1] == "completed"


def test_a_server_that_only_reads_lists_no_deed_and_says_so_first(place: Place) -> None:
    reads = scopes_for(read_only=True)
    dispatcher = place.ws.novel_dispatcher(place.id)
    face = Face(dispatcher, NOVEL, scopes=reads)
    listed = {tool.name for tool in listed_tools(NOVEL, dispatcher.capabilities, reads)}
    assert listed == {tool.name for tool in READING}
    assert (face.server().instructions or "").startswith("This server only reads")
    result = face.call("next_work", {"idempotency_key": "k"}, Actor.agent("bot"), scopes=reads)
    assert result.is_error
    assert place.novel.head.spent.turns == 0


@pytest.mark.parametrize("at", [True, 0.0])
def test_a_fact_stands_in_a_paragraph_by_its_whole_number(at: object) -> None:
    assert read_as("facts", {"events": [{"what": "The lamp is lit.", "at": 0}]}).events[0].at == 0
    with pytest.raises(BadInput):
        read_as("facts", {"events": [{"what": "The lamp is lit.", "at": at}]})
