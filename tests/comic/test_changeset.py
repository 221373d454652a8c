from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from lantern_kit.comic.edit import MOST, OPERATIONS, EditContext, RawOperation, apply_changeset
from lantern_kit.comic.handle import handle_of
from lantern_kit.kernel.errors import (
    BadInput,
    InvalidDocument,
    LanternError,
    NotFound,
    StaleHandle,
    UnknownKey,
    UnknownOperation,
    WrongTarget,
)
from tests.comic.operations import CAT, CUT, Desk, assets

RECT = [10, 10, 80, 60]


def desk_with_page() -> tuple[Desk, str, str]:
    desk = Desk()
    page = desk.one("unit.add")
    return desk, page, desk.one("frame.add", page, rect=RECT)


def refused(desk: Desk, kind: type[LanternError], *operations: Any, **callbacks: Any) -> LanternError:
    """The error, once it is sure that nothing happened."""
    before = desk.book
    with pytest.raises(kind) as caught:
        desk.result(*operations, **callbacks)
    assert type(caught.value) is kind
    assert desk.book is before
    assert json.dumps(caught.value.payload())
    return caught.value


def op(name: str, target: str | None = None, /, **args: Any) -> dict[str, Any]:
    return {"op": name, "target": target, "args": args}


def test_the_walkthroughs_change_set_works_as_written() -> None:
    desk = Desk()
    page = handle_of(desk.get(desk.one("unit.add", kind="spread")))
    made = desk.do(
        {"op": "frame.add", "target": page, "as": "top", "args": {"rect": [10, 10, 162, 110]}},
        {"op": "frame.cut", "target": "@top", "as": "row", "args": {"line": [[91, 10], [89, 120]], "gutter": 4}},
        {"op": "image.place", "target": "@row.1", "args": {"asset": CAT, "fit": "cover", "focus": [0.5, 0.3]}},
        {
            "op": "balloon.add",
            "target": "@row.2",
            "args": {"text": "Is that… mine?", "speaker": "Chelsea", "at": [120, 28], "tail": [104, 60]},
        },
    )
    assert set(made) == {"top", "row.1", "row.2", "3", "4"}
    assert made["row.1"] == made["top"]
    assert desk.get(made["3"]).parent == made["row.1"]
    assert desk.get(made["4"]).parent == made["row.2"]
    assert desk.home(made["4"]).reading == (made["row.1"], made["row.2"], made["4"])


def test_an_unknown_argument_key_names_the_nearest() -> None:
    desk, page, _ = desk_with_page()
    error = refused(desk, UnknownKey, op("frame.add", page, rectt=RECT))
    assert error.message.startswith("operation 1 (frame.add): args.rectt")
    assert "rect" in error.recovery
    error = refused(desk, UnknownKey, op("frame.add", page, rect=RECT, border={"widht": 1}))
    assert "args.border.widht" in error.message
    assert "width" in error.recovery
    error = refused(desk, UnknownKey, op("balloon.add", page, text="a", at=[1, 1], tails=[{"tipp": [1, 2]}]))
    assert "args.tails.1.tipp" in error.message
    assert "tip" in error.recovery


def test_an_unknown_key_beside_the_arguments_names_the_nearest() -> None:
    desk, page, _ = desk_with_page()
    error = refused(desk, UnknownKey, {"op": "frame.add", "taget": page, "args": {"rect": RECT}})
    assert "target" in error.recovery
    for wrong in (7, {"op": 7}, {"op": "unit.add", "args": [1]}, {"op": "unit.add", "target": 5}, {"target": page}):
        refused(desk, BadInput, wrong)


def test_a_misspelt_operation_names_the_nearest() -> None:
    desk, _, frame = desk_with_page()
    error = refused(desk, UnknownOperation, op("frame.splt", frame))
    assert error.message == "frame.splt is not an operation"
    assert "frame.cut" in error.recovery or "frame.set" in error.recovery


def test_a_stale_handle_gets_the_current_one() -> None:
    desk, _, frame = desk_with_page()
    old = handle_of(desk.get(frame))
    desk.one("frame.set", old, border={"width": 1})
    error = refused(desk, StaleHandle, op("frame.set", old, name="top"))
    assert error.ids == (frame,)
    assert error.details["handles"] == [handle_of(desk.get(frame))]
    assert error.retryable
    desk.one("frame.set", error.details["handles"][0], name="top")


