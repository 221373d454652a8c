"""scripts/system.sh, on machines where something is missing: its programs are stood in for by small ones."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

MISSING = "libEGL.so.1 => not found\n\tlibexpat.so.1 => not found"


@dataclass(frozen=True)
class Machine:
    script: Path
    programs: Path
    venv: Path

    def program(self, name: str, body: str) -> None:
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.programs), "VENV": str(self.venv)}
        return subprocess.run(
            ["/bin/bash", str(self.script), "check", *arguments], env=env, capture_output=True, text=True
        )

    @property
    def asked_of_apt(self) -> list[str]:
        log = self.programs / "apt.log"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def machine(tmp_path: Path, root: Path) -> Machine:
    """A Linux machine with apt, run by root, on which skia finds all its libraries."""
    packages = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "skia.cpython-311.so").touch()
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("awk", "sort", "dirname", "cat", "touch"):
        found = next(Path(folder) / name for folder in os.environ["PATH"].split(":") if (Path(folder) / name).exists())
        (programs / name).symlink_to(found)
    made = Machine(root / "scripts" / "system.sh", programs, tmp_path / "venv")
    made.program("uname", "echo Linux")
    made.program("id", "echo 0")
    made.program("ldd", "echo 'libm.so.6 => /lib/libm.so.6 (0x1)'")
    made.program("apt-get", f'echo "$*" >> {programs}/apt.log; case "$*" in *install*) touch {programs}/done;; esac')
    return made


def lacking(machine: Machine, libraries: str, *, for_good: bool = False) -> None:
    there = "false" if for_good else f"[ -e {machine.programs}/done ]"
    machine.program("ldd", f"if ! {there}; then printf '\\t{libraries}\\n'; fi")


def test_a_complete_system_is_left_alone(machine: Machine) -> None:
    done = machine.check()
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.asked_of_apt == []


def test_root_with_apt_gets_what_is_missing_installed(machine: Machine) -> None:
    lacking(machine, MISSING)
    done = machine.check()
    assert done.returncode == 0, done.stderr
    assert machine.asked_of_apt == ["-qq update", "-qq install -y --no-install-recommends libegl1 libexpat1"]


def test_anyone_else_is_told_the_exact_command(machine: Machine) -> None:
    lacking(machine, MISSING)
    machine.program("id", "echo 1000")
    done = machine.check()
    assert done.returncode == 1
    command = "sudo apt-get update && sudo apt-get install -y --no-install-recommends libegl1 libexpat1"
    assert command in done.stderr
    assert machine.asked_of_apt == []


def test_a_system_with_dnf_is_told_its_own_command(machine: Machine) -> None:
    lacking(machine, MISSING)
    (machine.programs / "apt-get").unlink()
    machine.program("dnf", "exit 9")
    done = machine.check()
    assert done.returncode == 1
    assert "sudo dnf install -y 'libEGL.so.1()(64bit)' 'libexpat.so.1()(64bit)'" in done.stderr


def test_a_library_nobody_here_knows_is_named(machine: Machine) -> None:
    lacking(machine, "libnovel.so.3 => not found")
    done = machine.check()
    assert done.returncode == 1
    assert "libnovel.so.3" in done.stderr
    assert machine.asked_of_apt == []


def test_an_installation_that_did_not_help_is_said_so(machine: Machine) -> None:
    lacking(machine, MISSING, for_good=True)
    done = machine.check()
    assert done.returncode == 1
    assert "Still not found after installing: libEGL.so.1 libexpat.so.1" in done.stderr


def test_programs_that_tests_compare_with_are_asked_for_only_with_tests(machine: Machine) -> None:
    assert machine.check().returncode == 0
    assert machine.asked_of_apt == []
    machine.check("--tests")
    programs = "git chromium poppler-utils qpdf mupdf-tools strace"
    assert machine.asked_of_apt == ["-qq update", f"-qq install -y --no-install-recommends {programs}"]


def test_systems_other_than_linux_need_nothing(machine: Machine) -> None:
    lacking(machine, MISSING, for_good=True)
    machine.program("uname", "echo Darwin")
    assert machine.check().returncode == 0
