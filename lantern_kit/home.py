"""What is a person's own on this machine: their language, their folder, and small files in it for nobody else."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Language = Literal["en", "zh"]


def own_language(environ: Mapping[str, str] = os.environ) -> Language:
    """The language that the environment asks for: Chinese, else English."""
    own = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return "zh" if own.lower().startswith("zh") else "en"


def config_folder() -> Path:
    """Where a person's keys, tokens and running servers are noted: ``lantern-kit`` under their configuration folder."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(given) if given and Path(given).is_absolute() else Path.home() / ".config"
    return base / "lantern-kit"


def write_own(path: Path, text: str) -> None:
    """Write a file whole or not at all, readable by its owner alone; folders that are missing are made so too."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # its mode is 600
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_own(path: Path) -> str | None:
    """The text of a file of one's own; None where there is none, or where others could have put it there."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    facts = os.fstat(handle)
    if not stat.S_ISREG(facts.st_mode) or facts.st_mode & 0o077 or facts.st_uid != os.getuid():
        os.close(handle)
        return None
    with os.fdopen(handle, encoding="utf-8", errors="replace") as file:
        return file.read()
