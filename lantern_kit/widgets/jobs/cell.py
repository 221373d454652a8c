"""Whether a notebook's kernel runs this, and whether one of its cells does."""

from __future__ import annotations

import sys
import threading
from typing import Any


def kernel() -> Any:
    """The Jupyter kernel of this process; None where there is none. Imports nothing."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None)


def in_kernel() -> bool:
    """Whether this process is a notebook's kernel."""
    return kernel() is not None


def in_cell() -> bool:
    """Whether this is the thread on which cells run, and one runs now, not what a widget or a timer asked for."""
    found = kernel()
    if found is None or threading.current_thread() is not threading.main_thread():
        return False
    parent = getattr(found, "get_parent", None)
    if parent is None:  # kernels that are not ipykernel's do not say
        return True
    return bool(parent("shell").get("header", {}).get("msg_type") == "execute_request")
