"""What checks found, in the languages that people read; machines keep the English message and the plain facts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from lantern_kit.comic.finding import Finding
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.phrases import Language

SHOWN = 12
"""Characters without a glyph that are named."""
_SIDES = {"left": "左", "top": "上", "right": "右", "bottom": "下"}


def finding_words(finding: Finding, language: Language = "en") -> str:
    """One sentence without a full stop. What is told in English only stays English."""
    tell = _CHINESE.get(finding.rule)
    return finding.message if language == "en" or tell is None else tell(finding.data)


def severity_word(finding: Finding, language: Language = "en") -> str:
    """``error``, ``warning`` or ``note``, as people read it."""
    if language == "en":
        return finding.severity
    return {"error": "错误", "warning": "警告", "note": "提示"}[finding.severity]


def _mm(length: float) -> str:
    return spoken(round(length * 1_000))


def _font(data: Mapping[str, Any]) -> str:
    return f"未安装字体“{data['font']}”，暂以对白字体代替；请改用角色名或已安装的字体"


def _glyph(data: Mapping[str, Any]) -> str:
    characters = data["characters"]
    shown = " ".join(chr(int(item.removeprefix("U+"), 16)) for item in characters[:SHOWN])
    return f"有 {len(characters)} 个字符（{shown}）在任何字体中都没有字形；请换一种写法"


def _overflow(data: Mapping[str, Any]) -> str:
    least = _mm(data["smallest_mm"])
    if "grow" not in data:
        return f"文字放不下：比最小字号 {least} 毫米小得多也放不下；请缩短文字，或分到几个气泡里"
    fitting = _mm(data["fitting_mm"])
    return (
        f"文字放不下：缩到 {fitting} 毫米才放得下，而最小字号是 {least} 毫米；"
        f"请把文本框放大到约 {data['grow']:g} 倍，或缩短文字"
    )


def _small(data: Mapping[str, Any]) -> str:
    what = "注音" if data["reading"] else "文字"
    return (
        f"{what}只有 {_mm(data['size_mm'])} 毫米，低于印刷能看清的 {_mm(data['least_mm'])} 毫米；"
        f"请放大到约 {data['grow']:g} 倍，或缩短文字"
    )


def _safe(data: Mapping[str, Any]) -> str:
    past = "、".join(
        f"{name}侧 {_mm(data[f'{side}_mm'])} 毫米" for side, name in _SIDES.items() if f"{side}_mm" in data
    )
    return f"文字超出安全区（{past}），裁切时可能被切掉；请移回安全区内，或缩小"


def _gutter(data: Mapping[str, Any]) -> str:
    return f"压在跨页的中缝上，文字会陷进装订处；请移开 {_mm(data['over_mm'])} 毫米"


def _missing(data: Mapping[str, Any]) -> str:
    return f"图片 {data['asset']} 不在，以斜线框代替；请登记该图片，或换一张"


def _dpi(data: Mapping[str, Any]) -> str:
    dpi, least = data["dpi"], data["least"]
    most = math.floor(100 * dpi / least)
    return f"照现在的大小图片只有 {math.floor(dpi)} dpi，低于 {least}；请缩到 {most}% 以内，或换用更大的图片"


_CHINESE: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "lettering.font": _font,
    "lettering.glyph": _glyph,
    "lettering.overflow": _overflow,
    "lettering.small": _small,
    "lettering.safe": _safe,
    "lettering.gutter": _gutter,
    "picture.missing": _missing,
    "picture.dpi": _dpi,
}
