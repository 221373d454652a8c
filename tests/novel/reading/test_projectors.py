from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from lantern_kit.analysis import Registry
from lantern_kit.novel.model import UnitState
from lantern_kit.novel.projectors import PROJECTORS
from tests.novel.reading.pages import begun, say
from tests.novel.stage import Stage


def told(db: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return db.sql(query).fetchall()


def contents(db: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[Any, ...]]]:
    return {item.name: told(db, f'SELECT * FROM "{item.name}" ORDER BY ALL') for item in PROJECTORS}


def lived(folder: Path) -> Stage:
    """A novel in which a bit of everything happened."""
    target = {"kind": "target", "characters": 5_000, "tolerance": 200_000, "hard_maximum": 9_000}
    made = begun(folder, scenes=2)
    mira, tom, key = made.made["mira"], made.made["tom"], made.made["key"]
    first = say(
        made,
        ["Mira lit it.", "Tom saw."],
        events=[{"what": "lit", "people": [mira, tom], "at": 0}],
        states=[{"person": mira, "aspect": "place", "value": "pier", "at": 0}],
        relations=[{"person": mira, "to": tom, "what": "owes", "at": 1}],
        knowledge=[{"who": "reader", "what": "who", "at": 1}],
        variables=[{"name": "oil", "value": 7, "at": 0}, {"name": "lit", "value": True, "at": 0}],
        foreshadows=[{"foreshadow": key, "move": "planted", "at": 1}],
    )
    intent, before = made.next(), made.novel
    made.claim(intent)
    made.end(before, failed="the wire broke")
    say(made, ["Later."], events=[{"what": "told of before", "at": f"{first.id}:1"}])
    made.complete()
    made.ann.configure(length=target)
    made.ann.instruct("More fog.", message="m1")
    return made


def test_rows_are_what_the_novel_says(tmp_path: Path) -> None:
    made = lived(tmp_path / "ws")
    novel, name = made.novel, made.novel_id
    mira, tom, key = made.made["mira"], made.made["tom"], made.made["key"]
    first, second = novel.commits
    one, two = novel.chapters
    db = made.ws.analysis()
    assert told(
        db, "SELECT novel, status, characters, commits, chapters, chapters_completed, low, high, received FROM novels"
    ) == [(name, "active", novel.head.characters, 2, 2, 1, 4_000, 6_000, 2)]
    assert told(
        db, "SELECT chapter, position, state, characters, paragraphs, scenes_done FROM novel_chapters ORDER BY 2"
    ) == [
        (one, 1, "completed", novel.head.characters, 3, 2),
        (two, 2, "planned", 0, 0, 0),
    ]
    assert told(
        db, "SELECT commit, characters_so_far, facts, author FROM novel_units WHERE commit IS NOT NULL ORDER BY 2"
    ) == [
        (first, 15, 7, "bot"),
        (second, novel.head.characters, 1, "bot"),
    ]
    assert told(
        db, "SELECT kind, who, other, people, name, value, chapter, source_commit, paragraph FROM novel_facts"
    ) == [
        ("event", None, None, [mira, tom], None, "lit", one, first, 0),
        ("state", mira, None, [mira], "place", "pier", one, first, 0),
        ("relation", mira, tom, [mira, tom], None, "owes", one, first, 1),
        ("knowledge", "reader", None, ["reader"], None, "who", one, first, 1),
        ("variable", None, None, [], "oil", "7", one, first, 0),
        ("variable", None, None, [], "lit", "true", one, first, 0),
        ("foreshadow", None, None, [], key, "planted", one, first, 1),
        ("event", None, None, [], None, "told of before", one, first, 1),
    ]
    assert told(db, "SELECT sequence, text, state, actor FROM novel_ledger ORDER BY 1") == [
        (1, "Write of a lamp.", "applied", "Ann"),
        (2, "More fog.", "pending", "Ann"),
    ]
    assert told(db, "SELECT what, state, planted, resolved FROM novel_foreshadows") == [
        ("the key", "planted", f"{first}:1", None)
    ]
    assert told(db, "SELECT number, why FROM novel_outline_revisions") == [(1, "beginning")]
    ended = told(db, "SELECT ended, reason FROM novel_attempts ORDER BY claimed_at")
    assert ended == [("committed", ""), ("failed", "the wire broke"), ("committed", "")]
    db.close()
    made.close()


def test_bringing_tables_up_gives_what_making_them_anew_gives(tmp_path: Path) -> None:
    made = lived(tmp_path / "ws")
    made.ws.analysis().close()
    made.plan()
    say(made, ["In chapter two."])
    assert any(unit.state is UnitState.COMMITTED for unit in made.novel.units.values())
    up = made.ws.analysis()
    after = contents(up)
    up.close()
    anew = made.ws.analysis(rebuild=True)
    assert contents(anew) == after
    assert len(after["novel_facts"]) == 8 and len(after["novel_outline_revisions"]) == 2
    anew.close()
    made.close()


def test_no_table_holds_a_token_and_every_column_says_what_it_is(tmp_path: Path) -> None:
    made = lived(tmp_path / "ws")
    made.plan()
    token = made.claim(made.next())
    db = made.ws.analysis(in_memory=True)
    assert token not in repr(contents(db))
    assert len(list(Registry(PROJECTORS))) == 8
    assert all(column.doc for item in PROJECTORS for column in item.columns)
    db.close()
    made.close()
