"""The objects people hold in a notebook, bound to a workspace; each shows itself as a cell's last line.

works, comic, chapter, unit      what there is to read: render, check, compare, restore      paper   paper by name
editing, things                  the block in which a person edits, and what is edited inside it
proposal, parts, certificate     before and after, the changes in words, the verdict
history, revision, frozen, snapshot, pair, blame      the past: who changed what, when and why
asset, finding, lock, conflict, annotation, activity      pictures, faults, and what people and agents say and do
comparison                       a unit compared as it is drawn: regions, distances, the difference
show, closeup, host      how they show themselves, and what all of them need of their workspace
"""
