"""Edits of a novel: pure functions, one noun a file. None reads a clock, a file or the journal."""
