"""Deeds with a novel, each carried out in a process of its own that something outside kills or starves of its disk.

``python -m tests.novel.crashes.deeds`` imports everything once and then reads jobs, one JSON line each. For each it
forks a process, which opens the workspace, says ``{"ready": pid}``, waits for a line, carries the deed out and tells
what came of it; then the parent says ``{"ended": status}``.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lantern_kit.kernel import receipts
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.controls import Controls
from lantern_kit.novel.count import count
from lantern_kit.novel.creation import CardFile, create_novel
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.model import WorkKind
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.turns import Turns
from lantern_kit.workspace import Workspace, create_workspace, open_workspace
from tests.novel.stage import ANN, BOT, CONFIG, Stage, content, outline, stage, text

CARD = json.dumps(
    {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {
            **dict.fromkeys(("description", "personality", "scenario", "first_mes", "mes_example"), "plain"),
            **dict.fromkeys(("creator_notes", "system_prompt", "post_history_instructions"), ""),
            "name": "Mira",
            "creator": "nobody",
            "character_version": "1",
            "tags": [],
            "alternate_greetings": [],
            "extensions": {},
            "character_book": {"extensions": {}, "entries": [], "name": "The town"},
        },
    }
).encode()
Facts = dict[str, Any]


# what is there before


def prepared(folder: Path, deed: str) -> Facts:
    """Make the workspace that a deed is done in, and say what its author knows by then."""
    if deed == "begin":
        create_workspace(folder, title="Novels", owner="Ann", clock=SteppingClock(), ids=SeededIds(7)).close()
        return {"novel": "", "turn": ""}
    made = stage(folder)
    if deed != "outline":
        made.plan()
    BEFORE[deed](made)
    head = made.novel.head
    intent = head.run.intent
    unit = None if intent is None or intent.unit is None else made.novel.unit(intent.unit)
    facts = {
        "novel": head.id,
        "turn": f"turn{made.turn}",
        "intent": "" if intent is None else intent.id,
        "unit": "" if unit is None else unit.id,
        "token": "" if unit is None or not unit.attempts else unit.attempts[-1].token,
        "chapter": "" if intent is None or intent.chapter is None else intent.chapter,
        "outline": head.outline_revision,
        "watermark": head.watermark,
        "content": head.content_revision,
        "open": [item.id for item in made.novel.open_instructions],
        "commits": list(made.novel.commits),
        "key": made.made.get("key", ""),
    }
    made.service.authors.release(made.seat)
    made.close()
    return facts


def _sent(made: Stage) -> None:
    made.next()


def _prepared(made: Stage) -> None:
    made.turns.prepare()


def _claimed(made: Stage) -> None:
    made.claim(made.next())


def _instructed(made: Stage) -> None:
    made.ann.instruct("More rain, please.", message="m1")
    assert made.next().kind is WorkKind.OUTLINE_REVISE


def _chapter_written(made: Stage) -> None:
    made.write()
    made.write()
    assert made.next().kind is WorkKind.CHAPTER_COMPLETE


def _all_written(made: Stage) -> None:
    made.write(foreshadows=[{"foreshadow": made.made["key"], "move": "planted", "at": 0}])
    made.write()
    made.complete()
    made.write(foreshadows=[{"foreshadow": made.made["key"], "move": "resolved", "at": 0}])
    made.write()
    made.complete()
    assert made.next().kind is WorkKind.FINISH


def _nothing(made: Stage) -> None:
    """Its outline is there."""


BEFORE: Mapping[str, Callable[[Stage], None]] = {
    "outline": _sent,
    "instruct": _nothing,
    "prepare": _nothing,
    "send": _prepared,
    "claim": _sent,
    "commit": _claimed,
    "commit, checkpointed": _claimed,
    "revise": _instructed,
    "stop": _claimed,
    "complete": _chapter_written,
    "finish": _all_written,
}


# deeds


def once(ws: Workspace, key: str, make: Callable[[Any], Any]) -> Any:
    """Carry out a request with a key as a call does: what it does and the answer to it are one transaction."""
    with ws.journal.write() as connection:
        given = receipts.find(connection, "test", key, b"asked")
        if given is None:
            given = make(connection)
            receipts.keep(connection, "test", key, b"asked", given, 0)
        return given


def _begin(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    moment = create_novel(
        ws.novel_service,
        title="The Lamp",
        config=CONFIG,
        files=(CardFile("mira.json", CARD),),
        request="Write of a lamp.",
        key="first",
        actor=ANN,
    )
    return moment.novel.head.id


def _desk(ws: Workspace, seat: AuthorSeat | None) -> AuthorDesk:
    assert seat is not None
    return AuthorDesk(ws.novel_service, seat, BOT)


def _turns(ws: Workspace, seat: AuthorSeat | None) -> Turns:
    assert seat is not None
    return Turns(ws.novel_service, seat)


def _settled(facts: Facts) -> list[OutcomeIn]:
    return [OutcomeIn(instruction=name, result="applied", note="as asked") for name in facts["open"]]


def _outline(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    desk = _desk(ws, seat)
    return once(
        ws, "outline", lambda open_: desk.create_outline(outline(), _settled(facts), "it begins", connection=open_)[1]
    )


def _revise(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    desk = _desk(ws, seat)
    plan = Plan.model_validate(
        {"chapters": [{"as": "c9", "title": "Rain", "purpose": "to rain", "events": ["it rains"], "people": []}]}
    )

    def make(open_: Any) -> Any:
        return desk.revise_outline(plan, _settled(facts), "as asked", facts["outline"], connection=open_)[1]

    return once(ws, "revise", make)


def _instruct(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    return Controls(ws.novel_service, facts["novel"], ANN).instruct("More rain, please.", message="m1")[1].id


def _prepare(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    _, intent = _turns(ws, seat).prepare()
    return str(getattr(intent, "id", intent))


def _send(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    return _turns(ws, seat).send(facts["intent"], "turn9")[1].id


def _claim(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    _, attempt = _desk(ws, seat).claim(facts["intent"], facts["unit"], facts["outline"], facts["watermark"])
    return attempt.token


def _commit(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    desk = _desk(ws, seat)
    told = content(
        events=[{"what": "a light", "at": 0}], foreshadows=[{"foreshadow": facts["key"], "move": "planted", "at": 1}]
    )
    weighed = desk.weigh(facts["unit"], facts["token"], text(1, length=120), told)
    return desk.commit(facts["token"], weighed)[1].id


def _checkpointed(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    """The same, and what it wrote goes from the log into the database at once."""
    with ws.journal.read() as connection:  # the connection that the deed will take too
        connection.driver.execute("PRAGMA wal_autocheckpoint=1")
    return _commit(ws, seat, facts)


def _stop(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    hand = Controls(ws.novel_service, facts["novel"], ANN)
    if ws.novel_service.head(facts["novel"]).novel.head.run.pause is None:
        hand.stop()
    return "stopped"


def _complete(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    return _desk(ws, seat).complete_chapter(facts["chapter"], facts["content"], "all is told", [])[1].state.value


def _finish(ws: Workspace, seat: AuthorSeat | None, facts: Facts) -> Any:
    desk = _desk(ws, seat)

    def make(open_: Any) -> Any:
        ending = facts["commits"][-1]
        return desk.finish(facts["content"], facts["outline"], ending, "it burns", connection=open_)[0].id

    return once(ws, "finish", make)


DEEDS: Mapping[str, Callable[[Workspace, AuthorSeat | None, Facts], Any]] = {
    "begin": _begin,
    "outline": _outline,
    "instruct": _instruct,
    "prepare": _prepare,
    "send": _send,
    "claim": _claim,
    "commit": _commit,
    "commit, checkpointed": _checkpointed,
    "revise": _revise,
    "stop": _stop,
    "complete": _complete,
    "finish": _finish,
}


def opened(folder: Path, facts: Facts) -> tuple[Workspace, AuthorSeat | None]:
    """The workspace, with the author's seat in the turn that was on: the same ids and times whoever opens it."""
    ws = open_workspace(folder, clock=SteppingClock(start=1_790_000_000_000), ids=SeededIds(99))
    if not facts["novel"]:
        return ws, None
    return ws, ws.novel_service.authors.take(facts["novel"], BOT.name, "test").at(facts["turn"])


