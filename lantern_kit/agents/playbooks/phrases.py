"""What the offline assistant says, in English and Chinese."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "able": (
        (
            "I only stand in for a model, offline. I can make a page from a request (“Make a page with two panels: …”) "
            "and tell what is in a chapter, on a page, found by a check, or waiting as a proposal. "
            "For anything else, name a model."
        ),
        (
            "我只是离线的替身，不是模型。我能按要求做一页（“画一页两格：……”），也能说明章节或页面的内容、检查的结果和"
            "待审的提案。其他的事，请指定一个模型。"
        ),
    ),
    "no chapter": (
        "There is no chapter here yet, so there is nowhere to put a page.",
        "这里还没有章节，无处可放页面。",
    ),
    "which chapter": (
        "There are several chapters; say which one you mean by its id: {chapters}.",
        "这里有几个章节；请用编号说明是哪一个：{chapters}。",
    ),
    "too many": (
        "I lay out at most {most} panels on a page, and you asked for {count}.",
        "一页我最多排 {most} 格，而您要 {count} 格。",
    ),
    "not granted": (
        "I was not given the tools for that: {tools}.",
        "没有给我所需的工具：{tools}。",
    ),
    "stopped": (
        "I stopped at {tool}: {why}",
        "我在 {tool} 停下了：{why}",
    ),
    "left": (
        " Draft {draft} stays as it was left.",
        " 草稿 {draft} 保持原状。",
    ),
    "page": ("A page with {panels}", "一页 {panels} 格"),
    "panels one": ("1 panel", "1"),
    "panels": ("{count} panels", "{count}"),
    "made by": ("laid out offline by a stand-in, without pictures", "由离线替身排出，尚无图片"),
    "shows": ("{place}: {what}", "{place}：{what}"),
    "faults left": ("{count} findings of the check are left", "检查还剩 {count} 处"),
    "handed in": ("The page is handed in as {proposal}.", "页面已提交为提案 {proposal}。"),
    "mend": ("move words clear of the trim", "把文字移离裁切边"),
    "lay out": ("lay out a page", "排一页"),
    "note proposal": ("Proposal {proposal} waits for your verdict.", "提案 {proposal} 等待您的裁决。"),
    "note draft": ("Draft {draft} is at {revision}; it was not handed in.", "草稿 {draft} 现为 {revision}；没有提交。"),
    "note nothing": ("Nothing was made.", "什么也没有做出。"),
    "note refused": (" Refused on the way: {codes}.", " 途中被拒绝：{codes}。"),
    "reads": ("{unit} reads:", "{unit} 的内容："),
    "clear": ("The check finds nothing wrong in {source}.", "在 {source} 中没有检查出问题。"),
    "findings": ("The check finds {count} in {source}:", "在 {source} 中检查出 {count} 处："),
    "chapters": ("There are {count} chapters:", "共有 {count} 个章节："),
    "chapter": (
        "{comic}, chapter {number} ({chapter}): {units} units at {revision}, {drafts} drafts, {proposals} proposals.",
        "{comic}，第 {number} 章（{chapter}）：{revision} 共 {units} 页，{drafts} 份草稿，{proposals} 份提案。",
    ),
    "found": ("Found {count}:", "找到 {count} 处："),
    "found none": ("Nothing is found for “{text}”.", "没有找到“{text}”。"),
    "no proposals": ("No proposals yet.", "还没有提案。"),
    "more": ("… and {count} more", "……还有 {count} 项"),
}


def phrase(name: str, *, chinese: bool, **values: object) -> str:
    """A sentence in one of both languages."""
    return PHRASES[name][chinese].format(**values)
