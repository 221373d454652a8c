"""Pages of the specimen book that show scripts and how they are set."""

from __future__ import annotations

from lantern_kit.comic.model import Align, BalloonShape, Direction, Stroke, TextStyle
from tests.specimens.sheet import Sheet, Specimen, columns, style, tail

RTL = Direction.RTL
RULED = Stroke(width=120, colour="#c8ccd2")


def japanese_columns() -> Specimen:
    """Dialogue in columns."""
    sheet = Sheet("japanese-columns", "Japanese in columns", height=124, language="ja", direction=RTL)
    ja = columns("ja", 5.5)
    sheet.balloon(
        58,
        11,
        34,
        46,
        "{月|つき}が、ほしい。\nほんとに、{全部|ぜんぶ}？",
        tail(64, 64, bend=0.15),
        style=columns("ja", 4.6),
    )
    sheet.caption(52, 64.5, "Ruby beside the column; 、 and 。 top right")
    sheet.balloon(6, 11, 40, 44, "12月31日、23時59分。\nあと1分だよ!?", tail(42, 61, bend=-0.2), style=ja)
    sheet.caption(6, 64.5, "Two digits and !? upright in one place")
    sheet.balloon(68, 68, 27, 46, "えーっ、うそ〜〜！\nまさか、そんな——", style=ja)
    sheet.caption(67, 115, "ー 〜 —— turned", 30)
    sheet.balloon(36, 68, 29, 46, "〝ほんもの〟の\n「月」は『空』に\n（だけ）ある……", style=ja)
    sheet.caption(36, 115, "〝〟「」『』（）…… turned", 31)
    sheet.balloon(5, 68, 28, 46, "NASAが\n[OK]{.tcy}だって。\nA・B案、3番で。", style=ja)
    sheet.caption(5, 115, "Latin words lie, OK stands", 30)
    return sheet.specimen(
        look=(
            "、 and 。 stand in the upper right of their place; small kana are moved right and up.",
            "ー 〜 —— … and all brackets are the fonts' vertical forms; 〝 opens top right and 〟 closes bottom left.",
            "12, 31, 23, 59 and !? are one upright place each; a single digit is upright by itself.",
            "NASA lies on its side on the column's axis, OK stands because its words are marked so.",
        ),
        rules=(
            "UAX #50 (which characters stand upright)",
            "JLREQ 3.1 (punctuation and its spaces), 3.2.5 (tate-chu-yoko)",
            "OpenType vert and vrt2",
        ),
    )


def ruby() -> Specimen:
    """Readings and emphasis, both ways."""
    sheet = Sheet("ruby", "Ruby and emphasis", height=118, language="ja", direction=RTL)
    big = {"font": "sans", "fit": False}
    box = {"shape": BalloonShape.BOX, "stroke": RULED}
    sheet.balloon(75, 10, 20, 58, "{天|てん}{文|もん}{台|だい}の{屋根|や|ね}で", style=columns("ja", 6, **big), **box)
    sheet.caption(75, 69, "Mono ruby", 20)
    sheet.balloon(52, 10, 20, 58, "{流星|シューティングスター}を{待|ま}つ", style=columns("ja", 6, **big), **box)
    sheet.caption(52, 69, "Longer than its base", 24)
    sheet.balloon(29, 10, 20, 58, "{望遠鏡|ぼうえんきょう}と{猫|ねこ}", style=columns("ja", 6, **big), **box)
    sheet.caption(29, 69, "Group ruby", 20)
    sheet.balloon(6, 10, 20, 58, "[ぜったい]{.sesame}に[月]{.dots}だ", style=columns("ja", 6, **big), **box)
    sheet.caption(6, 69, "Sesame and dots", 20)
    across = style("ja", 5, **big)
    sheet.balloon(
        6, 75, 88, 14, "{天|てん}{文|もん}{台|だい}の{屋根|や|ね}で{流星|シューティングスター}を", style=across, **box
    )
    sheet.caption(6, 89.5, "The same in lines: readings above", 60)
    sheet.balloon(
        6, 94.5, 88, 14, "[ぜったい]{.sesame}に[この月]{.dots}がいい、{望遠鏡|ぼうえんきょう}で", style=across, **box
    )
    sheet.caption(6, 109.5, "Emphasis above the line, group ruby", 60)
    return sheet.specimen(
        look=(
            "Readings stand right of a column and above a line, half as large, centred on their base.",
            "A reading longer than its base reaches over its neighbours where they are kana, and else widens the base.",
            "Group ruby is spread over its base: half as much space at its ends as between its characters.",
            "Emphasis marks stand where ruby would, one for each character.",
        ),
        rules=("JLREQ 3.3 (ruby), 3.3.9 (emphasis dots)", "CSS Text Decoration 4, text-emphasis"),
    )


