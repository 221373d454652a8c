"""Ready pictures of what happened, drawn with matplotlib from the analysis tables.

heatmap, churn         edit_heatmap: a chapter's units against its history; churn: which are gone over again, by whom
lead_time, rejections  from draft to verdict: how long it takes; what was rejected, and in which words
cost, timeline         cost_of_change: calls and answers per accepted change; activity_timeline: agents' calls in time
turns                  agent_turns: what the kit's own agents spent time and tokens on
novel                  novel_progress: how a novel grew, what is written of each chapter and what was planned
layout                 a chapter's frames, gutters, balloons and way of reading
look, source, strips   what all share: colours that everybody can tell apart, fonts that know Chinese; where from
"""

from __future__ import annotations

from lantern_kit.analysis.plots.churn import churn
from lantern_kit.analysis.plots.cost import cost_of_change
from lantern_kit.analysis.plots.heatmap import edit_heatmap
from lantern_kit.analysis.plots.layout import layout
from lantern_kit.analysis.plots.lead_time import lead_time
from lantern_kit.analysis.plots.novel import novel_progress
from lantern_kit.analysis.plots.rejections import rejections
from lantern_kit.analysis.plots.timeline import activity_timeline
from lantern_kit.analysis.plots.turns import agent_turns

__all__ = [
    "activity_timeline",
    "agent_turns",
    "churn",
    "cost_of_change",
    "edit_heatmap",
    "layout",
    "lead_time",
    "novel_progress",
    "rejections",
]
