"""The sentences of the command line, by language: English is written where it is said, others are looked up."""

from __future__ import annotations

from lantern_kit.home import own_language


def tr(sentence: str, /, **values: object) -> str:
    """A sentence in the process's language, its ``{names}`` filled in; in English where there is no translation."""
    if own_language() == "zh":
        from lantern_kit.cli.chinese import SENTENCES

        sentence = SENTENCES.get(sentence, sentence)
    return sentence.format(**values) if values else sentence


def aside(words: str) -> str:
    """Words in brackets behind others: ``" (words)"``, as the process's language writes them."""
    return tr(" ({words})", words=words)


def counted(number: int, one: str, /, *, many: str = "") -> str:
    """A number of things in the process's language: ``{count} chapter`` as ``1 chapter``, ``1,200 chapters``."""
    sentence = tr(one)
    if sentence == one and number != 1:
        sentence = many or f"{one}s"
    return sentence.format(count=f"{number:,}")
