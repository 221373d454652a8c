"""Words into the real shape of their balloon, in lines and in columns. HarfBuzz and ICU; no drawing library is needed.

fonts · characters · standing (in columns) · bidi → items: a text taken apart, each character with its face and script
shaping · spacing · marks (ruby, emphasis) → cells: glyphs that are placed as one, with their blank and their readings
phrases · breaking → composing: pieces that no line ends inside of · block: lines in their room · balancing
fitting: the size · whole: words stay whole before they stay large
placing → layout: every glyph with its place · bent: along an arc · setting: ``set_text`` · legible: too small for print
"""

from __future__ import annotations

from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.comic.typeset.setting import SetText, set_text

__all__ = ["Fonts", "SetText", "packaged_fonts", "set_text"]
