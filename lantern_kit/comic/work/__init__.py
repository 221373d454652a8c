"""The objects people hold in a notebook, bound to a workspace; each shows itself as a cell's last line.

comic        comics, chapters and units: read, render, check, history, restore
editing      the block in which a person edits    things   what is edited inside it
proposal     proposals: before and after, the changes in words, the verdict
show         how they show themselves: HTML, plain text, static pictures
host         what all of them need of their workspace
"""
