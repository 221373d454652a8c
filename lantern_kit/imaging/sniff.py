"""What a file is, told from its first bytes."""

from __future__ import annotations

from dataclasses import dataclass

SUFFIXES = {
    "image/png": (".png", ".apng"),
    "image/jpeg": (".jpg", ".jpeg", ".jpe", ".jfif", ".mpo"),
    "image/webp": (".webp",),
    "image/tiff": (".tif", ".tiff"),
    "image/gif": (".gif",),
    "image/bmp": (".bmp", ".dib"),
    "image/avif": (".avif",),
}
"""Extensions that fit each media type the kit reads."""

_READABLE = (
    (b"\x89PNG\r\n\x1a\n", "image/png", "PNG"),
    (b"\xff\xd8\xff", "image/jpeg", "JPEG"),
    (b"II*\0", "image/tiff", "TIFF"),
    (b"MM\0*", "image/tiff", "TIFF"),
    (b"II+\0", "image/tiff", "TIFF"),
    (b"MM\0+", "image/tiff", "TIFF"),
    (b"GIF87a", "image/gif", "GIF"),
    (b"GIF89a", "image/gif", "GIF"),
    (b"BM", "image/bmp", "BMP"),
)
_OTHERS = (
    (b"%PDF", "a PDF", "Render its page to a PNG and use that."),
    (b"8BPS", "a Photoshop document", "Export a flat PNG from it and use that."),
    (b"%!PS", "a PostScript drawing", "Render it to a PNG and use that."),
    (b"PK\x03\x04", "a zip archive", "Take the pictures out of the archive and use those."),
    (b"Rar!", "a rar archive", "Take the pictures out of the archive and use those."),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "Take the pictures out of the archive and use those."),
    (b"\x1f\x8b", "a gzip file", "Unpack it and use the picture inside."),
    (b"\xff\x0a", "a JPEG XL picture", "Convert it to PNG and use that."),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "a JPEG XL picture", "Convert it to PNG and use that."),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "a JPEG 2000 picture", "Convert it to PNG and use that."),
    (b"gimp xcf", "a GIMP document", "Export a flat PNG from it and use that."),
    (b"version https://git-lfs", "a Git LFS pointer", "Fetch the real file with git lfs pull and use that."),
)
_RECOVERY = "Use a PNG, JPEG, WebP, TIFF, GIF, BMP or AVIF file."


@dataclass(frozen=True, slots=True)
class Sniffed:
    """What a file appears to be."""

    what: str
    """In words, for a message: ``PNG``, or ``an SVG drawing``."""
    media: str = ""
    """Media type, when the kit reads it."""
    reason: str = ""
    """Why not, when it does not: ``empty``, ``not_a_picture`` or ``unsupported``."""
    recovery: str = ""

    @property
    def readable(self) -> bool:
        """Whether the kit has a decoder for this."""
        return bool(self.media)


def sniff(data: bytes) -> Sniffed:
    """What the bytes appear to be; says nothing about whether they are whole."""
    if not data:
        return Sniffed("0 bytes", reason="empty", recovery="Save or download the picture again and use the new file.")
    for magic, media, what in _READABLE:
        if data.startswith(magic):
            return Sniffed(what, media)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return Sniffed("WebP", "image/webp")
    if data[4:8] == b"ftyp":
        return _iso_media(data)
    if data[:4] == b"PK\x03\x04" and data[30:58].startswith(
        (b"mimetypeapplication/x-krita", b"mimetypeimage/openraster")
    ):
        what = "a Krita document" if b"krita" in data[30:58] else "an OpenRaster document"
        return Sniffed(what, reason="unsupported", recovery="Export a flat PNG from it and use that.")
    for magic, what, recovery in _OTHERS:
        if data.startswith(magic):
            return Sniffed(what, reason="unsupported", recovery=recovery)
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if b"<svg" in head:
        return Sniffed("an SVG drawing", reason="unsupported", recovery="Render it to a PNG and use that.")
    if head.startswith((b"<!doctype html", b"<html")):
        return Sniffed(
            "a web page", reason="not_a_picture", recovery="Download the picture itself, not the page it is shown on."
        )
    if _is_text(data[:4096]):
        return Sniffed("text", reason="not_a_picture", recovery=_RECOVERY)
    return Sniffed("unknown bytes", reason="not_a_picture", recovery=_RECOVERY)


def ends_early(data: bytes, media: str) -> bool:
    """Whether the file is shorter than it says, or lacks the mark its format ends with (AVIF: not told)."""
    match media:
        case "image/png":
            return b"IEND" not in data[-4096:]
        case "image/jpeg":
            return b"\xff\xd9" not in data
        case "image/gif":
            return b"\x3b" not in data[-64:]
        case "image/webp":
            return int.from_bytes(data[4:8], "little") + 8 > len(data)
        case "image/bmp":
            return int.from_bytes(data[2:6], "little") > len(data)
        case "image/tiff" if data[2:4] in (b"*\0", b"\0*"):
            return int.from_bytes(data[4:8], "little" if data[:2] == b"II" else "big") + 2 > len(data)
    return False


def _iso_media(data: bytes) -> Sniffed:
    length = min(int.from_bytes(data[:4], "big"), 256)
    brands = [data[8:12], *(data[at : at + 4] for at in range(16, length, 4))]
    if any(brand in (b"avif", b"avis") for brand in brands):
        return Sniffed("AVIF", "image/avif")
    if any(brand in (b"heic", b"heix", b"mif1", b"msf1", b"hevc") for brand in brands):
        return Sniffed("a HEIC picture", reason="unsupported", recovery="Convert it to PNG or JPEG and use that.")
    return Sniffed("a video or sound file", reason="not_a_picture", recovery=_RECOVERY)


def _is_text(head: bytes) -> bool:
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:  # a character cut at the end is still text
            return False
        text = head[: error.start].decode("utf-8")
    return all(c.isprintable() or c in "\r\n\t\f" for c in text)
