"""Where phrases of Japanese and Chinese end: ICU's segmentation, mended by what each character is.

A phrase is a word with what leans on it: a kanji compound and its okurigana, a katakana word, a number and its counter,
a noun and its particles. ICU parts some of them; a letterer never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lantern_kit.comic.typeset.characters import is_hiragana, is_ideograph, is_ideographic, is_katakana

NUMERALS = frozenset("〇一二三四五六七八九十百千万億兆何数幾几两兩亿萬零半")
"""Numbers written with ideographs."""
MYRIADS = frozenset("万億兆亿萬")
"""A long number may be parted after these."""
BRACKETS = frozenset("）」』】〕〉》］｝〙〗｠〟")
NEVER_FIRST = frozenset("んンっッぁぃぅぇぉゃゅょゎァィゥェォャュョヮヵヶー")
"""Kana that no phrase begins with."""
PREFIXES = frozenset("第約お御")
BEFORE_NUMBERS = (
    *("午前", "午後", "あと", "およそ", "凌晨", "早上", "上午", "中午", "下午", "晚上", "傍晚", "半夜", "深夜"),
    *("星期", "週", "周"),
)
"""What belongs to the number after it."""
LEANING = (
    *("たち", "さん", "ちゃん", "くん", "さま", "だら", "かもし", "なければ", "なきゃ", "なくちゃ", "ながら"),
    *("ください", "くださ", "しまっ", "しまう", "ちゃっ", "だろ", "でしょ", "じゃな", "らしい", "みたい"),
)
"""What is no word of its own, wherever ICU has it begin."""
_AFTER_TE = "いる いた いて いな いま いっ おく おい みる みた みて くれ くる きた きて やる やっ あげ しま もら"
AFTER_TE = tuple(_AFTER_TE.split())
"""What follows て in one phrase: 見て|いる, 待って|くれ."""
_ONE = "だねよかなわぞぜさのがはをにへともやでたて"
_MORE = "です から まで より けど のに ので だけ しか ほど など って ます ました ません ない なの"
_AT_THE_END = "よね のか のだ んだ だよ だね だな だぞ かな かい"
PARTICLES = frozenset([*_ONE, *_MORE.split(), *_AT_THE_END.split()])
"""Hiragana that leans on the word before it."""
STARTING = PARTICLES - frozenset("わさやなか") | {"し", "した", "しれ"}
"""No part of a long phrase begins with these."""
ENDING = frozenset("はがをにへともばてで")
"""Single kana after which a long phrase may be parted."""
STEMS = frozenset("いきぎしちびみり")
"""Between two kanji these join two verbs: 立ち|上がる."""
CHINESE_PARTICLES = frozenset("的了吗嗎呢吧啊呀着著过過们們地得么麼嘛啦")
"""Chinese syllables that lean on the word before them."""
PRONOUNS = frozenset("我你您他她它咱俺妳祂")
FORWARD = frozenset("不没沒很都也就还還又再太最更才只别別未把被给給在从從向对對跟和与與这這那哪每第请請")
"""Chinese syllables that lean on the word after them."""
SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮董萧蕭程曹袁邓鄧许許傅沈曾彭"
    "吕呂苏蘇卢盧蒋蔣蔡贾賈魏薛叶葉阎余潘杜戴夏钟鍾汪姜范姚谭譚廖邹鄒熊陆陸郝孔崔康邱秦顾顧侯邵孟"
)
DOTS = frozenset("·・‧")
"""Between the parts of a name from another language."""
LONGEST = 7
"""Characters of a phrase that stays whole at almost any price; longer ones may be parted between their words."""
LEAST = 3
"""Characters of the last part of a long phrase, its mark with it."""
LONGEST_CHINESE = 3
"""Syllables that are taken together because each is a word of its own."""


def japanese(text: str, phrases: Sequence[int], words: Sequence[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Ends of phrases, and ends of words inside long ones, among the boundaries that ICU finds.

    Args:
        text: the words.
        phrases: ends of its phrases by ICU.
        words: ends of its words by ICU.
    """
    kept: list[int] = []
    for number, at in enumerate(phrases):
        stop = phrases[number + 1] if number + 1 < len(phrases) else len(text)
        if at >= len(text) or not _leans_japanese(text, kept[-1] if kept else 0, at, stop):
            kept.append(at)
    parted: set[int] = set()
    edges = (0, *words, len(text))
    for start, end in pairwise((0, *kept)):
        if end - start > LONGEST:
            parted.update(
                at
                for before, at, after in zip(edges, edges[1:], edges[2:], strict=False)
                if start + 1 < at <= end - LEAST and _parts(text, before, at, after)
            )
    return frozenset(kept), frozenset(parted)


