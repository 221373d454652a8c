"""The same unit in two processes that differ in all that should not matter: hash seed, time zone, language, the day."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.model import (
    BalloonShape,
    EffectType,
    Screen,
    Stroke,
    Tail,
    TailStyle,
    TextStyle,
    UnitKind,
    Writing,
)
from tests.render.pages import UNIT, Maker, page, rect
from tests.render.test_part import rich

DAY = """
import datetime, sys, time
class Another(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2031, 12, 31, 23, 59, 58, tzinfo=tz)
    utcnow = today = now
if sys.argv[1] != "today":
    datetime.datetime = Another
    later = float(sys.argv[1])
    now, nanoseconds = time.time, time.time_ns
    time.time = lambda: now() + later
    time.time_ns = lambda: nanoseconds() + int(later * 1e9)
    parts, local = time.gmtime, time.localtime
    time.gmtime = lambda seconds=None: parts(time.time() if seconds is None else seconds)
    time.localtime = lambda seconds=None: local(time.time() if seconds is None else seconds)
    strftime = time.strftime
    time.strftime = lambda form, when=None: strftime(form, time.localtime() if when is None else when)
"""
SCRIPT = """
import hashlib, locale
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    pass
from lantern_kit.comic.render import RenderCache, render_unit
from lantern_kit.imaging.encode import encode_tiff, encode_webp
from tests.render.pages import CHAPTER, pictures
from tests.render.test_same_bytes import units

def digest(data):
    print(hashlib.sha256(data).hexdigest())

for unit in units():
    drawn = render_unit(unit, CHAPTER, pictures, scale=6, bleed=True, cache=RenderCache())
    digest(drawn.pixels.tobytes())
    digest(drawn.png())
    digest(drawn.png(fast=False))
    digest(encode_webp(drawn.pixels, dpi=300))
    digest(encode_tiff(drawn.pixels, dpi=300))
    digest(encode_tiff(drawn.pixels[..., 1] > 127, dpi=300))
    if drawn.opaque:
        digest(drawn.jpeg())
    digest(repr((drawn.objects, drawn.missing, drawn.visible)).encode())
"""


def units() -> list[Any]:
    """Units with everything that can be drawn."""
    make = Maker()
    objects: list[Any] = []
    for place, shape in enumerate(shape for shape in BalloonShape if shape is not BalloonShape.PATH):
        x, y = 2 + 33 * (place % 3), 2 + 26 * (place // 3)
        tail = Tail(tip=((x + 30) * 1_000, (y + 24) * 1_000), bend=200_000, style=list(TailStyle)[place % 2])
        style = TextStyle(
            writing=list(Writing)[place % 2], language="ja" if place % 2 else "en", outline=Stroke(width=300)
        )
        words = "{月|つき}は12時に…[昇]{.dots}る！" if place % 2 else "[Every]{.bold} night, yes — “read” the label."
        objects.append(make.balloon(x, y, 30, 20, words, shape=shape, tails=(tail,), style=style, seed=place + 1))
    last = objects[-1]
    objects.append(make.balloon(60, 60, 30, 18, "joined", joined=last.id))
    for place, effect in enumerate(EffectType):
        box = rect(1 + 16 * place, 90, 15, 22)
        objects.append(make.effect(UNIT, effect, box=box, seed=place + 3, pitch=700, density=400_000))
    for place, screen in enumerate(Screen):
        box = rect(1 + 33 * place, 115, 32, 22)
        tone = make.effect(
            UNIT, EffectType.TONE, box=box, screen=screen, pitch=600, density=100_000, density_to=700_000
        )
        objects.append(tone)
    sound = TextStyle(font="sound", size=14_000, colour="#ffd23f", outline=Stroke(width=900))
    objects.append(make.text(20, 40, 60, 30, "FWOOM", style=sound, rotate=-9_000, arc=40_000, skew=8_000))
    return [rich(), rich(UnitKind.SPREAD, "#c0804060"), page(*objects)]


def digests(day: str, **settings: str) -> list[str]:
    """What a fresh process makes of the units."""
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONHASHSEED"))}
    done = subprocess.run(
        [sys.executable, "-c", DAY + SCRIPT, day],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**keep, **settings},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def here() -> list[str]:
    return digests("today", PYTHONHASHSEED="1", TZ="UTC", LANG="C.UTF-8")


def test_the_same_units_give_the_same_bytes_in_another_process(here: list[str]) -> None:
    assert len(here) == 3 * 8 - 1
    assert len(set(here)) == len(here)
    assert digests("today", PYTHONHASHSEED="2", TZ="UTC", LANG="C.UTF-8") == here


def test_they_give_them_on_another_day_in_another_place_and_language(here: list[str]) -> None:
    elsewhere = {"PYTHONHASHSEED": "4242", "TZ": "Asia/Tokyo", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"}
    assert digests("200000000", **elsewhere) == here
