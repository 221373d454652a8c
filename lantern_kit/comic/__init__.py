"""The comic document kind, from the bottom up; each line may import those above it, seldom its own.

model; book: a chapter in memory; change, finding, brief, blamed: rows and lists of it; measure, sequence, markup
geometry, placement, knife: numbers and shapes; balloons: their outlines; layout: frames and the edges they share
edit: operations; validate; diff, merge, pick, contract, needs, parts: differences; handle, reference: names of things
annotation, anchor, touch, tally: what people wrote and changed, and what it holds on to
typeset: words into shapes; render: pixels; checks, faults: what a good page lacks; formats: files
words, telling, phrases, choices, found: told to people and agents; scope: what their words mean
task_links, annotation_rows; tables; store, keychain, reviewers: in the journal; shelf, uses: the library in it
projectors; unit_, annotation_, review_, library_projectors: what of it becomes tables for analysis
service, renderer, approvals, inventory, entry_sheet; locks, conflicts, planning; drafts, verdict; taking
proposal, candidate; proposals, candidates, annotations, follow_up; blame, latest, locate, certificate; audit, records
candidate_records; export; capabilities: what callers may ask for; work: the objects that people hold
"""
