"""Names that a novel's cards and books know: of characters, and of whatever their entries are about."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.novel.lore import content
from lantern_kit.novel.model import Asset

_KEPT = 256
_NAMES: dict[str, frozenset[str]] = {}
_LOCK = threading.Lock()


def known_names(assets: Iterable[Asset], blobs: BlobStore) -> frozenset[str]:
    """All names and keys of some cards and books. Raises NovelStorageCorruption."""
    return frozenset().union(*(_names(asset, blobs) for asset in assets))


def _names(asset: Asset, blobs: BlobStore) -> frozenset[str]:
    """The names of one; read once, for its content never changes."""
    found = _NAMES.get(asset.content)
    if found is None:
        held = content(asset, blobs)
        words = [asset.name, held.get("name"), held.get("nickname")]
        for entry in held.get("entries", ()):
            words += [entry.get("title"), *entry.get("keys", ())]
        found = frozenset(word for word in words if isinstance(word, str) and word.strip())
        with _LOCK:
            if len(_NAMES) >= _KEPT:
                _NAMES.clear()
            _NAMES[asset.content] = found
    return found
