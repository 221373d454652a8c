"""What people say is resolved to one thing, to candidates that can be told apart, or to nothing; never to a guess."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Direction, Paper
from lantern_kit.comic.reference import Reference, linked_proposal, parse_reference
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput, NotFound, WrongTarget
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import Desk, op

BOOK = (
    op("unit.add", None, "cover", kind="cover"),
    op("unit.add", None, "one"),
    op("unit.add", None, "two", name="The Moon"),
    op("unit.add", None, "wide", kind="spread", gutter=5),
    op("unit.add", None, "last", kind="transition"),
    op("frame.add", "@one", "a", rect=[5, 5, 40, 60]),
    op("frame.add", "@one", "b", rect=[50, 5, 40, 60]),
    op("frame.add", "@two", "c", rect=[5, 5, 90, 60]),
    op("frame.add", "@two", "d", rect=[5, 70, 40, 60], name="the fall"),
    op("frame.add", "@two", "e", rect=[50, 70, 40, 60]),
    op("frame.add", "@wide", "left", rect=[5, 5, 90, 60]),
    op("frame.add", "@wide", "across", rect=[5, 70, 200, 60]),
    op("frame.add", "@wide", "right", rect=[115, 5, 90, 60]),
    op("balloon.add", "@a", "hm", text="Hm?", speaker="Chelsea", at=[20, 20], size=[20, 10]),
    op("balloon.add", "@b", "mine", text="Is that… mine?", speaker="Chelsea", at=[65, 20], size=[30, 15]),
    op("balloon.add", "@c", "also", text="Is that… mine?", speaker="Ivy", at=[30, 20], size=[30, 15]),
    op("balloon.add", "@e", "up", text="上去！", speaker="切尔西", at=[70, 90], size=[20, 10]),
    op("narration.add", "@two", "later", text="Later", rect=[5, 132, 30, 8]),
    op("text.add", "@wide", "boom", text="BOOM", at=[150, 100], size=[60, 20]),
)


@pytest.fixture
def made(desk: Desk) -> dict[str, str]:
    """A chapter of a cover, two pages, a spread and a transition: handles by name."""
    draft = desk.begin()
    return {"draft": draft, **desk.edit(draft, *BOOK)["objects"]}


def meant(desk: Desk, made: dict[str, str], text: str, **args: Any) -> list[str]:
    """Names of what a text means; the answer's own word on how many is held to them."""
    answer = desk.ask("work.find", source=made["draft"], text=text, **args)
    names = {handle: name for name, handle in made.items()}
    found = [names[row["handle"]] for row in answer["found"]]
    assert answer["match"] == ("none" if not found else "one" if len(found) == 1 else "several")
    return found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("page 2, the last panel", "e"),
        ("第2页最后一格", "e"),
        ("第二页的倒数第二格", "d"),
        ("the last panel of page 2", "e"),
        ("p. 2, panel 1", "c"),
        ("the second-to-last panel on p2", "d"),
        ("Page 2 “The Moon”", "two"),
        ("the page called The Moon", "two"),
        ("the cover", "cover"),
        ("封面", "cover"),
        ("the spread", "wide"),
        ("跨页", "wide"),
        ("page 3", "wide"),
        ("page 4", "wide"),
        ("pages 3–4", "wide"),
        ("第 3–4 页（跨页）", "wide"),
        ("the last page", "last"),
        ("最后一页", "last"),
        ("倒数第四页", "two"),
        ("page 4, the first panel", "across"),
        ("page 4, the last panel", "right"),
        ("第3页第一格", "left"),
        ("the balloon where Chelsea says “is that mine”", "mine"),
        ("the balloon where Chelsea says is that mine", "mine"),
        ("the panel where Chelsea says “Is that… mine?”", "b"),
        ("切尔西说“上去”的气泡", "up"),
        ("切尔西说“上去”的那一格", "e"),
        ("第2页里切尔西的气泡", "up"),
        ("Chelsea's last balloon on page 1", "mine"),
        ("Ivy's balloon", "also"),
        ("“mine” on page 2", "also"),
        ("panel “the fall”", "d"),
        ("the caption", "later"),
        ("旁白", "later"),
        ("the sound “boom”", "boom"),
        ("第4页的音效", "boom"),
        ("the last panel of the chapter", "right"),
        ("chapter 1, page 1, panel 2", "b"),
        ("第1话第1页第2格", "b"),
        ("Chelsea Goes Up, page 1, panel 2", "b"),
        ("《Chelsea Goes Up》第1页第2格", "b"),
    ],
)
def test_a_phrase_that_means_one_thing_gives_it(text: str, found: str, desk: Desk, made: dict[str, str]) -> None:
    assert meant(desk, made, text) == [found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the balloon that says “Is that… mine?”", ["mine", "also"]),
        ("“Is that… mine?”那个气泡", ["mine", "also"]),
        ("the last panel", ["b", "e", "right"]),
        ("最后一格", ["b", "e", "right"]),
        ("Chelsea's balloon", ["hm", "mine"]),
        ("pages 1 and 2", ["one", "two"]),
    ],
)
def test_a_phrase_that_fits_several_things_gives_all_of_them(
    text: str, found: list[str], desk: Desk, made: dict[str, str]
) -> None:
    assert meant(desk, made, text) == found


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("page 9", "pages are 1–5, in 5 units"),
        ("page 2, panel 7", "pages are 1–5"),
        ("第9页最后一格", "pages are 1–5"),
        ("the angry panel on page 2", "not understood: angry; without it: 3 candidates"),
        ("上一页", "not understood: 上一"),
        ("the next page", "not understood: next"),
        ("the last two panels of page 2", "not understood: two"),
        ("这两格", "not understood: 两"),
        ("the panel above the caption", "not understood"),
        ("chapter 2, page 1", "it speaks of another chapter than 1 of Chelsea Goes Up"),
    ],
)
def test_what_is_not_there_or_not_understood_gives_nothing_and_says_why(
    text: str, note: str, desk: Desk, made: dict[str, str]
) -> None:
    answer = desk.ask("work.find", source=made["draft"], text=text)
    assert (answer["match"], answer["found"]) == ("none", [])
    assert note in answer["note"]


