from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.agents.faults import ModelRefused
from lantern_kit.author_host import AgentAuthor, there
from lantern_kit.novel.driver import Driver
from lantern_kit.novel.errors import NovelCapability
from lantern_kit.novel.host import Guarantee
from lantern_kit.novel.model import Reason, Status
from lantern_kit.novel.steps import Step
from tests.novel.authoring.playing import Playing, Rambling
from tests.novel.capabilities.conftest import Place


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "ws")
    yield made
    made.ws.close()


def limited(place: Place, **limits: Any) -> None:
    """Give the novel other limits."""
    place.ann.configure(limits={**place.novel.config.limits.model_dump(), **limits})


def driven(place: Place, author: AgentAuthor) -> tuple[Driver, list[Step]]:
    """A driver that waits for nothing, and what it told."""
    told: list[Step] = []
    return (
        Driver(
            place.ws.novel_service, author, place.id, tell=told.append, warn=lambda said: None, sleep=lambda wait: None
        ),
        told,
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Place, Playing, list[Step]]]:
    """A novel that the kit's agent wrote, its model, and what the driver told."""
    made, chat = Place(tmp_path_factory.mktemp("written") / "ws"), Playing()
    driver, told = driven(made, AgentAuthor(made.ws, chat))
    driver.run()
    yield made, chat, told
    made.ws.close()


Written = tuple[Place, Playing, list[Step]]


def test_the_kits_agent_writes_a_novel_to_its_end_one_turn_a_work(written: Written) -> None:
    place, chat, told = written
    novel = place.novel
    assert novel.head.run.status is Status.COMPLETED
    assert (novel.head.commits, chat.refusals) == (4, [])
    spent = novel.head.spent
    assert spent.turns == len([step for step in told if step.intent is not None]) == 8
    assert spent.requests == chat.requests, "nothing is asked of the model once the deed that ends a work is done"
    assert (spent.input_tokens, spent.output_tokens) == (100 * chat.requests, 10 * chat.requests)
    assert place.ws.verify().clean


def test_each_kind_of_work_opens_its_own_deeds_alone(written: Written) -> None:
    _, chat, _ = written
    writing = {"outline_create", "outline_revise", "unit_claim", "body_commit", "chapter_complete", "finish"}
    opened = [names & writing for names in chat.offered]
    assert opened[0] == {"outline_create"}
    assert opened[1] == {"unit_claim", "body_commit"}
    assert opened[3] == {"chapter_complete"}
    assert opened[-1] == {"finish"}
    assert all("next_work" not in names for names in chat.offered)


def test_briefs_call_deeds_by_the_names_of_tools(written: Written) -> None:
    _, chat, _ = written
    assert "outline_create" in chat.told[0] and "create_outline" not in chat.told[0]
    assert "unit_claim" in chat.told[1] and "body_commit" in chat.told[1]
    assert "chapter_complete" in chat.told[3] and "complete_chapter" not in chat.told[3]


def test_what_is_in_a_novel_is_told_from_what_a_model_says_of_it(written: Written) -> None:
    novel = written[0].novel
    true = {"commit": next(iter(novel.commits)), "finished": novel.head.id, "plan": next(iter(novel.plans))}
    assert there(novel, {**true, "completed": "nc_none", "draft": "d1"}) == true


def test_a_model_that_talks_and_commits_nothing_stalls_the_novel_and_none_of_its_words_are_in_it(place: Place) -> None:
    limited(place, stalled=2)
    driven(place, AgentAuthor(place.ws, Rambling()))[0].run()
    head = place.novel.head
    assert head.run.pause is not None and head.run.pause.reason is Reason.STALLED
    assert (head.outline_revision, head.commits, head.spent.turns) == (0, 0, 2)


def test_a_model_that_stays_busy_is_asked_as_often_as_may_be_then_the_novel_pauses_with_the_last_error(
    place: Place,
) -> None:
    chat = Playing(busy=100)
    driver, told = driven(place, AgentAuthor(place.ws, chat))
    driver.run()
    pause = place.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.EXTERNAL
    assert "the model is busy" in pause.told
    assert chat.requests == place.novel.config.limits.retries.attempts
    assert told[-2].error is not None and told[-2].error.details["cause"] == "model_busy"
    chat.busy = 0
    place.ann.resume()
    driven(place, AgentAuthor(place.ws, chat))[0].run()
    assert place.novel.head.run.status is Status.COMPLETED


