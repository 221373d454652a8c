"""The key that a verdict is signed with: whose it is, how long it is unlocked, and where its passphrase never goes."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.errors import LanternError, NotAllowed
from lantern_kit.widgets.proposal_review import ProposalReview
from lantern_kit.widgets.review.unlocking import Unlocked, Unlocking
from lantern_kit.widgets.review.verdict import VerdictArgs
from tests.widgets.reviewing import PASSPHRASE, Studio, asked, studio, verdict


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


def shown(here: Studio, proposal: str, **options: Any) -> ProposalReview:
    return ProposalReview(here.ws.proposals[proposal], **options)


def test_the_key_is_shown_by_name_and_locked(here: Studio) -> None:
    proposal, _ = here.proposed()
    facts = asked(shown(here, proposal.id), "keys")
    assert facts == {
        "mine": [{"key": here.ws.deciding().key, "name": "mina", "demo": False}],
        "held": "",
        "left": 0,
    }


def test_a_wrong_passphrase_says_so_three_times_and_locks_nobody_out(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    refusals = [verdict(panel, proposal.id, "apply", passphrase=f"no {number}")["error"] for number in range(4)]
    assert {item["code"] for item in refusals} == {"not_allowed"}
    assert {item["message"] for item in refusals} == {"the passphrase is wrong"}
    assert [item["tries_left"] for item in refusals] == [2, 1, 0, 2]
    assert here.ws.proposal_service.get(proposal.id).state == "pending"
    assert verdict(panel, proposal.id, "apply")["state"] == "applied"


def test_without_a_passphrase_a_locked_key_is_asked_for_it(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    for given in (None, ""):
        refused = verdict(panel, proposal.id, "keep", passphrase=given)["error"]
        assert refused["code"] == "not_allowed"
        assert refused["wrong"] is (given is not None)


def test_a_passphrase_that_slipped_into_a_reason_is_never_kept(here: Studio) -> None:
    proposal, made = here.proposed()
    panel = shown(here, proposal.id)
    slipped: list[dict[str, Any]] = [{"reason": f"Good. {PASSPHRASE}"}, {"reject": {made["new"]: PASSPHRASE}}]
    for words in slipped:
        refused = verdict(panel, proposal.id, "apply", **words)["error"]
        assert refused["code"] == "bad_input"
        assert PASSPHRASE not in str(refused)
    assert here.ws.proposal_service.get(proposal.id).state == "pending"
    assert verdict(panel, proposal.id, "apply", reason="Good.")["state"] == "applied"


def test_a_key_is_unlocked_for_one_verdict_unless_it_is_to_stay_so(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    verdict(panel, proposal.id, "keep")
    assert asked(panel, "keys")["held"] == ""
    verdict(panel, proposal.id, "keep", hold=True)
    facts = asked(panel, "keys")
    assert facts["held"] == here.ws.deciding().key
    assert 590 <= facts["left"] <= 600
    assert verdict(panel, proposal.id, "keep", passphrase=None)["state"] == "kept"
    assert asked(panel, "keys")["held"] != "", "it stays unlocked until it is locked"
    assert asked(panel, "lock")["held"] == ""
    assert verdict(panel, proposal.id, "keep", passphrase=None)["error"]["code"] == "not_allowed"


def test_a_key_that_nobody_uses_is_forgotten_and_the_browser_hears_of_it(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id, idle=0.2)
    verdict(panel, proposal.id, "keep", hold=True)
    wire: Any = panel.comm
    while wire.sent.get(timeout=10)[0].get("content", {}).get("event") != "locked":
        pass
    assert asked(panel, "keys")["held"] == ""


def test_a_key_is_forgotten_when_the_view_is_closed_also_while_it_is_used(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    verdict(panel, proposal.id, "keep", hold=True)
    unlocking = panel._unlocking
    with unlocking.key("mina", None, hold=True) as key:
        assert key.sign(b"once")
        panel.close()
    with pytest.raises(NotAllowed, match="is locked"):
        key.sign(b"again")
    assert unlocking.facts()["held"] == ""


def test_a_key_is_forgotten_when_the_view_leaves_its_page(here: Studio, stage: Any) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    page = stage.show(panel)
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    verdict(panel, proposal.id, "keep", hold=True)
    assert asked(panel, "keys")["held"] != ""
    page.evaluate("() => take(0)")
    for _ in range(200):  # the page speaks only while it is used
        if asked(panel, "keys")["held"] == "":
            break
        page.evaluate("() => 0")
    assert asked(panel, "keys")["held"] == ""


def test_a_view_that_nobody_holds_takes_its_key_along(here: Studio) -> None:
    unlocking = Unlocking(here.ws, lambda: None)
    with unlocking.key("mina", PASSPHRASE, hold=True) as key:
        pass
    assert key.sign(b"once")
    held = weakref.ref(key)
    del key
    gc.collect()
    assert held() is not None
    del unlocking
    gc.collect()
    assert held() is None


def test_a_key_that_may_decide_no_more_is_forgotten(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    verdict(panel, proposal.id, "keep", hold=True)
    with here.ws.reviewer() as old:
        new = here.ws.keys.rotate(PASSPHRASE, by=old)
    facts = asked(panel, "keys")
    assert facts["held"] == ""
    assert [item["key"] for item in facts["mine"]] == [new.key]
    assert verdict(panel, proposal.id, "keep", passphrase=None)["error"]["wrong"] is False
    assert verdict(panel, proposal.id, "keep")["state"] == "kept"


def test_each_person_s_newest_key_is_offered_and_signs_by_its_own_name(here: Studio) -> None:
    with here.ws.reviewer() as mina:
        here.ws.enrol("ann", "another passphrase", by=mina)
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    assert [item["name"] for item in asked(panel, "keys")["mine"]] == ["ann", "mina"]
    done = verdict(panel, proposal.id, "apply", who="ann", passphrase="another passphrase")
    assert done["state"] == "applied"
    (told,) = asked(panel, "review", {"proposal": proposal.id})["verdicts"]
    assert told["reviewer"] == "ann"


def test_where_no_key_is_the_way_to_one_is_told_without_a_path(here: Studio) -> None:
    proposal, _ = here.proposed()
    for file in (here.folder / "config" / "keys").iterdir():
        file.unlink()
    panel = shown(here, proposal.id)
    missing = asked(panel, "keys")["missing"]
    assert missing["code"] == "not_allowed"
    assert "lantern keys offer" in missing["recovery"]
    refused = verdict(panel, proposal.id, "apply")["error"]
    assert refused["code"] == "not_allowed"
    assert str(here.folder) not in str((missing, refused))


def test_the_demo_s_key_is_called_so_and_needs_no_passphrase(tmp_path: Path) -> None:
    with studio(tmp_path) as here:
        with here.ws.reviewer() as mina:
            here.ws.enrol("demo", None, demo=True, by=mina)
        proposal, _ = here.proposed()
        panel = shown(here, proposal.id)
        assert {item["name"]: item["demo"] for item in asked(panel, "keys")["mine"]} == {"demo": True, "mina": False}
        assert verdict(panel, proposal.id, "apply", who="demo", passphrase=None)["state"] == "applied"
        (told,) = asked(panel, "review", {"proposal": proposal.id})["verdicts"]
        assert told["demo"] is True


def test_the_passphrase_is_in_no_state_no_log_no_repr_and_no_file(
    here: Studio, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("DEBUG")
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    said: list[str] = []
    wire: Any = panel.comm
    publish = wire.publish_msg
    monkeypatch.setattr(
        wire, "publish_msg", lambda *parts, **more: (said.append(repr((parts, more))), publish(*parts, **more))
    )

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("a defect")

    wrong = "not the passphrase at all"
    verdict(panel, proposal.id, "apply", passphrase=wrong)
    with monkeypatch.context() as defect:
        defect.setattr(here.ws, "verify", broken)
        assert verdict(panel, proposal.id, "apply", hold=True)["error"]["code"] == "internal"
    asked(panel, "verdict", {"passphrase": "x", "verdict": "apply"}, passphrase=PASSPHRASE)
    verdict(panel, proposal.id, "keep", hold=True)
    verdict(panel, proposal.id, "apply")
    assert "a defect" in caplog.text
    kept = [file.read_bytes() for file in here.folder.rglob("*") if file.is_file()]
    places = {
        "log": caplog.text,
        "sent": "".join(said),
        "state": repr(panel.get_state()),
        "repr": repr(panel) + repr(vars(panel)) + repr(vars(panel._unlocking)) + repr(vars(panel._verdicts)),
        "files": b"".join(kept).decode(errors="replace"),
    }
    for name, text in places.items():
        assert len(text) > 20, name
        for secret in (PASSPHRASE, wrong):
            assert secret not in text, name
    assert "passphrase" not in VerdictArgs.model_fields


def test_two_verdicts_at_once_take_turns(here: Studio) -> None:
    proposal, _ = here.proposed()
    panel = shown(here, proposal.id)
    asked(panel, "keys")
    entered, free = threading.Event(), threading.Event()
    found: list[dict[str, Any]] = []
    verify = here.ws.verify

    def slow(progress: Any) -> Any:
        entered.set()
        assert free.wait(10)
        return verify(progress)

    here.ws.verify = slow  # type: ignore[method-assign]
    seen = asked(panel, "review", {"proposal": proposal.id})
    args = {"proposal": proposal.id, "verdict": "keep", "compared": seen["compared"], "seen": 0, "who": "mina"}
    content = {"ask": "verdict", "id": 1, "args": {**args, "ticket": "ticket-one"}, "language": "en"}
    wire: Any = panel.comm
    wire.receive({"method": "custom", "content": content}, [PASSPHRASE.encode()])
    assert entered.wait(10)
    other = shown(here, proposal.id)
    second = threading.Thread(
        target=lambda: found.append(asked(other, "verdict", {**args, "ticket": "ticket-two"}, passphrase=PASSPHRASE))
    )
    second.start()
    free.set()
    second.join(20)
    assert found[0]["error"]["code"] == "wrong_state"
    assert len(asked(other, "review", {"proposal": proposal.id})["verdicts"]) == 1


def test_nothing_that_agents_call_reaches_a_review_or_a_key() -> None:
    seek = (
        "import sys, pkgutil, importlib\n"
        "import lantern_kit.mcp_server, lantern_kit.comic.capabilities as capabilities\n"
        "for room in (lantern_kit.mcp_server, capabilities):\n"
        "    for found in pkgutil.walk_packages(room.__path__, room.__name__ + '.'):\n"
        "        if not found.name.endswith('__main__'):\n"
        "            importlib.import_module(found.name)\n"
        "people = ('lantern_kit.widgets', 'lantern_kit.keys', 'lantern_kit.keyring')\n"
        "print([name for name in sys.modules if name.startswith(people)])\n"
    )
    done = subprocess.run([sys.executable, "-c", seek], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_what_unlocks_is_a_reviewer_and_a_refusal_is_an_error_of_the_kit(here: Studio) -> None:
    unlocking = Unlocking(here.ws, lambda: None)
    with unlocking.key("mina", PASSPHRASE, hold=False) as key:
        held: Unlocked = key
        assert held.name == "mina"
    with pytest.raises(LanternError, match="is locked"):
        held.sign(b"later")
