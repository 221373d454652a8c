"""Review and collaboration."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Groups of activity, verdicts by parts, contracts, locks, conflicts, annotations, events of keys."""
    op.create_table(
        "activity_groups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.Integer(), nullable=False),
        sa.Column("window_end", sa.Integer(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.Column("snapshot", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("activity_groups_key", "activity_groups", ["draft", "scope", "actor"], unique=False)
    op.create_index(
        "activity_groups_running",
        "activity_groups",
        ["window_end"],
        unique=False,
        sqlite_where=sa.text("state = 'running'"),
    )
    op.create_table(
        "annotation_attachments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotation", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("asset", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("annotation", "position"),
    )
    op.create_table(
        "annotation_messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotation", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("annotation_messages_annotation", "annotation_messages", ["annotation"], unique=False)
    op.create_table(
        "annotation_references",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("annotation", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("target_kind", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=False),
        sa.Column("x", sa.Integer(), nullable=False),
        sa.Column("y", sa.Integer(), nullable=False),
        sa.Column("fallback_x", sa.Integer(), nullable=False),
        sa.Column("fallback_y", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("annotation", "position"),
    )
    op.create_table(
        "annotations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("chapter", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.Integer(), nullable=False),
        sa.Column("draft", sa.Integer(), nullable=True),
        sa.Column("proposal", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("annotations_chapter", "annotations", ["chapter"], unique=False)
    op.create_index("annotations_draft", "annotations", ["draft"], unique=False)
    op.create_table(
        "conflicts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("chapter", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("property", sa.Text(), nullable=True),
        sa.Column("base", sa.Text(), nullable=True),
        sa.Column("ours", sa.Text(), nullable=True),
        sa.Column("theirs", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("settled_by", sa.Text(), nullable=True),
        sa.Column("settled_at", sa.Integer(), nullable=True),
        sa.Column("settled_in", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("conflicts_chapter", "conflicts", ["chapter"], unique=False)
    op.create_table(
        "locks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("chapter", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("chapter", "object"),
    )
    op.create_table(
        "key_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("public", sa.BLOB(), nullable=False),
        sa.Column("demo", sa.Integer(), nullable=False),
        sa.Column("replaces", sa.Text(), nullable=False),
        sa.Column("signer", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("verdicts", sa.Integer(), nullable=False),
        sa.Column("verdicts_digest", sa.BLOB(), nullable=False),
        sa.Column("before", sa.BLOB(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("signature", sa.BLOB(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute(
        "INSERT INTO key_events SELECT row_number() OVER (ORDER BY enrolled_at, key), 'carried', key, name, public,"
        " demo, '', '', '', 0, x'', x'', enrolled_at, x'' FROM reviewers"
    )
    op.drop_table("reviewers")
    op.add_column("activity", sa.Column("activity_group", sa.Integer(), nullable=True))
    op.add_column("activity", sa.Column("kind", sa.Text(), server_default="call", nullable=False))
    op.add_column("activity", sa.Column("action", sa.Text(), server_default="", nullable=False))
    op.add_column("activity", sa.Column("assets", sa.Text(), server_default="", nullable=False))
    op.add_column("activity", sa.Column("link", sa.Text(), server_default="", nullable=False))
    op.create_index("activity_by_group", "activity", ["activity_group"], unique=False)
    op.add_column("approvals", sa.Column("choices", sa.Text(), server_default="", nullable=False))
    op.add_column("approvals", sa.Column("covers", sa.Text(), server_default="", nullable=False))
    op.add_column("drafts", sa.Column("contract", sa.Text(), server_default="", nullable=False))
    op.add_column("drafts", sa.Column("from_proposal", sa.Integer(), nullable=True))
