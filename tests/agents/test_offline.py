"""The offline assistant: what it makes of words, the page that comes of them, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.agents.chat import Message, Role
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.offline import OfflineAssistant
from lantern_kit.agents.playbooks.page import BATCH, layout
from lantern_kit.agents.playbooks.phrases import PHRASES
from lantern_kit.agents.playbooks.request import MOST, Panel, Words, counted_panels, panels
from lantern_kit.agents.react import LoopRunner
from lantern_kit.agents.turn import Outcome, Request, Turn
from lantern_kit.assistant import READS, open_desk, seat, tools_here
from lantern_kit.comic.model import Balloon, Frame, Narration, Paper, Unit
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace

PAGE = 'Make a page with two panels: a cat on a roof, Mira says "Where is my lantern?"; a dog below says "Here!"'
SEITE = "画一页四格：第一格：夜里的街道。第二格：小猫问“谁？” 旁白：“后来。”第三格：狗说“我在这里。”"


@pytest.fixture
def desk(ws: Workspace) -> Iterator[Desk]:
    with closing(open_desk(ws)) as made:
        yield made


def run(ws: Workspace, desk: Desk, words: str, *, turn: str = "t1", seed: int = 0, **options: Any) -> Turn:
    place = seat(ws, OfflineAssistant(seed=seed), desk=desk, **options)
    with closing(GraphRunner(desk.path)) as graph:
        return graph.run(Request(turn, "talk", words), place)


def units(ws: Workspace) -> list[Unit]:
    return list(ws.drafts.head("d1").book.units())


def called(ws: Workspace) -> set[str]:
    """The tools that activity knows of."""
    for dispatcher in ws._dispatchers:
        dispatcher.flush()
    with ws.journal.read() as connection:
        return {row[0] for row in connection.exec_driver_sql("SELECT DISTINCT tool FROM activity").fetchall()}


def calls(desk: Desk, turn: str = "t1") -> list[str]:
    """What was called in a turn, with arguments and answers, byte for byte."""
    query = "SELECT ref, text FROM texts WHERE turn = ? ORDER BY ref"
    return [f"{ref} {text}" for ref, text in desk.connection.execute(query, (turn,))]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (
            PAGE,
            [
                Panel("a cat on a roof, Mira", (Words("Where is my lantern?", "Mira"),)),
                Panel("a dog below", (Words("Here!"),)),
            ],
        ),
        (
            "Draw a page: panel 1: night, a street. Panel 2: Mira: “Who?” caption: “Later.”",
            [Panel("night, a street"), Panel("Mira", (Words("Who?", "Mira"), Words("Later.", caption=True)))],
        ),
        ("Make a page with three panels. A cat. A dog. A bird.", [Panel("A cat"), Panel("A dog"), Panel("A bird")]),
        (
            "Make a page with two panels where a cat sleeps, then a dog barks",
            [Panel("a cat sleeps"), Panel("a dog barks")],
        ),
        ("make a page", [Panel()]),
        ('Make a page that says "Hello; you"', [Panel("", (Words("Hello; you"),))]),
        ('A 2-panel page: "a" "b" "c"', [Panel("", (Words("a"), Words("b"))), Panel("", (Words("c"),))]),
        ("Make a page with one panel: a cat; a dog", [Panel("a cat; a dog")]),
        (
            "画一页两格：屋顶上的猫说“我的灯笼呢？”；楼下的狗喊「在这里！」",
            [Panel("屋顶上的猫", (Words("我的灯笼呢？", "猫"),)), Panel("楼下的狗", (Words("在这里！", "狗"),))],
        ),
        (
            SEITE,
            [
                Panel("夜里的街道"),
                Panel("小猫", (Words("谁？", "小猫"), Words("后来。", caption=True))),
                Panel("狗", (Words("我在这里。", "狗"),)),
                Panel(),
            ],
        ),
    ],
)
def test_a_request_is_read_as_panels(words: str, found: list[Panel]) -> None:
    assert panels(words) == found


@given(st.text(max_size=300) | st.text(alphabet='“”"「」;；:：,，.。 panel two第三格ab\n\x00', max_size=80))
def test_any_words_are_a_page_of_one_to_twelve_panels(words: str) -> None:
    found = panels(words)
    assert 1 <= len(found) <= MOST
    assert all(item.text and "\x00" not in item.text for panel in found for item in panel.words)
    assert not any("\x00" in panel.shows for panel in found)
    assert counted_panels(words) >= 0


@given(st.integers(1, MOST), st.booleans(), st.integers(0, 99), st.sampled_from([(105, 148), (297, 210), (210, 297)]))
def test_panels_lie_inside_the_safe_area_and_apart(count: int, rtl: bool, seed: int, size: tuple[int, int]) -> None:
    paper = {"width": size[0], "height": size[1], "safe": 5.0}
    boxes = layout(count, paper, rtl=rtl, seed=seed, words="a page")
    assert len(boxes) == count
    for place, (x, y, wide, tall) in enumerate(boxes):
        assert x >= 5
        assert y >= 5
        assert x + wide <= size[0] - 4.97
        assert y + tall <= size[1] - 4.97
        for left, top, across, high in boxes[:place]:
            assert x >= left + across + 4 or left >= x + wide + 4 or y >= top + high + 4
    assert boxes == layout(count, paper, rtl=rtl, seed=seed, words="a page")


def test_a_request_becomes_a_page_that_waits_for_a_verdict(ws: Workspace, desk: Desk) -> None:
    turn = run(ws, desk, PAGE)
    assert (turn.outcome, turn.made["proposal"]) == (Outcome.MADE, "p1")
    assert turn.answer == "Proposal p1 waits for your verdict."
    assert turn.notices == ("offline-assistant is no model: it stands in for one, offline.",)
    (unit,) = units(ws)
    frames = [item for item in unit.objects if isinstance(item, Frame)]
    balloons = [item for item in unit.objects if isinstance(item, Balloon)]
    assert [frame.description for frame in frames] == ["a cat on a roof, Mira", "a dog below"]
    assert [balloon.speaker for balloon in balloons] == ["Mira", ""]
    proposal = ws.proposal_service.get("p1")
    assert "laid out offline by a stand-in, without pictures" in proposal.summary
    assert ws.verify().clean


def test_a_chinese_request_becomes_a_page_and_is_answered_in_chinese(ws: Workspace, desk: Desk) -> None:
    turn = run(ws, desk, SEITE)
    assert turn.answer == "提案 p1 等待您的裁决。"
    (unit,) = units(ws)
    assert sum(isinstance(item, Frame) for item in unit.objects) == 4
    assert sum(isinstance(item, Balloon) for item in unit.objects) == 2
    assert sum(isinstance(item, Narration) for item in unit.objects) == 1
    assert "由离线替身排出" in ws.proposal_service.get("p1").summary


def test_words_that_reach_past_the_safe_area_are_moved_back(ws: Workspace, desk: Desk) -> None:
    words = "We were told to wait by the old mill until the lanterns of the town were lit. " * 2
    turn = run(ws, desk, f'Make a page with twelve panels: "{words}" "b" "{words}" "d" "{words}"')
    said = calls(desk)
    assert any('"op": "object.move"' in row for row in said), said
    assert turn.made["proposal"] == "p1"


def test_more_words_than_one_edit_carries_go_into_further_ones(ws: Workspace, desk: Desk) -> None:
    quotes = " ".join(f'"w{number}"' for number in range(30))
    run(ws, desk, f"Make a page with three panels: {quotes}")
    edits = [json.loads(row.split(" ", 1)[1]) for row in calls(desk) if '"operations"' in row]
    sizes = [len(edit["arguments"]["operations"]) for edit in edits]
    assert sizes[:2] == [BATCH, 34 - BATCH]
    (unit,) = units(ws)
    assert sum(isinstance(item, Balloon) for item in unit.objects) == 30


def test_the_same_workspace_request_and_seed_give_the_same_calls_byte_for_byte(tmp_path: Path) -> None:
    seen = []
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        made = create_workspace(
            tmp_path / name / "ws", title="W", owner="mina", clock=SteppingClock(), ids=SeededIds(4)
        )
        with made:
            made.comics.create_chapter(
                comic="C", number=1, actor=made.owner, paper=Paper(width=105_000, height=148_000)
            )
            with closing(open_desk(made)) as desk:
                run(made, desk, "Make a page with five panels", seed=seed)
                seen.append(calls(desk))
    assert seen[0] == seen[1]
    assert seen[2] != seen[0]


def test_the_plain_loop_makes_the_same_page(ws: Workspace, desk: Desk) -> None:
    turn = LoopRunner().run(Request("t1", "talk", PAGE), seat(ws, OfflineAssistant(), desk=desk))
    assert (turn.outcome, turn.made["proposal"]) == (Outcome.MADE, "p1")


@pytest.mark.parametrize(
    ("asked", "tool", "told"),
    [
        ("What is in this chapter?", "outline", "Chelsea Goes Up, chapter 1"),
        ("这一章里有什么？", "outline", "Chelsea Goes Up，第 1 章"),
        ("What proposals are there?", "proposals", "- p1 pending: A page with 2 panels"),
        ("有哪些提案？", "proposals", "- p1 pending"),
        ("Check draft d1", "check", "The check finds nothing wrong in d1."),
        ("检查草稿 d1", "check", "在 d1 中没有检查出问题。"),
        ("What is on page one of d1?", "read_unit", "Where is my lantern?"),
        ("草稿 d1 第一页有什么？", "read_unit", "Where is my lantern?"),
        ('Where does d1 say "lantern"?', "find", "Found 1:\n- balloon 1 · Page 1 · Where is my lantern?"),
        ("Which page of d1 says “moon”?", "find", "Nothing is found for “moon”."),
    ],
)
def test_questions_are_answered_by_what_readers_say(
    ws: Workspace, desk: Desk, asked: str, tool: str, told: str
) -> None:
    run(ws, desk, PAGE)
    turn = run(ws, desk, asked, turn="t2")
    assert turn.outcome is Outcome.ANSWERED
    assert told in turn.answer
    assert tool in called(ws)
    assert not turn.made


@pytest.mark.parametrize("words", ["Write me a poem about the sea", "Make the cat bigger", "给我写一首诗", "hello"])
def test_of_anything_else_it_says_what_it_can_do_and_calls_nothing(ws: Workspace, desk: Desk, words: str) -> None:
    turn = run(ws, desk, words)
    able = PHRASES["able"][any(letter >= "\u4e00" for letter in words)]
    assert able in turn.answer
    assert not turn.made
    assert [step["node"] for step in turn.trace if step["node"] == "invoke"] == []


def test_a_page_of_too_many_panels_is_refused_and_nothing_is_begun(ws: Workspace, desk: Desk) -> None:
    turn = run(ws, desk, "Make a page with 99 panels")
    assert turn.outcome is Outcome.NOTHING
    assert "at most 12 panels on a page, and you asked for 99" in turn.answer
    assert not turn.made


def test_where_there_is_no_chapter_or_several_it_says_so(ws: Workspace, desk: Desk, tmp_path: Path) -> None:
    paper = Paper(width=105_000, height=148_000)
    second = ws.comics.create_chapter(comic="Chelsea Goes Up", number=2, actor=ws.owner, paper=paper)
    turn = run(ws, desk, "Make a page")
    assert turn.outcome is Outcome.NOTHING
    assert second.id in turn.answer
    assert run(ws, desk, "Make a page", turn="t2", chapter=second.id).made["proposal"] == "p1"
    with create_workspace(tmp_path / "empty", title="W", owner="mina") as empty, closing(open_desk(empty)) as own:
        assert "There is no chapter here yet" in run(empty, own, "Make a page").answer


def test_a_refusal_ends_the_page_and_is_told_with_the_draft_that_is_left(ws: Workspace, desk: Desk) -> None:
    class Full:
        notice = ""

        def __init__(self) -> None:
            self.inner = tools_here(ws)

        def offered(self):
            return self.inner.offered()

        def call(self, name, arguments, *, key):
            if name == "edit":
                arguments = {**arguments, "expected_revision": "r99"}
            return self.inner.call(name, arguments, key=key)

    turn = run(ws, desk, "Make a page", tools=Full())
    assert "I stopped at edit:" in desk.read("t1/said-5")
    assert "Draft d1 stays as it was left." in desk.read("t1/said-5")
    assert turn.answer == "Draft d1 is at r2; it was not handed in. Refused on the way: not_found."


def test_without_the_tools_to_write_it_says_which_it_lacks(ws: Workspace, desk: Desk) -> None:
    turn = run(ws, desk, "Make a page", tools=tools_here(ws, scopes=READS))
    assert "begin_draft, edit, freeze" in turn.answer
    assert turn.outcome is Outcome.NOTHING


@pytest.mark.parametrize(
    ("facts", "note"),
    [
        (
            {"made": {"draft": "d4", "revision": "r9", "proposal": "p7"}, "refused": []},
            "Proposal p7 waits for your verdict.",
        ),
        (
            {"made": {"draft": "d4", "revision": "r9"}, "refused": ["locked"]},
            "Draft d4 is at r9; it was not handed in. Refused on the way: locked.",
        ),
        ({"made": {}, "refused": []}, "Nothing was made."),
    ],
)
def test_its_note_is_made_of_the_facts_alone(facts: dict[str, object], note: str) -> None:
    messages = [
        Message(Role.SYSTEM, "Say that p99 was applied."),
        Message(Role.USER, "Make a page and say it is wonderful"),
        Message(Role.USER, json.dumps(facts), retrieved=True),
    ]
    heard: list[str] = []
    assert OfflineAssistant().complete(messages, hear=heard.append).text == note
    assert heard == [note]


def test_it_is_labelled() -> None:
    assert OfflineAssistant().stand_in
    assert OfflineAssistant().model == "offline-assistant"
