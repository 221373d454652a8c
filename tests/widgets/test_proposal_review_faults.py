"""What goes wrong while a person reviews, and how each of it is said and mended; in the bare page, both halves."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.approvals import of_proposal
from lantern_kit.widgets import watch
from lantern_kit.widgets.proposal_review import ProposalReview
from tests.widgets.reviewing import AGENT, PASSPHRASE, Studio, studio


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


def shown(here: Studio, stage: Any, proposal: str) -> Any:
    page = stage.show(ProposalReview(here.ws.proposals[proposal]))
    page.get_by_test_id("review").wait_for()
    page.get_by_test_id("review-soundness").wait_for(state="attached")
    return page


def ready(page: Any) -> Any:
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    return page


def box(page: Any, name: str) -> Any:
    return page.locator(f"[data-testid=review-part][data-part='{name}'] input[type=checkbox]")


def give(page: Any, what: str, *, reason: str = "") -> None:
    page.get_by_test_id(f"review-{what}").click()
    page.get_by_test_id("review-why").fill(reason)
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()


def verdicts(here: Studio, number: int) -> list[str]:
    with here.ws.journal.read() as connection:
        return [item.verdict.value for item in of_proposal(connection, number)]


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody notices commits: what happened is learnt from refusals alone."""
    monkeypatch.setattr(watch, "SECONDS", 3_600)


# it was decided, or changed, elsewhere


