"""The document kind "novel": a story that an author writes unit by unit, each committed once (seed 004).

model whole            frozen records, and a novel in memory
errors finding         what can be wrong        count prose length     how prose is counted, kept and shared out
plan content sent      what authors and people send        edit/     pure functions from novel to novel
schedule completion    what is to be done next, and what keeps it from being finished        canon     what is true
store service authors  bound to the journal: one advance is the only commit point, one author at a time
desk turns controls    an author's deeds, the kit's, a person's        creation records     begun from cards; checked
host reading brief material  the port to whoever writes, what they may read, what they are told, others' words fenced
driver watch steps      who asks them turn by turn, and what that tells    pace    where a story is
offline/                a stand-in for whoever writes
edition projection     chapters as they are read; Markdown files and status.json, made of commits alone
search words findable  paragraphs and facts by their words; deviation: what can be wrong with what was projected
formats/ export        the work as a file, pinned to one revision        projectors   what of it becomes tables
"""
