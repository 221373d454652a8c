"""Whether all is well: with the work (verify), and with the machine and the workspace around it (doctor)."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lantern_kit.cli.guard import REFUSED
from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, opened
from lantern_kit.cli.screen import done, following, note, say, table, working
from lantern_kit.cli.words import tr
from lantern_kit.home import config_folder
from lantern_kit.kernel.errors import LanternError, NotFound

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

SHOWN = 50
PACKAGES = (
    *("mcp", "duckdb", "skia-python", "uharfbuzz", "pillow", "numpy", "pydantic", "sqlalchemy"),
    *("jupyterlab", "voila", "anywidget", "ipywidgets"),
)
"""Those whose versions matter when somebody asks for help."""
SHARED = {
    "jupyterlab": "lab/static/index.html",
    "voila": "voila/templates/lab/index.html.j2",
    "anywidget": "labextensions/anywidget/package.json",
    "jupyterlab-widgets": "labextensions/@jupyter-widgets/jupyterlab-manager/package.json",
}
"""What notebooks need, and a file that each of it puts among Jupyter's shared ones."""
DEBIAN = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libGLdispatch.so.0": "libglvnd0",
    "libX11.so.6": "libx11-6",
    "libxcb.so.1": "libxcb1",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
}
"""The Debian and Ubuntu packages that bring the libraries skia links."""
ROOM = 1_000_000_000
"""Bytes of free disk below which a person should know."""


def verify(
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The whole report as JSON.")] = False,
) -> None:
    """Check every hash, chain, signature and picture; of every damage, say where it is.

    Example: lantern verify chelsea
    """
    place = find(workspace, folder)
    with opened(place) as found, working(tr("Checking")) as step:
        report = found.verify(step)
    if as_json:
        sys.stdout.write(json.dumps(report.data(), ensure_ascii=False, indent=1) + "\n")
        if not report.clean:
            raise typer.Exit(REFUSED)
        return
    table((tr("checked"), tr("count")), ((tr(kind), f"{count:,}") for kind, count in report.checked.items()))
    for line in report.notes:
        note(line)
    say()
    if report.clean:
        done(tr("Everything is as it was written."))
        return
    say(tr("Not as it was written ({count}):", count=len(report.problems)), style="bold red")
    for problem in report.problems[:SHOWN]:
        say(f"  {problem.kind} {problem.id}: {problem.message}")
        for head, words in (("where", problem.place), ("expected", problem.expected), ("found", problem.found)):
            if words:
                say(f"      {tr(head)}: {words}")
    if len(report.problems) > SHOWN:
        say(tr("… and {count} more; --json gives all", count=len(report.problems) - SHOWN))
    say()
    say(tr("What to do:"), style="bold")
    for remedy in dict.fromkeys(problem.remedy for problem in report.problems):
        say(f"  · {remedy}", style="cyan")
    raise typer.Exit(REFUSED)


@dataclass(frozen=True)
class Check:
    """One thing the doctor looked at."""

    state: Literal["ok", "note", "wrong"]
    what: str
    found: str
    remedy: str = ""


def doctor(workspace: WorkspaceArgument = None, *, folder: WorkspaceOption = None) -> None:
    """Look at the machine and the workspace, and say what to do.

    Python, the libraries that drawing needs, fonts, your keys, the workspace's health. Changes nothing.

    Example: lantern doctor chelsea
    """
    try:
        place: Place | None = find(workspace, folder)
    except NotFound:
        place = None
    checks = [*_machine(), *_keys(), *(_no_workspace() if place is None else _workspace(place))]
    styles = {"ok": "", "note": "yellow", "wrong": "red"}
    table(
        ("", tr("what"), tr("found")),
        ((tr(item.state), item.what, item.found) for item in checks),
        styles=[styles[item.state] for item in checks],
    )
    remedies = list(dict.fromkeys(item.remedy for item in checks if item.remedy))
    if remedies:
        say()
        say(tr("What to do:"), style="bold")
        for remedy in remedies:
            say(f"  · {remedy}")
    if any(item.state == "wrong" for item in checks):
        raise typer.Exit(REFUSED)
    say()
    done(tr("Ready."))
    if place is not None:
        following((place.command("verify"), tr("check every hash and signature")))


