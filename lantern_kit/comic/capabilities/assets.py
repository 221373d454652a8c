"""``asset.*``: look at registered pictures, and register new ones."""

from __future__ import annotations

import base64
import binascii
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from lantern_kit.assets import LARGEST_FILE, AssetVersion, Offer, SourceType, Use, check_title
from lantern_kit.comic.capabilities.answer import BUDGET, In, Key, Out, Start, cut
from lantern_kit.comic.capabilities.library import sheets
from lantern_kit.comic.capabilities.pictures import DEFAULT_EDGE, Edge, fitting
from lantern_kit.comic.capabilities.registry import CAPABILITIES, observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.measure import counted
from lantern_kit.imaging.decode import decode
from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.capability import (
    Call,
    Confirmation,
    Effect,
    Idempotency,
    Picture,
    Precondition,
    Reply,
    Risk,
    Scope,
)
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import BadInput
from lantern_kit.roots import read_allowed
from lantern_kit.uploads import Received

if TYPE_CHECKING:
    from lantern_kit.assets import AssetLibrary

LARGEST_PART = 64 * 1024 * 1024
"""Bytes that one call brings: in base64 they fit into the largest request."""
LISTED = 1_000
FILES_LISTED = 60
FILES_BUDGET = 1_500
"""Tokens of an answer that the files are given."""

Kind = Literal["photograph", "drawn", "scanned", "edited", "generated", "generated_parts", "unknown"]


class AssetReadIn(In):
    """Which asset, or which assets."""

    asset: Annotated[
        str, Field(max_length=40, description="as_…: facts and picture; li_…: reference sheets; absent: lists")
    ] = ""
    search: Annotated[str, Field(max_length=120, description="list only titles with these words")] = ""
    size: Edge = DEFAULT_EDGE
    start: Start = 1


class AssetReadOut(Out):
    """Facts of one asset, or of several."""

    asset: dict[str, Any] | None = None
    entry: dict[str, Any] | None = None
    picture: dict[str, Any] | None = None
    assets: list[dict[str, Any]] | None = None
    total: int | None = None
    next: int | None = None
    inbox: list[dict[str, Any]] | None = None
    more_in_inbox: bool | None = None


