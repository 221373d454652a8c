"""The analysis tables of novels, as they stand when the tables are brought up; prose is told by its size and digest."""

from __future__ import annotations

from collections.abc import Iterator

from lantern_kit.analysis.registry import Column, Mirrored, Row
from lantern_kit.kernel.engine import Connection
from lantern_kit.novel import unit_projectors
from lantern_kit.novel.edition import title_of
from lantern_kit.novel.model import SceneState, Target
from lantern_kit.novel.tabled import DEPENDS, NOVEL, each, rows
from lantern_kit.novel.whole import Novel, committed


def _novel_rows(connection: Connection) -> Iterator[Row]:
    for revision, novel in each(connection):
        head, config, run, spent = novel.head, novel.config, novel.head.run, novel.head.spent
        length = config.length if isinstance(config.length, Target) else None
        yield (
            head.id,
            title_of(novel),
            run.status.value,
            run.phase.value,
            None if run.pause is None else run.pause.reason.value,
            None if run.pause is None else run.pause.told,
            config.language,
            config.genre,
            config.approval.value,
            None if length is None else length.characters,
            None if length is None else length.low,
            None if length is None else length.high,
            None if length is None else length.hard_maximum,
            config.count_policy,
            head.characters,
            head.punctuated,
            len(novel.chapters),
            novel.completed_chapters,
            head.commits,
            head.units,
            head.received,
            head.watermark,
            head.outline_revision,
            head.approved,
            head.content_revision,
            head.generation,
            spent.turns,
            spent.planning_turns,
            spent.milliseconds,
            spent.requests,
            spent.input_tokens,
            spent.output_tokens,
            spent.deductions,
            head.created_by,
            head.created_at,
            revision,
        )


NOVELS = Mirrored(
    name="novels",
    doc="One row per novel, as it stands.",
    columns=(
        Column("novel", "VARCHAR", "its id; also the name of its line"),
        Column("title", "VARCHAR", "what the outline calls it; before there is one, what it was begun as"),
        Column("status", "VARCHAR", "active, paused or completed"),
        Column("phase", "VARCHAR", "outlining, revising, writing or finishing"),
        Column("pause_reason", "VARCHAR", "why it is paused; NULL while it is not"),
        Column("pause_told", "VARCHAR", "the same in words"),
        Column("language", "VARCHAR", "BCP 47 tag"),
        Column("genre", "VARCHAR", "as it was begun with"),
        Column("approval", "VARCHAR", "who lets the first outline begin: automatic or manual"),
        Column("target_characters", "BIGINT", "effective characters aimed at; NULL: unbounded"),
        Column("low", "BIGINT", "the least within the tolerance"),
        Column("high", "BIGINT", "the most within the tolerance and the hard maximum"),
        Column("hard_maximum", "BIGINT", "never more than this; NULL: no such limit"),
        Column("count_policy", "INTEGER", "the way in which characters are counted"),
        Column("characters", "BIGINT", "effective characters committed"),
        Column("punctuated", "BIGINT", "the same with punctuation"),
        Column("chapters", "INTEGER", "in the outline"),
        Column("chapters_completed", "INTEGER", "how many of them are complete"),
        Column("commits", "INTEGER", "pieces of prose committed"),
        Column("units", "INTEGER", "units ever prepared"),
        Column("received", "INTEGER", "sequence of the newest instruction"),
        Column("watermark", "INTEGER", "up to which sequence all instructions are dealt with"),
        Column("outline_revision", "INTEGER", "0: there is no outline yet"),
        Column("approved", "INTEGER", "the outline revision that was let begin; 0: none yet"),
        Column("content_revision", "INTEGER", "of the prose and its canon"),
        Column("generation", "INTEGER", "claims of earlier ones are worth nothing"),
        Column("turns", "INTEGER", "turns of authors' hosts"),
        Column("planning_turns", "INTEGER", "how many of them were for the outline"),
        Column("milliseconds", "BIGINT", "spent in turns"),
        Column("requests", "INTEGER", "requests to models, where the host tells"),
        Column("input_tokens", "BIGINT", "where the host counts"),
        Column("output_tokens", "BIGINT", "where the host counts"),
        Column("deductions", "INTEGER", "scenes acted out by their characters"),
        Column("created_by", "VARCHAR", "who began it"),
        Column("created_at", "TIMESTAMP", "when, in UTC"),
        Column("revision", "VARCHAR", "the revision all of this is of"),
    ),
    read=_novel_rows,
    depends=DEPENDS,
)


def _chapter_rows(novel: Novel) -> Iterator[Row]:
    for position, chapter in enumerate(novel.chapters.values(), 1):
        made = [committed(unit) for unit in novel.units_by_chapter.get(chapter.id, ())]
        yield (
            chapter.id,
            position,
            chapter.title,
            chapter.state.value,
            chapter.characters,
            sum(commit.characters for commit in made),
            sum(commit.punctuated for commit in made),
            len(made),
            sum(commit.paragraphs for commit in made),
            len(chapter.scenes),
            sum(1 for scene in chapter.scenes if scene.state is SceneState.DONE),
            list(chapter.people),
            chapter.purpose,
            None if chapter.completion is None else list(chapter.completion.open),
            None if chapter.completion is None else chapter.completion.at,
        )


