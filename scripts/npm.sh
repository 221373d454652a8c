#!/usr/bin/env bash
# Runs npm in widgets/, installing its packages first; says loudly, and goes on, where there is no Node to do it with.
#   scripts/npm.sh run check | test | …
set -euo pipefail
cd "$(dirname "$0")/../widgets"
if ! node -e 'process.exit(+(Number(process.versions.node.split(".")[0]) < 20))' 2>/dev/null || ! command -v npm >/dev/null; then
  echo "NO NODE 20: skipped npm $* (the widgets' TypeScript was not checked)" >&2
  exit 0
fi
if [ ! -x node_modules/.bin/tsc ]; then npm ci --no-progress --loglevel=error; fi
exec npm --silent "$@"
