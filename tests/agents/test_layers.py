"""The three layers, each with what it must not do (seed 001, 1)."""

from __future__ import annotations

from contextlib import closing

import grimp
import pytest

from lantern_kit.agents.nodes import NODES, notices
from lantern_kit.agents.offline import OfflineAssistant
from lantern_kit.agents.turn import Outcome, Request, Seat, State, Turn
from lantern_kit.assistant import carry, open_desk, seat
from lantern_kit.workspace import Workspace

AGENTS = "lantern_kit.agents"
FRAMEWORKS = ("langgraph", "langchain_core", "langsmith")


@pytest.fixture(scope="module")
def house() -> grimp.ImportGraph:
    return grimp.build_graph("lantern_kit", include_external_packages=True, cache_dir=None)


def agents(house: grimp.ImportGraph) -> set[str]:
    return {AGENTS, *house.find_descendants(AGENTS)}


def test_no_module_of_agents_imports_a_kind(house: grimp.ImportGraph) -> None:
    own = {found for module in agents(house) for found in house.find_modules_directly_imported_by(module)}
    rooms = {".".join(name.split(".")[:2]) for name in own if name.startswith("lantern_kit.")}
    assert rooms == {AGENTS, "lantern_kit.kernel"}


def test_the_protocol_is_one_adapters_affair(house: grimp.ImportGraph) -> None:
    knowing = {module for module in agents(house) if "mcp" in house.find_modules_directly_imported_by(module)}
    assert knowing == {f"{AGENTS}.mcp_tools"}


def test_neither_the_protocols_face_nor_what_does_the_work_knows_an_agent(house: grimp.ImportGraph) -> None:
    for room in ("mcp_server", "comic", "library", "imaging", "analysis", "kernel", "workspace"):
        name = f"lantern_kit.{room}"
        assert not house.chain_exists(importer=name, imported=AGENTS, as_packages=room != "workspace"), room


def test_the_framework_is_known_in_one_file_and_nowhere_outside_agents(house: grimp.ImportGraph) -> None:
    for name in set(FRAMEWORKS) & house.modules:
        assert house.find_modules_that_directly_import(name) <= {f"{AGENTS}.graph"}
    assert house.find_modules_that_directly_import(f"{AGENTS}.graph") == {"lantern_kit.agent", "lantern_kit.assistant"}


class Straight:
    """A runner that nobody here knows: it makes the nodes' passes in a row of its own."""

    def run(self, request: Request, seat: Seat) -> Turn:
        seat.desk.begin(request.turn, request.thread, request.text)
        state = State(turn=request.turn, thread=request.thread, promise=request.promise, done=[], trace=[])

        def passed(name: str) -> None:
            for key, value in NODES[name](state, seat).items():
                state[key] = [*state[key], *value] if key in ("done", "trace") else value  # type: ignore[literal-required, operator, misc]

        passed("route")
        passed("recall")
        passed("plan")
        while state["asked"]:
            passed("invoke")
            passed("plan")
        passed("assert")
        passed("respond")
        kept = seat.desk.get(request.turn)
        return Turn(request.turn, Outcome(kept.outcome), kept.answer, kept.made, notices=notices(seat))


def test_swapping_the_runner_changes_nothing_outside_agents(ws: Workspace) -> None:
    words = 'Make a page with two panels: Chelsea says "Hello?"; fog'
    with closing(open_desk(ws)) as desk:
        place = seat(ws, OfflineAssistant(), desk=desk)
        turn = carry(ws, Straight(), Request("t1", "talk", words), place)
    assert (turn.outcome, turn.made["proposal"]) == (Outcome.MADE, "p1")
    assert "checker: The check finds" in turn.answer
