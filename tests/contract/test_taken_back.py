"""Whatever an operation does to a draft is taken back to the last bit, and comes again by adopting it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.operation import Operation
from lantern_kit.workspace import Workspace
from tests.contract.stage import AGENT, ALL, Stage
from tests.contract.test_refusals import done_by, in_change_set


@pytest.fixture(scope="module")
def copy(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = stage.copied(tmp_path_factory.mktemp("undo") / "ws")
    with Stage(folder, stage.names, stage.handles, stage.old, stage.kinds).opened() as ws:
        yield ws


@pytest.mark.parametrize("operation", list(OPERATIONS), ids=lambda item: item.name)
def test_an_edit_is_undone_to_the_last_bit_and_adopted_as_it_was_proposed(
    operation: Operation, copy: Workspace, stage: Stage
) -> None:
    dispatcher, draft = copy.dispatcher(), stage.names["draft"]

    def ask(name: str, key: str, **arguments: object) -> str:
        at = {"draft": draft, "expected_revision": copy.drafts.head(draft).id}
        given = {**at, "idempotency_key": f"{operation.name} {key}", **arguments}
        data = dispatcher.dispatch(name, given, actor=AGENT, scopes=ALL).data
        return str(data.get("candidate") or data["revision"])

    target, args = stage.fill(list(done_by(operation.name)))
    operations = in_change_set(stage, target, operation.name, args)["operations"]
    before = copy.drafts.head(draft)
    candidate = ask("candidate.propose", "propose", task="the same", operations=operations)
    proposed = copy.candidates.moment(copy.candidates.get(candidate)).book
    assert copy.drafts.head(draft).id == before.id
    ask("candidate.adopt", "adopt", candidate=candidate)
    adopted = copy.drafts.head(draft)
    assert adopted.book == proposed != before.book
    ask("draft.undo", "back", to=before.id)
    assert copy.drafts.head(draft).revision.document == before.revision.document
    ask("draft.undo", "forth", to=adopted.id)
    assert copy.drafts.head(draft).revision.document == adopted.revision.document
    ask("draft.undo", "and back", to=before.id)
    assert copy.drafts.head(draft).book == before.book
