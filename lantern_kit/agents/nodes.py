"""The seven nodes of a turn: route, recall, plan, invoke, assert, reflect, respond (seed 001, 2.1).

Route and recall ask no model. Plan is the only one that decides. Reflect has no tools. Each takes the state and the
seat and gives what changed in the state.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from lantern_kit.agents.chat import Message, Role, Said, ToolCall, ToolSpec
from lantern_kit.agents.choosing import chosen, pairs_of, wants_change, words_of
from lantern_kit.agents.meter import MODEL, TOOL, Kind, usage_facts
from lantern_kit.agents.tools import Result
from lantern_kit.agents.turn import Call, Done, Outcome, Seat, State, Step, merged

Node = Callable[[State, Seat], State]
HISTORY = 4
"""Turns of the talk that a model is told again."""
RECALLED = 3
"""Earlier turns that words lead back to."""
CLIPPED = 600
"""Characters of a recalled turn."""
WORDS = 60
"""Words by which earlier turns are looked for."""
TOLD = 4_000
"""Characters of each side of a turn of the talk that a model is told again."""
UNKNOWN = "unknown"
"""What a tool is called in measures that is none."""
NOTHING = "Nothing came out this time."
"""How an answer begins when it is so."""
NOTE = 160
"""Tokens of the note on what came of a turn."""
_NOTE = "In one or two sentences, tell the person what came of it. Say nothing that is not in the facts."


def route(state: State, seat: Seat) -> State:
    """Decide by the words alone whether something is to be made, and which tools the model is told of."""
    text = seat.desk.get(state["turn"]).asked
    changes = bool(state.get("promise")) or wants_change(text)
    tools = chosen(seat.tools.offered(), text, changes=changes, budget=seat.budget)
    names = [tool.name for tool in tools]
    return {
        "changes": changes,
        "tools": names,
        "round": 0,
        "asked": [],
        "trace": [_step("route", _counted(len(names), "tool"))],
    }


def recall(state: State, seat: Seat) -> State:
    """Find earlier turns of this thread that the words lead back to."""
    asked = seat.desk.get(state["turn"]).asked
    words = sorted({*words_of(asked), *pairs_of(asked)}, key=lambda word: (-len(word), word))[:WORDS]
    recent = [kept.turn for kept in seat.desk.last(state["thread"], HISTORY, state["turn"])]
    with seat.meter.span(Kind.RETRIEVAL, "recall"):
        found = list(seat.desk.recall(state["thread"], words, RECALLED, without=[state["turn"], *recent]))
    return {"recalled": found, "trace": [_step("recall", _counted(len(found), "earlier turn"))]}


def plan(state: State, seat: Seat) -> State:
    """Let the model decide: call tools, or answer."""
    tools = {tool.name: tool for tool in seat.tools.offered() if tool.name in state["tools"]}
    said = ask(seat, conversation(state, seat), [tool.spec() for tool in tools.values()])
    number = state["round"] + 1
    ref = seat.desk.put(state["turn"], f"said-{number}", said.text)
    asked = [_keep(seat, state, number, place, call) for place, call in enumerate(said.calls)]
    words = _counted(len(asked), "call") if asked else "an answer"
    return {"asked": asked, "said": ref, "round": number, "trace": [_step("plan", words)]}


def invoke(state: State, seat: Seat) -> State:
    """Carry out what was decided; a call that was carried out before gives its answer again."""
    done = [carried_out(seat, state, call) for call in state["asked"]]
    failed = sum(not item["ok"] for item in done)
    words = _counted(len(done), "call") + (f", {failed} refused" if failed else "")
    return {"done": done, "asked": [], "trace": [_step("invoke", words)]}


def check(state: State, seat: Seat) -> State:
    """Look whether what was promised is there (the seed's assert)."""
    said = merged(state.get("done", []))
    made = dict(seat.witness(said))
    missing = [name for name in said if name not in made]
    outcome = judged(state, seat, made)
    words = outcome.value + (f", not there: {', '.join(missing)}" if missing else "")
    return {"outcome": outcome.value, "made": made, "missing": missing, "trace": [_step("assert", words)]}


def reflect(state: State, seat: Seat) -> State:
    """Have one note written on what came of it, without tools."""
    facts = {
        "made": state["made"],
        "refused": [i["code"] for i in state.get("done", []) if not i["ok"]],
    }
    messages = [
        Message(Role.SYSTEM, f"{seat.instructions}\n{_NOTE}"),
        Message(Role.USER, seat.desk.get(state["turn"]).asked),
        Message(Role.USER, json.dumps(facts, ensure_ascii=False), retrieved=True),
    ]
    said = ask(seat, messages, [], most=NOTE)
    return {"note": seat.desk.put(state["turn"], "note", said.text), "trace": [_step("reflect", "a note")]}


def respond(state: State, seat: Seat) -> State:
    """Put the answer together, and keep the turn."""
    outcome = Outcome(state["outcome"])
    seat.desk.end(state["turn"], outcome.value, answer(state, seat, outcome), state["made"])
    return {"trace": [_step("respond", outcome.value)]}


NODES: Mapping[str, Node] = {
    "route": route,
    "recall": recall,
    "plan": plan,
    "invoke": invoke,
    "assert": check,
    "reflect": reflect,
    "respond": respond,
}


def judged(state: State, seat: Seat, made: Mapping[str, str]) -> Outcome:
    """What came of the calls, by what is there and not by what model or tools say."""
    if state.get("promise"):
        return Outcome.MADE if state["promise"] in made else Outcome.NOTHING
    if not state["changes"]:
        return Outcome.ANSWERED if seat.desk.read(state["said"]).strip() else Outcome.NOTHING
    return Outcome.MADE if made else Outcome.NOTHING


def answer(state: State, seat: Seat, outcome: Outcome) -> str:
    """The words for the person: what the kit saw first, then what the model says."""
    said = seat.desk.read(state["said"]).strip() if state.get("said") else ""
    if outcome is Outcome.NOTHING:
        refused = [item for item in state.get("done", []) if not item["ok"]]
        missing = state.get("missing", [])
        why = f" The last refusal: {_message(seat, refused[-1])}" if refused else ""
        why += f" A tool says that it made this, and it is not there: {', '.join(missing)}." if missing else ""
        return f"{NOTHING}{why}" + (f"\n{said}" if said else "")
    note = seat.desk.read(state["note"]).strip() if state.get("note") else ""
    return note or said or "Done."


def notices(seat: Seat) -> tuple[str, ...]:
    """What a person should know of how a turn came about: a stand-in, a server that was lost."""
    stand_in = f"{seat.chat.model} is no model: it stands in for one, offline." if seat.chat.stand_in else ""
    return tuple(filter(None, (stand_in, seat.tools.notice)))


def ask(seat: Seat, messages: list[Message], tools: list[ToolSpec], *, most: int = 4_096) -> Said:
    """One call of the model, measured."""
    with seat.meter.span(Kind.CHAT, f"chat {seat.chat.model}", **{MODEL: seat.chat.model}) as span:
        said = seat.chat.complete(messages, tools, most=most, hear=seat.hear)
    span.facts.update(usage_facts(messages, tools, said))
    return said


def conversation(state: State, seat: Seat) -> list[Message]:
    """What the model is told: instructions, what was recalled, the talk so far, the request, and this turn's calls."""
    desk = seat.desk
    messages = [Message(Role.SYSTEM, seat.instructions)]
    for turn in state.get("recalled", []):
        kept = desk.get(turn)
        words = f"Earlier: {kept.asked}\n→ {kept.answer}"[:CLIPPED]
        messages.append(Message(Role.USER, words, retrieved=True))
    for kept in desk.last(state["thread"], HISTORY, state["turn"]):
        messages += [Message(Role.USER, kept.asked[:TOLD]), Message(Role.ASSISTANT, kept.answer[:TOLD])]
    messages.append(Message(Role.USER, desk.get(state["turn"]).asked))
    rounds: dict[int, list[Done]] = {}
    for item in state.get("done", []):
        rounds.setdefault(_round(item), []).append(item)
    for number, items in rounds.items():
        calls = tuple(_asked(seat, item) for item in items)
        messages.append(Message(Role.ASSISTANT, desk.read(f"{state['turn']}/said-{number}"), calls))
        messages += [Message(Role.TOOL, desk.read(f"{item['ref']}/answer"), answers=item["key"]) for item in items]
    return messages


def carried_out(seat: Seat, state: State, call: Call) -> Done:
    """One call, measured, its answer kept."""
    asked = json.loads(seat.desk.read(call["ref"]))
    name = call["tool"] or UNKNOWN
    with seat.meter.span(Kind.TOOL, f"execute_tool {name}", **{TOOL: name}) as span:
        if asked["fault"]:
            result = Result(False, json.dumps({"code": "bad_input", "message": asked["fault"]}), "bad_input")
        elif not call["tool"]:
            known = ", ".join(state["tools"])
            told = {"code": "not_found", "message": f"there is no such tool; there are: {known}"}
            result = Result(False, json.dumps(told), "not_found")
        else:
            result = seat.tools.call(call["tool"], asked["arguments"], key=call["key"])
        span.failed = result.code
    turn, place = call["ref"].split("/", 1)
    seat.desk.put(turn, f"{place}/answer", result.text)
    return Done(
        key=call["key"], tool=call["tool"], ok=result.ok, code=result.code, made=dict(result.made), ref=call["ref"]
    )


def _keep(seat: Seat, state: State, number: int, place: int, call: ToolCall) -> Call:
    """A call that was decided on, with the key under which it is carried out once."""
    facts = {"tool": call.name, "arguments": dict(call.arguments), "fault": call.fault}
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]
    ref = seat.desk.put(state["turn"], f"call-{number}-{place}", text)
    known = call.name if call.name in state["tools"] else ""
    return Call(key=f"{state['turn']}-{number}-{place}-{digest}", tool=known, ref=ref)


def _round(item: Done) -> int:
    return int(item["ref"].rpartition("/call-")[2].split("-")[0])


def _asked(seat: Seat, item: Done) -> ToolCall:
    """A call as the model asked for it."""
    found: dict[str, Any] = json.loads(seat.desk.read(item["ref"]))
    return ToolCall(item["key"], found["tool"], found["arguments"])


def _message(seat: Seat, item: Done) -> str:
    """What an error said."""
    try:
        return str(json.loads(seat.desk.read(f"{item['ref']}/answer"))["message"])
    except (ValueError, KeyError, TypeError):
        return item["code"]


def _step(node: str, told: str) -> Step:
    return Step(node=node, told=told)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
