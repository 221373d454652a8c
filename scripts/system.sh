#!/usr/bin/env bash
# Checks the system libraries that skia links (asking the linker, so the answer is true on any distribution) and installs
# what is missing where it may: as root on a system with apt. Anywhere else it stops with the command to run.
#   scripts/system.sh check [--tests]        --tests: also the programs that tests and benchmarks compare with
#   VENV=.venv                               the environment in which skia is installed
set -euo pipefail
venv="${VENV:-$(dirname "$0")/../.venv}"

case "${1:-}" in
  check) shift ;;
  *) echo "usage: scripts/system.sh check [--tests]" >&2 && exit 2 ;;
esac
tests=no
if [ "${1:-}" = "--tests" ]; then tests=yes; fi

# The Debian and Ubuntu package that brings a library.
package_of() {
  case "$1" in
    libEGL.so.1) echo libegl1 ;;
    libGL.so.1) echo libgl1 ;;
    libGLX.so.0) echo libglx0 ;;
    libGLdispatch.so.0) echo libglvnd0 ;;
    libX11.so.6) echo libx11-6 ;;
    libxcb.so.1) echo libxcb1 ;;
    libexpat.so.1) echo libexpat1 ;;
    libfontconfig.so.1) echo libfontconfig1 ;;
    libfreetype.so.6) echo libfreetype6 ;;
    libstdc++.so.6) echo libstdc++6 ;;
    libgcc_s.so.1) echo libgcc-s1 ;;
    libz.so.1) echo zlib1g ;;
  esac
}

missing_libraries() {
  local module
  for module in "$venv"/lib*/python3*/site-packages/skia*.so; do
    if [ -e "$module" ]; then ldd "$module" | awk '$2 == "=>" && $3 == "not" { print $1 }'; fi
  done | sort -u
}

missing_programs() {
  if [ "$tests" != yes ]; then return; fi
  if ! command -v git >/dev/null; then echo git; fi
  if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then echo chromium; fi
  if ! command -v pdftotext >/dev/null; then echo poppler-utils; fi
  if ! command -v qpdf >/dev/null; then echo qpdf; fi
  if ! command -v mutool >/dev/null; then echo mupdf-tools; fi
  if ! command -v strace >/dev/null; then echo strace; fi
}

look() {
  libraries="$(missing_libraries)"
  programs="$(missing_programs)"
}

if [ "$(uname -s)" != Linux ]; then exit 0; fi # skia's wheels for other systems link nothing outside the system
look
if [ -z "$libraries$programs" ]; then exit 0; fi

packages=()
unknown=()
for library in $libraries; do
  package="$(package_of "$library")"
  if [ -n "$package" ]; then packages+=("$package"); else unknown+=("$library"); fi
done
for program in $programs; do packages+=("$program"); done

echo "Not installed on this system:" $libraries $programs >&2
if ! command -v apt-get >/dev/null; then
  wanted=""
  for library in $libraries; do wanted="$wanted '$library()(64bit)'"; done
  if command -v dnf >/dev/null; then
    echo "Run: sudo dnf install -y$wanted${programs:+ $programs}" >&2
  elif command -v zypper >/dev/null; then
    echo "Run: sudo zypper install -y$wanted${programs:+ $programs}" >&2
  else
    echo "Install the packages of your system that bring them, then run this again." >&2
  fi
  exit 1
fi
if [ "${#unknown[@]}" -gt 0 ]; then
  echo "No package is known here for ${unknown[*]}; find it with: apt-file search ${unknown[0]}" >&2
  if [ "${#packages[@]}" -eq 0 ]; then exit 1; fi
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]}" >&2
  exit 1
fi
echo "Installing: ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
look
if [ -n "$libraries$programs" ]; then
  echo "Still not found after installing:" $libraries $programs >&2
  exit 1
fi
