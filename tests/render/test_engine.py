from __future__ import annotations

import subprocess
import sys


def run(script: str) -> str:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_words_are_set_and_pages_checked_without_the_drawing_library() -> None:
    script = (
        "import sys\n"
        "from lantern_kit.comic.checks import check_unit\n"
        "from tests.render.pages import CHAPTER, Maker, page\n"
        "found = check_unit(page(Maker().balloon(-4, 20, 24, 12, 'Hello hello!')), CHAPTER, lambda _: None)\n"
        "print(*(item.rule for item in found), 'skia' in sys.modules)"
    )
    assert run(script).split() == ["lettering.safe", "False"]


def test_a_drawing_library_that_cannot_be_loaded_is_said_with_what_to_do() -> None:
    script = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'skia':\n"
        "            raise ImportError('libEGL.so.1: cannot open shared object file')\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from lantern_kit.kernel.errors import MissingDependency\n"
        "import lantern_kit.comic.render\n"
        "try:\n"
        "    lantern_kit.comic.render.render_unit\n"
        "except MissingDependency as problem:\n"
        "    print(problem.found, '|', problem.recovery)"
    )
    said = run(script)
    assert "libEGL.so.1" in said
    assert "lantern doctor" in said
