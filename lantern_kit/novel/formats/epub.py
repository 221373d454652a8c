"""A novel as EPUB 3.3: one document a chapter, each paragraph under the name it has in the canon.

The same revision gives the same bytes: times are the revision's, the identifier is made of the novel's id.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from html import escape

from lantern_kit.novel.edition import Edition, Part, language_tag, words
from lantern_kit.novel.formats.archive import packed

_WORKS = uuid.UUID("8d1c9a52-3c0b-5d5e-9d53-9f6a0c1f7b1e")
"""The name space of novels' identifiers."""
_RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur", "yi"})
_INDENTED_BY_TWO = frozenset({"zh", "yue"})
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_STYLE = """body { margin: 1em; line-height: 1.6; }
h1 { font-size: 1.4em; margin: 2em 0 1.5em; text-align: center; }
p { margin: 0; text-indent: INDENT; white-space: pre-wrap; }
p.notice { margin: 2em 0; text-align: center; text-indent: 0; }
hr { border: 0; margin: 1em auto; width: 20%; border-top: 1px solid; }
"""


def novel_epub(made: Edition) -> bytes:
    """A novel as an EPUB; an unfinished one says so on its title page and in its metadata."""
    tag = language_tag(made.novel)
    indent = "2em" if tag.partition("-")[0] in _INDENTED_BY_TWO else "1.2em"
    return packed(
        [
            ("mimetype", b"application/epub+zip"),
            ("META-INF/container.xml", _CONTAINER.encode()),
            ("EPUB/package.opf", _package(made, tag).encode()),
            ("EPUB/nav.xhtml", _contents(made, tag).encode()),
            ("EPUB/title.xhtml", _title(made, tag).encode()),
            *((f"EPUB/{_file(part)}", _chapter(part, tag).encode()) for part in made.parts),
            ("EPUB/style.css", _STYLE.replace("INDENT", indent).encode()),
        ],
        plain="mimetype",
    )


def identifier(novel: str) -> str:
    """What a novel is called by libraries, the same in all its revisions."""
    return f"urn:uuid:{uuid.uuid5(_WORKS, novel)}"


def _file(part: Part) -> str:
    return f"chapter-{part.number:04}.xhtml"


def _package(made: Edition, tag: str) -> str:
    modified = datetime.fromtimestamp(made.committed_at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    facts = [
        f'<dc:identifier id="id">{identifier(made.novel.head.id)}</dc:identifier>',
        f"<dc:title>{_text(made.title)}</dc:title>",
        f"<dc:language>{tag}</dc:language>",
        f"<dc:creator>{_text(made.novel.head.created_by)}</dc:creator>",
        *(f"<dc:contributor>{_text(name)}</dc:contributor>" for name in made.writers),
        *([f"<dc:description>{_text(made.notice)}</dc:description>"] if made.notice else []),
        _meta("dcterms:modified", modified),
        _meta("schema:creativeWorkStatus", "Published" if made.finished else "Incomplete"),
        _meta("schema:version", f"{made.revision}, content revision {made.novel.head.content_revision}"),
        _meta("schema:accessMode", "textual"),
        _meta("schema:accessModeSufficient", "textual"),
        _meta("schema:accessibilityFeature", "structuralNavigation"),
        _meta("schema:accessibilityFeature", "tableOfContents"),
        _meta("schema:accessibilityHazard", "none"),
        _meta("schema:accessibilitySummary", "Text alone, in reading order, with headings and a table of contents."),
    ]
    names = ["title.xhtml", *(_file(part) for part in made.parts)]
    items = [
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
        '<item id="style" href="style.css" media-type="text/css"/>',
        *(f'<item id="{_id(name)}" href="{name}" media-type="application/xhtml+xml"/>' for name in names),
    ]
    spine = [f'<itemref idref="{_id(name)}"/>' for name in ("title.xhtml", "nav.xhtml", *names[1:])]
    direction = ' page-progression-direction="rtl"' if _is_right_to_left(tag) else ""
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            (
                '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"'
                f' xml:lang="{tag}" prefix="schema: http://schema.org/">'
            ),
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">',
            *facts,
            "</metadata>",
            "<manifest>",
            *items,
            "</manifest>",
            f"<spine{direction}>",
            *spine,
            "</spine>",
            "</package>",
            "",
        ]
    )


def _contents(made: Edition, tag: str) -> str:
    label = words(made.novel).contents
    entries = [f'<li><a href="title.xhtml">{_text(made.title)}</a></li>']
    entries += [f'<li><a href="{_file(part)}">{_text(part.title)}</a></li>' for part in made.parts]
    marks = [f'<li><a epub:type="toc" href="nav.xhtml">{label}</a></li>']
    if made.parts:
        first = made.parts[0]
        marks.append(f'<li><a epub:type="bodymatter" href="{_file(first)}">{_text(first.title)}</a></li>')
    body = [
        f'<nav epub:type="toc" role="doc-toc" aria-labelledby="contents"><h1 id="contents">{label}</h1>',
        "<ol>",
        *entries,
        "</ol></nav>",
        '<nav epub:type="landmarks" hidden="hidden"><ol>',
        *marks,
        "</ol></nav>",
    ]
    return _page(label, tag, body)


def _title(made: Edition, tag: str) -> str:
    notice = [f'<p class="notice">{_text(line)}</p>' for line in made.cover]
    return _page(
        made.title, tag, [f'<section epub:type="titlepage"><h1>{_text(made.title)}</h1>', *notice, "</section>"]
    )


def _chapter(part: Part, tag: str) -> str:
    body = [
        '<section epub:type="chapter" role="doc-chapter" aria-labelledby="title">',
        f'<h1 id="title">{_text(part.title)}</h1>',
    ]
    for number, section in enumerate(part.sections):
        body += ["<hr/>"] if number else []
        for source, text in zip(section.sources, section.paragraphs, strict=True):
            body.append(f'<p id="{source.replace(":", ".")}">{_text(text)}</p>')
    return _page(part.title, tag, [*body, "</section>"])


def _page(title: str, tag: str, body: list[str]) -> str:
    direction = ' dir="rtl"' if _is_right_to_left(tag) else ""
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<!DOCTYPE html>",
            (
                '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
                f' xml:lang="{tag}" lang="{tag}"{direction}>'
            ),
            (
                f'<head><meta charset="UTF-8"/><title>{_text(title)}</title>'
                '<link rel="stylesheet" type="text/css" href="style.css"/></head>'
            ),
            "<body>",
            *body,
            "</body>",
            "</html>",
            "",
        ]
    )


def _text(text: str) -> str:
    return escape(text, quote=False)


def _meta(name: str, value: str) -> str:
    return f'<meta property="{name}">{_text(value)}</meta>'


def _id(name: str) -> str:
    return name.removesuffix(".xhtml")


def _is_right_to_left(tag: str) -> bool:
    return tag.partition("-")[0].lower() in _RIGHT_TO_LEFT
