"""A person reviews in a browser: looks, takes and leaves parts, decides; both halves, no Jupyter between them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.certificate import check_certificate
from lantern_kit.comic.handle import handle_of
from lantern_kit.widgets.proposal_review import ProposalReview
from tests.widgets.reviewing import AGENT, PASSPHRASE, Studio, studio

WHOLE = "() => document.querySelector('canvas')?.dataset.whole === 'true'"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


def shown(here: Studio, stage: Any, proposal: str, **options: Any) -> Any:
    """A page with a review that is drawn and weighed."""
    page = stage.show(ProposalReview(here.ws.proposals[proposal], **options))
    page.get_by_test_id("review").wait_for()
    page.wait_for_function(WHOLE)
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    return page


def part(page: Any, name: str) -> Any:
    return page.locator(f"[data-testid=review-part][data-part='{name}']")


def box(page: Any, name: str) -> Any:
    return part(page, name).locator("input[type=checkbox]")


def zoom(page: Any) -> int:
    page.wait_for_selector("[data-testid=viewer-canvas][data-whole=true]")
    return int(page.get_by_test_id("viewer-zoom").inner_text().split()[0])


def zoomed(page: Any, more_than: int) -> None:
    page.wait_for_function(
        "(least) => parseInt(document.querySelector('[data-testid=viewer-zoom]')?.textContent) > least", arg=more_than
    )


def source(page: Any, start: str) -> str:
    page.locator(f"[data-testid=review-compare][data-source^='{start}']").wait_for()
    return str(page.get_by_test_id("review-compare").get_attribute("data-source"))


def decide(page: Any, what: str, *, passphrase: str | None = PASSPHRASE, reason: str = "") -> None:
    page.get_by_test_id(f"review-{what}").click()
    if reason:
        page.get_by_test_id("review-why").fill(reason)
    if passphrase is not None:
        page.get_by_test_id("review-passphrase").fill(passphrase)
    page.get_by_test_id("review-give").click()


def test_a_person_sees_whose_proposal_it_is_what_changes_and_where(here: Studio, stage: Any) -> None:
    noted = here.chapter.annotate("Softer, please.", on=here.balloon().id)
    draft = here.draft()
    with here.ws.journal.write() as connection:
        here.ws.annotation_service.claim(connection, [noted.id], draft, actor=AGENT)
    here.edit(draft, here.usual())
    proposal = here.freeze(draft)
    page = shown(here, stage, proposal.id)
    head = page.get_by_test_id("review-head").inner_text()
    for words in (proposal.id, "waits for a verdict", "claude-code", "A better line", "Softer, please.", "r2"):
        assert words in head
    rows = page.get_by_test_id("review-rows").inner_text()
    assert "“Is that… mine?” → “It is mine.”" in rows
    assert "mina changed this last" in rows
    marks = page.locator("[data-testid=viewer-mark]:visible")
    assert [item.get_attribute("data-tone") for item in marks.all()] == ["change"]
    assert page.errors == []


def test_a_person_sees_what_waited_beside_the_draft(here: Studio, stage: Any) -> None:
    draft = here.draft()
    here.edit(draft, here.usual())
    here.offer(draft, "Up!", "a shorter line")
    page = shown(here, stage, here.freeze(draft).id)
    said = page.get_by_test_id("review-beside").inner_text()
    assert said == "Beside it, not in it: cd1 “a shorter line” by claude-code: waiting"


def test_a_change_is_flown_to_on_its_page_by_click_and_by_enter(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = shown(here, stage, proposal.id)
    before = zoom(page)
    part(page, made["said"]).click()
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(1)}']").wait_for()
    zoomed(page, before)
    assert part(page, made["said"]).get_attribute("aria-selected") == "true"
    part(page, f"{here.balloon().id}.text").focus()
    page.keyboard.press("Enter")
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(0)}']").wait_for()
    zoomed(page, before)


def test_list_and_picture_point_at_each_other(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = shown(here, stage, proposal.id)
    page.get_by_test_id("review-page-next").click()
    mark = page.locator(f"[data-testid=viewer-mark][data-mark^='{made['new']}']:visible")
    mark.click()
    assert part(page, made["new"]).get_attribute("aria-selected") == "true"
    at = mark.bounding_box()
    page.mouse.move(at["x"] - 10, at["y"] + at["height"] + 10)  # the tag stands on the right corner of its frame
    page.locator(f"[data-part='{made['new']}'][data-pointed]").wait_for()


def test_what_is_left_out_takes_along_what_needs_it_and_the_picture_shows_what_lands(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = shown(here, stage, proposal.id)
    assert source(page, "r") == f"r{proposal.frozen}"
    box(page, made["new"]).click()
    along = page.get_by_test_id("review-along")
    along.wait_for()
    assert "frame 2 added" in along.inner_text()
    assert box(page, made["said"]).is_disabled()
    first = source(page, "taking:")
    page.get_by_test_id("review-page-next").click()
    page.get_by_test_id("review-unseen").wait_for()
    assert "nothing changes on this page" in page.get_by_test_id("review-unseen").inner_text()
    assert "2 of 4 changes taken · 2 left out · 1 of them" in page.get_by_test_id("review-tally").inner_text()
    page.get_by_test_id("review-after-proposed").click()
    source(page, f"r{proposal.frozen}")
    page.get_by_test_id("review-after-outcome").click()
    assert source(page, "taking:") == first
    box(page, made["new"]).click()
    along.wait_for(state="detached")
    assert box(page, made["said"]).is_checked()


def test_a_whole_page_is_left_out_at_once_with_one_reason(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = shown(here, stage, proposal.id)
    unit = page.locator(f"[data-testid=review-unit][data-unit='{here.page(1)}']")
    unit.locator("input[type=checkbox]").click()
    unit.locator("input[type=text]").fill("leave page two")
    assert page.get_by_test_id("review-reason").count() == 1
    page.get_by_test_id("review-tally").get_by_text("2 of 4 changes taken").wait_for()
    decide(page, "apply")
    rejected = page.get_by_test_id("review-rejected")
    rejected.wait_for()
    assert rejected.inner_text().count("leave page two") == 2
    assert made["new"] not in here.chapter.book.unit(here.page(1)).index


def test_the_list_is_worked_by_keyboard(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    page = shown(here, stage, proposal.id)
    page.locator("[data-testid=review-unit]").first.focus()
    page.keyboard.press("End")
    assert page.evaluate("() => document.activeElement.dataset.part") == made["said"]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.get_by_test_id("review-along").wait_for()
    page.keyboard.press("r")
    page.wait_for_function("() => document.activeElement.dataset.testid === 'review-reason'")
    page.keyboard.type("too crowded, r and 1 and ?")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.dataset.part") == made["new"]
    assert part(page, made["new"]).get_by_test_id("review-reason").input_value() == "too crowded, r and 1 and ?"
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.closest('[data-testid=review-rows]') === null") or page.evaluate(
        "() => document.activeElement.dataset.testid === 'review-reason'"
    )


def test_ways_to_compare_pages_and_help_are_a_key_away(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    page.locator("[data-testid=review-unit]").first.focus()
    for number, mode in enumerate(("side", "swipe", "blink", "onion", "difference"), 1):
        page.keyboard.press(str(number))
        page.locator(f"[data-testid=viewer][data-mode={mode}]").wait_for()
        assert page.get_by_test_id(f"review-mode-{mode}").get_attribute("aria-checked") == "true"
    page.get_by_test_id("review-mode-swipe").click()
    page.get_by_test_id("viewer-edge").wait_for()
    page.keyboard.press("]")
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(1)}']").wait_for()
    page.keyboard.press("[")
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(0)}']").wait_for()
    page.keyboard.press("?")
    keys = page.get_by_test_id("review-keys")
    keys.wait_for()
    assert "way of comparing" in keys.inner_text()
    page.keyboard.press("Escape")
    keys.wait_for(state="detached")
    page.get_by_test_id("review-help").click()
    keys.wait_for()


def test_a_key_steps_from_one_changed_region_to_the_next_and_on_to_the_next_page(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed(
        [
            *here.usual(),
            {"op": "narration.add", "target": here.page(0), "args": {"text": "Later.", "rect": [10, 110, 40, 12]}},
            {"op": "balloon.set", "target": here.balloon(2).id, "args": {"speaker": "Moon"}},
        ]
    )
    page = shown(here, stage, proposal.id)
    far = zoom(page)
    walk, said = page.get_by_test_id("review-walk"), page.get_by_test_id("review-regions-said")
    page.locator("[data-testid=review-unit]").first.focus()
    page.keyboard.press("n")
    page.locator("[data-testid=review-walk][data-at='1']").wait_for()
    assert said.inner_text() == "1 of 2"
    zoomed(page, far)
    tags = page.locator("[data-testid=viewer-mark][data-mark^='region/']")
    assert {item.get_attribute("aria-label") for item in tags.all()} == {"Region 1: balloon 1", "Region 2: caption 1"}
    page.keyboard.press("n")
    page.locator("[data-testid=review-walk][data-at='2']").wait_for()
    page.keyboard.press("n")
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(1)}']").wait_for()
    page.locator("[data-testid=review-walk][data-at='1']").wait_for()
    page.keyboard.press("p")
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(0)}']").wait_for()
    page.locator("[data-testid=review-walk][data-at='2']").wait_for()
    page.get_by_test_id("review-regions").click()
    said.wait_for(state="detached")
    tags.first.wait_for(state="detached")
    assert walk.get_attribute("data-at") == "0"
    page.get_by_test_id("review-regions").click()
    said.get_by_text("2 regions, ").wait_for()
    assert walk.get_attribute("data-at") == "0"
    assert page.errors == []


def test_a_fault_leads_to_its_place_and_goes_with_its_part(here: Studio, stage: Any) -> None:
    long = "This is far too much to say for so small a balloon, and it goes on and on and on. " * 6
    operations = [{"op": "balloon.set", "target": handle_of(here.balloon(2)), "args": {"text": long}}]
    proposal, _ = here.proposed([*here.usual(), *operations])
    page = shown(here, stage, proposal.id)
    before = zoom(page)
    fault = page.get_by_test_id("review-fault").first
    fault.get_by_test_id("review-place").click()
    page.locator(f"[data-testid=review-compare][data-unit='{here.page(2)}']").wait_for()
    zoomed(page, before)
    name = f"{here.balloon(2).id}.text"
    part(page, name).get_by_text("brings a fault").wait_for()
    box(page, name).click()
    fault.get_by_text("not with these choices").wait_for()


def test_a_page_that_comes_and_one_that_goes_are_said_to(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed([
        {"op": "unit.add", "as": "page", "args": {"kind": "page", "name": "Four"}},
        {"op": "unit.remove", "target": here.page(1)},
    ])  # fmt: skip
    page = shown(here, stage, proposal.id)
    page.get_by_test_id("review-page").select_option(made["page"])
    page.get_by_test_id("review-new-page").wait_for()
    page.get_by_test_id("review-page").select_option(here.page(1))
    page.get_by_test_id("review-gone-page").wait_for()
    box(page, made["page"]).click()
    source(page, "taking:")
    page.get_by_test_id("review-page").select_option(made["page"])
    page.get_by_text("With these choices this page is not there.").wait_for()


def test_changes_to_the_chapter_itself_are_taken_and_left_like_others(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed([
        {"op": "chapter.set", "args": {"title": "Up", "direction": "rtl"}},
        {"op": "unit.move", "target": here.page(2), "args": {"to": "first"}},
    ])  # fmt: skip
    page = stage.show(ProposalReview(here.ws.proposals[proposal.id]))
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    page.get_by_text("No page changes").wait_for()
    assert "The chapter itself" in page.get_by_test_id("review-rows").inner_text()
    box(page, f"{here.chapter.id}.direction").click()
    page.get_by_test_id("review-tally").get_by_text("2 of 3").wait_for()
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    decide(page, "apply")
    page.get_by_test_id("review-decided").wait_for()
    facts = here.chapter.book.chapter
    assert (facts.title, facts.direction.value) == ("Up", "ltr")
    assert page.errors == []


# the verdict


def test_applying_says_what_will_happen_and_then_what_did(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    second, _ = here.proposed([{"op": "balloon.set", "target": here.balloon(2).id, "args": {"text": "Higher."}}])
    page = shown(here, stage, proposal.id)
    box(page, made["new"]).click()
    part(page, made["new"]).get_by_test_id("review-reason").fill("too crowded")
    page.get_by_test_id("review-along").wait_for()
    page.get_by_test_id("review-apply").click()
    will = page.get_by_test_id("review-will").inner_text()
    assert will == (
        "2 of 4 changes of p1, compared with r2, become the work and are saved as a new version, in one step. "
        "2 changes are left out; the agent reads why."
    )
    assert "mina" in page.get_by_test_id("review-signing").inner_text()
    page.get_by_test_id("review-why").fill("the line is better")
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.keyboard.press("Enter")
    done = page.get_by_test_id("review-decided")
    done.wait_for()
    page.get_by_test_id("review-dialog").wait_for(state="detached")
    told = done.inner_text()
    for words in ("Applied by mina", "the line is better", "s1", "r2", here.ws.deciding().key, "too crowded", "UTC"):
        assert words in told
    assert page.get_by_test_id("review-verdict-signature").get_attribute("data-valid") == "true"
    assert page.get_by_test_id("review-verdict-result").inner_text().startswith(here.chapter.moment.id)
    assert page.get_by_test_id("review-foot").count() == 0
    assert here.ws.verify().clean

    page.get_by_test_id("review-export").click()
    page.get_by_test_id("review-exported").wait_for()
    assert "exports/p1-v1.json" in page.get_by_test_id("review-exported").inner_text()
    text = (here.folder / "ws" / "exports" / "p1-v1.json").read_text(encoding="utf-8")
    assert check_certificate(text, here.ws.deciding().key).sound

    page.get_by_test_id("review-open").click()
    page.locator(f"[data-testid=review][data-proposal={second.id}]").wait_for()
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    assert "Higher." in page.get_by_test_id("review-rows").inner_text()
    assert page.errors == []


def test_a_discard_asks_for_a_reason_and_a_keep_may_be_followed_by_another_verdict(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    decide(page, "keep", reason="after the colours")
    page.get_by_test_id("review-decided").wait_for()
    page.get_by_test_id("review-decided").get_by_text("Kept by mina").first.wait_for()
    page.get_by_test_id("review-dialog").wait_for(state="detached")
    decide(page, "discard")
    page.get_by_test_id("review-needs-reason").wait_for()
    page.get_by_test_id("review-why").fill("the joke needs its pause")
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.locator("[data-testid=review-decided][data-state=discarded]").wait_for()
    assert here.ws.proposal_service.get(proposal.id).state == "discarded"
    page.get_by_test_id("review-decided").get_by_text("after the colours").first.wait_for(state="attached")


def test_a_wrong_passphrase_can_be_typed_again_and_is_seen_nowhere(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    page.get_by_test_id("review-keep").click()
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-needs-passphrase").wait_for()
    for left in ("2", "1", "0"):
        page.get_by_test_id("review-passphrase").fill("certainly wrong")
        page.get_by_test_id("review-give").click()
        page.locator(f"[data-testid=review-wrong][data-left='{left}']").wait_for()
        assert page.get_by_test_id("review-passphrase").input_value() == ""
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-decided").wait_for()
    everything = page.evaluate("() => document.documentElement.outerHTML + JSON.stringify(models.map((m) => m.state))")
    for secret in ("certainly wrong", PASSPHRASE):
        assert secret not in everything


TYPED_AT_ONCE = """
async () => {
  const found = (name) => document.querySelector(`[data-testid=${name}]`);
  const typing = new Promise((done) => {
    const watch = new MutationObserver(() => {
      if (found("review-passphrase") === null) return;
      watch.disconnect();
      found("review-passphrase").focus();
      done();
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });
  found("review-apply").click();
  await typing;
  for (let frame = 0; frame < 5; frame++) await new Promise((next) => setTimeout(() => requestAnimationFrame(next)));
}
"""


def test_a_passphrase_that_is_typed_at_once_goes_into_its_own_field(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    page.evaluate(TYPED_AT_ONCE)
    page.keyboard.type(PASSPHRASE)
    assert page.get_by_test_id("review-passphrase").input_value() == PASSPHRASE
    assert page.get_by_test_id("review-why").input_value() == ""


@pytest.mark.parametrize("passphrase", ["certainly wrong", PASSPHRASE])
def test_what_comes_of_a_verdict_takes_the_keys_from_nobody_who_went_on_elsewhere(
    here: Studio, stage: Any, passphrase: str
) -> None:
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    page.evaluate("() => document.body.append(document.createElement('textarea'))")
    stage.silence(page)
    decide(page, "keep", passphrase=passphrase)
    page.locator("body > textarea").focus()
    stage.resume(page)
    page.locator("[data-testid=review-decided], [data-testid=review-wrong]").wait_for()
    page.keyboard.type("on with it")
    assert page.locator("body > textarea").input_value() == "on with it"


def test_a_key_stays_unlocked_when_it_is_to_until_it_is_locked(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    page.get_by_test_id("review-keep").click()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-hold").check()
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-key-held").wait_for()
    assert "10 more idle minutes" in page.get_by_test_id("review-key-held").inner_text()
    page.get_by_test_id("review-dialog").wait_for(state="detached")
    page.get_by_test_id("review-keep").click()
    page.get_by_test_id("review-unlocked").wait_for()
    assert page.get_by_test_id("review-passphrase").count() == 0
    page.get_by_test_id("review-give").click()
    page.get_by_text("Earlier verdicts").wait_for()
    page.get_by_test_id("review-lock").click()
    page.get_by_test_id("review-key-held").wait_for(state="detached")
    page.get_by_test_id("review-keep").click()
    page.get_by_test_id("review-passphrase").wait_for()


def test_the_demo_s_key_is_called_a_demo_key_and_asks_for_nothing(here: Studio, stage: Any) -> None:
    with here.ws.reviewer() as mina:
        here.ws.enrol("demo", None, demo=True, by=mina)
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    page.get_by_test_id("review-apply").click()
    page.get_by_test_id("review-who").select_option("demo")
    assert page.get_by_test_id("review-demo").inner_text() == "demo key"
    assert page.get_by_test_id("review-passphrase").count() == 0
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-decided").wait_for()
    assert "demo key" in page.get_by_test_id("review-verdict").inner_text()


def test_an_overwrite_is_chosen_knowing_whose_work_it_undoes(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    here.say("My own joke.")
    page = shown(here, stage, proposal.id)
    source(page, "taking:")
    undone = page.get_by_test_id("review-overwritten").inner_text()
    assert "My own joke." in undone
    assert "by mina (“my own words”)" in undone
    assert page.get_by_test_id("review-way-merge").is_checked()
    assert "It is mine." in page.get_by_test_id("review-conflicts-before").inner_text()
    page.get_by_test_id("review-way-overwrite").check()
    page.get_by_test_id("review-conflicts-before").wait_for(state="detached")
    page.locator("[data-testid=review-apply]:enabled").click()
    assert "overwrites what changed meanwhile, made by mina" in page.get_by_test_id("review-will").inner_text()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-decided").wait_for()
    assert here.balloon().text == "It is mine."
    assert page.get_by_test_id("review-verdict-mode").inner_text() == "Overwrite"


def test_conflicts_of_a_merge_are_settled_on_pictures_by_a_click(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed([
        {"op": "balloon.set", "target": here.balloon().id, "args": {"text": "It is mine."}},
        {"op": "balloon.set", "target": here.balloon(2).id, "args": {"text": "Higher."}},
    ])  # fmt: skip
    here.say("My own joke.")
    here.say("My own height.", 2)
    page = shown(here, stage, proposal.id)
    decide(page, "apply")
    page.get_by_test_id("review-conflict").wait_for()
    assert page.get_by_test_id("review-conflict-tab").count() == 2
    first = page.get_by_test_id("review-conflict")
    assert first.get_attribute("data-conflict") == "c1"
    assert "My own joke." in first.inner_text()
    first.locator("canvas[data-whole=true]").wait_for()
    assert first.get_by_test_id("viewer").get_attribute("data-mode") == "side"
    page.get_by_test_id("review-theirs").click()
    page.locator("[data-testid=review-conflict][data-conflict=c2]").wait_for()
    assert here.balloon().text == "It is mine."
    page.locator("[data-testid=review-ours]:enabled").click()
    page.get_by_text("All conflicts are settled.").wait_for()
    assert here.balloon(2).text == "My own height."
    settled = [item.inner_text() for item in page.get_by_test_id("review-settled").all()]
    assert ["the proposal, by mina" in settled[0], "the work, by mina" in settled[1]] == [True, True]


# what stays


def test_choices_survive_a_reload_of_the_page(here: Studio, stage: Any) -> None:
    proposal, made = here.proposed()
    panel = ProposalReview(here.ws.proposals[proposal.id])
    page = stage.show(panel)
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    box(page, made["new"]).click()
    part(page, made["new"]).get_by_test_id("review-reason").fill("too crowded")
    page.get_by_test_id("review-page-next").click()
    page.get_by_test_id("review-mode-onion").click()
    while panel.state.get("compare") != "onion":
        page.wait_for_function("() => true")
    page.context.close()
    again = stage.show(panel)
    again.get_by_test_id("review-along").wait_for()
    assert part(again, made["new"]).get_by_test_id("review-reason").input_value() == "too crowded"
    again.locator("[data-testid=viewer][data-mode=onion]").wait_for()
    assert again.get_by_test_id("review-compare").get_attribute("data-unit") == here.page(1)


def test_reasons_too_long_for_the_notebook_are_said_to_be(here: Studio, stage: Any) -> None:
    balloons = [
        {"op": "balloon.add", "target": here.page(2), "args": {"text": f"Line {number}", "at": [50, 50]}}
        for number in range(60)
    ]
    proposal, _ = here.proposed(balloons)
    panel = ProposalReview(here.ws.proposals[proposal.id])
    page = stage.show(panel)
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    page.locator("[data-testid=review-unit] input[type=checkbox]").click()
    for number in (0, 1):
        page.locator("[data-testid=review-part] input[type=checkbox]").nth(number).click()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=review-reason]').length === 58")
    page.evaluate(
        """() => document.querySelectorAll('[data-testid=review-reason]').forEach((field, number) => {
          field.value = `${number} ${'x'.repeat(390)}`;
          field.dispatchEvent(new Event('input', { bubbles: true }));
        })"""
    )
    page.get_by_test_id("review-bare").wait_for()
    kept = page.evaluate("() => JSON.stringify(models[0].state.state)")
    assert len(kept.encode()) < 20_000
    assert len(json.loads(kept)["choices"]["left"][0][1]) == 58


def test_four_hundred_changes_stay_fluent_and_can_be_searched(here: Studio, stage: Any) -> None:
    balloons = [
        {"op": "balloon.add", "target": here.page(2), "args": {"text": f"Line {number}", "at": [50, 50]}}
        for number in range(400)
    ]
    proposal, _ = here.proposed([*here.usual(), *balloons])
    page = shown(here, stage, proposal.id)
    assert page.get_by_test_id("review-part").count() == 404
    took = page.evaluate(
        """async () => {
          const rows = document.querySelectorAll('[data-testid=review-part]');
          const start = performance.now();
          rows[200].querySelector('input').click();
          await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
          return performance.now() - start;
        }"""
    )
    assert took < 250, "a click is seen at once"
    page.get_by_test_id("review-tally").get_by_text("403 of 404").wait_for()
    page.get_by_test_id("review-page").select_option(here.page(2))
    page.get_by_test_id("review-many-marks").wait_for()
    page.get_by_test_id("review-seek").fill("line 37")
    page.wait_for_function("() => document.querySelectorAll('[data-testid=review-part]').length === 11")
    page.get_by_test_id("review-seek").fill("")
    page.get_by_test_id("review-filter-out").click()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=review-part]').length === 1")
    page.get_by_test_id("review-filter-changed").click()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=review-part]').length === 2")


# everybody


@pytest.mark.parametrize(("language", "dark", "size"), [("en", False, (1200, 800)), ("zh", True, (420, 800))])
def test_nothing_in_it_is_hard_to_perceive(
    here: Studio, stage: Any, axe: Callable[[Any], list[str]], language: str, dark: bool, size: tuple[int, int]
) -> None:
    stage.language, stage.dark, stage.size = language, dark, size
    proposal, made = here.proposed()
    here.say("My own joke.")
    page = shown(here, stage, proposal.id)
    box(page, made["new"]).click()
    page.get_by_test_id("review-along").wait_for()
    assert axe(page) == []
    page.locator("[data-testid=review-apply]:enabled").click()
    assert axe(page) == []
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-conflict").locator("canvas[data-whole=true]").wait_for()
    assert axe(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out"


def test_it_speaks_chinese(here: Studio, stage: Any) -> None:
    stage.language = "zh"
    proposal, _ = here.proposed()
    page = shown(here, stage, proposal.id)
    text = page.get_by_test_id("review").inner_text()
    for words in ("提案 p1", "等待裁决", "第 1 页", "说话人", "没有新问题", "应用并保存"):
        assert words in text
    page.get_by_test_id("review-apply").click()
    assert "将成为作品" in page.get_by_test_id("review-will").inner_text()
    assert "口令" in page.get_by_test_id("review-signing").inner_text()
