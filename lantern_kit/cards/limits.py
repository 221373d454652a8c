"""How much of a file is read; all counts are of bytes unless said otherwise."""

from __future__ import annotations

CARD_TEXT = 2 << 20
"""JSON of one card, its book included."""
BOOK_TEXT = 8 << 20
"""JSON of one book by itself."""
CHUNK_TEXT = (CARD_TEXT + 2) // 3 * 4 + 1024
"""Text of one PNG chunk that holds a card: base64, with a little room for line ends."""
FILE = 64 << 20
"""A whole file: a picture, or an archive with its assets."""
CHUNKS = 20_000
"""PNG chunks in one file; a number."""
MEMBERS = 2_000
"""Members of one archive; a number."""
DIRECTORY = 1 << 20
"""The list of members of one archive."""
UNPACKED = 256 << 20
"""All members of one archive together, unpacked."""
RATIO = 200
"""How many times its packed size a member may unpack to, once it is larger than RATIO_FREE."""
RATIO_FREE = 1 << 20
DEPTH = 64
"""Levels of nesting in JSON; a number."""
DIGITS = 400
"""Digits of one number in JSON; a number."""
ENTRIES = 20_000
"""Entries of one book; a number."""
KEYS = 1_000
"""Keys of one entry; a number."""
BOOK_KEYS = 50_000
"""Keys of one book; a number."""
NOTICES = 300
"""Notices of one file; a number."""
