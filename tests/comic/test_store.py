from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.model import Unit
from lantern_kit.comic.store import unit_body
from lantern_kit.kernel.canonical import dumps
from tests.comic.strategies import Ids, random_book

NAMES = st.text(max_size=60) | st.sampled_from(
    ['"objects":null', '\\"objects":null', ',"objects":null,"', '":[]', "\\"]
)


@given(st.integers(0, 10_000), NAMES)
def test_a_unit_put_together_from_its_objects_is_canonical(seed: int, name: str) -> None:
    for unit in random_book(random.Random(seed), Ids(), units=2).units():
        named = unit.model_copy(update={"name": name})
        body = unit_body(named)
        assert body == dumps(named.model_dump(mode="json"))
        assert body == unit_body(named), "the same when its objects' texts are known"
        assert Unit.model_validate_json(body) == named