# the machine


def _machine() -> Iterator[Check]:
    yield Check("ok", "Lantern Kit", metadata.version("lantern-kit"))
    version = platform.python_version()
    yield Check("ok", "Python", f"{version} · {sys.prefix}")
    yield Check("ok", tr("system"), f"{platform.system()} {platform.release()} {platform.machine()}")
    yield from _packages()
    yield from _skia()
    yield from _fonts()
    yield from _notebooks()
    encoding = (sys.stdout.encoding or "").lower()
    if "utf" not in encoding:
        yield Check(
            "note",
            tr("terminal"),
            encoding or tr("unknown"),
            tr("Set LANG to a UTF-8 locale, such as C.UTF-8, to see every character."),
        )


def _packages() -> Iterator[Check]:
    versions, missing = [], []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        remedy = tr("Install Lantern Kit again with its requirements: pip install --force-reinstall lantern-kit")
        yield Check("wrong", tr("packages"), tr("missing: {names}", names=", ".join(missing)), remedy)
    yield Check("ok", tr("packages"), ", ".join(versions))


def _skia() -> Iterator[Check]:
    missing = _missing_libraries()
    try:
        import skia
    except ImportError as error:
        packages = [DEBIAN[library] for library in missing if library in DEBIAN]
        if packages and shutil.which("apt-get"):
            command = f"sudo apt-get update && sudo apt-get install -y --no-install-recommends {' '.join(packages)}"
            remedy = tr("Install what drawing needs: {command}", command=command)
        elif missing:
            remedy = tr("Install the packages of your system that bring {names}.", names=", ".join(missing))
        else:
            remedy = tr("Install skia-python again: pip install --force-reinstall skia-python")
        yield Check("wrong", tr("drawing"), ", ".join(missing) or str(error), remedy)
    else:
        yield Check("ok", tr("drawing"), f"skia m{skia.__version__.split('.')[0]}")


def _missing_libraries() -> list[str]:
    """System libraries that skia links and the linker does not find, as far as ``ldd`` can tell."""
    spec = find_spec("skia")
    ldd = shutil.which("ldd")
    if spec is None or spec.origin is None or ldd is None or sys.platform != "linux":
        return []
    listed = subprocess.run([ldd, spec.origin], capture_output=True, text=True, check=False)
    lines = (line.split() for line in listed.stdout.splitlines())
    return sorted({words[0] for words in lines if words[1:4] == ["=>", "not", "found"]})


def _fonts() -> Iterator[Check]:
    from lantern_kit.comic.typeset.fonts import PACKAGED, packaged_fonts

    try:
        faces = [packaged_fonts().face(item.family, bold=item.bold) for item in PACKAGED]
    except LanternError as error:
        yield Check("wrong", tr("fonts"), error.message, error.recovery)
        return
    yield Check("ok", tr("fonts"), ", ".join(dict.fromkeys(face.family for face in faces)))


def _packaged_families() -> tuple[str, ...]:
    """Families and roles that need no font of a person's own."""
    from lantern_kit.comic.typeset.fonts import packaged_fonts

    return packaged_fonts().families()


def _notebooks() -> Iterator[Check]:
    """Whether JupyterLab and the review app can run with live widgets."""
    try:
        from jupyter_core.paths import jupyter_path

        folders = [Path(folder) for folder in jupyter_path()]
    except ImportError:
        folders = []
    missing = [name for name, file in SHARED.items() if not any((folder / file).is_file() for folder in folders)]
    if missing:
        command = f"pip install --force-reinstall {' '.join(missing)}"
        remedy = tr("Install what notebooks need again: {command}", command=command)
        yield Check("wrong", tr("notebooks"), tr("missing: {names}", names=", ".join(missing)), remedy)
    try:
        from lantern_kit.widgets.bundle import bundle

        bundle()
    except LanternError as error:
        yield Check("wrong", tr("widgets"), error.message, error.recovery)
    else:
        if not missing:
            yield Check("ok", tr("notebooks"), tr("lantern lab and lantern review can run; Node is not needed"))


