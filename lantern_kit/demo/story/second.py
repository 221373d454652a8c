"""The second proposal, left for the person: another line, and a last beat back home."""

from __future__ import annotations

from lantern_kit.demo.script import SAY, Step, op, tell

SUMMARY = "Another line for Chelsea in a balloon moved to make room for it, and a last word from home."

SOUGHT = {"verdict": "It’s dry.", "end": "the end"}
"""What it changes, by the words on it or its name."""

SECOND = Step(
    "Page 4: another line, a last beat",
    (
        op("balloon.set", "@verdict", text="Somebody licked it clean.", rect=[71.5, 62.5, 26, 17], style=SAY),
        tell("@end", "At home, her saucer was still taken.", [47, 137, 52.5, 6]),
    ),
)
