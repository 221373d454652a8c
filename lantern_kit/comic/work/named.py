"""Revisions as people name them: ``r12``, a saved version ``s3``, or the title it was saved under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.revision import revision_number

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

_TOLD = 6
"""Saved versions that an error names."""


def revision_named(host: Host, chapter: str, named: Any) -> int:
    """The number of a chapter's revision.

    Args:
        host: the workspace.
        chapter: whose saved versions count.
        named: ``r12``, ``s3``, the title of a saved version, or a saved version or a revision itself.

    Raises:
        BadInput: it names none, or several versions were saved under that title.
        NotFound: the saved version is another chapter's, or there is none.
    """
    held = getattr(named, "revision", None)
    facts = getattr(named, "facts", None)
    if isinstance(held, int):
        return held
    if isinstance(getattr(facts, "number", None), int):
        return int(facts.number)  # type: ignore[union-attr]
    if not isinstance(named, str) or re.fullmatch(r"r\d+", named):
        return revision_number(named)
    saved = host.comics.snapshots(chapter)
    found = [item for item in saved if named in (item.id, item.title)]
    if len({item.revision for item in found}) == 1:
        return found[0].revision
    if found:
        raise BadInput(
            f"several versions were saved as “{named[:80]}”",
            expected=[f"r{item.revision}" for item in found[:_TOLD]],
            found=named[:80],
            recovery="Name one of these revisions.",
        )
    if re.fullmatch(r"s\d+", named):
        raise NotFound(f"there is no saved version {named[:20]} of this chapter", ids=[named[:20]])
    known = [f"{item.title[:60]} (r{item.revision})" for item in saved[:_TOLD]]
    raise BadInput(
        "that is neither a revision nor a saved version of this chapter",
        expected=["a revision such as r41", *known],
        found=named[:80],
        recovery="chapter.snapshots() lists saved versions, chapter.history() all revisions.",
    )
