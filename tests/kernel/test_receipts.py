from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.kernel import receipts
from lantern_kit.kernel.errors import BadInput, Corrupt, IdempotencyConflict
from tests.kernel.shelf import Shelf, undone

ASKED = receipts.request_digest({"text": "Hello.", "x": 1.5})


def test_a_kept_answer_is_found_again_as_it_was(shelf: Shelf) -> None:
    answer = {"revision": "r7", "x": 1.25, "words": ["é", None, True], "none": {}}
    with shelf.journal.write() as connection:
        assert receipts.find(connection, "edit/agent/bot", "k1", ASKED) is None
        receipts.keep(connection, "edit/agent/bot", "k1", ASKED, answer, 5)
    with shelf.journal.read() as connection:
        assert receipts.find(connection, "edit/agent/bot", "k1", ASKED) == answer
        assert receipts.find(connection, "edit/agent/other", "k1", ASKED) is None
        assert receipts.find(connection, "edit/agent/bot", "k2", ASKED) is None


def test_a_key_that_was_used_for_another_request_is_a_conflict(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        receipts.keep(connection, "s", "k1", ASKED, {}, 5)
        with pytest.raises(IdempotencyConflict) as caught:
            receipts.find(connection, "s", "k1", receipts.request_digest({"text": "Bye."}))
    assert caught.value.ids == ("k1",)
    assert not caught.value.retryable


def test_a_receipt_rolled_back_with_its_change_was_never_given(shelf: Shelf) -> None:
    with undone(shelf.journal) as connection:
        receipts.keep(connection, "s", "k1", ASKED, {}, 5)
    with shelf.journal.read() as connection:
        assert receipts.find(connection, "s", "k1", ASKED) is None


def test_a_damaged_answer_is_corrupt(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        receipts.keep(connection, "s", "k1", ASKED, {"a": 1}, 5)
        connection.exec_driver_sql("UPDATE receipts SET answer = x'00'")
        with pytest.raises(Corrupt):
            receipts.find(connection, "s", "k1", ASKED)


@given(st.dictionaries(st.text(), st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False)))
def test_a_request_has_one_digest_however_its_keys_are_ordered(request: dict[str, Any]) -> None:
    turned = {key: request[key] for key in reversed(request)}
    assert receipts.request_digest(turned) == receipts.request_digest(request)
    assert receipts.request_digest({**request, "more": None}) != receipts.request_digest(request)


@pytest.mark.parametrize("key", ["", "k" * 121, "a\nb", "\x00"])
def test_a_key_is_short_and_printable(key: str) -> None:
    with pytest.raises(BadInput):
        receipts.check_key(key)
    assert receipts.check_key("k" * 120) == "k" * 120


def test_a_key_is_kept_so_that_it_can_only_be_known_again(shelf: Shelf) -> None:
    with shelf.journal.write() as connection:
        receipts.keep(connection, "s", "a secret", ASKED, {"n": 1}, 5)
        kept = connection.exec_driver_sql("SELECT key FROM receipts").scalar_one()
        assert len(kept) == 64 and "secret" not in kept
        connection.exec_driver_sql("UPDATE receipts SET key = 'a secret'")  # as earlier versions kept it
        assert receipts.find(connection, "s", "a secret", ASKED) == {"n": 1}
