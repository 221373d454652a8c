"""The capabilities of novels: wrong arguments are refused for what they are, odd ones never fail otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lantern_kit.kernel.capability import Capability, Dispatcher
from lantern_kit.novel.capabilities import CAPABILITIES
from tests.contract.faults import CANARY, faults, oddities
from tests.contract.stage import AGENT, ALL, content, told
from tests.contract.test_odd_values import refusal
from tests.contract.test_refusals import asker, wrongs
from tests.novel.capabilities.conftest import Place

EVERY = pytest.mark.parametrize("capability", list(CAPABILITIES), ids=lambda item: item.name)
KEY = {"idempotency_key": "a-key"}
EXAMPLES: dict[str, dict[str, Any]] = {
    "body.commit": {
        "unit": "$unit",
        "token": "$token",
        "paragraphs": ["Mira waits."],
        "scene": {"done": True, "evidence": "it is"},
        **KEY,
    },
    "body.read": {"chapter": "$chapter"},
    "body.search": {"words": "Mira", "chapter": "$chapter"},
    "chapter.complete": {"chapter": "$chapter", "expected_content": 0, "evidence": "told", "open_ends": ["why"], **KEY},
    "character.read": {"character": "$mira"},
    "deduction.act": {"people": ["$mira"], "situation": "Night.", "question": "What now?", "rounds": 1, **KEY},
    "deduction.brief": {"people": ["$mira"], "situation": "Night.", "question": "What now?", **KEY},
    "deduction.record": {
        "deduction": "$deduction",
        "answers": [{"person": "$mira", "answer": "I run."}],
        **KEY,
    },
    "facts.read": {"kinds": ["events"], "person": "$mira"},
    "lore.search": {"words": "tower"},
    "memory.search": {"words": "key"},
    "novel.finish": {"expected_content": 0, "expected_outline": 1, "ending": "cm_none", "evidence": "told", **KEY},
    "outline.create": {"plan": {}, "outcomes": [], "reason": "it begins", **KEY},
    "outline.read": {"part": "chapters", "first": 1, "last": 2},
    "outline.revise": {"plan": {}, "reason": "as asked", "expected_outline": 1, **KEY},
    "requirement.block": {
        "instruction": "$instruction",
        "reason": "it cannot be",
        "sources": ["cm_none1:0"],
        "expected_outline": 1,
        **KEY,
    },
    "requirements.read": {"instruction": "$instruction"},
    "shape.describe": {"name": "plan"},
    "status.read": {},
    "unit.claim": {"intent": "$work", "unit": "$unit", "expected_outline": 1, "expected_watermark": 1, **KEY},
    "unit.supersede": {"unit": "$unit", **KEY},
    "work.next": {**KEY},
}


class Stood:
    """A novel whose author has claimed its first unit, and begun a deduction."""

    def __init__(self, place: Place) -> None:
        self.place = place
        host = place.host(AGENT.name, "stand")
        host.do(host.next())
        work = host.next()
        token = host.claim(work)["token"]
        mira = next(iter(place.novel.people))
        begun = host.call("deduce", action="brief", people=[mira], situation="Night.", idempotency_key="begin")
        self.names = {
            "$unit": work["unit"],
            "$work": work["intent"],
            "$token": token,
            "$chapter": work["chapter"],
            "$mira": mira,
            "$deduction": begun["deduction"],
            "$instruction": next(iter(place.novel.instructions)),
        }
        self.dispatcher: Dispatcher = place.ws._dispatchers[-1]

    def fill(self, value: Any) -> Any:
        """An example with names in place of what stands for them."""
        if isinstance(value, dict):
            return {name: self.fill(item) for name, item in value.items()}
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        return self.names.get(value, value) if isinstance(value, str) else value


@pytest.fixture(scope="module")
def stood(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stood]:
    place = Place(tmp_path_factory.mktemp("contract") / "ws")
    yield Stood(place)
    place.ws.close()


@pytest.fixture(scope="module")
def handled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stood]:
    """Another one, which is left as whatever comes leaves it."""
    place = Place(tmp_path_factory.mktemp("odd") / "ws")
    yield Stood(place)
    place.ws.close()


def test_each_capability_has_an_example() -> None:
    assert set(EXAMPLES) == {item.name for item in CAPABILITIES}


@EVERY
def test_wrong_arguments_of_a_capability_are_refused_and_write_nothing(capability: Capability, stood: Stood) -> None:
    folder, example = stood.place.ws.path, stood.fill(EXAMPLES[capability.name])
    before = content(folder)
    cases = faults(capability.input, example, absent=False)
    found = wrongs(cases, asker(stood.dispatcher, capability.name), str(folder))
    assert not found, "\n".join(found)
    assert content(folder) == before


@EVERY
def test_odd_arguments_of_a_capability_never_fail_otherwise(capability: Capability, handled: Stood) -> None:
    example = handled.fill(EXAMPLES[capability.name])
    for number, (what, arguments) in enumerate(oddities(capability.input, example)):
        if capability.writes and not what.startswith("idempotency_key"):
            arguments["idempotency_key"] = f"{capability.name} {number}"
        error = refusal(
            what, lambda given: handled.dispatcher.dispatch(capability.name, given, actor=AGENT, scopes=ALL), arguments
        )
        assert str(handled.place.ws.path) not in error, what


def test_after_all_that_the_workspace_is_sound_and_activity_holds_none_of_the_words(handled: Stood) -> None:
    handled.dispatcher.flush()
    said = told(handled.place.ws.path)
    assert CANARY not in said
    assert str(handled.place.ws.path) not in said
    assert handled.place.ws.verify().clean