@observes(
    "asset.read",
    summary="Look at a registered picture with its facts, or list them, and the files that wait to be registered.",
    input=AssetReadIn,
    output=AssetReadOut,
    applies_to=("asset", "workspace"),
)
def read(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    if not args.asset:
        found = held.assets.find(args.search, limit=LISTED)
        files, left = _files(held.assets, args.search) if args.start == 1 else (None, None)
        rows, more = cut([short_facts(item) for item in found], args.start, budget=BUDGET - FILES_BUDGET)
        listed = AssetReadOut(assets=rows, total=len(found), next=more, inbox=files, more_in_inbox=left)
        return Reply(listed.facts(), summary=f"list of {counted(len(found), 'asset')}")
    if args.asset.startswith("li_"):
        return _sheets(held, args.asset, args.size)
    asset = held.assets.get(args.asset)
    picture, facts = fitting(decode(held.assets.read(asset)), args.size)
    answer = AssetReadOut(asset=asset_facts(asset), picture=facts)
    return Reply(answer.facts(), (picture,), target=asset.id, summary="looked at a picture", assets=(asset.id,))


def _sheets(held: ComicServices, entry: str, size: int) -> Reply:
    """The reference pictures of an entry of the library."""
    found = sheets(held, entry, size)
    answer = AssetReadOut(entry=found.facts, picture=found.sent)
    pictures = () if found.picture is None else (found.picture,)
    assets = found.entry.content.assets
    return Reply(answer.facts(), pictures, target=found.entry.id, summary="looked at reference sheets", assets=assets)


def _files(assets: AssetLibrary, search: str) -> tuple[list[dict[str, Any]], bool | None]:
    """Files that could be registered, and whether there are more than are listed."""
    words = search.lower()
    waiting = (item for item in assets.waiting() if words in item.name.lower())
    rows = [{"path": item.name, "bytes": item.bytes} for item in islice(waiting, FILES_LISTED + 1)]
    shown, _ = cut(rows[:FILES_LISTED], budget=FILES_BUDGET)
    return shown, len(rows) > len(shown) or None


class OriginalIn(In):
    """Which asset."""

    asset: Annotated[str, Field(min_length=1, max_length=40, description="as_…")]


class OriginalOut(Out):
    """Its facts."""

    asset: dict[str, Any]


@observes(
    "asset.original",
    summary="The bytes of a registered picture as they were registered.",
    input=OriginalIn,
    output=OriginalOut,
    applies_to=("asset",),
)
def original(call: Call) -> Reply:
    """Carry it out."""
    held = services(call)
    asset = held.assets.get(call.args.asset)
    picture = Picture(held.assets.read(asset), asset.media)
    answer = OriginalOut(asset=asset_facts(asset))
    return Reply(answer.facts(), (picture,), target=asset.id, summary="read an original", assets=(asset.id,))


class RegisterIn(In):
    """A picture and where it came from."""

    path: Annotated[str, Field(max_length=1_000, description="file in inbox/ or another allowed folder")] = ""
    data: Annotated[
        str, Field(max_length=LARGEST_PART * 4 // 3 + 4, description="instead of path: base64, whole or in parts")
    ] = ""
    whole: Annotated[
        int, Field(ge=0, le=LARGEST_FILE, description="with the first part: bytes in all, up to 96 MiB")
    ] = 0
    upload: Annotated[str, Field(max_length=40, description="further parts: as the first was answered")] = ""
    offset: Annotated[int, Field(ge=0, le=LARGEST_FILE, description="bytes sent before")] = 0
    sha256: Annotated[str, Field(pattern="^([0-9a-f]{64})?$", description="of the file: checked")] = ""
    title: Annotated[str, Field(min_length=1, max_length=120)]
    licence: Annotated[str, Field(max_length=200, description="such as CC0-1.0")] = ""
    source: Annotated[str, Field(max_length=400, description="where it is from: address, model, person")] = ""
    source_type: Kind = "unknown"
    foreground_of: Annotated[
        str, Field(max_length=40, description="as_…: this is its cut-out subject, same pixel size, real alpha")
    ] = ""
    use: Annotated[Literal["picture", "cover", "style"], Field(description="style: to keep to, not to place")] = (
        "picture"
    )
    idempotency_key: Key


class RegisterOut(Out):
    """The asset; of a part that is not the last, how much of the file is there."""

    asset: dict[str, Any] | None = None
    upload: str | None = None
    received: int | None = None
    already_registered: bool | None = None
    redrawn: float | None = None


def _offer(call: Call) -> Offer | Received:
    """The picture, checked and kept; of a part that is not the last, how much of the file is there."""
    args, held = call.args, services(call)
    check_title(args.title)
    if bool(args.path) == bool(args.data):
        raise BadInput("give path or data, one of them", expected="path or data")
    for name in ("licence", "source"):
        if not getattr(args, name).isprintable():
            raise BadInput(f"{name}: characters that cannot be printed", expected="text on one line")
    if args.path and (args.whole or args.upload):
        raise BadInput("a file in a folder is not sent in parts", expected="path, or data with whole or upload")
    upload = ""
    if args.path:
        data = read_allowed(args.path, held.assets.roots, largest=LARGEST_FILE)
    elif not (args.whole or args.upload):
        data = _inline(args.data)
    else:
        part = _part(call)
        if part.data is None:
            return part
        upload, data = part.upload, part.data
    if args.sha256 and digest(data).hex() != args.sha256:
        held.uploads.drop(upload)
        raise BadInput(
            "the file is not the one that sha256 names",
            expected=args.sha256,
            found=digest(data).hex(),
            recovery="Send it again, with a new idempotency_key; in parts from the first on.",
        )
    return held.assets.offer(data, foreground_of=args.foreground_of or None)


def _part(call: Call) -> Received:
    """Take a part of a file, the first or a further one."""
    args, uploads = call.args, services(call).uploads
    sender, data = f"{call.actor.kind.value}/{call.actor.name}", _inline(args.data)
    if args.upload:
        if args.whole:
            raise BadInput("whole belongs to the first part, upload to the others", expected="one of them")
        return uploads.go_on(sender, args.upload, args.offset, data)
    if args.offset:
        raise BadInput("the first part begins at offset 0", expected="upload, or no offset")
    return uploads.begin(sender, args.whole, data)


@CAPABILITIES.capability(
    "asset.register",
    summary="Register a picture file with its title, source and licence, to place it on pages.",
    input=RegisterIn,
    output=RegisterOut,
    applies_to=("workspace",),
    scope=Scope.DRAFT,
    effect=Effect.RESOURCE_MUTATION,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.NONE,
    prepare=_offer,
)
def register(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    offer: Offer | Received = call.prepared
    if isinstance(offer, Received):
        sent = RegisterOut(upload=offer.upload, received=offer.received)
        return Reply(sent.facts(), summary="sent a part of a picture", action="send")
    asset, known = held.assets.register_offer(
        call.transaction,
        offer,
        title=args.title,
        actor=call.actor,
        source=args.source,
        source_type=SourceType[args.source_type.upper()],
        licence=args.licence,
        use=Use(args.use),
    )
    redrawn = round(offer.redrawn, 4) if offer.foreground_of is not None else None
    answer = RegisterOut(asset=asset_facts(asset), already_registered=known or None, redrawn=redrawn)
    words = "already registered" if known else f"registered a picture of {asset.width}×{asset.height}"
    return Reply(answer.facts(), target=asset.id, summary=words, assets=(asset.id,))


def short_facts(asset: AssetVersion) -> dict[str, Any]:
    """What a list says of an asset."""
    facts: dict[str, Any] = {"asset": asset.id, "title": asset.title, "size": [asset.width, asset.height]}
    if asset.source_of is not None:
        facts["foreground_of"] = asset.source_of
    elif asset.kind != Use.PICTURE:
        facts["use"] = asset.kind
    return facts


def asset_facts(asset: AssetVersion) -> dict[str, Any]:
    """What is known of an asset, nothing left out but what is empty."""
    facts: dict[str, Any] = {
        **short_facts(asset),
        "media": asset.media,
        "mode": asset.mode,
        "bits": asset.bits,
        "alpha": asset.alpha,
        "profile": asset.profile,
        "bytes": asset.bytes,
        "notes": asset.notes,
        "source": asset.source,
        "source_type": SourceType(asset.digital_source_type).name.lower(),
        "licence": asset.licence,
        "registered_by": asset.registered_by,
        "registered_at": stamp(asset.registered_at),
    }
    return {key: value for key, value in facts.items() if value != ""}


def _inline(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("data is not base64", expected="standard base64 without line breaks or a data: prefix") from None
    if len(data) > LARGEST_PART:
        raise BadInput(
            "data is too large for one call",
            expected=f"at most {LARGEST_PART // 1024**2} MiB decoded",
            recovery="Send it in parts, or put the file into the workspace's inbox/ folder and give its path.",
        )
    return data
