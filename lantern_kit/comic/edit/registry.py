"""All operations on a comic, by name. The modules of the nouns fill it; importing the package loads them."""

from __future__ import annotations

from lantern_kit.kernel.operation import Operations

OPERATIONS = Operations()
