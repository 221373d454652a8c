"""The operation that writes a chapter's words from a script."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Word
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.script import MOST_TEXT, Form, read_script


class ScriptWrite(Args):
    """A script, or the part of one that names the units to change."""

    text: Annotated[
        Word, Field(max_length=MOST_TEXT, description="## Page 1, ### Panel 1, MIRA: words; see guide script")
    ]
    form: Form = Form.MARKDOWN

    def named(self) -> tuple[str, ...]:
        """Every id in the text."""
        found: list[str] = []
        for sheet in read_script(self.text, self.form).sheets:
            found.append(sheet.id)
            for panel in sheet.panels:
                found += [panel.id, *(line.id for line in panel.lines)]
        return tuple(name for name in found if name)


@OPERATIONS.operation("script.write", target=("chapter",), args=ScriptWrite, order=("chapter",))
def script_write(book: Book, target: Target, args: ScriptWrite, ctx: EditContext) -> Outcome:
    """Bring pages into step with a script: what has an id is kept and changed, what has none is made and lettered."""
    from lantern_kit.comic.script.applying import write  # it is built of the operations beside this one

    return write(book, read_script(args.text, args.form), ctx)
