"""An author's process: it holds the seat until it is killed, or wakes for the next work again and again, in threads.

``python -m tests.novel.crashes.waker WORKSPACE NOVEL hold``
``python -m tests.novel.crashes.waker WORKSPACE NOVEL wake NUMBER FENCE TIMES THREADS``: under a seat that others have
too, as if one author had been woken several times at once.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from random import Random

from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.leases import FOREVER, Lease
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import Intent, WorkKind
from lantern_kit.novel.turns import Turns
from lantern_kit.workspace import Workspace, open_workspace
from tests.novel.stage import BOT, content, text


class Waker:
    """Wakes for work, and tells how it went."""

    def __init__(self, ws: Workspace, seat: AuthorSeat, number: int) -> None:
        self.service = ws.novel_service
        self.seat = seat
        self.number = number
        self.told: Counter[str] = Counter()
        self._lock = threading.Lock()

    def wake(self, times: int, thread: int) -> None:
        """Wake so many times, and on until nothing is left to write."""
        random = Random(f"{self.number} {thread}")
        said = ""
        for wakes in range(200 * times):
            if wakes >= times and said == WorkKind.FINISH.value:
                return
            try:
                said = self.work(random)
            except LanternError as error:
                said = error.code
            with self._lock:
                self.told[said] += 1

    def work(self, random: Random) -> str:
        """One piece of work, in a turn that others may be in too, with prose that others may send too."""
        turns = Turns(self.service, self.seat)
        moment, intent = turns.prepare()
        if not isinstance(intent, Intent):
            return "halt"
        turn = random.choice([f"{intent.id} again", f"{intent.id} {self.number} {random.random()}"])
        turns.send(intent.id, turn)
        desk = AuthorDesk(self.service, self.seat.at(turn), BOT)
        if intent.kind is WorkKind.CHAPTER_COMPLETE:
            assert intent.chapter is not None
            desk.complete_chapter(intent.chapter, moment.novel.head.content_revision, "all is told", [])
            return "completed"
        if intent.unit is None:
            return intent.kind.value
        head = moment.novel.head
        token = desk.claim(intent.id, intent.unit, head.outline_revision, head.watermark)[1].token
        number = moment.novel.unit(intent.unit).number
        words = text(random.choice([number, number + 1_000 * (self.number + 1)]))
        _, commit = desk.commit(token, desk.weigh(intent.unit, token, words, content()))
        if random.random() < 0.2:
            turns.ended(moment.novel, Usage(1))
        return f"commit {commit.id}"


def main() -> None:
    """Hold or wake."""
    folder, novel, what, *rest = sys.argv[1:]
    with open_workspace(folder) as ws:
        if what == "hold":
            seat = ws.novel_service.authors.take(novel, BOT.name, "holder")
            print(json.dumps({"fence": seat.lease.fence}), flush=True)
            sys.stdin.readline()
            return
        number, fence, times, threads = (int(word) for word in rest)
        lease = Lease(f"novel/{novel}", "test", fence, FOREVER)
        waker = Waker(ws, AuthorSeat(novel, BOT.name, lease), number)
        running = [threading.Thread(target=waker.wake, args=(times, thread)) for thread in range(threads)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        print(json.dumps(waker.told))


if __name__ == "__main__":
    main()
