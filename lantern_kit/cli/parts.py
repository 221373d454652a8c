"""Parts of a proposal at the shell: listing them, and naming those that must not come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.cli.screen import say
from lantern_kit.cli.words import tr

if TYPE_CHECKING:
    from lantern_kit.comic.choices import Told
    from lantern_kit.comic.work.proposal import ProposalWork

Reject = Annotated[
    list[str] | None,
    typer.Option(
        "--reject",
        metavar='ID="WHY"',
        help="A part, object or page that must not come, and why; may be given again. See show --parts.",
    ),
]
Parts = Annotated[bool, typer.Option("--parts", help="What can be taken or left by itself, one line a part.")]


def rejections(given: list[str] | None) -> dict[str, str]:
    """Reasons by id, from ``ID=reason`` or ``ID``. Raises a usage error for what names nothing, or one thing twice."""
    found: dict[str, str] = {}
    for words in given or ():
        name, _, reason = words.partition("=")
        name = name.strip()
        if not name:
            raise typer.BadParameter(tr('--reject is followed by ID="why", not by {found}', found=words or "''"))
        if name in found:
            raise typer.BadParameter(tr("--reject names {name} twice", name=name))
        found[name] = reason.strip()
    return found


def options(reject: Mapping[str, str]) -> list[str]:
    """The same rejections as words of a command."""
    return [word for name, reason in reject.items() for word in ("--reject", f"{name}={reason}" if reason else name)]


def without(count: int | None) -> str:
    """What is added to a verdict that left parts out; None where its choices cannot be read."""
    if count is None:
        return f" ({tr('with choices that cannot be read')})"
    return f" ({tr('parts left out: {count}', count=count)})" if count else ""


def say_parts(proposal: ProposalWork) -> None:
    """List all parts, each with its page, its words and what it needs."""
    say()
    say(tr("Parts"), style="bold")
    _lines(proposal.parts())


def say_left_out(proposal: ProposalWork, reject: Mapping[str, str]) -> tuple[int, int]:
    """List what would not come; how many parts that are, and of how many. Raises NotFound, BadInput."""
    table = proposal.without(reject)
    say(tr("Left out"), style="bold")
    _lines(table)
    say()
    return len(table), len(proposal.review.parts)


def _lines(told: Iterable[Told]) -> None:
    for item in told:
        say(f"  {item.part.id}  {f'{item.title} · ' if item.title else ''}{item.words}")
        if item.part.needs and not item.because:
            say(f"      {tr('only with {parts}', parts=', '.join(item.part.needs))}")
        if item.because:
            say(f"      {tr('goes with {part}', part=item.because)}")
        if item.reason:
            say(f"      {tr('rejected: {reason}', reason=item.reason)}")
