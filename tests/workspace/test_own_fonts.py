"""Fonts of a person's own, in the workspace's folder."""

from __future__ import annotations

from pathlib import Path

import pikepdf
from fontTools.ttLib import TTFont

from lantern_kit.cli.health import doctor
from lantern_kit.comic.typeset.fonts import packaged_fonts
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.widgets.sheets.keys import Keys
from lantern_kit.workspace import Workspace, open_workspace


def bring(folder: Path, family: str) -> None:
    """Puts a font into a workspace's folder under a name that no package has."""
    (folder / "fonts").mkdir()
    with TTFont(packaged_fonts().face("Permanent Marker").path) as font:
        for record in font["name"].names:
            if record.nameID in (1, 16):
                record.string = family
        font.save(folder / "fonts" / "hand.ttf")


def test_a_font_in_the_workspace_s_folder_sets_words_on_screen_in_checks_and_in_print(
    ws: Workspace, chapter: ChapterWork, tmp_path: Path
) -> None:
    with chapter.edit("a voice of its own") as edit:
        edit[1].say("Somebody wrote this.", at=(40, 60), style={"font": "My Hand"})
    before = Keys(ws.assets, ws.fonts).of(chapter.book)[1].key
    assert [found.rule for found in chapter.check()].count("lettering.font") == 1
    plain = chapter[1].render(long_edge=400).rendered
    assert plain.unknown_fonts == ("My Hand",)

    bring(ws.path, "My Hand")
    with open_workspace(ws.path) as again:
        own = again.works()[0].chapter(1)
        assert "lettering.font" not in [found.rule for found in own.check()]
        drawn = own[1].render(long_edge=400).rendered
        assert drawn.unknown_fonts == ()
        assert drawn.sha256 != plain.sha256
        assert Keys(again.assets, again.fonts).of(own.book)[1].key != before
        (report,) = own.export(tmp_path / "out", to="pdf")
        with pikepdf.open(report.path) as pdf:
            named = {
                str(item.FontName)
                for item in pdf.objects
                if isinstance(item, pikepdf.Dictionary) and "/FontName" in item
            }
        assert any("PermanentMarker" in name for name in named)


def test_the_doctor_names_a_workspace_s_own_fonts_and_what_is_none(ws: Workspace, capsys) -> None:  # type: ignore[no-untyped-def]
    bring(ws.path, "My Hand")
    (ws.path / "fonts" / "broken.ttf").write_bytes(b"no font at all")
    path = ws.path
    ws.close()
    doctor(path)
    said = " ".join(capsys.readouterr().out.split())
    assert "My Hand" in said
    assert "broken.ttf is not a font that can be read" in said