CHAPTERS = Mirrored(
    name="novel_chapters",
    doc="One row per chapter of a novel's outline, with what is written of it.",
    columns=(
        NOVEL,
        Column("chapter", "VARCHAR", "its id, the same whatever it is called"),
        Column("position", "INTEGER", "its place in the outline, from 1"),
        Column("title", "VARCHAR", "what it is called"),
        Column("state", "VARCHAR", "planned, writing or completed"),
        Column("planned_characters", "BIGINT", "effective characters planned; 0: its fair part"),
        Column("characters", "BIGINT", "effective characters committed"),
        Column("punctuated", "BIGINT", "the same with punctuation"),
        Column("commits", "INTEGER", "pieces of prose"),
        Column("paragraphs", "INTEGER", "of prose"),
        Column("scenes", "INTEGER", "planned so far"),
        Column("scenes_done", "INTEGER", "how many of them are done"),
        Column("people", "VARCHAR[]", "who is planned to be in it"),
        Column("purpose", "VARCHAR", "what it is for"),
        Column("open_ends", "VARCHAR[]", "what was left open when it was completed; NULL before"),
        Column("completed_at", "TIMESTAMP", "when, in UTC; NULL before"),
    ),
    read=rows(_chapter_rows),
    depends=DEPENDS,
)


def _ledger_rows(novel: Novel) -> Iterator[Row]:
    for item in novel.instructions.values():
        came, conflict = item.outcome, item.conflict
        yield (
            item.id,
            item.sequence,
            item.source.value,
            item.text,
            item.by,
            item.received_at,
            item.during,
            item.answers,
            item.state.value,
            None if came is None else came.note,
            None if came is None else came.outline_revision,
            None if came is None else came.effective,
            None if came is None else came.superseded_by,
            None if came is None else came.at,
            None if conflict is None else conflict.reason,
            None if conflict is None else [str(source) for source in conflict.sources],
            None if conflict is None else conflict.solved_by,
        )


LEDGER = Mirrored(
    name="novel_ledger",
    doc="One row per instruction of a novel's author, in order, with what came of it.",
    columns=(
        NOVEL,
        Column("instruction", "VARCHAR", "its id"),
        Column("sequence", "INTEGER", "its place in the ledger, from 1"),
        Column("source", "VARCHAR", "creation, instruction, clarification or withdrawal"),
        Column("text", "VARCHAR", "the person's own words"),
        Column("actor", "VARCHAR", "who said it"),
        Column("received_at", "TIMESTAMP", "when, in UTC"),
        Column("during", "VARCHAR", "the unit that was claimed when it came; NULL: none was"),
        Column("answers", "VARCHAR", "the blocked instruction it is about; else NULL"),
        Column("state", "VARCHAR", "pending, applied, superseded or blocked"),
        Column("note", "VARCHAR", "what came of it; this to settled_at NULL while nothing did"),
        Column("outline_revision", "INTEGER", "the outline revision that dealt with it"),
        Column("effective", "VARCHAR", "the chapter from which it shows; NULL: from the next unit on"),
        Column("superseded_by", "VARCHAR", "the instruction that took its place; else NULL"),
        Column("settled_at", "TIMESTAMP", "when it was dealt with, in UTC"),
        Column("conflict", "VARCHAR", "why it could not be followed, the newest there was; NULL: it never was blocked"),
        Column("conflict_sources", "VARCHAR[]", "the paragraphs it contradicts"),
        Column("solved_by", "VARCHAR", "the clarification or withdrawal that solved it"),
    ),
    read=rows(_ledger_rows),
    depends=DEPENDS,
)


def _foreshadow_rows(novel: Novel) -> Iterator[Row]:
    for item in novel.foreshadows.values():
        planted = None if item.planted is None else str(item.planted)
        resolved = None if item.resolved is None else str(item.resolved)
        yield (item.id, item.what, item.plant, item.resolve, item.required, item.state.value, planted, resolved)


FORESHADOWS = Mirrored(
    name="novel_foreshadows",
    doc="One row per foreshadow: something planted to be taken up again.",
    columns=(
        NOVEL,
        Column("foreshadow", "VARCHAR", "its id"),
        Column("what", "VARCHAR", "what it is, in the outline's words"),
        Column("plant", "VARCHAR", "the chapter in which it is to be planted; NULL: wherever"),
        Column("resolve", "VARCHAR", "the chapter in which it is to be taken up at the latest; NULL: wherever"),
        Column("required", "BOOLEAN", "whether the novel cannot end without it"),
        Column("state", "VARCHAR", "planned, planted, resolved or dropped"),
        Column("planted", "VARCHAR", "the paragraph that planted it; NULL before"),
        Column("resolved", "VARCHAR", "the paragraph that took it up; NULL before"),
    ),
    read=rows(_foreshadow_rows),
    depends=DEPENDS,
)


def _plan_rows(novel: Novel) -> Iterator[Row]:
    for item in novel.plans.values():
        overrides = [override.finding for override in item.overrides]
        lists = (list(item.instructions), list(item.chapters), list(item.changed), overrides)
        yield (item.id, item.number, item.why.value, item.reason, *lists, item.by, item.at)


OUTLINES = Mirrored(
    name="novel_outline_revisions",
    doc="One row per revision of a novel's outline.",
    columns=(
        NOVEL,
        Column("plan", "VARCHAR", "its id"),
        Column("number", "INTEGER", "the outline revision that it made"),
        Column("why", "VARCHAR", "what it was for: beginning, instructions, refine …"),
        Column("reason", "VARCHAR", "why, in the author's words"),
        Column("instructions", "VARCHAR[]", "those that it dealt with"),
        Column("chapters", "VARCHAR[]", "those that it added, changed or dropped"),
        Column("changed", "VARCHAR[]", "what it changed, in the kit's words"),
        Column("overrides", "VARCHAR[]", "rules of findings that it was made over"),
        Column("actor", "VARCHAR", "who made it"),
        Column("made_at", "TIMESTAMP", "when, in UTC"),
    ),
    read=rows(_plan_rows),
    depends=DEPENDS,
)

PROJECTORS = (NOVELS, CHAPTERS, *unit_projectors.PROJECTORS, LEDGER, FORESHADOWS, OUTLINES)
