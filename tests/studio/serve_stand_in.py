"""Serves a notebook as ``lantern review`` serves the kit's own: NOTEBOOK FOLDER [PORT]; says address and token."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lantern_kit.studio.app import serve_review

notebook, folder, *port = sys.argv[1:]
serve_review(
    Path(notebook),
    Path(folder),
    title="Review · <Chelsea>",
    announce=lambda address, token: print(json.dumps([address, token]), flush=True),
    port=int(port[0]) if port else None,
)
print("ended", flush=True)
