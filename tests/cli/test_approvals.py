"""Verdicts as files that stand by themselves: another machine checks them with the public key alone."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lantern_kit.comic.certificate import check_certificate
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import BadInput
from lantern_kit.keys import KeyFolder
from lantern_kit.workspace import Workspace
from tests.cli.conftest import AGENT, PASSPHRASE, Run, balloon, propose


@pytest.fixture
def decided(made: Workspace) -> Workspace:
    """p1 kept, then applied."""
    with made.reviewer() as me:
        held = made.proposals[propose(made, "It is mine.")]
        held.keep(me, reason="later")
        held.apply(me, reason="funnier")
    return made


@pytest.fixture
def file(run: Run, decided: Workspace, tmp_path: Path) -> Path:
    target = tmp_path / "p1.json"
    run("approvals", "export", decided.path, "p1", "--out", target)
    return target


def test_verdicts_are_listed(run: Run, decided: Workspace) -> None:
    said = run("approvals", decided.path).output
    rows = [line for line in said.splitlines() if line.startswith("v")]
    assert [row.split()[0] for row in rows[1:]] == ["v2", "v1"]
    assert "funnier" in said and "mina" in said and "holds" in said


def test_a_verdict_that_left_parts_out_says_so_in_the_list_in_history_and_in_activity(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = partial(made.dispatcher().dispatch, actor=AGENT, scopes=frozenset(Scope), tool="edit")
    chapter = made.comics.chapters()[0].id
    begun = call("draft.begin", {"chapter": chapter, "title": "words", "idempotency_key": "1"}).data
    words = {"op": "balloon.set", "target": balloon(made).id, "args": {"text": "Mine.", "speaker": "Luna"}}
    at = {"draft": begun["draft"], "expected_revision": begun["revision"], "idempotency_key": "2"}
    edited = call("draft.edit", {**at, "operations": [words]}).data
    at = {"draft": begun["draft"], "expected_revision": edited["revision"], "idempotency_key": "3"}
    name = call("proposal.freeze", {**at, "summary": "words"}).data["proposal"]
    with made.reviewer() as me:
        made.proposals[name].apply(me, reject={f"{balloon(made).id}.text": "keep my joke"})
    assert "apply plain (parts left out: 1)" in run("approvals", made.path).output
    assert "apply by mina, 1 part left out" in run("history", made.path).output
    assert "completed: p1 saved as s1 (parts left out: 1)" in run("activity", made.path).output
    assert json.loads(run("activity", made.path, "--json").output)["groups"][0]["left_out"] == 1
    assert "completed p1 as s1, 1 part left out" in made.activity().text()
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert "略去 1 项" in run("approvals", made.path).output
    with made.journal.write() as connection:
        connection.exec_driver_sql("UPDATE approvals SET choices = '{'")
    assert "其取舍无法读取" in run("approvals", made.path).output
    assert "with choices that cannot be read" in made.activity().text()


def test_no_verdict_yet_is_said(run: Run, made: Workspace) -> None:
    assert "No verdict was signed yet" in run("approvals", made.path).output
    name = propose(made, "It is mine.")
    assert "has no verdict" in run("approvals", "export", made.path, name, code=1).output


def test_a_file_is_checked_by_a_process_that_has_no_workspace(
    decided: Workspace, file: Path, tmp_path: Path, root: Path
) -> None:
    key = decided.keys.get("mina")
    away = tmp_path / "another machine"
    away.mkdir()
    copy = away / "verdict.json"
    copy.write_bytes(file.read_bytes())
    env = {**os.environ, "HOME": str(away), "XDG_CONFIG_HOME": str(away), "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", "from lantern_kit.cli.app import main; main()", "approvals", "check", str(copy)]
    for trusted in (key.key, key.public.hex(), base64.b64encode(key.public).decode()):
        done = subprocess.run([*command, "--key", trusted], cwd=away, env=env, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert "apply of p1 by mina" in done.stdout
        assert "The signature holds" in done.stdout
        assert "proposed by claude-code in d1: A better line" in done.stdout
    other = KeyFolder(away).create("eve", PASSPHRASE)
    done = subprocess.run([*command, "--key", other.key], cwd=away, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "not signed by the key that is trusted" in done.stdout
    assert "apply of p1" not in done.stdout


def test_a_file_is_checked_by_anybody_s_ed25519_and_json(decided: Workspace, file: Path) -> None:
    """As docs/review.md says it, with nothing of the kit."""
    body = json.loads(file.read_text())
    message = json.dumps(body["signed"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    public = base64.b64decode(body["signature"]["public_key"])
    Ed25519PublicKey.from_public_bytes(public).verify(base64.b64decode(body["signature"]["value"]), message)
    assert public == decided.keys.get("mina").public


def test_the_file_says_what_was_read_and_what_came_of_it(run: Run, decided: Workspace) -> None:
    body = json.loads(run("approvals", "export", decided.path, "p1", "--pages").output)
    chapter = decided.comic("Chelsea Goes Up").chapter(1)
    assert body["signed"]["content"] == chapter.moment.revision.document.hex()
    assert body["signed"]["covers"]["proposal"]["summary"] == "A better line"
    assert any("It is mine." in sentence for sentence in body["told"]["changes"][0]["sentences"])
    (page,) = body["told"]["pages"]
    drawn = decided.renderer.render(chapter[0].model, chapter.book.chapter, dpi=150).png(fast=False)
    assert page == {"unit": chapter[0].id, "title": "Page 1", "png_sha256": hashlib.sha256(drawn).hexdigest()}


def test_an_earlier_verdict_is_exported_by_its_name(run: Run, decided: Workspace) -> None:
    body = json.loads(run("approvals", "export", decided.path, "p1", "--verdict", "v1").output)
    assert (body["signed"]["verdict"], body["signed"]["reason"], body["signed"]["result"]) == ("keep", "later", None)
    assert "there is no verdict v9" in run("approvals", "export", decided.path, "p1", "--verdict", "v9", code=1).output


def test_a_verdict_of_a_key_that_was_revoked_later_is_exported_and_holds(run: Run, decided: Workspace) -> None:
    key = decided.keys.get("mina").key
    with decided.reviewer() as me:
        decided.keys.enrol("ann", PASSPHRASE, by=me)
        decided.keys.revoke(key, by=me)
    assert check_certificate(run("approvals", "export", decided.path, "p1").output, key).sound


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for name, part in value.items() for leaf in leaves(part, (*path, name))]
    if isinstance(value, list) and value:
        return [leaf for place, part in enumerate(value) for leaf in leaves(part, (*path, place))]
    return [path]


def changed(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return 1
    if isinstance(value, int):
        return value + 1
    return [1] if isinstance(value, list) else f"{value}x"


def test_every_changed_fact_of_what_was_signed_is_found(decided: Workspace, file: Path) -> None:
    key = decided.keys.get("mina").key
    whole = json.loads(file.read_text())
    assert check_certificate(file.read_text(), key).sound
    paths = leaves(whole["signed"])
    assert len(paths) > 25
    for path in paths:
        other = json.loads(file.read_text())
        place = other["signed"]
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = changed(place[path[-1]])
        found = check_certificate(json.dumps(other), key)
        assert not found.sound, path
        assert found.facts == {}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", "not json", '{"format": "lantern-kit approval 2"}', "[" * 5000]
)
def test_what_is_no_such_file_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        check_certificate(text, "ke_000000000000")


def test_a_fact_that_is_said_twice_is_refused(decided: Workspace, file: Path) -> None:
    """Else a reader might see another value than the one that was signed."""
    text = file.read_text().replace('"verdict": "apply"', '"verdict": "discard", "verdict": "apply"')
    with pytest.raises(BadInput):
        check_certificate(text, decided.keys.get("mina").key)


def test_a_signature_over_something_else_is_no_verdict(decided: Workspace, file: Path) -> None:
    """The same key also signs who may decide; that must not pass as a verdict."""
    from lantern_kit.comic.keychain import KeyEvent, read_events

    with decided.journal.read() as connection:
        (event,) = read_events(connection)
    assert isinstance(event, KeyEvent)
    body = json.loads(file.read_text())
    body["signed"] = json.loads(event.message(decided.id))
    body["signature"]["value"] = base64.b64encode(event.signature).decode()
    found = check_certificate(json.dumps(body), event.key)
    assert found.problems == ("what was signed is no verdict",)


def test_a_key_that_is_none_is_refused(file: Path) -> None:
    with pytest.raises(BadInput, match="no key"):
        check_certificate(file.read_text(), "mina")


def test_a_file_that_is_not_there_is_said(run: Run, tmp_path: Path) -> None:
    said = run("approvals", "check", tmp_path / "x", "--key", "ke_1", code=1).output
    assert "there is no file" in said and "lantern approvals export p12 --out FILE" in said and "outline" not in said
    run("approvals", "check", tmp_path / "x", code=2)
