"""What bound objects need of the workspace they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from lantern_kit.assets import AssetLibrary
    from lantern_kit.comic.annotations import AnnotationService
    from lantern_kit.comic.candidates import CandidateService
    from lantern_kit.comic.checks import Checker
    from lantern_kit.comic.drafts import DraftService
    from lantern_kit.comic.proposals import ProposalService
    from lantern_kit.comic.renderer import Renderer
    from lantern_kit.comic.service import ComicService
    from lantern_kit.comic.work.library import LibraryWork
    from lantern_kit.kernel.actor import Actor


class Host(Protocol):
    """A workspace, as its bound objects see it."""

    @property
    def comics(self) -> ComicService:
        """Chapters and lines."""
        ...

    @property
    def drafts(self) -> DraftService:
        """Agents' drafts."""
        ...

    @property
    def candidates(self) -> CandidateService:
        """Change sets that wait beside them."""
        ...

    @property
    def proposal_service(self) -> ProposalService:
        """Frozen proposals."""
        ...

    @property
    def annotation_service(self) -> AnnotationService:
        """Annotations."""
        ...

    @property
    def renderer(self) -> Renderer:
        """Draws units."""
        ...

    @property
    def checker(self) -> Checker:
        """Checks units."""
        ...

    @property
    def assets(self) -> AssetLibrary:
        """Pictures."""
        ...

    @property
    def library(self) -> LibraryWork:
        """Characters, scenes, props, styles and layouts."""
        ...

    @property
    def owner(self) -> Actor:
        """Who acts when nobody else is named."""
        ...

    def analysis(self) -> DuckDBPyConnection:
        """A DuckDB connection to everything that happened."""
        ...
