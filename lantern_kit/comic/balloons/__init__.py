"""Balloons as plain geometry: no drawing library is needed.

body: the outline of each shape · tails: what points at a speaker · room: where words may stand inside an outline
"""
