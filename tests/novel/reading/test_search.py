from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.creation import CardFile
from lantern_kit.novel.deviation import Fault
from lantern_kit.novel.errors import ProjectionFailed
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.search import FILE, SNIPPET, Hit, Kind, Search
from tests.novel.reading.pages import begun, say
from tests.novel.stage import Stage

BOOK = json.dumps({"name": "Pier", "entries": [{"keys": ["pier"], "content": "The pier is old.", "enabled": True}]})


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Stage]:
    held = begun(tmp_path / "ws", scenes=3, files=(CardFile("pier.json", BOOK.encode()),))
    mira, tom = held.made["mira"], held.made["tom"]
    say(
        held,
        ["守夜人点亮了灯塔。", "Nobody saw the keeper’s lamps."],
        events=[{"what": "the lamp is lit", "people": [mira], "at": 0}],
        states=[{"person": mira, "aspect": "place", "value": "灯塔", "at": 0}],
        relations=[{"person": mira, "to": tom, "what": "owes him a boat", "at": 1}],
        knowledge=[{"who": "reader", "what": "who lit it", "at": 1}],
        variables=[{"name": "oil", "value": 7, "at": 0}],
        foreshadows=[{"foreshadow": held.made["key"], "move": "planted", "at": 1}],
    )
    yield held
    held.close()


def search(made: Stage, tmp_path: Path) -> Search:
    return Search(tmp_path / "out", made.service)


def told(hits: list[Hit]) -> list[tuple[str, str]]:
    return [(hit.kind.value, str(hit.source)) for hit in hits]


def test_prose_and_facts_are_found_with_the_paragraph_they_stand_in(made: Stage, tmp_path: Path) -> None:
    look = search(made, tmp_path)
    commit = next(iter(made.novel.commits))
    unit = made.novel.commits[commit]
    prose = look.find(made.novel_id, "守夜人", kinds=["prose"])
    assert prose == [
        Hit(Kind.PROSE, prose[0].source, unit.chapter, unit.id, None, "守夜人点亮了灯塔。", "守夜人点亮了灯塔。")
    ]
    assert sorted(told(look.find(made.novel_id, "灯塔"))) == [("prose", f"{commit}:0"), ("state", f"{commit}:0")]
    for words, kind, place in (
        ("灯", "prose", 0),
        ("Mira lit", "event", 0),
        ("boat", "relation", 1),
        ("who LIT", "knowledge", 1),
        ("oil 7", "variable", 0),
        ("the key", "foreshadow", 1),
        ("keeper’s lamp", "prose", 1),
    ):
        assert (kind, f"{commit}:{place}") in told(look.find(made.novel_id, words)), words
    assert look.find(made.novel_id, "pier") == []
    lore = look.find(made.novel_id, "pier", kinds=[Kind.LORE])
    assert [(hit.source, hit.snippet) for hit in lore] == [(None, "pier pier The pier is old.")]
    assert str(lore[0].entry).startswith("ns_")
    assert look.find(made.novel_id, "灯", chapter="cp_none0000") == []
    assert len(look.find(made.novel_id, "灯", limit=1)) == 1


def test_bringing_it_up_again_adds_nothing_twice(made: Stage, tmp_path: Path) -> None:
    look = search(made, tmp_path)
    assert look.bring_up(made.novel_id).added == 9
    assert look.bring_up(made.novel_id).added == 0
    say(made, ["The lamp again."])
    assert look.bring_up(made.novel_id).added == 1
    assert look.bring_up(made.novel_id, anew=True).added == 10
    assert look.verify(made.novel_id) == []
    assert len(look.find(made.novel_id, "lamp", kinds=["prose"])) == 2


def test_facts_follow_the_names_that_people_have_now(made: Stage, tmp_path: Path) -> None:
    look = search(made, tmp_path)
    assert look.find(made.novel_id, "Mira", kinds=["state"])
    made.ann.instruct("Call her Ada.", message="m1")
    made.plan(Plan.model_validate({"people": [{"id": made.made["mira"], "name": "Ada"}]}))
    assert [item.fault for item in look.verify(made.novel_id)] == [Fault.STALE]
    assert look.find(made.novel_id, "Mira", kinds=["state"]) == []
    assert [hit.text for hit in look.find(made.novel_id, "Ada", kinds=["state"])] == ["Ada, place: 灯塔"]
    assert look.verify(made.novel_id) == []


HOSTILE = (
    '"',
    "灯塔 OR lamp",
    "NEAR(lamp keeper, 2)",
    "text:lamp",
    "-lamp",
    "lamp*",
    "\x00",
    "'; DROP TABLE entries; --",
)