def test_what_somebody_else_decided_shows_at_once_and_choices_stay_readable(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    box(page, made["new"]).click()
    page.get_by_test_id("review-reason").fill("too crowded")
    page.get_by_test_id("review-along").wait_for()
    ready(page).get_by_test_id("review-apply").click()
    page.get_by_test_id("review-why").fill("half of it is fine")
    with here.other() as other, other.reviewer() as me:
        other.proposals[proposal.id].discard(me, reason="the joke needs its pause")
    page.locator("[data-testid=review-decided][data-state=discarded]").wait_for()
    assert page.get_by_test_id("spoken").inner_text() == f"Proposal {proposal.id}: discarded"
    told = page.get_by_test_id("review-decided").inner_text()
    assert "Discarded by mina" in told
    assert "the joke needs its pause" in told
    unsent = page.get_by_test_id("review-unsent").inner_text()
    assert "too crowded" in unsent
    assert "half of it is fine" in unsent
    assert page.get_by_test_id("review-dialog").count() == 0
    assert page.get_by_test_id("review-foot").count() == 0
    assert page.locator("[data-testid=review-part] input").count() == 0


def test_a_proposal_that_was_frozen_again_leads_to_the_one_in_its_place(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    box(page, made["new"]).click()
    page.get_by_test_id("review-along").wait_for()
    here.edit(f"d{proposal.draft}", [{"op": "balloon.set", "target": here.balloon().id, "args": {"text": "Mine!"}}])
    later = here.freeze(f"d{proposal.draft}")
    page.get_by_test_id("review-superseded").wait_for()
    assert later.id in page.get_by_test_id("review-superseded").inner_text()
    page.get_by_test_id("review-unsent").wait_for()
    page.get_by_test_id("review-open-successor").click()
    page.locator(f"[data-testid=review][data-proposal={later.id}]").wait_for()
    ready(page)
    assert "Mine!" in page.get_by_test_id("review-rows").inner_text()


def test_a_draft_that_was_discarded_takes_its_proposal_along(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    with here.ws.journal.write() as connection:
        here.ws.drafts.discard(connection, f"d{proposal.draft}", actor=AGENT)
    page.locator("[data-testid=review-decided][data-state=discarded]").wait_for()
    assert "together with its draft" in page.get_by_test_id("review-decided").inner_text()


def test_a_work_that_moved_on_is_told_and_choices_stay_when_looked_at_again(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    box(page, made["new"]).click()
    page.get_by_test_id("review-reason").fill("too crowded")
    with here.other() as other:
        chapter = other.comic("Chelsea Goes Up").chapter(1)
        with chapter.edit("a new joke") as edit:
            edit[here.balloon().id].set(text="My own joke.")
    moved = page.get_by_test_id("review-moved")
    moved.wait_for()
    told = moved.inner_text()
    assert "compared with r2" in told
    assert "by mina: a new joke (Page 1 “One”)" in told
    for what in ("apply", "keep", "discard"):
        assert page.get_by_test_id(f"review-{what}").is_disabled()
    assert page.get_by_test_id("review-hint").inner_text() == "Look again first."
    page.get_by_test_id("review-again").click()
    moved.wait_for(state="detached")
    ready(page)
    assert page.get_by_test_id("review-reason").input_value() == "too crowded"
    assert not box(page, made["new"]).is_checked()
    assert "My own joke." in page.get_by_test_id("review-overwritten").inner_text()


def test_a_verdict_on_what_was_not_looked_at_is_refused_and_nothing_is_lost(
    here: Studio, stage: Any, unwatched: None
) -> None:
    proposal, made = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    box(page, made["new"]).click()
    page.get_by_test_id("review-along").wait_for()
    ready(page)
    here.say("Another page.", 2)
    give(page, "apply")
    page.locator("[data-testid=review-refusal][data-code=stale_head]").wait_for()
    assert "your choices stay" in page.get_by_test_id("review-refusal").inner_text()
    page.get_by_test_id("review-cancel").click()
    assert "my own words" in page.get_by_test_id("review-moved").inner_text()
    page.get_by_test_id("review-again").click()
    assert not box(page, made["new"]).is_checked()
    give(ready(page), "apply")
    page.get_by_test_id("review-rejected").wait_for()
    assert verdicts(here, proposal.number) == ["apply"]


def test_a_work_that_moves_on_under_an_open_question_holds_it_back(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    page.get_by_test_id("review-apply").click()
    here.say("Another page.", 2)
    page.get_by_test_id("review-dialog-hint").wait_for()
    assert page.get_by_test_id("review-dialog-hint").inner_text() == "Look again first."
    assert page.get_by_test_id("review-give").is_disabled()


def test_two_who_look_at_one_proposal_give_one_verdict(here: Studio, stage: Any, unwatched: None) -> None:
    proposal, _ = here.proposed()
    one, two = (ready(shown(here, stage, proposal.id)) for _ in range(2))
    for page in (one, two):
        page.get_by_test_id("review-keep").click()
        page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    one.get_by_test_id("review-give").click()
    one.get_by_test_id("review-decided").wait_for()
    two.get_by_test_id("review-give").click()
    two.locator("[data-testid=review-refusal][data-code=wrong_state]").wait_for()
    assert "It was decided meanwhile" in two.get_by_test_id("review-refusal").inner_text()
    two.get_by_test_id("review-decided").wait_for(state="attached")
    assert verdicts(here, proposal.number) == ["keep"]


# the kernel does not answer


def test_a_kernel_that_is_gone_is_said_to_be_and_nothing_can_be_decided(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    stage.cut(page)
    page.locator("[data-testid=link-badge][data-state=gone]").wait_for()
    for what in ("apply", "keep", "discard"):
        assert page.get_by_test_id(f"review-{what}").is_disabled()
    assert "It is mine." in page.get_by_test_id("review-rows").inner_text(), "what was read can still be read"


def test_while_a_kernel_is_silent_nothing_can_be_decided_and_then_it_goes_on(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    stage.silence(page)
    page.locator("[data-testid=link-badge][data-state=waiting]").wait_for()
    for what in ("apply", "keep", "discard"):
        assert page.get_by_test_id(f"review-{what}").is_disabled()
    with here.other() as other, other.reviewer() as me:
        other.proposals[proposal.id].keep(me, reason="for later")
    stage.resume(page)
    page.get_by_test_id("review-decided").get_by_text("for later").wait_for()
    ready(page)


def test_a_verdict_sent_to_a_silent_kernel_is_given_once_and_read_when_it_answers(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    page.get_by_test_id("review-apply").click()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    stage.silence(page)
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-silent").wait_for()
    assert "sent once" in page.get_by_test_id("review-silent").inner_text()
    assert page.get_by_test_id("review-give").is_disabled()
    page.keyboard.press("Escape")
    page.get_by_test_id("review-dialog").wait_for()
    stage.resume(page)
    page.locator("[data-testid=review-decided][data-state=applied]").wait_for()
    page.get_by_test_id("review-dialog").wait_for(state="detached")
    assert verdicts(here, proposal.number) == ["apply"]


def test_a_verdict_whose_answer_was_lost_is_read_and_never_sent_again(
    here: Studio, stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal, _ = here.proposed()
    panel = ProposalReview(here.ws.proposals[proposal.id])
    page = ready(stage.show(panel))
    asked: list[str] = []
    answer, say = panel._answer, panel._say
    lost: set[int] = set()

    def heard(number: int, message: dict[str, Any], *rest: Any) -> None:
        asked.append(message["ask"])
        lost.update({number} if message["ask"] == "verdict" else set())
        answer(number, message, *rest)

    monkeypatch.setattr(panel, "_answer", heard)
    monkeypatch.setattr(
        panel, "_say", lambda content, *rest: None if content.get("id") in lost else say(content, *rest)
    )
    give(page, "apply")
    page.locator("[data-testid=review-decided][data-state=applied]").wait_for()
    page.get_by_test_id("review-dialog").wait_for(state="detached")
    assert asked.count("verdict") == 1
    assert verdicts(here, proposal.number) == ["apply"]
    assert page.get_by_test_id("review-unsent").count() == 0


def test_waiting_for_a_verdict_can_be_ended_and_how_it_stands_is_read(
    here: Studio, stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal, _ = here.proposed()
    panel = ProposalReview(here.ws.proposals[proposal.id])
    page = ready(stage.show(panel))
    heard = panel._heard

    def deaf(widget: Any, message: Any, buffers: Any) -> None:
        if message.get("ask") != "verdict":
            heard(widget, message, buffers)

    panel.on_msg(heard, remove=True)
    panel.on_msg(deaf)
    give(page, "apply")
    page.get_by_test_id("review-progress").wait_for()
    stage.silence(page)
    page.get_by_test_id("review-silent").wait_for()
    stage.resume(page)
    page.get_by_test_id("review-give-up").click()
    page.get_by_test_id("review-dialog").wait_for(state="detached")
    ready(page)
    assert verdicts(here, proposal.number) == []


def test_a_kernel_that_ended_with_a_verdict_on_its_way_says_to_look_before_deciding_twice(
    here: Studio, stage: Any
) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    page.get_by_test_id("review-apply").click()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    stage.silence(page)
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-progress").wait_for()
    stage.cut(page)
    page.get_by_test_id("review-lost-line").wait_for()
    assert "do not decide twice" in page.get_by_test_id("review-lost-line").inner_text()


# it may not be decided


def test_without_a_key_it_says_what_to_do_and_where(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    for file in (here.folder / "config" / "keys").iterdir():
        file.unlink()
    page = shown(here, stage, proposal.id)
    missing = page.get_by_test_id("review-missing")
    missing.wait_for()
    assert "lantern keys offer" in missing.inner_text()
    assert str(here.folder) not in page.content()
    for what in ("apply", "keep", "discard"):
        assert page.get_by_test_id(f"review-{what}").is_disabled()
    assert page.get_by_test_id("review-hint").inner_text() == "No key is here."


def test_a_damaged_workspace_names_the_damage_and_is_not_decided_on(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    with sqlite3.connect(here.folder / "ws" / "journal.sqlite") as file:
        (message,) = file.execute("SELECT message FROM revisions WHERE id = 1").fetchone()
        file.execute("UPDATE revisions SET message = 'forged' WHERE id = 1")
    page = shown(here, stage, proposal.id)
    damaged = page.get_by_test_id("review-damaged")
    damaged.wait_for()
    assert "damaged in 2 places" in damaged.inner_text()
    assert "revision r1: the chain hash does not match" in damaged.inner_text()
    assert "What to do:" in damaged.inner_text()
    assert page.get_by_test_id("review-apply").is_disabled()
    with sqlite3.connect(here.folder / "ws" / "journal.sqlite") as file:
        file.execute("UPDATE revisions SET message = ? WHERE id = 1", (message,))
    page.get_by_test_id("review-check").click()
    damaged.wait_for(state="detached")
    ready(page)


def test_damage_that_came_after_looking_is_found_before_the_verdict(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    page.get_by_test_id("review-soundness").get_by_text("as it was written").wait_for()
    page.get_by_test_id("review-apply").click()
    with sqlite3.connect(here.folder / "ws" / "journal.sqlite") as file:
        file.execute("UPDATE revisions SET message = 'forged' WHERE id = 1")
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.locator("[data-testid=review-refusal][data-code=corrupt]").wait_for()
    page.get_by_test_id("review-damaged").wait_for()
    assert verdicts(here, proposal.number) == []


def test_what_is_locked_is_named_and_can_be_left_out(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    here.chapter.lock(here.balloon().id, "the joke is settled")
    page = shown(here, stage, proposal.id)
    locks = page.get_by_test_id("review-locks")
    locks.wait_for()
    assert "balloon 1 is locked by mina: the joke is settled" in locks.inner_text()
    assert f"lantern unlock {here.balloon().id}" in locks.inner_text()
    assert page.get_by_test_id("review-apply").is_disabled()
    assert page.get_by_test_id("review-hint").inner_text() == "Something in it is locked."
    assert page.get_by_test_id("review-keep").is_enabled()
    page.get_by_test_id("review-leave-out").click()
    give(ready(page), "apply")
    page.get_by_test_id("review-decided").wait_for()
    assert here.balloon().text == "Is that… mine?"
    assert made["said"] in here.chapter.book.unit(here.page(1)).index


def test_a_lock_that_came_after_looking_refuses_the_apply(here: Studio, stage: Any, unwatched: None) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    here.chapter.lock(here.balloon().id, "the joke is settled")
    give(page, "apply")
    page.locator("[data-testid=review-refusal][data-code=locked]").wait_for()
    assert "the joke is settled" in page.get_by_test_id("review-refusal-why").inner_text()
    assert verdicts(here, proposal.number) == []


def test_when_nothing_of_it_would_be_left_it_is_to_be_discarded(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    for unit in page.locator("[data-testid=review-unit] input[type=checkbox]").all():
        unit.click()
    page.get_by_test_id("review-nothing").wait_for()
    assert "Discard it instead" in page.get_by_test_id("review-nothing").inner_text()
    assert page.get_by_test_id("review-apply").is_disabled()
    give(page, "discard", reason="none of it")
    page.locator("[data-testid=review-decided][data-state=discarded]").wait_for()


def test_reasons_that_are_too_long_are_said_to_be_where_they_are_written(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = ready(shown(here, stage, proposal.id))
    box(page, made["new"]).click()
    page.get_by_test_id("review-reason").fill("x" * 401)
    assert "401 characters are too many: 400" in page.get_by_test_id("review-reason-long").inner_text()
    assert page.get_by_test_id("review-apply").is_disabled()
    page.get_by_test_id("review-reason").fill("x" * 400)
    ready(page).get_by_test_id("review-apply").click()
    page.get_by_test_id("review-why").fill("y" * 1_001)
    assert "1001 characters are too many: 1000" in page.get_by_test_id("review-why-long").inner_text()
    assert page.get_by_test_id("review-give").is_disabled()


# what cannot be seen


def test_what_changes_nothing_to_be_seen_is_said_to(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed([{"op": "balloon.set", "target": here.balloon().id, "args": {"speaker": "Luna"}}])
    page = ready(shown(here, stage, proposal.id))
    page.get_by_test_id("review-unseen").wait_for()
    assert "told in the list" in page.get_by_test_id("review-unseen").inner_text()


def test_a_picture_whose_bytes_are_gone_is_named_and_nothing_is_decided_without_it(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    for file in (here.folder / "ws" / "blobs").rglob("*"):
        if file.is_file():
            file.unlink()
    page = shown(here, stage, proposal.id)
    page.get_by_test_id("review-pictures-lost").get_by_text("Chelsea").wait_for()
    damaged = page.get_by_test_id("review-damaged")
    damaged.wait_for()
    assert "“Chelsea”: its bytes are missing" in damaged.inner_text()
    assert page.get_by_test_id("review-apply").is_disabled()
    assert page.errors == []


def test_a_proposal_that_cannot_be_read_says_so_and_can_be_tried_again(
    here: Studio, stage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal, _ = here.proposed()
    panel = ProposalReview(here.ws.proposals[proposal.id])
    with monkeypatch.context() as broken:
        broken.setattr(panel, "_reviewed", lambda *_: 1 / 0)
        page = stage.show(panel)
        page.get_by_test_id("review-error").wait_for()
        assert "ZeroDivisionError" in page.get_by_test_id("review-error").inner_text()
    page.get_by_test_id("review-retry").click()
    ready(page)