def _parts(text: str, start: int, at: int, end: int) -> bool:
    """Whether two words that ICU finds side by side inside a phrase may be parted."""
    if _one_word(text, at) or text[at:end] in STARTING:
        return False
    if is_ideograph(text[at - 1]) and is_hiragana(text[at]):
        return False
    return at - start > 1 or text[at - 1] in ENDING


def _leans_japanese(text: str, start: int, at: int, stop: int) -> bool:
    """Whether what ICU has as a phrase of its own belongs to the one before it."""
    if _one_word(text, at):
        return True
    before, after = text[at - 1], text[at]
    if before in BRACKETS:
        return is_hiragana(after)
    if not (is_ideographic(before) and before.isalnum()):
        return False
    following = text[at:stop]
    if is_hiragana(after):
        if following.startswith(LEANING) or _bare(following) in PARTICLES:
            return True
        if before in "てで" and following.startswith(AFTER_TE) and at - start <= LONGEST:
            return True
        return text[:at].endswith("ござ")
    return before in STEMS and is_ideograph(after) and at >= 2 and is_ideograph(text[at - 2])


def _bare(phrase: str) -> str:
    return "".join(character for character in phrase if is_hiragana(character))


def _one_word(text: str, at: int) -> bool:
    """Whether both sides of a place are of one word by their characters alone, whatever ICU says."""
    before, after = text[at - 1], text[at]
    if after in NEVER_FIRST or before in "っッ":
        return True
    if is_katakana(before) and is_katakana(after):
        return True
    return _numbered(text, at)


def _numbered(text: str, at: int) -> bool:
    """Whether a place is inside a number, or between it and what it counts, or its hour's name."""
    before, after = text[at - 1], text[at]
    numeral = before in NUMERALS or before.isdigit()
    if (after in NUMERALS or after.isdigit()) and text.endswith(BEFORE_NUMBERS, 0, at):
        return True
    if before in PREFIXES:
        return before in "お御" or after in NUMERALS or after.isdigit()
    if numeral and after in NUMERALS:
        return before not in MYRIADS
    return numeral and is_ideograph(after)


def chinese(text: str, words: Sequence[int]) -> frozenset[int]:
    """Ends of words with all that leans on them, among the boundaries of words that ICU finds."""
    kept: list[int] = []
    for number, at in enumerate(words):
        stop = words[number + 1] if number + 1 < len(words) else len(text)
        if at >= len(text) or not _leans_chinese(text, kept[-1] if kept else 0, at, stop):
            kept.append(at)
    return frozenset(kept)


def _leans_chinese(text: str, start: int, at: int, stop: int) -> bool:
    before, after = text[at - 1], text[at]
    if before in DOTS or after in DOTS or after in CHINESE_PARTICLES or _numbered(text, at):
        return True
    if not (is_ideograph(before) and is_ideograph(after)):
        return False
    alone = at - start == 1 or not is_ideograph(text[at - 2])
    if alone and (after == "一" or (before in "谁誰" and after in "都也")):
        return stop - at <= LONGEST_CHINESE
    if alone and (before in FORWARD or before in SURNAMES) and stop - at <= LONGEST_CHINESE:
        return True
    if stop - at > 1:
        return False
    last = stop >= len(text) or not is_ideograph(text[stop])
    if after in PRONOUNS or after in FORWARD:
        return last and after in PRONOUNS
    return last or (_taken_together(text, start, at) and stop - start <= LONGEST_CHINESE)


def _taken_together(text: str, start: int, end: int) -> bool:
    """Whether a stretch is short enough to be no more than syllables that were taken together."""
    return end - start < LONGEST_CHINESE and all(map(is_ideograph, text[start:end]))
