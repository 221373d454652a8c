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
    other = data.get("with", data.get("joined"))  # as proposals of earlier versions keep it
    if other is not None:
        return f"与 {other} 的连接跨过了跨页的中缝；请把两者移到同一页，或分开"
    return f"压在跨页的中缝上，文字会陷进装订处；请移开 {_mm(data['over_mm'])} 毫米"


def _missing(data: Mapping[str, Any]) -> str:
    return f"图片 {data['asset']} 不在，以斜线框代替；请登记该图片，或换一张"


def _dpi(data: Mapping[str, Any]) -> str:
    dpi, least = data["dpi"], data["least"]
    most = math.floor(100 * dpi / least)
    return f"照现在的大小图片只有 {math.floor(dpi)} dpi，低于 {least}；请缩到 {most}% 以内，或换用更大的图片"


def _sided(data: Mapping[str, Any]) -> str:
    return "、".join(
        f"{name}侧 {_mm(data[f'{side}_mm'])} 毫米" for side, name in _SIDES.items() if f"{side}_mm" in data
    )


def _reach(data: Mapping[str, Any]) -> str:
    sides = "、".join(name for side, name in _SIDES.items() if f"{side}_mm" in data)
    named = ", ".join(data["bleed"])
    return f"画格到了{sides}侧的裁切线，却没有到出血，裁切后可能露出白边；请把 bleed 设为 {named}，或往里收"


def _unreached(data: Mapping[str, Any]) -> str:
    side = _SIDES[data["edge"]]
    return f"画格说要在{side}侧出血，却在裁切线前 {_mm(data['short_mm'])} 毫米处结束；请拉到页边，或不在该侧出血"


def _frame_safe(data: Mapping[str, Any]) -> str:
    return (
        f"画格的边在安全区（{_mm(data['safe_mm'])} 毫米）与裁切线之间（{_sided(data)}），裁切稍有偏差就看得出来；"
        "请收进安全区，或做成出血"
    )


def _frame_overlap(data: Mapping[str, Any]) -> str:
    return f"与画格 {data['with']} 重叠 {_mm(data['over_mm'])} 毫米；除非有意，请分开"


def _frame_gutter(data: Mapping[str, Any]) -> str:
    return (
        f"与 {data['with']} 之间的间隔是 {_mm(data['gutter_mm'])} 毫米，而本页同方向的间隔通常是 "
        f"{_mm(data['usual_mm'])} 毫米；除非有意，请调成一样"
    )


def _first(data: Mapping[str, Any]) -> str:
    return f"排在 {data['with']} 之后读，可视线会先到这里（{_WAYS[data['direction']]}）；请改阅读顺序，或改位置"


def _frames(data: Mapping[str, Any]) -> str:
    return f"位于 {data['frame']}，却排在 {data['with']} 之后读；请在阅读顺序中移到所在画格之后"


def _covers(data: Mapping[str, Any]) -> str:
    return f"盖住了 {data['with']} 的文字（{data['covered_mm2']:g} 平方毫米）；请移开，若是同一人说的就连起来"


def _overlap(data: Mapping[str, Any]) -> str:
    return f"与 {data['with']} 重叠 {_mm(data['over_mm'])} 毫米而没有相连；若是同一人说的请连起来，否则请移开"


def _crosses(data: Mapping[str, Any]) -> str:
    return f"气泡尾压在 {data['with']} 上 {_mm(data['over_mm'])} 毫米；请绕开，或移动其中一个"


def _absent(data: Mapping[str, Any]) -> str:
    speakers = data["speakers"]
    return (
        f"没有气泡尾，而同一画格里有 {len(speakers)} 人说话（{'、'.join(speakers[:4])}）；"
        "请给它一个指向说话人的尾，或与有尾的气泡相连"
    )


def _picture_bleed(data: Mapping[str, Any]) -> str:
    return f"图片到了裁切线，却没有铺满出血（{_sided(data)}），裁切后可能露边；请放大或移动图片"


def _fine(data: Mapping[str, Any]) -> str:
    others = f"，本页另有 {data['count'] - 1} 张也是这样" if data["count"] > 1 else ""
    return (
        f"照现在的大小图片有 {math.floor(data['dpi'])} dpi{others}，低于彩色印刷能显出的 {data['fine']}；"
        "更大的图会更清晰"
    )


def _ratio(data: Mapping[str, Any]) -> str:
    return (
        f"画格最多显出图片的 {math.floor(100 * data['share'])}%：图片的宽高比是 {data['picture']:.2f}，画格是 "
        f"{data['frame']:.2f}；请换一张比例相近的图，或改画格"
    )


