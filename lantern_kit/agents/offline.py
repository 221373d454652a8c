"""The offline assistant: it stands in for a model, follows playbooks, and says that it does.

The same request, answers and seed give the same calls and words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from lantern_kit.agents.chat import Hear, Message, Said, ToolSpec
from lantern_kit.agents.playbooks.page import make_page
from lantern_kit.agents.playbooks.phrases import phrase
from lantern_kit.agents.playbooks.question import answer_question
from lantern_kit.agents.playbooks.talk import Playbook, Talk, read

PLAYBOOKS: tuple[Playbook, ...] = (make_page, answer_question)


class OfflineAssistant:
    """A model that is none.

    Args:
        seed: chooses among what a playbook leaves open, such as how panels lie.
        playbooks: what it can do; the first that takes a request has it.
    """

    model = "offline-assistant"
    stand_in = True

    def __init__(self, *, seed: int = 0, playbooks: Sequence[Playbook] = PLAYBOOKS) -> None:
        self._seed = seed
        self._playbooks = tuple(playbooks)

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        """What comes next by the playbooks; without tools, a note on the facts that it is told last."""
        talk = read(messages, tools, self._seed)
        facts = messages[-1] if messages and messages[-1].retrieved else None
        said = _note(talk, facts) if facts is not None and not tools else self._decided(talk)
        if hear is not None and said.text:
            hear(said.text)
        return said

    def _decided(self, talk: Talk) -> Said:
        for playbook in self._playbooks:
            said = playbook(talk)
            if said is not None:
                return said
        return Said(phrase("able", chinese=talk.chinese))


def _note(talk: Talk, message: Message) -> Said:
    """What came of a turn, by the facts alone."""
    try:
        facts = json.loads(message.text)
        made, refused = dict(facts["made"]), list(facts["refused"])
    except (ValueError, KeyError, TypeError):
        return Said(phrase("note nothing", chinese=talk.chinese))
    if "proposal" in made:
        words = phrase("note proposal", chinese=talk.chinese, proposal=made["proposal"])
    elif "draft" in made:
        words = phrase("note draft", chinese=talk.chinese, draft=made["draft"], revision=made.get("revision", ""))
    else:
        words = phrase("note nothing", chinese=talk.chinese)
    if refused:
        words += phrase("note refused", chinese=talk.chinese, codes=", ".join(map(str, refused)))
    return Said(words)
