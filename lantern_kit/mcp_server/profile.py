"""What a profile is: tools, resources, texts and prompts for one kind of document, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from lantern_kit.skills import Skill


class Shape(StrEnum):
    """How a tool answers."""

    DATA = "data"
    """Structured content with an output schema, and the same as compact JSON text."""
    TEXT = "text"
    """Text to read, or compact JSON; no output schema, so that no host shows the one for the other."""
    PICTURE = "picture"
    """One short JSON text and one picture; no output schema, because hosts then drop the picture."""


@dataclass(frozen=True)
class Tool:
    """One tool."""

    name: str
    title: str
    description: str
    capability: str = ""
    """The capability it calls; empty where ``actions`` choose."""
    actions: dict[str, str] = field(default_factory=dict)
    """Values of the argument ``action`` and the capabilities that they call."""
    shape: Shape = Shape.DATA
    next_tool: dict[str, str] = field(default_factory=dict)
    """What to call after an error of this tool, by its code, where that is not the profile's."""
    opens: bool = False
    """Whether its answers say how a person opens a proposal."""

    @property
    def capabilities(self) -> tuple[str, ...]:
        """All that it can call."""
        return tuple(self.actions.values()) if self.actions else (self.capability,)


@dataclass(frozen=True)
class Resource:
    """Bytes too large for a tool's answer, read by address."""

    template: str
    """Its parts in braces are the capability's arguments."""
    title: str
    description: str
    capability: str


@dataclass(frozen=True)
class Text:
    """A text that comes with the kit: listed among the resources, and read by its own address."""

    uri: str
    name: str
    title: str
    description: str
    read: Callable[[], str]
    media: str = "text/markdown"


@dataclass(frozen=True)
class Argument:
    """What a prompt may be given."""

    name: str
    description: str
    required: bool = False


@dataclass(frozen=True)
class Prompt:
    """Words with which a person starts a piece of work."""

    name: str
    title: str
    description: str
    words: Callable[[Mapping[str, str]], str]
    """The words, given the arguments by name; every required one is there, and none that is not the prompt's."""
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True)
class Profile:
    """A set of tools for one kind of document."""

    name: str
    title: str
    instructions: str
    tools: tuple[Tool, ...]
    resources: tuple[Resource, ...]
    next_tool: dict[str, str]
    """What to call after an error, by its code; any fault of an operation counts as ``unknown_operation``."""
    reads_only: str = ""
    """What a server that lets nobody write says first; empty: as for comics."""
    listing: str = ""
    """The capability that lists what can be read by address, page by page; empty where nothing is listed."""
    texts: Callable[[], tuple[Text, ...]] = lambda: ()
    """Asked for once, when the server begins."""
    prompts: Callable[[], tuple[Prompt, ...]] = lambda: ()
    """The same."""
    skills: Callable[[], tuple[Skill, ...]] = lambda: ()
    """The same: those whose files are among the texts, for clients that know skills."""