def test_candidates_say_what_tells_them_apart_and_carry_handles_of_the_revision(
    desk: Desk, made: dict[str, str]
) -> None:
    answer = desk.ask("work.find", source=made["draft"], text="the balloon “is that mine”")
    assert answer["revision"] == desk.revisions[made["draft"]]
    first, second = answer["found"]
    assert first == {
        "n": 2,
        "handle": made["mine"],
        "kind": "balloon",
        "what": "balloon 2",
        "page": "Page 1",
        "speaker": "Chelsea",
        "text": "Is that… mine?",
        "at": [50.0, 12.5, 30.0, 15.0],
        "where": "top",
        "in": "frame 2",
        "after": "frame 2",
    }
    assert (second["n"], second["page"], second["speaker"], second["before"]) == (
        3,
        "Page 2 “The Moon”",
        "Ivy",
        "frame 2 “the fall”",
    )
    desk.edit(made["draft"], op("object.move", first["handle"], by=[1, 1]))  # it can be acted on as it is


def test_a_page_whose_name_is_another_pages_number_is_not_taken_for_it(desk: Desk, made: dict[str, str]) -> None:
    made |= desk.edit(made["draft"], op("unit.set", made["last"], name="page 1"))["objects"]
    rows = desk.ask("work.find", source=made["draft"], text="page 1")["found"]
    assert [row["page"] for row in rows] == ["Page 1", "Page 5 (transition) “page 1”"]


def test_a_speaker_or_a_name_that_is_a_noun_is_still_found(desk: Desk, made: dict[str, str]) -> None:
    done = desk.edit(
        made["draft"], op("balloon.add", made["one"], "odd", text="What?", speaker="Page", at=[20, 120], size=[20, 10])
    )
    found = desk.ask("work.find", source=made["draft"], text="Page's balloon on page 1")["found"]
    assert [row["handle"] for row in found] == [done["objects"]["odd"]]


def test_from_right_to_left_the_first_page_of_a_spread_is_its_right_one(ws: Workspace) -> None:
    paper = Paper(width=105_000, height=148_000)
    made = ws.comics.create_chapter(
        comic="Mon", number=1, actor=ws.owner, paper=paper, direction=Direction.RTL, language="ja"
    )
    desk = Desk(ws, made.id)
    draft = desk.begin()
    things = desk.edit(
        draft,
        op("unit.add", None, "s", kind="spread"),
        op("frame.add", "@s", "right", rect=[115, 5, 80, 60]),
        op("frame.add", "@s", "left", rect=[5, 5, 80, 60]),
    )["objects"]
    for page, name in ((1, "right"), (2, "left")):
        (row,) = desk.ask("work.find", source=draft, text=f"page {page}, panel 1")["found"]
        assert row["handle"] == things[name]