def japanese_lines() -> Specimen:
    """Dialogue in lines."""
    sheet = Sheet("japanese-lines", "Japanese in lines", height=92, language="ja")
    ja = style("ja", 5)
    sheet.balloon(5, 11, 50, 30, "「ねえ、きいてる？」「きいてるよ……たぶん。」", tail(20, 48, bend=0.15), style=ja)
    sheet.caption(5, 48.5, "Half spaces between 」 and 「", 46)
    sheet.balloon(58, 11, 38, 30, "ちょっと待って、それはぼくのロケットだ！", tail(84, 48, bend=-0.15), style=ja)
    sheet.caption(58, 48.5, "No small kana at a line's head", 40)
    sheet.balloon(5, 54, 44, 30, "『猫の時間』（第三版）は、もう売り切れです。", style=ja)
    sheet.caption(5, 85, "Brackets side by side close up", 44)
    sheet.balloon(52, 54, 44, 30, "{午前|ごぜん}3時のコーヒーは、50％増しで濃い——NASA並みに。", style=ja)
    sheet.caption(52, 85, "Latin and digits among kanji", 44)
    return sheet.specimen(
        look=(
            "No line begins with 、。ー っ ょ 」 or ends with 「; lines end where phrases end.",
            "Brackets side by side take half the space their full width would leave; a line's first bracket is flush.",
            "A quarter em stands between kanji and Latin words or digits.",
        ),
        rules=(
            "JLREQ 3.1.4–3.1.6 (brackets and their spaces), 3.1.7–3.1.8 (kinsoku), 3.2.6 (mixed text)",
            "UAX #14, line-break: strict",
        ),
    )


def simplified_chinese() -> Specimen:
    """Simplified Chinese, both ways."""
    sheet = Sheet("chinese-simplified", "Simplified Chinese", height=112, language="zh-Hans")
    flat, tall = style("zh-Hans", 5), columns("zh-Hans", 5.2)
    sheet.balloon(5, 11, 48, 30, "“等一下——那是我的火箭！”她说，“别碰……”", tail(16, 48, bend=0.15), style=flat)
    sheet.caption(5, 48.5, "“” full width; —— and …… unbroken", 46)
    sheet.balloon(56, 11, 40, 30, "凌晨三点，小镇上谁都没醒，只有猫看着天空。", tail(86, 48, bend=-0.15), style=flat)
    sheet.caption(56, 48.5, "，。 at the lower left", 40)
    sheet.balloon(66, 55, 28, 46, "月亮，我来了！\n《猫的时间》\n（第三版）", style=tall)
    sheet.caption(67, 102, "In columns, 《》（） turned", 31)
    sheet.balloon(36, 55, 27, 46, "“你在听吗？”\n“在听……\n才怪。”", style=tall)
    sheet.caption(36, 102, "“” become 『』 in columns", 31)
    sheet.balloon(5, 55, 28, 46, "12月31日，\n还差1分钟；\n准备：点火！", style=tall)
    sheet.caption(5, 102, "Digits upright; ：；！ aside", 32)
    return sheet.specimen(
        look=(
            "The glyphs are those of mainland China: 点 等 那 说 as there, ，。 in the corner of their place.",
            "——, …… and pairs of quotation marks are never torn apart.",
            "In columns ， and 。 stand top right, brackets are turned, “” are the font's vertical marks 『』.",
        ),
        rules=("CLREQ 3.1 (punctuation, in lines and in columns)", "GB/T 15834", "UAX #50"),
    )