def test_a_stale_handle_in_an_argument_is_refused_too() -> None:
    desk, page, frame = desk_with_page()
    other = desk.one("frame.add", page, rect=[10, 80, 80, 60])
    old = handle_of(desk.get(frame))
    desk.one("frame.set", frame, name="top")
    refused(desk, StaleHandle, op("object.order", other, below=old))
    desk.one("object.order", other, below=handle_of(desk.get(frame)))


def test_one_handle_serves_a_whole_change_set_although_the_object_changes_on_the_way() -> None:
    desk, _, frame = desk_with_page()
    handle = handle_of(desk.get(frame))
    desk.do(
        op("frame.set", handle, name="top"), op("object.move", handle, by=[1, 1]), op("frame.set", handle, bleed=[])
    )
    assert desk.get(frame).name == "top"


def test_bare_ids_and_orders_are_shown_to_the_caller() -> None:
    desk, page, frame = desk_with_page()
    seen: list[str] = []
    orders: list[str] = []
    desk.do(
        op("frame.set", frame, name="a"),
        op("balloon.add", handle_of(desk.get(frame)), text="a", at=[20, 20], after=frame),
        {"op": "frame.add", "target": page, "as": "f", "args": {"rect": [10, 80, 80, 60]}},
        op("frame.remove", "@f"),
        op("unit.add"),
        op("unit.move", page, to="last"),
        seen=seen.append,
        seen_order=orders.append,
    )
    assert seen == [frame, frame, page, page]
    assert orders == [page, desk.book.chapter.id]

    def refuse(name: str) -> None:
        raise StaleHandle("look again", ids=[name])

    error = refused(desk, StaleHandle, op("frame.set", frame, name="b"), seen=refuse)
    assert error.message == "operation 1 (frame.set): look again"
    refused(desk, StaleHandle, op("frame.remove", handle_of(desk.get(frame))), seen_order=refuse)
    desk.do(op("frame.set", handle_of(desk.get(frame)), name="b"), seen=refuse, seen_order=refuse)


def test_removing_or_joining_a_unit_shows_the_order_of_chapter_and_unit() -> None:
    desk, page, _ = desk_with_page()
    other = desk.one("unit.add")
    for operation in (op("unit.remove", page), op("spread.join", page, **{"with": other})):
        orders: list[str] = []
        desk.result(operation, seen_order=orders.append)
        assert sorted(orders) == sorted([page, desk.book.chapter.id])


def test_objects_are_found_through_the_callers_index() -> None:
    desk, page, frame = desk_with_page()
    asked: list[str] = []

    def find(name: str) -> str | None:
        asked.append(name)
        return page if name == frame else None

    desk.do(op("frame.set", frame, name="top"), find=find)
    assert asked == [frame]
    refused(desk, NotFound, op("frame.set", "fr_00none0"), find=find)
    refused(desk, NotFound, op("frame.set", frame), find=lambda _: "un_00none0")


def test_ids_that_are_taken_are_not_given_again() -> None:
    desk, page, frame = desk_with_page()
    desk.ids.count = 0
    made = desk.do(op("frame.add", page, rect=[10, 80, 80, 60]), op("unit.add"), find={frame: page}.get)
    assert made["1"] != frame
    assert made["2"] != page

    class Stuck:
        def new(self, prefix: str) -> str:
            return frame if prefix == "fr" else page

    with pytest.raises(NotFound):
        apply_changeset(desk.book, [op("unit.add")], EditContext(ids=Stuck(), assets=assets), find={frame: page}.get)


def test_a_target_of_the_wrong_kind_is_named() -> None:
    desk, page, frame = desk_with_page()
    error = refused(desk, WrongTarget, op("spread.split", page))
    assert error.message == "operation 1 (spread.split): spread.split applies to a spread, not to a page"
    assert error.ids == (page,)
    assert "not to a frame" in refused(desk, WrongTarget, op("balloon.set", frame, text="a")).message
    assert "an object on a unit other than a foreground" in refused(desk, WrongTarget, op("object.move", page)).message
    refused(desk, WrongTarget, op("frame.add", desk.book.chapter.id, rect=RECT))
    assert "needed" in refused(desk, BadInput, op("frame.add", rect=RECT)).message


