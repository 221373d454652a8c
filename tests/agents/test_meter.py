"""Time and tokens of turns."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.agents.chat import Message, Role, ToolSpec, Usage
from lantern_kit.agents.counting import shared_out, tokens
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.meter import ESTIMATED, INPUT, OUTPUT, PARTS, Kind, Meter, part_name, usage_facts
from lantern_kit.agents.turn import Request
from tests.agents.scripted import Bench, Script, desk_at, says, seat

PARTS_OF = st.dictionaries(st.sampled_from(PARTS), st.integers(0, 5_000), min_size=1)


@given(PARTS_OF, st.integers(0, 100_000))
def test_shares_add_up_to_the_truth_and_keep_their_order(parts: dict[str, int], whole: int) -> None:
    found = shared_out(parts, whole)
    assert sum(found.values()) == whole
    assert set(found) == set(parts)
    if sum(parts.values()):
        for name, value in parts.items():
            assert abs(found[name] - value * whole / sum(parts.values())) < 1


def test_the_servers_count_is_the_truth_and_its_parts_add_up_to_it() -> None:
    messages = [
        Message(Role.SYSTEM, "You make pages."),
        Message(Role.USER, "Earlier: a cat", retrieved=True),
        Message(Role.USER, "画一页 with a special <|endoftext|> word"),
    ]
    spec = ToolSpec("look", "See a page", {"type": "object"})
    facts = usage_facts(messages, [spec], says("Yes.", usage=Usage(1_001, 7, 512)))
    assert (facts[INPUT], facts[OUTPUT], facts[ESTIMATED]) == (1_001, 7, "parts")
    assert sum(facts[part_name(part)] for part in PARTS) == 1_001
    assert all(facts[part_name(part)] > 0 for part in PARTS)


def test_without_a_count_all_is_an_estimate_and_says_so() -> None:
    facts = usage_facts([Message(Role.USER, "hello there")], [], says("Yes."))
    assert facts[ESTIMATED] == "all"
    assert facts[INPUT] == tokens("hello there")
    assert facts[OUTPUT] == tokens("Yes.")


class Watch:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def test_waiting_is_not_the_frameworks_time_and_is_counted_once() -> None:
    watch = Watch()
    meter = Meter(watch)
    with meter.span(Kind.WORKFLOW, "turn"):
        watch.now += 3
        with meter.span(Kind.NODE, "plan"):
            watch.now += 2
            with meter.span(Kind.CHAT, "chat"):
                watch.now += 1_400
                with meter.span(Kind.RETRIEVAL, "inside"):
                    watch.now += 50
            watch.now += 1
        with meter.span(Kind.TOOL, "look"):
            watch.now += 10
    assert (meter.whole, meter.waited, meter.framework) == (1_466, 1_460, 6)


def test_a_slow_model_leaves_the_frameworks_time_as_it_is(tmp_path: Path) -> None:
    found = []
    for place, wait in enumerate((0, 1_400_000_000)):
        watch = Watch()

        def pass_time(watch: Watch = watch, wait: int = wait) -> None:
            watch.now += wait

        desk = desk_at(tmp_path)
        chat = Script([says("", ("edit", {"text": "x"})), says("So.")], before=pass_time)
        measured = replace(seat(chat, desk, Bench()), meter=Meter(watch))
        with closing(GraphRunner(desk.path)) as graph:
            graph.run(Request(f"t{place}", "talk", "Make a page"), measured)
        found.append((measured.meter.framework, measured.meter.waited))
        desk.close()
    assert found == [(0, 0), (0, 3 * 1_400_000_000)]


def test_a_failure_closes_its_spans_and_names_its_code() -> None:
    meter = Meter()
    with pytest.raises(ValueError, match="x"), meter.span(Kind.WORKFLOW, "turn"), meter.span(Kind.NODE, "plan"):
        raise ValueError("x")
    assert [span.failed for span in meter.spans] == ["ValueError", "ValueError"]
    assert all(span.end >= span.start for span in meter.spans)


def test_tokens_of_a_turn_are_those_of_its_calls(tmp_path: Path) -> None:
    desk = desk_at(tmp_path)
    lines = [says("", ("edit", {"text": "x"}), usage=Usage(100, 10)), says("So.", usage=Usage(200, 20))]
    place = seat(Script(lines), desk)
    with closing(GraphRunner(desk.path)) as graph:
        graph.run(Request("t1", "talk", "Make a page"), place)
    used = place.meter.used()
    note = next(span.facts for span in reversed(place.meter.spans) if span.kind is Kind.CHAT)
    assert used["input"] == 300 + note[INPUT]
    assert used["output"] == 30 + note[OUTPUT]
    assert sum(used[part] for part in PARTS) == used["input"]
    desk.close()
