"""A novel as its desk shows it: plain data, worked out from one revision.

outline   chapters, people, foreshadows, revisions of the plan      prose    what is committed, and places in it
ledger    instructions, what came of each and where                 standing whether it goes on, and what it took
controls  what a person may do now, and why not the rest            words    both languages      still   the static form
"""
