"""Every error the kit raises on purpose, one class per situation somebody can recover from.

LanternError
├── BadInput                 an argument is wrong, whatever the state of the work
│   ├── UnknownKey           a key that no model has (names the nearest)
│   ├── UnknownOperation     an operation name that is not registered (names the nearest)
│   ├── WrongTarget          the target is of a kind the operation does not apply to
│   └── BadPicture           bytes that cannot be used as a picture
├── NotFound                 an id that names nothing here
├── StaleHead                the line moved on since ``expected_revision``
├── StaleHandle              the object changed since its handle was read
├── StaleEntry               an entry of the library has a newer version than the one that was seen (says what changed)
├── StaleCandidate           what a candidate is about changed since it was proposed (names all of it)
├── IdempotencyConflict      one key, two different requests
├── InvalidDocument          an edit would leave the document broken (carries findings)
├── NotAllowed               the caller may not do this (person-only, scope, missing key)
├── OutOfScope               the edit goes past what its draft was opened for (carries the contract)
├── Locked                   a person locked what the edit would change (says who, and why)
├── PathRefused              a path outside the allowed roots
├── WrongState               a draft, proposal or lease is not in the state this needs
├── MergeConflict            both sides changed the same thing (carries the conflicts)
├── Busy                     the workspace could not be locked in time
├── TooFast                  one client asks for more than its share (says how long to wait)
├── Stopped                  a person stopped a long action
├── Unfinished               the result of a job was wanted before there was one
├── Unexpected               an error that is none of these ended a job
├── WorkspaceProblem         the folder cannot be opened as a workspace
│   └── NewerWorkspace       it was written by a newer Lantern Kit
├── Corrupt                  stored bytes do not match their hash
└── MissingDependency        a system library or an extra is not installed

Faces (command line, MCP, widgets) translate these; nothing else invents an error shape.
"""

from __future__ import annotations

import difflib
import linecache
import re
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, ClassVar

_MAGIC = re.compile(r"get_ipython\(\)\.run_(?:line|cell)_magic\(")
LONGEST = 400
"""Characters of one part of an error that are printed on its one line."""


