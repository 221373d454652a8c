"""The words by which things go, and the small words between them; all folded as ``fold`` folds."""

from __future__ import annotations

import re
import unicodedata

from lantern_kit.comic.scope.phrase import Noun

# English; each is taken as a whole word.
ENGLISH: tuple[tuple[Noun, str], ...] = (
    (Noun.CHAPTER, r"chapters?|episodes?|issues?|(?:ch|chap|ep)\.?(?=\s*#?\d)"),
    (Noun.SPREAD, r"double[- ](?:page )?spreads?|double[- ]pages?|spreads?"),
    (Noun.COVER, r"covers?(?: pages?)?"),
    (Noun.TRANSITION, r"transitions?(?: pages?)?"),
    (Noun.PAGE, r"pages?|pgs?\.?(?=\s*\d)|pp?\.?(?=\s*#?\d)"),
    (Noun.FRAME, r"panels?|frames?"),
    (Noun.BALLOON, r"(?:(?:speech|thought|word) )?(?:balloons?|bubbles?)|dialogues?"),
    (Noun.NARRATION, r"captions?|narrations?|narration box(?:es)?"),
    (Noun.TEXT, r"sound effects?|sfx|sounds?|letterings?"),
    (Noun.OVERLAY, r"free pictures?|overlays?"),
    (Noun.PICTURE, r"pictures?|images?|photos?|photographs?"),
    (Noun.FOREGROUND, r"breakouts?|foregrounds?"),
    (Noun.FOCUS, r"focus lines?"),
    (Noun.SPEED, r"speed lines?"),
    (Noun.TONE, r"screentones?|tones?"),
    (Noun.GRADIENT, r"gradients?"),
    (Noun.FLASH, r"flash(?:es)?"),
    (Noun.VIGNETTE, r"vignettes?"),
    (Noun.EFFECT, r"effects?"),
    (Noun.ANY, r"objects?|things?"),
)
# Chinese, simplified and traditional; longer words first.
CHINESE: tuple[tuple[Noun, str], ...] = (
    (Noun.SPREAD, "跨页|跨頁|双页|雙頁|对开页|對開頁"),
    (Noun.COVER, "封面页|封面頁|封面"),
    (Noun.TRANSITION, "过场页|過場頁|过场|過場"),
    (Noun.PAGE, "页面|頁面|普通页|普通頁|页|頁"),
    (Noun.FRAME, "画格|畫格|分格|格子|格"),
    (Noun.BALLOON, "对白气泡|對白氣泡|气泡|氣泡|对话框|對話框|对话|對話|对白|對白|台词|台詞"),
    (Noun.NARRATION, "旁白框|旁白"),
    (Noun.TEXT, "纸面文字|紙面文字|拟声词|擬聲詞|音效"),
    (Noun.OVERLAY, "叠加图片|疊加圖片|叠加图|疊加圖"),
    (Noun.FOREGROUND, "出格前景|前景"),
    (Noun.PICTURE, "图片|圖片|照片|插图|插圖|图|圖"),
    (Noun.FOCUS, "集中线|集中線"),
    (Noun.SPEED, "速度线|速度線"),
    (Noun.TONE, "网点|網點"),
    (Noun.GRADIENT, "渐变|漸變"),
    (Noun.FLASH, "闪光|閃光"),
    (Noun.VIGNETTE, "暗角"),
    (Noun.EFFECT, "效果"),
    (Noun.CHAPTER, "整话|整話|本话|本話|全话|全話|话|話|章|回"),
    (Noun.ANY, "对象|對象|元素|东西|東西"),
)
CLASSIFIER = "[个個幅张張段处處句条條]"
SAYS = (
    r"says|said|saying|asks|asked|asking|shouts|shouted|shouting|whispers|whispered|thinks|thought|cries|cried|"
    r"answers|answered|speaks"
)
SAYS_HAN = "说道|說道|说|說|喊|问|問|想着|想著|低语|低語|道"
WHERE = r"where|in which|when|that|which|who"
WITH = r"with|containing|holding|showing|that (?:has|holds|contains|shows)"
CALLED = r"called|named|titled|entitled"
BY = r"spoken by|said by|by"
OF = r"of|in|on|at|from|inside|within|to"
SKIP = r"the|a|an|this|these|those|what|please|number|no\.?|nr\.?"
OF_HAN = "的|之|里面|裡面|里|裡|中|上|内|內"
SKIP_HAN = "那一个|那一個|那个|那個|那一|那|这个|這個|这一|這一|这|這|在|名为|名為|叫做|名叫|请|請"

_SAME = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "—": "–", "―": "–", "‒": "–"})

_BLANK = re.compile(r"(?<=[\u2e80-\u9fff\uf900-\ufaff]) | (?=[\u2e80-\u9fff\uf900-\ufaff])")


def fold(text: str) -> str:
    """A text as it is compared: compatible forms made one, in small letters, blanks single."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().translate(_SAME).split())


def tight(folded: str) -> str:
    """A folded text without blanks beside ideographs, where they part nothing: 第 3 页 is 第3页."""
    return _BLANK.sub("", folded)


def bare(text: str) -> str:
    """A text folded and without its marks of punctuation, for words that are quoted from memory."""
    folded = fold(text)
    kept = "".join(" " if unicodedata.category(character)[0] in "PSZ" else character for character in folded)
    return " ".join(kept.split()) or folded


def either(table: tuple[tuple[Noun, str], ...]) -> re.Pattern[str]:
    """One pattern for all nouns of a language, with the noun as the name of the group."""
    return re.compile("|".join(f"(?P<{noun.name}>{words})" for noun, words in table))
