"""Scripts of every kind, and texts that are hardly any."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from lantern_kit.comic.model import BalloonShape, UnitKind
from lantern_kit.comic.script import Line, Panel, Script, Sheet, Voice
from lantern_kit.comic.script.cues import label_of
from lantern_kit.comic.script.headings import sheet_name
from lantern_kit.comic.script.model import tidy_description, tidy_name, tidy_words

AWKWARD = (
    "# no heading",
    "## Page 2",
    "### Panel 1 {#fr_12345678}",
    "Panel 4: wide",
    "PAGE THREE",
    "MIRA: hi",
    "\\MIRA: hi",
    "@x: y",
    "旁白：天亮了",
    "远景：城市",
    "Close-up: a hand",
    "{漢字|かん|じ}",
    "[so]{.bold}",
    "*loud* and **louder**",
    "[so]{.italic}",
    "a [b c]{.bold .italic}/[d]{.bold}",
    "\\[so]{.italic}*",
    "[ so]{.italic}",
    "\\*",
    "2 * 3 * 4",
    "ends {#bl_12345678}",
    "ends \\{#bl_12345678}",
    "ends [[bl_12345678]]",
    "[[a note]] here",
    "\\[[x]]",
    "[[[x]]]",
    "(sigh)",
    "\\(sigh)",
    "（笑）",
    "---",
    "===",
    "```",
    "!",
    "! so",
    ".5 metres",
    "...",
    "~la~",
    "> CUT TO:",
    "= synopsis",
    "/* gone */",
    "/\\* stays",
    "MIRA",
    "MIRA (O.S.)",
    "<!-- a comment -->",
    "FOX ^",
    "1. MIRA: hi",
    "2) FOX",
    "12. 3. MIRA",
    "1. **MIRA:** hi",
    "3、小明：好",
    "INT. ROOF - NIGHT",
    "\\",
    "\\\\",
    "On the page",
    "Title: x",
    "- MIRA: hi",
    "**MIRA:** hi",
    "**MIRA**: hi",
    "{#",
    "}",
    "　全角",
    "",
    "  ",
    "a\n\nb",
    "a\n \n\nb",
    "x\u2028y",
    "\ttab",
    "第3页",
    "3ページ",
    "CAPTION",
    "SFX: boom",
    "whisper",
    "off-panel",
    "to Fox, loud",
    "DR. WHO: 2ND",
    "R2 (D2)",
    "小明",
    "旁白",
    "音效",
    "セリフ",
    "BALLOON",
    "ミラ",
    "Straße",
    "İ",
    "^",
    "[",
    "A[",
)
raw = st.one_of(
    st.sampled_from(AWKWARD),
    st.text(max_size=30),
    st.text(alphabet="aB :：()（）{}[]#*\\/!.@^~=>-_|\n\"'12あ漢", max_size=24),
    st.lists(st.sampled_from(AWKWARD), min_size=2, max_size=4).map("\n".join),
    st.lists(st.sampled_from(AWKWARD), min_size=2, max_size=3).map(" ".join),
)
words = raw.map(tidy_words)
names = raw.map(lambda text: tidy_name(tidy_name(text).upper()))


def idents(prefix: str, *, some: bool) -> st.SearchStrategy[str]:
    """Ids, or none."""
    made = st.integers(0, 10**7).map(lambda number: f"{prefix}_{number:08d}")
    return st.one_of(st.just(""), made) if some else made


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A tidy line."""
    voice = draw(st.sampled_from(list(Voice)))
    facts: dict[str, Any] = {"voice": voice, "label": label_of(draw(raw), voice)}
    prefix = "tx"
    if voice is Voice.BALLOON:
        prefix = "bl"
        facts |= {
            "speaker": draw(names),
            "shape": draw(st.sampled_from(list(BalloonShape))),
            "off": draw(st.booleans()),
            "joined": draw(st.booleans()),
        }
    elif voice is Voice.CAPTION:
        prefix = "na"
    text = draw(words)
    return Line(text, id=draw(idents(prefix, some=bool(text))), **facts)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """A tidy script, no id in it twice."""
    sheets: list[Sheet] = []
    for _ in range(draw(st.integers(0, 3))):
        panels: list[Panel] = []
        for _ in range(draw(st.integers(0, 4))):
            framed = draw(st.booleans()) or (bool(panels) and not panels[-1].framed)
            held = tuple(draw(st.lists(lines(), min_size=0 if framed else 1, max_size=4)))
            description = tidy_description(draw(raw)) if framed else ""
            panels.append(Panel(held, description, draw(idents("fr", some=True)) if framed else "", framed))
        kind = draw(st.sampled_from(list(UnitKind)))
        sheets.append(Sheet(tuple(panels), kind, sheet_name(draw(raw)), draw(idents("un", some=True))))
    script = Script(tuple(sheets), tidy_name(draw(raw), 200))
    return script if _once(script) else Script()


def _once(script: Script) -> bool:
    found = [sheet.id for sheet in script.sheets]
    found += [panel.id for sheet in script.sheets for panel in sheet.panels]
    found += [line.id for sheet in script.sheets for line in sheet.lines]
    here = [name for name in found if name]
    return len(here) == len(set(here))
