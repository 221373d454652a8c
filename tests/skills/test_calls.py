"""Every example in the skills' texts is a call that a server carries out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lantern_kit.workspace import Workspace
from tests.skills.session import Session, keys_of, stage
from tests.skills.taught import ANSWERED, examples, texts


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("staged") / "saucers"
    stage(folder)
    return folder


SMALL = {"picture.dpi"}
"""What is wrong with every example that places one of the kit's own photographs."""


@pytest.mark.parametrize("path", [path for path, text in texts().items() if list(examples(text))])
def test_every_example_is_carried_out_and_brings_no_fault(path: str, staged: Path, tmp_path: Path) -> None:
    shutil.copytree(staged, tmp_path / "saucers")
    with Workspace(tmp_path / "saucers", config=tmp_path / "config") as ws:
        session = Session(ws)
        for example in examples(texts()[path]):
            answer = session.carry_out(example)
            assert {finding["rule"] for finding in answer.get("new_findings", [])} <= SMALL


def test_the_keys_of_answers_that_the_texts_name_are_in_answers(staged: Path, tmp_path: Path) -> None:
    shutil.copytree(staged, tmp_path / "saucers")
    with Workspace(tmp_path / "saucers", config=tmp_path / "config") as ws:
        session = Session(ws)
        for path in ("names", "annotations", "checks", "revising"):
            for example in examples(texts()[f"lantern/references/{path}.md"]):
                session.carry_out(example)
        listed = session.host.data("annotations", action="list", chapter=session.host.chapter)["annotations"]
        missing = session.host.data("annotations", action="inspect", annotation=listed[-1]["annotation"])
        refused = session.host.refused("outline", source="ch_00000000")
        assert session.heard | set(keys_of(missing)) | set(refused) >= ANSWERED
