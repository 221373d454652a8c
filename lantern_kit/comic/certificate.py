"""Approvals as files that stand by themselves: what was signed, the signature, and the words a person read.

The format is described in docs/review.md. Checking one needs the file and the public key, and nothing of a workspace.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.approvals import Approval
from lantern_kit.comic.keychain import Enrolled, is_signed, key_id
from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import BadInput, Corrupt

FORMAT = "lantern-kit approval 1"
LARGEST = 20_000_000
"""Characters of a file that is read."""


@dataclass(frozen=True)
class Checked:
    """What came of checking a file of an approval."""

    sound: bool
    problems: tuple[str, ...]
    key: str
    """Id of the public key in the file."""
    trusted: bool
    """Whether it is the key that the caller named."""
    demo: bool
    """Whether the file says that it is a demo's key, which proves nothing about who decided."""
    facts: dict[str, Any]
    """What was signed; empty when it was not."""

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "sound": self.sound,
            "problems": list(self.problems),
            "key": self.key,
            "trusted": self.trusted,
            "demo": self.demo,
            "signed": self.facts,
        }

    def words(self) -> list[str]:
        """What was decided, by whom and over what, a line each."""
        if not self.facts:
            return []
        facts = self.facts
        proposal = facts.get("covers", {}).get("proposal", {})
        lines = [
            f"{facts['verdict']} of p{facts['proposal']} by {facts['reviewer']} at {stamp(facts['at'])}",
            f"key {self.key}, workspace {facts['workspace']}, verdict v{facts['number']}",
            f"compared with r{facts['compared']}"
            + (f", made r{facts['result']}" if facts["result"] is not None else ""),
            f"content SHA-256 {facts['content']}",
        ]
        if proposal:
            lines.append(f"proposed by {proposal['actor']} in d{proposal['draft']}: {proposal['summary']}")
        if facts["reason"]:
            lines.append(f"reason: {facts['reason']}")
        if self.demo:
            lines.append("a demo's key: it proves nothing about who decided")
        return lines


def certificate(
    approval: Approval,
    workspace: str,
    key: Enrolled,
    *,
    words: Sequence[tuple[str, Sequence[str]]] = (),
    pages: Sequence[tuple[str, str, bytes]] = (),
) -> str:
    """An approval as the text of a file.

    Args:
        approval, workspace, key: what was signed, where, and with what.
        words: the changes as the person read them: titles of units with their sentences.
        pages: pictures of the resulting pages: unit, title and PNG, of which the hash is kept.

    The words and the pages were not signed: the signature covers the content they were made from.
    """
    message = approval.message(workspace)
    body = {
        "format": FORMAT,
        "signed": json.loads(message),
        "signature": {
            "algorithm": "Ed25519",
            "value": base64.b64encode(approval.signature).decode(),
            "public_key": base64.b64encode(key.public).decode(),
            "key": key.key,
            "label": key.label,
            "demo": key.demo,
        },
        "told": {
            "changes": [{"title": title, "sentences": list(sentences)} for title, sentences in words],
            "pages": [
                {"unit": unit, "title": title, "png_sha256": digest(picture).hex()} for unit, title, picture in pages
            ],
        },
    }
    return json.dumps(body, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def check_certificate(text: str, trusted: str | bytes) -> Checked:
    """Check the file of an approval with a public key alone.

    Args:
        text: the file.
        trusted: the key the reader trusts: its id ``ke_…``, or its 32 bytes, raw, in hex or in base64.

    Raises BadInput when the text is no such file, or ``trusted`` is no key.
    """
    signed, signature = _parts(text)
    try:
        public = base64.b64decode(signature["public_key"], validate=True)
        value = base64.b64decode(signature["value"], validate=True)
        message = dumps(signed)
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput("the signature in the file cannot be read") from error
    own = key_id(public)
    problems = []
    if not is_signed(public, message, value):
        problems.append("the signature does not match what the file says was signed")
    if signature.get("algorithm") != "Ed25519":
        problems.append("the signature is of an unknown kind")
    if signed.get("key") != own or signature.get("key") != own:
        problems.append("the key's id is not that of its public half")
    if signed.get("about", "verdict") != "verdict" or "verdict" not in signed:
        problems.append("what was signed is no verdict")
    known = _is_key(own, public, trusted)
    if not known:
        problems.append("it is not signed by the key that is trusted")
    sound = not problems
    return Checked(sound, tuple(problems), own, known, bool(signature.get("demo")), signed if sound else {})


def _parts(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    wrong = BadInput("that is no file of an approval", expected=FORMAT, recovery="Export it again.")
    if len(text) > LARGEST:
        raise wrong
    try:
        body = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError, Corrupt) as error:
        raise wrong from error
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise wrong
    signed, signature = body.get("signed"), body.get("signature")
    if not isinstance(signed, dict) or not isinstance(signature, dict):
        raise wrong
    return signed, signature


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are said once: readers must not see another value than the signature covers."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Corrupt("a key is said twice")
    return found


def _is_key(own: str, public: bytes, trusted: str | bytes) -> bool:
    if isinstance(trusted, bytes):
        return trusted == public
    given = trusted.strip()
    if given.startswith("ke_"):
        return given == own
    for read in (bytes.fromhex, _base64):
        try:
            key = read(given)
        except ValueError:
            continue
        if len(key) == 32:
            return key == public
    raise BadInput("that is no key", expected="ke_…, or 32 bytes in hex or base64", found=given[:60])


def _base64(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
