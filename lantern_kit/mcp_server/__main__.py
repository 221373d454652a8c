"""``python -m lantern_kit.mcp_server WORKSPACE``: what hosts start."""

from lantern_kit.mcp_server.stdio import take_wire

_WIRE = take_wire()

import argparse  # noqa: E402  nothing may print to the wire, so it is taken aside before anything else
import sys  # noqa: E402
from pathlib import Path  # noqa: E402

from lantern_kit.kernel.errors import LanternError  # noqa: E402
from lantern_kit.mcp_server.limits import PER_MINUTE  # noqa: E402
from lantern_kit.mcp_server.profiles import PROFILES  # noqa: E402
from lantern_kit.mcp_server.stdio import run  # noqa: E402


def main() -> int:
    """Serve, or say in one line why not."""
    parser = argparse.ArgumentParser(prog="lantern mcp", description="Serve a workspace to an MCP host over stdio.")
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--profile", choices=sorted(PROFILES), default="comic")
    parser.add_argument("--novel", default="", help="which novel, for the profile novel; the only one unless said")
    parser.add_argument(
        "--root", type=Path, action="append", default=[], help="a folder agents may read pictures from, besides inbox/"
    )
    parser.add_argument("--read-only", action="store_true", help="let agents read, and nothing else")
    parser.add_argument(
        "--rate",
        type=int,
        default=PER_MINUTE,
        metavar="N",
        help="writes a minute that one client may make; 0: no limit",
    )
    parser.add_argument("--http", metavar="127.0.0.1:PORT", help="serve over HTTP instead; port 0 takes a free one")
    parser.add_argument("--attached", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--config", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--trivial", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.http is not None and options.attached:
            from lantern_kit.mcp_server.attached import run_attached

            return run_attached(
                options.workspace,
                options.http,
                profile=options.profile,
                novel=options.novel,
                roots=options.root,
                config=options.config,
                wire=_WIRE,
            )
        if options.http is not None:
            from lantern_kit.mcp_server.http import run_http

            run_http(
                options.workspace,
                options.http,
                profile=options.profile,
                novel=options.novel,
                roots=options.root,
                read_only=options.read_only,
                rate=options.rate,
                announce=lambda url, tokens: sys.stderr.write(f"lantern mcp: serving {url}, tokens in {tokens}\n"),
            )
            return 0
        run(
            options.workspace,
            profile=options.profile,
            novel=options.novel,
            roots=options.root,
            read_only=options.read_only,
            rate=options.rate,
            wire=_WIRE,
            trivial=options.trivial,
        )
    except LanternError as error:
        sys.stderr.write(f"lantern mcp: {error.message} {error.recovery}\n")
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
