"""What HistoryView is made of.

past step    a chapter's revisions with all that hangs on them, damaged ones too     soundness    whether they hold
look weave   filters, folded runs, rows                                              lanes        the graph
difference   what lies between two revisions, in words     telling    as the browser is told
going_back   restore, pick, undo, redo, save               still      the static form
"""
