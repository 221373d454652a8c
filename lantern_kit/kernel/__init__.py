"""What every document kind shares, and nothing about comics.

errors, ids, clock, canonical      words and values
engine, tables, migrations         the journal: SQLite in WAL mode
blobs, documents, history          immutable bytes, hash trees, lines and their revisions
receipts, leases, activity         once-only answers, one author at a time, the audit projection
capability, verify                 the single dispatch path; the whole-workspace check
"""