def test_names_are_made_once_and_used_after() -> None:
    desk, page, _ = desk_with_page()
    add = {"op": "frame.add", "target": page, "as": "top", "args": {"rect": RECT}}
    refused(desk, BadInput, add, add)
    refused(desk, BadInput, {**add, "as": "3"})
    refused(desk, BadInput, {**add, "as": "a b"})
    error = refused(desk, NotFound, add, op("frame.set", "@tpo", name="x"))
    assert "@top" in error.recovery
    assert error.details["operation"] == 2
    cut = {"op": "frame.cut", "target": "@top", "as": "row", "args": {"line": [[0, 40], [9, 40]]}}
    assert "@row.1" in refused(desk, NotFound, add, cut, op("frame.set", "@row", name="x")).recovery
    refused(desk, BadInput, add, cut, {**add, "as": "row"})
    refused(desk, NotFound, op("frame.set", "@top", name="x"))
    made = desk.do(op("frame.add", page, rect=RECT), op("frame.set", "@1", name="first"))
    assert desk.get(made["1"]).name == "first"


def test_things_removed_on_the_way_are_gone() -> None:
    desk, page, frame = desk_with_page()
    error = refused(desk, NotFound, op("frame.remove", frame), op("frame.set", frame, name="x"))
    assert "removed by an earlier operation" in error.message
    refused(desk, NotFound, op("unit.remove", page), op("frame.set", frame, name="x"))
    refused(desk, NotFound, op("unit.remove", page), op("unit.set", page, name="x"))
    refused(desk, NotFound, op("frame.set", "fr_0000none", name="x"))
    refused(desk, NotFound, op("frame.set", "fr_0000none#00000000", name="x"))
    assert refused(desk, BadInput, op("frame.set", "frame one", name="x")).message.startswith(
        "operation 1 (frame.set): target"
    )


def test_things_that_changed_their_unit_on_the_way_are_found() -> None:
    desk, page, frame = desk_with_page()
    handle = handle_of(desk.get(frame))
    other = desk.one("unit.add")
    desk.do(op("spread.join", other, **{"with": page}), op("frame.set", handle, name="there"))
    assert desk.home(frame).id == other
    assert desk.get(frame).name == "there"


@pytest.mark.parametrize(
    ("args", "field", "expected"),
    [
        ({"rect": [10, 10, math.nan, 5]}, "args.rect.3", "a finite number"),
        ({"rect": [10, math.inf, 5, 5]}, "args.rect.2", "a finite number"),
        ({"rect": [10, 10, "7", 5]}, "args.rect.3", "a number"),
        ({"rect": [10, 10, True, 5]}, "args.rect.3", "a number"),
        ({"rect": [10, 10, 5]}, "args.rect.4", "a value"),
        ({"rect": [10, 10, 5, 5, 5]}, "args.rect", "a list of at most 4 items"),
        ({"rect": [10, 10, 0, 5]}, "args.rect.3", "a number of at least 0.001"),
        ({"rect": [10, 10, -3, 5]}, "args.rect.3", "a number of at least 0.001"),
        ({"rect": [10, 10, 1e9, 5]}, "args.rect.3", "a number of at most 10000.0"),
        ({"rect": {"x": 1}}, "args.rect", "a list"),
        ({"polygon": [[1, 1], [2, 2]]}, "args.polygon", "a list of at least 3 items"),
        ({"rect": RECT, "background": "red"}, "args.background", "a colour such as #336699"),
        ({"rect": RECT, "background": 7}, "args.background", "text"),
        ({"rect": RECT, "bleed": ["up"]}, "args.bleed.1", "one of 'top', 'right', 'bottom' or 'left'"),
        ({"rect": RECT, "name": "x" * 121}, "args.name", "text of at most 120 characters"),
        ({"rect": RECT, "polygon": [[1, 1], [2, 1], [2, 2]]}, "args", "give exactly one of rect, polygon, curve"),
        ({}, "args", "give exactly one of rect, polygon, curve"),
        ({"curve": {"start": [1, 1]}}, "args.curve.segments", "a value"),
        ({"curve": 5}, "args.curve", "an object with keys"),
    ],
)
def test_a_wrong_value_is_refused_with_field_and_expectation_but_never_said_back(
    args: dict[str, Any], field: str, expected: str
) -> None:
    desk, page, _ = desk_with_page()
    error = refused(desk, BadInput, op("unit.add"), op("frame.add", page, **args))
    problem = error.details["problems"][0]
    assert problem["field"] == field
    assert problem["expected"].startswith(expected)
    assert error.message.startswith(f"operation 2 (frame.add): {field}")
    assert error.details["operation"] == 2


