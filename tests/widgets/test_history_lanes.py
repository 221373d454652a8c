"""The laws of a drawn history, on pasts that are drawn at random."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.widgets.history.lanes import COPY_LANES, COPY_REACH, TRUNK, Edge, Layout, layout
from lantern_kit.widgets.history.look import Look
from lantern_kit.widgets.history.step import DraftFacts, ProposalFacts, Step, Tale, VerdictFacts
from lantern_kit.widgets.history.weave import LEAST, Woven, weave


def past(seed: int, size: int, crowd: int) -> Tale:
    """A past of so many revisions, with up to ``crowd`` drafts at once."""
    draw = random.Random(seed)
    steps: list[Step] = []
    drafts: dict[int, DraftFacts] = {}
    proposals: dict[int, ProposalFacts] = {}
    verdicts: list[VerdictFacts] = []
    heads: dict[int, Step] = {}
    open_drafts: list[int] = []
    sources: dict[int, int] = {}
    marks: dict[int, list[dict[str, object]]] = {}

    def add(branch: int, cause: str, parent: int | None, seq: int) -> Step:
        number = (steps[-1].number if steps else 0) + draw.choice((1, 1, 1, 3))
        kind = "person" if branch == 0 else "agent"
        who = "mina" if branch == 0 else f"agent {branch % 3}"
        made = Step(number, branch, seq, parent, bytes(32), kind, who, cause, f"turn {number}", number * 1_000, 1)
        steps.append(made)
        heads[branch] = made
        return made

    def go_on(branch: int, cause: str) -> Step:
        last = heads[branch]
        return add(branch, cause, last.number, last.seq + 1)

    add(0, "create", None, 0)
    while len(steps) < size:
        what = draw.random()
        if what < 0.1 and len(open_drafts) < crowd:
            number = len(drafts) + 1
            base = heads[0].number
            drafts[number] = DraftFacts(number, f"idea {number}", "open", base, "agent", None)
            open_drafts.append(number)
            made = add(number, "fork", base, 0)
            marks[made.number] = [{"kind": "draft", "id": f"d{number}"}]
        elif what < 0.2:
            copied = draw.choice(steps)
            made = go_on(0, draw.choice(("restore", "pick", "undo")))
            sources[made.number] = copied.number
        elif what < 0.35 or not open_drafts:
            go_on(0, "edit")
        elif what < 0.45:
            branch = draw.choice(open_drafts)
            frozen = heads[branch]
            proposals[len(proposals) + 1] = ProposalFacts(len(proposals) + 1, branch, frozen.number, "pending", "")
            marks.setdefault(frozen.number, []).append({"kind": "proposal"})
            if draw.random() < 0.7:
                if draw.random() < 0.2:
                    go_on(branch, "changeset")
                result = go_on(0, "apply").number
                verdicts.append(VerdictFacts(len(verdicts) + 1, len(proposals), "apply", "", "mina", result, 0))
                open_drafts.remove(branch)
        else:
            go_on(draw.choice(open_drafts), "changeset")
    by_number = {step.number: step for step in steps}
    return Tale("x", "ch", steps, by_number, heads[0].number, sources, drafts, proposals, verdicts, (), marks)


pasts = st.builds(past, st.integers(0, 10_000), st.integers(1, 90), st.integers(1, 8))
looks = st.sampled_from(
    [
        Look(),
        Look(fold=False),
        Look(lines="drafts"),
        Look(lines="drafts", fold=False),
        Look(lines="work"),
        Look(causes=("apply",)),
        Look(causes=("changeset", "edit")),
        Look(text="1"),
        Look(text="7", fold=False),
        Look(since=20_000, until=60_000),
        Look(actors=("agent:agent 1",)),
    ]
)
woven = st.builds(weave, pasts, looks)


def heights(edge: Edge) -> range:
    """Where an edge runs down its own lane: its ends only bend over, where they join another."""
    return range(
        edge.top + (edge.top_lane != edge.lane),
        edge.bottom + (edge.bottom_lane == edge.lane),
    )


def lane_of(found: Woven, place: int) -> int:
    return found.drawn.lanes.get(found.rows[place].step.branch, TRUNK)


@given(woven)
def test_no_two_edges_share_a_lane_between_rows(found: Woven) -> None:
    taken: dict[tuple[int, int], Edge] = {}
    for edge in found.drawn.edges:
        for gap in range(edge.top, edge.bottom):
            other = taken.setdefault((edge.lane, gap), edge)
            assert other is edge, (edge, other)


@given(woven)
def test_no_edge_runs_through_a_row_that_it_does_not_join(found: Woven) -> None:
    standing = {(lane_of(found, place), 2 * place) for place in range(len(found.rows))}
    for edge in found.drawn.edges:
        for height in heights(edge):
            if (edge.lane, height) in standing:
                assert height in (edge.top, edge.bottom), edge


@given(woven)
def test_every_row_leads_to_its_parent_or_past_what_is_not_shown_to_the_next_that_is(found: Woven) -> None:
    places = found.places
    by_top: dict[tuple[int, int], list[Edge]] = defaultdict(list)
    for edge in found.drawn.edges:
        by_top[edge.top_lane, edge.top].append(edge)
    for place, row in enumerate(found.rows):
        lane = lane_of(found, place)
        down = [
            edge
            for edge in by_top[lane, 2 * place]
            if edge.kind in ("trunk", "branch", "fork") and edge.branch == row.step.branch
        ]
        oldest = row.steps[-1]
        if oldest.parent is None:
            assert down == []
            continue
        (edge,) = down
        if oldest.parent in places:
            parent = places[oldest.parent]
            assert (edge.bottom, edge.bottom_lane) == (2 * parent, lane_of(found, parent))
            whole = all(step.parent == other.number for step, other in zip(row.steps, row.steps[1:], strict=False))
            assert edge.dashed == (not whole)
        else:
            assert edge.dashed
            assert edge.bottom_lane in (lane, TRUNK)


@given(woven)
def test_every_applied_proposal_that_is_shown_leads_back_to_the_trunk(found: Woven) -> None:
    merges = {(edge.top, edge.bottom, edge.bottom_lane) for edge in found.drawn.edges if edge.kind == "merge"}
    for verdict in found.tale.verdicts:
        proposal = found.tale.proposals[verdict.proposal]
        assert verdict.result is not None
        if verdict.result in found.places and proposal.frozen in found.places:
            place = found.places[proposal.frozen]
            assert (2 * found.places[verdict.result], 2 * place, lane_of(found, place)) in merges


@given(woven)
def test_from_every_row_one_comes_to_every_other(found: Woven) -> None:
    """Also where much is left out: the trunk holds what hangs on it."""
    if not found.rows:
        return
    home: dict[object, object] = {}

    def root(item: object) -> object:
        while home.get(item, item) != item:
            item = home[item]
        return item

    def join(one: object, other: object) -> None:
        home[root(one)] = root(other)

    for edge in found.drawn.edges:
        ends = [
            "trunk" if lane == TRUNK else (lane, height)
            for lane, height in ((edge.top_lane, edge.top), (edge.bottom_lane, edge.bottom))
        ]
        if edge.kind != "copy":
            join(*ends)
    joined = {
        root("trunk" if lane_of(found, place) == TRUNK else (lane_of(found, place), 2 * place))
        for place in range(len(found.rows))
    }
    assert len(joined) == 1


@given(woven)
def test_what_joins_the_trunk_finds_it_there(found: Woven) -> None:
    trunk = [edge for edge in found.drawn.edges if edge.kind == "trunk"]
    rows = [2 * place for place in range(len(found.rows)) if lane_of(found, place) == TRUNK]
    end = 2 * len(found.rows) - 1  # where the trunk goes on below the last row, to what is not shown
    covered = {height for edge in trunk for height in range(edge.top, edge.bottom + 1)} | {*rows, end}
    for edge in found.drawn.edges:
        if edge.kind == "fork":
            assert edge.bottom in covered
        if edge.kind == "merge":
            assert edge.top in covered


@given(woven)
def test_as_few_lanes_are_used_as_edges_are_abreast(found: Woven) -> None:
    abreast: dict[int, set[int]] = defaultdict(set)
    for edge in found.drawn.edges:
        if edge.lane > TRUNK:
            for gap in range(edge.top, edge.bottom):
                abreast[gap].add(edge.lane)
    assert found.drawn.right == max(map(len, abreast.values()), default=0)
    assert found.drawn.left <= COPY_LANES
    assert all(edge.bottom - edge.top <= 2 * COPY_REACH for edge in found.drawn.edges if edge.kind == "copy")


@given(pasts)
def test_with_nothing_left_out_no_edge_is_dashed(tale: Tale) -> None:
    for look in (Look(), Look(fold=False)):
        assert not [edge for edge in weave(tale, look).drawn.edges if edge.dashed]


@given(pasts, looks)
def test_rows_show_each_revision_that_goes_through_the_filters_once_and_in_order(tale: Tale, look: Look) -> None:
    found = weave(tale, look)
    shown = [step.number for row in found.rows for step in row.steps]
    assert len(shown) == len({*shown}) == found.shown
    newest = [row.step.number for row in found.rows]
    assert newest == sorted(newest, reverse=True)
    if look == Look():
        assert {*shown} == {*tale.by_number}
    for row in found.rows:
        if len(row.steps) > 1:
            assert len(row.steps) >= LEAST
            assert len({(step.branch, step.actor) for step in row.steps}) == 1
            assert all(step.branch and step.number not in tale.marks for step in row.steps)


@given(pasts)
def test_an_opened_run_shows_all_of_its_revisions(tale: Tale) -> None:
    folded = weave(tale, Look())
    runs = tuple(row.run for row in folded.rows if len(row.steps) > 1)
    opened = weave(tale, Look(opened=runs))
    assert all(len(row.steps) == 1 for row in opened.rows)
    assert {row.run for row in opened.rows if row.run} == {*runs}


def test_nothing_at_all_is_drawn_as_nothing() -> None:
    assert layout([]) == Layout({}, (), 0, 0)


@pytest.mark.parametrize("crowd", [1, 40, 200])
def test_a_crowd_of_drafts_takes_a_lane_each_and_gives_it_back(crowd: int) -> None:
    tale = past(3, 1_000, crowd)
    found = weave(tale, Look(fold=False))
    assert found.drawn.right <= crowd + len(tale.verdicts)
    assert (found.drawn.right == 1) == (crowd == 1) or found.drawn.right > 1
