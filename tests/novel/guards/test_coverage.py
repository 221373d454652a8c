from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from lantern_kit.novel.errors import NovelFindings
from lantern_kit.novel.plan import FindingOverrideIn, Plan
from tests.novel.stage import Stage, config, outline, stage


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    return stage(tmp_path / "ws", configured=config(chapters=3))


def plan(**changes: dict[str, Any]) -> Plan:
    """Three chapters, some of whose fields are changed: ``c2={"title": …}``."""
    facts = outline(3).model_dump(by_alias=True, exclude_none=True)
    for chapter in facts["chapters"]:
        chapter.update(changes.get(chapter["as"], {}))
    facts["story"].update(changes.get("story", {}))
    return Plan.model_validate(facts)


def refused(made: Stage, told: Plan, *over: str) -> dict[str, str]:
    """Rules that a first outline is refused for, and what they say; nothing is kept of it."""
    if made.novel.head.run.intent is None:
        made.next()
    before = made.novel
    given = [FindingOverrideIn(finding=rule, reason="meant so") for rule in over]
    with pytest.raises(NovelFindings) as caught:
        made.desk.create_outline(told, made.settle(), "it begins", given)
    assert made.novel is before
    return {item["rule"]: item["severity"] for item in caught.value.details["findings"]}


@pytest.mark.parametrize(
    ("changes", "rule", "severity"),
    [
        ({"c2": {"title": "Chapters 2-9: the war"}}, "coverage.range", "refused"),
        ({"c2": {"title": "Chapter 4"}}, "coverage.contiguous", "override"),
        ({"c2": {"events": ["He leaves", "..."]}}, "coverage.placeholder", "refused"),
        ({"c3": {"purpose": "（略）"}}, "coverage.placeholder", "refused"),
        ({"c1": {"scenes": [{"as": "s", "goal": "TODO"}]}}, "coverage.placeholder", "refused"),
        ({"c1": {"scenes": [{"as": "s", "goal": "He opens the door and"}]}}, "coverage.broken", "override"),
        ({"c1": {"scenes": []}}, "coverage.scene", "refused"),
        ({"c2": {"purpose": "to go on", "events": ["event 1"]}}, "coverage.copy", "override"),
    ],
)
def test_an_outline_that_stops_early_is_not_kept(
    made: Stage, changes: dict[str, Any], rule: str, severity: str
) -> None:
    assert refused(made, plan(**changes))[rule] == severity
    if severity == "refused":
        assert rule in refused(made, plan(**changes), rule)


def test_chapters_that_were_asked_for_are_there_or_there_is_a_reason(made: Stage) -> None:
    told = outline(2)
    assert refused(made, told)["coverage.chapters"] == "override"
    over = [FindingOverrideIn(finding="coverage.chapters", reason="two are enough")]
    made.desk.create_outline(told, made.settle(), "it begins", over)
    assert [item.finding for item in list(made.novel.plans.values())[-1].overrides] == ["coverage.chapters"]


def test_an_outline_that_is_whole_is_kept(made: Stage) -> None:
    made.plan(plan())
    assert len(made.novel.chapters) == 3


def test_a_revision_is_asked_only_for_what_it_changes(made: Stage) -> None:
    made.plan(plan())
    chapters = list(made.novel.chapters)
    made.ann.instruct("More rain.", message="m1")
    made.next()
    revision = made.novel.head.outline_revision
    later = Plan.model_validate({"chapters": [{"id": chapters[2], "purpose": "to rain"}]})
    made.desk.revise_outline(later, made.settle(), "rain", revision)
    assert made.novel.chapters[chapters[2]].purpose == "to rain"
    made.ann.instruct("More sun.", message="m2")
    made.next()
    broken = Plan.model_validate({"chapters": [{"id": chapters[2], "purpose": "to shine, and, （待续）"}]})
    with pytest.raises(NovelFindings):
        made.desk.revise_outline(broken, made.settle(), "sun", revision + 1)


@pytest.mark.parametrize("reason", ["", " ", "\n\t", "\u3000"])
def test_nothing_is_kept_over_without_a_reason(reason: str) -> None:
    with pytest.raises(ValidationError, match="reason"):
        FindingOverrideIn(finding="coverage.chapters", reason=reason)
