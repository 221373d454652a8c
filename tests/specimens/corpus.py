"""Sentences that judges are asked about, written for this: CC0."""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    """One sentence, with the language it is in."""

    language: str
    words: str
    vertical: bool = False
    """Comics in this script are set in columns too."""


CORPUS = (
    Sentence("ja", "月が、ほしい。", vertical=True),
    Sentence("ja", "「ねえ、きいてる？」「きいてるよ……」", vertical=True),
    Sentence("ja", "そんなばかな——ありえない！", vertical=True),
    Sentence("ja", "ドーナツとコーヒーをください。", vertical=True),
    Sentence("ja", "ちょっと待って、それはぼくのロケットだ！", vertical=True),
    Sentence("ja", "『猫の時間』（第三版）は、もう売り切れです。", vertical=True),
    Sentence("ja", "えーっ、うそ〜！ ほんとに？", vertical=True),
    Sentence("ja", "〝ほんもの〟はどこにも書いていない。", vertical=True),
    Sentence("ja", "午前三時、誰も起きていない町で、猫だけが空を見ていた。", vertical=True),
    Sentence("ja", "NASAのロケットは、きょうも飛ばない。", vertical=True),
    Sentence("ja", "人々は日々、時々、空を見上げる。", vertical=True),
    Sentence("ja", "あっ、きゃっ、ぎゅっと、しゃべった。", vertical=True),
    Sentence("ja", "「『月』って、いくら？」と猫は聞いた。", vertical=True),
    Sentence("ja", "そう・だ・よ。A・B・C。", vertical=True),
    Sentence("ja", "温度は−5℃、重さは3㎏、割引は50％。", vertical=True),
    Sentence("ja", "待て！どこへ行く？ここだ!!", vertical=True),
    Sentence("zh-Hans", "月亮，我来了！", vertical=True),
    Sentence("zh-Hans", "“你在听吗？”“在听……”", vertical=True),
    Sentence("zh-Hans", "“等一下——那是我的火箭！”", vertical=True),
    Sentence("zh-Hans", "凌晨三点，小镇上谁都没醒，只有猫看着天空。", vertical=True),
    Sentence("zh-Hans", "《猫的时间》（第三版）已经卖完了。", vertical=True),
    Sentence("zh-Hans", "请给我一杯咖啡、两个甜甜圈；谢谢：）", vertical=True),
    Sentence("zh-Hant", "月亮，我來了！", vertical=True),
    Sentence("zh-Hant", "「你在聽嗎？」「在聽……」", vertical=True),
    Sentence("zh-Hant", "『等一下——那是我的火箭！』", vertical=True),
    Sentence("zh-Hant", "凌晨三點，小鎮上誰都沒醒，只有貓看著天空。", vertical=True),
    Sentence("ko", "달이 갖고 싶어."),
    Sentence("ko", "잠깐만, 그건 내 로켓이야!"),
    Sentence("ko", "“듣고 있어?” “응, 듣고 있어…”"),
    Sentence("ko", "새벽 세 시, 아무도 깨지 않은 마을에서 고양이만 하늘을 보고 있었다."),
    Sentence("en", "I never asked for the whole moon, you know. A small one would do."),
    Sentence("en", "“WAIT—that’s my rock-’n’-roll rocket!” he said…"),
    Sentence("en", "It's 3 a.m.; half-empty cups (seven of them) and one well-fed cat."),
    Sentence("en", "Don't—I mean it—don't press Ctrl+Alt/Del, O'Brien!"),
    Sentence("ar", "القمر لي، أليس كذلك؟"),
    Sentence("ar", "انتظر! هذا صاروخي رقم 42، لا تلمسه."),
    Sentence("ar", "قالت القطة «أريد القمر» ثم نامت."),
    Sentence("he", "הירח שלי, נכון?"),
    Sentence("he", "חכה! זה הטיל שלי, מספר 42 (האדום)."),
    Sentence("he", 'החתולה אמרה: "אני רוצה את הירח".'),
    Sentence("he", "קראו לזה Moonshot, גרסה 2.0, וזה עבד."),
    Sentence("ar", "اكتب OK ثم اضغط Enter مرتين."),
    Sentence("en", "The sign said ‘ירח’ and the cat said ‘قمر’, twice."),
)
