from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lantern_kit.novel.edition import Edition, Part, Section
from lantern_kit.novel.export import Form, edition_of, writer
from lantern_kit.novel.prose import _FORBIDDEN
from tests.novel.reading.pages import begun
from tests.novel.reading.test_export import ODD, paragraphs_of

PARAGRAPH = st.one_of(st.sampled_from(ODD), st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)).map(
    lambda text: _FORBIDDEN.sub("", text).strip()
)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edition]:
    made = begun(tmp_path_factory.mktemp("bare") / "ws")
    yield edition_of(made.service, made.novel_id)
    made.close()


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(PARAGRAPH.filter(bool), min_size=1, max_size=4), min_size=1, max_size=3))
@example([ODD, ODD])
def test_no_form_loses_or_changes_a_character(bare: Edition, scenes: list[list[str]]) -> None:
    sections = [
        Section(f"sc_{at:08}", tuple(f"cm_{at:08}:{place}" for place in range(len(texts))), tuple(texts))
        for at, texts in enumerate(scenes)
    ]
    made = replace(bare, parts=(Part("cp_one00000", 1, "& <One> #", False, tuple(sections), 0, 0),))
    wanted = [text for texts in scenes for text in texts]
    for form in Form:
        data = writer(form)(made)
        assert paragraphs_of(form, data) == wanted
        assert writer(form)(made) == data
