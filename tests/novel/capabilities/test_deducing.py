from __future__ import annotations

from typing import Any

import pytest

from tests.novel.capabilities.conftest import Place, Refused
from tests.novel.capabilities.host import Scripted


def begun(place: Place) -> tuple[Scripted, list[str]]:
    """A host with a unit to write, and the ids of Mira and Tom."""
    host = place.host()
    host.do(host.next())
    host.next()
    return host, list(place.novel.people)


def brief(host: Scripted, **arguments: Any) -> dict[str, Any]:
    """Ask for briefs."""
    return host.call("deduce", action="brief", idempotency_key=host.key(), **arguments)


def record(host: Scripted, **arguments: Any) -> dict[str, Any]:
    """Hand answers in."""
    return host.call("deduce", action="record", idempotency_key=host.key(), **arguments)


def test_a_host_has_its_own_sub_agents_act_and_hands_in_what_they_did(place: Place) -> None:
    host, (mira, tom) = begun(place)
    told = brief(host, people=[mira, tom], situation="The lamp is out.", question="What now?")
    assert [item["person"] for item in told["briefs"]] == [mira, tom]
    assert all("The lamp is out." in item["brief"] and "What now?" in item["brief"] for item in told["briefs"])
    answers = [{"person": mira, "answer": "I run."}, {"person": tom, "answer": "I wait."}]
    made = record(host, deduction=told["deduction"], answers=answers)
    assert made["candidate"] is True
    again = brief(host, deduction=told["deduction"])
    assert again["round"] == 2
    assert all("I run." in item["brief"] for item in again["briefs"])
    record(host, deduction=told["deduction"], answers=answers)
    with pytest.raises(Refused) as refused:
        brief(host, deduction=told["deduction"])
    assert refused.value.code == "bad_input", "there are as many rounds as the novel allows"
    assert place.novel.head.spent.deductions == 1
    assert host.call("facts_read")["rows"][0]["fact"] == "foreshadows", "nothing became true"


def test_a_person_is_told_what_that_one_knows_and_no_secret_of_another(place: Place) -> None:
    host = place.host()
    host.do(host.next())
    mira, tom = place.novel.people
    work = host.next()
    claimed = host.claim(work)
    host.call(
        "body_commit",
        unit=work["unit"],
        token=claimed["token"],
        paragraphs=["Mira finds the key.", "Tom sees nothing of it."],
        scene={"done": True, "evidence": "it is"},
        facts={
            "knowledge": [{"who": mira, "what": "the key is under the stair", "at": 0}],
            "events": [{"what": "the door shut", "people": [tom], "at": 1}],
            "states": [{"person": tom, "aspect": "place", "value": "the pier", "at": 1}],
            "relations": [{"person": mira, "to": tom, "what": "does not trust him", "at": 0}],
        },
        idempotency_key=host.key(),
    )
    host.next()
    told = {item["person"]: item["brief"] for item in brief(host, people=[mira, tom], situation="Night.")["briefs"]}
    assert "the key is under the stair" in told[mira] and "the key is under the stair" not in told[tom]
    assert "does not trust him" in told[mira] and "does not trust him" not in told[tom]
    assert "the door shut" in told[tom] and "the pier" in told[tom]
    for words in ("It burns again.", "event 2", "the key\n", "goal 1.1"):
        assert all(words not in text for text in told.values()), "neither outline nor foreshadows"


def test_a_round_with_a_failure_is_none_and_after_a_few_the_novel_pauses(place: Place) -> None:
    host, (mira, tom) = begun(place)
    told = brief(host, people=[mira, tom], situation="The lamp is out.")
    attempts = place.novel.config.limits.retries.attempts
    for number in range(1, attempts + 1):
        with pytest.raises(Refused) as refused:
            record(
                host,
                deduction=told["deduction"],
                answers=[{"person": mira, "answer": "I run."}],
                failures=[{"person": tom, "why": "no answer in time"}],
            )
        assert refused.value.code == "novel_deduction_failed"
        assert refused.value.payload["failures"][0]["person"] == tom
        assert refused.value.payload["failures"][0]["why"] == "no answer in time"
        assert (place.novel.head.run.pause is not None) == (number == attempts)
    assert host.next()["reason"] == "external-error"


@pytest.mark.parametrize(
    ("people", "code"), [([], "bad_input"), (["np_nobody"], "not_found"), (["twice"], "bad_input")]
)
def test_who_may_act_is_somebody_of_the_story_once(place: Place, people: list[str], code: str) -> None:
    host, (mira, _) = begun(place)
    with pytest.raises(Refused) as refused:
        brief(host, people=[mira, mira] if people == ["twice"] else people, situation="Night.")
    assert refused.value.code == code
    assert place.novel.head.spent.deductions == 0


def test_when_the_deductions_are_used_up_a_scene_is_written_without(place: Place) -> None:
    limits = place.novel.config.limits.model_dump()
    place.ann.configure(limits={**limits, "deductions": {**limits["deductions"], "total": 1}})
    host, people = begun(place)
    brief(host, people=people, situation="Night.")
    with pytest.raises(Refused) as refused:
        brief(host, people=people, situation="Night.")
    assert refused.value.code == "wrong_state"
    assert host.all()[-1] == "completed"
