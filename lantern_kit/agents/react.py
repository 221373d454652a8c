"""The plain loop: a model calls tools until it answers. The parts of the seven nodes, without a graph."""

from __future__ import annotations

from lantern_kit.agents.meter import NODE, Kind
from lantern_kit.agents.nodes import NODES, notices
from lantern_kit.agents.turn import Outcome, Request, Seat, State, Turn


class LoopRunner:
    """Carries turns through without checkpoints: a turn that broke off begins again, with the same keys."""

    def run(self, request: Request, seat: Seat) -> Turn:
        """Carry a turn through."""
        with seat.desk.held(request.turn):
            return self._run(request, seat)

    def _run(self, request: Request, seat: Seat) -> Turn:
        seat.desk.begin(request.turn, request.thread, request.text)
        tools = [tool.name for tool in seat.tools.offered()]
        state = State(
            turn=request.turn,
            thread=request.thread,
            promise=request.promise,
            changes=True,
            tools=tools,
            recalled=[],
            round=0,
            asked=[],
            done=[],
        )
        with seat.meter.span(Kind.WORKFLOW, "turn"):
            while state["round"] < seat.rounds:
                self._pass(state, seat, "plan")
                if not state["asked"]:
                    break
                self._pass(state, seat, "invoke")
            state["changes"] = any(item["made"] for item in state["done"])
            self._pass(state, seat, "assert")
            self._pass(state, seat, "respond")
        kept = seat.desk.get(request.turn)
        return Turn(
            request.turn, Outcome(kept.outcome), kept.answer, kept.made, tuple(state["trace"]), notices=notices(seat)
        )

    @staticmethod
    def _pass(state: State, seat: Seat, name: str) -> None:
        seat.alive()
        with seat.meter.span(Kind.NODE, name, **{NODE: name}):
            changed = NODES[name](state, seat)
        done = [*state.get("done", []), *changed.pop("done", [])]
        trace = [*state.get("trace", []), *changed.pop("trace", [])]
        state.update(changed)
        state["done"], state["trace"] = done, trace
