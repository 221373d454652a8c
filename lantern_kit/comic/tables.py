"""The journal's tables of comics."""

from __future__ import annotations

from sqlalchemy import BLOB, Column, Index, Integer, Table, Text, UniqueConstraint

from lantern_kit.kernel.tables import METADATA

CHAPTERS = Table(
    "chapters",
    METADATA,
    Column("id", Text, primary_key=True),  # also the id of its working line
    Column("comic", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    UniqueConstraint("comic", "number"),
)

DRAFTS = Table(
    "drafts",
    METADATA,
    Column("id", Integer, primary_key=True),  # 7 is d7, and its line is "d7"
    Column("chapter", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("state", Text, nullable=False),  # open | applied | discarded
    Column("title", Text, nullable=False),
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("contract", Text, nullable=False, server_default=""),  # JSON of what it may change; "" is anything
    Column("from_proposal", Integer),  # the proposal whose rejected parts it started from
    Index("drafts_chapter", "chapter"),
)

CANDIDATES = Table(
    "candidates",
    METADATA,
    Column("id", Integer, primary_key=True),  # 4 is cd4
    Column("draft", Integer, nullable=False),
    Column("chapter", Text, nullable=False),
    Column("base", Integer, nullable=False),  # the draft's revision that it was worked out on
    Column("task", Text, nullable=False),
    Column("targets", Text, nullable=False),  # JSON list of handles as they were at the base
    Column("orders", Text, nullable=False),  # JSON of fingerprints of orders, by unit or chapter
    Column("operations", Text, nullable=False),  # JSON list
    Column("fresh", Text, nullable=False),  # JSON list of the ids of what it makes, as they were asked for
    Column("document", BLOB, nullable=False),  # root hash of the content it gives
    Column("summary", Text, nullable=False),
    Column("new_findings", Text, nullable=False),  # JSON
    Column("healed", Text, nullable=False),  # JSON
    Column("state", Text, nullable=False),  # waiting | adopted | dropped
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("settled_by", Text),  # NULL while it waits, and when it ended with its draft
    Column("settled_at", Integer),
    Column("result", Integer),  # the draft's revision that its adoption made
    Column("looked_up", Text, nullable=False, server_default="{}"),  # JSON: what the library answered it, by name
    Index("candidates_draft", "draft"),
    Index("candidates_chapter", "chapter"),
)

PROPOSALS = Table(
    "proposals",
    METADATA,
    Column("id", Integer, primary_key=True),  # 12 is p12
    Column("chapter", Text, nullable=False),
    Column("draft", Integer, nullable=False),
    Column("base", Integer, nullable=False),
    Column("frozen", Integer, nullable=False),  # the draft revision
    Column("state", Text, nullable=False),  # pending | kept | applied | discarded | superseded
    Column("summary", Text, nullable=False),
    Column("units", Text, nullable=False),  # JSON list of touched units
    Column("changes", Integer, nullable=False),
    Column("new_findings", Text, nullable=False),  # JSON
    Column("healed", Text, nullable=False),  # JSON
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("frozen_at", Integer, nullable=False),
    Column("decided_at", Integer),
    Index("proposals_draft", "draft"),
)

KEY_EVENTS = Table(
    "key_events",
    METADATA,
    Column("id", Integer, primary_key=True),  # 3 is k3
    Column("kind", Text, nullable=False),  # carried | enrol | rotate | revoke
    Column("key", Text, nullable=False),  # fingerprint of the public half
    Column("name", Text, nullable=False),
    Column("public", BLOB, nullable=False),
    Column("demo", Integer, nullable=False),
    Column("replaces", Text, nullable=False),  # the key that a rotation ended; "" of other kinds
    Column("signer", Text, nullable=False),  # the key that signed; "" of those carried over
    Column("reason", Text, nullable=False),
    Column("verdicts", Integer, nullable=False),  # number of the last approval before it
    Column("verdicts_digest", BLOB, nullable=False),  # over the signatures of all approvals up to that one
    Column("before", BLOB, nullable=False),  # chain hash of the events before it
    Column("at", Integer, nullable=False),
    Column("signature", BLOB, nullable=False),
)

APPROVALS = Table(
    "approvals",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("proposal", Integer, nullable=False),
    Column("verdict", Text, nullable=False),  # apply | keep | discard
    Column("mode", Text, nullable=False),  # plain | merge | overwrite | ""
    Column("reviewer", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("compared", Integer, nullable=False),  # working revision that was looked at
    Column("content", BLOB, nullable=False),  # hash of the resulting document
    Column("result", Integer),  # the working revision an apply made
    Column("reason", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("signature", BLOB, nullable=False),
    Column("choices", Text, nullable=False, server_default=""),  # canonical JSON of what was rejected; "" is nothing
    Column("covers", Text, nullable=False, server_default=""),  # canonical JSON of what else is signed; "" is nothing
    Index("approvals_proposal", "proposal"),
)

SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("chapter", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("proposal", Integer),
    Column("actor", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Index("snapshots_chapter", "chapter"),
)

LOCKS = Table(
    "locks",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("chapter", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", Integer, nullable=False),
    UniqueConstraint("chapter", "object"),
)

CONFLICTS = Table(
    "conflicts",
    METADATA,
    Column("id", Integer, primary_key=True),  # 3 is c3
    Column("chapter", Text, nullable=False),
    Column("proposal", Integer, nullable=False),
    Column("revision", Integer, nullable=False),  # the working revision that kept ours
    Column("unit", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("property", Text),  # NULL when it is about the whole object
    Column("base", Text),  # canonical JSON
    Column("ours", Text),
    Column("theirs", Text),
    Column("state", Text, nullable=False),  # open | ours | theirs
    Column("settled_by", Text),
    Column("settled_at", Integer),
    Column("settled_in", Integer),  # the working revision that a choice of theirs made
    Index("conflicts_chapter", "chapter"),
)

ANNOTATIONS = Table(
    "annotations",
    METADATA,
    Column("id", Text, primary_key=True),  # an_…
    Column("chapter", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("state", Text, nullable=False),  # open | claimed | awaiting | resolved | shelved
    Column("actor", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    Column("changed_at", Integer, nullable=False),
    Column("draft", Integer),
    Column("proposal", Integer),
    Index("annotations_chapter", "chapter"),
    Index("annotations_draft", "draft"),
)

ANNOTATION_REFERENCES = Table(
    "annotation_references",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("annotation", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("kind", Text, nullable=False),  # element | point
    Column("target", Text, nullable=False),  # the object, or the unit
    Column("target_kind", Text, nullable=False),
    Column("unit", Text, nullable=False),
    Column("surface", Text, nullable=False),  # "" when none is meant
    Column("x", Integer, nullable=False),  # inside the element, the surface or the unit, millionths
    Column("y", Integer, nullable=False),
    Column("fallback_x", Integer, nullable=False),  # inside the unit, millionths
    Column("fallback_y", Integer, nullable=False),
    Column("fingerprint", Text, nullable=False),  # of the target when the reference was made
    UniqueConstraint("annotation", "position"),
)

ANNOTATION_ATTACHMENTS = Table(
    "annotation_attachments",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("annotation", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("asset", Text, nullable=False),
    UniqueConstraint("annotation", "position"),
)

ANNOTATION_MESSAGES = Table(
    "annotation_messages",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("annotation", Text, nullable=False),
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Index("annotation_messages_annotation", "annotation"),
)
