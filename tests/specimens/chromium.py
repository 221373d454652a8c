"""Chromium as a typesetter: the same words in the same fonts, set by CSS, and measured."""

from __future__ import annotations

import html
import io
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lantern_kit.comic.markup import Look, parse
from lantern_kit.comic.model import TextStyle, Writing
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts

SITE = "http://letterer.test/"
"""No host: every request is answered from here."""

SOLID = ("ja", "zh", "ko")
"""Languages whose characters are set solid: their fonts' kerning is for proportional kana (JLREQ 2.1.2)."""

MEASURE = """() => {
  const found = [], body = document.getElementById('words');
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT,
    node => node.parentElement.closest('rt') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  for (let node; node = walker.nextNode();) {
    let at = 0;
    for (const character of node.data) {
      const range = document.createRange();
      range.setStart(node, at); range.setEnd(node, at += character.length);
      const boxes = range.getClientRects(), box = boxes[boxes.length - 1];
      found.push(box ? [box.left, box.top, box.right, box.bottom] : null);
    }
  }
  return found;
}"""
SHOW = """([block, language, html]) => {
  const words = document.getElementById('words');
  words.parentElement.removeAttribute('style');
  words.style.cssText = block;
  words.lang = language;
  words.innerHTML = html;
  document.body.offsetWidth;  // fonts are asked for by the layout
  return document.fonts.ready.then(() => undefined);
}"""
RULES = (
    "body { margin: 20px; background: #fff; color: #000 } rt { font-size: 50% } .bold { font-weight: bold } "
    ".tcy { text-combine-upright: all } .upright { text-orientation: upright } "
    ".dots { text-emphasis: filled dot } .sesame { text-emphasis: filled sesame }"
)
READINGS = """() => Array.from(document.querySelectorAll('#words rt'), item => {
  const range = document.createRange(); range.selectNodeContents(item);
  const box = range.getBoundingClientRect();
  return [item.textContent, box.left, box.top, box.right, box.bottom];
})"""

Box = tuple[float, float, float, float]


class Setting(NamedTuple):
    """Words as Chromium set them."""

    text: str
    boxes: tuple[Box | None, ...]
    """What each character takes, in pixels: left, top, right, bottom; None where it takes nothing."""


class Chromium:
    """One page of a browser that sets whatever it is given.

    Args:
        page: a Playwright page of its own.
        fonts: where the faces' files come from; Chromium gets the very same files.
    """

    def __init__(self, page: Any, fonts: Fonts | None = None) -> None:
        self.page = page
        self.density = float(page.evaluate("() => devicePixelRatio"))
        """Pixels of a picture over those of CSS."""
        self.fonts = fonts or packaged_fonts()
        self._files: dict[str, Path] = {}
        self._loaded: tuple[Path, ...] = ()
        page.route(SITE + "**", self._answer)
        page.goto(SITE)

    def _answer(self, route: Any) -> None:
        name = route.request.url.removeprefix(SITE)
        if name in self._files:
            route.fulfill(path=self._files[name], content_type="font/otf")
        else:
            route.fulfill(body="<!doctype html><meta charset=utf-8>", content_type="text/html")

    def set(
        self, words: str, style: TextStyle, *, size: float = 40, length: str = "max-content", css: str = ""
    ) -> Setting:
        """Set marked words in one block and measure them.

        Args:
            words: as they stand in a balloon, with their marks.
            style: font, weight, slant, language and writing are taken from it.
            size: em size in pixels.
            length: CSS length of a line; ``0`` breaks wherever it may.
            css: more declarations for the block.
        """
        self.show(words, style, size=size, length=length, css=css)
        boxes = tuple(None if box is None else tuple(box) for box in self.page.evaluate(MEASURE))
        text = parse(words).text
        assert len(boxes) == len(text), (len(boxes), len(text), words)
        return Setting(text, boxes)

    def readings(self) -> list[tuple[str, Box]]:
        """Ruby of what was set last, and where it stands."""
        return [(text, (left, top, right, bottom)) for text, left, top, right, bottom in self.page.evaluate(READINGS)]

    def picture(self) -> NDArray[np.uint8]:
        """What was set last, in grey: rows, columns."""
        across, down = self.page.evaluate(
            "() => (({ right, bottom }) => [right, bottom])(document.getElementById('words').getBoundingClientRect())"
        )
        clip = {"x": 0, "y": 0, "width": math.ceil(across) + 20, "height": math.ceil(down) + 20}
        shot = self.page.screenshot(clip=clip, full_page=True)
        with Image.open(io.BytesIO(shot)) as opened:
            return np.asarray(opened.convert("L"))

    def show(self, words: str, style: TextStyle, *, size: float, length: str, css: str = "") -> None:
        """Put marked words into the page's one block."""
        self._load(tuple(face.path for face in self.fonts.choice(style).faces))
        families = ", ".join(_family(path) for path in self._loaded)
        vertical = style.writing is Writing.VERTICAL
        block = (
            f"writing-mode: {'vertical-rl' if vertical else 'horizontal-tb'}; inline-size: {length}; "
            f"font: {size}px/1.6 {families}; text-orientation: mixed; line-break: strict; hanging-punctuation: none; "
            f"text-spacing-trim: space-all; font-kerning: {'none' if style.language[:2] in SOLID else 'auto'}; "
            f"font-synthesis: none; white-space: pre-wrap; {css}"
        )
        self.page.evaluate(SHOW, [block, style.language, _html(words)])

    def _load(self, files: tuple[Path, ...]) -> None:
        """Have just these faces in the page."""
        if files == self._loaded:
            return
        self._files = {f"{number}-{path.name}": path for number, path in enumerate(files)}
        rules = (
            f"@font-face {{ font-family: {_family(path)}; src: url({json.dumps(SITE + file)}); }}"
            for file, path in self._files.items()
        )
        self.page.set_content(
            f'<!doctype html><meta charset=utf-8><base href="{SITE}"><style>{"".join(rules)} {RULES}</style>'
            "<div id=box><div id=words dir=auto></div></div>"
        )
        self._loaded = files


def _family(path: Path) -> str:
    return f"f{path.stem}"


def _html(words: str) -> str:
    """Marked words as HTML."""
    marked = parse(words)
    opens = {ruby.start: ruby for ruby in marked.rubies}
    looks: list[Look] = []
    for stretch in marked.stretches:
        looks += [stretch.look] * (stretch.end - stretch.start)
    parts: list[str] = []
    at = 0
    while at < len(marked.text):
        ruby = opens.get(at)
        if ruby is not None:
            parts.append("<ruby>")
            pieces = len(ruby.readings)
            for number, reading in enumerate(ruby.readings):
                end = ruby.end if pieces == 1 else ruby.start + number + 1
                parts.append(f"{_dressed(marked.text, looks, at, end)}<rt>{html.escape(reading)}</rt>")
                at = end
            parts.append("</ruby>")
            continue
        end = at + 1
        while end < len(marked.text) and end not in opens and looks[end] == looks[at]:
            end += 1
        parts.append(_dressed(marked.text, looks, at, end))
        at = end
    return "".join(parts)


def _dressed(text: str, looks: list[Look], start: int, end: int) -> str:
    look = looks[start]
    names = [name for name in (look.marks, look.column, "bold" if look.bold else "") if name]
    words = html.escape(text[start:end])
    return f'<span class="{" ".join(names)}">{words}</span>' if names else words
