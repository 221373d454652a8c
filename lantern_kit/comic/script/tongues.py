"""The words of a script in the languages it is written in. All of them are read; one is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lantern_kit.comic.model import BalloonShape, UnitKind
from lantern_kit.comic.script.model import Voice


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one language says the parts of a script; ``{}`` is a number."""

    units: Mapping[UnitKind, str]
    panel: str
    page: str
    """The heading over lettering of the page itself, after a panel."""
    voices: Mapping[Voice, str]
    shapes: Mapping[BalloonShape, str]
    off: str
    joined: str
    colon: str
    open: str
    close: str
    comma: str


def _shapes(rounded: str, cloud: str, burst: str, thought: str, whisper: str, box: str, bare: str, drawn: str,
            ) -> dict[BalloonShape, str]:  # fmt: skip
    shapes = ("rounded", "cloud", "burst", "thought", "whisper", "box", "none", "path")
    return dict(
        zip(map(BalloonShape, shapes), (rounded, cloud, burst, thought, whisper, box, bare, drawn), strict=True)
    )


def _units(page: str, cover: str, transition: str, spread: str) -> dict[UnitKind, str]:
    return {
        UnitKind.PAGE: page,
        UnitKind.COVER: cover,
        UnitKind.TRANSITION: transition,
        UnitKind.SPREAD: spread,
    }


def _voices(balloon: str, caption: str, sound: str, title: str) -> dict[Voice, str]:
    return {Voice.BALLOON: balloon, Voice.CAPTION: caption, Voice.SOUND: sound, Voice.TITLE: title}


ENGLISH = Tongue(
    _units("Page {}", "Cover", "Transition {}", "Spread {}"), "Panel {}", "On the page",
    _voices("BALLOON", "CAPTION", "SFX", "TITLE"),
    _shapes("rounded", "cloud", "shout", "thought", "whisper", "box", "no balloon", "drawn"),
    "off-panel", "joined", ": ", " (", ")", ", ",
)  # fmt: skip
SIMPLIFIED = Tongue(
    _units("第{}页", "封面", "过场 {}", "跨页 {}"), "第{}格", "页面上",
    _voices("对白", "旁白", "音效", "标题"),
    _shapes("圆角", "云形", "大喊", "心声", "低语", "方框", "无框", "手绘"),
    "画外", "接上", "：", "（", "）", "，",
)  # fmt: skip
TRADITIONAL = Tongue(
    _units("第{}頁", "封面", "過場 {}", "跨頁 {}"), "第{}格", "頁面上",
    _voices("對白", "旁白", "音效", "標題"),
    _shapes("圓角", "雲形", "大喊", "心聲", "低語", "方框", "無框", "手繪"),
    "畫外", "接上", "：", "（", "）", "，",
)  # fmt: skip
JAPANESE = Tongue(
    _units("第{}ページ", "表紙", "扉 {}", "見開き {}"), "第{}コマ", "紙面",
    _voices("セリフ", "ナレーション", "効果音", "題字"),
    _shapes("角丸", "雲形", "叫び", "心の声", "ささやき", "四角", "枠なし", "手描き"),
    "画面外", "つづき", "：", "（", "）", "、",
)  # fmt: skip
TONGUES = (ENGLISH, SIMPLIFIED, TRADITIONAL, JAPANESE)
_TRADITIONAL = re.compile(r"(zh|yue)(-[A-Za-z]{3})?-(Hant|TW|HK|MO)(-|$)", re.IGNORECASE)


def tongue_of(language: str) -> Tongue:
    """The words for a chapter's language, by its tag: Chinese and Japanese have their own, all others English."""
    if _TRADITIONAL.match(language):
        return TRADITIONAL
    return {"zh": SIMPLIFIED, "yue": SIMPLIFIED, "ja": JAPANESE}.get(language.partition("-")[0].lower(), ENGLISH)


def _known(written: Mapping[str, str]) -> dict[str, str]:
    return {word: value for words, value in written.items() for word in words.split("|")}


VOICES: dict[str, Voice] = {tongue.voices[voice].upper(): voice for tongue in TONGUES for voice in Voice}
VOICES |= {
    word: Voice(voice)
    for word, voice in _known(
        {
            "SPEECH|DIALOGUE|台词|臺詞|台詞|对话|對話": "balloon",
            "CAP|CAPTIONS|NARRATION|NARRATOR|NARR|字幕|叙述|敘述|モノローグ|地の文|Ｎ": "caption",
            "FX|SOUND|SOUND EFFECT|SE|音响|音響|拟声词|擬聲詞|擬音|効果音|書き文字|ＳＥ|ＳＦＸ": "sound",
            "LETTERING|SIGN|LOGO|文字|题字|題名|タイトル|看板": "title",
        }
    ).items()
}
"""Names that are no speakers, in capitals."""

SHAPES: dict[str, BalloonShape] = {words.lower(): shape for tongue in TONGUES for shape, words in tongue.shapes.items()}
SHAPES |= {
    word: BalloonShape(shape)
    for word, shape in _known(
        {
            "whispers|whispering|whispered|小声|小聲|小声で|ひそひそ|耳语|耳語": "whisper",
            "shouts|shouting|shouted|yells|yelling|scream|screams|screaming|burst|叫|喊|大叫|叫ぶ|大声|大聲": "burst",
            "thinks|thinking|thoughts|thought balloon|内心|內心|独白|心中|心想|モノローグ": "thought",
            "bare|none": "none",
        }
    ).items()
}
"""What is said in parentheses of how a balloon is said, in small letters."""


def _several(*groups: str) -> frozenset[str]:
    return frozenset(word for group in groups for word in group.split("|"))


OFF = _several(
    *(tongue.off for tongue in TONGUES),
    "off|op|o.p.|os|o.s.|vo|v.o.|off panel|off-screen|off screen|offscreen|オフ|外声|画外音|畫外音",
)
JOINED = _several(
    *(tongue.joined for tongue in TONGUES),
    "cont'd|cont’d|contd|cont|cont.|continued|linked|link|続き|续|續|同一人",
)
STAGE = _several(
    "close on|close up|close-up|closeup|close|extreme close up|extreme close-up|ecu|cu|wide|wide shot|wide on|on",
    "angle on|angle|pov|establishing|establishing shot|long shot|medium shot|two shot|insert|inset|note|notes",
    "morning|noon|afternoon|evening|night|day|dawn|dusk|midnight|later|meanwhile|then|interior|exterior|inside|outside",
    "view|shot|top|bottom|left|right|centre|center|middle|colour|color|mood|tone|style|camera",
    "artist|artist note|note to artist|letterer|setting|scene|location|place|time|date|light|cast|background",
    "foreground|bg|fg|int|ext|cut to|fade to|fade in|fade out|dissolve to|splash|layout|description|action|art",
    "远景|遠景|全景|中景|近景|特写|特寫|大特写|大特寫|俯视|俯視|仰视|仰視|俯瞰|镜头|鏡頭|画面|畫面|场景|場景",
    "时间|時間|地点|地點|备注|備註|注|说明|說明|描述|背景|光线|光線|人物|动作|動作|构图|構圖",
    "ロング|アップ|クローズアップ|場面|場所|時刻|時間帯|ト書き|メモ|備考|人物紹介|カメラ|構図",
)
"""What stands before a colon in descriptions, in small letters: never a speaker, unless it is written @so."""