@pytest.mark.parametrize(
    ("args", "message", "found"),
    [
        ({"rect": [10, 10, 0, 5]}, "args.rect.3 (width): a number of at least 0.001 is expected", "0"),
        ({"rect": [10, 10, 5, None]}, "args.rect.4 (height): a number is expected", "null"),
        ({"rect": ["10", 10, 5, 5]}, "args.rect.1 (x): a number is expected", "text"),
        ({"rect": [10, 10, 10**400, 5]}, "args.rect.3 (width)", "a number far out"),
        ({"polygon": [[1, 1], [2, True], [3, 3]]}, "args.polygon.2.2 (y): a number is expected", "true"),
        ({"curve": {"start": [1, []]}}, "args.curve.segments is missing, and args.curve.start.2 (y): a number", None),
        (
            {"rect": RECT, "background": "red"},
            "args.background: a colour such as #336699, or #33669980 with its opacity is expected",
            "text",
        ),
    ],
)
def test_a_wrong_value_is_named_told_by_its_kind_and_said_once(
    args: dict[str, Any], message: str, found: str | None
) -> None:
    desk, page, _ = desk_with_page()
    error = refused(desk, BadInput, op("unit.add"), op("frame.add", page, **args))
    assert message in error.message
    assert error.found == found
    assert str(error).count("is expected") == 1
    assert found is None or "expected:" not in str(error)


def test_a_wrong_language_is_told_by_examples() -> None:
    desk, page, _ = desk_with_page()
    error = refused(desk, BadInput, op("text.add", page, text="a", at=[10, 10], style={"language": "Japanese!"}))
    assert "args.style.language: a language's tag such as en, ja or zh-Hans is expected" in error.message


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ({"effect": "tone", "ramp": 30}, "args.ramp: it is the direction of density_to"),
        ({"effect": "gradient", "density_to": 0.3}, "args.density_to: only a tone is graded so"),
        ({"effect": "vignette", "ramp": 30}, "args.ramp: only a tone is graded so"),
        ({"effect": "focus", "screen": "dots"}, "args.screen: only a tone has a screen"),
    ],
)
def test_what_would_have_no_effect_is_refused(args: dict[str, Any], message: str) -> None:
    desk, page, _ = desk_with_page()
    assert message in refused(desk, BadInput, op("effect.add", page, box=RECT, **args)).message


def test_a_graded_tone_may_be_turned_and_one_that_is_even_may_not() -> None:
    desk, page, _ = desk_with_page()
    tone = desk.one("effect.add", page, effect="tone", box=RECT, density_to=0.8)
    desk.one("effect.set", tone, ramp=30)
    assert desk.get(tone).ramp == 30_000
    assert "args.ramp" in refused(desk, BadInput, op("effect.set", tone, ramp=10, density_to=None)).message
    desk.one("effect.set", tone, density_to=None)
    assert "args.ramp" in refused(desk, BadInput, op("effect.set", tone, ramp=10)).message


def test_what_was_sent_is_never_said_back() -> None:
    desk, page, frame = desk_with_page()
    secret = "s3cret-value"
    for operation in (
        op("frame.add", page, rect=[secret, 1, 2, 3], background=secret, bleed=[secret], name=7),
        op("frame.add", page, rect=RECT, border={"width": secret, "dash": [secret]}),
        op("balloon.add", frame, text="a", at=[1, 2], shape=secret, style={"align": secret, "language": secret}),
        op("unit.add", kind=secret),
        op("image.place", frame, asset=[secret], fit=secret),
        op("unit.move", page, to=secret),
    ):
        error = refused(desk, BadInput, operation)
        assert secret not in json.dumps(error.payload())
        assert secret not in str(error)


