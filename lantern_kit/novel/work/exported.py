"""A novel as a file, as people look at it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit import showing as show
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.revision import revision_number
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.export import SUFFIXES, Exported, Form, export_novel, form_of

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host

ENDINGS = {form: suffix for suffix, form in SUFFIXES.items()}


@dataclass(frozen=True)
class ExportWork:
    """A file that was written."""

    facts: Exported
    replaced: bool
    """Whether an older file of that name was there."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.facts.path

    def told(self) -> str:
        """What is in it."""
        held = self.facts
        state = "completed" if held.finished else "unfinished"
        size = f"{counted(held.chapters, 'chapter')}, {counted(held.characters, 'character')}"
        return f"{state} as of {held.revision}: {size}; {held.size:,} bytes"

    def __repr__(self) -> str:
        return f"{self.path}  {self.told()}" + ("; an older file was replaced" if self.replaced else "")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        before = "an older file of that name" if self.replaced else ""
        rows = [
            ("file", str(self.path)),
            ("holds", self.told()),
            ("SHA-256", self.facts.sha256),
            ("replaced", before),
        ]
        return show.bundle(repr(self), show.facts(rows))


def export(host: Host, novel: str, path: str | Path | None, to: str | None, revision: str | int | None) -> ExportWork:
    """Write a novel to a file. Raises BadInput, NotFound, NovelStorageCorruption."""
    form = None if to is None else wanted_form(to)
    target = destination(host, novel, path, form)
    number = revision_number(revision) if isinstance(revision, str) else revision
    replaced = target.exists()
    return ExportWork(export_novel(host.novel_service, novel, target, form=form, revision=number), replaced)


def destination(host: Host, novel: str, path: str | Path | None, form: Form | None) -> Path:
    """The file to write: the one that is named, or one in ``exports/`` that is called by the novel's id.

    Raises BadInput for a name that no form has or another form has, and for a folder that is not there.
    """
    if path is None:
        folder = host.path / "exports"
        folder.mkdir(exist_ok=True)
        return folder / f"{novel}{ENDINGS[form or Form.MARKDOWN]}"
    target = Path(path).expanduser()
    if target.is_dir():
        return target / f"{novel}{ENDINGS[form or Form.MARKDOWN]}"
    other = form_of(target) if form is None else SUFFIXES.get(target.suffix.lower(), form)
    if form is not None and other is not form:
        raise BadInput(
            "the file's name asks for another form than the one that is wanted",
            expected=ENDINGS[form],
            found=target.suffix,
            recovery="Leave one of the two out, or let them agree.",
        )
    if not target.absolute().parent.is_dir():
        raise BadInput(
            "the folder for the file is not there", found=str(target.parent)[-120:], recovery="Make it first."
        )
    return target


def wanted_form(to: str) -> Form:
    """A form by its name or its ending. Raises BadInput."""
    found = SUFFIXES.get(f".{to.lower().removeprefix('.')}")
    if found is None and to.lower() in set(Form):
        found = Form(to.lower())
    if found is None:
        raise BadInput("a novel cannot leave in that form", expected=[*SUFFIXES], found=to[:40])
    return found
