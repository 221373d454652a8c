"""ZIP files whose bytes depend on their content alone: fixed times, fixed order, one way of packing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable

_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX, _FILE = 3, 0o100644 << 16


def packed(files: Iterable[tuple[str, bytes]], *, plain: str = "") -> bytes:
    """Files in a ZIP, in the order given.

    Args:
        plain: the name of one that is not compressed.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files:
            facts = zipfile.ZipInfo(name, _TIME)
            facts.create_system, facts.external_attr = _UNIX, _FILE
            facts.compress_type = zipfile.ZIP_STORED if name == plain else zipfile.ZIP_DEFLATED
            archive.writestr(facts, data, compresslevel=9)
    return made.getvalue()
