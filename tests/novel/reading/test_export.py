from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest
from lxml import etree
from markdown_it import MarkdownIt

from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.export import Form, export_novel
from lantern_kit.novel.model import Source
from lantern_kit.novel.plan import Plan
from tests.novel.reading.pages import begun, say
from tests.novel.stage import Stage, config

ODD = [
    "<b>&amp; \"quoted\" 'text' ]]> --> <!-- & &lt;",
    "two  blanks,\u00a0no break\u2003em\u200bzero\u200djoin\ufeffbom\u00adsoft",
    "# 1. - > ``` $x$ \\(y\\) | a | b |",
    "𠮷野家 e\u0301 é ﬁ 🙂🏽\u200d👩 \u202eabc\u202c \U000f0000 \U0001ffff \u0378",
    "…“——”、。『』",
]
"""Paragraphs that some writer of some format loses or changes."""
FORMS = list(Form)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Stage]:
    held = begun(tmp_path / "ws", scenes=2)
    say(held, ODD)
    say(held, ["Half a scene."], done=False)
    yield held
    held.close()


def canon(made: Stage, revision: int | None = None) -> list[str]:
    novel = made.novel if revision is None else made.service.at(revision).novel
    units = [unit for _, unit in novel.reading()]
    return [text for unit in units if unit.commit for text in made.service.paragraphs(novel, unit.commit.id)]


def files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {item.filename: archive.read(item) for item in archive.infolist()}


def exported(made: Stage, form: Form, *, novel: str | None = None, revision: int | None = None) -> bytes:
    """The bytes of the file that a novel leaves as."""
    target = made.ws.path.parent / "exported"
    return export_novel(made.service, novel or made.novel_id, target, form=form, revision=revision).path.read_bytes()


def paragraphs_of(form: Form, data: bytes) -> list[str]:
    """The prose of an export, read by others' readers."""
    if form is Form.DOCX:
        return [item.text for item in docx.Document(io.BytesIO(data)).paragraphs if item.style.name == "Body Text"]
    if form is Form.MARKDOWN:
        return _markdown(data.decode())
    held = files(data)
    if form is Form.ZIP:
        listed = json.loads(held["metadata.json"])["chapters"]
        return [text for item in listed for text in _markdown(held[item["file"]].decode())]
    found = []
    package = etree.fromstring(held["EPUB/package.opf"])
    names = {item.get("id"): item.get("href") for item in package.iterfind(".//{*}item")}
    for item in package.iterfind(".//{*}itemref"):
        page = etree.fromstring(held[f"EPUB/{names[item.get('idref')]}"])
        found += ["".join(text.itertext()) for text in page.iterfind(".//{*}p") if text.get("class") is None]
    return found


def _markdown(text: str) -> list[str]:
    tokens = MarkdownIt("commonmark").parse(text)
    opened = [at for at, token in enumerate(tokens) if token.type == "paragraph_open" and token.level == 0]
    return ["".join(item.content for item in tokens[at + 1].children or ()) for at in opened]


@pytest.mark.parametrize("form", FORMS)
def test_every_paragraph_of_the_canon_is_in_every_form_as_it_was_written(made: Stage, form: Form) -> None:
    found = paragraphs_of(form, exported(made, form))
    assert found == canon(made) == [*ODD, "Half a scene."]


