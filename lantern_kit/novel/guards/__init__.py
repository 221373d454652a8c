"""Guards: what is noticed in an outline or in prose before it is kept, by rules alone, without a model.

coverage, unfinished    outlines that stop early or leave out what they need
duplicate, prints       prose that was written before
ledger, speech          the dead who speak, secrets nobody told, names nobody knows, overdue threads
repetition              how much a chapter repeats itself
"""

from lantern_kit.novel.guards.coverage import outline_findings
from lantern_kit.novel.guards.prose import prose_findings

__all__ = ["outline_findings", "prose_findings"]