def test_a_polygon_that_crosses_itself_is_refused_in_words() -> None:
    desk, page, frame = desk_with_page()
    error = refused(desk, InvalidDocument, op("frame.add", page, polygon=[[0, 0], [50, 50], [50, 0], [0, 50]]))
    assert "crosses or touches itself" in error.message
    (finding,) = error.details["findings"]
    assert finding["rule"] == "shape.crosses_itself"
    assert finding["object"] == "what operation 1 (frame.add) makes"
    assert error.ids == ()
    both = [[0, 0], [50, 50], [50, 0], [0, 50]]
    error = refused(
        desk, InvalidDocument, op("frame.reshape", frame, polygon=both), op("frame.add", page, polygon=both)
    )
    assert "(and 1 more)" in error.message
    assert len(error.details["findings"]) == 2


def test_a_change_set_is_all_or_nothing_and_judged_as_a_whole() -> None:
    desk, page, frame = desk_with_page()
    refused(desk, BadInput, op("frame.set", frame, name="x"), op("frame.cut", frame, line=[[200, 0], [200, 9]]))
    # Broken in between, sound at the end.
    desk.do(
        op("frame.reshape", frame, polygon=[[0, 0], [50, 50], [50, 0], [0, 50]]), op("frame.reshape", frame, rect=RECT)
    )
    assert desk.get(page)


def test_the_number_of_operations_has_a_limit() -> None:
    desk = Desk()
    refused(desk, BadInput)
    refused(desk, BadInput, *[op("unit.add")] * (MOST + 1))
    assert len(desk.do(*[op("unit.add")] * MOST)) == MOST


def test_control_characters_in_words_are_refused() -> None:
    desk, _, frame = desk_with_page()
    error = refused(desk, InvalidDocument, op("balloon.add", frame, text="a\x00b", at=[20, 20]))
    assert "control character (U+0000)" in error.message
    refused(desk, BadInput, op("balloon.add", frame, text="\ud83d", at=[20, 20]))


def test_figures_past_the_limit_of_the_document_are_refused_as_input() -> None:
    desk, _, frame = desk_with_page()
    desk.one("image.place", frame, asset=CAT, dx=9_999)
    image = desk.home(frame).objects[-1].id
    error = refused(desk, BadInput, op("object.move", image, by=[9_999, 0]))
    assert error.details["problems"][0]["field"].startswith("result")


def test_operations_can_be_given_parsed() -> None:
    desk, page, _ = desk_with_page()
    raw = RawOperation.parse({"op": "unit.set", "target": page, "args": None, "as": None})
    assert raw == RawOperation("unit.set", page)
    result = desk.result(RawOperation("unit.set", page, {"name": "Opening"}))
    assert (result.book.unit(page).name, result.units, result.made) == ("Opening", (page,), {})


def test_touched_units_are_told_also_when_they_went() -> None:
    desk, page, _ = desk_with_page()
    result = desk.result(op("unit.add"), op("unit.remove", page))
    assert result.units == (result.made["1"], page)
    assert result.notes == (f"removed {page} with the 1 object on it",)


def test_paper_facts_are_judged_for_every_unit() -> None:
    desk, _, _ = desk_with_page()
    desk.one("unit.add")
    error = refused(desk, InvalidDocument, op("paper.set", safe=60))
    assert {found["rule"] for found in error.details["findings"]} == {"paper.safe"}
    assert len(error.details["findings"]) == 3


def test_every_operation_says_in_a_line_what_it_does_and_describes_its_arguments() -> None:
    for operation in OPERATIONS:
        assert 20 <= len(operation.summary) <= 120, operation.name
        assert operation.summary.endswith(".")
        assert not operation.summary.startswith(("This", "A "))
        schema = operation.args.model_json_schema()
        assert schema["additionalProperties"] is False
        noun = operation.name.split(".")[0]
        assert noun in {
            "chapter", "paper", "unit", "spread", "frame", "layout", "object", "reading", "image", "foreground",
            "balloon", "narration", "text", "overlay", "effect", "script",
        }  # fmt: skip


