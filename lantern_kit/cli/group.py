"""How commands are grouped and spoken of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperGroup

from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import nearest


class Spoken(TyperCommand):
    """A command whose usage line says its words as people type them."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the usage line after the command's name."""
        arguments = [item for item in self.get_params(ctx) if isinstance(item, TyperArgument)]
        return [*(item.metavar or str(item.name).upper() for item in arguments), "[OPTIONS]"]


class Listing(TyperGroup):
    """A group that lists when no command of it is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``list`` before words that name no command; one that only misspells a command is told the nearest."""
        if args and not args[0].startswith("-") and args[0] not in self.commands and not Path(args[0]).exists():
            close = nearest(args[0], list(self.commands))
            if close:
                ctx.fail(tr("no such command: {name}; nearest: {close}", name=args[0], close=", ".join(close)))
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = ["list", *args]
        return super().parse_args(ctx, args)
