"""The analysis table of asset versions."""

from __future__ import annotations

from lantern_kit.analysis.registry import Appended, Column

ASSETS = Appended(
    name="assets",
    doc="One row per asset version: an immutable picture with its facts.",
    columns=(
        Column("asset", "VARCHAR", "its id"),
        Column("blob", "VARCHAR", "SHA-256 of its bytes, in hex; equal pictures have equal hashes"),
        Column(
            "kind",
            "VARCHAR",
            "picture, cover or style, as it is meant; or foreground: the cut-out subject of a picture",
        ),
        Column("title", "VARCHAR", "what it is called"),
        Column("width", "INTEGER", "in pixels, upright"),
        Column("height", "INTEGER", "in pixels, upright"),
        Column("mode", "VARCHAR", "pixel format as stored: RGB, RGBA, L, CMYK …"),
        Column("bytes", "BIGINT", "size as stored"),
        Column("source", "VARCHAR", "where it comes from, in words or as an address"),
        Column("digital_source_type", "VARCHAR", "how it came to be, in IPTC's words"),
        Column("licence", "VARCHAR", "SPDX identifier or words; empty when nobody said"),
        Column("registered_by", "VARCHAR", "who registered it"),
        Column("registered_at", "TIMESTAMP", "when, in UTC"),
    ),
    source="assets",
    key="rowid",
    cells=(
        "t.id",
        "lower(hex(t.blob))",
        "t.kind",
        "t.title",
        "t.width",
        "t.height",
        "t.mode",
        "t.bytes",
        "t.source",
        "t.digital_source_type",
        "t.licence",
        "t.registered_by",
        "t.registered_at",
    ),
)

PROJECTORS = (ASSETS,)
