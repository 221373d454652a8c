"""The words of a chapter as one text, in and out, kept in step with its balloons by their ids.

model                 units, panels and lines as values
tongues, cues, words  how languages call the parts, who says a line and how, what needs a backslash
headings, building    what both readers have in common; faults: told with their lines
markdown, fountain    the two texts, each read and written
of_book               the script of a chapter
applying …            a script written back: see that module; speakers: how names are spelt there
"""

from lantern_kit.comic.script.forms import Form, read_script, write_script
from lantern_kit.comic.script.model import MOST_TEXT, Line, Panel, Script, Sheet, Voice

__all__ = ["MOST_TEXT", "Form", "Line", "Panel", "Script", "Sheet", "Voice", "read_script", "write_script"]
