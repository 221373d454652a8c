"""The demo of novels: from two cards and a world to a whole book, offline, the same again for the same seed.

Nobody is asked anything, and no model writes: the author is the kit's stand-in, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lantern_kit import datasets
from lantern_kit.folders import in_use, require_free
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.errors import WrongState
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.novel.model import InstructionSource
from lantern_kit.workspace import Workspace, create_workspace, open_workspace

if TYPE_CHECKING:
    from lantern_kit.novel.work.novel import NovelWork

Languages = Literal["en", "zh"]
WORKSPACE, OWNER = "Lantern novel demo", "you"
CHAPTERS = 12
_STORIES: dict[Languages, tuple[str, str, tuple[str, ...]]] = {
    "en": (
        "What the Tide Keeps",
        "Write a short novel about these two and their town, in twelve chapters.",
        ("mara-quill", "tobias-fenn", "saltmarsh"),
    ),
    "zh": (
        "雾港潮声",
        "请以这两个人物和他们的小城写一部十二章的短篇小说。",
        ("shen-yan", "lin-zhao", "wu-gang"),
    ),
}


@contextmanager
def demo_novel(path: str | Path, *, seed: int, language: Languages) -> Iterator[NovelWork]:
    """The demo's novel in its own workspace, open for the block: begun there, or as an earlier run left it.

    Raises WrongState for a folder that is in use for anything else, or by a demo of another seed or language.
    """
    folder = Path(path).expanduser()
    title, request, cards = _STORIES[language]
    key = f"demo {language} {seed}"
    with _opened(folder, key, seed) as workspace:
        files = [(datasets.card_file(name).name, datasets.open_card(name)) for name in cards]
        yield workspace.novels.begin(
            title, request, cards=files, language=language, chapters=CHAPTERS, key=key, by=workspace.owner
        )


@contextmanager
def _opened(folder: Path, key: str, seed: int) -> Iterator[Workspace]:
    """The demo's workspace, made or found, with ids and times that follow from the seed alone."""
    if not (folder / "journal.sqlite").is_file():
        require_free(folder)
        clock, ids = SteppingClock(), SeededIds(seed)
        with create_workspace(folder, title=WORKSPACE, owner=OWNER, clock=clock, ids=ids) as made:
            yield made
        return
    with open_workspace(folder) as before:
        revision, last = _left(before, key, folder)
    # What follows was not made before: other ids than the first ones, and later times.
    clock, ids = SteppingClock(last + 1_000), SeededIds((seed << 32) + revision)
    with open_workspace(folder, clock=clock, ids=ids) as found:
        yield found


def _left(workspace: Workspace, key: str, folder: Path) -> tuple[int, int]:
    """Where an earlier run of this demo stopped: the revision's number, and its time. Raises WrongState."""
    novels = list(workspace.novels)
    if workspace.title != WORKSPACE or len(novels) > 1 or len(workspace.works()):
        raise in_use(folder)
    if not novels:
        return 0, SteppingClock().now()
    moment = novels[0].moment
    begun = next(
        item.message for item in moment.novel.instructions.values() if item.source is InstructionSource.CREATION
    )
    if begun != key:
        raise WrongState(
            f"{folder.name} holds another demo",
            expected=key,
            found=begun,
            recovery="Give its seed and language, or another folder.",
        )
    return moment.revision.number, moment.revision.at
