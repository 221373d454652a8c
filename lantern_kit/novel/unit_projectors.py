"""The analysis tables of units, of attempts at them, and of the facts they made true. Claims' tokens are in none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from lantern_kit.analysis.registry import Column, Mirrored, Row
from lantern_kit.kernel.canonical import dumps
from lantern_kit.novel.model import Event, Fact, ForeshadowMove, Knowledge, PersonState, Relation, Variable
from lantern_kit.novel.tabled import DEPENDS, NOVEL, rows
from lantern_kit.novel.whole import Novel, committed


def _unit_rows(novel: Novel) -> Iterator[Row]:
    reached = _reached(novel)
    for unit in novel.units.values():
        made = unit.commit
        told: Row = (None,) * 14
        if made is not None:
            told = (
                made.id,
                made.body,
                made.size,
                made.paragraphs,
                made.characters,
                made.punctuated,
                made.scene_done,
                sum(1 for _ in made.delta.facts()),
                [item.finding for item in made.overrides],
                made.author,
                made.generation,
                made.content_revision,
                made.at,
                reached[made.id],
            )
        yield (
            unit.id,
            unit.number,
            unit.chapter,
            unit.scene,
            unit.part,
            unit.state.value,
            unit.outline_revision,
            unit.watermark,
            unit.low,
            unit.high,
            unit.corrections,
            *told,
        )


def _reached(novel: Novel) -> dict[str, int]:
    """How many effective characters the novel had with each commit."""
    made = [committed(unit) for unit in novel.commits.values()]
    return dict(zip((commit.id for commit in made), accumulate(commit.characters for commit in made), strict=True))


UNITS = Mirrored(
    name="novel_units",
    doc="One row per unit: a piece of prose that was prepared, claimed, committed or set aside.",
    columns=(
        NOVEL,
        Column("unit", "VARCHAR", "its id"),
        Column("number", "INTEGER", "of all units of the novel, in the order in which they were prepared"),
        Column("chapter", "VARCHAR", "the chapter it is of"),
        Column("scene", "VARCHAR", "the scene it is of"),
        Column("part", "INTEGER", "which piece of the scene"),
        Column("state", "VARCHAR", "prepared, claimed, committed or superseded"),
        Column("outline_revision", "INTEGER", "the outline it was prepared by"),
        Column("watermark", "INTEGER", "the instructions it was prepared by"),
        Column("low", "INTEGER", "effective characters aimed at, at least"),
        Column("high", "INTEGER", "effective characters aimed at, at most"),
        Column("corrections", "INTEGER", "how often its prose was refused for its length"),
        Column("commit", "VARCHAR", "its commit; this and all that follows NULL where there is none"),
        Column("body", "VARCHAR", "SHA-256 of the prose, in hex"),
        Column("bytes", "BIGINT", "of the prose"),
        Column("paragraphs", "INTEGER", "of the prose"),
        Column("characters", "INTEGER", "effective ones"),
        Column("punctuated", "INTEGER", "the same with punctuation"),
        Column("scene_done", "BOOLEAN", "whether its scene is done with it"),
        Column("facts", "INTEGER", "how many facts it made true"),
        Column("overrides", "VARCHAR[]", "rules of findings that it was committed over"),
        Column("author", "VARCHAR", "who wrote it"),
        Column("generation", "INTEGER", "the novel's generation when it was claimed"),
        Column("content_revision", "INTEGER", "the content revision that it made"),
        Column("committed_at", "TIMESTAMP", "when, in UTC"),
        Column("characters_so_far", "BIGINT", "effective characters of the novel with it"),
    ),
    read=rows(_unit_rows),
    depends=DEPENDS,
)


def _attempt_rows(novel: Novel) -> Iterator[Row]:
    for unit in novel.units.values():
        for item in unit.attempts:
            end = None if item.end is None else item.end.value
            versions = (item.generation, item.outline_revision, item.watermark)
            yield (unit.id, item.id, item.author, item.turn, *versions, item.at, end, item.reason)


ATTEMPTS = Mirrored(
    name="novel_attempts",
    doc="One row per attempt to write a unit; of each unit the newest eight.",
    columns=(
        NOVEL,
        Column("unit", "VARCHAR", "the unit that was claimed"),
        Column("attempt", "VARCHAR", "its id"),
        Column("author", "VARCHAR", "who claimed it"),
        Column("turn", "VARCHAR", "the author's turn, as its host names it"),
        Column("generation", "INTEGER", "the novel's when it was claimed"),
        Column("outline_revision", "INTEGER", "the outline it was claimed by"),
        Column("watermark", "INTEGER", "the instructions it was claimed by"),
        Column("claimed_at", "TIMESTAMP", "when, in UTC"),
        Column("ended", "VARCHAR", "committed, failed, stopped or lost; NULL while it goes on"),
        Column("reason", "VARCHAR", "why it ended, in words; empty where that says itself"),
    ),
    read=rows(_attempt_rows),
    depends=DEPENDS,
)


def _fact_rows(novel: Novel) -> Iterator[Row]:
    for commit, unit in novel.commits.items():
        place = committed(unit).content_revision
        for number, fact in enumerate(committed(unit).delta.facts()):
            kind, *told = _columns(fact)
            source = fact.source
            chapter = novel.commits[source.commit].chapter
            yield (f"{commit}/{number}", commit, unit.id, place, kind, *told, chapter, source.commit, source.paragraph)


def _columns(fact: Fact) -> tuple[str, str | None, str | None, list[str], str | None, str]:
    """A fact's kind, who, other, people, name and value."""
    match fact:
        case Event():
            return "event", None, None, list(fact.people), None, fact.what
        case PersonState():
            return "state", fact.person, None, [fact.person], fact.aspect, fact.value
        case Relation():
            return "relation", fact.person, fact.to, [fact.person, fact.to], None, fact.what
        case Knowledge():
            return "knowledge", fact.who, None, [fact.who], None, fact.what
        case Variable():
            return "variable", None, None, [], fact.name, _value(fact)
        case ForeshadowMove():
            return "foreshadow", None, None, [], fact.foreshadow, fact.move.value


def _value(item: Variable) -> str:
    return item.value if isinstance(item.value, str) else dumps(item.value).decode()


FACTS = Mirrored(
    name="novel_facts",
    doc="One row per fact that a commit made true, with the paragraph it stands in.",
    columns=(
        NOVEL,
        Column("fact", "VARCHAR", "its commit and its place among the facts of that"),
        Column("commit", "VARCHAR", "the commit that says it"),
        Column("unit", "VARCHAR", "the unit of that commit"),
        Column("content_revision", "INTEGER", "of that commit: later facts go over earlier ones"),
        Column("kind", "VARCHAR", "event, state, relation, knowledge, variable or foreshadow"),
        Column("who", "VARCHAR", "of a state, a relation, knowledge: whose (reader: who reads); else NULL"),
        Column("other", "VARCHAR", "of a relation: to whom; else NULL"),
        Column("people", "VARCHAR[]", "all who are in it"),
        Column("name", "VARCHAR", "a state's aspect, a variable's name, the foreshadow; else NULL"),
        Column("value", "VARCHAR", "what happened, how it is, what is known; of a foreshadow planted or resolved"),
        Column("chapter", "VARCHAR", "the chapter of the paragraph it stands in"),
        Column("source_commit", "VARCHAR", "the commit of that paragraph: this one, or an earlier one"),
        Column("paragraph", "INTEGER", "its number there, from 0"),
    ),
    read=rows(_fact_rows),
    depends=DEPENDS,
)

PROJECTORS = (UNITS, ATTEMPTS, FACTS)
