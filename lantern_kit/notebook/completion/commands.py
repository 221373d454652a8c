"""What completes ``%lantern``: its commands, their options, and the ids of the workspace that is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit.notebook.command import ELSEWHERE
from lantern_kit.notebook.completion import ids
from lantern_kit.notebook.completion.suggestion import Offer, Suggestion, chosen

if TYPE_CHECKING:
    from lantern_kit.notebook.desk import Desk
    from lantern_kit.workspace import Workspace

_LAST = re.compile(r"\S*$")
_OPERAND = re.compile(r"[A-Z]+")
_REVISION = re.compile(r"r\d+")


def _all(known: Callable[[Workspace], list[str]]) -> Callable[[Workspace, str], list[str]]:
    return lambda workspace, _: known(workspace)


_KINDS: dict[str, tuple[str, Callable[[Workspace, str], Iterable[str]]]] = {
    "PROPOSAL": ("proposal", _all(ids.proposals)),
    "CONFLICT": ("conflict", _all(ids.conflicts)),
    "CANDIDATE": ("candidate", _all(ids.candidates)),
    "ENTRY": ("entry", _all(ids.entries)),
    "CHAPTER": ("chapter", _all(ids.chapters)),
    "REVISION": ("revision", _all(ids.revisions)),
    "ANNOTATION": ("annotation", _all(ids.notes)),
    "KEY": ("key", _all(ids.keys)),
    "THING": ("object", ids.things),
    "VERDICT": ("verdict", _all(ids.verdicts)),
    "EVENT": ("event", _all(ids.events)),
    "NAME": ("actor", _all(ids.actors)),
    "CAUSE": ("cause", _all(ids.causes)),
    "ID": ("object", ids.things),
}
"""What stands in the place of a word of a usage line."""


def complete_command(desk: Desk, typed: str) -> Offer:
    """What may come next in a command.

    Args:
        typed: what stands after ``%lantern``, up to the cursor.
    """
    last = _LAST.search(typed)
    piece = "" if last is None else last[0]
    words = typed[: len(typed) - len(piece)].split()
    if words[:1] == ["use"]:
        return Offer(piece, [] if len(words) > 1 else _workspaces(desk, piece))
    from typer.main import get_command

    from lantern_kit.cli.app import app

    command, rest = _walked(get_command(app), words)
    found = _options(command, piece) if piece.startswith("-") else []
    if not found:
        option = _awaiting(command, rest)
        if option is not None:
            found = _values(desk, option, piece)
        elif not piece.startswith("-"):
            found = _commands(command, piece, top=not words) if hasattr(command, "commands") else []
            found += _operands(desk, command, rest, piece)
    return Offer(piece, found)


def _walked(command: Any, words: list[str]) -> tuple[Any, list[str]]:
    """The command that some words lead to, and the words after its name."""
    for place, word in enumerate(words):
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            if word.startswith("-"):
                continue
            break
        command, words = inner, words[place + 1 :]
        return _walked(command, words)
    return command, words


def _commands(command: Any, piece: str, *, top: bool) -> list[Suggestion]:
    names = [name for name in command.commands if not top or name not in ELSEWHERE]
    return chosen(piece, "command", [*names, "use"] if top else names)


def _options(command: Any, piece: str) -> list[Suggestion]:
    names = [name for item in command.params if _is_option(item) for name in (*item.opts, *item.secondary_opts)]
    return chosen(piece, "option", [*(name for name in names if name.startswith("--")), "--help"])


def _is_option(parameter: Any) -> bool:
    return getattr(parameter, "param_type_name", "") == "option"


def _awaiting(command: Any, words: list[str]) -> Any:
    """The option whose value comes next; None where none does."""
    if not words or not words[-1].startswith("-"):
        return None
    for item in command.params:
        if _is_option(item) and words[-1] in (*item.opts, *item.secondary_opts):
            return None if item.is_flag or item.count else item
    return None


def _values(desk: Desk, option: Any, piece: str) -> list[Suggestion]:
    choices = getattr(option.type_descriptor, "choices", None)
    if choices:
        return chosen(piece, "choice", map(str, choices))
    metavar = option.metavar or ""
    return _named(desk, metavar, piece)


def _operands(desk: Desk, command: Any, words: list[str], piece: str) -> list[Suggestion]:
    """Ids that a command takes, those that it was given left out."""
    metavar = next((item.metavar or "" for item in command.params if not _is_option(item)), "")
    if hasattr(command, "commands"):  # a group lists where no command is named, of a chapter if at all
        metavar = ""
    if "REVISION" in metavar:  # the things of a pick come after its revision
        metavar = "THING" if any(_REVISION.fullmatch(word) for word in words) else "REVISION"
    return [item for item in _named(desk, metavar, piece) if item.text not in words]


def _named(desk: Desk, metavar: str, piece: str) -> list[Suggestion]:
    found: list[Suggestion] = []
    for word in _OPERAND.findall(metavar.partition("@")[0]):
        kind, known = _KINDS.get(word, ("", None))
        if known is not None:
            workspace = desk.find()
            if workspace is not None:
                found += chosen(piece, kind, known(workspace, piece))
    return found


def _workspaces(desk: Desk, piece: str) -> list[Suggestion]:
    """The notebook's variables that hold a workspace, and the folders here that are one."""
    here = (path.parent.name for path in sorted(Path.cwd().glob("*/journal.sqlite")))
    return chosen(piece, "variable", desk.names()) + chosen(piece, "folder", here)
