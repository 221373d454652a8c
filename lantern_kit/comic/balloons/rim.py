"""What bulges and spikes take of a balloon, so that somebody can say how large it has to be."""

from __future__ import annotations

import math

from lantern_kit.comic.balloons.bulges import CLOUD, THOUGHT, bulge_depth
from lantern_kit.comic.balloons.burst import spike_depth
from lantern_kit.comic.model import BalloonShape


def rim(shape: BalloonShape, inside: int) -> int:
    """What bulges or spikes take on each side of a room with so long a shorter side, in micrometres; 0 without any."""
    taken, side = 0.0, float(max(inside, 1))
    for _ in range(12):  # they grow with the whole balloon, so a few rounds come as near as a micrometre matters
        match shape:
            case BalloonShape.CLOUD:
                taken = bulge_depth(CLOUD, side)
            case BalloonShape.THOUGHT:
                taken = bulge_depth(THOUGHT, side)
            case BalloonShape.BURST:
                taken = spike_depth(side)
            case _:
                return 0
        side = inside + 2 * taken
    return math.ceil(taken)
