"""A chapter's words as one text: written out, and read back."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lantern_kit.cli.chapter import ComicOption, OneChapter, called, chosen, one
from lantern_kit.cli.place import Place, WorkspaceOption, opened
from lantern_kit.cli.screen import Screen, done, following, note, say
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, MergeConflict

if TYPE_CHECKING:
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.workspace import Workspace

Forms = Literal["markdown", "fountain"]
SHOWN = 100
"""Characters of a line of the script that an error shows."""


class _Leave(Exception):
    """What was worked out is not kept."""


def script(
    words: OneChapter = None,
    *,
    form: Annotated[
        Forms | None,
        typer.Option(help="Markdown, or Fountain as screenwriters use it.", show_default="by the file's name"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write it there; a file that is no script read out of this chapter is not replaced.",
            show_default="shown here",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="With --out: replace whatever file is there.")] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Bring the chapter into step with this script; - is standard input.",
            show_default=False,
        ),
    ] = None,
    message: Annotated[str, typer.Option("--message", "-m", metavar="WORDS", help="Why, for the history.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --from: say what would change, and change nothing.")
    ] = False,
    folder: WorkspaceOption = None,
    comic: ComicOption = None,
) -> None:
    """Write a chapter's words as one text, or bring the chapter into step with such a text.

    Lines are told apart by the ids beside them. What has none, and is not there yet, is new: pages are laid out and
    lettered. Pages that the text does not name stay as they are.

    Example: lantern script chelsea 1 --from my-script.md

    Read out, to be edited:  lantern script chelsea 1 --out chelsea-read.md
    """
    place, name = one(words, folder)
    if source is None and dry_run:
        raise typer.BadParameter(tr("--dry-run goes with --from"))
    if force and out is None:
        raise typer.BadParameter(tr("--force goes with --out"))
    if source is not None and out is not None:
        raise typer.BadParameter(tr("give --from or --out, not both"))
    with opened(place) as found:
        chapter = chosen(found, name, comic, place, "script")
        if source is not None:
            _read(found, chapter, source, form, message, place, dry=dry_run)
        else:
            _write(chapter, out, form, force=force)


def _write(chapter: ChapterWork, out: Path | None, form: Forms | None, *, force: bool) -> None:
    from lantern_kit.comic.work.script import form_of, is_written

    target = None if out is None else out.expanduser()
    text = chapter.script(form_of(target or Path(), form))
    if target is None:
        if Screen().is_terminal:
            say(text.rstrip("\n"))
        else:
            sys.stdout.write(text)  # as it is, for a file or another program
        return
    if target.is_file() and not force and not is_written(target, chapter.book.chapter.id):
        raise BadInput(
            tr("{name} is there already, and is no script that was read out of this chapter", name=target.name),
            expected=tr("a new name, or a file whose last line says that it was read out of this chapter"),
            recovery=tr("Give another name to --out, or --force to replace that file; it was left as it is."),
        )
    before = f" ({tr('an older file of that name was replaced')})" if target.exists() else ""
    text.save(target)
    done(tr("Wrote the script of {title} to {path}", title=chapter.title, path=target) + before)


def _read(
    found: Workspace,
    chapter: ChapterWork,
    source: Path,
    form: Forms | None,
    message: str,
    place: Place,
    *,
    dry: bool,
) -> None:
    from lantern_kit.comic.work.script import as_counted, decoded, form_of, read_text

    piped = str(source) == "-"
    text = decoded(sys.stdin.buffer.read()) if piped else read_text(source.expanduser())
    notes: list[str] = []
    edit = chapter.edit(message or f"script: {'standard input' if piped else source.name}")
    before = chapter.book
    changed, seen = False, chapter.moment.id
    try:
        with edit:
            before = edit.book
            told = edit.write_script(text, form=form_of(source, form))
            notes = [as_counted(note, edit.book, before) for note in told]
            changed = edit.book != before
            if dry:
                raise _Leave
    except _Leave:
        pass
    except BadInput as error:
        raise _with_line(error, text) from None
    except MergeConflict as error:
        for item in error.details["conflicts"]:
            item["object"] = as_counted(item["object"], before)
        error.ids = ()
        raise
    if not changed:
        done(tr("The chapter says what the script says already; nothing was changed."))
    elif dry:
        say(tr("This would change in {title}:", title=chapter.title))
    else:
        done(tr("Brought {title} into step at {revision}:", title=chapter.title, revision=edit.revision))
    for line in notes:
        say(f"  · {line}")
    if not changed:
        return
    if dry:
        note(tr("Nothing was changed."))
    else:
        (number,) = called(found, found.comics.find_chapter(chapter.id))
        following(
            (place.command("check", number), tr("see what is to be mended")),
            (place.command("history", number), tr("see what happened")),
            (place.command("restore", number, seen), tr("take it back")),
        )


def _with_line(error: BadInput, text: str) -> BadInput:
    """The error with the line of the person's own file that it is about."""
    number = error.details.get("line")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if isinstance(number, int) and 0 < number <= len(lines):
        error.found = lines[number - 1].strip()[:SHOWN]
    return error
