"""The keys that decide: let in, see, change, replace, revoke. Passphrases are typed at a terminal only."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lantern_kit.asking import user
from lantern_kit.cli import person
from lantern_kit.cli.group import Listing, Spoken
from lantern_kit.cli.place import WorkspaceArgument, WorkspaceOption, find, opened, split
from lantern_kit.cli.screen import done, following, note, say, table
from lantern_kit.cli.words import tr
from lantern_kit.home import config_folder
from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.files import write_text

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

keys = typer.Typer(
    name="keys", cls=Listing, help="See, replace and revoke the keys that decide: keys [WORKSPACE] lists them."
)
Who = Annotated[
    str | None, typer.Option("--reviewer", metavar="NAME", help="Whose key is meant.", show_default="the newest here")
]


def enrol(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    name: Annotated[str | None, typer.Option(help="The reviewer's name.", show_default="asked")] = None,
    offer: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Let in a key made on another machine, by its offer.", show_default=False),
    ] = None,
) -> None:
    """Make a key for a person who decides on proposals here.

    The private half stays in your configuration folder, protected by a passphrase that is typed at a terminal.
    The first key is trusted because it is first; each later one is let in by the signature of one that may decide.
    It shows who decided on an honest machine; it cannot stop a program that runs as you and knows the passphrase.

    Example: lantern enrol chelsea --name Ann
    """
    place = find(workspace, folder)
    person.require(tr("choosing a passphrase"), tr("Run lantern enrol in a terminal."))
    with opened(place) as found:
        known = found.reviewers()
        if known:
            note(tr("May decide here already: {names}", names=", ".join(item.label for item in known)))
        if offer is not None:
            _enrol_offer(found, offer)
        else:
            chosen = person.answer(name, tr("Name of the reviewer"), found.owner.name, person.name)
            key = found.enrol(chosen, person.new_passphrase(chosen))
            done(
                tr(
                    "Enrolled {name}, key {key}; its private half is in {folder}",
                    name=chosen,
                    key=key,
                    folder=found.config / "keys",
                )
            )
    following((place.command("proposals"), tr("see what waits for a verdict")))


@keys.command("list", cls=Spoken)
def list_keys(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, with the public halves.")] = False,
) -> None:
    """List every key that may decide here, or might once.

    Example: lantern keys chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found:
        if as_json:
            sys.stdout.write(json.dumps(found.keys.data(), ensure_ascii=False, indent=1) + "\n")
            return
        rows = found.keys.rows()
        heads = found.keys.heads
    if rows:
        table(
            [tr(head) for head in heads],
            (
                (*row[:2], tr(row[2]), row[3][:10], row[4] or tr("the first key here"), row[5][:10], row[6], tr(row[7]))
                for row in rows
            ),
        )
        following(
            (place.command("enrol"), tr("let another person decide too")),
            (place.command("keys", before="rotate"), tr("put a new key in the place of yours")),
        )
    else:
        say(tr("nobody may decide here"))
        following((place.command("enrol"), tr("make the key of the person who decides")))


@keys.command(cls=Spoken)
def rotate(workspace: WorkspaceArgument = None, *, folder: WorkspaceOption = None, reviewer: Who = None) -> None:
    """Put a new key in the place of yours; what the old one signed stays valid.

    The old key signs for the new one, and decides nothing more.

    Example: lantern keys rotate chelsea
    """
    place = find(workspace, folder)
    person.require(tr("choosing a passphrase"), tr("Run it in a terminal."))
    with opened(place) as found, found.reviewer(reviewer) as old:
        new = found.keys.rotate(person.new_passphrase(old.name), by=old)
    done(tr("{name}'s key is now {key}; {old} decides nothing more", name=new.name, key=new.key, old=old.key))
    following((place.command("keys"), tr("see all keys")))


@keys.command(cls=Spoken)
def revoke(
    words: Annotated[
        list[str],
        typer.Argument(metavar="[WORKSPACE] KEY", help="A key such as ke_…, or the name of a person who has one."),
    ],
    *,
    folder: WorkspaceOption = None,
    reason: Annotated[str, typer.Option("--reason", metavar="WORDS", help="Why.")] = "",
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help="Whose key signs this.", show_default="the newest here"),
    ] = None,
) -> None:
    """Take a key's right to decide; what it signed before stays valid.

    Example: lantern keys revoke chelsea Ann --reason "left the studio"
    """
    place, (name,) = split(words, folder, "KEY")
    with opened(place) as found:
        target = found.keys.get(name)
        person.require(tr("revoking a key"), tr("Run it in a terminal."))
        person.must_agree(tr("Revoke {name}'s key {key}?", name=target.label, key=target.key))
        with found.reviewer(reviewer) as signer:
            found.keys.revoke(target.key, by=signer, reason=reason)
    done(tr("Revoked {name}'s key {key}: it decides nothing more", name=target.label, key=target.key))
    following((place.command("keys"), tr("see all keys")))


@keys.command(cls=Spoken)
def passphrase(workspace: WorkspaceArgument = None, *, folder: WorkspaceOption = None, reviewer: Who = None) -> None:
    """Change the passphrase of a key on this machine; the key stays the same.

    Example: lantern keys passphrase chelsea
    """
    place = find(workspace, folder)
    person.require(tr("choosing a passphrase"), tr("Run it in a terminal."))
    with opened(place) as found, found.reviewer(reviewer) as key:
        found.keys.change_passphrase(person.new_passphrase(key.name), by=key)
    done(tr("Changed the passphrase of {name}'s key {key}", name=key.name, key=key.key))


@keys.command(cls=Spoken)
def offer(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write the offer.")],
    *,
    name: Annotated[str | None, typer.Option(help="Your name.", show_default="asked")] = None,
) -> None:
    """Make a key on this machine, and a file by which somebody who may decide elsewhere lets it in.

    The file holds the public half only. They run: lantern enrol WORKSPACE --offer FILE

    Example: lantern keys offer ann.json --name Ann
    """
    from lantern_kit.keyring import offer as make_offer

    person.require(tr("choosing a passphrase"), tr("Run it in a terminal."))
    chosen = person.answer(name, tr("Your name"), user(), person.name)
    key, text = make_offer(config_folder(), chosen, person.new_passphrase(chosen))
    write_text(file.expanduser(), text)
    done(tr("Wrote the offer of {name}'s key {key} into {file}", name=chosen, key=key, file=file))
    following((f"lantern enrol WORKSPACE --offer {file}", tr("what somebody who may decide there runs")))


# parts


def _enrol_offer(found: Workspace, file: Path) -> None:
    from lantern_kit.keyring import Offer

    try:
        offered = Offer.read(file.expanduser().read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError as error:
        raise NotFound(tr("there is no file {file}", file=file)) from error
    person.must_agree(tr("Let {name} decide here, with the key {key}?", name=offered.name, key=offered.key))
    found.keys.enrol_offer(offered)
    done(tr("Enrolled {name}, key {key}", name=offered.name, key=offered.key))
