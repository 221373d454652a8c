#!/usr/bin/env bash
# Makes the virtual environment and installs the kit into it, editable, with the versions it is tested with.
#   scripts/setup.sh [FOLDER]        FOLDER: where the environment lies (.venv)
#   PYTHON=/path/to/python           which Python to use instead of the first 3.11 or newer found
set -euo pipefail
cd "$(dirname "$0")/.."
venv="${1:-.venv}"

usable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

if ! usable "$venv/bin/python"; then
  python=""
  for candidate in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3}; do
    if usable "$candidate"; then python="$candidate" && break; fi
  done
  if [ -z "$python" ]; then
    echo "Lantern Kit needs Python 3.11 or newer and found none. Install it, or name one: make PYTHON=/path/to/python" >&2
    exit 1
  fi
  echo "Making $venv with $("$python" --version)"
  if ! "$python" -m venv --clear "$venv"; then
    echo "This Python cannot make virtual environments. On Debian or Ubuntu: sudo apt-get install -y python3-venv" >&2
    exit 1
  fi
fi

echo "Installing Lantern Kit and what it needs into $venv (a minute or two the first time)"
"$venv/bin/python" -m pip install --quiet --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
