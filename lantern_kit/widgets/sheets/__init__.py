"""Sheets: pages of a chapter, laid out for a browser. What every widget that shows pages mixes in.

mixin      what browsers ask of pages       lightbox   the same without a browser
sources    which state of a chapter         keys       names by what is drawn: equal key, equal pixels
sheet      one page's areas and objects     facts      what is told of one object      fact_words   its labels
pyramid    levels and their tiles           tiles thumbs      paint them
"""

from lantern_kit.widgets.sheets.mixin import AT_ONCE, Name, SheetArgs, Sheets, TilesArgs, UnitsArgs

__all__ = ["AT_ONCE", "Name", "SheetArgs", "Sheets", "TilesArgs", "UnitsArgs"]
