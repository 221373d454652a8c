"""The cards and lorebooks that come with the kit."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from lantern_kit import datasets
from lantern_kit.cards import Book, BookForm, Card, CardForm, active, assets, read_any, read_card
from lantern_kit.cards.charx import member
from lantern_kit.kernel.errors import NotFound

NAMES = datasets.card_names()


def test_there_are_two_stories_worth_of_them() -> None:
    assert NAMES == ("lin-zhao", "mara-quill", "saltmarsh", "shen-yan", "tobias-fenn", "wu-gang")
    with pytest.raises(NotFound, match="shen-yan"):
        datasets.open_card("shen-yen")


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_read_without_a_notice_and_says_its_licence(name: str) -> None:
    path = datasets.card_file(name)
    found = read_any(datasets.open_card(name), path.name)
    assert found.notices == ()
    assert path.stat().st_size <= 60_000
    said = found.creator_notes if isinstance(found, Card) else found.description
    assert "CC0 1.0" in said
    assert f"| `{name}` |" in (datasets.root() / "README.md").read_text("utf-8")
    if isinstance(found, Card):
        assert len(found.description) > 150
        assert set(found.raw["data"]["extensions"]["lantern_kit"]["goes_with"]) < set(NAMES)


@pytest.mark.parametrize(
    ("world", "cards"), [("wu-gang", ("shen-yan", "lin-zhao")), ("saltmarsh", ("mara-quill", "tobias-fenn"))]
)
def test_the_cards_of_a_world_wake_most_of_it(world: str, cards: tuple[str, ...]) -> None:
    book = read_any(datasets.open_card(world))
    assert isinstance(book, Book)
    assert len(book.entries) >= 12
    held = [read_card(datasets.open_card(name)) for name in cards]
    texts = [text for card in held for text in (card.description, card.scenario, card.first_mes, card.mes_example)]
    assert len(active(book, texts)) >= 6


def test_every_form_is_among_them() -> None:
    found = [read_any(datasets.open_card(name)) for name in NAMES]
    assert {one.form for one in found if isinstance(one, Card)} == set(CardForm)
    assert {one.form for one in found if isinstance(one, Book)} == {BookForm.SILLYTAVERN, BookForm.V3}


def test_the_pictures_are_those_that_the_script_draws(root: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, root / "scripts" / "sample_cards.py", tmp_path], check=True, timeout=120)
    for name in ("shen-yan.png", "mara-quill.charx"):
        drawn, kept = (tmp_path / name).read_bytes(), datasets.card_file(Path(name).stem).read_bytes()
        assert read_card(drawn).source == read_card(kept).source
        if name.endswith("charx"):
            (icon,) = assets(read_card(kept))
            drawn, kept = (member(data, icon.name) or b"" for data in (drawn, kept))
        with Image.open(io.BytesIO(drawn)) as one, Image.open(io.BytesIO(kept)) as other:
            assert one.convert("RGB").tobytes() == other.convert("RGB").tobytes()
