"""The document kind "novel": a story that an author writes unit by unit, each committed once (seed 004).

model whole            frozen records, and a novel in memory
errors finding         what can be wrong
count                  how characters are counted
plan edit/ canon       the outline as authors send it; pure functions from novel to novel; what is true
validate completion    what makes a novel broken, and what keeps it from being finished
store service authors  bound to the journal: one advance is the only commit point, one author at a time
edition projection     chapters as they are read; Markdown files and status.json, made of commits alone
search words findable  paragraphs and facts by their words; deviation: what can be wrong with what was projected
formats/ export        the work as a file, pinned to one revision        projectors   what of it becomes tables
"""