def _stretched(data: Mapping[str, Any]) -> str:
    way = "横" if data["way"] == "wide" else "纵"
    return f"图片被{way}向拉伸到 {data['times']:.2f} 倍；除非有意，请改为铺满（cover）"


def _line(data: Mapping[str, Any]) -> str:
    return f"线条粗 {_mm(data['width_mm'])} 毫米，细于印刷能保住的 {_mm(data['least_mm'])} 毫米；请加粗，或设为 0 不画"


def _tone(data: Mapping[str, Any]) -> str:
    return (
        f"网点 {data['lpi']:g} 线/英寸，对 {data['dpi']} dpi 的输出太细，会糊成一片或消失；请用不超过 "
        f"{data['most_lpi']:g} 的线数"
    )


def _moire(data: Mapping[str, Any]) -> str:
    one, two = data["lpi"]
    return (
        f"与 {data['with']} 的网点重叠，相差 {data['apart']:g}°（{two:g} 与 {one:g} 线/英寸），会出摩尔纹；"
        "请用同样的线数和角度，或把其中一个转 30°"
    )


def _uneven(data: Mapping[str, Any]) -> str:
    return (
        f"文字被缩到 {_mm(data['size_mm'])} 毫米，而本页通常是 {_mm(data['usual_mm'])} 毫米；"
        f"请把文本框放大到约 {data['grow']:g} 倍，或缩短文字"
    )


def _aside(data: Mapping[str, Any]) -> str:
    side = _SIDES[data["side"]]
    return f"画面的重量偏向{side}侧，偏了页宽（高）的 {round(100 * data['aside'])}%；除非有意，请加重另一侧或减轻这一侧"


def _palette(data: Mapping[str, Any]) -> str:
    return (
        f"色调与前后的 {data['with']}、{data['after']} 相差 {data['apart']:.0f}（满分 100），而那两格彼此相近；"
        "若是同一场景，请调成一致"
    )


def _speaker(data: Mapping[str, Any]) -> str:
    return f"说话人写作“{data['speaker']}”，另有 {data['count']} 个气泡写作“{data['usual']}”；请统一写法"


def _marks(data: Mapping[str, Any]) -> str:
    write = f"请写成 {data['meant']}；" if data["meant"] else "请照文档的写法改；"
    return f"{data['found']} 像是标记，其实不是，会原样印出；{write}若就要这样，请写 \\{data['found'][0]}"


def _face_covered(data: Mapping[str, Any]) -> str:
    if data["tail"]:
        return f"气泡尾压过了 {data['with']} 上标出的脸；请移开，或只指到脸的边缘"
    return f"盖住了 {data['with']} 上标出的脸的 {round(100 * data['covered'])}%；请移开"


def _focus_covered(data: Mapping[str, Any]) -> str:
    return f"盖住了 {data['with']} 上标出的焦点的 {round(100 * data['covered'])}%；请移开，或另标焦点"


_BY = {"frame": "画格轮廓", "crop": "裁切", "trim": "裁切线"}


def _face_cut(data: Mapping[str, Any]) -> str:
    return f"标出的脸被{_BY[data['by']]}切到只剩 {round(100 * data['left'])}%；除非有意，请移动或缩小图片"


def _focus_cut(data: Mapping[str, Any]) -> str:
    return f"标出的焦点被{_BY[data['by']]}切到只剩 {round(100 * data['left'])}%；请移动或缩小图片，或另标焦点"


def _face_gutter(data: Mapping[str, Any]) -> str:
    return f"标出的脸有 {round(100 * data['share'])}% 在跨页的中缝里，会陷进装订处；请把图片移到一侧"


def _focus_gutter(data: Mapping[str, Any]) -> str:
    return f"标出的焦点有 {round(100 * data['share'])}% 在跨页的中缝里；请把图片移到一侧，或另标焦点"


def _face_binding(data: Mapping[str, Any]) -> str:
    return f"标出的脸有 {round(100 * data['share'])}% 在{_SIDES[data['edge']]}侧的装订边里；请把图片从装订处移开"


def _tail_face(data: Mapping[str, Any]) -> str:
    own, other = _mm(data["own_mm"]), _mm(data["other_mm"])
    return f"气泡尾离说话人 {data['name']} 的脸 {own} 毫米，离另一张脸只有 {other} 毫米；请指向说话人"


def _cast(data: Mapping[str, Any]) -> str:
    return f"说话的是 {data['name']}，却不在这一格的人物里；请加进人物，若在画面外就让气泡尾止于画格的边"


