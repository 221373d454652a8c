"""What the capabilities of comics are given to work with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lantern_kit.kernel.capability import Call

if TYPE_CHECKING:
    from lantern_kit.assets import AssetLibrary
    from lantern_kit.comic.annotations import AnnotationService
    from lantern_kit.comic.candidates import CandidateService
    from lantern_kit.comic.checks import Checker
    from lantern_kit.comic.drafts import DraftService
    from lantern_kit.comic.proposals import ProposalService
    from lantern_kit.comic.renderer import Renderer
    from lantern_kit.comic.service import ComicService
    from lantern_kit.uploads import Uploads


@dataclass(frozen=True)
class ComicServices:
    """The services of one workspace, as the dispatcher hands them on."""

    comics: ComicService
    drafts: DraftService
    candidates: CandidateService
    proposals: ProposalService
    annotations: AnnotationService
    assets: AssetLibrary
    checker: Checker
    renderer: Renderer
    uploads: Uploads


def services(call: Call) -> ComicServices:
    """The services of a call. Raises TypeError when a dispatcher was wired with others."""
    found = call.services
    if not isinstance(found, ComicServices):
        raise TypeError("comic capabilities need a dispatcher with ComicServices")
    return found
