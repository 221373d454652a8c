"""Proposals at the shell: listing, showing, and verdicts without a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from lantern_kit.workspace import Workspace
from tests.cli.conftest import AGENT, Run, balloon, propose, reword


@pytest.fixture
def demo(made: Workspace) -> Workspace:
    """The workspace with the demo's key enrolled as the newest."""
    made.enrol("demo", None, demo=True)
    return made


def propose_more(workspace: Workspace) -> tuple[str, str]:
    """Other words for the balloon, and a new frame with a balloon in it: the proposal and the frame."""
    record = workspace.comics.chapters()[0]
    with workspace.journal.write() as connection:
        draft, moment = workspace.drafts.begin(connection, record.id, title="more", actor=AGENT)
    head = moment.revision.number
    page = moment.book.order[0]
    operations = [
        {"op": "balloon.set", "target": balloon(workspace).id, "args": {"text": "It is mine."}},
        {"op": "frame.add", "target": page, "as": "new", "args": {"rect": [20, 20, 40, 40]}},
        {"op": "balloon.add", "target": "@new", "args": {"text": "Up.", "at": [40, 40]}},
    ]
    planned = workspace.drafts.plan(draft.id, head, operations)
    with workspace.journal.write() as connection:
        done = workspace.drafts.commit(connection, draft.id, planned, head, operations, message="more", actor=AGENT)
    with workspace.journal.write() as connection:
        number = done.moment.revision.number
        frozen, _ = workspace.proposal_service.freeze(connection, draft.id, number, summary="More", actor=AGENT)
    return frozen.id, done.made["new"].split("#")[0]


def everything(workspace: Workspace) -> set[str]:
    """Ids of all objects of the chapter as it stands."""
    book = workspace.comics.head(workspace.comics.chapters()[0].id).book
    return {name for unit in book.units() for name in unit.index}


def test_nothing_waits_at_first(run: Run, made: Workspace) -> None:
    assert "No proposal waits" in run("proposals", made.path).output


def test_waiting_proposals_are_listed_with_what_to_do_next(run: Run, made: Workspace) -> None:
    name = propose(made, "It is mine.", summary="A better line")
    said = run("proposals", made.path).output
    assert all(words in said for words in (name, "pending", "claude-code", "Chelsea Goes Up 1", "A better line"))
    assert f"lantern show {made.path} {name}" in said


