"""References: addresses of works, units and objects that stay the same whatever is edited.

``lantern://comic/ch_…``, ``lantern://comic/ch_…/unit/un_…``, ``lantern://comic/ch_…/unit/un_…/object/fr_…``, and each
with ``?revision=r41`` where it means the thing as it was then. A handle dies with the state it was read from; a
reference does not. Beside them, the links under which a review server shows a proposal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from lantern_kit.kernel.errors import BadInput

SCHEME = "lantern://"
_REFERENCE = re.compile(
    r"lantern://comic/(?P<chapter>ch_[0-9a-z]{4,20})"
    r"(?:/unit/(?P<unit>un_[0-9a-z]{4,20})(?:/object/(?P<object>[a-z]{2}_[0-9a-z]{4,20}))?)?"
    r"(?:\?revision=(?P<revision>r[0-9]{1,16}))?"
)
_PROPOSAL = re.compile(r"p[0-9]{1,16}")
_OWN = frozenset({"127.0.0.1", "localhost"})
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Reference:
    """A work, a unit of it, or an object on that unit."""

    chapter: str
    unit: str = ""
    object: str = ""
    revision: str = ""
    """``r41`` where the thing is meant as it was then."""

    @property
    def id(self) -> str:
        """The id of what it names."""
        return self.object or self.unit or self.chapter

    def __str__(self) -> str:
        unit = f"/unit/{self.unit}" if self.unit else ""
        thing = f"/object/{self.object}" if self.object else ""
        at = f"?revision={self.revision}" if self.revision else ""
        return f"{SCHEME}comic/{self.chapter}{unit}{thing}{at}"


def parse_reference(text: str) -> Reference | None:
    """The reference that a text is; None for what begins otherwise. Raises BadInput for a broken one."""
    if not text.startswith(f"{SCHEME}comic/"):
        return None
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise BadInput(
            "that is no whole reference",
            expected="lantern://comic/ch_…, then /unit/un_… and /object/…, then ?revision=r…",
            found=text[:LONGEST],
        )
    return Reference(**{name: part or "" for name, part in found.groupdict().items()})


def linked_proposal(text: str) -> str:
    """The proposal, ``p2``, that a review link shows; empty for what is no address of this machine's reviews."""
    if not text.startswith("http"):
        return ""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return ""
    asked = parse_qs(parts.query).get("proposal", [])
    local = parts.scheme == "http" and host in _OWN
    return asked[0] if local and len(asked) == 1 and _PROPOSAL.fullmatch(asked[0]) else ""


def proposal_in(text: str) -> str:
    """``p2`` from a review link; any other text as it is."""
    return linked_proposal(text) or text
