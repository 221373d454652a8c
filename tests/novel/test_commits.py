"""A unit is committed once, whole or not at all; asked again it answers what there is (10.3, 10.4)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from lantern_kit.kernel.errors import BadInput, IdempotencyConflict, LanternError, NotAllowed, NotFound, WrongState
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.canon import canon
from lantern_kit.novel.content import Content
from lantern_kit.novel.controls import Controls
from lantern_kit.novel.creation import create_novel
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.errors import (
    NovelDuplicateCommit,
    NovelOwnership,
    NovelRevisionConflict,
    NovelStaleUnit,
    NovelStorageCorruption,
)
from lantern_kit.novel.model import ForeshadowState, SceneState, UnitState
from lantern_kit.novel.prose import prose
from tests.novel.stage import ANN, BOT, CONFIG, Stage, content, outline, stage, text


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    stood = stage(tmp_path / "ws")
    stood.plan()
    return stood


def claimed(made: Stage) -> tuple[str, str]:
    intent = made.next()
    return intent.unit or "", made.claim(intent)


def committed(made: Stage, unit: str, token: str, said: Content | None = None, number: int = 1) -> Any:
    return made.desk.commit(token, made.desk.weigh(unit, token, text(number), said or content()))[1]


def test_the_same_content_again_gives_the_commit_there_is_whatever_the_token_and_adds_nothing(made: Stage) -> None:
    unit, token = claimed(made)
    first = committed(made, unit, token)
    before = made.service.head(made.novel_id)
    assert committed(made, unit, token) == first
    assert committed(made, unit, "tk_0000") == first
    made.end(before.novel)
    made.next()
    before = made.service.head(made.novel_id)
    assert committed(made, unit, token) == first
    assert made.service.head(made.novel_id).revision == before.revision


def test_content_is_the_same_however_a_paragraph_is_numbered_and_whatever_was_excused(made: Stage) -> None:
    unit, token = claimed(made)
    event = {"what": "rain", "people": [made.made["mira"]]}
    first = committed(made, unit, token, content(events=[{**event, "at": "00"}]))
    again = content(events=[{**event, "at": 0}]).model_copy(
        update={"overrides": Content.model_validate({"scene": {"done": True, "evidence": "x"}}).overrides}
    )
    assert committed(made, unit, token, again) == first


@pytest.mark.parametrize("at", ["0000000005", "0000000000", f"{'0' * 40}1", "2", "-1", "²", "", 2**31])
def test_a_source_is_a_paragraph_that_there_is_however_it_is_written(made: Stage, at: int | str) -> None:
    unit, token = claimed(made)
    with pytest.raises(BadInput, match="source"):
        committed(made, unit, token, content(events=[{"what": "rain", "at": at}]))
    assert made.novel.head.commits == 0


@pytest.mark.parametrize("value", [1, 0, True, False, "1", "true", 2**53 - 1], ids=repr)
def test_a_value_is_kept_as_it_was_sent(made: Stage, value: object) -> None:
    made.write(variables=[{"name": "lamp", "value": value, "at": 0}])
    held = canon(made.novel).variables["lamp"].value
    assert (held, type(held)) == (value, type(value))


@pytest.mark.parametrize("odd", [2**53, -(2**53), 10**400, 1.0, 0.0, 1.5])
def test_numbers_that_cannot_be_kept_are_no_content(odd: float) -> None:
    for facts in (
        {"variables": [{"name": "lamp", "value": odd, "at": 0}]},
        {"events": [{"what": "x", "at": abs(odd)}]},
    ):
        with pytest.raises(ValidationError):
            content(**facts)


def test_other_content_for_a_committed_unit_is_refused(made: Stage) -> None:
    unit, token = claimed(made)
    first = committed(made, unit, token)
    for number, other in (
        (2, content()),
        (1, content(done=False)),
        (1, content(variables=[{"name": "lamp", "value": 1, "at": 0}])),
        (1, Content.model_validate({"scene": {"done": True, "evidence": "otherwise"}})),
    ):
        with pytest.raises(NovelDuplicateCommit) as refused:
            committed(made, unit, token, other, number)
        assert refused.value.ids == (unit, first.id)
    assert (made.novel.head.commits, made.novel.head.characters) == (1, first.characters)


def test_whose_right_is_looked_at_before_the_receipt_and_the_receipt_before_the_token(made: Stage) -> None:
    unit, token = claimed(made)
    weighed = made.desk.weigh(unit, token, text(1), content())
    made.desk.commit(token, weighed)
    lost = AuthorDesk(made.service, replace(made.seat, lease=replace(made.seat.lease, fence=99)), BOT)
    with pytest.raises(NovelOwnership):
        lost.commit(token, weighed)
    with pytest.raises(NovelOwnership):
        lost.weigh(unit, token, text(1), content())
    assert made.desk.commit("tk_0000", weighed)[1].attempt == made.novel.unit(unit).attempts[-1].id


def test_a_token_is_worth_nothing_in_another_turn(made: Stage) -> None:
    unit, token = claimed(made)
    intent = made.novel.head.run.intent
    weighed = made.desk.weigh(unit, token, text(1), content())
    for turn in ("", "turn1", "elsewhere"):
        other = AuthorDesk(made.service, made.seat.at(turn), BOT)
        with pytest.raises(NovelStaleUnit):
            other.weigh(unit, token, text(1), content())
        with pytest.raises(NovelStaleUnit):
            other.commit(token, weighed)
        with pytest.raises(NovelStaleUnit):
            other.claim("" if intent is None else intent.id, unit, 1, 1)


def test_a_claim_asked_again_in_one_turn_is_the_same_claim(made: Stage) -> None:
    intent = made.next()
    assert made.claim(intent) == made.claim(intent)
    assert len(made.novel.unit(intent.unit or "").attempts) == 1


def test_a_unit_that_is_none_of_the_novel_is_refused(made: Stage) -> None:
    intent = made.next()
    for unit in ("nu_0000", "", "cp_0000", made.made["c1"], "x" * 500, "nu_\x00"):
        with pytest.raises(NotFound):
            made.desk.claim(intent.id, unit, 1, 1)
        with pytest.raises(NotFound):
            made.desk.weigh(unit, "tk_0000", text(1), content())
        with pytest.raises(NotFound):
            made.desk.supersede(unit)


def test_a_unit_of_another_novel_of_the_workspace_is_unknown_to_this_one(made: Stage) -> None:
    other = create_novel(
        made.service, title="Other", config=CONFIG, files=(), request="More.", key="second", actor=ANN
    ).novel.head.id
    seat = made.service.authors.take(other, BOT.name, "test")
    unit, token = claimed(made)
    desk = AuthorDesk(made.service, seat.at(f"turn{made.turn}"), BOT)
    with pytest.raises(NotFound):
        desk.weigh(unit, token, text(1), content())
    forged = AuthorSeat(made.novel_id, BOT.name, seat.lease, f"turn{made.turn}")
    with pytest.raises(NovelOwnership):
        AuthorDesk(made.service, forged, BOT).commit(token, made.desk.weigh(unit, token, text(1), content()))
    assert made.novel.head.commits == 0


def test_a_fact_without_a_paragraph_or_of_nobody_keeps_the_whole_commit_out(made: Stage) -> None:
    unit, token = claimed(made)
    wrong: list[tuple[dict[str, Any], type[LanternError]]] = [
        ({"events": [{"what": "rain", "at": 2}]}, BadInput),
        ({"events": [{"what": "rain", "at": "cm_0000:0"}]}, BadInput),
        ({"events": [{"what": "rain", "at": "soon"}]}, BadInput),
        ({"events": [{"what": "rain", "people": ["pn_0000"], "at": 0}]}, NotFound),
        ({"states": [{"person": "Mira", "aspect": "life", "value": "dead", "at": 0}]}, NotFound),
        ({"foreshadows": [{"foreshadow": "fs_0000", "move": "planted", "at": 0}]}, NotFound),
    ]
    for facts, error in wrong:
        with pytest.raises(error):
            committed(made, unit, token, content(**facts))
    assert made.novel.unit(unit).state is UnitState.CLAIMED
    assert made.novel.head.commits == 0


def test_a_commit_moves_prose_facts_foreshadows_scene_and_counts_in_one_step(made: Stage) -> None:
    unit, token = claimed(made)
    key, mira = made.made["key"], made.made["mira"]
    before = made.service.head(made.novel_id)
    commit = committed(
        made,
        unit,
        token,
        content(
            foreshadows=[{"foreshadow": key, "move": "planted", "at": 1}],
            states=[{"person": mira, "aspect": "place", "value": "pier", "at": 0}],
        ),
    )
    after = made.service.head(made.novel_id)
    assert after.revision.parent == before.revision.number
    novel = after.novel
    held = novel.foreshadows[key]
    assert (held.state, str(held.planted)) == (ForeshadowState.PLANTED, f"{commit.id}:1")
    assert str(commit.delta.states[0].source) == f"{commit.id}:0"
    assert next(iter(novel.chapters.values())).scenes[0].state is SceneState.DONE
    assert (novel.head.characters, novel.head.punctuated) == (commit.characters, commit.punctuated)
    assert novel.head.content_revision == commit.content_revision == before.novel.head.content_revision + 1
    assert made.service.paragraphs(novel, commit.id) == tuple(text(1))


def test_a_foreshadow_is_taken_up_once_and_only_after_it_was_planted(made: Stage) -> None:
    key = made.made["key"]
    unit, token = claimed(made)
    for moves in (["resolved"], ["planted", "planted"]):
        with pytest.raises(BadInput, match="cannot be"):
            committed(
                made, unit, token, content(foreshadows=[{"foreshadow": key, "move": move, "at": 0} for move in moves])
            )
    both = [{"foreshadow": key, "move": move, "at": at} for at, move in enumerate(("planted", "resolved"))]
    committed(made, unit, token, content(foreshadows=both))
    assert made.novel.foreshadows[key].state is ForeshadowState.RESOLVED


def test_prose_that_no_book_can_hold_is_refused() -> None:
    for paragraph in ("", " ", " x", "x ", "a\nb", "a\u2028b", "a\x00", "\ud800", "\ufffe", "…!"):
        with pytest.raises(BadInput):
            prose([paragraph], policy=1)
    with pytest.raises(BadInput) as refused:
        prose(["fine", "not\x07 so"], policy=1)
    assert refused.value.details == {"paragraph": 1, "position": 3}


def test_a_commit_says_how_far_its_scene_is(made: Stage) -> None:
    unit, token = claimed(made)
    for scene in (
        {"done": True, "evidence": " "},
        {"done": False, "remaining": "half"},
        {"done": False, "anchor": "a"},
    ):
        with pytest.raises(BadInput, match="scene"):
            committed(made, unit, token, Content.model_validate({"scene": scene}))


def test_a_body_that_is_gone_stops_whoever_reads_it(made: Stage) -> None:
    commit = made.write()
    novel = made.novel
    made.service.require_sound(novel)
    for path in made.ws.path.rglob(f"*{commit.body[4:]}*"):
        path.unlink()
    with pytest.raises(NovelStorageCorruption):
        made.service.paragraphs(novel, commit.id)
    with pytest.raises(NovelStorageCorruption):
        made.service.require_sound(novel)


def test_a_request_that_is_sent_again_begins_no_second_novel_and_no_second_instruction(made: Stage) -> None:
    asked: dict[str, Any] = {
        "title": "The Lamp",
        "config": CONFIG,
        "files": (),
        "request": "Write of a lamp.",
        "key": "first",
        "actor": ANN,
    }
    assert create_novel(made.service, **asked).novel.head.id == made.novel_id
    with pytest.raises(IdempotencyConflict):
        create_novel(made.service, **{**asked, "request": "Write of a pier."})
    assert (len(made.service.novels()), made.novel.head.received) == (1, 1)
    told = made.instruct(message="m")
    assert made.instruct(message="m") == made.novel.instruction(told.id)
    with pytest.raises(IdempotencyConflict):
        made.instruct("Other words.", message="m")
    assert made.novel.head.received == 2


def test_only_people_begin_and_control_novels(made: Stage) -> None:
    with pytest.raises(NotAllowed):
        Controls(made.service, made.novel_id, BOT)
    with pytest.raises(NotAllowed):
        create_novel(made.service, title="x", config=CONFIG, files=(), request="y", key="z", actor=BOT)


def test_a_chapter_is_completed_by_the_prose_there_is_and_once(made: Stage) -> None:
    made.write()
    made.write()
    intent, before = made.next(), made.novel
    chapter, content_revision = intent.chapter or "", made.novel.head.content_revision
    for wrong in (content_revision - 1, content_revision + 1):
        with pytest.raises(NovelRevisionConflict):
            made.desk.complete_chapter(chapter, wrong, "told", [])
    with pytest.raises(NovelStaleUnit):
        made.desk.complete_chapter(made.made["c2"], content_revision, "told", [])
    _, first = made.desk.complete_chapter(chapter, content_revision, "told", ["who?"])
    assert made.desk.complete_chapter(chapter, content_revision, "told", ["who?"])[1] == first
    made.end(before)
    with pytest.raises(NovelStaleUnit):
        made.desk.complete_chapter(chapter, content_revision, "told again", [])


def test_words_that_cannot_be_kept_are_refused_in_words_and_change_nothing(made: Stage) -> None:
    for words in ("", " ", "a\x00b", "\ud800", "x" * 20_001):
        with pytest.raises(BadInput):
            made.instruct(words)
        for facts in ({"request": words, "title": "x"}, {"request": "x", "title": words}):
            with pytest.raises(BadInput):
                create_novel(made.service, **facts, config=CONFIG, files=(), key="other", actor=ANN)
    made.write()
    made.write()
    intent = made.next()
    for evidence in ("", " ", "a\x00b", "\ud800", "x" * 4_001):
        with pytest.raises(BadInput):
            made.desk.complete_chapter(intent.chapter or "", made.novel.head.content_revision, evidence, [])
    assert (made.novel.head.received, len(made.service.novels())) == (1, 1)


def test_a_configuration_that_cannot_be_is_refused_in_words(made: Stage) -> None:
    target = {"kind": "target", "characters": 100, "tolerance": 0, "hard_maximum": None}
    made.write()
    wrong: list[dict[str, Any]] = [
        {},
        {"language": "zh"},
        {"limits": {"turns": 1}},
        {"limits": {"turns": "many"}},
        {"limits": {"speed": 1}},
        {"limits": 5},
        {"length": {**target, "characters": 0}},
        {"length": {**target, "hard_maximum": 99}},
        {"length": {**target, "tolerance": 1_000_000}},
        {"length": {**target, "characters": 5}},
        {"length": "\ud800"},
        {"chapters": 0},
        {"unit_maximum": 1},
        {"limits": {"turns": 4}, "chapters": 3},
    ]
    for changes in wrong:
        with pytest.raises(BadInput):
            made.ann.configure(**changes)
    assert made.novel.config == CONFIG


def test_a_unit_is_retired_only_when_what_it_was_prepared_for_is_over(made: Stage) -> None:
    first = made.next().unit or ""
    with pytest.raises(NovelStaleUnit, match="still stands"):
        made.desk.supersede(first)
    made.instruct()
    made.plan()
    second = made.next().unit or ""
    assert made.desk.supersede(first)[1].state is UnitState.SUPERSEDED
    assert made.novel.unit(second).state is UnitState.PREPARED
    with pytest.raises(NovelStaleUnit):
        AuthorDesk(made.service, made.seat.at("elsewhere"), BOT).supersede(second)


def test_limits_change_under_a_turn_and_lengths_only_before_a_unit_is_claimed(made: Stage) -> None:
    intent = made.next()
    made.ann.configure(limits={"turns": 50})
    assert made.novel.head.run.intent == intent
    made.ann.configure(unit_maximum=500)
    assert made.novel.unit(intent.unit or "").state is UnitState.SUPERSEDED
    asked = made.next()
    token = made.claim(asked)
    made.ann.configure(unit_maximum=1_000)
    assert committed(made, asked.unit or "", token).characters > 0


def test_a_configuration_changes_only_what_is_sent(made: Stage) -> None:
    made.ann.configure(limits={"turns": 50, "retries": {"attempts": 2}})
    changed = made.novel.config
    assert (changed.limits.turns, changed.limits.retries.attempts, changed.chapters) == (50, 2, None)
    assert changed.limits.retries.wait_ms == CONFIG.limits.retries.wait_ms
    at = made.service.head(made.novel_id).revision
    made.ann.configure(limits={"turns": 50})
    assert made.service.head(made.novel_id).revision == at


def test_how_many_chapters_there_are_is_changed_before_there_is_an_outline_and_asked_for_after(tmp_path: Path) -> None:
    fresh = stage(tmp_path / "fresh")
    fresh.ann.configure(chapters=3)
    assert fresh.novel.config.chapters == 3
    fresh.plan(outline(chapters=3))
    with pytest.raises(WrongState, match="planned already") as caught:
        fresh.ann.configure(chapters=2)
    assert "instruction" in caught.value.recovery
    fresh.close()
