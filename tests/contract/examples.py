"""What every operation and every capability is rightly asked, on the stage. Whoever adds one adds its line here.

A name after ``$`` is what the stage calls something: the current handle of a thing in the draft, or an id. Wrong
arguments are made out of these by the tests; an operation's line is its target and its arguments.
"""

from __future__ import annotations

from typing import Any

OPERATIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "balloon.add": ("$f", {"text": "Up!", "at": [50, 20], "after": "$n"}),
    "balloon.set": ("$b", {"text": "Whose moon?"}),
    "balloon.tail": ("$b", {"index": 1, "tip": [40, 40]}),
    "chapter.set": ("$chapter", {"title": "Up"}),
    "effect.add": ("$g", {"effect": "tone", "density": 0.4}),
    "effect.set": ("$e", {"density": 0.3}),
    "foreground.bind": ("$j", {"asset": "$matte"}),
    "foreground.unbind": ("$cut", {}),
    "frame.add": ("$two", {"rect": [8, 80, 40, 40], "after": "$h"}),
    "frame.cut": ("$g", {"line": [[52, 70], [50, 145]], "gutter": 3}),
    "frame.edge": ("$g", {"side": "top", "by": 2}),
    "frame.remove": ("$g", {}),
    "frame.reshape": ("$g", {"rect": [10, 76, 80, 60]}),
    "frame.set": ("$g", {"background": "#ffeecc", "bleed": []}),
    "image.adjust": ("$i", {"scale": 1.2}),
    "image.mark": ("$i", {"marks": [{"kind": "face", "area": [0.2, 0.2, 0.5, 0.6]}]}),
    "image.place": ("$h", {"asset": "$cat"}),
    "image.replace": ("$j", {"asset": "$matte"}),
    "layout.apply": ("$three", {"template": "four-koma"}),
    "layout.reflow": ("$one", {"gutter": 3, "over": ["$two"], "most": 2}),
    "narration.add": ("$f", {"text": "Later", "rect": [60, 30, 20, 10], "after": "$b"}),
    "narration.set": ("$n", {"text": "That very night"}),
    "object.band": ("$t", {"band": "overlays"}),
    "object.duplicate": ("$b", {"by": [2, 2]}),
    "object.move": ("$b", {"by": [2, 2]}),
    "object.order": ("$f", {"above": "$g"}),
    "object.remove": ("$t", {}),
    "object.rename": ("$f", {"name": "top"}),
    "overlay.add": ("$one", {"asset": "$matte", "box": [10, 10, 20, 20]}),
    "overlay.set": ("$o", {"opacity": 0.5}),
    "paper.set": ("$chapter", {"dpi": 300}),
    "reading.move": ("$c", {"after": "$t"}),
    "reading.set": ("$one", {"order": ["$g", "$c", "$f", "$b", "$n", "$t"]}),
    "script.write": (
        "$chapter",
        {"text": "## Page\n\n### Panel\n\nA roof at night.\n\nMIRA: Up!\n", "form": "markdown"},
    ),
    "spread.join": ("$two", {"with": "$four"}),
    "spread.split": ("$wide", {}),
    "text.add": ("$g", {"text": "BANG", "rect": [30, 100, 20, 20], "after": "$c"}),
    "text.set": ("$t", {"rotate": 12}),
    "unit.add": ("$chapter", {"name": "Five", "after": "$two"}),
    "unit.duplicate": ("$one", {"after": "$two"}),
    "unit.move": ("$three", {"before": "$one"}),
    "unit.remove": ("$two", {}),
    "unit.set": ("$one", {"background": "#ffeecc"}),
}
_AT = {"draft": "$draft", "expected_revision": "$now"}
_SET = [{"op": "balloon.set", "target": "$b", "args": {"text": "Whose moon?"}}]
_KEY = {"idempotency_key": "a-key"}

CAPABILITIES: dict[str, dict[str, Any]] = {
    "annotation.claim": {"annotations": ["$note"], "draft": "$draft", **_KEY},
    "annotation.inspect": {"annotation": "$note"},
    "annotation.list": {"chapter": "$chapter"},
    "annotation.note": {"annotations": ["$note"], "text": "Made it louder.", **_KEY},
    "asset.original": {"asset": "$cat"},
    "asset.read": {"asset": "$cat", "size": 64},
    "asset.register": {"path": "blue.png", "title": "Blue", "source_type": "drawn", **_KEY},
    "candidate.adopt": {**_AT, "candidate": "$candidate", **_KEY},
    "candidate.drop": {**_AT, "candidate": "$candidate", **_KEY},
    "candidate.propose": {**_AT, "task": "ask whose", "operations": _SET, **_KEY},
    "draft.begin": {"chapter": "$chapter", "title": "more", **_KEY},
    "draft.discard": {**_AT, **_KEY},
    "draft.edit": {**_AT, "message": "ask whose", "operations": _SET, **_KEY},
    "draft.pick": {**_AT, "source": "$before", "things": ["$b"], **_KEY},
    "draft.status": {"draft": "$draft"},
    "draft.undo": {**_AT, "to": "$before", **_KEY},
    "layout.propose": {**_AT, "units": ["$three"], "layout": "four-koma", **_KEY},
    "library.list": {"kind": "character", "search": "cat"},
    "library.read": {"entry": "$entry"},
    "library.write": {"entry": "$entry", "seen": 2, "notes": "A cat of the roofs.", "message": "from page 1", **_KEY},
    "operation.describe": {"operations": ["frame.cut"]},
    "proposal.freeze": {**_AT, "summary": "One of everything", **_KEY},
    "proposal.list": {"proposal": "$proposal"},
    "resource.list": {"after": "$cat"},
    "unit.look": {"source": "$draft", "unit": "$one", "size": 64},
    "unit.print": {"source": "$draft", "unit": "$three", "dpi": 30},
    "unit.read": {"source": "$draft", "unit": "$one"},
    "work.check": {"source": "$draft", "units": ["$two"]},
    "work.compare": {"source": "$draft", "old": "$before"},
    "work.find": {"source": "$draft", "text": "mine"},
    "work.outline": {"source": "$draft"},
}
