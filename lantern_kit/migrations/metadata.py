"""All tables of all kinds, for migrations to be compared with."""

import lantern_kit.assets
import lantern_kit.comic.tables
import lantern_kit.kernel.telemetry
import lantern_kit.library.tables
import lantern_kit.novel.tables
from lantern_kit.kernel.tables import METADATA

__all__ = ["METADATA"]

_REGISTERED = (
    lantern_kit.assets,
    lantern_kit.comic.tables,
    lantern_kit.kernel.telemetry,
    lantern_kit.library.tables,
    lantern_kit.novel.tables,
)
