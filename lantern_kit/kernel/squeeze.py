"""zstd, with one compressor for each thread: making one costs more than a page's compression."""

from __future__ import annotations

import threading

import zstandard

from lantern_kit.kernel.errors import Corrupt

LEVEL = 3


class _Tools(threading.local):
    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=LEVEL)
        self.decompressor = zstandard.ZstdDecompressor()


_tools = _Tools()


def squeeze(data: bytes) -> bytes:
    """The bytes, compressed."""
    return _tools.compressor.compress(data)


def unsqueeze(data: bytes) -> bytes:
    """The bytes as they were. Raises Corrupt."""
    try:
        return _tools.decompressor.decompress(data)
    except zstandard.ZstdError as error:
        raise Corrupt("stored bytes cannot be decompressed") from error