def traditional_chinese() -> Specimen:
    """Traditional Chinese, both ways."""
    sheet = Sheet("chinese-traditional", "Traditional Chinese", height=112, language="zh-Hant", direction=RTL)
    flat, tall = style("zh-Hant", 5), columns("zh-Hant", 5.2)
    sheet.balloon(5, 11, 48, 30, "「等一下——那是我的火箭！」她說，『別碰……』", tail(16, 48, bend=0.15), style=flat)
    sheet.caption(5, 48.5, "，。 in the middle of their place", 46)
    sheet.balloon(56, 11, 40, 30, "凌晨三點，小鎮上誰都沒醒，只有貓看著天空。", tail(86, 48, bend=-0.15), style=flat)
    sheet.caption(56, 48.5, "Taiwan's forms of the same glyphs", 42)
    sheet.balloon(66, 55, 28, 46, "月亮，我來了！\n《貓的時間》\n（第三版）", style=tall)
    sheet.caption(67, 102, "，。 centred here too", 31)
    sheet.balloon(36, 55, 27, 46, "「你在聽嗎？」\n「在聽……\n才怪。」", style=tall)
    sheet.caption(36, 102, "「」 turned", 30)
    sheet.balloon(5, 55, 28, 46, "12月31日，\n還差1分鐘；\n準備：點火！", style=tall)
    sheet.caption(5, 102, "Digits upright; ：；！ centred", 32)
    return sheet.specimen(
        look=(
            "， 。 ； ： ！ ？ stand in the middle of their place, in lines and in columns.",
            "The glyphs are Taiwan's: compare 說 別 點 with the page before.",
        ),
        rules=("CLREQ 3.1 (punctuation of Traditional Chinese is centred)", "UAX #50"),
    )


def korean() -> Specimen:
    """Korean."""
    sheet = Sheet("korean", "Korean", height=58, language="ko")
    ko = style("ko", 4.6)
    sheet.balloon(5, 11, 44, 28, "잠깐만, 그건 내 로켓이야! 만지지 마.", tail(16, 47, bend=0.15), style=ko)
    sheet.caption(5, 47.5, "Lines break between words", 44)
    sheet.balloon(
        52,
        11,
        44,
        28,
        "새벽 세 시, 아무도 깨지 않은 마을에서 고양이만 “하늘”을 보고 있었다…",
        tail(86, 47, bend=-0.15),
        style=ko,
    )
    sheet.caption(52, 47.5, "Latin punctuation, spaces between words", 46)
    return sheet.specimen(
        look=("Words stay whole; commas and full stops are those of the Latin script; every syllable has its glyph.",),
        rules=("KLREQ 3.2 (line breaking by words)", "UAX #14"),
    )


