"""What a new chapter says of itself, checked before there is one."""

from __future__ import annotations

from pydantic import ValidationError

from lantern_kit.comic.edit.problems import bad_arguments
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Chapter, Direction, Paper
from lantern_kit.kernel.errors import BadInput


def chapter_facts(
    chapter: str,
    *,
    comic: str,
    number: int,
    paper: Paper,
    title: str = "",
    direction: Direction = Direction.LTR,
    language: str = "en",
) -> Chapter:
    """The facts of a chapter, checked. Raises BadInput."""
    require_room(paper)
    if not comic.strip() or len(comic) > 120 or not comic.isprintable():
        raise BadInput("a comic's title has 1 to 120 printable characters", found=len(comic))
    try:
        return Chapter(
            id=chapter, comic=comic, number=number, title=title, language=language, direction=direction, paper=paper
        )
    except ValidationError as error:
        raise bad_arguments(error, Chapter, root="chapter") from error


def require_room(paper: Paper) -> None:
    """Refuse paper whose safe inset leaves no room for words: nothing could be put on it. Raises BadInput."""
    least = min(paper.width, paper.height)
    if 2 * paper.safe >= least:
        raise BadInput(
            f"a safe inset of {spoken(paper.safe)} mm leaves nothing of paper of "
            f"{spoken(paper.width)} × {spoken(paper.height)} mm",
            expected=f"less than {spoken(least // 2)} mm, half the shorter side; 5 is usual",
            found=f"{spoken(paper.safe)} mm",
            recovery="Give a smaller inset, or larger paper.",
        )
