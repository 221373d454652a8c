"""The seven nodes as a graph that can be watched, stopped, gone back in and gone on with (langgraph)."""

from __future__ import annotations

import sqlite3
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langsmith import tracing_context

from lantern_kit.agents.desk import understood
from lantern_kit.agents.meter import NODE, Kind
from lantern_kit.agents.nodes import NODES, Node, notices
from lantern_kit.agents.turn import Outcome, Request, Seat, State, Turn
from lantern_kit.kernel.errors import NotFound

KEPT = 20
"""Ended turns whose checkpoints stay, to go back in."""
SEAT = "__dc"
"""Where nodes find the seat in their config: names that begin with ``__`` are never written into checkpoints."""


class GraphRunner:
    """Carries turns through the graph. Every node leaves a checkpoint: a turn may stop, or be stopped, anywhere.

    Args:
        path: the file in which checkpoints are kept: the desk's, over a connection of their own.
    """

    def __init__(self, path: Path) -> None:
        with understood():
            connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
            connection.execute("PRAGMA synchronous=NORMAL")  # as the desk
            self._saver = SqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
            self._saver.setup()  # a file that came from elsewhere names no class that is made of it

    def close(self) -> None:
        """Let go of the file."""
        self._saver.conn.close()

    def run(self, request: Request, seat: Seat, *, pause_before: tuple[str, ...] = ()) -> Turn:
        """Carry a turn through, or go on with one that stopped.

        Args:
            pause_before: nodes to pause before (breakpoints).
        """
        with understood(), seat.desk.held(request.turn):
            return self._run(request, seat, pause_before)

    def back_to(self, turn: str, node: str, seat: Seat, *, pause_before: tuple[str, ...] = ()) -> Turn:
        """Go back to before a node's last pass and carry on from there. What calls made stays made.

        Raises NotFound when the turn never came to the node.
        """
        with understood(), seat.desk.held(turn):
            for state in list(self._graph.get_state_history(self._config(turn, seat))):
                if node in state.next:
                    config = {"configurable": {**state.config["configurable"], SEAT: seat}}
                    return self._go(turn, None, cast(RunnableConfig, config), seat, pause_before)
        raise NotFound(f"turn {turn[:40]} never came to {node[:20]}", expected=list(NODES), ids=[turn[:40]])

    def seen(self, turn: str, seat: Seat) -> Turn:
        """How a turn stands."""
        return self._turn(turn, seat)

    def trace(self, turn: str, seat: Seat) -> list[str]:
        """The nodes that a turn passed."""
        return [step["node"] for step in self._graph.get_state(self._config(turn, seat)).values.get("trace", [])]

    def prune(self, turn: str) -> None:
        """Drop a turn's checkpoints."""
        self._saver.delete_thread(turn)

    def held(self) -> list[str]:
        """The turns that have checkpoints."""
        rows = self._saver.conn.execute("SELECT DISTINCT thread_id FROM checkpoints ORDER BY thread_id").fetchall()
        return [row[0] for row in rows]

    # parts

    def _run(self, request: Request, seat: Seat, pause_before: tuple[str, ...]) -> Turn:
        seat.desk.begin(request.turn, request.thread, request.text)
        config = self._config(request.turn, seat)
        begun = self._graph.get_state(config)
        given: State | None = (
            None if begun.created_at else State(turn=request.turn, thread=request.thread, promise=request.promise)
        )
        if not begun.tasks and (begun.created_at or seat.desk.get(request.turn).ended is not None):
            return self._turn(request.turn, seat)  # it ended, and may be pruned
        return self._go(request.turn, given, config, seat, pause_before)

    def _go(
        self, turn: str, given: State | None, config: RunnableConfig, seat: Seat, pause_before: tuple[str, ...]
    ) -> Turn:
        with seat.meter.span(Kind.WORKFLOW, "turn"):
            try:
                with tracing_context(enabled=False):  # whatever the environment says, nothing leaves the machine
                    self._graph.invoke(given, config, durability="sync", interrupt_before=list(pause_before) or None)
            except _Broken as broken:
                raise broken.why from None
        for ended in seat.desk.ended(self.held())[KEPT:]:
            self.prune(ended)
        return self._turn(turn, seat)

    def _turn(self, turn: str, seat: Seat) -> Turn:
        state = self._graph.get_state(self._config(turn, seat))
        steps = tuple(state.values.get("trace", []))
        if state.tasks:  # a node that was killed before its checkpoint is among them, and no longer among the next ones
            return Turn(turn, Outcome.PAUSED, "", trace=steps, waits=state.tasks[0].name)
        kept = seat.desk.get(turn)
        return Turn(turn, Outcome(kept.outcome), kept.answer, kept.made, steps, notices=notices(seat))

    def _config(self, turn: str, seat: Seat) -> RunnableConfig:
        return {"configurable": {"thread_id": turn, SEAT: seat}, "recursion_limit": 4 * seat.rounds + 20}

    @cached_property
    def _graph(self) -> CompiledStateGraph[Any, Any, Any, Any]:
        graph: StateGraph[Any, Any, Any, Any] = StateGraph(State)
        for name, node in NODES.items():
            graph.add_node(name, _seated(name, node))
        graph.add_edge(START, "route")
        graph.add_edge("route", "recall")
        graph.add_edge("recall", "plan")
        graph.add_conditional_edges("plan", _decided, ["invoke", "assert"])
        graph.add_conditional_edges("invoke", _further, ["plan", "assert"])
        graph.add_conditional_edges(
            "assert", _came_out, {"made": "reflect", "answered": "respond", "nothing": "respond"}
        )
        graph.add_edge("reflect", "respond")
        graph.add_edge("respond", END)
        return graph.compile(checkpointer=self._saver)


class _Broken(Exception):
    """A node failed. The graph writes what it says beside its checkpoints, so it says nothing."""

    def __init__(self, why: Exception) -> None:
        super().__init__()
        self.why = why
        self.code = str(getattr(why, "code", type(why).__name__))


def _seated(name: str, node: Node) -> Any:
    """A node as the graph calls it: with the seat out of its config, measured."""

    def call(state: State, config: RunnableConfig) -> State:
        seat: Seat = config["configurable"][SEAT]
        seat.alive()
        with seat.meter.span(Kind.NODE, name, **{NODE: name}):
            try:
                return node(state, seat)
            except Exception as error:  # noqa: BLE001  it is raised again once it is out of the graph
                raise _Broken(error) from None

    return call


def _decided(state: State) -> str:
    return "invoke" if state["asked"] else "assert"


def _further(state: State, config: RunnableConfig) -> str:
    seat: Seat = config["configurable"][SEAT]
    return "plan" if state["round"] < seat.rounds else "assert"


def _came_out(state: State) -> str:
    return state["outcome"]