class LanternError(Exception):
    """Base of every deliberate error.

    Args:
        message: one sentence that says what is wrong.
        expected: what would have been right, if it can be said.
        found: what was there instead (never a secret, a prompt or a local path).
        ids: the objects, lines or revisions concerned.
        recovery: what to do next, in one sentence.
        details: further plain data for machines (JSON-able).
    """

    code: ClassVar[str] = "lantern_error"
    retryable: ClassVar[bool] = False
    default_recovery: ClassVar[str] = ""

    def __init__(
        self,
        message: str,
        *,
        expected: Any = None,
        found: Any = None,
        ids: Iterable[str] = (),
        recovery: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.found = found
        self.ids = tuple(ids)
        self.recovery = self.default_recovery if recovery is None else recovery
        self.details: dict[str, Any] = dict(details or {})

    @property
    def wanted(self) -> str:
        """What was expected, as people read it; nothing where the message says it already."""
        words = in_words(self.expected)
        return "" if words in self.message else words

    def __str__(self) -> str:
        """The error on one line: what is wrong, what was expected, and what to do."""
        parts = {"expected": self.wanted, "found": in_words(self.found)}
        told = [f"{name}: {_clipped(words)}" for name, words in parts.items() if words]
        return " · ".join([self.message, *told, *([self.recovery] if self.recovery else [])])

    def _render_traceback_(self) -> list[str]:
        """The error as a notebook shows it, instead of a traceback through the kit: lines of text."""
        rows = {
            "expected": _clipped(self.wanted),
            "found": _clipped(in_words(self.found)),
            "about": ", ".join(self.ids),
            "what to do": self.recovery,
        }
        lines = [f"{type(self).__name__} [{self.code}]: {self.message}"]
        lines += [f"  {name}: {words}" for name, words in rows.items() if words]
        return [*lines, *_cell_lines(self.__traceback__)]

    def payload(self) -> dict[str, Any]:
        """The error as plain data, with empty parts left out."""
        body: dict[str, Any] = {"code": self.code, "message": self.message, "retryable": self.retryable}
        if self.expected is not None:
            body["expected"] = self.expected
        if self.found is not None:
            body["found"] = self.found
        if self.ids:
            body["ids"] = list(self.ids)
        if self.recovery:
            body["recovery"] = self.recovery
        body.update(self.details)
        return body


class BadInput(LanternError):
    """An argument is wrong, whatever the state of the work."""

    code = "bad_input"
    default_recovery = "Correct the argument named here and call again."


class UnknownKey(BadInput):
    """A key that the model does not have."""

    code = "unknown_key"


class UnknownOperation(BadInput):
    """An operation name that is not registered."""

    code = "unknown_operation"


class WrongTarget(BadInput):
    """The target is of a kind that the operation does not apply to."""

    code = "wrong_target"


class BadPicture(BadInput):
    """Bytes that cannot be used as a picture."""

    code = "bad_picture"


class NotFound(LanternError):
    """An id that names nothing here."""

    code = "not_found"
    default_recovery = "Read the outline again and use an id it lists."


class StaleHead(LanternError):
    """The line moved on since the revision the caller expected."""

    code = "stale_head"
    retryable = True
    default_recovery = "Look at what changed, then call again with the current revision."


class StaleHandle(LanternError):
    """The object changed since its handle was read."""

    code = "stale_handle"
    retryable = True
    default_recovery = "Read the object again, then call again with its current handle."


class StaleEntry(LanternError):
    """An entry of the library has a newer version than the caller saw; ``details`` say what changed since."""

    code = "stale_entry"
    retryable = True
    default_recovery = "Read the entry as it is now, then change that version."


class StaleCandidate(LanternError):
    """What a candidate is about changed since it was proposed; ``details['moved']`` names all of it."""

    code = "stale_candidate"
    default_recovery = "Read the draft as it stands, propose it anew on that, and drop the stale one."


class IdempotencyConflict(LanternError):
    """The key was used before, with another request."""

    code = "idempotency_conflict"
    default_recovery = "Use a new idempotency key for a new request; reuse a key only to retry the same one."


class InvalidDocument(LanternError):
    """The edit would leave the document broken; ``details['findings']`` says where."""

    code = "invalid_document"
    default_recovery = "Mend what the findings name and send the whole change again; nothing was written."


class NotAllowed(LanternError):
    """The caller may not do this."""

    code = "not_allowed"


class OutOfScope(LanternError):
    """The edit goes past what its draft was opened for; ``details['contract']`` says what that is."""

    code = "out_of_scope"
    default_recovery = "Leave out what the contract does not cover, or begin a draft that is opened for it."


class Locked(LanternError):
    """A person locked what the edit would change; ``details['locks']`` says who, and why."""

    code = "locked"
    default_recovery = "Leave it as it is; only a person can unlock it, so ask for that if the task needs it."


class PathRefused(LanternError):
    """The path lies outside the allowed roots, or a link leads out of them."""

    code = "path_refused"
    default_recovery = "Put the file under an allowed root and name it there."


class WrongState(LanternError):
    """A draft, proposal or lease is not in the state this needs."""

    code = "wrong_state"


class MergeConflict(LanternError):
    """Both sides changed the same thing; ``details['conflicts']`` lists them."""

    code = "merge_conflict"
    default_recovery = "Choose merge, which keeps ours and stores each conflict for later, or overwrite."


class Busy(LanternError):
    """The workspace could not be locked in time."""

    code = "busy"
    retryable = True
    default_recovery = "Another process is writing; call again with the same key."


class TooFast(LanternError):
    """One client asks for more than its share; ``details['retry_after']`` is how many seconds to wait."""

    code = "too_fast"
    retryable = True


class Stopped(LanternError):
    """A person stopped a long action; nothing half written is left."""

    code = "stopped"
    default_recovery = "Call it again when you want it done; nothing half written was left behind."


class Unfinished(LanternError):
    """The result of a job was wanted before there was one."""

    code = "unfinished"
    retryable = True


class Unexpected(LanternError):
    """An error that is none of the kit's ended a job; ``__cause__`` is that error."""

    code = "unexpected"


class WorkspaceProblem(LanternError):
    """The folder cannot be opened as a workspace."""

    code = "workspace_problem"


class NewerWorkspace(WorkspaceProblem):
    """The workspace was written by a newer Lantern Kit."""

    code = "newer_workspace"
    default_recovery = "Upgrade lantern-kit, then open it again; nothing was changed."


class Corrupt(LanternError):
    """Stored bytes do not match the hash that names them."""

    code = "corrupt"
    default_recovery = "Run lantern verify to see everything that is damaged, then restore those files from a backup."


class MissingDependency(LanternError):
    """A system library or an optional package is not installed."""

    code = "missing_dependency"


def nearest(word: str, known: Iterable[str], count: int = 2) -> list[str]:
    """The closest known words to a misspelt one, best first, possibly empty."""
    return difflib.get_close_matches(word[:LONGEST], list(known), n=count, cutoff=0.5)


def in_words(value: object) -> str:
    """What was expected or found, as people read it; nothing for None."""
    if value is None or value == "":
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return ", ".join(map(str, value))
    return str(value)


def _clipped(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"


def _cell_lines(at: TracebackType | None) -> list[str]:
    """The lines of a notebook's cells that led to an error, the last one last."""
    lines = []
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        if "ipykernel_" in file or file.startswith("<ipython-input"):
            line = linecache.getline(file, at.tb_lineno).strip()
            if not _MAGIC.search(line):  # what a magic word was turned into says nothing to who wrote it
                lines.append(f"  line {at.tb_lineno} of the cell: {line}")
        at = at.tb_next
    return lines
