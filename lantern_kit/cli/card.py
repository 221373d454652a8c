"""Character cards and lorebooks: what a file holds, and the same in another form."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lantern_kit.cli.guard import REFUSED, explained, refuse
from lantern_kit.cli.screen import done, note, say
from lantern_kit.cli.words import aside, counted, tr
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lantern_kit.cards import Book, Card, Notice, Written

Forms = Literal["json", "png", "charx", "v2", "v3", "sillytavern", "novelai", "risu", "agnai"]
SHOWN = 20
"""Notices, losses, entries and files of each kind that are listed."""
LINE = 100
"""Characters of one line of what a card says."""


def card(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="Cards or lorebooks: PNG, JSON or CHARX.", show_default=False)
    ],
    *,
    form: Annotated[
        Forms | None,
        typer.Option(
            "--to",
            help="Write it in this form: json, png or charx for a card; the rest for a book, or the book in a card.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to.", show_default=False)] = None,
    picture: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --to png or charx: the picture to put it into.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="With --out: replace whatever file is there.")] = False,
) -> None:
    """Show what a character card or a lorebook holds, or write it in another form.

    A card in its own form keeps every byte; what another form cannot hold is told.

    Of several files each is shown; those that cannot be read are named at the end.

    Example: lantern card mira.png

    As another file:  lantern card mira.png --to charx --out mira.charx
    """
    from lantern_kit.cards import BookForm, Card, read_any

    if (form is None) is not (out is None):
        raise typer.BadParameter(tr("--to and --out go together"))
    if picture is not None and form not in {"png", "charx"}:
        raise typer.BadParameter(tr("--picture goes with --to png or --to charx"))
    if form is None or out is None:
        _show(files)
        return
    if len(files) > 1:
        raise typer.BadParameter(tr("--to writes one file at a time"))
    (file,) = files
    found = read_any(_bytes(file), file.name)
    made = _written(found, form, picture)
    target = out.expanduser()
    if target.exists() and not force:
        raise BadInput(
            tr("{name} is there already", name=target.name),
            expected=tr("a new name"),
            recovery=tr("Give another name to --out, or --force to replace that file; it was left as it is."),
        )
    with replacing(target) as stream:
        stream.write(made.data)
    name = found.name or file.name
    if isinstance(found, Card) and form in set(BookForm):
        done(tr("Wrote the book in {name} to {path}", name=name, path=target))
    else:
        done(tr("Wrote {name} to {path}", name=name, path=target))
    _list(tr("What the format cannot hold:"), made.losses)


def _show(files: list[Path]) -> None:
    """Show each file; of several, go on after one that cannot be read, and end with 1."""
    from lantern_kit.cards import Card, read_any

    failed = []
    for file in files:
        if len(files) > 1:
            say(f"{file}{tr(':')}", style="bold")
        try:
            found = read_any(_bytes(file), file.name)
        except (BadInput, OSError) as error:
            known = explained(error)
            if len(files) == 1 or known is None:
                raise
            refuse(known)
            failed.append(str(file))
        else:
            _show_card(found) if isinstance(found, Card) else _show_book(found)
            _list(tr("Notices:"), found.notices)
        if len(files) > 1:
            say()
    if failed:
        note(tr("Could not be read: {files}", files=tr(", ").join(failed)), style="bold red")
        raise typer.Exit(REFUSED)


def _bytes(file: Path) -> bytes:
    from lantern_kit.cards.errors import CardTooLarge
    from lantern_kit.cards.limits import FILE

    path = file.expanduser()
    if path.stat().st_size > FILE:
        raise CardTooLarge("the file is too large", expected=f"at most {FILE:,} bytes", found=path.name)
    return path.read_bytes()


def _written(found: Card | Book, form: Forms, picture: Path | None) -> Written:
    from lantern_kit.cards import Book, BookForm, CardForm, write_book, write_card
    from lantern_kit.cards.errors import CardUnwritable

    if isinstance(found, Book):
        return write_book(found, form)
    if form in set(BookForm):
        if found.book is None:
            raise CardUnwritable(tr("there is no book in this card"), expected=list(CardForm), found=form)
        return write_book(found.book, form)
    return write_card(found, form, picture=None if picture is None else _bytes(picture))


def _show_card(found: Card) -> None:
    from lantern_kit.cards import assets

    say(found.name + (aside(found.nickname) if found.nickname else ""))
    version = f" {found.spec_version}" if found.spec_version else ""
    say(tr("A card, {spec}{version}, in {form}", spec=found.spec.upper(), version=version, form=found.form.upper()))
    _facts(
        (
            (tr("creator"), found.creator),
            (tr("version"), found.character_version),
            (tr("tags"), tr(", ").join(found.tags)),
            (tr("description"), found.description),
            (tr("personality"), found.personality),
            (tr("scenario"), found.scenario),
            (tr("first message"), found.first_mes),
            (tr("other greetings"), str(len(found.alternate_greetings) or "")),
            (tr("creator's notes"), found.creator_notes),
            (tr("characters"), f"{found.characters:,}"),
            ("SHA-256", found.digest),
        )
    )
    if found.system_prompt or found.post_history_instructions:
        say(f"  {tr('It holds instructions for a model: they are data here, and nobody follows them.')}")
    files = assets(found)
    _lines(tr("Files inside:"), [one.name + aside(f"{one.size:,}") for one in files])
    if found.book is not None:
        say("")
        _show_book(found.book)


def _show_book(found: Book) -> None:
    say(found.name or tr("A lorebook without a name"))
    entries = counted(len(found.entries), "{count} entry", many="{count} entries")
    say(tr("A lorebook, {form}, {entries}", form=found.form, entries=entries))
    _facts(
        (
            (tr("description"), found.description),
            (tr("characters"), f"{found.characters:,}"),
            ("SHA-256", found.digest),
        )
    )
    rows = []
    for entry in found.entries:
        marks = [tr("off")] if not entry.enabled else [tr("always")] if entry.constant else []
        keys = tr(", ").join(entry.keys) or "–"
        rows.append(_line(" · ".join([f"{entry.id}{tr(': ')}{entry.title}", keys, *marks])))
    _lines(tr("Entries:"), rows)


def _facts(rows: Iterable[tuple[str, str]]) -> None:
    for name, value in rows:
        if value:
            say(f"  {name}{tr(': ')}{_line(value)}")


def _list(title: str, notices: tuple[Notice, ...]) -> None:
    _lines(title, [" · ".join(filter(None, (one.where, f"{one.message} [{one.code}]"))) for one in notices])


def _lines(title: str, lines: list[str]) -> None:
    if not lines:
        return
    say(title)
    for line in lines[:SHOWN]:
        say(f"  · {line}")
    if len(lines) > SHOWN:
        say(f"  {tr('… and {count} more', count=len(lines) - SHOWN)}")


def _line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LINE else f"{flat[: LINE - 1]}…"