@pytest.mark.parametrize("form", FORMS)
def test_the_same_revision_gives_the_same_bytes_while_the_novel_goes_on(
    made: Stage, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = made.service.head(made.novel_id).revision.number
    first = exported(made, form)
    say(made, ["The rest of it."])
    first_chapter = next(iter(made.novel.chapters))
    made.ann.instruct("Rename it.", message="m1")
    made.plan(Plan.model_validate({"chapters": [{"id": first_chapter, "title": "Another"}]}))
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert exported(made, form, revision=now) == first
    later = exported(made, form)
    assert later != first
    assert paragraphs_of(form, later) == [*canon(made, now), "The rest of it."]


def test_an_unfinished_work_says_so_in_its_text_and_of_itself(made: Stage, tmp_path: Path) -> None:
    revision = made.service.head(made.novel_id).id
    notice = f"Unfinished: 0 of 2 chapters are complete, as of revision {revision}."
    markdown = exported(made, Form.MARKDOWN).decode()
    assert f"\n> {notice}\n" in markdown and f"{revision}, content revision 3, unfinished" in markdown
    held = files(exported(made, Form.ZIP))
    facts = json.loads(held["metadata.json"])
    assert (facts["status"], facts["notice"], facts["revision"]) == ("unfinished", notice, revision)
    book = files(exported(made, Form.EPUB))
    assert "Written by bot." in book["EPUB/title.xhtml"].decode() and "\n> Written by bot.\n" in markdown
    assert notice in book["EPUB/title.xhtml"].decode() and notice in book["EPUB/package.opf"].decode()
    document = docx.Document(io.BytesIO(exported(made, Form.DOCX)))
    assert [item.text for item in document.paragraphs][:3] == ["The Lamp", notice, "Written by bot."]
    assert document.core_properties.content_status == "Draft"


def test_a_finished_one_does_not(made: Stage) -> None:
    say(made, ["The rest."], foreshadows=[{"foreshadow": made.made["key"], "move": "planted", "at": 0}])
    made.complete()
    say(made, ["Chapter two."], foreshadows=[{"foreshadow": made.made["key"], "move": "resolved", "at": 0}])
    say(made, ["The end."])
    made.complete()
    made.finish()
    for form in FORMS:
        data = exported(made, form)
        assert paragraphs_of(form, data) == [*ODD, "Half a scene.", "The rest.", "Chapter two.", "The end."]
        shown = data if form is Form.MARKDOWN else b"".join(files(data).values())
        assert b"nfinished" not in shown and b"Incomplete" not in shown and b"Draft" not in shown


def test_a_zip_holds_the_work_and_nothing_private(made: Stage) -> None:
    made.ann.instruct("SECRET instruction.", message="m1")
    made.plan()
    held = files(exported(made, Form.ZIP))
    first = next(iter(made.novel.chapters))
    assert list(held) == ["metadata.json", "outline.md", "counting.md", f"chapters/0001-{first}.md"]
    assert b"goal 1.1" in held["outline.md"] and b"Mira" in held["outline.md"]
    assert json.loads(held["metadata.json"])["export_version"] == 1
    assert all(b"SECRET" not in data and str(made.ws.path).encode() not in data for data in held.values())


def test_a_zip_says_how_it_was_counted_in_the_language_of_its_novel(made: Stage, tmp_path: Path) -> None:
    assert files(exported(made, Form.ZIP))["counting.md"].startswith(b"# Count policy 1\n")
    chinese = begun(tmp_path / "zh", configured=config(language="zh-Hans"))
    say(chinese, ["灯塔的看守人点亮了灯。"])
    held = files(exported(chinese, Form.ZIP))
    assert held["counting.md"].decode().startswith("# 字数口径 1\n")
    assert "前提" in held["outline.md"].decode()
    chinese.close()


def test_paragraphs_of_a_book_have_the_names_of_the_canon(made: Stage) -> None:
    commit = next(iter(made.novel.commits))
    book = files(exported(made, Form.EPUB))
    page = etree.fromstring(book["EPUB/chapter-0001.xhtml"])
    found: Any = page.xpath("//*[@id=$name]", name=f"{commit}.4")
    assert found[0].text == ODD[4] and str(Source(commit=commit, paragraph=4)) == f"{commit}:4"


def test_a_file_is_written_whole_under_a_name_that_says_its_form(made: Stage, tmp_path: Path) -> None:
    for suffix in (".md", ".zip", ".epub", ".docx"):
        told = export_novel(made.service, made.novel_id, tmp_path / f"lamp{suffix}")
        assert told.path.read_bytes() == exported(made, told.form)
        assert (told.size, told.finished, told.chapters) == (told.path.stat().st_size, False, 1)
    with pytest.raises(BadInput, match="in which form"):
        export_novel(made.service, made.novel_id, tmp_path / "lamp.pdf")
    with pytest.raises(BadInput):
        export_novel(made.service, made.novel_id, tmp_path / "no" / "lamp.md")


def test_damaged_prose_gives_an_error_and_no_file(made: Stage, tmp_path: Path) -> None:
    target, old = tmp_path / "lamp.epub", b"as it was"
    target.write_bytes(old)
    body = next(iter(made.novel.commits.values())).commit
    assert body is not None
    blob = made.ws.path / "blobs" / body.body[:2] / body.body
    blob.write_bytes(blob.read_bytes().replace("野".encode(), "量".encode()))
    with pytest.raises(NovelStorageCorruption):
        export_novel(made.service, made.novel_id, target)
    blob.unlink()
    with pytest.raises(NovelStorageCorruption):
        export_novel(made.service, made.novel_id, target)
    assert target.read_bytes() == old
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_a_revision_of_something_else_is_refused(made: Stage) -> None:
    with pytest.raises(NotFound):
        exported(made, Form.MARKDOWN, novel="nv_other0000")
    now = made.service.head(made.novel_id).revision.number
    with pytest.raises(NotFound, match="no revision of"):
        exported(made, Form.MARKDOWN, novel="nv_other0000", revision=now)
    with pytest.raises(NotFound):
        exported(made, Form.MARKDOWN, revision=99_999)
