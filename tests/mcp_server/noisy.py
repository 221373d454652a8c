"""A server started by somebody whose code prints, in Python and past it: what a host would start by accident."""

import os
import sys
from pathlib import Path

from lantern_kit.mcp_server.stdio import run, take_wire

wire = take_wire()
print("a stray line before anything is imported")
os.write(1, b"a stray line from C\n")

from lantern_kit.comic.drafts import DraftService  # noqa: E402

planned = DraftService.plan


def plan(self, *args, **kwargs):
    print("a stray line in the middle of a call")
    sys.stdout.write("and one more, not ended")
    os.write(1, b"and from C\n")
    return planned(self, *args, **kwargs)


DraftService.plan = plan
run(Path(sys.argv[1]), wire=wire)
