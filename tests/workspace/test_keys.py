"""Keys that decide: let in, replaced, revoked; by signed events whose order goes by numbers and never by a clock."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import lantern_kit.migrations
from lantern_kit.comic import approvals
from lantern_kit.comic.keychain import COLUMNS, KeyEvent, key_id, read_events
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import BadInput, NotAllowed, NotFound, WrongState
from lantern_kit.keyring import Offer, offer
from lantern_kit.keys import TRIES, KeyFolder, UnlockedKey
from lantern_kit.migrations import bring_up, stored_version
from lantern_kit.workspace import Workspace, open_workspace
from tests.workspace.conftest import PASSPHRASE
from tests.workspace.test_proposals import proposed

OTHER = "a lamp in the rain"


def wrong(ws: Workspace) -> list[tuple[str, str]]:
    return [(problem.kind, problem.id) for problem in ws.verify().problems]


def raw(ws: Workspace, statement: str, *values: object) -> None:
    """Somebody with the file writes into it."""
    with sqlite3.connect(ws.journal.path) as driver:
        driver.execute(statement, values)
    driver.close()


def key(ws: Workspace, name: str) -> UnlockedKey:
    return KeyFolder(ws.config).unlock(ws.keys.get(name).key, name, lambda _: OTHER)


@pytest.fixture
def ann(ws: Workspace, me: UnlockedKey) -> UnlockedKey:
    """Ann, whom Mina let in."""
    ws.keys.enrol("ann", OTHER, by=me)
    return key(ws, "ann")


# two reviewers


def test_two_reviewers_decide_and_it_is_shown_who_did(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, ann: UnlockedKey
) -> None:
    first = ws.proposals[proposed(ws, chapter).id]
    first.keep(me, reason="later")
    first.apply(ann, reason="now")
    shown = [(item.reviewer, item.verdict, item.key) for item in first.look().approvals]
    assert shown == [("mina", "keep", me.key), ("ann", "apply", ann.key)]
    assert "apply by ann" in first.text()
    assert chapter.history().revisions[0].actor.name == "ann"
    assert ws.verify().clean


def test_the_first_key_is_trusted_and_named_so_and_lets_in_the_second(ws: Workspace, ann: UnlockedKey) -> None:
    mina, second = ws.keys.all()
    assert (mina.vouched_by, second.vouched_by) == ("", mina.key)
    assert ws.verify().notes == [f"trusted because it was there first: mina, key {mina.key}"]
    assert "the first key here" in repr(ws.keys)


def test_letting_a_second_key_in_asks_for_the_passphrase_of_the_first(ws: Workspace, tmp_path: Path) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "not the passphrase"

    with (
        open_workspace(ws.path, config=ws.config, ask=ask) as other,
        pytest.raises(NotAllowed, match="passphrase is wrong"),
    ):
        other.enrol("ann", OTHER)
    assert len(asked) == TRIES
    assert all("Passphrase of mina's key" in question for question in asked)
    assert len(ws.keys) == 1
    assert len(list((ws.config / "keys").iterdir())) == 1, "a key that nobody let in is not kept"


def test_a_key_of_another_machine_is_let_in_by_its_offer(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "ann's machine"
    made, text = offer(elsewhere, "ann", OTHER)
    assert "PRIVATE" not in text
    ws.keys.enrol_offer(Offer.read(text), by=me)
    assert (ws.keys.get("ann").key, ws.holds(ws.keys.get("ann"))) == (made, False)
    proposal = proposed(ws, chapter)
    with (
        open_workspace(ws.path, config=elsewhere, ask=lambda _: OTHER) as hers,
        hers.reviewer() as ann,
    ):
        hers.proposals[proposal.id].apply(ann)
    assert ws.verify().clean


def test_an_offer_that_was_changed_is_no_offer(ws: Workspace, me: UnlockedKey, tmp_path: Path) -> None:
    _, text = offer(tmp_path / "there", "ann", OTHER)
    for other in (text.replace("ann", "eve"), text[:-20], "{}", "[]", "", text.replace("offer 1", "offer 2")):
        with pytest.raises(BadInput):
            Offer.read(other)
    with pytest.raises(BadInput):
        Offer.read(text.replace('"name":"ann"', '"name":7'))


# the passphrase


def test_a_changed_passphrase_opens_the_same_key_and_the_old_one_does_not(ws: Workspace) -> None:
    mina = ws.keys.get("mina")
    ws.keys.change_passphrase(OTHER)
    folder = KeyFolder(ws.config)
    assert folder.unlock(mina.key, "mina", lambda _: OTHER).public == mina.public
    with pytest.raises(NotAllowed, match="passphrase is wrong"):
        folder.unlock(mina.key, "mina", lambda _: PASSPHRASE)
    (file,) = (ws.config / "keys").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_passphrase_that_is_too_short_changes_nothing(ws: Workspace) -> None:
    with pytest.raises(WrongState, match="too short"):
        ws.keys.change_passphrase("short")
    with ws.reviewer() as me:
        assert me.name == "mina"
    assert len(list((ws.config / "keys").iterdir())) == 1


# rotation


def test_a_new_key_takes_the_place_of_the_old_one_whose_verdicts_stay_valid(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    held.keep(me)
    new = ws.keys.rotate(OTHER, by=me)
    old = ws.keys.get(me.key)
    assert (old.state, old.replaced_by, new.state, new.name, new.vouched_by) == (
        "replaced",
        new.key,
        "active",
        "mina",
        old.key,
    )
    assert ws.deciding() == new
    with pytest.raises(NotAllowed, match="mina's key was replaced"):
        held.apply(me)
    with key(ws, "mina") as again:
        held.apply(again)
    assert ws.verify().clean


def test_a_key_is_replaced_by_its_own_signature_only(ws: Workspace, me: UnlockedKey, ann: UnlockedKey) -> None:
    ws.keys.rotate(OTHER, by=me)
    with pytest.raises(NotAllowed, match="was replaced"):
        ws.keys.rotate(OTHER, by=me)
    assert ws.keys.get("ann").state == "active"


def test_the_demo_s_key_is_not_replaced(ws: Workspace, me: UnlockedKey) -> None:
    ws.keys.enrol("demo", None, demo=True, by=me)
    with ws.keys.unlock("demo") as demo, pytest.raises(WrongState, match="proves nothing"):
        ws.keys.rotate(OTHER, by=demo)
    with pytest.raises(NotAllowed, match="no passphrase"):
        ws.keys.change_passphrase(OTHER, name="demo")
    assert len(ws.keys) == 2


# revocation


def test_a_revoked_key_decides_nothing_more_and_what_it_decided_stays(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, ann: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    held.keep(ann)
    ws.keys.revoke("ann", by=me, reason="left the studio")
    gone = ws.keys.get(ann.key)
    assert (gone.state, gone.reason) == ("revoked", "left the studio")
    for verdict in (held.apply, held.keep, held.discard):
        with pytest.raises(NotAllowed, match="ann's key was revoked"):
            verdict(ann)
    assert ws.deciding().name == "mina"
    assert ws.verify().clean
    held.apply(me)
    assert ws.verify().clean


def test_a_revoked_key_lets_nobody_in_and_revokes_nobody(ws: Workspace, me: UnlockedKey, ann: UnlockedKey) -> None:
    ws.keys.revoke("ann", by=ann)
    with pytest.raises(NotAllowed, match="revoked"):
        ws.keys.enrol("bob", OTHER, by=ann)
    with pytest.raises(NotAllowed, match="revoked"):
        ws.keys.revoke("mina", by=ann)
    assert [item.name for item in ws.reviewers()] == ["mina"]


def test_the_last_key_is_not_revoked(ws: Workspace, me: UnlockedKey) -> None:
    with pytest.raises(WrongState, match="only key"):
        ws.keys.revoke("mina", by=me)
    with pytest.raises(NotFound):
        ws.keys.revoke("bob", by=me)
    assert ws.deciding().name == "mina"


def test_a_name_with_several_keys_must_be_said_by_key(ws: Workspace, me: UnlockedKey) -> None:
    second = ws.keys.enrol("mina", OTHER, by=me)
    with pytest.raises(BadInput, match="several keys"):
        ws.keys.revoke("mina", by=me)
    assert ws.keys.revoke(second.key, by=me).state == "revoked"


# order goes by numbers


def forged(ws: Workspace, held: approvals.Approval, signer: UnlockedKey, **other: object) -> None:
    """Put another verdict by a key into the file, as somebody could who has both."""
    made = replace(held, reviewer=signer.name, key=signer.key, **other)  # type: ignore[arg-type]
    made = replace(made, signature=signer.sign(made.message(ws.id)))
    cells = (made.number, made.proposal, made.verdict.value, made.mode, made.reviewer, made.key, made.compared,
             made.content, made.result, made.reason, made.at, made.signature, made.choices, made.covers)  # fmt: skip
    slots = ",".join("?" * len(cells))
    raw(ws, f"INSERT OR REPLACE INTO approvals ({approvals._COLUMNS}) VALUES ({slots})", *cells)


def test_a_verdict_a_revoked_key_signed_late_does_not_count_even_when_the_clock_says_it_was_early(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, ann: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    early = held.keep(me).approval
    ws.keys.revoke("ann", by=me)
    forged(ws, early, ann, number=2, at=early.at - 1_000_000)
    (problem,) = [item for item in ws.verify().problems if item.kind == "approval"]
    assert (problem.id, problem.message) == ("v2", "its key was revoked before it")
    assert problem.where == {"proposals": (held.id,), "keys": (ann.key,)}


def test_a_verdict_a_revoked_key_puts_in_the_place_of_an_early_one_shows(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, ann: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    early = held.keep(me).approval
    ws.keys.revoke("ann", by=me)
    forged(ws, early, ann, number=1)
    assert ("approval", "v1 to v1") in wrong(ws)


def test_a_clock_that_goes_back_neither_breaks_nor_heals_anything(
    ws: Workspace, chapter: ChapterWork, clock: SteppingClock, me: UnlockedKey, ann: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    held.keep(ann)
    clock.skip(-10_000_000)
    ws.keys.revoke("ann", by=me)
    held.keep(me)
    assert ws.verify().clean
    assert ws.keys.get(ann.key).ended_at < ws.keys.get(ann.key).enrolled_at  # type: ignore[operator]
    assert [item.name for item in ws.keys.all()] == ["mina", "ann"]


# rows that nobody signed


def stranger() -> tuple[Ed25519PrivateKey, bytes]:
    private = Ed25519PrivateKey.generate()
    return private, private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def events(ws: Workspace) -> list[KeyEvent]:
    with ws.journal.read() as connection:
        return [item for item in read_events(connection) if isinstance(item, KeyEvent)]


def slipped(ws: Workspace, event: KeyEvent, private: Ed25519PrivateKey) -> None:
    signed = replace(event, signature=private.sign(event.message(ws.id)))
    cells = [getattr(signed, name) for name in signed.__dataclass_fields__]
    raw(ws, f"INSERT INTO key_events ({COLUMNS}) VALUES ({','.join('?' * len(cells))})", *cells)


@pytest.mark.parametrize("signer", ["itself", "mina"])
def test_a_key_slipped_into_the_file_decides_nothing_and_is_named(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, signer: str
) -> None:
    private, public = stranger()
    last = events(ws)[-1]
    who = key_id(public) if signer == "itself" else me.key
    slipped(ws, replace(last, number=2, key=key_id(public), name="eve", public=public, signer=who), private)
    eve = UnlockedKey("eve", key_id(public), public, private)
    held = ws.proposals[proposed(ws, chapter).id]
    with pytest.raises(NotAllowed, match="not enrolled"):
        held.apply(eve)
    (problem,) = ws.verify().problems
    assert (problem.kind, problem.id, problem.where) == ("key", "k2", {"keys": (key_id(public),)})
    held.apply(me)
    assert wrong(ws) == [("key", "k2")]


def test_a_carried_key_slipped_in_after_signed_ones_is_named(ws: Workspace) -> None:
    _, public = stranger()
    raw(
        ws,
        f"INSERT INTO key_events ({COLUMNS}) VALUES (2,'carried',?,'eve',?,0,'','','',0,x'',x'',1,x'')",
        key_id(public),
        public,
    )
    assert wrong(ws) == [("key", "k2")]
    assert [item.name for item in ws.reviewers()] == ["mina"]


@pytest.mark.parametrize(
    "change",
    [
        "name = 'eve'",
        "demo = 1",
        "at = at + 1",
        "verdicts = 0, verdicts_digest = x'00'",
        "signer = 'ke_000000000000'",
        "kind = 'rotate'",
        "reason = 'so'",
        "replaces = 'ke_000000000000'",
        "public = zeroblob(32)",
        "public = 1.5",
    ],
)
def test_an_event_that_was_edited_is_named(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, ann: UnlockedKey, change: str
) -> None:
    raw(ws, f"UPDATE key_events SET {change} WHERE id = 2")
    assert wrong(ws) == [("key", "k2")]


def test_a_revocation_taken_out_shows_as_soon_as_anything_was_signed_after_it(
    ws: Workspace, chapter: ChapterWork, me: UnlockedKey, ann: UnlockedKey
) -> None:
    held = ws.proposals[proposed(ws, chapter).id]
    ws.keys.revoke("ann", by=me)
    held.keep(me)
    raw(ws, "DELETE FROM key_events WHERE id = 3")
    assert wrong(ws) == [("key", "k3")]


def test_an_event_in_the_middle_taken_out_shows(ws: Workspace, me: UnlockedKey, ann: UnlockedKey) -> None:
    ws.keys.enrol("bob", OTHER, by=me)
    raw(ws, "DELETE FROM key_events WHERE id = 2")
    raw(ws, "UPDATE key_events SET id = 2 WHERE id = 3")
    assert wrong(ws) == [("key", "k2")]


# workspaces older than events of keys


def test_keys_and_verdicts_of_an_older_workspace_stay_valid_and_are_named_as_found(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    (folder / "blobs").mkdir(parents=True)
    journal = Journal(folder / "journal.sqlite")
    config = Config()
    config.set_main_option("script_location", str(Path(lantern_kit.migrations.__file__).parent))
    import sqlalchemy as sa

    engine = sa.create_engine("sqlite://", creator=journal.connect, poolclass=sa.NullPool)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    mina = KeyFolder(tmp_path / "config").create("mina", PASSPHRASE)
    old = approvals.Approval(1, 1, approvals.Verdict.KEEP, "", "mina", mina.key, 1, bytes(32), None, "", 5, b"")
    with journal.write() as writer:
        writer.exec_driver_sql(
            "INSERT INTO workspace VALUES (?, ?)", [("id", "ws_1"), ("title", "Old"), ("owner", "mina")]
        )
        writer.exec_driver_sql("INSERT INTO reviewers VALUES (?,?,?,0,4)", (mina.key, "mina", mina.public))
        writer.exec_driver_sql(
            "INSERT INTO approvals VALUES (1,1,'keep','','mina',?,1,?,NULL,'',5,?)",
            (mina.key, bytes(32), mina.sign(old.message("ws_1"))),
        )
    bring_up(journal)
    with journal.read() as reader:
        assert stored_version(reader) == lantern_kit.migrations.HEAD
    journal.close()
    with open_workspace(folder, config=tmp_path / "config", ask=lambda _: PASSPHRASE) as ws:
        (carried,) = ws.reviewers()
        assert (carried.name, carried.key, carried.enrolled_at, carried.vouched_by) == ("mina", mina.key, 4, "")
        with ws.journal.read() as reader:
            (found,) = approvals.of_proposal(reader, 1)
            assert approvals.is_valid(reader, found, ws.id)
            assert not approvals.is_valid(reader, replace(found, reason="x"), ws.id)
        ws.enrol("ann", OTHER)
        report = ws.verify()
        # The verdict was put there without its proposal; that is all that is found.
        assert [(item.id, item.message) for item in report.problems] == [
            ("p1", "there is a verdict on it, and it is gone")
        ]
        assert report.notes == [f"trusted because it was there first: mina, key {mina.key}"]
