"""The work as a file, pinned to one revision: from the bodies themselves, whole or not at all (seed 004, 14.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.files import replacing
from lantern_kit.novel.edition import Edition, edition
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.service import Moment, NovelService


class Form(StrEnum):
    """What a novel can leave as."""

    MARKDOWN = "markdown"
    """One file."""
    ZIP = "zip"
    """Metadata, outline, chapters, counting policy."""
    EPUB = "epub"
    DOCX = "docx"


SUFFIXES = {".md": Form.MARKDOWN, ".zip": Form.ZIP, ".epub": Form.EPUB, ".docx": Form.DOCX}


@dataclass(frozen=True)
class Exported:
    """A file that was written."""

    path: Path
    form: Form
    novel: str
    revision: str
    """``r41``, the one it is pinned to."""
    content_revision: int
    finished: bool
    chapters: int
    characters: int
    size: int
    """Bytes."""
    sha256: str


def edition_of(service: NovelService, novel: str, revision: int | None = None) -> Edition:
    """A novel with its prose at one revision; None: where it stands now.

    Raises NotFound, NovelStorageCorruption.
    """
    moment = service.head(novel) if revision is None else service.at(revision)
    if moment.revision.line != novel:
        raise NotFound(f"{moment.id} is no revision of {novel[:40]}", ids=[moment.id, novel[:40]])
    made = edition(
        moment.novel,
        moment.id,
        moment.revision.at,
        lambda commit: service.paragraphs(moment.novel, commit),
    )
    _require_whole(made, moment)
    return made


def export_novel(
    service: NovelService, novel: str, path: Path, *, form: Form | None = None, revision: int | None = None
) -> Exported:
    """Write a novel to a file, which is there as a whole or not at all; an older one of that name is replaced.

    Args:
        form: None: as the file's name ends.
        revision: None: where it stands when this is called.

    Raises BadInput, NotFound, NovelStorageCorruption.
    """
    chosen = form_of(path) if form is None else form
    made = edition_of(service, novel, revision)
    data = writer(chosen)(made)
    with replacing(path) as file:
        file.write(data)
    head = made.novel.head
    return Exported(
        path=path,
        form=chosen,
        novel=head.id,
        revision=made.revision,
        content_revision=head.content_revision,
        finished=made.finished,
        chapters=len(made.parts),
        characters=head.characters,
        size=len(data),
        sha256=digest(data).hex(),
    )


def form_of(path: Path) -> Form:
    """The form that a file's name asks for. Raises BadInput."""
    found = SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise BadInput(
            "the file's name does not say in which form the novel is wanted",
            expected=", ".join(SUFFIXES),
            found=path.suffix or "no ending",
            recovery="Give the file one of those endings.",
        )
    return found


def _require_whole(made: Edition, moment: Moment) -> None:
    """Refuse prose that is not all there is, so that nothing incomplete looks whole. Raises NovelStorageCorruption."""
    head = moment.novel.head
    pieces = {source.partition(":")[0] for part in made.parts for scene in part.sections for source in scene.sources}
    characters = sum(part.characters for part in made.parts)
    if (len(pieces), characters) != (head.commits, head.characters):
        raise NovelStorageCorruption(
            "the chapters do not hold all prose that was committed",
            expected=f"{head.commits} commits, {head.characters} characters",
            found=f"{len(pieces)} commits, {characters} characters",
            ids=[head.id, moment.id],
        )


def writer(form: Form) -> Callable[[Edition], bytes]:
    """What sets an edition in a form; its module is imported when it is asked for."""
    if form is Form.MARKDOWN:
        from lantern_kit.novel.formats.markdown import novel_markdown

        return lambda made: novel_markdown(made).encode()
    if form is Form.ZIP:
        from lantern_kit.novel.formats.bundle import novel_zip

        return novel_zip
    if form is Form.EPUB:
        from lantern_kit.novel.formats.epub import novel_epub

        return novel_epub
    from lantern_kit.novel.formats.docx import novel_docx

    return novel_docx