def test_a_model_that_refuses_is_not_asked_again(place: Place) -> None:
    class Refusing(Playing):
        def complete(self, *given: Any, **options: Any) -> Any:
            self.requests += 1
            raise ModelRefused("the key is wrong")

    chat = Refusing()
    driven(place, AgentAuthor(place.ws, chat))[0].run()
    pause = place.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.INVALID
    assert chat.requests == 1


def test_a_stop_ends_the_turn_where_the_model_next_says_something(place: Place) -> None:
    class Stopped(Playing):
        def complete(self, *given: Any, **options: Any) -> Any:
            if self.written == 1 and place.novel.head.run.status is Status.ACTIVE:
                place.ann.stop()
                author.cancel()
            return super().complete(*given, **options)

    chat = Stopped()
    author = AgentAuthor(place.ws, chat)
    driven(place, author)[0].run()
    head = place.novel.head
    assert head.run.pause is not None and head.run.pause.reason is Reason.STOPPED
    assert head.commits == 1
    assert head.spent.failures == 0


def test_a_limit_on_tokens_is_refused_where_the_models_server_does_not_count_them(place: Place) -> None:
    limited(place, tokens=1_000_000)
    author = AgentAuthor(place.ws, Playing(counted=False))
    assert author.report().counts_tokens
    driven(place, author)[0].run()
    pause = place.novel.head.run.pause
    assert pause is not None and pause.reason in {Reason.INVALID, Reason.CAPABILITY}
    assert not author.report().counts_tokens
    assert not author.report().ok(Guarantee.USAGE)
    with pytest.raises(NovelCapability) as refused:
        driven(place, AgentAuthor(place.ws, Playing(stand_in=True)))[0].run()
    assert refused.value.code == "novel_capability"


def test_a_turn_that_runs_nowhere_is_known_to_run_no_more(place: Place) -> None:
    author = AgentAuthor(place.ws, Playing())
    assert author.running("tn_0000") is False


def test_people_of_a_deduction_are_told_what_they_know_and_have_no_tools(place: Place) -> None:
    chat = Playing(deduces=True)
    driven(place, AgentAuthor(place.ws, chat))[0].run()
    novel = place.novel
    assert novel.head.run.status is Status.COMPLETED
    assert novel.head.spent.deductions == 4
    assert novel.head.spent.requests == chat.requests, "whoever acts counts"
    assert len(chat.acted) == 4 * 2 * 2
    assert all("The lamp is out." in told for told in chat.acted)
    assert not [told for told in chat.acted if "It burns again." in told], "nobody knows how the story ends"
    assert "I light the lamp." in chat.acted[2], "a later round sees what was done"
    whole = " ".join(" ".join(place.ws.novel_service.paragraphs(novel, name)) for name in novel.commits)
    assert "I light the lamp." not in whole


def test_a_deduction_without_one_of_its_people_is_none_and_pauses_after_a_few_attempts(place: Place) -> None:
    chat = Playing(deduces=True, silent=frozenset({"Tom"}))
    driven(place, AgentAuthor(place.ws, chat))[0].run()
    head = place.novel.head
    asked = [sum(f"You are {name}." in told for told in chat.acted) for name in ("Mira", "Tom")]
    assert asked == [1, place.novel.config.limits.retries.attempts], "only who failed is asked again"
    assert head.run.pause is not None and head.run.pause.reason is Reason.EXTERNAL
    tom = next(item.id for item in place.novel.people.values() if item.name == "Tom")
    assert head.run.pause.ids == (tom,)
    assert head.commits == 0
    assert head.spent.deductions == 1


def test_deductions_are_bounded_by_the_novels_limits(place: Place) -> None:
    limited(place, deductions={"characters": 1, "rounds": 2, "total": 5})
    chat = Playing(deduces=True)
    driver, _ = driven(place, AgentAuthor(place.ws, chat))
    driver.step()
    driver.step()
    driver.close()
    assert chat.refusals == ["bad_input"]
    assert chat.acted == []
    assert place.novel.head.spent.deductions == 0
