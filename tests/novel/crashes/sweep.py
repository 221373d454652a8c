"""Killing and failing deeds at each of their system calls, with strace, and what is found after each."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.workspace import open_workspace
from tests.novel.crashes.deeds import Facts, carried_out, prepared

ROOT = Path(__file__).parents[3]
KILL, EIO = "signal=SIGKILL", "error=EIO"
_CALL = re.compile(r"^\d+ +(\w+)\((.*)$")
_KILLED = 9


class NoTracer(Exception):
    """This system lets nobody trace."""


@dataclass(frozen=True)
class Call:
    """One system call of a deed."""

    name: str
    number: int
    """Of the calls of that name since the tracer came, from 1."""
    rest: str
    """Its arguments and its answer, as strace shows them."""


@dataclass(frozen=True)
class Ended:
    """How a process ended that carried out a deed."""

    told: dict[str, Any]
    """What it said; empty when it was killed before that."""
    killed: bool


@dataclass(frozen=True)
class Found:
    """What is there of a novel."""

    document: str
    """Hash of its newest document; empty when there is no novel."""
    revisions: int
    receipts: int
    commits: int
    characters: int


class Forge:
    """A process with everything imported, which forks one for each deed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.novel.crashes.deeds"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=-1, stdout=-1, bufsize=0)

    def __enter__(self) -> Forge:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def run(self, folder: Path, deed: str, facts: Facts, trace: str, *inject: str) -> tuple[Ended, list[Call]]:
        """Carry a deed out in a process that is traced from where it begins, and give its calls."""
        self._tell(json.dumps({"folder": str(folder), "deed": deed, "facts": facts}) + "\n")
        ready = self._hear()
        if "ready" not in ready:
            raise AssertionError(ready["raised"])
        log = folder.with_suffix(".strace")
        command = ["strace", "-f", "-y", "-s", "80", "-o", str(log), "-e", f"trace={trace}"]
        for fault in inject:
            command += ["-e", f"inject={fault}"]
        with subprocess.Popen([*command, "-p", str(ready["ready"])], stderr=-1, text=True) as tracer:
            assert tracer.stderr is not None
            said = tracer.stderr.readline()
            self._tell("g")
            told: dict[str, Any] = {}
            while "ended" not in (heard := self._hear()):
                told = heard
            tracer.stderr.read()
        if "attached" not in said:
            raise NoTracer(said.strip())
        return Ended(told, heard["ended"] == _KILLED), list(_calls(log))

    def _tell(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the forge is gone")
        heard: dict[str, Any] = json.loads(line)
        return heard


def _calls(log: Path) -> Iterator[Call]:
    """The calls of a deed: from when it was let go until it tells what came of it, which is the last of them."""
    seen: Counter[str] = Counter()
    begun = False
    for line in log.read_text(errors="replace").splitlines():
        found = _CALL.match(line)
        if found is None:
            continue
        name, rest = found.groups()
        seen[name] += 1
        if begun:
            yield Call(name, seen[name], rest)
        begun = begun or (name == "read" and rest.startswith("0<"))


@dataclass
class Deed:
    """A deed, what there is before and after it, and the calls that it makes."""

    forge: Forge
    name: str
    folder: Path
    facts: Facts = field(init=False)
    old: Found = field(init=False)
    new: Found = field(init=False)
    receipt: Any = field(init=False)
    calls: list[Call] = field(init=False)
    """Those that touch the workspace, and the one that tells of the deed."""
    tries: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.facts = prepared(self.folder / "before", self.name)
        self.old = found(self.folder / "before", self.facts)
        folder = self.copied()
        ended, calls = self.forge.run(folder, self.name, self.facts, "%file,%desc")
        self.calls = [call for call in calls if f"{folder}/" in call.rest or call is calls[-1]]
        if "receipt" not in ended.told:
            raise AssertionError(ended.told)
        self.receipt = ended.told["receipt"]
        self.new = found(folder, self.facts)
        assert self.new.document != self.old.document
        assert self.calls, "the tracer saw nothing"

    def copied(self) -> Path:
        """A workspace as it was before."""
        self.tries += 1
        return Path(shutil.copytree(self.folder / "before", self.folder / f"try{self.tries:04}"))

    def kill(self, call: Call) -> bool:
        """Kill it as it enters a call, look, and try again; tells whether it had been done by then."""
        folder = self.copied()
        ended, _ = self.forge.run(
            folder, self.name, self.facts, f"{call.name},read", f"{call.name}:{KILL}:when={call.number}"
        )
        assert ended.killed, f"{call} did not come: {ended.told}"
        assert not ended.told
        return self._look(folder, call)

    def fail(self, call: Call) -> tuple[str, bool]:
        """Let a call fail; gives what the deed said, empty when it went through, and whether it had been done then."""
        folder = self.copied()
        ended, _ = self.forge.run(
            folder, self.name, self.facts, f"{call.name},read", f"{call.name}:{EIO}:when={call.number}"
        )
        assert not ended.killed
        assert "raised" not in ended.told, f"{call}: {ended.told['raised']}"
        done = self._look(folder, call)
        if "failed" in ended.told:
            return ended.told["failed"], done
        assert ended.told == {"receipt": self.receipt}, call
        assert done, f"{call}: it says that it is done"
        return "", done

    def _look(self, folder: Path, call: Call) -> bool:
        """Old or new, nothing else; and doing it again gives what doing it once does."""
        now = found(folder, self.facts)
        assert now in {self.old, self.new}, f"{call}: {now} is neither {self.old} nor {self.new}"
        assert carried_out(folder, self.name, self.facts) == self.receipt, call
        assert found(folder, self.facts) == self.new, call
        shutil.rmtree(folder)
        return now == self.new


def found(folder: Path, facts: Facts) -> Found:
    """What is there, after looking at all of it."""
    with open_workspace(folder, clock=SteppingClock(start=1_900_000_000_000)) as ws:
        report = ws.verify()
        assert report.clean, report.problems
        with ws.journal.read() as connection:
            receipts = connection.exec_driver_sql("SELECT count(*) FROM receipts").scalar_one()
            revisions = connection.exec_driver_sql("SELECT count(*) FROM revisions").scalar_one()
        known = ws.novel_service.novels()
        if not known:
            return Found("", revisions, receipts, 0, 0)
        moment = ws.novel_service.head(known[0].id)
        novel = moment.novel
        ws.novel_service.require_sound(novel)
        written = [ws.novel_service.paragraphs(novel, name) for name in novel.commits]
        assert len(written) == novel.head.commits
        return Found(moment.stored.document.hex(), revisions, receipts, novel.head.commits, novel.head.characters)
