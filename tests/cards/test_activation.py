"""Which entries texts wake."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.cards import Book, Notice, Setting, active, fitted, read_book, search, substituted
from lantern_kit.cards.decorators import divided, effective
from tests.cards.makers import dumped


def book(*entries: dict[str, Any], **settings: Any) -> Book:
    rows = [{"content": f"content {place}", "insertion_order": 10} | entry for place, entry in enumerate(entries)]
    return read_book(dumped({"entries": rows, **settings}))


def woken(found: Book, *texts: str, **setting: Any) -> list[str]:
    return [match.entry.id for match in active(found, texts, setting=Setting(**setting))]


def test_entries_come_in_their_order_and_say_why() -> None:
    found = book(
        {"keys": ["gull", "rock"], "insertion_order": 9},
        {"keys": [], "constant": True, "insertion_order": -1},
        {"keys": ["GULL"], "insertion_order": 9},
        {"keys": ["whale"]},
    )
    matches = active(found, ["The gull on the rock."])
    assert [match.entry.id for match in matches] == ["1", "0", "2"]
    assert [match.why for match in matches] == [("constant",), ("key “gull”", "key “rock”"), ("key “GULL”",)]
    assert matches[1].keys == ("gull", "rock")


@pytest.mark.parametrize(
    ("logic", "words", "wakes"),
    [
        (0, "gull rock", True),
        (0, "gull", False),
        (1, "gull rock", True),
        (1, "gull rock sea", False),
        (2, "gull", True),
        (2, "gull sea", False),
        (3, "gull rock sea", True),
        (3, "gull rock", False),
        (3, "rock sea", False),
    ],
)
def test_secondary_keys_follow_their_logic(logic: int, words: str, wakes: bool) -> None:
    entry = {"uid": 0, "key": ["gull"], "keysecondary": ["rock", "sea"], "selective": True, "selectiveLogic": logic}
    found = read_book(dumped({"entries": {"0": {**entry, "content": "x"}}}))
    assert bool(active(found, [words])) is wakes
    always = read_book(dumped({"entries": {"0": {**entry, "content": "x", "selective": False}}}))
    assert bool(active(always, [words])) is ("gull" in words)


@pytest.mark.parametrize(
    ("entry", "setting", "text", "wakes"),
    [
        ({"keys": ["Gull"]}, {}, "gull", True),
        ({"keys": ["Gull"], "case_sensitive": True}, {}, "gull", False),
        ({"keys": ["Gull"]}, {"case_sensitive": True}, "gull", False),
        ({"keys": ["gull"]}, {"whole_words": True}, "seagulls", False),
        ({"keys": ["gull"]}, {"whole_words": True}, "a gull.", True),
        ({"keys": ["sea gull"]}, {"whole_words": True}, "sea gulls", True),
        ({"keys": ["灯塔"]}, {"whole_words": True}, "那座灯塔亮了", True),
        ({"keys": ["gull"], "extensions": {"match_whole_words": True}}, {}, "gulls", False),
        ({"keys": ["gull"], "enabled": False}, {}, "gull", False),
        ({"keys": ["gull"], "content": " "}, {}, "gull", False),
        ({"keys": [""]}, {}, "gull", False),
        ({"keys": ["gull"], "extensions": {"probability": 0, "useProbability": True}}, {}, "gull", False),
        ({"keys": ["gull"], "extensions": {"probability": 0, "useProbability": False}}, {}, "gull", True),
        ({"keys": ["/g.ll/"]}, {}, "gull", True),
        ({"keys": ["/G.ll/"]}, {}, "gull", False),
        ({"keys": ["/G.ll/i"]}, {}, "gull", True),
        ({"keys": [r"^\p{Lu}"], "use_regex": True}, {}, "gull", False),
        ({"keys": ["g(?=ull)"], "use_regex": True}, {}, "GULL", True),
        ({"keys": ["(gull"], "use_regex": True}, {}, "(gull", False),
        ({"keys": ["(gull"], "use_regex": True, "extensions": {"selectiveLogic": 0}}, {}, "(gull", True),
        ({"keys": ["gull"], "constant": True, "use_regex": True}, {}, "", True),
    ],
)
def test_a_key_is_found_as_its_entry_asks(
    entry: dict[str, Any], setting: dict[str, Any], text: str, wakes: bool
) -> None:
    assert bool(woken(book(entry), text, **setting)) is wakes


@pytest.mark.parametrize(
    ("marks", "setting", "texts", "wakes"),
    [
        ("@@activate", {}, ["x"], True),
        ("@@activate\n@@dont_activate", {}, ["x"], True),
        ("@@dont_activate", {}, ["gull"], False),
        ("@@constant", {}, ["x"], True),
        (" @@constant", {}, ["x"], True),
        ("@@scan_depth 1", {}, ["gull", "x"], False),
        ("@@scan_depth 2", {"scan_depth": 1}, ["gull", "x"], True),
        ("@@scan_depth many", {}, ["gull", "x"], True),
        ("@@additional_keys rock, sea", {}, ["gull"], False),
        ("@@additional_keys rock, sea", {}, ["gull", "sea"], True),
        ("@@exclude_keys rock,sea", {}, ["gull", "SEA"], False),
        ("@@exclude_keys rock,sea", {}, ["gull"], True),
        ("@@activate_only_after 3", {"messages": 2}, ["gull"], False),
        ("@@activate_only_after 3", {"messages": 3}, ["gull"], True),
        ("@@activate_only_after 3", {}, ["gull"], True),
        ("@@activate_only_every 2", {"messages": 3}, ["gull"], False),
        ("@@activate_only_every 0", {"messages": 3}, ["gull"], True),
        ("@@is_greeting 1", {"greeting": 0}, ["gull"], False),
        ("@@is_greeting 1", {"greeting": 1}, ["gull"], True),
        ("@@is_user_icon tom", {"user_icon": "tim"}, ["gull"], False),
        ("@@keep_activate_after_match", {"before": ["0"]}, ["x"], True),
        ("@@dont_activate_after_match", {"before": ["0"]}, ["gull"], False),
        ("@@ignore_on_max_context", {"full": True}, ["gull"], False),
        ("@@nobody_knows 3\n@@@dont_activate", {}, ["gull"], False),
        ("@@nobody_knows 3\n@@@also_unknown\n@@@dont_activate", {}, ["gull"], False),
        ("@@activate_only_after 3\n@@@dont_activate", {}, ["gull"], False),
        ("@@activate_only_after 3\n@@@dont_activate", {"messages": 5}, ["gull"], True),
        ("@@scan_depth 2\n@@scan_depth 1", {}, ["gull", "x"], True),
    ],
)
def test_decorators_are_followed(marks: str, setting: dict[str, Any], texts: list[str], wakes: bool) -> None:
    found = book({"keys": ["gull"], "content": f"{marks}\n\nA gull."})
    assert found.entries[0].content == "A gull."
    assert bool(woken(found, *texts, **setting)) is wakes


def test_contents_wake_others_only_where_the_book_says_so_and_not_without_end() -> None:
    chain = [{"keys": [f"k{at}"], "content": f"k{at + 1} {{{{// k99}}}}"} for at in range(8)]
    hidden = {"keys": ["k99"]}
    assert woken(book(*chain, hidden), "k0") == ["0"]
    assert woken(book(*chain, hidden, recursive_scanning=True), "k0") == ["0", "1", "2", "3", "4", "5"]
    matches = active(book(*chain), ["k0"], setting=Setting(recursive=True, rounds=2))
    assert [match.round for match in matches] == [0, 1, 2]
    loop = book({"keys": ["a"], "content": "b"}, {"keys": ["b"], "content": "a"}, recursive_scanning=True)
    assert woken(loop, "a") == ["0", "1"]


@pytest.mark.parametrize(
    ("flag", "expected"),
    [
        ("exclude_recursion", ["0"]),
        ("delay_until_recursion", ["0", "1"]),
        ("prevent_recursion", ["0", "1"]),
    ],
)
def test_entries_say_how_they_take_part_in_recursion(flag: str, expected: list[str]) -> None:
    found = book(
        {"keys": ["a"], "content": "b"}, {"keys": ["b"], "content": "c", "extensions": {flag: True}}, {"keys": ["zz"]}
    )
    assert woken(found, "a", recursive=True) == expected
    assert woken(found, "b") == ([] if flag == "delay_until_recursion" else ["1"])


def test_the_depth_of_the_book_counts_where_nothing_nearer_does() -> None:
    found = book({"keys": ["gull"]}, {"keys": ["gull"], "extensions": {"scan_depth": 3}}, scan_depth=1)
    assert woken(found, "gull", "x", "y") == ["1"]
    assert woken(found, "gull", "x", scan_depth=2) == ["0", "1"]


def test_bad_and_endless_patterns_match_nothing_and_are_reported_once() -> None:
    told: list[Notice] = []
    found = book(
        {"keys": ["(a+)+$"], "use_regex": True},
        {"keys": ["(unclosed"], "use_regex": True},
        {"keys": ["x" * 5_000], "use_regex": True},
        {"keys": ["b"], "use_regex": True},
    )
    matches = active(found, ["a" * 60 + "b", "more a"], report=told.append)
    assert [match.entry.id for match in matches] == ["3"]
    assert [notice.code for notice in told] == ["slow_pattern", "bad_pattern", "bad_pattern"]


def test_many_endless_patterns_share_one_budget() -> None:
    told: list[Notice] = []
    found = book(*({"keys": [f"(a+)+{at}$"], "use_regex": True} for at in range(60)))
    assert active(found, ["a" * 60 + "b"], report=told.append) == []
    codes = [notice.code for notice in told]
    assert codes.count("slow_pattern") < 60 <= codes.count("slow_pattern") + codes.count("pattern_budget")


def test_half_a_character_in_a_text_is_no_trouble() -> None:
    assert woken(book({"keys": ["a."], "use_regex": True}), "a\ud83d") == ["0"]


def test_of_fallbacks_the_first_that_is_understood_counts() -> None:
    marks, rest = divided("@@a 1\n@@@b 2\n@@@depth 3\n@@@depth 4\n@@role nobody\n@@@role user\n\ntext\n@@depth 9")
    assert rest == "text\n@@depth 9"
    assert {name: mark.value for name, mark in effective(marks).items()} == {"depth": "3", "role": "user"}


def test_where_there_is_no_room_the_lowest_priority_goes_first() -> None:
    found = book(
        {"keys": [], "constant": True, "content": "aaaa", "insertion_order": 1, "priority": 9},
        {"keys": [], "constant": True, "content": "bbbb", "insertion_order": 2},
        {"keys": [], "constant": True, "content": "cccc", "insertion_order": 3, "priority": 2},
        {"keys": [], "constant": True, "content": "@@ignore_on_max_context\ndddd", "insertion_order": 99},
    )
    matches = active(found, [])
    for budget, kept, left in ((16, "0123", ""), (15, "012", "3"), (8, "01", "32"), (4, "0", "321"), (3, "", "3210")):
        one, other = fitted(matches, budget=budget, size=len)
        assert "".join(match.entry.id for match in one) == kept
        assert "".join(match.entry.id for match in other) == left


def test_search_finds_entries_by_all_of_the_words_names_first() -> None:
    found = book(
        {"keys": ["gull"], "content": "It nests on rocks."},
        {"keys": ["nest", "rock"], "comment": "Nests"},
        {"keys": ["sea"], "content": "Gulls nest here."},
    )
    assert [entry.id for entry in search(found, "NEST gull")] == ["0", "2"]
    assert [entry.id for entry in search(found, "nest")] == ["1", "0", "2"]
    assert search(found, "whale") == search(found, " ") == []


def test_names_are_put_in_only_where_somebody_asks() -> None:
    text = "{{Char}} greets {{ user }}, <BOT> and <user>.{{// note}}{{comment: x}} {{roll:d6}}"
    assert substituted(text, char="{{user}}", user="Ann") == "{{user}} greets Ann, {{user}} and Ann. {{roll:d6}}"
