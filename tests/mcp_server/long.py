"""A server whose looks and whose checks before a freeze go on, reporting, until a file appears."""

import sys
import time
from pathlib import Path

from lantern_kit.mcp_server.stdio import run, take_wire

wire = take_wire()

from lantern_kit.comic.capabilities import look  # noqa: E402
from lantern_kit.comic.proposals import ProposalService  # noqa: E402
from lantern_kit.kernel.errors import Stopped  # noqa: E402
from lantern_kit.kernel.progress import reporting  # noqa: E402
from lantern_kit.mcp_server import telling  # noqa: E402

telling.PATIENCE = telling.PACE = 0.0
gate = Path(sys.argv[2])


def lasting(action, kind):
    def work(*args, **kwargs):
        with reporting(None, "Working") as tell:
            number = 0
            try:
                while not gate.exists():
                    number += 1
                    tell(kind, number, 0)
                    time.sleep(0.002)
                for number in (1, 2, 3):
                    tell("pages", number, 3)
            except Stopped:
                gate.with_suffix(".stopped").touch()
                raise
            return action(*args, **kwargs)

    return work


look._one = lasting(look._one, "drawing")
ProposalService.freeze = lasting(ProposalService.freeze, "checking")
if "--http" in sys.argv:
    from lantern_kit.mcp_server.http import run_http

    run_http(
        Path(sys.argv[1]), "127.0.0.1:0", announce=lambda url, tokens: print(url, tokens, file=sys.stderr, flush=True)
    )
else:
    run(Path(sys.argv[1]), wire=wire)
