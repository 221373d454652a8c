"""What every document kind shares, and nothing about comics.

errors, problems, actor, ids, clock, canonical, schema, squeeze    words and values
engine, turn, tables, blobs, files, documents    the journal, SQLite in WAL mode, its writers in a queue; hash trees
revision, history, verify                 lines and their revisions; the whole-workspace check
receipts, leases, activity                once-only answers, one author at a time, the audit projection
operation, capability, progress           what edits are made of; the single dispatch path; how long actions report
"""