def latin() -> Specimen:
    """Latin dialogue and its looks."""
    sheet = Sheet("latin", "Latin", height=124)
    sheet.balloon(
        5,
        11,
        44,
        26,
        "“WAIT—that’s my rock-’n’-roll rocket!” he said…",
        tail(16, 44, bend=0.15),
        style=style("en", 3.8),
    )
    sheet.caption(5, 44.5, "Apostrophes, quotation marks, dashes", 46)
    sheet.balloon(
        52,
        11,
        44,
        26,
        "It's the [cat's]{.bold} moon, [not]{.italic} yours. [Never]{.bold .italic} yours.",
        tail(86, 44),
        style=style("en", 3.8),
    )
    sheet.caption(52, 44.5, "Bold, italic, both", 44)
    sheet.balloon(
        5, 50, 44, 26, "I said [NO!]{size=1.7 colour=#c0281c .bold}\n[(quietly)]{size=0.7}", style=style("en", 4.2)
    )
    sheet.caption(5, 77, "Several sizes and colours in one balloon", 46)
    sheet.balloon(52, 50, 44, 26, "Façade, naïve, Ærø, Łódź, ¿Qué?, Größe, œuvre, Žižek.", style=style("en", 4))
    sheet.caption(52, 77, "Letters with accents", 44)
    sheet.text(
        5,
        82,
        44,
        10,
        "MEANWHILE…",
        style=TextStyle(font="sound", size=7_000, colour="#f2c230", outline=Stroke(width=700)),
    )
    sheet.caption(5, 93, "Outlined display lettering", 44)
    sheet.text(52, 82, 44, 10, "far, far away", style=TextStyle(font="marker", size=5_000, tracking=180_000))
    sheet.caption(52, 93, "Space between letters", 44)
    for place, align in enumerate(Align):
        sheet.balloon(
            5 + 31 * place,
            98,
            28,
            17,
            "Set left, in the middle, or right.",
            style=style("en", 2.9, align=align, fit=False),
            shape=BalloonShape.ROUNDED,
        )
        sheet.caption(5 + 31 * place, 116, f"Align {align.value}", 28)
    return sheet.specimen(
        look=(
            "Lines grow and shrink with the outline and are even; no line holds a short word without need.",
            "Every apostrophe and dash has its glyph; — and … stay with the word before them.",
            "Bold is heavier and italic leans, also where the face has no style of its own.",
            "Lines of one balloon keep their distance though one word of them is larger.",
        ),
        rules=("UAX #14 (line breaking)", "UAX #29 (what a character is)"),
    )


def right_to_left() -> Specimen:
    """Arabic and Hebrew, alone and mixed."""
    sheet = Sheet("right-to-left", "Arabic, Hebrew and mixed lines", height=96, language="ar", direction=RTL)
    ar, he = style("ar", 5), style("he", 4.8)
    sheet.balloon(52, 11, 44, 28, "انتظر! هذا صاروخي أنا، لا تلمسه أبدًا.", tail(86, 47, bend=-0.15), style=ar)
    sheet.caption(52, 47.5, "Arabic: joined letters, from the right", 46)
    sheet.balloon(5, 11, 44, 28, "חכה! זה הטיל שלי, ואף אחד לא נוגע בו.", tail(14, 47, bend=0.15), style=he)
    sheet.caption(5, 47.5, "Hebrew", 44)
    sheet.balloon(52, 54, 44, 32, "اكتب OK ثم اضغط 42 مرتين (مرتين!).", style=ar)
    sheet.caption(52, 87, "Latin words and numbers keep their order", 47)
    sheet.balloon(5, 54, 44, 32, "The sign said ‘ירח’, the cat said ‘قمر’, twice.", style=style("en", 4.4))
    sheet.caption(5, 87, "Hebrew and Arabic inside English", 46)
    return sheet.specimen(
        look=(
            "Arabic letters take their initial, middle and final forms, and لا is one ligature.",
            "Lines begin at the right; ! and . stand at the left end; parentheses are mirrored.",
            "42 and OK read from left to right inside the line.",
        ),
        rules=("UAX #9 (bidirectional text)", "UAX #14", "OpenType init, medi, fina, rlig"),
    )


def emoji() -> Specimen:
    """Emoji in dialogue."""
    sheet = Sheet("emoji", "Emoji", height=54)
    sheet.balloon(
        5,
        11,
        44,
        28,
        "Coffee ☕ first. Then the moon 🌙, then the rocket 🚀!",
        tail(14, 46, bend=0.1),
        style=style("en", 3.8),
    )
    sheet.caption(5, 46.5, "Among words", 44)
    sheet.balloon(66, 11, 28, 28, "猫🐱と\n月🌙と☕。", style=columns("ja", 5.5))
    sheet.caption(60, 40.5, "Upright in columns", 36)
    return sheet.specimen(
        look=(
            "Emoji are line art in the colour of the words, on the line's middle, upright in columns; none is a box.",
        ),
        rules=("UTS #51", "UAX #50"),
    )


PAGES = (
    japanese_columns,
    ruby,
    japanese_lines,
    simplified_chinese,
    traditional_chinese,
    korean,
    latin,
    right_to_left,
    emoji,
)
