"""Words into the real shape of their balloon. HarfBuzz and ICU; no drawing library is needed.

fonts → shaping → breaking → fitting → setting (set_text, SetText): characters to glyphs, to lines, to places
"""

from __future__ import annotations

from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.comic.typeset.setting import SetText, set_text

__all__ = ["Fonts", "SetText", "packaged_fonts", "set_text"]
