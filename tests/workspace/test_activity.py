"""Agents' activity as the seed describes it: a test for every row of its two tables, and for every sentence beside."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion
from lantern_kit.comic.work.activity import Activity
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.activity_groups import Group, State
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import BadInput, Busy, NotFound
from lantern_kit.keys import UnlockedKey
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from lantern_kit.workspace import Workspace, open_workspace
from tests.comic.capabilities.desk import PAGE, Desk, op

MINUTE = 60_000


@pytest.fixture
def desk(ws: Workspace, chapter: ChapterWork) -> Desk:
    return Desk(ws, chapter.id)


def only(ws: Workspace) -> Group:
    """The one group there is."""
    (branch,) = ws.activity().groups
    return branch.group


def told(ws: Workspace, **options: Any) -> list[tuple[str, str]]:
    """Kind and capability of the events on a page, in the order of their numbers."""
    events = [item for branch in ws.activity(**options) for item in branch.events]
    return [(item.event.kind, item.event.capability) for item in sorted(events, key=lambda item: item.number)]


def freeze(desk: Desk, draft: str, *, key: str = "", summary: str = "a page") -> str:
    made = desk.ask(
        "proposal.freeze",
        draft=draft,
        expected_revision=desk.revisions[draft],
        idempotency_key=key or desk.key(),
        summary=summary,
    )
    return str(made["proposal"])


def proposed(desk: Desk) -> tuple[str, str]:
    """A draft with a page, frozen."""
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    return draft, freeze(desk, draft)


# the table of triggers: 触发条件 → 活动状态


@pytest.mark.parametrize("first", ["a look at a page", "a change"])
def test_the_first_attributable_observation_or_call_opens_a_group_that_runs(
    ws: Workspace, desk: Desk, chapter: ChapterWork, first: str
) -> None:
    """首次可归属的页面观察或 MCP 操作 → 运行中：建立或续接 ActivityGroup。"""
    before = chapter.moment.id
    if first == "a change":
        desk.begin()
    else:
        desk.ask("unit.look", source=chapter.id, unit="1")
    group = only(ws)
    assert (group.actor, group.scope, group.state) == ("claude-code", chapter.id, State.RUNNING)
    assert group.draft == ("d1" if first == "a change" else "")
    desk.ask("unit.read", source=chapter.id, unit="1")
    assert only(ws).number == group.number  # continued
    assert chapter.moment.id == before


def test_a_further_call_within_thirty_minutes_keeps_it_running_and_renews_the_window(
    ws: Workspace, desk: Desk, clock: SteppingClock
) -> None:
    """30 分钟内出现后续 MCP 活动 → 运行中：续期观察窗口。"""
    draft = desk.begin()
    opened = only(ws)
    for _ in range(4):
        clock.skip(29 * MINUTE)
        desk.ask("draft.status", draft=draft)
        desk.dispatcher.flush()
    group = only(ws)
    assert (group.number, group.state) == (opened.number, State.RUNNING)
    assert group.window_end == group.last_at + 30 * MINUTE
    assert group.window_end > opened.window_end + 4 * 29 * MINUTE - MINUTE
    assert all(kind == "call" for kind, _ in told(ws))


@pytest.mark.parametrize("by", ["a reader", "a writer", "another process", "the analysis"])
def test_a_window_that_ran_out_times_the_group_out_at_its_end_and_leaves_the_draft_alone(
    ws: Workspace, desk: Desk, clock: SteppingClock, by: str
) -> None:
    """观察窗口到期且没有新活动 → 已超时：不取消或改写 AgentDraft。"""
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    head, end = ws.drafts.head(draft).id, only(ws).window_end
    clock.skip(7 * 60 * MINUTE)
    if by == "a reader":
        ws.activity()
    elif by == "a writer":
        Desk(ws, desk.chapter, name="codex").begin()
    elif by == "another process":
        with open_workspace(ws.path, clock=clock) as other:
            other.activity()
    else:
        ws.analysis(in_memory=True).close()
    with ws.journal.read() as connection:
        late = connection.exec_driver_sql("SELECT at, actor, outcome FROM activity WHERE kind = 'timed_out'").fetchall()
    assert late == [(end, "claude-code", "ok")]
    assert ws.activity(agent="claude-code").groups[0].group.state is State.TIMED_OUT
    assert ws.activity() and ws.activity()  # reading again notes nothing again
    assert [kind for kind, _ in told(ws)].count("timed_out") == 1
    assert (ws.drafts.get(draft).state, ws.drafts.head(draft).id) == ("open", head)
    assert desk.edit(draft, op("unit.add"))["revision"]


def test_a_call_after_a_timeout_runs_on_and_is_no_new_task(ws: Workspace, desk: Desk, clock: SteppingClock) -> None:
    """超时后再次出现 MCP 活动 → 运行中：恢复观察，不创建新的任务语义。"""
    draft = desk.begin()
    group = only(ws)
    clock.skip(31 * MINUTE)
    assert only(ws).state is State.TIMED_OUT
    desk.edit(draft, *PAGE)
    again = only(ws)
    assert (again.number, again.state, again.opened_at) == (group.number, State.RUNNING, group.opened_at)
    assert told(ws) == [("call", "draft.begin"), ("timed_out", ""), ("call", "draft.edit")]


def test_a_frozen_draft_awaits_confirmation_with_its_proposal_and_the_way_to_review_it(
    ws: Workspace, desk: Desk, clock: SteppingClock
) -> None:
    """AgentDraft 冻结为 ChangeProposal → 待确认：关联冻结方案和审查入口。"""
    draft, proposal = proposed(desk)
    group = only(ws)
    assert (group.state, group.proposal, group.draft) == (State.AWAITING, proposal, draft)
    event = ws.activity().groups[0].events[-1].event
    assert (event.kind, event.capability, event.link) == ("frozen", "proposal.freeze", proposal)
    assert ws.proposals[event.link].facts.state == "pending"
    clock.skip(100 * 60 * MINUTE)
    desk.ask("proposal.list", proposal=proposal)  # asking what became of it
    assert only(ws).state is State.AWAITING


def test_an_applied_proposal_completes_its_group_with_the_version_saved_in_that_transaction(
    ws: Workspace, desk: Desk, chapter: ChapterWork, me: UnlockedKey
) -> None:
    """用户应用方案并保存 → 已完成：关联该次原子创建的正式 SavedSnapshot。"""
    _, proposal = proposed(desk)
    decided = ws.proposals[proposal].apply(me)
    assert decided.snapshot is not None and decided.revision is not None
    group = only(ws)
    assert (group.state, group.snapshot, group.proposal) == (State.COMPLETED, decided.snapshot.id, proposal)
    event = ws.activity().groups[0].events[-1].event
    assert (event.kind, event.link, event.revision) == ("applied", decided.snapshot.id, decided.revision.number)
    assert event.capability == ""  # no agent did that
    chapter.save("later")
    assert only(ws).snapshot == decided.snapshot.id


def test_an_apply_that_fails_completes_nothing(
    ws: Workspace, desk: Desk, me: UnlockedKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, proposal = proposed(desk)

    def fail(*_: object, **__: object) -> None:
        raise Busy("the disk was slow")

    monkeypatch.setattr(ws.drafts, "close", fail)
    with pytest.raises(Busy):
        ws.proposals[proposal].apply(me)
    assert (only(ws).state, only(ws).snapshot) == (State.AWAITING, "")
    assert "applied" not in dict(told(ws))


def test_a_discarded_proposal_opens_its_group_again_and_its_draft_goes_on(
    ws: Workspace, desk: Desk, clock: SteppingClock, me: UnlockedKey
) -> None:
    draft, proposal = proposed(desk)
    clock.skip(60 * MINUTE)
    ws.proposals[proposal].keep(me)
    assert only(ws).state is State.AWAITING
    ws.proposals[proposal].discard(me, reason="too many rockets")
    assert (only(ws).state, only(ws).snapshot) == (State.RUNNING, "")
    desk.edit(draft, op("unit.add"))
    second = freeze(desk, draft)
    assert (only(ws).state, only(ws).proposal) == (State.AWAITING, second)
    ws.proposals[second].apply(me)
    assert only(ws).state is State.COMPLETED
    assert [kind for kind, _ in told(ws)] == ["call", "call", "frozen", "discarded", "call", "frozen", "applied"]
    assert "rockets" not in ws.activity().text()


def test_a_draft_that_its_agent_gives_up_awaits_nothing_any_more(ws: Workspace, desk: Desk) -> None:
    draft, proposal = proposed(desk)
    desk.ask("draft.discard", draft=draft, expected_revision=desk.revisions[draft], idempotency_key=desk.key())
    assert ws.proposals[proposal].facts.state == "discarded"
    assert only(ws).state is State.RUNNING
    assert told(ws)[-2:] == [("discarded", ""), ("call", "draft.discard")]


def test_a_failed_call_stays_a_failed_event_and_is_never_a_failed_task(ws: Workspace, desk: Desk) -> None:
    """单次 MCP 操作失败只保留原失败事件，不能据此推断任务失败。"""
    draft = desk.begin()
    desk.cannot(draft, op("frame.add", "un_00000000", rect=[1, 1, 5, 5]))
    desk.refused("unit.look", source=draft, unit="99")
    (branch,) = ws.activity().groups
    assert branch.group.state is State.RUNNING
    assert [(item.event.outcome, item.event.code, item.event.draft) for item in branch.events[1:]] == [
        ("failed", "not_found", draft)
    ] * 2
    assert {state.value for state in State} == {"running", "timed_out", "awaiting", "completed"}


# the table of dimensions: 维度 → 规则


def test_agents_observations_resource_operations_and_edits_are_recorded_and_plain_human_edits_are_not(
    ws: Workspace, desk: Desk, chapter: ChapterWork, me: UnlockedKey
) -> None:
    """采集范围"""
    with chapter.edit("by hand") as edit:
        edit.add_page()
    chapter.undo()
    chapter.save("by hand")
    looked = {"source": chapter.id, "unit": "1"}
    ws.dispatcher().dispatch("unit.read", looked, actor=ws.owner, scopes=frozenset(Scope))
    assert len(ws.activity()) == 0
    desk.ask("unit.read", source=chapter.id, unit="1")
    register(desk)
    desk.edit(desk.begin(), *PAGE)
    effects = [item.event.effect for item in ws.activity().groups[0].events]
    assert effects == ["observe", "resource_mutation", "direct_change", "direct_change"]


def test_capability_tool_action_target_outcome_versions_time_summary_and_link_are_recorded(
    ws: Workspace, chapter: ChapterWork, cat: AssetVersion, clock: SteppingClock
) -> None:
    """记录内容"""
    face, bot = Face(ws.dispatcher(), COMIC), Actor.agent("bot")

    def tool(name: str, **arguments: Any) -> dict[str, Any]:
        result = face.call(name, arguments, bot)
        assert not result.is_error, result
        return dict(result.structured_content or {})

    now = clock.now()
    draft = tool("begin_draft", chapter=chapter.id, title="t", idempotency_key="1")
    operations = [
        op("unit.add", None, "p"),
        op("frame.add", "@p", "f", rect=[8, 8, 89, 60]),
        op("image.place", "@f", asset=cat.id),
        op("frame.add", "@p", "g", rect=[8, 80, 89, 60]),
    ]
    made = tool(
        "edit",
        draft=draft["draft"],
        expected_revision=draft["revision"],
        idempotency_key="2",
        message="what I was told to do",
        operations=operations,
    )
    tool("manage_draft", action="status", draft=draft["draft"])
    face.call("look", {"source": draft["draft"], "unit": "3"}, bot)
    *_, edit, status, look = [item.event for item in ws.activity().groups[0].events]
    unit = made["objects"]["p"].split("#")[0]
    assert (edit.capability, edit.tool, edit.effect) == ("draft.edit", "edit", "direct_change")
    assert edit.action == "unit.add, frame.add, image.place"
    assert (edit.target, edit.outcome, edit.code) == (unit, "ok", "")
    assert edit.assets == (cat.id,)
    assert now < edit.at < clock.now()
    assert edit.summary == "1 unit added, 2 frames added, 1 image added on page 3"
    assert edit.link == made["revision"]
    assert (status.tool, status.action, status.link) == ("manage_draft", "status", "d1")
    assert (look.tool, look.action, look.target, look.link) == ("look", "look", unit, unit)


def test_a_registered_picture_rides_with_the_operation_it_belongs_to(
    ws: Workspace, desk: Desk, clock: SteppingClock
) -> None:
    """图片资源"""
    draft = desk.begin()
    asset = register(desk)
    made = desk.edit(draft, op("unit.add", None, "p"), op("frame.add", "@p", "f", rect=[8, 8, 80, 60]))
    desk.edit(draft, op("image.place", made["objects"]["f"], asset=asset))
    (branch,) = ws.activity().groups
    assert [(item.event.capability, item.event.assets) for item in branch.events] == [
        ("draft.begin", ()),
        ("asset.register", (asset,)),
        ("draft.edit", ()),
        ("draft.edit", (asset,)),
    ]
    # A file on its way in is no call: it neither keeps a window open nor closes one.
    end = only(ws).window_end
    (ws.path / "inbox" / "next.png").write_bytes(b"half a file")
    assert only(ws).window_end == end


def test_a_picture_registered_before_any_work_joins_the_work_it_is_used_in(ws: Workspace, desk: Desk) -> None:
    register(desk)
    assert (only(ws).scope, only(ws).draft) == ("", "")
    draft = desk.begin()
    assert (only(ws).scope, only(ws).draft) == (desk.chapter, draft)


def test_activity_enters_no_document_revision_version_or_list_of_them(
    ws: Workspace, desk: Desk, chapter: ChapterWork, me: UnlockedKey
) -> None:
    """作品与版本"""
    before = (chapter.moment.revision.document, len(chapter.history()))
    for _ in range(3):
        desk.ask("unit.look", source=chapter.id, unit="1")
    desk.dispatcher.flush()
    assert (chapter.moment.revision.document, len(chapter.history())) == before
    _, proposal = proposed(desk)
    decided = ws.proposals[proposal].apply(me)
    assert decided.snapshot is not None
    assert only(ws).snapshot == decided.snapshot.id
    assert ws.verify().clean


def test_it_is_shown_as_tasks_with_their_events_and_can_only_be_read(
    ws: Workspace, desk: Desk, me: UnlockedKey
) -> None:
    """展示形式"""
    _, proposal = proposed(desk)
    ws.proposals[proposal].apply(me)
    Desk(ws, desk.chapter, name="<codex>").begin()
    shown = ws.activity()
    bundle = shown._repr_mimebundle_()
    text, html = bundle["text/plain"], bundle["text/html"]
    assert text.splitlines()[0] == "g2 <codex> · Chelsea Goes Up 1 · d2: running"
    assert "g1 claude-code · Chelsea Goes Up 1 · d1: completed p1 as s1" in text
    assert html.count("<details") == 2 and html.count("<details open") == 1
    assert "&lt;codex&gt;" in html and "<codex>" not in html
    for control in ("<button", "<input", "<form", "<script", "onclick", "href"):
        assert control not in html
    verbs = {name for name in dir(Activity) if not name.startswith("_")}
    assert verbs == {"groups", "cursor", "chapter", "title", "left_out", "rows", "text", "html", "heads", "facts"}


def test_no_tool_gives_activity_to_agents(ws: Workspace, desk: Desk) -> None:
    """使用边界"""
    assert not any("activity" in f"{tool.name} {' '.join(tool.capabilities)}" for tool in COMIC.tools)
    assert not any("activity" in resource.template for resource in COMIC.resources)
    package = Path(ws.dispatcher.__code__.co_filename).parent / "comic" / "capabilities"
    for file in package.glob("*.py"):
        assert not re.search(r"import.*(activity_page|activity_groups|work\.activity)", file.read_text()), file
    for capability in desk.dispatcher.capabilities:
        assert not {"activity", "group", "events"} & set(capability.output.model_fields)


# beside the tables


def test_what_an_agent_looked_at_is_continued_by_the_draft_it_begins(ws: Workspace, desk: Desk) -> None:
    """MCP 根据作品范围、连续使用的 AgentDraft 和观察窗口归组活动。"""
    desk.ask("work.outline")
    desk.ask("unit.read", source=desk.chapter, unit="1")
    assert only(ws).draft == ""
    draft = desk.begin()
    desk.ask("unit.look", source=draft, unit="1")
    desk.ask("work.outline", source=desk.chapter)
    assert only(ws).draft == draft
    assert len(ws.activity()) == 5


def test_two_agents_and_two_chapters_are_tasks_of_their_own(ws: Workspace, desk: Desk) -> None:
    other = ws.comic("Chelsea Goes Up").begin_chapter(2, size="A6")
    codex, again = Desk(ws, desk.chapter, name="codex"), Desk(ws, other.id)
    again._keys = desk._keys  # one agent, in two works
    for item in (desk, codex, again, desk):
        item.begin()
    keys = {(b.group.actor, b.group.scope, b.group.draft) for b in ws.activity()}
    assert keys == {
        ("claude-code", desk.chapter, "d1"),
        ("codex", desk.chapter, "d2"),
        ("claude-code", other.id, "d3"),
        ("claude-code", desk.chapter, "d4"),
    }
    assert {b.group.draft for b in ws.activity(other)} == {"d3"}
    assert {b.group.draft for b in ws.activity(agent="codex")} == {"d2"}


def test_a_repeated_call_adds_no_second_event(ws: Workspace, desk: Desk) -> None:
    """通过幂等操作标识避免重复事件。"""
    draft = desk.begin()
    desk.edit(draft, *PAGE)
    same = {"draft": draft, "expected_revision": desk.revisions[draft], "idempotency_key": "f", "summary": "a page"}
    first = desk.reply("proposal.freeze", **same)
    count, window = len(ws.activity()), only(ws).window_end
    again = desk.reply("proposal.freeze", **same)
    assert again.repeated and again.data == first.data
    assert (len(ws.activity()), only(ws).window_end) == (count, window)


def test_observations_kept_late_join_the_task_they_were_made_in(
    ws: Workspace, desk: Desk, clock: SteppingClock
) -> None:
    desk.ask("unit.read", source=desk.chapter, unit="1")  # waits in the outbox
    clock.skip(31 * MINUTE)
    draft = desk.begin()
    assert told(ws) == [("call", "unit.read"), ("timed_out", ""), ("call", "draft.begin")]
    assert (only(ws).draft, only(ws).state) == (draft, State.RUNNING)


# reading


def test_pages_follow_each_other_backwards_without_a_gap(ws: Workspace, desk: Desk) -> None:
    for place in range(23):
        desk.ask("unit.read", source=desk.chapter, unit=str(place % 2 + 1))
    page, seen = ws.activity(limit=5), []
    assert not page.page.later
    while True:
        seen = [item.number for branch in page for item in branch.events] + seen
        if not page.page.earlier:
            break
        page = ws.activity(before=page.page.oldest, limit=5)
        assert page.page.later
    assert seen == list(range(1, 24))


def test_a_reader_goes_on_where_it_was_and_misses_and_repeats_nothing(ws: Workspace, desk: Desk) -> None:
    cursor, seen, at_hand = "e0", [], True
    codex = Desk(ws, desk.chapter, name="codex")
    for step in range(8):
        (desk if step % 2 else codex).begin()
        desk.ask("work.outline", source=desk.chapter)
        page = ws.activity(after=cursor, limit=3)
        seen += sorted(item.number for branch in page for item in branch.events)
        cursor = page.cursor
    while at_hand:
        page = ws.activity(after=cursor, limit=3)
        seen += sorted(item.number for branch in page for item in branch.events)
        cursor, at_hand = page.cursor, page.page.later
    assert seen == list(range(1, 17))
    empty = ws.activity(after=cursor)
    assert (len(empty), empty.cursor) == (0, cursor)
    desk.begin()
    assert len(ws.activity(after=empty.cursor)) == 1


def test_a_page_asked_for_wrongly_is_refused(ws: Workspace, chapter: ChapterWork) -> None:
    for wrong in ({"after": "e1", "before": "e2"}, {"after": "x"}, {"limit": 0}, {"limit": 1_001}):
        with pytest.raises(BadInput):
            ws.activity(**wrong)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        ws.activity("ch_00000000")
    assert (len(ws.activity(chapter)), ws.activity().cursor, str(ws.activity())) == (0, "", "no activity yet")


def test_events_older_than_groups_are_shown_too(ws: Workspace, desk: Desk) -> None:
    desk.begin()
    with ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE activity SET activity_group = NULL")
        connection.exec_driver_sql("DELETE FROM activity_groups")
    (branch,) = ws.activity(desk.chapter).groups
    assert (branch.group.id, branch.group.draft, len(branch.events)) == ("", "d1", 1)
    assert "claude-code" in ws.activity().text() and ws.activity().html()


def test_it_can_be_read_while_others_keep_the_journal_busy(
    ws: Workspace, desk: Desk, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.begin()
    clock.skip(31 * MINUTE)

    def busy() -> None:
        raise Busy("the workspace stayed locked")

    monkeypatch.setattr(ws.journal, "write", busy)
    assert only(ws).state is State.TIMED_OUT


def test_in_the_analysis_events_have_their_groups(ws: Workspace, desk: Desk, me: UnlockedKey) -> None:
    _, proposal = proposed(desk)
    ws.proposals[proposal].apply(me)
    with ws.analysis(in_memory=True) as db:
        rows = db.execute(
            "SELECT g.activity_group, g.state, g.proposal, g.snapshot, g.draft, count(*) FROM activity_groups AS g"
            " JOIN activity USING (activity_group) GROUP BY ALL"
        ).fetchall()
        kinds = db.execute("SELECT kind FROM activity ORDER BY number(event)").fetchall()
    assert rows == [("g1", "completed", proposal, "s1", "d1", 4)]
    assert kinds == [("call",), ("call",), ("frozen",), ("applied",)]


# parts


def register(desk: Desk) -> str:
    data = base64.b64encode(datasets.open_photo("chelsea")).decode()
    made = desk.ask("asset.register", data=data, title="A cat", idempotency_key=desk.key())
    return str(made["asset"]["asset"])
