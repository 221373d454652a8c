from __future__ import annotations

from lantern_kit.kernel.remembered import EACH, remembered


def test_what_was_made_of_a_text_is_made_once_until_it_is_forgotten() -> None:
    made: list[str] = []

    @remembered(10 * EACH)
    def louder(text: str, times: int) -> str:
        made.append(text)
        return text.upper() * times

    assert [louder("a", 2), louder("a", 2), louder("a", 3)] == ["AA", "AA", "AAA"]
    assert made == ["a", "a"]
    louder.cache_clear()
    louder("a", 2)
    assert len(made) == 3


def test_long_texts_are_forgotten_sooner_than_short_ones_and_the_longest_are_not_kept() -> None:
    made: list[int] = []

    @remembered(11 * EACH)
    def length(text: str) -> int:
        made.append(len(text))
        return len(text)

    for text in ("a", "b" * 3 * EACH, "c" * 4 * EACH):
        length(text)
    length("a")
    length("d" * 3 * EACH)  # what stands longest unasked goes
    made.clear()
    for text in ("a", "c" * 4 * EACH, "d" * 3 * EACH):
        length(text)
    assert made == []
    length("b" * 3 * EACH)
    length("e" * 20 * EACH)
    length("e" * 20 * EACH)
    assert made == [3 * EACH, 20 * EACH, 20 * EACH]