def test_show_says_the_words_and_writes_both_sides(run: Run, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    said = run("show", made.path, name).output
    assert "“Is that… mine?” → “It is mine.”" in said
    assert f"lantern apply {made.path} {name}" in said
    folder = made.path / "exports" / "review" / name
    before, after = folder / "01-page-1-before.png", folder / "01-page-1-after.png"
    difference = folder / "01-page-1-difference.png"
    assert sorted(folder.iterdir()) == [after, before, difference]
    assert f"{difference.name}  (places that look different: 1, 0." in said
    with Image.open(before) as one, Image.open(after) as other:
        assert one.size == other.size
        assert max(one.size) == 1400
        assert one.tobytes() != other.tobytes()


def test_show_says_when_nothing_is_to_be_seen(run: Run, made: Workspace) -> None:
    thing = balloon(made)
    record = made.comics.chapters()[0]
    with made.journal.write() as connection:
        begun, moment = made.drafts.begin(connection, record.id, title="more", actor=AGENT)
    head = moment.revision.number
    operations = [{"op": "balloon.set", "target": thing.id, "args": {"speaker": "Moon"}}]
    planned = made.drafts.plan(begun.id, head, operations)
    with made.journal.write() as connection:
        done = made.drafts.commit(connection, begun.id, planned, head, operations, message="more", actor=AGENT)
        number = done.moment.revision.number
    with made.journal.write() as connection:
        frozen, _ = made.proposal_service.freeze(connection, begun.id, number, summary="More", actor=AGENT)
    assert "both look the same" in run("show", made.path, frozen.id).output
    assert not list((made.path / "exports" / "review" / frozen.id).glob("*difference*"))


def test_show_can_leave_the_pictures_out(run: Run, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    run("show", made.path, name, "--text")
    assert not (made.path / "exports" / "review").exists()


def test_what_an_agent_writes_cannot_steer_the_terminal(run: Run, made: Workspace) -> None:
    name = propose(made, "It is mine.", summary="fine\x1b[2J\x1b]0;x\x07 \u202eevil [bold]not markup[/bold]")
    for said in (run("show", made.path, name, "--text").output, run("proposals", made.path).output):
        assert not set("\x1b\x07\u202e") & set(said)
        assert "\\x1b[2J" in said
        assert "[bold]not markup[/bold]" in said


def test_an_applied_proposal_is_shown_as_it_was_decided(run: Run, demo: Workspace) -> None:
    name = propose(demo, "It is mine.")
    run("apply", demo.path, name, "--yes")
    said = run("show", demo.path, name).output
    assert "applied" in said
    assert "lantern apply" not in said
    folder = demo.path / "exports" / "review" / name
    with Image.open(folder / "01-page-1-before.png") as one, Image.open(folder / "01-page-1-after.png") as other:
        assert one.tobytes() != other.tobytes()


def test_the_demo_key_decides_with_yes_and_says_what_it_is(run: Run, demo: Workspace) -> None:
    name = propose(demo, "It is mine.")
    said = run("apply", demo.path, name, "--yes").output
    assert f"Applied {name}" in said
    assert "signed by demo (demo key)" in said
    assert balloon(demo).text == "It is mine."
    assert demo.verify().clean


def test_the_demo_key_without_yes_needs_a_terminal(run: Run, demo: Workspace) -> None:
    name = propose(demo, "It is mine.")
    assert "add --yes" in run("apply", demo.path, name, code=1).output
    assert demo.proposals[name].facts.state == "pending"


def test_yes_is_refused_with_a_person_s_key(run: Run, demo: Workspace) -> None:
    name = propose(demo, "It is mine.")
    said = run("apply", demo.path, name, "--yes", "--reviewer", "mina", code=1).output
    assert "demo's key only" in said
    assert demo.proposals[name].facts.state == "pending"


@pytest.mark.parametrize("verdict", [("apply",), ("keep",), ("discard", "--reason", "no")])
def test_a_verdict_from_a_pipe_is_refused(run: Run, made: Workspace, verdict: tuple[str, ...]) -> None:
    name = propose(made, "It is mine.")
    said = run(verdict[0], made.path, name, *verdict[1:], code=1).output
    assert "needs a person at a terminal" in said
    assert made.proposals[name].facts.state == "pending"


def test_a_piped_yes_and_passphrase_are_not_read(lantern: object, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    done = lantern("apply", made.path, name, input="y\na lantern in the fog\n")  # type: ignore[operator]
    assert done.returncode == 1
    assert "standard input is not one" in done.stderr
    assert made.proposals[name].facts.state == "pending"


def test_a_decided_proposal_is_not_decided_again(run: Run, demo: Workspace) -> None:
    name = propose(demo, "It is mine.")
    run("discard", demo.path, name, "--reason", "no", "--yes")
    assert f"{name} is discarded" in run("apply", demo.path, name, "--yes", code=1).output


def test_changed_work_names_the_ways_to_apply(run: Run, demo: Workspace) -> None:
    name = propose(demo, "It is mine.")
    reword(demo, "Mine?")
    said = run("apply", demo.path, name, "--yes", code=1).output
    assert f"lantern apply {demo.path} {name} --overwrite" in said
    assert f"lantern apply {demo.path} {name} --merge" in said
    run("apply", demo.path, name, "--overwrite", "--yes")
    assert balloon(demo).text == "It is mine."


def test_both_ways_at_once_are_a_usage_error(run: Run, made: Workspace) -> None:
    assert "choose one" in run("apply", made.path, "p1", "--merge", "--overwrite", code=2).output


def test_discard_needs_a_reason(run: Run, made: Workspace) -> None:
    assert "--reason" in run("discard", made.path, "p1", code=2).output


@pytest.mark.parametrize(("name", "code"), [("p9", "not_found"), ("nine", "bad_input"), ("p" + "9" * 30, "bad_input")])
def test_a_proposal_that_is_none_is_named(run: Run, made: Workspace, name: str, code: str) -> None:
    assert f"[{code}]" in run("show", made.path, name, code=1).output


def test_nobody_with_a_key_here_is_told_where_to_decide(run: Run, made: Workspace, config: Path) -> None:
    name = propose(made, "It is mine.")
    for key in (config / "keys").iterdir():
        key.unlink()
    assert "machine where the key was made" in run("apply", made.path, name, code=1).output


def test_show_lists_the_parts_with_what_each_needs(run: Run, made: Workspace) -> None:
    name, frame = propose_more(made)
    said = run("show", made.path, name, "--text", "--parts").output
    assert f"{balloon(made).id}.text  Page 1" in said
    assert "“Is that… mine?” → “It is mine.”" in said
    assert f"only with {frame}" in said
    hint = f"lantern show {made.path} {name} --text --parts"
    assert hint not in said
    assert hint in run("show", made.path, name, "--text").output


def test_apply_leaves_out_what_is_rejected_and_what_needs_it(run: Run, demo: Workspace) -> None:
    name, frame = propose_more(demo)
    said = run("apply", demo.path, name, "--yes", "--reject", f"{frame}=too crowded").output
    assert "Left out" in said
    assert f"goes with {frame}" in said
    assert "2 of 3 parts left out" in said
    assert balloon(demo).text == "It is mine."
    assert frame not in everything(demo)
    told = run("show", demo.path, name, "--text", "--parts").output
    assert "rejected: too crowded" in told
    assert demo.verify().clean


def test_reject_can_be_given_again_and_need_not_say_why(run: Run, demo: Workspace) -> None:
    name, frame = propose_more(demo)
    before = balloon(demo)
    said = run("apply", demo.path, name, "--yes", "--reject", frame, "--reject", f"{before.id}=my joke", code=1).output
    assert "nothing of the proposal would be left" in said
    assert "Discard the proposal instead" in said
    assert demo.proposals[name].facts.state == "pending"
    run("apply", demo.path, name, "--yes", "--reject", f"{before.id}=it is = my joke")
    assert balloon(demo) == before
    assert "it is = my joke" in run("show", demo.path, name, "--text").output


@pytest.mark.parametrize("given", [["=why"], [""], ["bl_1=a", "bl_1=b"]])
def test_a_rejection_of_nothing_or_of_one_thing_twice_is_a_usage_error(
    run: Run, made: Workspace, given: list[str]
) -> None:
    words = [word for item in given for word in ("--reject", item)]
    assert "--reject" in run("apply", made.path, "p1", *words, code=2).output


def test_a_part_that_is_none_is_named_with_what_is_near(run: Run, demo: Workspace) -> None:
    name, _ = propose_more(demo)
    said = run("apply", demo.path, name, "--yes", "--reject", f"{balloon(demo).id}.texts=no", code=1).output
    assert "[not_found]" in said
    assert f"{balloon(demo).id}.text" in said


def test_the_ways_to_apply_keep_the_rejections(run: Run, demo: Workspace) -> None:
    name, frame = propose_more(demo)
    reword(demo, "Mine?")
    said = " ".join(run("apply", demo.path, name, "--yes", "--reject", f"{frame}=no", code=1).output.split())
    assert f"{name} --overwrite --reject {frame}=no" in said
    run("apply", demo.path, name, "--yes", "--overwrite", "--reject", f"{balloon(demo).id}=mine stays")
    assert balloon(demo).text == "Mine?", "what is rejected does not take Mina's words back either"
    assert frame in everything(demo)


def test_where_no_proposal_is_named_those_that_wait_are_listed(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No proposal waits" in run("show", made.path, code=1).output
    name = propose(made, "It is mine.")
    said = run("show", made.path, code=1).output
    assert "no proposal is named" in said
    assert f"lantern show {made.path} {name}\n" in said
    said = run("discard", made.path, "--reason", "too loud", code=1).output
    assert f"lantern discard {made.path} {name} --reason 'too loud'\n" in said
    monkeypatch.chdir(made.path)
    assert f"lantern apply {name}\n" in run("apply", code=1).output


@pytest.mark.parametrize("typed", ["p1", "P1", "1"])
def test_a_proposal_is_named_as_people_type_it(run: Run, made: Workspace, typed: str) -> None:
    assert propose(made, "It is mine.") == "p1"
    assert "lantern apply" in run("show", made.path, typed, "--text").output


def test_a_reviewer_that_nobody_is_is_told_before_anything_else(run: Run, made: Workspace) -> None:
    name = propose(made, "It is mine.")
    result = run("apply", made.path, name, "--reviewer", "Otto", code=1)
    assert result.stdout == ""
    assert "under the name Otto" in result.stderr
    assert "expected: mina" in result.stderr


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_discard_without_a_reason_is_a_usage_error(run: Run, demo: Workspace, reason: str) -> None:
    name = propose(demo, "It is mine.")
    assert "--reason is empty" in run("discard", demo.path, name, "--yes", "--reason", reason, code=2).output
    assert demo.proposals[name].facts.state == "pending"
