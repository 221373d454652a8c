"""A server whose edits wait, once their transaction is open, until a file appears."""

import sys
import time
from pathlib import Path

from lantern_kit.mcp_server.stdio import run, take_wire

wire = take_wire()

from lantern_kit.comic.drafts import DraftService  # noqa: E402

committed = DraftService.commit
gate = Path(sys.argv[2])


def commit(self, *args, **kwargs):
    gate.with_suffix(".waiting").touch()
    while not gate.exists():
        time.sleep(0.005)
    return committed(self, *args, **kwargs)


DraftService.commit = commit
run(Path(sys.argv[1]), wire=wire)