def test_no_words_are_a_command(made: Stage, tmp_path: Path) -> None:
    look = search(made, tmp_path)
    look.bring_up(made.novel_id)
    found = {words: len(look.find(made.novel_id, words)) for words in HOSTILE}
    assert found == dict.fromkeys(HOSTILE, 0) | {"-lamp": 2, "lamp*": 2}
    assert look.verify(made.novel_id) == []


def test_too_many_words_and_unknown_kinds_are_refused(made: Stage, tmp_path: Path) -> None:
    look = search(made, tmp_path)
    for words in ("灯" * 100_000, " ".join(str(number) for number in range(41))):
        with pytest.raises(BadInput, match="too much"):
            look.find(made.novel_id, words)
    with pytest.raises(BadInput, match="nothing to look for"):
        look.find(made.novel_id, "lamp", kinds=["secrets"])
    assert look.find(made.novel_id, " ，。!") == []


@pytest.mark.parametrize("damage", ["cut", "text", "empty", "other", "inside"])
def test_a_damaged_index_is_made_anew(made: Stage, tmp_path: Path, damage: str) -> None:
    look = search(made, tmp_path)
    look.bring_up(made.novel_id)
    path = tmp_path / "out" / made.novel_id / FILE
    body = path.read_bytes()
    if damage == "other":
        path.unlink()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("CREATE TABLE mine (a)")
            connection.commit()
    else:
        half = len(body) // 2
        path.write_bytes(
            {
                "cut": body[:half],
                "text": b"no database",
                "empty": b"",
                "inside": body[:4096] + bytes(half) + body[half + 4096 :],
            }[damage]
        )
    assert look.find(made.novel_id, "守夜人")
    assert look.verify(made.novel_id) == []


@pytest.mark.parametrize(
    "hand",
    [
        "UPDATE entries SET place = 'cm_zzzzzzzz:0' WHERE commit_id <> ''",
        "UPDATE entries SET place = substr(place, 1, 12) || 'x' WHERE commit_id <> ''",
        "UPDATE entries SET place = substr(place, 1, 12) || '99999999' WHERE commit_id <> ''",
        "UPDATE entries SET place = NULL",
        "UPDATE entries SET text = NULL",
        "UPDATE entries SET text = x'ff'",
        "UPDATE entries SET kind = 'prose', commit_id = '', place = 'ns_zzzzzzzz:0'",
    ],
)
def test_an_index_with_rows_that_are_no_entries_is_made_anew(made: Stage, tmp_path: Path, hand: str) -> None:
    look = search(made, tmp_path)
    before = look.find(made.novel_id, "守夜人")
    with closing(sqlite3.connect(tmp_path / "out" / made.novel_id / FILE)) as connection:
        connection.execute(hand)
        connection.commit()
    assert look.find(made.novel_id, "守夜人") == before
    assert look.verify(made.novel_id) == []


def test_an_index_of_another_history_is_made_anew(made: Stage, tmp_path: Path) -> None:
    look = search(made, tmp_path)
    look.bring_up(made.novel_id)
    with closing(sqlite3.connect(tmp_path / "out" / made.novel_id / FILE)) as connection:
        connection.execute("UPDATE entries SET commit_id = 'cm_other0000', text = 'unheard' WHERE commit_id <> ''")
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'content'")
        connection.commit()
    assert look.find(made.novel_id, "守夜人")
    assert look.verify(made.novel_id) == []


def test_a_folder_that_takes_no_files_is_said(made: Stage, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(ProjectionFailed) as caught:
        search(made, tmp_path).find(made.novel_id, "lamp")
    assert str(tmp_path) not in str(caught.value)


def test_many_may_look_at_once(made: Stage, tmp_path: Path) -> None:
    look, found = search(made, tmp_path), []

    def run() -> None:
        found.append(len(look.find(made.novel_id, "灯塔")))

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2] * 6


def test_a_snippet_shows_the_words_in_a_long_paragraph(made: Stage, tmp_path: Path) -> None:
    say(made, ["前" * 300 + "ＲＥＤ灯笼" + "后" * 300])
    hit = search(made, tmp_path).find(made.novel_id, "red灯笼")[0]
    assert "ＲＥＤ灯笼" in hit.snippet and hit.snippet.startswith("…前") and hit.snippet.endswith("后…")
    assert len(hit.snippet) == SNIPPET + 2
    assert hit.facts()["source"] == str(hit.source)
