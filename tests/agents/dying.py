"""A server that is killed in the middle of an edit: ``before`` it is committed, or ``after``, its answer not sent."""

import os
import signal
import sys
from pathlib import Path

from lantern_kit.mcp_server.stdio import run, take_wire

wire = take_wire()

from lantern_kit.comic.drafts import DraftService  # noqa: E402
from lantern_kit.mcp_server.server import Face  # noqa: E402

when = sys.argv[2]
called = Face.call


def die(*_args, **_kwargs):
    os.kill(os.getpid(), signal.SIGKILL)


def call(self, name, *args, **kwargs):
    answer = called(self, name, *args, **kwargs)
    if name == "edit":
        die()
    return answer


if when == "before":
    DraftService.commit = die
else:
    Face.call = call
run(Path(sys.argv[1]), wire=wire)
