"""Schema versions, append-only."""
