"""The wheel, built and used away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(root)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


def carried(root: Path, folder: str) -> set[str]:
    """What a checkout tracks in a folder, by its path inside."""
    listed = subprocess.run(["git", "ls-files", "-z", folder], cwd=root, capture_output=True, check=True)
    return {name.removeprefix(f"{folder}/") for name in listed.stdout.decode().split("\0") if name}


@pytest.mark.parametrize("folder", ["datasets", "notebooks"])
def test_the_wheel_carries_every_tracked_file_of(folder: str, wheel: Path, root: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        prefix = f"lantern_kit/_{folder}/"
        inside = {name.removeprefix(prefix) for name in archive.namelist() if name.startswith(prefix)}
    wanted = carried(root, folder)
    assert wanted
    assert wanted <= inside


def test_the_wheel_carries_the_package_its_licence_and_nothing_of_the_checkout_beside(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"lantern_kit"}
    assert "lantern_kit/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if "__pycache__" in name]


def test_the_wheel_carries_the_skills_and_what_judges_them(wheel: Path, root: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        page = archive.read("lantern_kit/skills/lantern/references/page.md")
    assert {f"lantern_kit/skills/{name}" for name in carried(root, "lantern_kit/skills")} <= names
    assert page == (root / "lantern_kit" / "skills" / "lantern" / "references" / "page.md").read_bytes()


def test_the_wheel_carries_the_browser_halves_of_the_widgets(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert b"export" in archive.read("lantern_kit/static/loader.js")
        assert len(archive.read("lantern_kit/static/widgets.js")) > 20_000


def test_a_clean_clone_builds_where_there_is_no_node_with_a_packaged_one(
    root: Path, wheel: Path, tmp_path: Path
) -> None:
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(root), str(clone)], check=True)
    assert not (clone / "lantern_kit" / "static").exists()
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("git", "sh", "bash", "env", "uname"):
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    built = tmp_path / "built"
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(built), str(clone)]
    done = subprocess.run(command, env={**os.environ, "PATH": str(tools)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive, zipfile.ZipFile(wheel) as other:
        same = "lantern_kit/static/widgets.js"
        assert archive.read(same) == other.read(same)


INSTALLED = """
import hashlib, lantern_kit
from lantern_kit.datasets import photos
from lantern_kit.skills import guides, skills
from lantern_kit.widgets.bundle import bundle
assert bundle().code
assert guides()["page"].startswith("# ") and set(skills()) == {"lantern", "page-review"}
for photo in photos():
    assert hashlib.sha256(photo.read()).hexdigest() == photo.sha256
    assert photo.terms.read_text()
with lantern_kit.create_workspace("work", title="Work", owner="ann") as workspace:
    print(*(path.name for path in workspace.copy_notebooks()))
print(lantern_kit.__file__)
"""


def test_an_installed_wheel_opens_its_own_photographs_and_notebooks(wheel: Path, root: Path, tmp_path: Path) -> None:
    place = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(place), str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ran = subprocess.run(
        [sys.executable, "-c", INSTALLED], cwd=tmp_path, env={"PYTHONPATH": str(place)}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    copied, package = ran.stdout.splitlines()
    assert set(copied.split()) == {name for name in carried(root, "notebooks") if name.endswith(".ipynb")}
    assert Path(package).is_relative_to(place)
