"""What a Tab offers in the magic words.

matcher    hears of every line, and answers in those two alone      suggestion   what may be meant
commands   words and options of ``%lantern``      questions   tables, columns and words of ``%%lantern_sql``
ids        names in the workspace that is meant
"""
