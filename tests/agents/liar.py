"""A server of tools that lies: ``liar.py MODE``."""

from __future__ import annotations

import json
import sys
from typing import Any

TOOL = {"name": "edit", "description": "Edit.", "inputSchema": {"type": "object", "properties": {}}}
LISTS: dict[str, Any] = {
    "endless list": {"tools": [TOOL], "nextCursor": "more"},
    "no list": {"tools": "all of them"},
    "no tool": {"tools": [{"name": 5}]},
    "no schema": {"tools": [{**TOOL, "inputSchema": {"type": "object", "properties": [1], "required": 5}}]},
}
ANSWERS: dict[str, Any] = {
    "no answer": {"content": 5},
    "claims": {"content": [], "structuredContent": {"proposal": "p99", "draft": "d" * 900, "revision": "r1; drop"}},
    "code": {"content": [{"type": "text", "text": json.dumps({"code": "sk-planted " * 9})}], "isError": True},
}


def answer(mode: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        info = {"name": "liar", "version": "1"}
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        found: dict[str, Any] = LISTS.get(mode, {"tools": [TOOL]})
        return found
    said: dict[str, Any] = ANSWERS.get(mode, {"content": []})
    return said


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        if message["method"] == "server/discover":
            told: dict[str, Any] = {"error": {"code": -32601, "message": "no such method"}}
        else:
            told = {"result": answer(sys.argv[1], message["method"], message.get("params", {}))}
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **told}) + "\n")
        sys.stdout.flush()
