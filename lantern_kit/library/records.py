"""The check of the library: versions without a gap, a chain over them, content that can be read, pictures there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.progress import Progress, quiet, steps
from lantern_kit.kernel.report import Report
from lantern_kit.library.entry import Cause, Content, Kind, Version, chained
from lantern_kit.library.service import Check

_UNREADABLE = (ValueError, TypeError, AttributeError, LanternError)


def verify_library(connection: Connection, check: Check, report: Report, tell: Progress = quiet) -> None:
    """Check every version of every entry; ``check`` says what any content must be, whenever it was kept."""
    assets = {row[0] for row in connection.exec_driver_sql("SELECT id FROM assets")}
    entries = connection.exec_driver_sql("SELECT id, kind, head FROM library ORDER BY id").fetchall()
    rows = connection.exec_driver_sql(
        "SELECT entry, number, cause, content, actor_kind, actor, message, at, chain FROM library_versions"
        " ORDER BY entry, number"
    ).fetchall()
    held: dict[Any, list[Sequence[Any]]] = {}
    for row in rows:
        held.setdefault(row[0], []).append(row)
    for entry, kind, head in steps(entries, tell, "library"):
        found = held.pop(entry, [])
        numbers, wanted = [row[1] for row in found], list(range(1, len(found) + 1))
        if numbers != wanted or head != len(found):
            report.add(
                "entry",
                str(entry),
                "its versions are not numbered from 1 to its newest",
                expected=f"1 to {head}",
                found=", ".join(map(str, numbers)) or "none",
                entries=str(entry),
            )
        _versions(kind, found, assets, check, report)
    for entry in held:
        report.add("entry", str(entry), "it has versions, and is not there", entries=str(entry))
    report.count("entries", len(entries))


def _versions(kind: Any, rows: list[Sequence[Any]], assets: set[str], check: Check, report: Report) -> None:
    before = b""
    for entry, number, cause, text, actor_kind, actor, message, at, chain in rows:
        where = {"entries": str(entry), "versions": f"version {number}"}
        try:
            content = Content.model_validate_json(text)
            version = Version(entry, number, Cause(cause), content, actor_kind, actor, message, at, b"")
            told = text.encode()
            check(Kind(kind), content)
            if content.canonical() != told:
                report.add("entry", str(entry), "its content is not as it is kept", **where)
            digest = chained(before, Kind(kind), version, told)
        except _UNREADABLE:
            report.add("entry", str(entry), "a column of a version cannot be read", **where)
            before = chain if type(chain) is bytes else b""
            continue
        if digest != chain:
            report.add(
                "entry",
                str(entry),
                "a version is not what the chain says",
                expected=digest.hex()[:16],
                found=chain.hex()[:16] if type(chain) is bytes else type(chain).__name__,
                **where,
            )
        before = chain if type(chain) is bytes else b""
        for asset in content.assets:
            if asset not in assets:
                report.add("entry", str(entry), "a reference picture is not registered", assets=asset, **where)
