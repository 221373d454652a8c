"""The library of a workspace: characters, scenes, props, styles and page layouts that works keep to.

entry      what is kept of one: its content, its versions
tables     where
lookup     what names and words mean
service    keep, update, restore, find, resolve, archive
records    the check of it
"""

from lantern_kit.library.entry import Content, Entry, Kind, Look, Sheet, Version
from lantern_kit.library.service import Library

__all__ = ["Content", "Entry", "Kind", "Library", "Look", "Sheet", "Version"]
