"""The sentences of the command line, by language: English is written where it is said, others are looked up."""

from __future__ import annotations

import os


def language() -> str:
    """The language of the environment: ``zh`` or ``en``."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def tr(sentence: str, /, **values: object) -> str:
    """A sentence in the process's language, its ``{names}`` filled in; in English where there is no translation."""
    if language() == "zh":
        from lantern_kit.cli.chinese import SENTENCES

        sentence = SENTENCES.get(sentence, sentence)
    return sentence.format(**values) if values else sentence
