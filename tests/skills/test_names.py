"""Whatever the skills' texts call by name is there: tools, arguments, operations, guides, rules, codes, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.annotation import Resolution
from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.comic.edit import OPERATIONS
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.schema import flat_schema
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.taught import texts as served
from lantern_kit.skills import guides, skills
from tests.skills.taught import ANSWERED, examples, spans, texts

TEXTS = pytest.mark.parametrize("path", texts())
STANDS_FOR_SOMETHING = re.compile(
    r"((ch|un|fr|im|bl|as|an|li)_…(#…)?(@saved)?|fr_7kq2m9x4#c2mk9q1t|(d|r|p|cd)\d+|@name(\.[12])?)"
)
WRITTEN = re.compile(r"[{\[*@#\\].*|[A-Z]+: …")
"""How words are marked and scripts are written."""
FOLDERS = {"inbox/", "references/"}
OWN = {"must", "should", "could"}
"""The severities that page-review gives."""


def keys(schema: Any) -> Iterator[str]:
    """Every property and every value of a closed set, anywhere in a schema."""
    if isinstance(schema, list):
        for part in schema:
            yield from keys(part)
    elif isinstance(schema, dict):
        yield from schema.get("properties", {})
        yield from (value for value in schema.get("enum", []) if isinstance(value, str))
        for part in schema.values():
            yield from keys(part)


def codes(kind: type[LanternError] = LanternError) -> Iterator[str]:
    """The code of every deliberate error."""
    yield kind.code
    for under in kind.__subclasses__():
        yield from codes(under)


def rules_of(root: Path) -> list[str]:
    """Every rule of the checks, as people are told of them."""
    return re.findall(r"^\| `([\w.]+)` \|", (root / "docs" / "checks.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def known(root: Path) -> set[str]:
    """Every name that the kit has for an agent."""
    called = [CAPABILITIES.get(name) for tool in COMIC.tools for name in tool.capabilities]
    schemas = [flat_schema(model) for capability in called for model in (capability.input, capability.output)]
    schemas += [flat_schema(operation.args) for operation in OPERATIONS]
    rules = rules_of(root)
    return {
        *(tool.name for tool in COMIC.tools),
        *(action for tool in COMIC.tools for action in tool.actions),
        *(operation.name for operation in OPERATIONS),
        *("op", "target", "as", "args"),
        *keys(schemas),
        *guides(),
        *skills(),
        *codes(),
        *rules,
        *(resolution.value for resolution in Resolution),
        *(text.uri for text in served()),
        *ANSWERED,
        *FOLDERS,
        *OWN,
    }


@TEXTS
def test_a_name_in_a_text_is_a_name_of_the_kit(path: str, known: set[str]) -> None:
    given = (STANDS_FOR_SOMETHING, WRITTEN)
    said = {span for span in spans(texts()[path]) if not any(form.fullmatch(span) for form in given)}
    assert said <= known, sorted(said - known)


@TEXTS
def test_a_dotted_word_outside_code_is_no_operation_that_is_gone(path: str, known: set[str]) -> None:
    nouns = {operation.name.split(".")[0] for operation in OPERATIONS}
    said = {word for word in re.findall(r"\b([a-z]+\.[a-z]+)\b", texts()[path]) if not word.endswith(".md")}
    assert {word for word in said if word.split(".")[0] in nouns} <= known


@TEXTS
def test_a_guide_that_an_example_asks_for_is_there(path: str) -> None:
    asked = [example.arguments["guide"] for example in examples(texts()[path]) if "guide" in example.arguments]
    assert set(asked) <= set(guides())


def test_the_texts_teach_every_tool_and_each_kind_of_operation() -> None:
    whole = "\n".join(texts().values())
    assert {
        tool.name for tool in COMIC.tools if f"`{tool.name}`" not in whole and f"\n{tool.name} {{" not in whole
    } == set()
    nouns = {operation.name.split(".")[0] for operation in OPERATIONS}
    taught = {word.split(".")[0] for word in re.findall(r"\b([a-z]+\.[a-z]+)\b", whole)}
    assert nouns <= taught


def test_the_guide_on_checks_says_of_every_rule_how_it_is_mended(root: Path) -> None:
    told = [rule for line in guides()["checks"].splitlines() if line.startswith("| `") for rule in spans(line)]
    assert set(rules_of(root)) <= set(told)


def test_page_review_calls_nothing_that_writes_and_names_all_that_it_must_not_call() -> None:
    writes = {
        (tool.name, action)
        for tool in COMIC.tools
        for action, name in (tool.actions or {"": tool.capability}).items()
        if CAPABILITIES.get(name).writes
    }
    whole = [text for path, text in texts().items() if path.startswith("page-review/")]
    called = [example for text in whole for example in examples(text)]
    assert called and not [item for item in called if (item.tool, item.arguments.get("action", "")) in writes]
    forbidden = set(spans(skills()["page-review"].body.split("## ")[0]))
    assert {tool for tool, _ in writes} <= forbidden
    reads_too = {tool.name for tool in COMIC.tools if tool.actions and tool.name != "manage_draft"}
    assert {action for tool, action in writes if tool in reads_too} <= forbidden
