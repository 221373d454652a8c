"""The review server that runs for a workspace, as other programs of the same person find it.

While it runs, a file in the person's own folder says where: address, process and workspace, and never its token. It is
believed only while that very process lives, so that one which was killed leaves no dead link behind.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from lantern_kit.home import read_own, write_own

_URL = re.compile(r"http://127\.0\.0\.1:\d{1,5}/")
_DRIFT = 2.0
"""Seconds by which a process's start may seem to move: it is told against a clock that can be set."""


@dataclass(frozen=True)
class ReviewSite:
    """A review server."""

    url: str
    """``http://127.0.0.1:8866/``"""
    pid: int
    started: float
    """When its process began, in seconds since 1970."""
    workspace: str
    """Id of the workspace."""

    def link(self, proposal: str = "") -> str:
        """The address of a proposal's review. It opens in a browser that was let in; others are asked for the token."""
        return f"{self.url}?proposal={proposal}" if proposal else self.url


def running_site(config: Path, workspace: str) -> ReviewSite | None:
    """The server that runs for a workspace, if one does.

    Args:
        config: the person's own folder.
        workspace: the workspace's id.
    """
    text = read_own(_file(config, workspace))
    if text is None:
        return None
    try:
        site = ReviewSite(**json.loads(text))
        told = site.workspace == workspace and _URL.fullmatch(site.url)
        began = _start_of(site.pid) if told else None
        return site if began is not None and abs(began - site.started) < _DRIFT else None
    except (ValueError, TypeError):
        return None


@contextmanager
def announced(config: Path, workspace: str, url: str) -> Iterator[ReviewSite]:
    """Let this process be found as a workspace's review server, for as long as the block lasts."""
    site = ReviewSite(url, os.getpid(), _start_of(os.getpid()) or 0.0, workspace)
    path = _file(config, workspace)
    text = json.dumps(asdict(site))
    write_own(path, text)
    try:
        yield site
    finally:
        if read_own(path) == text:  # another may have taken its place
            path.unlink(missing_ok=True)


def _file(config: Path, workspace: str) -> Path:
    return config / "review" / f"{re.sub('[^A-Za-z0-9_-]', '', workspace)[:64]}.json"


def _start_of(pid: int) -> float | None:
    """When a process began; None for one that is gone, or dead and not yet buried."""
    import psutil

    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else float(process.create_time())
    except (psutil.Error, ValueError, OverflowError):
        return None
