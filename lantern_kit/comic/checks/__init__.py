"""What a good page should not have: findings of severity ``warning`` and ``note``. None of them ever refuses an edit.

Warnings are looked for on every edit (``check``), and are cheap: what is known of an object is remembered. Notes are
for whoever asks (``study``), since taste decides them; a sound past the safe area is the one that is always told.
"""

from lantern_kit.comic.checks.checker import Checker, check_unit, study_units
from lantern_kit.comic.checks.seen import PictureShelf, PictureSize

__all__ = ["Checker", "PictureShelf", "PictureSize", "check_unit", "study_units"]
