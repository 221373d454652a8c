from __future__ import annotations

import pytest

from tests.mcp_server.host import Host
from tests.mcp_server.test_calls import PAGE, begun, edited


@pytest.mark.parametrize("text", ["half \ud800", "\udfff", "nothing\x00", "\x1b[2J"])
def test_words_that_no_text_may_hold_are_refused_by_name(host: Host, text: str) -> None:
    draft = begun(host)
    made = edited(host, draft, PAGE)
    found = host.refused(
        "edit",
        draft=draft["draft"],
        expected_revision=made["revision"],
        idempotency_key=host.key(),
        operations=[{"op": "balloon.add", "target": made["objects"]["page"], "args": {"text": text, "at": [50, 50]}}],
    )
    assert found["code"] in {"invalid_document", "bad_input"}
    assert "U+" in found["message"] or "well-formed Unicode" in found["message"]


def test_a_key_that_is_no_text_is_refused_wherever_it_stands(host: Host) -> None:
    draft = begun(host)
    for held in ({"half \ud800": 1}, [{"in": {"\udfff": 1}}]):
        found = host.refused(
            "edit",
            draft=draft["draft"],
            expected_revision=draft["revision"],
            idempotency_key=host.key(),
            operations=[{"op": "balloon.add", "target": "x", "args": {"text": held}}],
        )
        assert found["code"] == "bad_input"
        assert found["expected"] == "well-formed Unicode text"
