"""NovelDesk, its Python half: what it tells of a novel, and what a person may do with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.novel.model import Approval, Source, Status, Target
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.widgets import NovelDesk
from tests.novel.stage import BOT, Stage, config, stage
from tests.widgets.asking import refused, told


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Stage]:
    """A novel with an outline, and nothing written yet."""
    made = stage(tmp_path / "ws")
    made.plan()
    yield made
    made.close()


def desk_of(story: Stage) -> NovelDesk:
    return NovelDesk(story.novel_id, story.ws)


def can(desk: NovelDesk) -> set[str]:
    """What may be done now."""
    return {name for name, facts in told(desk, "desk")["controls"].items() if facts["can"]}


def helps(desk: NovelDesk) -> set[str]:
    """What stands out, for it helps now."""
    return {name for name, facts in told(desk, "desk")["controls"].items() if facts["helps"]}


def seated(story: Stage, cells: str) -> None:
    """The author's seat as another machine, or a fault, left it."""
    with story.ws.journal.write() as connection:
        connection.exec_driver_sql(f"UPDATE leases SET {cells} WHERE name LIKE 'novel/%'")


def say(desk: NovelDesk, words: str, message: str = "message-1", **more: Any) -> dict[str, Any]:
    return told(desk, "instruct", text=words, message=message, **more)


def blocked(story: Stage) -> str:
    """A conflict: an instruction against what is written, found by the author; gives its id."""
    story.write(states=[{"person": story.made["mira"], "aspect": "life", "value": "dead", "at": 1}])
    commit = next(iter(story.novel.commits))
    _, taken = story.ann.instruct("Mira never died.", message="against")
    story.next()
    places = [Source(commit=commit, paragraph=1)]
    story.desk.block(taken.id, "Mira is dead by now.", places, story.novel.head.outline_revision)
    return taken.id


def test_it_tells_the_outline_with_its_revision_and_how_far_each_chapter_is(story: Stage) -> None:
    story.write()
    facts = told(desk_of(story), "desk")
    assert facts["title"] == "The Lamp"
    assert facts["outline"]["revision"] == 1
    assert facts["outline"]["latest"]["changed"] == [
        "story",
        "2 people added",
        "2 chapters added",
        "1 foreshadow added",
    ]
    first, second = facts["chapters"]
    assert (first["title"], first["state"], first["current"], first["done"], first["scenes"]) == (
        "Chapter 1",
        "writing",
        True,
        1,
        2,
    )
    assert first["written"] == story.novel.head.characters > 0
    assert (second["state"], second["written"]) == ("planned", 0)
    plan = told(desk_of(story), "chapter", chapter=first["id"])
    assert [scene["state"] for scene in plan["scenes"]] == ["done", "planned"]


def test_a_summary_of_what_a_revision_changed_is_told_in_chinese_too(story: Stage) -> None:
    changed = told(desk_of(story), "desk", "zh")["outline"]["latest"]["changed"]
    assert changed == ["故事主线", "新增 2 名人物", "新增 2 章", "新增 1 条伏笔"]


