"""Character cards and lorebooks."""

from __future__ import annotations

SENTENCES: dict[str, str] = {
    "--to and --out go together": "--to 须与 --out 同用",
    "--picture goes with --to png or --to charx": "--picture 须与 --to png 或 --to charx 同用",
    "{name} is there already": "{name} 已经存在",
    "a new name": "新的名称",
    "--to writes one file at a time": "--to 一次写一个文件",
    "Could not be read: {files}": "未能读取：{files}",
    "there is no book in this card": "这张卡里没有世界书",
    "Wrote the book in {name} to {path}": "已将 {name} 的世界书写入 {path}",
    "Wrote {name} to {path}": "已将 {name} 写入 {path}",
    "Notices:": "提示：",
    "A card, {spec}{version}, in {form}": "角色卡，{spec}{version}，{form} 形式",
    "creator": "作者",
    "tags": "标签",
    "description": "描述",
    "personality": "性格",
    "scenario": "情境",
    "first message": "开场白",
    "other greetings": "其他开场白数",
    "creator's notes": "作者说明",
    "characters": "字符数",
    "It holds instructions for a model: they are data here, and nobody follows them.": (
        "卡中含有给模型的指令：在此只是资料，不会被执行。"
    ),
    "Files inside:": "内含文件：",
    "A lorebook without a name": "未命名的世界书",
    "A lorebook, {form}, {entries}": "世界书，{form}，{entries}",
    "{count} entry": "{count} 个条目",
    "off": "停用",
    "always": "常驻",
    "Entries:": "条目：",
}
