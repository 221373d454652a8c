"""Prints the exact versions of everything that lantern-kit[dev] needs, as a pip constraints file.

Read from the environment it runs in: the dependencies of the kit, their dependencies, and nothing else that happens to
be installed there.
"""

from __future__ import annotations

import sys
from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = "lantern-kit"


def needed(name: str, extras: frozenset[str], found: dict[str, str], seen: set[tuple[str, frozenset[str]]]) -> None:
    """Add the versions of all that a distribution needs, with these extras, to ``found``."""
    if (name, extras) in seen:
        return
    seen.add((name, extras))
    installed = distribution(name)
    if name != ROOT:
        found[name] = installed.version
    for line in installed.requires or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *sorted(extras))):
            needed(canonicalize_name(requirement.name), frozenset(requirement.extras), found, seen)


def main() -> None:
    """Print the constraints, one distribution a line, in order of name."""
    found: dict[str, str] = {}
    needed(ROOT, frozenset({"dev"}), found, set())
    python = ".".join(map(str, sys.version_info[:2]))
    print(f"# The versions the kit is tested with (Python {python}, Linux). Written by `make constraints`.")
    for name in sorted(found):
        print(f"{name}=={found[name]}")


if __name__ == "__main__":
    main()
