"""The command line: it translates, and decides nothing.

app                      the commands under one name, and the entry point
guard                    errors as people read them, and exit codes
place, person, screen    which workspace, who sits at the terminal, what is printed
words                    the sentences it says, by language
start, chapter, proposal, health, query, host (skill), studio, story    the commands, a noun a file
"""

from lantern_kit.cli.app import main

__all__ = ["main"]
