"""The objects people hold in a notebook, bound to a workspace; each shows itself as a cell's last line.

comic, unit        Comic, Chapter and its units: read, render, check, history, restore
editing            the block in which a person edits, and the things inside it
proposal           proposals: before and after, the changes in words, the verdict
show               how they show themselves: HTML, plain text, static pictures
"""
