"""The phrases in which changes are told to people, in each language the kit speaks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

# By key: English, then Chinese.
_TABLE: dict[str, tuple[str, str]] = {
    # Titles of units
    "title.chapter": ("Chapter", "本话"),
    "title.page": ("Page {number}", "第 {number} 页"),
    "title.spread": ("Pages {number}–{next} (spread)", "第 {number}–{next} 页（跨页）"),
    "title.cover": ("Cover", "封面"),
    "title.transition": ("Page {number} (transition)", "第 {number} 页（过场）"),
    "title.named": ("{title} “{name}”", "{title}“{name}”"),
    "title.removed": ("{title}, removed", "{title}（已删除）"),
    # Kinds of units and objects
    "kind.page": ("page", "普通页"),
    "kind.cover": ("cover", "封面页"),
    "kind.transition": ("transition", "过场页"),
    "kind.spread": ("spread", "跨页"),
    "kind.frame": ("frame {number}", "画格{number}"),
    "kind.balloon": ("balloon {number}", "气泡{number}"),
    "kind.narration": ("caption {number}", "旁白{number}"),
    "kind.text": ("lettering {number}", "纸面文字{number}"),
    "kind.image": ("picture “{title}”", "图片“{title}”"),
    "kind.overlay": ("free picture “{title}”", "叠加图片“{title}”"),
    "kind.foreground": ("breakout of “{title}”", "“{title}”的出格前景"),
    "kind.focus": ("focus lines", "集中线"),
    "kind.speed": ("speed lines", "速度线"),
    "kind.tone": ("tone", "网点"),
    "kind.gradient": ("gradient", "渐变"),
    "kind.flash": ("flash", "闪光"),
    "kind.vignette": ("vignette", "暗角"),
    "named": ("{what} “{name}”", "{what}“{name}”"),
    "in": ("{what} in {where}", "{where}中的{what}"),
    "count.frame": ("{number} frames", "{number} 个画格"),
    "count.balloon": ("{number} balloons", "{number} 个气泡"),
    "count.narration": ("{number} captions", "{number} 段旁白"),
    "count.text": ("{number} letterings", "{number} 处纸面文字"),
    "count.image": ("{number} pictures", "{number} 张图片"),
    "count.overlay": ("{number} free pictures", "{number} 张叠加图片"),
    "count.foreground": ("{number} breakouts", "{number} 个出格前景"),
    "count.effect": ("{number} effects", "{number} 个效果"),
    "one.frame": ("a frame", "1 个画格"),
    "one.balloon": ("a balloon", "1 个气泡"),
    "one.narration": ("a caption", "1 段旁白"),
    "one.text": ("a lettering", "1 处纸面文字"),
    "one.image": ("a picture", "1 张图片"),
    "one.overlay": ("a free picture", "1 张叠加图片"),
    "one.foreground": ("a breakout", "1 个出格前景"),
    "one.effect": ("an effect", "1 个效果"),
    "and": (" and ", "和"),
    "comma": (", ", "，"),
    # Units
    "unit.added": ("{kind} added", "新增{kind}"),
    "unit.removed": ("{kind} removed with everything on it", "删除{kind}及其全部内容"),
    "unit.emptied": ("{kind} removed", "删除{kind}"),
    "unit.kind": ("made a {after} (was a {before})", "由{before}改为{after}"),
    "unit.name": ("name {before} → {after}", "名称{before}→{after}"),
    "unit.background": ("paper colour {before} → {after}", "纸色 {before} → {after}"),
    "unit.gutter": ("gutter {before} → {after} mm", "中缝 {before} → {after} 毫米"),
    "unit.surfaces": ("trim {before} → {after} mm", "成品尺寸 {before} → {after} 毫米"),
    "unit.reading": ("reading order changed", "调整阅读顺序"),
    "unit.objects": ("drawing order changed", "调整层级"),
    "unit.arrived": ("{things} came from {where}", "{things}从{where}移来"),
    "unit.left": ("{things} went to {where}", "{things}移至{where}"),
    # The chapter
    "chapter.units": ("order of pages changed", "调整页面顺序"),
    "chapter.paper": ("paper: {parts}", "纸张：{parts}"),
    "chapter.comic": ("title of the comic {before} → {after}", "漫画标题{before}→{after}"),
    "chapter.title": ("title {before} → {after}", "标题{before}→{after}"),
    "chapter.number": ("number {before} → {after}", "话数 {before} → {after}"),
    "chapter.language": ("language {before} → {after}", "语言 {before} → {after}"),
    "chapter.direction": ("reading direction {before} → {after}", "阅读方向 {before} → {after}"),
    "paper.size": ("trim {before} → {after} mm", "成品尺寸 {before} → {after} 毫米"),
    "paper.bleed": ("bleed {before} → {after} mm", "出血 {before} → {after} 毫米"),
    "paper.safe": ("safe inset {before} → {after} mm", "安全区 {before} → {after} 毫米"),
    "paper.dpi": ("{before} → {after} dpi", "{before} → {after} dpi"),
    "paper.binding": ("bound at the {after}", "装订边：{after}"),
    # Whole objects
    "added": ("{what} added", "新增{what}"),
    "added.words": ("{what} added, {words}", "新增{what}，{words}"),
    "removed": ("{what} removed", "删除{what}"),
    "removed.words": ("{what} removed, {words}", "删除{what}，{words}"),
    "removed.with": ("{what} removed with {things}", "删除{what}及其中的{things}"),
    "frame.added": ("{what} added, {size} mm", "新增{what}，{size} 毫米"),
    "frame.cut": ("{what} cut in two (gutter {gutter} mm)", "{what}一分为二（格间距 {gutter} 毫米）"),
    "frame.cut.many": ("{what} cut into {number} parts", "{what}切分为 {number} 格"),
    "image.added": ("{what} placed in {where}, {fit}", "{what}放入{where}，{fit}"),
    "image.added.free": ("{what} placed on the paper at {at} mm", "{what}放置于纸面 {at} 毫米处"),
    "foreground.added": ("{what} bound, drawn past its frame", "绑定{what}，越出画格"),
    "foreground.removed": ("{what} unbound", "解除{what}绑定"),
    "effect.added": ("{what} added to {where}", "为{where}添加{what}"),
    "said": ("{speaker}: “{text}”", "{speaker}：“{text}”"),
    "written": ("“{text}”", "“{text}”"),
    "the.paper": ("the paper", "纸面"),
    # One object's properties
    "changed": ("{what}: {parts}", "{what}：{parts}"),
    "moved": ("moved {by}", "{by}"),
    "by.right": ("{mm} mm right", "右移 {mm} 毫米"),
    "by.left": ("{mm} mm left", "左移 {mm} 毫米"),
    "by.down": ("{mm} mm down", "下移 {mm} 毫米"),
    "by.up": ("{mm} mm up", "上移 {mm} 毫米"),
    "widened": ("widened {mm} mm", "加宽 {mm} 毫米"),
    "narrowed": ("narrowed {mm} mm", "收窄 {mm} 毫米"),
    "heightened": ("made {mm} mm higher", "加高 {mm} 毫米"),
    "lowered": ("made {mm} mm lower", "减低 {mm} 毫米"),
    "resized": ("{before} → {after} mm", "{before} → {after} 毫米"),
    "reshaped": ("outline redrawn", "轮廓重绘"),
    "across": ("across the gutter", "横跨中缝"),
    "text": ("{before} → {after}", "{before}→{after}"),
    "text.ruby": ("ruby in its words changed: {before} → {after}", "注音已改：{before}→{after}"),
    "text.marks": ("the marks in its words changed: {before} → {after}", "文字标记已改：{before}→{after}"),
    "joined": ("joined to {after}", "与{after}相连"),
    "joined.none": ("no longer joined to another balloon", "不再与其他气泡相连"),
    "arc": ("arc {before}° → {after}°", "弧度 {before}° → {after}°"),
    "skew": ("slanted {before}° → {after}°", "倾斜 {before}° → {after}°"),
    "screen": ("screen {before} → {after}", "网屏 {before} → {after}"),
    "speaker": ("speaker {before} → {after}", "说话人 {before} → {after}"),
    "nobody": ("nobody", "无"),
    "name": ("named “{after}”", "命名为“{after}”"),
    "unnamed": ("name taken off", "去除名称"),
    "parent": ("now belongs to {after}", "归属改为{after}"),
    "band": ("drawn in the band {after}", "层改为 {after}"),
    "asset": ("picture {before} → {after}", "图片 {before} → {after}"),
    "tail.turned": ("tail turned to {at} mm", "尾巴指向 {at} 毫米"),
    "tail.changed": ("tail redrawn", "尾巴调整"),
    "tail.added": ("tail added, to {at} mm", "添加尾巴，指向 {at} 毫米"),
    "tail.removed": ("tail removed", "去除尾巴"),
    "border": ("border {before} → {after}", "边框 {before} → {after}"),
    "stroke": ("outline {before} → {after}", "轮廓线 {before} → {after}"),
    "line": ("{mm} mm {colour}", "{mm} 毫米 {colour}"),
    "line.none": ("none", "无"),
    "dashed": ("dashed", "虚线"),
    "bleed": ("bleeds at {after}", "出血边：{after}"),
    "bleed.none": ("bleeds nowhere", "不出血"),
    "keep": ("keeps its {after}", "锁定{after}"),
    "keep.none": ("may change its size and ratio", "解除尺寸与比例锁定"),
    "background": ("background {before} → {after}", "背景 {before} → {after}"),
    "fill": ("fill {before} → {after}", "填充 {before} → {after}"),
    "colour": ("colour {before} → {after}", "颜色 {before} → {after}"),
    "none": ("none", "无"),
    "shape": ("shape {before} → {after}", "形状 {before} → {after}"),
    "clip.on": ("clipped by its frame", "由画格裁切"),
    "clip.off": ("no longer clipped by its frame", "不再由画格裁切"),
    "opacity": ("opacity {before} → {after}", "不透明度 {before} → {after}"),
    "fit": ("fit {before} → {after}", "适配 {before} → {after}"),
    "focus": ("focus {before} → {after}", "焦点 {before} → {after}"),
    "crop": ("crop {before} → {after}", "裁切 {before} → {after}"),
    "scale": ("scale {before} → {after}", "缩放 {before} → {after}"),
    "rotate": ("turned {before}° → {after}°", "旋转 {before}° → {after}°"),
    "flipped": ("mirrored", "镜像"),
    "boxed": ("given a box of its own", "改用自有取景框"),
    "unboxed": ("fitted to its frame", "改为适配画格"),
    "style.font": ("font {before} → {after}", "字体 {before} → {after}"),
    "style.size": ("size {before} → {after} mm", "字号 {before} → {after} 毫米"),
    "style.smallest": ("smallest size {before} → {after} mm", "最小字号 {before} → {after} 毫米"),
    "style.writing.horizontal": ("set in lines", "改为横排"),
    "style.writing.vertical": ("set in columns", "改为竖排"),
    "style.leading": ("leading {before} → {after}", "行距 {before} → {after}"),
    "by.script": ("by the script", "按文字种类"),
    "style.tracking": ("letter spacing {before} → {after} em", "字距 {before} → {after} em"),
    "style.other": ("style: {names}", "样式：{names}"),
    "padding": ("padding {before} → {after} mm", "内边距 {before} → {after} 毫米"),
    "gutter_safe.on": ("kept clear of the gutter", "避开中缝"),
    "gutter_safe.off": ("may touch the gutter", "可触及中缝"),
    "other": ("{names} changed", "{names} 已改"),
}

# What fixed values and field names are called; those not listed are said as they are.
_VALUES: dict[str, tuple[str, str]] = {
    "ltr": ("left to right", "从左到右"),
    "rtl": ("right to left", "从右到左"),
    "ttb": ("top to bottom", "从上到下"),
    "left": ("left", "左"),
    "right": ("right", "右"),
    "top": ("top", "上"),
    "bottom": ("bottom", "下"),
    "centre": ("centre", "居中"),
    "cover": ("cover", "铺满"),
    "contain": ("contain", "完整显示"),
    "stretch": ("stretch", "拉伸"),
    "ellipse": ("ellipse", "椭圆"),
    "rounded": ("rounded", "圆角"),
    "box": ("box", "方框"),
    "cloud": ("cloud", "云朵"),
    "burst": ("burst", "爆炸"),
    "thought": ("thought", "内心独白"),
    "whisper": ("whisper", "低语"),
    "none": ("no outline", "无轮廓"),
    "path": ("free outline", "自由轮廓"),
    "dots": ("dots", "圆点"),
    "lines": ("lines", "平行线"),
    "grain": ("grain", "颗粒"),
    "ratio": ("ratio", "比例"),
    "size": ("size", "尺寸"),
    "paper": ("paper", "纸面"),
    "frames": ("frames", "画格"),
    "overlays": ("overlays", "叠加"),
    "foregrounds": ("foregrounds", "前景"),
    "balloons": ("balloons", "气泡"),
    "text": ("text", "文字"),
    "bold": ("bold", "粗体"),
    "italic": ("italic", "斜体"),
    "align": ("alignment", "对齐"),
    "fit": ("fitting", "自动缩放"),
    "outline": ("outline", "描边"),
    "language": ("language", "语言"),
    "combine": ("upright digits in columns", "纵中横"),
    "effect": ("kind", "种类"),
    "clear": ("clear area", "留空"),
    "density": ("density", "密度"),
    "pitch": ("pitch", "间距"),
    "angle": ("angle", "角度"),
    "seed": ("seed", "随机种子"),
    "density_to": ("density at the far end", "末端密度"),
    "ramp": ("direction of the ramp", "渐变方向"),
}


class Speech:
    """Phrases in one language."""

    def __init__(self, language: Language = "en") -> None:
        self.language = language
        self._column = LANGUAGES.index(language)

    def say(self, key: str, /, **values: object) -> str:
        """The phrase with its values filled in."""
        return _TABLE[key][self._column].format(**values)

    def value(self, name: str) -> str:
        """What a fixed value or a field is called."""
        found = _VALUES.get(name)
        return name if found is None else found[self._column]

    def join(self, parts: list[str]) -> str:
        """Parts of a sentence, separated."""
        return self.say("comma").join(parts)


def phrases() -> Mapping[str, tuple[str, str]]:
    """All phrases by key, one for each of ``LANGUAGES``."""
    return MappingProxyType(_TABLE)