def carried_out(folder: Path, deed: str, facts: Facts) -> Any:
    """Carry a deed out, and give its receipt."""
    ws, seat = opened(folder, facts)
    with ws:
        return DEEDS[deed](ws, seat, facts)


# the process


_SET_PTRACER = 0x59616D61


def _child(job: dict[str, Any]) -> None:
    ctypes.CDLL(None).prctl(_SET_PTRACER, ctypes.c_ulong(-1), 0, 0, 0)  # whoever is nearby may trace it
    ws, seat = opened(Path(job["folder"]), job["facts"])
    _say({"ready": os.getpid()})
    select.select([0], [], [])  # whatever becomes of this wait when the tracer comes, the reading comes after it
    os.read(0, 1)
    try:
        told = {"receipt": DEEDS[job["deed"]](ws, seat, job["facts"])}
    except LanternError as error:
        told = {"failed": error.code}
    except BaseException:  # noqa: BLE001  what nobody may ever see is what this looks for
        told = {"raised": traceback.format_exc()}
    _say(told)


def _say(told: dict[str, Any]) -> None:
    os.write(1, f"{json.dumps(told)}\n".encode())


def main() -> None:
    """Serve jobs until there are none."""
    count("the table is read before anybody looks", policy=1)
    jobs = os.fdopen(os.dup(0), "rb", buffering=0)  # a byte at a time: the line after a job is the child's
    while line := jobs.readline():
        pid = os.fork()
        if not pid:
            try:
                _child(json.loads(line))
            except BaseException:  # noqa: BLE001
                _say({"raised": traceback.format_exc()})
            os._exit(0)
        _say({"ended": os.waitpid(pid, 0)[1]})


if __name__ == "__main__":
    sys.exit(main())
