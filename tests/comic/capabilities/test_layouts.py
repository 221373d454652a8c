"""Layouts as agents propose them: candidates, looked at, adopted, or stale."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lantern_kit.comic.layout.template import built_in, sketch
from lantern_kit.kernel.errors import BadInput, NotFound, StaleCandidate, StaleHandle
from lantern_kit.skills import guides
from tests.comic.capabilities.desk import PAGE, Desk, op


@pytest.fixture
def draft(desk: Desk) -> str:
    made = desk.begin()
    desk.edit(made, *PAGE)
    return made


def handle(desk: Desk, draft: str, unit: str = "1") -> str:
    text = desk.ask("unit.read", source=draft, unit=unit)["text"]
    return str(re.search(r"un_\w+#\w+", text)[0])  # type: ignore[index]


def asked(desk: Desk, draft: str, layout: str, *units: str, **options: Any) -> dict[str, Any]:
    return {
        "draft": draft,
        "expected_revision": desk.revisions[draft],
        "idempotency_key": desk.key(),
        "units": list(units) or [handle(desk, draft)],
        "layout": layout,
        **options,
    }


def settle(desk: Desk, draft: str, candidate: str) -> dict[str, Any]:
    return {
        "draft": draft,
        "expected_revision": desk.revisions[draft],
        "idempotency_key": desk.key(),
        "candidate": candidate,
    }


def frames(desk: Desk, source: str) -> int:
    return sum(" rect " in line for line in desk.ask("unit.read", source=source, unit="1")["text"].splitlines())


def test_layouts_are_candidates_and_one_of_them_is_adopted(desk: Desk, draft: str) -> None:
    had = frames(desk, draft)
    one = desk.ask("layout.propose", **asked(desk, draft, "six-grid"))
    other = desk.ask("layout.propose", **asked(desk, draft, "nine-grid", weights=[2.0, *[1.0] * 8], gutter=3, rows=4))
    assert (frames(desk, one["candidate"]), frames(desk, other["candidate"]), frames(desk, draft)) == (6, 9, had)
    assert desk.ask("unit.look", source=other["candidate"], unit="1")["revision"] == other["candidate"]
    adopted = desk.ask("candidate.adopt", **settle(desk, draft, other["candidate"]))
    desk.revisions[draft] = adopted["revision"]
    assert frames(desk, draft) == 9
    error = desk.refused("candidate.adopt", **settle(desk, draft, one["candidate"]))
    assert isinstance(error, StaleCandidate)


def test_a_reflow_is_proposed_with_and_without_pages_to_flow_over(desk: Desk, draft: str) -> None:
    adopted = desk.ask(
        "candidate.adopt",
        **settle(desk, draft, desk.ask("layout.propose", **asked(desk, draft, "six-grid"))["candidate"]),
    )
    desk.revisions[draft] = adopted["revision"]
    desk.edit(draft, op("unit.add", desk.chapter))
    units = [handle(desk, draft, str(number)) for number in (1, 2)]
    made = desk.ask("layout.propose", **asked(desk, draft, "reflow", *units, most=4))
    assert frames(desk, made["candidate"]) == 4
    assert "went on from" in made["notes"][0]
    wide = desk.ask("layout.propose", **asked(desk, draft, "reflow", units[0], weights=[3.0, 1, 1, 1, 1, 1]))
    assert frames(desk, wide["candidate"]) == 6 and wide["words"]
    assert desk.ask("layout.propose", **asked(desk, draft, "reflow", *units, gutter=2.0))["candidate"]


def test_what_cannot_be_laid_out_is_refused_and_nothing_is_kept(desk: Desk, draft: str) -> None:
    unit = handle(desk, draft)
    assert isinstance(desk.refused("layout.propose", **asked(desk, draft, "sixgrid")), NotFound)
    assert "flow" in desk.refused("layout.propose", **asked(desk, draft, "six-grid", most=3)).message
    wrong = desk.refused("layout.propose", **asked(desk, draft, "six-grid", weights=[1.0]))
    assert isinstance(wrong, BadInput) and "args.weights" in wrong.message
    stale = desk.refused("layout.propose", **asked(desk, draft, "six-grid", f"{unit.split('#')[0]}#00000000"))
    assert isinstance(stale, StaleHandle | BadInput)
    assert "candidates" not in desk.ask("draft.status", draft=draft)


def test_the_guide_shows_every_template() -> None:
    text = guides()["layout"]
    assert all(f"\n{name} {sketch(item)} {item.title}" in text for name, item in built_in().items())


def test_units_are_named_by_their_places_too(desk: Desk, draft: str) -> None:
    made = desk.ask("layout.propose", **asked(desk, draft, "six-grid", "1"))
    assert frames(desk, made["candidate"]) == 6
    flowed = desk.ask("layout.propose", **asked(desk, draft, "reflow", "1", most=6))
    assert flowed["words"]
    refused = desk.refused("layout.propose", **asked(desk, draft, "six-grid", "9"))
    assert isinstance(refused, NotFound) and "no unit 9" in refused.message


def test_places_are_those_of_the_revision_that_was_seen(desk: Desk, draft: str) -> None:
    call = asked(desk, draft, "six-grid", "1")
    page = handle(desk, draft)
    desk.edit(draft, op("unit.add", before=page))
    made = desk.ask("layout.propose", **call)
    assert frames(desk, made["candidate"]) == 0
    assert handle(desk, made["candidate"], "2").startswith(page.partition("#")[0])
    assert desk.ask("unit.read", source=made["candidate"], unit="2")["text"].count(" rect ") == 6
