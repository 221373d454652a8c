"""The comic document kind."""