# references, links, handles


def test_a_reference_stays_what_it_is_while_a_handle_goes_stale(desk: Desk, made: dict[str, str]) -> None:
    unit, thing = (made[name].split("#")[0] for name in ("one", "b"))
    reference = str(Reference(desk.chapter, unit, thing))
    at = f"{reference}?revision={desk.revisions[made['draft']]}"
    assert desk.ask("work.find", source=made["draft"], text=at)["found"][0]["changed"] is False
    desk.edit(made["draft"], op("object.move", reference, by=[2, 0]))  # it is taken where a handle is
    (row,) = desk.ask("work.find", source=made["draft"], text=reference)["found"]
    assert row["handle"].split("#")[0] == thing
    assert "changed" not in row
    for text in (made["b"], at):
        (row,) = desk.ask("work.find", source=made["draft"], text=text)["found"]
        assert row["changed"] is True
    assert desk.ask("unit.read", source=made["draft"], unit=str(Reference(desk.chapter, unit)))["text"]
    assert desk.ask("unit.look", source=made["draft"], around=reference, size=200)["unit"].startswith(unit)


def test_a_reference_written_wrongly_is_refused() -> None:
    whole = "lantern://comic/ch_00000001/unit/un_00000002/object/fr_00000003?revision=r4"
    assert str(parse_reference(whole)) == whole
    for text in (whole + "x", "lantern://comic/ch_00000001/object/fr_00000003", "lantern://comic/", whole.upper()):
        if text.startswith("lantern://comic/"):
            with pytest.raises(BadInput):
                parse_reference(text)
        else:
            assert parse_reference(text) is None


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("http://127.0.0.1:8866/?proposal=p2", "p2"),
        ("http://localhost:8866/?token=x&proposal=p12#page", "p12"),
        ("http://127.0.0.1:8866/", ""),
        ("http://127.0.0.1:8866/?proposal=2", ""),
        ("http://127.0.0.1:8866/?proposal=p2&proposal=p3", ""),
        ("http://example.org/?proposal=p2", ""),
        ("http://127.0.0.1.example.org/?proposal=p2", ""),
        ("http://127.0.0.1@example.org/?proposal=p2", ""),
        ("https://127.0.0.1/?proposal=p2", ""),
        ("http://[::1/?proposal=p2", ""),
        ("p2", ""),
    ],
)
def test_only_links_of_this_machines_reviews_name_a_proposal(text: str, proposal: str) -> None:
    assert linked_proposal(text) == proposal


def test_a_review_link_leads_to_its_proposal_and_is_taken_for_it(desk: Desk, made: dict[str, str]) -> None:
    draft = made["draft"]
    frozen = desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        summary="Five units",
    )
    link = f"http://127.0.0.1:8866/?proposal={frozen['proposal']}"
    answer = desk.ask("work.find", text=link)
    assert answer["match"] == "one"
    assert answer["found"] == [
        {
            "kind": "proposal",
            "proposal": frozen["proposal"],
            "state": "pending",
            "draft": draft,
            "source": desk.chapter,
            "summary": "Five units",
        }
    ]
    (row,) = desk.ask("proposal.list", proposal=link)["proposals"]
    assert row["proposal"] == frozen["proposal"]
    assert isinstance(desk.refused("work.find", source=draft, text="http://example.org/?proposal=p1"), BadInput)


