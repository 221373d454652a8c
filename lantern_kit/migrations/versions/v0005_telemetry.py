"""Agents' time and tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Spans and tokens of agents' turns."""
    op.create_table(
        "spans",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("pass", sa.Integer(), nullable=False),
        sa.Column("span", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer()),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("begun_at", sa.Integer(), nullable=False),
        sa.Column("start_us", sa.Integer(), nullable=False),
        sa.Column("duration_us", sa.Integer(), nullable=False),
        sa.Column("failed", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("spans_turn", "spans", ["turn"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Text(), nullable=False),
        sa.Column("pass", sa.Integer(), nullable=False),
        sa.Column("span", sa.Integer(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("input", sa.Integer(), nullable=False),
        sa.Column("output", sa.Integer(), nullable=False),
        sa.Column("cached", sa.Integer(), nullable=False),
        sa.Column("system", sa.Integer(), nullable=False),
        sa.Column("tools", sa.Integer(), nullable=False),
        sa.Column("history", sa.Integer(), nullable=False),
        sa.Column("retrieved", sa.Integer(), nullable=False),
        sa.Column("estimated", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tokens_turn", "tokens", ["turn"], unique=False)
