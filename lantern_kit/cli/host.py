"""Hosts of agents: the server they start, and the configuration that lets them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, opened
from lantern_kit.cli.screen import done, following, note, say
from lantern_kit.cli.skill import put_skills, tell_skills
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.mcp_server.limits import PER_MINUTE

Profiles = Literal["comic", "novel"]

ProfileOption = Annotated[Profiles, typer.Option("--profile", help="Which tools the agent gets.")]
NovelOption = Annotated[
    str,
    typer.Option("--novel", metavar="NAME", help="Which novel, for the profile novel; the only one unless you say."),
]
RootOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--root", metavar="DIR", help="A folder from which agents may read pictures, besides inbox/; repeatable."
    ),
]


ReadOnlyOption = Annotated[bool, typer.Option("--read-only", help="The agent reads, and drafts nothing.")]


def mcp(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    profile: ProfileOption = "comic",
    novel: NovelOption = "",
    root: RootOption = None,
    read_only: ReadOnlyOption = False,
    rate: Annotated[
        int, typer.Option(metavar="N", help="Writes a minute that one client may make; 0: no limit.")
    ] = PER_MINUTE,
    http: Annotated[
        str | None,
        typer.Option(metavar="127.0.0.1:PORT", help="Serve over HTTP to programs of this machine that show a token."),
    ] = None,
) -> None:
    """Serve a workspace to an agent's host (MCP over stdio, or over HTTP).

    Hosts start this themselves: see lantern connect. Agents read and draft; they cannot apply, keep or discard.

    Example: lantern mcp chelsea --root ~/Pictures
    """
    if http is not None:
        from lantern_kit.mcp_server.http import run_http

        run_http(
            find(workspace, folder).path,
            http,
            profile=profile,
            novel=novel,
            roots=_roots(root),
            read_only=read_only,
            rate=rate,
            announce=partial(_announce, read_only=read_only),
        )
        return
    from lantern_kit.mcp_server.stdio import run, take_wire

    wire = take_wire()  # from here on nothing that prints can reach the protocol
    run(
        find(workspace, folder).path,
        profile=profile,
        novel=novel,
        roots=_roots(root),
        read_only=read_only,
        rate=rate,
        wire=wire,
    )


def connect(
    host: Annotated[
        str, typer.Argument(metavar="HOST", help="claude-code, codex, gemini, vscode, or json for any other.")
    ],
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    only_print: Annotated[bool, typer.Option("--print", help="Print the configuration, write nothing.")] = False,
    project: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder in which the host is started.", show_default="the current folder"),
    ] = None,
    name: Annotated[str, typer.Option(help="How the host calls the server.")] = "lantern",
    profile: ProfileOption = "comic",
    novel: NovelOption = "",
    root: RootOption = None,
    read_only: ReadOnlyOption = False,
    no_skill: Annotated[
        bool, typer.Option("--no-skill", help="Write the configuration alone, not the skills that teach the craft.")
    ] = False,
) -> None:
    """Let an agent work here: tell its host how to start the server, and give it the skills for its work.

    Merges one entry into the host's configuration of this project, and puts the skills where the host looks for them.
    Everything else in that file stays, and the file as it was is kept beside it; so is a skill's file that you changed.

    Example: lantern connect claude-code chelsea
    """
    from lantern_kit.folders import require_workspace
    from lantern_kit.mcp_server.connect import Launch, configuration, find_host, write_configuration

    try:
        target = find_host(host)
    except BadInput as error:
        raise typer.BadParameter(f"{error.message}: {', '.join(error.expected)}. {error.recovery}") from None
    place = find(workspace, folder)
    roots, home = _roots(root), require_workspace(place.path)
    _require_novel(place, profile, novel)
    launch = Launch(home, name=name, profile=profile, novel=novel, roots=roots, read_only=read_only)
    path, text = configuration(target, launch, project)
    if only_print or path is None:
        note(tr("This goes into {path}:", path=path) if path else tr("Put this where your host keeps its MCP servers:"))
        say(text.rstrip("\n"))
        if not no_skill:
            tell_skills(target, project, kind=profile, read_only=read_only)
        return
    written = write_configuration(target, launch, project)
    if not written.changed:
        say(tr("{path} says so already; nothing was changed", path=written.path))
    else:
        done(tr("Wrote the server {name} into {path}", name=name, path=written.path))
        if written.backup is not None:
            say(tr("  the file as it was: {path}", path=written.backup))
    if not no_skill:
        put_skills(target, project, kind=profile, read_only=read_only)
    where = project or tr("this folder")
    if read_only:
        say(tr("Start {host} in {folder} and ask it what it sees; it reads only.", host=target.program, folder=where))
        return
    if profile == "novel":
        say(tr("Start {host} in {folder} and ask it to write the novel.", host=target.program, folder=where))
        following((place.command("novel", before="status"), tr("see how far it is, and what it waits for")))
        return
    say(tr("Start {host} in {folder} and ask it to draft a page.", host=target.program, folder=where))
    following((place.command("proposals"), tr("see what it proposes")))


def _require_novel(place: Place, profile: str, novel: str) -> None:
    """Keep from naming a server that could not begin. Raises NotFound, BadInput."""
    if not novel:
        return
    if profile != "novel":
        raise typer.BadParameter(tr("--novel belongs to --profile novel"))
    with opened(place) as workspace:
        workspace.novel_service.find(novel)


def _announce(url: str, tokens: Path, *, read_only: bool) -> None:
    """Say where the server can be reached, and where its tokens are."""
    if read_only:
        say(tr("Agents read here, and draft nothing."))
    say(tr("Serving {url}; the tokens for it are in {path}", url=url, path=tokens))


def _roots(given: list[Path] | None) -> tuple[Path, ...]:
    """Folders that agents may read from, as whole paths. Raises NotFound."""
    roots = tuple(root.expanduser().resolve() for root in given or ())
    for root in roots:
        if not root.is_dir():
            raise NotFound(
                tr("{name} is not a folder", name=root),
                recovery=tr("Name a folder that agents may read pictures from."),
            )
    return roots
