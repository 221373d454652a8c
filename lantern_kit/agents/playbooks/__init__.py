"""What the offline assistant can do: plain functions that look at what tools answered so far, and say what comes next.

talk: what is known at one decision · request: a page out of somebody's words · page: makes it · question: answers ·
phrases: the sentences, in English and Chinese

Names of tools and operations are words of a playbook, as they are words of a model: no kind is imported.
"""