# the person


def _keys() -> Iterator[Check]:
    folder = config_folder() / "keys"
    files = sorted(folder.glob("*.pem")) if folder.is_dir() else []
    loose = [file.name for file in files if sys.platform != "win32" and file.stat().st_mode & 0o077]
    if loose:
        yield Check(
            "wrong",
            tr("your keys"),
            tr("others may read {names}", names=", ".join(loose)),
            tr("Take that right away: chmod 600 {files}", files=" ".join(str(folder / name) for name in loose)),
        )
    yield Check("ok", tr("your keys"), tr("{count} in {folder}", count=len(files), folder=folder))


# the workspace


def _no_workspace() -> Iterator[Check]:
    yield Check(
        "note", tr("workspace"), tr("none named, and not inside one"), tr("Look at one: lantern doctor my-comic")
    )


def _workspace(place: Place) -> Iterator[Check]:
    try:
        with opened(place) as found:
            yield from _opened(place, found)
    except LanternError as error:
        yield Check("wrong", tr("workspace"), error.message, error.recovery)


def _opened(place: Place, found: Workspace) -> Iterator[Check]:
    chapters = found.comics.chapters()
    drafts = sum(len(found.drafts.of_chapter(record.id)) for record in chapters)
    waiting = len(found.proposals.pending())
    yield Check(
        "ok",
        tr("workspace"),
        tr(
            "{title} · chapters: {chapters} · open drafts: {drafts} · waiting proposals: {waiting}",
            title=found.title,
            chapters=len(chapters),
            drafts=drafts,
            waiting=waiting,
        ),
    )
    if found.fonts.folders:
        kit = set(_packaged_families())
        own = [family for family in found.fonts.families() if family not in kit]
        yield Check("ok", tr("fonts of its own"), ", ".join(own) or tr("none that can be read"))
        for problem in found.fonts.problems:
            yield Check("note", tr("fonts of its own"), problem)
    with found.journal.read() as connection:
        lines = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(5)")]
    size = found.journal.path.stat().st_size / 1e6
    if lines == ["ok"]:
        yield Check("ok", tr("journal"), f"{size:.1f} MB")
    else:
        yield Check(
            "wrong", tr("journal"), "; ".join(lines), tr("See all of it: {command}", command=place.command("verify"))
        )
    free = shutil.disk_usage(found.path).free
    yield Check(
        "ok" if free > ROOM else "note",
        tr("free disk"),
        f"{free / 1e9:.1f} GB",
        "" if free > ROOM else tr("Make room: a full disk refuses every edit."),
    )
    site = found.review_site()
    if site is not None:
        yield Check("ok", tr("review"), tr("runs at {address}", address=site.url))
    roots = ", ".join(str(root) for root in found.assets.roots)
    yield Check("ok", tr("agents may read"), roots + " · " + tr("more with: lantern mcp --root DIR"))
    known = found.reviewers()
    here = [item for item in known if found.holds(item)]
    if not known:
        yield Check(
            "note",
            tr("reviewers"),
            tr("nobody"),
            tr("Nobody can decide yet: {command}", command=place.command("enrol")),
        )
    elif not here:
        yield Check(
            "note",
            tr("reviewers"),
            ", ".join(item.label for item in known) + " · " + tr("none with a key on this machine"),
            tr("Decide where the key was made, or: {command}", command=place.command("enrol")),
        )
    else:
        yield Check("ok", tr("reviewers"), ", ".join(item.label for item in here))
