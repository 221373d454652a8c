"""Novels as people hold them in a notebook, bound to a workspace; each part shows itself as a cell's last line.

shelf novel              the novels of a workspace; one of them, with all that a person may decide about it
status ways              where it stands, and what would let it go on
outline chapters facts   what is meant, what is written, what is true by it
ledger history           what people asked for and what came of it; every step there ever was
guarantees               what whoever writes guarantees, and why not
running found exported   an author at work, and how that ended; what was looked for; the work as a file
configured host          a person's words as a whole configuration; what all of them need of their workspace
"""