def test_what_belongs_elsewhere_is_refused_with_what_it_is(
    desk: Desk, made: dict[str, str], ws: Workspace, cat: AssetVersion
) -> None:
    paper = Paper(width=105_000, height=148_000)
    second = ws.comics.create_chapter(comic="Chelsea Goes Up", number=2, actor=ws.owner, paper=paper)
    other = Desk(ws, second.id, name="other")
    draft = other.begin()
    frame = made["b"].split("#")[0]
    error = other.refused("work.find", source=draft, text=made["b"])
    assert isinstance(error, NotFound)
    assert "is a frame on un_" in error.message
    assert f"another chapter, Chelsea Goes Up 1 ({desk.chapter})" in error.message
    assert error.ids == (frame, desk.chapter)
    assert "another chapter" in other.cannot(draft, op("object.move", frame, by=[1, 1])).message
    assert "another chapter" in other.refused("unit.read", source=draft, unit=made["one"]).message
    assert "another chapter" in other.refused("unit.look", source=draft, around=frame).message
    reference = str(Reference(desk.chapter, made["one"].split("#")[0], frame))
    assert "another chapter" in other.refused("work.find", source=draft, text=reference).message
    error = desk.refused("work.find", source=made["draft"], text=frame, kinds=["balloon"])
    assert isinstance(error, WrongTarget)
    assert (error.found, error.expected) == ("frame", ["balloon"])
    error = desk.refused("unit.read", source=made["draft"], unit=frame)
    assert "is a frame" in error.message
    assert made["one"].split("#")[0] in error.message
    error = desk.refused("work.find", source=desk.chapter, text=frame)
    assert f"{made['draft']} has it as of" in error.message
    desk.edit(made["draft"], op("object.remove", made["b"]))
    assert "removed in r" in desk.refused("work.find", source=made["draft"], text=frame).message
    assert "or ever had" in desk.refused("work.find", source=made["draft"], text="fr_nowhere0").message
    assert "placed nowhere" in desk.ask("work.find", source=made["draft"], text=cat.id)["note"]


def test_without_a_source_all_works_are_looked_in_and_titles_choose(desk: Desk, ws: Workspace) -> None:
    paper = Paper(width=105_000, height=148_000)
    for comic, number, title in (("Chelsea Goes Up", 2, "Down Again"), ("Moon", 1, "")):
        record = ws.comics.create_chapter(comic=comic, number=number, title=title, actor=ws.owner, paper=paper)
        with ChapterWork(ws, record.id).edit("a page") as edit:
            edit.add_page()
    rows = desk.ask("work.find", text="page 1")
    assert rows["match"] == "several"
    assert len({row["source"] for row in rows["found"]}) == 2
    for text in ("Moon, page 1", "《Moon》第1页"):
        (row,) = desk.ask("work.find", text=text)["found"]
        assert ws.comics.head(row["source"]).book.chapter.comic == "Moon"
    for text in ("Chelsea Goes Up, chapter 2", "Chelsea Goes Up 2", "Down Again", "第2话"):
        answer = desk.ask("work.find", text=text)
        assert answer["match"] == "one", text
        assert (answer["found"][0]["kind"], answer["found"][0]["number"]) == ("chapter", 2)


def test_what_was_saved_last_and_what_was_proposed_are_looked_at_as_sources(desk: Desk, ws: Workspace) -> None:
    error = desk.refused("work.outline", source=f"{desk.chapter}@saved")
    assert "never saved" in error.message
    work = ChapterWork(ws, desk.chapter)
    for page in ("one", "two"):
        with work.edit(page) as edit:
            edit.add_page(name=page)
        work.save(page)
    with work.edit("three") as edit:
        edit.add_page(name="three")
    newest, first = desk.ask("work.outline", source=desk.chapter)["saved"]
    reference = f"{Reference(desk.chapter)}@saved"
    for source, count in ((desk.chapter, 3), (f"{desk.chapter}@saved", 2), (reference, 2), (first["saved"], 1)):
        assert len(desk.ask("work.outline", source=source)["units"]) == count
    assert desk.ask("work.outline", source=f"{desk.chapter}@saved")["revision"] == newest["revision"]
    assert "s9" in desk.refused("work.outline", source="s9").message
    draft = desk.begin()
    desk.edit(draft, op("unit.add", None, "four"))
    frozen = desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        summary="A fourth",
    )["proposal"]
    for source in (frozen, f"http://127.0.0.1:8866/?proposal={frozen}"):
        assert len(desk.ask("work.outline", source=source)["units"]) == 4


def test_pages_go_by_one_numbering_in_what_is_read_noted_and_titled(desk: Desk, made: dict[str, str]) -> None:
    draft = made["draft"]
    heads = [desk.ask("unit.read", source=draft, unit=str(n))["text"].split(" un_")[0] for n in range(1, 6)]
    assert heads == ["cover (n 1)", "page 1 (n 2)", "page 2 (n 3)", "spread, pages 3–4 (n 4)", "transition, page 5"]
    assert desk.reply("unit.look", source=draft, unit="4", size=128).summary == "looked at pages 3–4"
    reply = desk.reply(
        "draft.edit",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=desk.key(),
        operations=[op("object.move", made["boom"], by=[1, 1]), op("object.move", made["hm"], by=[1, 1])],
    )
    assert reply.summary == "1 balloon changed, 1 text changed on page 1, pages 3–4"
