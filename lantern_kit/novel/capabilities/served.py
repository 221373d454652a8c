"""What a host that asks for its work over the protocol guarantees: what can be known of it from here (seed 004, 16)."""

from __future__ import annotations

from lantern_kit.novel.host import Guarantee, HostReport, Row

SERVED = HostReport(
    name="an MCP host",
    rows=(
        Row(
            Guarantee.FOLLOWUP,
            ok=True,
            reason="It asks for each work itself: one is given at a time, in a turn that is named here.",
        ),
        Row(
            Guarantee.BARRIER,
            ok=True,
            reason="Instructions come from the novel's desk or the command line alone, and are in the ledger before "
            "further work is given. The host's own chat cannot be seen, and nothing said there is an instruction.",
        ),
        Row(
            Guarantee.CANCEL,
            ok=False,
            reason="Its turn cannot be ended from here; after a stop, what it hands in is refused.",
        ),
        Row(
            Guarantee.RECOVERY,
            ok=True,
            reason="Its server holds the seat: once that process is gone, nothing it began can be handed in.",
        ),
        Row(
            Guarantee.SOURCE,
            ok=False,
            reason="What people say to it, and what it tells itself, cannot be told apart from here; no tool takes "
            "either for an instruction.",
        ),
        Row(
            Guarantee.PERMISSIONS,
            ok=True,
            reason="Its tools are an author's deeds and reading, and nothing a person decides. What it may do besides "
            "is the host's affair.",
        ),
        Row(
            Guarantee.USAGE,
            ok=False,
            reason="It tells neither requests nor tokens. Turns and time are counted; a limit on tokens is refused.",
        ),
        Row(
            Guarantee.PERSISTENCE,
            ok=True,
            reason="All of the novel is kept here; its conversation is not needed to go on.",
        ),
    ),
    counts_tokens=False,
    stand_in=False,
)
