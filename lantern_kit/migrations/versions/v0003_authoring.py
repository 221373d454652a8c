"""Authoring."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Candidates."""
    op.create_table(
        "candidates",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("draft", sa.Integer(), nullable=False),
        sa.Column("chapter", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("task", sa.Text(), nullable=False),
        sa.Column("targets", sa.Text(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("operations", sa.Text(), nullable=False),
        sa.Column("fresh", sa.Text(), nullable=False),
        sa.Column("document", sa.BLOB(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("new_findings", sa.Text(), nullable=False),
        sa.Column("healed", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("at", sa.Integer(), nullable=False),
        sa.Column("settled_by", sa.Text(), nullable=True),
        sa.Column("settled_at", sa.Integer(), nullable=True),
        sa.Column("result", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("candidates_draft", "candidates", ["draft"], unique=False)