def _library_missing(data: Mapping[str, Any]) -> str:
    return f"引用了 {'、'.join(data['entries'][:4])}，资产库里没有；请先收进资产库，或改用别的"


def _light(data: Mapping[str, Any]) -> str:
    said = [f"光线转了 {data['turned']:g}°"] if data["turned"] else []
    said += [f"光线由“{data['kinds'][0]}”变成“{data['kinds'][1]}”"] if data["kinds"] else []
    return f"同一场景里，与 {data['with']} 相比{'，'.join(said)}；请保持光线，或在画面里交代变化"


def _look(data: Mapping[str, Any]) -> str:
    was, now = (look or "平常" for look in data["looks"])
    return f"同一场景里，{data['name']} 在 {data['with']} 是“{was}”，这里是“{now}”；请保持造型，或画出变化"


def _gone(data: Mapping[str, Any]) -> str:
    names = "、".join(data["names"])
    return f"同一场景里，{names} 在 {data['with']} 和 {data['after']} 都有，这一格却没有；除非在画面外，请加进人物"


def _colours(data: Mapping[str, Any]) -> str:
    kind = {"scene": "场景", "style": "风格"}[data["kind"]]
    return (
        f"色调与{kind} {data['name']} 定下的颜色相差 {data['apart']:.0f}（满分 100）；请往那边调，或把这些颜色也收进去"
    )


def _character(data: Mapping[str, Any]) -> str:
    return f"标为 {data['name']} 的地方，颜色多半与其相差 {data['apart']:.0f}（满分 100）；请调色，或改标位置"


_WAYS = {"ltr": "从左到右，再往下", "rtl": "从右到左，再往下", "ttb": "往下"}
_CHINESE: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "lettering.font": _font,
    "lettering.glyph": _glyph,
    "lettering.overflow": _overflow,
    "lettering.small": _small,
    "lettering.safe": _safe,
    "lettering.gutter": _gutter,
    "lettering.uneven": _uneven,
    "lettering.spaces": lambda data: f"有 {data['count']} 处连着几个空格；请只留一个",
    "lettering.quotes": lambda data: f"有 {data['count']} 个直引号，而本页别处用弯引号；请统一用 ‘ ’ 和 “ ”",
    "lettering.dots": lambda data: f"写了 {data['found']}，应当用省略号 …；请全页统一",
    "lettering.width": lambda data: f"全角字后用了半角标点 {' '.join(data['found'])}；请改为 {' '.join(data['wide'])}",
    "lettering.marks": _marks,
    "frame.reach": _reach,
    "frame.unreached": _unreached,
    "frame.safe": _frame_safe,
    "frame.overlap": _frame_overlap,
    "frame.gutter": _frame_gutter,
    "reading.path": _first,
    "reading.balloons": _first,
    "reading.frames": _frames,
    "balloon.covers": _covers,
    "balloon.overlap": _overlap,
    "balloon.focus": lambda data: f"盖住了图片 {data['with']} 的焦点；请移开，或另设焦点",
    "balloon.speaker": lambda _: "有气泡尾却没有写明说话人，而本页别的气泡写明了；请填上 speaker",
    "tail.inside": lambda _: "气泡尾的尖端落在气泡里，或离得太近而画不出来；请指向说话人，或去掉",
    "tail.crosses": _crosses,
    "tail.away": lambda _: "气泡尾指到纸外去了；请指向说话人，说话人不在画面里就指向画格的边",
    "tail.absent": _absent,
    "balance.aside": _aside,
    "continuity.palette": _palette,
    "continuity.speaker": _speaker,
    "face.covered": _face_covered,
    "face.cut": _face_cut,
    "face.gutter": _face_gutter,
    "face.binding": _face_binding,
    "focus.covered": _focus_covered,
    "focus.cut": _focus_cut,
    "focus.gutter": _focus_gutter,
    "tail.face": _tail_face,
    "balloon.cast": _cast,
    "library.missing": _library_missing,
    "continuity.light": _light,
    "continuity.look": _look,
    "continuity.absent": _gone,
    "continuity.kept": _colours,
    "continuity.character": _character,
    "print.line": _line,
    "print.tone": _tone,
    "print.moire": _moire,
    "picture.bleed": _picture_bleed,
    "picture.fine": _fine,
    "picture.fold": lambda _: "图片的焦点落在跨页的中缝里，会陷进装订处；请把图片移到一侧，或另设焦点",
    "picture.ratio": _ratio,
    "picture.stretched": _stretched,
    "picture.missing": _missing,
    "picture.dpi": _dpi,
}
