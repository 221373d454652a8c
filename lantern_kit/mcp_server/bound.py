"""What a profile's calls are dispatched by: a workspace, or one novel of it, chosen when the server begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.mcp_server.novel_profile import NOVEL

if TYPE_CHECKING:
    from lantern_kit.kernel.capability import Dispatcher
    from lantern_kit.workspace import Workspace


def dispatcher_for(workspace: Workspace, profile: str, novel: str = "") -> Dispatcher:
    """The path of a profile's calls.

    Args:
        novel: of the novel profile: id or title; empty: the only one there is.

    Raises NotFound (no such novel, none, or several), BadInput (a novel for another profile).
    """
    if profile != NOVEL.name:
        if novel:
            raise BadInput(f"a novel is chosen for the profile {NOVEL.name} alone", found=profile)
        return workspace.dispatcher()
    return workspace.novel_dispatcher(novel or _only(workspace))


def _only(workspace: Workspace) -> str:
    known = workspace.novel_service.novels()
    if len(known) == 1:
        return known[0].id
    told = [f"{item.id} “{item.title}”" for item in known[:20]]
    raise NotFound(
        "this workspace has several novels" if known else "this workspace has no novel yet",
        expected=told,
        ids=[item.id for item in known[:20]],
        recovery=f"Say which one: --novel {known[0].id}; there are {', '.join(told)}."
        if known
        else "A person begins one: lantern novel new.",
    )
