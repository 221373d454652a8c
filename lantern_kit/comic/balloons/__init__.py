"""Balloons as plain geometry: no drawing library is needed.

contour: outlines of curves · body: that of each shape, with ragged, bulges (clouds, thoughts) and burst
tails: what points at a speaker
outline: bodies, tails and necks as one · groups: which balloons are joined · solid: outlines joined, curves kept
room: where words may stand inside an outline · rim: what bulges and spikes take · placing: clear of a spread's gutter
"""