def test_prose_is_what_was_committed_and_comes_in_parts(story: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    story.write()
    story.write()
    desk, chapter = desk_of(story), next(iter(story.novel.chapters))
    whole = told(desk, "prose", chapter=chapter)
    assert (whole["all"], whole["next"]) == (2, None)
    assert [unit["paragraphs"] for unit in whole["units"]] == [
        list(story.service.paragraphs(story.novel, commit)) for commit in story.novel.commits
    ]
    monkeypatch.setattr("lantern_kit.widgets.novel.prose.AT_ONCE", 1)
    part = told(desk, "prose", chapter=chapter)
    assert (len(part["units"]), part["next"]) == (1, 1)
    assert told(desk, "prose", chapter=chapter, start=1)["units"] == whole["units"][1:]


def test_an_instruction_is_receipted_only_from_the_ledger_and_taken_once(story: Stage) -> None:
    desk = desk_of(story)
    before = story.service.head(story.novel_id).revision.number
    first = say(desk, "Let it rain.")["receipt"]
    assert story.novel.instructions[first["id"]].text == "Let it rain."
    assert story.novel.instructions[first["id"]].by == "Ann"
    assert first["revision"] == f"r{story.service.head(story.novel_id).revision.number}" != f"r{before}"
    assert say(desk, "Let it rain.")["receipt"] == first
    assert story.novel.head.received == 2
    error = refused(desk, "instruct", text="Let it snow.", message="message-1")
    assert error["code"] == "idempotency_conflict"


def test_where_an_instruction_takes_effect_is_told_as_things_stand(story: Stage) -> None:
    desk = desk_of(story)

    def takes() -> Any:
        return told(desk, "desk")["ledger"]["instructions"][0]["takes"]

    intent = story.next()
    story.claim(intent)
    say(desk, "Let it rain.")
    assert takes() == {"when": "after_unit", "unit": 1}
    told(desk, "stop")
    assert takes() == {"when": "on_resume"}
    told(desk, "resume")
    assert takes() == {"when": "next"}
    story.plan()
    newest = told(desk, "desk")["ledger"]["instructions"][0]
    assert (newest["state"], newest["takes"], newest["outcome"]["revision"]) == ("applied", None, 2)
    assert newest["outcome"]["first"] is None
    commit = story.write()
    first = told(desk, "desk")["ledger"]["instructions"][0]["outcome"]["first"]
    assert (first["commit"], first["title"]) == (commit.id, "Chapter 1")


def test_a_conflict_points_at_the_paragraph_and_takes_a_clarification(story: Stage) -> None:
    name, desk = blocked(story), desk_of(story)
    facts = told(desk, "desk")
    assert facts["run"]["pause"]["reason"] == "requirement-conflict"
    assert not facts["controls"]["resume"]["can"]
    item = facts["ledger"]["instructions"][0]
    assert (item["state"], item["conflict"]["reason"]) == ("blocked", "Mira is dead by now.")
    assert (item["may"], item["in_force"]) == (["clarification", "withdrawal"], False)
    (place,) = item["conflict"]["places"]
    assert (place["title"], place["number"], place["quote"]) == ("Chapter 1", 2, "“1,” said Tom.")
    say(desk, "In a dream, later.", source="clarification", answers=name)
    assert told(desk, "desk")["ledger"]["instructions"][1]["answered"] == [3]
    assert "resume" in can(desk)
    told(desk, "resume")
    story.next()
    outcomes = [
        OutcomeIn(instruction=item.id, result="applied", note="as a dream") for item in story.novel.open_instructions
    ]
    story.desk.revise_outline(Plan(), outcomes, "it is dreamt", story.novel.head.outline_revision)
    assert told(desk, "desk")["ledger"]["instructions"][1]["conflict"]["solved_by"] == 3


def test_what_may_be_done_follows_the_novel_and_is_refused_there_too(story: Stage) -> None:
    desk = desk_of(story)
    assert can(desk) == {"instruct", "configure", "pause", "stop"}
    assert refused(desk, "resume")["code"] == "wrong_state"
    told(desk, "pause")
    assert can(desk) == {"instruct", "configure", "resume"}
    assert helps(desk) == {"resume"}
    for name in ("pause", "stop"):
        assert refused(desk, name)["code"] == "wrong_state"
    assert refused(desk, "update")["message"] == "No outline waits to be approved."
    told(desk, "resume")
    assert story.novel.head.run.status is Status.ACTIVE


def test_a_stop_says_whether_the_commit_came_first(story: Stage) -> None:
    desk = desk_of(story)
    intent = story.next()
    story.claim(intent)
    assert told(desk, "stop", unit=intent.unit)["unit"] == "stopped"
    told(desk, "resume")
    story.write()
    done = next(iter(story.novel.commits.values())).id
    assert told(desk, "stop", unit=done)["unit"] == "committed"


def test_only_the_outline_that_was_read_can_be_approved(tmp_path: Path) -> None:
    story = stage(tmp_path / "ws", configured=config(approval=Approval.MANUAL))
    story.plan()
    desk = desk_of(story)
    assert can(desk) == {"instruct", "configure", "approve"}
    assert helps(desk) == {"approve"}
    say(desk, "Make it sad.")
    facts = told(desk, "desk")
    assert facts["ledger"]["instructions"][0]["takes"] == {"when": "on_update"}
    assert can(desk) == {"instruct", "configure", "update"}
    assert helps(desk) == {"update"}
    assert "updated first" in facts["controls"]["approve"]["why"]
    told(desk, "update")
    story.plan()
    assert refused(desk, "approve", revision=1)["code"] == "novel_revision_conflict"
    assert told(desk, "approve", revision=2)["desk"]["run"]["status"] == "active"
    assert not told(desk, "desk")["controls"]["approve"]["shown"]
    story.close()


def test_length_and_what_was_spent_stand_beside_what_is_allowed(tmp_path: Path) -> None:
    aim = Target(kind="target", characters=2_000, tolerance=100_000, hard_maximum=2_500)
    story = stage(tmp_path / "ws", configured=config(length=aim, limits={"turns": 40}))
    story.plan()
    story.write()
    facts = told(desk_of(story), "desk")
    done = story.novel.head.characters
    target = facts["length"]["target"]
    assert (target["low"], target["high"], target["hard"]) == (1_800, 2_200, 2_500)
    assert (target["left_low"], target["left_high"], target["left_hard"]) == (1_800 - done, 2_200 - done, 2_500 - done)
    spent = {row["what"]: (row["used"], row["most"]) for row in facts["spent"]}
    assert (spent["turns"], spent["planning_turns"]) == ((2, 40), (1, 600))
    assert spent["tokens"] == (0, None)
    story.close()


def test_a_limit_that_was_reached_is_raised_and_what_was_spent_stays_spent(tmp_path: Path) -> None:
    story = stage(tmp_path / "ws", configured=config(limits={"planning_turns": 1}))
    story.plan()
    desk = desk_of(story)
    say(desk, "Let it rain.")
    story.halted()
    facts = told(desk, "desk")
    assert (facts["run"]["pause"]["reason"], helps(desk)) == ("budget", {"configure"})
    spent, before = story.novel.head.spent, story.novel.config.limits
    told(desk, "configure", limits={"planning_turns": 9, "tokens": 5_000})
    limits = story.novel.config.limits
    assert (limits.planning_turns, limits.tokens, limits.turns) == (9, 5_000, before.turns)
    assert (story.novel.head.spent, story.novel.head.run.status) == (spent, Status.PAUSED)
    assert "resume" in helps(desk)
    assert told(desk, "configure", limits={"tokens": None})["desk"]["config"]["limits"]["tokens"] is None
    story.close()


def test_what_a_person_did_not_change_of_a_length_stays_and_what_is_no_length_is_refused(story: Stage) -> None:
    desk = desk_of(story)
    before = told(desk, "desk")["config"]
    assert (before["length"], "chapters" in before) == (None, False)
    assert refused(desk, "configure", hard_maximum=9_000)["message"] == "the novel aims at no length"
    made = told(desk, "configure", length=8_000, tolerance=0.2, hard_maximum=9_900)["desk"]["config"]
    assert told(desk, "configure", tolerance=0.1)["desk"]["config"] == {**made, "tolerance": 0.1}
    assert made == {**before, "length": 8_000, "tolerance": 0.2, "hard_maximum": 9_900}
    held = story.novel.config
    for odd in ({"length": -1}, {"tolerance": 1.5}, {"unit_maximum": 0}, {"limits": {"turns": 0}}, {"chapters": 3}):
        assert refused(desk, "configure", **odd)["code"] in {"bad_input", "wrong_state"}, odd
    assert refused(desk, "configure", limits={"wishes": 1})["code"] != "internal"
    assert story.novel.config == held
    assert told(desk, "configure", length=None)["desk"]["config"]["length"] is None


@pytest.mark.parametrize("cells", ["process = 'elsewhere:12:boot.1'", "holder = x'00'"])
def test_a_seat_of_which_only_a_person_can_tell_is_freed_by_them(story: Stage, cells: str) -> None:
    desk = desk_of(story)
    assert not told(desk, "desk")["controls"]["free"]["shown"]
    assert refused(desk, "free")["code"] == "wrong_state"
    assert told(desk, "author") == {"author": BOT.name, "doubtful": False}
    seated(story, cells)
    assert told(desk, "author")["doubtful"]
    assert told(desk, "desk")["controls"]["free"]["can"]
    freed = told(desk, "free")["desk"]
    assert (freed["author"], freed["controls"]["free"]["shown"]) == ("", False)
    assert told(desk, "author") == {"author": "", "doubtful": False}


def test_an_instruction_says_whether_it_binds_and_how_it_may_be_answered(story: Stage) -> None:
    desk = desk_of(story)

    def newest() -> list[tuple[str, bool, list[str]]]:
        items = told(desk, "desk")["ledger"]["instructions"]
        return [
            (item["state"], item["in_force"], item["may"]) for item in sorted(items, key=lambda one: one["sequence"])
        ]

    name = say(desk, "Let it rain.")["receipt"]["id"]
    assert newest()[1] == ("pending", False, ["withdrawal"])
    say(desk, "I take it back.", "message-2", source="withdrawal", answers=name)
    assert newest()[1] == ("pending", False, [])


def test_people_and_foreshadows_are_told_with_the_paragraphs_that_made_them_so(story: Stage) -> None:
    story.write(
        states=[{"person": story.made["mira"], "aspect": "place", "value": "the pier", "at": 0}],
        foreshadows=[{"foreshadow": story.made["key"], "move": "planted", "at": 1}],
    )
    desk = desk_of(story)
    mira = told(desk, "people")["people"][0]
    assert (mira["states"][0]["value"], mira["states"][0]["at"]["paragraph"]) == ("the pier", 0)
    (key,) = told(desk, "foreshadows")["foreshadows"]
    assert (key["state"], key["planted"]["paragraph"], key["resolved"]) == ("planted", 1, None)
    story.write(states=[{"person": story.made["tom"], "aspect": "place", "value": "the pier", "at": 1}])
    assert told(desk, "people")["people"][1]["states"][0]["at"]["number"] == 4  # of its chapter, as people count
    assert (key["plant"], key["resolve"]) == ("Chapter 1", "Chapter 2")


def test_who_writes_is_told_until_they_leave(story: Stage) -> None:
    desk = desk_of(story)
    assert told(desk, "desk")["author"] == BOT.name
    story.service.authors.release(story.seat)
    assert told(desk, "author") == {"author": "", "doubtful": False}


def test_long_ledgers_come_in_parts_and_what_is_open_comes_first(story: Stage) -> None:
    desk = desk_of(story)
    for number in range(30):
        story.ann.instruct(f"wish {number}", message=f"wish{number}")
    page = told(desk, "desk")["ledger"]
    assert [item["sequence"] for item in page["instructions"]] == [*range(31, 6, -1), *range(6, 1, -1)]
    assert page["earlier"] == 7
    assert [item["sequence"] for item in told(desk, "instructions", before=7)["instructions"]] == [6, 5, 4, 3, 2, 1]


def test_it_is_exported_as_it_was_looked_at(story: Stage) -> None:
    desk = desk_of(story)
    assert refused(desk, "export", form="markdown", revision=1)["message"] == "Nothing is written yet."
    story.write()
    seen = told(desk, "desk")["revision"]
    first = story.novel.head.characters
    story.write()
    made = told(desk, "export", form="markdown", revision=seen)
    assert (made["revision"], made["finished"], made["characters"]) == (f"r{seen}", False, first)
    words = (story.ws.path / made["file"]).read_text()
    assert "word1x0" in words
    assert "word2x0" not in words
    assert refused(desk, "export", form="../x", revision=seen)["code"] == "bad_input"
    assert refused(desk, "export", form="zip", revision=10**6)["code"] == "not_found"


def test_its_static_form_tells_how_it_stands_and_escapes_what_others_wrote(tmp_path: Path) -> None:
    story = stage(tmp_path / "ws")
    plan: Any = {"story": {"title": "<b>Lamp</b>", "premise": "p", "theme": "t", "conflict": "c", "ending": "e"}}
    plan["chapters"] = [
        {
            "as": "c",
            "title": "<script>x</script>",
            "purpose": "p",
            "events": ["e"],
            "scenes": [{"as": "s", "goal": "g"}],
        }
    ]
    story.plan(Plan.model_validate(plan))
    desk = desk_of(story)
    assert "outline revision 1" in desk.text()
    html = desk.picture()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "<b>Lamp" not in html
    story.ann.pause()
    assert "已暂停" in NovelDesk(story.novel_id, story.ws, language="zh").text()
    story.close()


def test_an_ask_that_makes_no_sense_is_refused_in_words_and_changes_nothing(story: Stage) -> None:
    desk, before = desk_of(story), story.service.head(story.novel_id).id
    odd: list[tuple[str, dict[str, Any]]] = [
        ("prose", {"chapter": "../x"}),
        ("prose", {"chapter": "cp_nothere", "start": 10**400}),
        ("chapter", {"chapter": "\ud800"}),
        ("plans", {"before": -1}),
        ("instructions", {"before": "newest"}),
        ("instruct", {"text": "a\x00b", "message": "message-1"}),
        ("instruct", {"text": "\ud800", "message": "message-1"}),
        ("instruct", {"text": "x" * 20_001, "message": "message-1"}),
        ("instruct", {"text": "x", "message": "../../x"}),
        ("instruct", {"text": "x", "message": "message-1", "source": "creation"}),
        ("instruct", {"text": "x", "message": "message-1", "source": "withdrawal", "answers": "in_nothere"}),
        ("instruct", {"text": "x", "message": "message-1", "by": "somebody"}),
        ("approve", {"revision": 1}),
        ("approve", {"revision": 10**400}),
        ("export", {"form": "markdown", "revision": 1, "path": "/tmp/x"}),
        ("configure", {"length": 10**400}),
        ("configure", {"tolerance": "much"}),
        ("configure", {"approval": "automatic"}),
        ("free", {}),
    ]
    for ask, args in odd:
        assert refused(desk, ask, **args)["code"] != "internal", args
    assert story.service.head(story.novel_id).id == before


def test_what_is_no_novel_is_refused(story: Stage) -> None:
    with pytest.raises(NotFound):
        NovelDesk("nv_nothere", story.ws)
    with pytest.raises(BadInput, match="a novel of a workspace"):
        NovelDesk(story.novel_id)
    assert NovelDesk("The Lamp", story.ws).novel == NovelDesk(story.ws.novel("The Lamp")).novel == story.novel_id
