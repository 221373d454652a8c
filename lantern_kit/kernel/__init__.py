"""What every document kind shares, and nothing about comics.

errors, ids, clock, canonical      words and values
engine, turn, tables               the journal: SQLite in WAL mode, and a fair queue of its writers
blobs, documents                   immutable bytes, hash trees
revision, history                  lines and their revisions
receipts, leases, activity         once-only answers, one author at a time, the audit projection
capability, verify                 the single dispatch path; the whole-workspace check
"""