def test_the_set_of_operations_is_what_callers_were_promised() -> None:
    assert [operation.name for operation in OPERATIONS] == [
        "balloon.add", "balloon.set", "balloon.tail", "chapter.set", "effect.add", "effect.set", "foreground.bind",
        "foreground.unbind", "frame.add", "frame.cut", "frame.edge", "frame.remove", "frame.reshape", "frame.set",
        "image.adjust", "image.mark", "image.place", "image.replace", "layout.apply", "layout.reflow", "narration.add",
        "narration.set", "object.band", "object.duplicate", "object.move", "object.order", "object.remove",
        "object.rename", "overlay.add", "overlay.set", "paper.set", "reading.move", "reading.set", "script.write",
        "spread.join",
        "spread.split", "text.add", "text.set", "unit.add", "unit.duplicate", "unit.move", "unit.remove", "unit.set",
    ]  # fmt: skip


def test_assets_that_are_not_registered_are_refused() -> None:
    desk, page, frame = desk_with_page()
    for operation in (
        op("image.place", frame, asset="as_000none0"),
        op("overlay.add", page, asset="as_000none0", box=RECT),
    ):
        refused(desk, NotFound, operation)
    image = desk.one("image.place", frame, asset=CAT)
    refused(desk, NotFound, op("image.replace", image, asset="as_000none0"))
    refused(desk, NotFound, op("foreground.bind", image, asset="as_000none0"))
    desk.one("foreground.bind", image, asset=CUT)


def test_what_was_never_made_is_called_by_the_operation_that_would_make_it() -> None:
    desk, page, _ = desk_with_page()
    crossed = {"polygon": [[0, 0], [50, 50], [50, 0], [0, 50]]}
    error = refused(
        desk,
        InvalidDocument,
        op("frame.add", page, rect=RECT),
        {**op("frame.add", page, **crossed), "as": "odd"},
        op("frame.add", page, **crossed),
    )
    assert "at what operation 2 (frame.add) makes @odd (and 1 more)" in error.message
    named, plain = error.details["findings"]
    assert (named["object"], named["operation"]) == ("what operation 2 (frame.add) makes @odd", 2)
    assert (plain["object"], plain["operation"]) == ("what operation 3 (frame.add) makes", 3)
    assert named["unit"] == page
    assert error.ids == ()
    known = {page, *(item.id for item in desk.book.unit(page).objects)}
    assert set(re.findall(r"\b[a-z]{2}_[0-9a-z]{4,}", str(error.payload()))) <= known


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"op": "unit.add", "target": 5}, "operation 1: target must be text"),
        ({"op": "unit.add", "args": [1]}, "operation 1: args must be an object with keys"),
        (7, "operation 1 must be an object with keys"),
    ],
)
def test_what_an_operation_must_be_is_said(wrong: Any, message: str) -> None:
    assert refused(desk_with_page()[0], BadInput, wrong).message == message


def test_a_missing_key_is_named_beside_an_unknown_one() -> None:
    desk, _, frame = desk_with_page()
    error = refused(desk, UnknownKey, op("effect.add", frame, kind="focus"))
    assert error.message == "operation 1 (effect.add): args.effect is missing, and args.kind is not a key here"
    assert error.recovery.startswith("needed: effect")
    assert (
        refused(desk, BadInput, op("effect.add", frame)).message == "operation 1 (effect.add): args.effect is missing"
    )


def test_a_sentence_of_our_own_stands_for_itself() -> None:
    desk, page, _ = desk_with_page()
    error = refused(desk, BadInput, op("frame.add", page))
    assert error.message == "operation 1 (frame.add): args: give exactly one of rect, polygon, curve"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("page.add", "unit.add"),
        ("panel.add", "frame.add"),
        ("panel.split", "frame.set"),
        ("bubble.add", "balloon.add"),
        ("caption.add", "narration.add"),
        ("sfx.add", "text.add"),
        ("image.add", "image.place"),
        ("frame.delete", "frame.remove"),
    ],
)
def test_an_operation_by_another_common_name_is_told_its_own(typed: str, meant: str) -> None:
    desk, page, _ = desk_with_page()
    assert meant in refused(desk, UnknownOperation, op(typed, page)).recovery.split(";")[0]
