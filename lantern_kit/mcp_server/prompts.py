"""Prompts: words with which a person starts a piece of work, filled in with what they gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp.types import GetPromptResult, PromptArgument, PromptMessage, TextContent
from mcp.types import Prompt as Listed

from lantern_kit.kernel.errors import BadInput, NotFound, UnknownKey, nearest
from lantern_kit.mcp_server.profile import Prompt


def listed_prompts(prompts: Sequence[Prompt]) -> list[Listed]:
    """Prompts as clients list them."""
    return [
        Listed(
            name=item.name,
            title=item.title,
            description=item.description,
            arguments=[
                PromptArgument(name=argument.name, description=argument.description, required=argument.required)
                for argument in item.arguments
            ],
        )
        for item in prompts
    ]


def filled(prompts: Sequence[Prompt], name: str, given: Mapping[str, str]) -> GetPromptResult:
    """A prompt with its arguments. Raises NotFound, UnknownKey, BadInput for one that is missing."""
    known = {item.name: item for item in prompts}
    prompt = known.get(name)
    if prompt is None:
        close = nearest(name, known)
        raise NotFound(
            f"{name[:60]} is not a prompt here",
            expected=sorted(known),
            recovery=f"nearest: {', '.join(close)}" if close else "List the prompts.",
        )
    names = [argument.name for argument in prompt.arguments]
    for key in given:
        if key not in names:
            close = nearest(key, names)
            raise UnknownKey(
                f"{key[:60]} is not an argument of {name}",
                expected=names,
                recovery=f"nearest: {close[0]}" if close else None,
            )
    for argument in prompt.arguments:
        if argument.required and not given.get(argument.name, "").strip():
            raise BadInput(f"{name} needs {argument.name}: {argument.description}", expected=names)
    words = prompt.words(given)
    return GetPromptResult(
        description=prompt.description, messages=[PromptMessage(role="user", content=TextContent(text=words))]
    )
