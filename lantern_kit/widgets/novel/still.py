"""A novel's static form: how it stands, its chapters, and how what is written begins; no script, a few kilobytes."""

from __future__ import annotations

from html import escape

from lantern_kit.comic.phrases import Language
from lantern_kit.novel.edition import title_of
from lantern_kit.novel.model import Chapter, ChapterState, InstructionState, Status
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed
from lantern_kit.widgets.novel.words import paused

SHOWN = 60
"""Chapters that are named."""
WORDS = 1_200
"""Characters of the newest prose."""
_SAID = {
    "en": {
        "active": "goes on",
        "completed": "completed",
        "count": "{written:,} effective characters in {units:,} units",
        "outline": "outline revision {revision}",
        "none": "no outline yet",
        "waiting": "{count} instructions are not dealt with yet",
        "planned": "planned",
        "writing": "being written",
        "completed_chapter": "complete",
        "newest": "Newest: “{title}”, written by {author}",
        "more": "… and {count} more chapters",
    },
    "zh": {
        "active": "进行中",
        "completed": "已完结",
        "count": "{written:,} 正文有效字符，{units:,} 个单元",
        "outline": "大纲第 {revision} 版",
        "none": "尚无大纲",
        "waiting": "{count} 条指令待处理",
        "planned": "计划中",
        "writing": "写作中",
        "completed_chapter": "已完成",
        "newest": "最新：《{title}》，作者：{author}",
        "more": "……另有 {count} 章",
    },
}


def text(novel: Novel, language: Language) -> str:
    """It in plain text."""
    return "\n".join([title_of(novel), *_lines(novel, language), *_chapters(novel, language)])


def picture(service: NovelService, novel: Novel, language: Language) -> str:
    """It as HTML; all words of others are escaped."""
    parts = [f"<h3>{escape(title_of(novel))}</h3>"]
    parts += [f"<p>{escape(line)}</p>" for line in _lines(novel, language)]
    rows = "".join(f"<li>{escape(line)}</li>" for line in _chapters(novel, language))
    parts.append(f"<ul>{rows}</ul>" if rows else "")
    last = next(reversed(list(novel.commits.items())), None)
    if last is not None:
        name, unit = last
        title = novel.chapter(unit.chapter).title
        said = _SAID[language]["newest"].format(title=title, author=committed(unit).author)
        parts.append(f"<p><b>{escape(said)}</b></p>")
        left = WORDS
        for paragraph in service.paragraphs(novel, name):
            shown = paragraph if len(paragraph) <= left else f"{paragraph[:left]}…"
            parts.append(f"<p>{escape(shown)}</p>")
            left -= len(paragraph)
            if left <= 0:
                break
    return "".join(parts)


def _lines(novel: Novel, language: Language) -> list[str]:
    said, run = _SAID[language], novel.head.run
    stands = said["completed" if run.status is Status.COMPLETED else "active"]
    if run.pause is not None:
        title, told, todo = paused(run.pause, language)
        stands = " · ".join(filter(None, (title, told, todo)))
    revision = novel.head.outline_revision
    counts = [
        said["outline"].format(revision=revision) if revision else said["none"],
        said["count"].format(written=novel.head.characters, units=novel.head.commits),
    ]
    waiting = sum(1 for item in novel.open_instructions if item.state is not InstructionState.APPLIED)
    return [stands, " · ".join(counts), *([said["waiting"].format(count=waiting)] if waiting else [])]


def _chapters(novel: Novel, language: Language) -> list[str]:
    said = _SAID[language]
    all_of_them = list(novel.chapters.values())
    written = {item.id: 0 for item in all_of_them}
    for unit in novel.units.values():
        if unit.commit is not None:
            written[unit.chapter] += committed(unit).characters
    lines = [
        f"{number}. {item.title} · {said[_state(item)]} · {written[item.id]:,}"
        for number, item in enumerate(all_of_them[:SHOWN], 1)
    ]
    more = len(all_of_them) - SHOWN
    return [*lines, said["more"].format(count=more)] if more > 0 else lines


def _state(chapter: Chapter) -> str:
    return "completed_chapter" if chapter.state is ChapterState.COMPLETED else chapter.state.value
