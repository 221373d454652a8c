from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from lantern_kit.novel.edition import Part, Section
from lantern_kit.novel.formats.markdown import chapter_text
from lantern_kit.novel.prose import _FORBIDDEN

PIECES = (
    *(
        "#",
        "##",
        "# ",
        "> ",
        ">",
        "- ",
        "-",
        "+ ",
        "* ",
        "*",
        "**",
        "_",
        "__",
        "1. ",
        "12) ",
        "`",
        "```",
        "~~~",
        "~~",
        "==",
        "--",
    ),
    *(
        "---",
        "***",
        "===",
        "[a](b)",
        "[a]: b",
        "![",
        "]",
        "<b>",
        "</p>",
        "<!-- ",
        " -->",
        "<?",
        "&amp;",
        "&#65;",
        "&",
        "|a|b|",
    ),
    *(
        "\\",
        "\\\\",
        "\\(",
        "$",
        "$$",
        "x",
        "灯塔",
        "　",
        " ",
        "  ",
        "http://a.b",
        "www.a.b",
        "<a@b.c>",
        ":::",
        "{x}",
        "“",
        "!",
        "^",
        "%",
    ),
)
PARAGRAPH = (
    st.one_of(
        st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join),
        st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30),
    )
    .map(lambda text: _FORBIDDEN.sub("", text).strip())
    .filter(bool)
)
TITLE = PARAGRAPH.filter(str.isprintable)


class Seen(HTMLParser):
    """What a browser would show: (tag, text) of headings and paragraphs, and names of all other elements."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[str, str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "a" and self.inside:
            return  # an address that a reader may follow is still its own text
        self.inside = tag in {"h1", "p"}
        self.blocks.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag == "a"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.blocks[-1] = (self.blocks[-1][0], self.blocks[-1][1] + data)

    def handle_comment(self, data: str) -> None:
        self.blocks.append(("comment", data))


def seen(html: str) -> list[tuple[str, str]]:
    read = Seen()
    read.feed(html)
    read.close()
    return read.blocks


COMMONMARK, TABLES = MarkdownIt("commonmark"), MarkdownIt("js-default")
NOTEBOOKS = MarkdownWithMath(renderer=IPythonRenderer(escape=False, exclude_anchor_links=True))


def chapter(title: str, paragraphs: list[str]) -> str:
    section = Section("sc_one00000", tuple(f"cm_one00000:{at}" for at in range(len(paragraphs))), tuple(paragraphs))
    return chapter_text(Part("cp_one00000", 1, title, False, (section, section), 0, 0))


@given(TITLE, st.lists(PARAGRAPH, min_size=1, max_size=4))
@example("#", ["# #", "1. x", "1) x", "- x", "+ x", "=== ", "    code", "~~~"])
@example(
    "Title ##", ["\\# \\(x\\) \\\\[y\\\\] $x$ $$y$$ \\begin{a}", "&lt; &#60; <b>&copy;</b>", "a\\", "|a|b|", "|-|-|"]
)
def test_paragraphs_keep_their_text_whatever_they_look_like(title: str, paragraphs: list[str]) -> None:
    paragraphs = [paragraph.strip() for paragraph in paragraphs]
    text = chapter(title, paragraphs)
    block = [("p", paragraph) for paragraph in paragraphs]
    wanted = [("h1", title), *block, ("hr", ""), *block]
    for render in (COMMONMARK.render, TABLES.render):
        assert seen(render(text)) == wanted
    assert seen(NOTEBOOKS.render(text)) == wanted


@pytest.mark.parametrize("source", ["$x$", "\\(x\\)", "\\[x\\]", "\\begin{a}x\\end{a}", "$$x$$"])
def test_notebooks_take_nothing_for_a_formula(source: str) -> None:
    delimiters = re.compile(r"\\\\[(\[]|\\(?:begin|end)\{|(?<!\\)\$")  # what JupyterLab looks for before it renders
    assert not delimiters.search(chapter("x", [source]))
