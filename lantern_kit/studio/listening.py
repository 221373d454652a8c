"""Ports of this machine, and servers that end when they are told to."""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from lantern_kit.kernel.errors import BadInput

HERE = "127.0.0.1"


def listen(port: int | None, *, usual: int = 0) -> socket.socket:
    """A socket that listens on this machine alone. Raises BadInput when the port cannot be had.

    Args:
        port: which; None takes the usual one, or any free one where that is taken.
    """
    if port is None:
        try:
            return _bound(usual)
        except OSError:
            return _bound(0)
    try:
        return _bound(port)
    except (OSError, OverflowError) as error:
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        raise BadInput(
            f"port {port} is in use" if taken else f"port {port} cannot be listened on: {error}",
            recovery="Choose another port, or leave --port out for a free one.",
        ) from None


def require_free_port(port: int | None) -> None:
    """See that a port can be listened on. Raises BadInput."""
    if port is not None:
        listen(port).close()


def _bound(port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HERE, port))
        listener.listen(128)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    return listener


@contextmanager
def stopping(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` when the process is interrupted or told to end, while the block lasts."""

    def told(number: int, frame: FrameType | None) -> None:
        stop()

    before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
