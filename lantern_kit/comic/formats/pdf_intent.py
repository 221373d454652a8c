"""The output intent of a PDF: for which printing condition, or screen, its colours are meant. ISO 32000-1, 14.11.5."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import ImageCms

from lantern_kit.imaging.profile import grey_profile, srgb_profile
from lantern_kit.kernel.errors import BadInput

_CHANNELS = {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4}
_MODES = {1: "L", 3: "RGB", 4: "CMYK"}
_CLASSES = {b"prtr": "GTS_PDFX", b"mntr": "GTS_PDFA1"}
"""ISO 15930 wants the profile of a printing device; that of a screen is what ISO 19005 allows."""
_MOST = 32 * 1024 * 1024
_EXPECTED = "an ICC profile of a printer or a screen, in CMYK, RGB or grey"


@dataclass(frozen=True, slots=True)
class Intent:
    """A printing condition by its ICC profile."""

    name: str
    """As the profile calls itself."""
    profile: bytes
    channels: int
    """1 grey, 3 RGB, 4 CMYK."""
    kind: str
    """GTS_PDFX for a printer, GTS_PDFA1 for a screen."""
    own: bool = False
    """It is sRGB itself: what is drawn needs no telling."""


def srgb_intent() -> Intent:
    """The intent of a file that is meant as it looks on a screen."""
    return Intent("sRGB IEC61966-2.1", srgb_profile(), 3, "GTS_PDFA1", own=True)


def read_intent(path: Path) -> Intent:
    """The intent that an ICC file stands for. Raises BadInput."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
    except OSError as problem:
        raise BadInput(
            f"the colour profile {path.name} cannot be read: {problem.strerror or type(problem).__name__}",
            expected=_EXPECTED,
            recovery="Name the .icc file that your printer gave you.",
        ) from problem
    head = data[:132]
    if len(head) < 132 or head[36:40] != b"acsp" or len(data) > _MOST or int.from_bytes(head[:4]) > len(data):
        raise _refused(path, "a file that is none" if head[36:40] != b"acsp" else "one that ends early")
    channels, kind = _CHANNELS.get(head[16:20]), _CLASSES.get(head[12:16])
    if channels is None or kind is None:
        found = head[12:16] if channels is not None else head[16:20]
        raise _refused(path, "".join(c if c.isprintable() else "?" for c in found.decode("latin-1")).strip())
    data = data[: int.from_bytes(head[:4])]
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(data))
        name = ImageCms.getProfileDescription(profile)
        # Whether one can print by it: the way from sRGB to its colours.
        ImageCms.buildTransform(ImageCms.createProfile("sRGB"), profile, "RGB", _MODES[channels])
    except (ImageCms.PyCMSError, OSError, ValueError) as problem:
        raise _refused(path, "a damaged one, or one that says nothing of printing") from problem
    name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:120]
    return Intent(name or path.stem[:120], data, channels, kind, own=data == srgb_profile())


def _refused(path: Path, found: str) -> BadInput:
    return BadInput(
        f"{path.name} is no colour profile to print by",
        expected=_EXPECTED,
        found=found,
        recovery="Name the .icc file that your printer gave you, or leave it out: the file is then meant for sRGB.",
    )


def declare(pdf: pikepdf.Pdf, intent: Intent) -> None:
    """Write the intent into a PDF, and say on every page that what is drawn is sRGB where the intent is another."""
    profile = pdf.make_stream(intent.profile, N=intent.channels)
    made = Dictionary(
        Type=Name.OutputIntent,
        S=Name("/" + intent.kind),
        OutputConditionIdentifier=intent.name,
        Info=intent.name,
        DestOutputProfile=profile,
    )
    if intent.kind == "GTS_PDFX":
        made.RegistryName = "http://www.color.org"
    pdf.Root.OutputIntents = Array([pdf.make_indirect(made)])
    if intent.own:
        return
    colours = Array([Name.ICCBased, pdf.make_stream(srgb_profile(), N=3, Alternate=Name.DeviceRGB)])
    greys = Array([Name.ICCBased, pdf.make_stream(grey_profile(), N=1, Alternate=Name.DeviceGray)])
    spaces = {"/DefaultRGB": pdf.make_indirect(colours), "/DefaultGray": pdf.make_indirect(greys)}
    for resources in _resources(pdf):
        held = resources.get("/ColorSpace", Dictionary())
        for name, space in spaces.items():
            held[name] = space
        resources["/ColorSpace"] = held


def _resources(pdf: pikepdf.Pdf) -> list[Any]:
    """The resources of everything that draws: pages, forms and patterns."""
    holders: list[Any] = [item for item in pdf.objects if isinstance(item, Dictionary | pikepdf.Stream)]
    return [item["/Resources"] for item in holders if isinstance(item.get("/Resources"), Dictionary)]
