"""What holds of the library whatever is done to it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import StaleEntry, WrongState
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.library.entry import content_of, folded
from lantern_kit.workspace import create_workspace, open_workspace

LINES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=12)
NOTES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=40)
COLOURS = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
FACTS = st.fixed_dictionaries({"name": LINES, "notes": NOTES, "palette": st.lists(COLOURS, max_size=3)})
STEPS = st.lists(
    st.tuples(st.sampled_from(["update", "restore", "archive", "stale"]), FACTS, st.integers(1, 6)), max_size=8
)


@given(FACTS)
def test_content_is_read_from_its_canonical_text_as_it_was(facts: dict[str, object]) -> None:
    content = content_of(facts)
    again = type(content).model_validate_json(content.canonical())
    assert again == content
    assert again.canonical() == content.canonical()


@settings(max_examples=max(1, settings.default.max_examples // 5))
@given(FACTS, STEPS)
def test_versions_are_only_added_and_each_says_what_was_kept(
    first: dict[str, object], steps: list[tuple[str, dict[str, object], int]]
) -> None:
    with (
        TemporaryDirectory() as folder,
        create_workspace(Path(folder) / "ws", title="L", owner="mina", ids=SeededIds(3), clock=SteppingClock()) as ws,
    ):
        made = ws.library.keep("character", **first)  # type: ignore[arg-type]
        wanted = [made.content]
        for deed, facts, place in steps:
            held = ws.library.get(made.id)
            before = ws.library.versions(made.id)
            if deed == "stale":
                if held.number > 1:
                    with pytest.raises(StaleEntry) as caught:
                        ws.library.update(made.id, 1 + place % (held.number - 1), **facts)
                    assert caught.value.details["current_version"] == held.number
            elif deed == "restore":
                number = 1 + place % held.number
                then = before[number - 1].content
                if held.archived or then != held.content:
                    wanted.append(ws.library.restore(made.id, number, held.number).content)
                    assert wanted[-1] == then
            elif held.archived:
                with pytest.raises(WrongState):
                    ws.library.update(made.id, held.number, **facts)
            elif deed == "archive":
                wanted.append(ws.library.archive(made.id, confirm=held.name).content)
            elif content_of({**held.content.model_dump(mode="json"), **facts}) != held.content:
                wanted.append(ws.library.update(made.id, held.number, **facts).content)
            assert ws.library.versions(made.id)[: len(before)] == before
        after = ws.library.versions(made.id)
        assert [item.content for item in after] == wanted
        assert [item.number for item in after] == list(range(1, len(wanted) + 1))
        assert ws.verify().clean
        with open_workspace(ws.path) as other:
            assert other.library.versions(made.id) == after
            assert other.library.entries() == ws.library.entries()


@settings(max_examples=max(1, settings.default.max_examples // 5))
@given(st.lists(st.tuples(LINES, NOTES), min_size=1, max_size=6, unique_by=lambda item: folded(item[0])), st.data())
def test_search_gives_all_entries_that_hold_every_word_and_no_others(
    entries: list[tuple[str, str]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder, create_workspace(Path(folder) / "ws", title="L", owner="mina") as ws:
        for name, notes in entries:
            ws.library.keep("prop", name, notes=notes)
        whole = {name: f"{folded(name)}\n{folded(notes)}" for name, notes in entries}
        words = " ".join(
            data.draw(st.lists(st.sampled_from(sorted(whole.values())).flatmap(_pieces), min_size=0, max_size=2))
        )
        parts = folded(words).split()
        wanted = {name for name, text in whole.items() if all(part in text for part in parts)}
        assert {item.name for item in ws.library.find(words)} == wanted
        for name, _ in entries:
            assert ws.library.resolve(name).name == name


def _pieces(text: str) -> st.SearchStrategy[str]:
    return st.tuples(st.integers(0, len(text)), st.integers(1, 4)).map(lambda at: text[at[0] : at[0] + at[1]])
