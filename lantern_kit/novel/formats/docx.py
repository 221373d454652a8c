"""A novel as a word processor's document (Office Open XML): headings for titles, one paragraph for each paragraph.

The same revision gives the same bytes: times are the revision's.
"""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape

from lantern_kit.novel.edition import Edition, language_tag
from lantern_kit.novel.formats.archive import packed

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_TYPES = f"""{_HEAD}<Types xmlns="{_PARTS}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="{_WORD_TYPE}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="{_WORD_TYPE}.styles+xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>
"""
_RELATIONS = f"""{_HEAD}<Relationships xmlns="{_PARTS}/relationships">
<Relationship Id="r1" Type="{_OFFICE}/relationships/officeDocument" Target="word/document.xml"/>
<Relationship Id="r2" Type="{_PARTS}/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>
"""
_DOCUMENT_RELATIONS = f"""{_HEAD}<Relationships xmlns="{_PARTS}/relationships">
<Relationship Id="r1" Type="{_OFFICE}/relationships/styles" Target="styles.xml"/>
</Relationships>
"""
_STYLES = f"""{_HEAD}<w:styles xmlns:w="{_WORDS}">
<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/><w:lang w:val="TAG" w:eastAsia="TAG"/></w:rPr></w:rPrDefault>
<w:pPrDefault><w:pPr><w:spacing w:line="360" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Prose"><w:name w:val="Body Text"/><w:basedOn w:val="Normal"/>
<w:pPr><w:ind w:firstLine="480"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>
<w:pPr><w:spacing w:before="2400" w:after="480"/><w:jc w:val="center"/></w:pPr>
<w:rPr><w:sz w:val="48"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Subtitle"><w:name w:val="Subtitle"/><w:basedOn w:val="Normal"/>
<w:pPr><w:jc w:val="center"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/>
<w:next w:val="Prose"/><w:pPr><w:keepNext/><w:pageBreakBefore/><w:spacing w:before="480" w:after="480"/>
<w:jc w:val="center"/><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Scene"><w:name w:val="Scene break"/><w:basedOn w:val="Normal"/>
<w:pPr><w:spacing w:before="240" w:after="240"/></w:pPr></w:style>
</w:styles>
"""


def novel_docx(made: Edition) -> bytes:
    """A novel as DOCX; an unfinished one says so under its title and in its properties."""
    tag = language_tag(made.novel)
    return packed(
        [
            ("[Content_Types].xml", _TYPES.encode()),
            ("_rels/.rels", _RELATIONS.encode()),
            ("docProps/core.xml", _properties(made, tag).encode()),
            ("word/document.xml", _document(made).encode()),
            ("word/styles.xml", _STYLES.replace("TAG", tag).encode()),
            ("word/_rels/document.xml.rels", _DOCUMENT_RELATIONS.encode()),
        ]
    )


def _document(made: Edition) -> str:
    blocks = [_paragraph("Title", made.title)]
    blocks += [_paragraph("Subtitle", line) for line in made.cover]
    for part in made.parts:
        blocks.append(_paragraph("Heading1", part.title))
        for number, section in enumerate(part.sections):
            blocks += ['<w:p><w:pPr><w:pStyle w:val="Scene"/></w:pPr></w:p>'] if number else []
            blocks += [_paragraph("Prose", text) for text in section.paragraphs]
    return "\n".join(
        [
            f'{_HEAD}<w:document xmlns:w="{_WORDS}"><w:body>',
            *blocks,
            (
                '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>'
                '<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"'
                ' w:gutter="0"/></w:sectPr></w:body></w:document>'
            ),
            "",
        ]
    )


def _paragraph(style: str, text: str) -> str:
    return (
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t xml:space="preserve">{_text(text)}</w:t></w:r></w:p>'
    )


def _properties(made: Edition, tag: str) -> str:
    at = datetime.fromtimestamp(made.committed_at // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    when = 'xsi:type="dcterms:W3CDTF"'
    return "\n".join(
        [
            (
                f'{_HEAD}<cp:coreProperties xmlns:cp="{_PARTS}/metadata/core-properties"'
                ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
                ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
            ),
            f"<dc:title>{_text(made.title)}</dc:title>",
            f"<dc:creator>{_text(made.novel.head.created_by)}</dc:creator>",
            f"<dc:description>{_text(made.notice)}</dc:description>",
            f"<dc:language>{tag}</dc:language>",
            f"<cp:contentStatus>{'Final' if made.finished else 'Draft'}</cp:contentStatus>",
            f"<cp:version>{made.revision}</cp:version>",
            f"<dcterms:created {when}>{at}</dcterms:created>",
            f"<dcterms:modified {when}>{at}</dcterms:modified>",
            "</cp:coreProperties>",
            "",
        ]
    )


def _text(text: str) -> str:
    return escape(text, quote=False)
