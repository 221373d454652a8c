"""One operation as a caller sends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.kernel.errors import BadInput, UnknownKey, nearest

_KEYS = ("op", "target", "as", "args")


@dataclass(frozen=True, slots=True)
class RawOperation:
    """One operation as a caller sends it, its arguments not yet looked at."""

    op: str
    target: str | None = None
    """``id#fingerprint``, a bare id, or ``@name`` of something made earlier in the same ChangeSet."""
    args: Mapping[str, Any] = field(default_factory=dict)
    name: str | None = None
    """What later operations call the thing it makes (``as`` on the wire)."""

    @classmethod
    def parse(cls, data: Any, number: int = 1) -> RawOperation:
        """One entry of a list of operations. Raises BadInput and UnknownKey, naming ``number``."""
        where = f"operation {number}"
        if not isinstance(data, Mapping):
            raise BadInput(f"{where} must be an object with keys", expected={"op": "…", "target": "…", "args": {}})
        for key in data:
            if key not in _KEYS:
                close = nearest(str(key), _KEYS)
                raise UnknownKey(
                    f"{where}: {str(key)[:40]} is not a key of an operation",
                    expected=list(_KEYS),
                    recovery=f"nearest: {', '.join(close)}." if close else f"known keys: {', '.join(_KEYS)}.",
                    details={"operation": number},
                )
        texts = {key: data.get(key) for key in ("op", "target", "as")}
        args = data.get("args")
        for key, value in texts.items():
            if not (isinstance(value, str) or (value is None and key != "op")):
                raise BadInput(f"{where}: {key} must be text", expected="text", details={"operation": number})
        if args is not None and not isinstance(args, Mapping):
            raise BadInput(
                f"{where}: args must be an object with keys", expected="an object", details={"operation": number}
            )
        return cls(str(texts["op"]), texts["target"], args or {}, texts["as"])
