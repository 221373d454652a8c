"""What is declared about every capability, and what is no capability at all."""

from __future__ import annotations

import re

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Capability, Confirmation, Effect, Idempotency, Precondition, Scope
from lantern_kit.kernel.errors import NotAllowed, UnknownKey
from tests.comic.capabilities.desk import Desk

EVERY = pytest.mark.parametrize("capability", list(CAPABILITIES), ids=lambda item: item.name)

PERSON_ONLY = (
    "apply",
    "keep",
    "verdict",
    "approve",
    "enrol",
    "archive",
    "create",
    "restore",
    "save",
    "resolve",
    "shelve",
)


def test_the_set_is_complete_and_nothing_more() -> None:
    assert sorted(item.name for item in CAPABILITIES) == [
        "annotation.claim",
        "annotation.inspect",
        "annotation.list",
        "annotation.note",
        "asset.original",
        "asset.read",
        "asset.register",
        "candidate.adopt",
        "candidate.drop",
        "candidate.propose",
        "draft.begin",
        "draft.discard",
        "draft.edit",
        "draft.pick",
        "draft.status",
        "draft.undo",
        "layout.propose",
        "library.list",
        "library.read",
        "library.write",
        "operation.describe",
        "proposal.freeze",
        "proposal.list",
        "resource.list",
        "unit.look",
        "unit.print",
        "unit.read",
        "work.check",
        "work.compare",
        "work.find",
        "work.outline",
    ]


def test_nothing_that_belongs_to_a_person_is_a_capability() -> None:
    for capability in CAPABILITIES:
        words = set(re.split(r"[._]", capability.name))
        assert not words.intersection(PERSON_ONLY), capability.name


@EVERY
def test_observing_needs_only_the_right_to_read(capability: Capability) -> None:
    observes = capability.effect is Effect.OBSERVE
    assert (capability.scope is Scope.READ) == observes
    assert (capability.idempotency is Idempotency.NATURAL) == observes


@EVERY
def test_what_changes_a_draft_says_which_and_at_what_revision(capability: Capability) -> None:
    fields = capability.input.model_fields
    if capability.effect is Effect.DIRECT_CHANGE and capability.name != "draft.begin":
        assert "draft" in fields
        assert capability.precondition is Precondition.REVISION


def test_what_could_reach_the_work_waits_for_a_verdict() -> None:
    waiting = {item.name for item in CAPABILITIES if item.confirmation is Confirmation.VERDICT}
    candidates = {"candidate.propose", "candidate.adopt", "layout.propose"}
    assert waiting == {"draft.edit", "draft.pick", "draft.undo", "proposal.freeze", *candidates}


@EVERY
def test_an_unknown_key_is_refused_whatever_else_is_right(capability: Capability, reader: Desk) -> None:
    error = reader.refused(capability.name, nonsense=1)
    assert isinstance(error, UnknownKey)
    assert "nonsense" in error.message


def test_who_may_only_read_cannot_begin_a_draft(desk: Desk) -> None:
    with pytest.raises(NotAllowed):
        desk.dispatcher.dispatch(
            "draft.begin",
            {"chapter": desk.chapter, "idempotency_key": "k"},
            actor=Actor.agent("reader"),
            scopes=frozenset({Scope.READ}),
        )
    assert desk.events() == [("draft.begin", "failed", "not_allowed")]
