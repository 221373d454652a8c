"""Alembic's entry: runs on the connection, and inside the transaction, that the caller opened."""

from alembic import context

from lantern_kit.migrations.metadata import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=False)
context.run_migrations()
