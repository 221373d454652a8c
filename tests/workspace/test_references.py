"""References of works, pages and objects, as people take them from Python and hand them to agents."""

from __future__ import annotations

import pytest

from lantern_kit.comic.reference import parse_reference
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import NotFound
from lantern_kit.workspace import Workspace
from tests.comic.capabilities.desk import Desk


def test_a_work_a_page_and_an_object_have_references_that_find_and_edits_take(
    ws: Workspace, chapter: ChapterWork
) -> None:
    desk = Desk(ws, chapter.id)
    page = chapter[0]
    balloon = next(item for item in page.model.objects if item.kind == "balloon")
    before = page.reference_of(balloon.id)
    assert [parse_reference(text).id for text in (chapter.reference, page.reference, before)] == [  # type: ignore[union-attr]
        chapter.id,
        page.id,
        balloon.id,
    ]
    (row,) = desk.ask("work.find", text=before)["found"]
    assert row["handle"].startswith(balloon.id)
    (row,) = desk.ask("work.find", text=page.reference)["found"]
    assert row["handle"].startswith(page.id)
    draft = desk.ask("draft.begin", chapter=chapter.reference, units=[page.reference], idempotency_key=desk.key())
    assert draft["contract"]["units"] == [page.id]
    with chapter.edit("other words") as edit:
        edit.run("balloon.set", balloon.id, text="Mine!")
    assert chapter[0].reference_of(balloon.id) == before
    with pytest.raises(NotFound):
        chapter[1].reference_of(balloon.id)
