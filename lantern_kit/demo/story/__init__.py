"""The story, as data: which pictures it needs and the change sets that draw it.

home, sky, moon   the three units: layout, pictures, words
second            what the second proposal changes
"""

from __future__ import annotations

from lantern_kit.demo.script import Part, Source
from lantern_kit.demo.story.home import HOME
from lantern_kit.demo.story.moon import MOON
from lantern_kit.demo.story.second import SECOND, SOUGHT, SUMMARY
from lantern_kit.demo.story.sky import SKY

__all__ = ["COMIC", "PARTS", "PICTURES", "PROPOSED", "SECOND", "SOUGHT", "SUMMARY", "TITLE"]

COMIC = "Chelsea Goes Up"
TITLE = "Two stars"
PROPOSED = "Chelsea Goes Up, complete: a page at home, a spread on the way, a page on the Moon."

PICTURES = (
    Source("coffee", "coffee"),
    Source("chelsea", "chelsea"),
    Source("chelsea-cut", "chelsea", cut=True),
    Source("astronaut", "astronaut"),
    Source("astronaut-cut", "astronaut", cut=True),
    Source("rocket", "rocket"),
    Source("rocket-cut", "rocket", cut=True),
    Source("moon", "moon"),
    Source("hubble_deep_field", "hubble_deep_field"),
    Source("retina", "retina"),
)

PARTS = (Part("home", HOME), Part("spread", SKY), Part("last", MOON))
