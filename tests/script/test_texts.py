from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.script import MOST_TEXT, Form, Script, read_script, write_script
from lantern_kit.comic.script.model import Voice
from lantern_kit.kernel.errors import BadInput
from tests.script.strategies import AWKWARD, scripts

FORMS = tuple(Form)
LANGUAGES = ("en", "zh-Hans", "zh-TW", "ja")


@settings(max_examples=300)
@given(script=scripts(), form=st.sampled_from(FORMS), language=st.sampled_from(LANGUAGES))
def test_what_is_written_is_read_back_as_it_was(script: Script, form: Form, language: str) -> None:
    assert read_script(write_script(script, form, language=language), form) == script


texts = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(AWKWARD), max_size=25).map("\n".join),
    st.lists(
        st.sampled_from(("## Page 1", "### Panel 1", ".PAGE 1", ".PANEL 2", "", "  so", *AWKWARD)), max_size=30
    ).map(lambda found: "\n".join(("## Page 1", *found))),
    st.lists(st.sampled_from((".PAGE 1", ".PANEL 2", "", "  ", "so", *AWKWARD)), max_size=30).map(
        lambda found: "\n".join((".PAGE 1", *found, ".PANEL 9"))
    ),
)


@settings(max_examples=400)
@given(text=texts, form=st.sampled_from(FORMS), language=st.sampled_from(LANGUAGES))
def test_any_text_reads_to_what_stays_as_it_is_or_is_refused_with_its_line(
    text: str, form: Form, language: str
) -> None:
    refused: BadInput | None
    try:
        script = read_script(text, form)
    except BadInput as error:
        refused = error
    else:
        refused = None
    if refused is not None:
        assert 1 <= refused.details["line"] <= text.count("\n") + text.count("\r") + 1
        assert refused.expected
        assert str(refused.details["line"]) in refused.message
        return
    written = write_script(script, form, language=language)
    again = read_script(written, form)
    assert again == script
    assert write_script(again, form, language=language) == written


BOMBS = (
    "*" * MOST_TEXT,
    "\\" * MOST_TEXT,
    "(" * MOST_TEXT,
    "{#" * (MOST_TEXT // 2),
    "[[" * (MOST_TEXT // 2),
    "@" * MOST_TEXT,
    "*a " * (MOST_TEXT // 3),
    "/*" * (MOST_TEXT // 2),
    "/" + "\\" * (MOST_TEXT - 2),
    "#" * MOST_TEXT,
    " " * (MOST_TEXT - 1) + "x",
    "\n" * MOST_TEXT,
    "A: \n" * (MOST_TEXT // 4),
    "A\nb\n\n" * (MOST_TEXT // 5),
    "第" * MOST_TEXT,
    "one " * (MOST_TEXT // 4),
    "Page " * (MOST_TEXT // 5),
    "- " * (MOST_TEXT // 2),
    "**" + "a" * (MOST_TEXT - 2),
    "A" + " " * (MOST_TEXT - 3) + ":b",
    "．" * MOST_TEXT,
    "1-" * (MOST_TEXT // 2),
    "{|" * (MOST_TEXT // 2),
    "[" * (MOST_TEXT // 2) + "]" * (MOST_TEXT // 2),
    "A(" * (MOST_TEXT // 2),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bomb", BOMBS, ids=range(len(BOMBS)))
def test_hostile_texts_are_read_or_refused(bomb: str, form: Form) -> None:
    head = "## Page 1\n### Panel 1\n" if form is Form.MARKDOWN else ".PAGE 1\n\n.PANEL 1\n\n"
    for text in (bomb, head + bomb[:-100], head + "A: " + bomb[:-100], head + "A\n" + bomb[:-100]):
        try:
            script = read_script(text, form)
        except BadInput:
            continue
        assert (
            read_script(write_script(script, form), form) == script
            if len(write_script(script, form)) < 150_000
            else True
        )


@pytest.mark.parametrize("form", FORMS)
def test_a_text_that_is_too_long_or_holds_control_characters_is_refused(form: Form) -> None:
    with pytest.raises(BadInput, match="1000000 characters"):
        read_script("x" * 1_000_000, form)
    with pytest.raises(BadInput, match=r"line 3: .*U\+0007"):
        read_script("\n\nbell \x07", form)
    with pytest.raises(BadInput, match=r"U\+D800"):
        read_script("## Page 1\n\ud800", form)


def test_emphasis_of_fountain_stays_as_screenwriters_write_it() -> None:
    text = ".PAGE 1\n\n.PANEL 1\n\nEILEEN\nMy *helmet* is **gone**, ***gone*** and 2 \\* 3.\n"
    script = read_script(text, Form.FOUNTAIN)
    (line,) = script.sheets[0].lines
    assert line.text == "My [helmet]{.italic} is [gone]{.bold}, [gone]{.bold .italic} and 2 * 3."
    assert write_script(script, Form.FOUNTAIN) == text
    assert "[helmet]{.italic}" in write_script(script)


def test_lines_may_be_numbered() -> None:
    numbered = "1. EILEEN: Hello?\n2) **TOM (whisper):** Yes.\n- 3. @McCoy: No.\n4、小满：好。\n5. SFX: BOOM\n"
    (panel,) = read_script(f"## Page 1\n### Panel 1\n{numbered}").sheets[0].panels
    assert [line.speaker for line in panel.lines] == ["EILEEN", "TOM", "McCoy", "小满", ""]
    assert [line.text for line in panel.lines] == ["Hello?", "Yes.", "No.", "好。", "BOOM"]
    (panel,) = read_script(".PAGE 1\n\n.PANEL 1\n\n1. EILEEN\nHello?\n", Form.FOUNTAIN).sheets[0].panels
    assert [line.speaker for line in panel.lines] == ["EILEEN"]
    (panel,) = read_script("## Page 1\n### Panel 1\n@1. EILEEN: Hello?\n12 MONKEYS: Hi.\n").sheets[0].panels
    assert [line.speaker for line in panel.lines] == ["1. EILEEN", "12 MONKEYS"]


def test_the_words_of_a_script_are_read_in_four_languages() -> None:
    for text in (
        "## Page 1\n### Panel 1\nA roof.\n\nMIRA (whisper, off-panel): Hello\nCAPTION: Later\nSFX: Boom\nTITLE: Up",
        "## 第1页\n### 第1格\nA roof.\n\nMIRA（低语，画外）：Hello\n旁白：Later\n音效：Boom\n标题：Up",
        "## 第一頁\n### 第一格\nA roof.\n\nMIRA（低語、畫外）：Hello\n旁白：Later\n音效：Boom\n標題：Up",
        "## 1ページ\n### 1コマ目\nA roof.\n\nMIRA（ささやき、画面外）：Hello\nナレーション：Later\n効果音：Boom\n題字：Up",  # noqa: E501
        "PAGE ONE (1 panel)\n\nPanel 1: A roof.\n\n**MIRA (whispers, OP):** Hello\nCAP: Later\nFX: Boom\nSign: Up",
    ):
        script = read_script(text)
        (panel,) = script.sheets[0].panels
        assert panel.description == "A roof."
        assert [line.text for line in panel.lines] == ["Hello", "Later", "Boom", "Up"]
        assert [line.voice for line in panel.lines] == [Voice.BALLOON, Voice.CAPTION, Voice.SOUND, Voice.TITLE]
        assert (panel.lines[0].speaker, panel.lines[0].shape, panel.lines[0].off) == ("MIRA", "whisper", True)
