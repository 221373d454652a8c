"""What a good page should not have: findings of severity ``warning`` and ``note``. None of them ever refuses an edit.

Warnings are looked for on every edit, and are cheap: what is known of one object is remembered. Notes are for whoever
asks (``Checker.study``), since taste decides them; the one exception is a sound past the safe area.
"""

from lantern_kit.comic.checks.checker import Checker, check_unit
from lantern_kit.comic.checks.seen import PictureShelf, PictureSize

__all__ = ["Checker", "PictureShelf", "PictureSize", "check_unit"]
