"""What ``import lantern_kit`` offers."""

from __future__ import annotations

import lantern_kit

NAMES = [
    "ActivityPanel",
    "Actor",
    "Agent",
    "AgentAuthor",
    "AnnotationPanel",
    "ApplyMode",
    "HistoryView",
    "Job",
    "LanternError",
    "NovelDesk",
    "OfflineAuthor",
    "OpenAIChat",
    "PageView",
    "ProposalReview",
    "SourceType",
    "Workspace",
    "__version__",
    "create_workspace",
    "open_workspace",
    "paper",
    "plots",
    "serve",
    "start",
]


def test_the_root_offers_these_names_and_no_others() -> None:
    assert lantern_kit.__all__ == NAMES
    assert dir(lantern_kit) == sorted(NAMES)


def test_every_offered_name_is_there() -> None:
    for name in NAMES:
        assert getattr(lantern_kit, name) is not None
