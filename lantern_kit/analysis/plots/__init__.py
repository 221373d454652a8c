"""Ready pictures of who edited what, and when, drawn with matplotlib from the analysis tables.

heatmap    edit_heatmap: a chapter's units against its history, with who did it along the edges
timeline   activity_timeline: agents' calls in time, idle hours folded away
look       colours that everybody can tell apart, fonts that know Chinese and Japanese, figures that show themselves
source     what a picture may be drawn from: a chapter, a workspace, or a DuckDB connection
"""

from __future__ import annotations

from lantern_kit.analysis.plots.heatmap import edit_heatmap
from lantern_kit.analysis.plots.timeline import activity_timeline

__all__ = ["activity_timeline", "edit_heatmap"]
