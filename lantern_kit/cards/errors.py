"""What can be wrong with a file that should be a card or a book.

BadCard                  the file cannot be read as a card or a book
├── CardTooLarge         more bytes, chunks or members than are read
├── CardCutShort         the file ends before it should
├── CardChecksum         a chunk that holds the card does not match its checksum
├── CardMissing          a picture or an archive without a card inside
├── CardNotText          what should be UTF-8, or base64 of it, is not
├── CardNotJson          text that is no JSON
│   ├── CardTooDeep      nested deeper than any card
│   └── CardNumber       a number that no reader can keep: NaN, infinity, thousands of digits
├── CardUnknownShape     JSON that is neither a card nor a book of a known form
├── CardArchive          a CHARX that is no sound zip file
│   ├── CardArchiveBomb  an archive that unpacks to far more than it should
│   └── CardUnsafeMember a member that would land outside, or is a link
└── CardUnwritable       a card or book that cannot be said in the form wanted
"""

from __future__ import annotations

from lantern_kit.kernel.errors import BadInput


class BadCard(BadInput):
    """The file cannot be read as a card or a book."""

    code = "bad_card"
    default_recovery = "Export the card again from the program that made it."


class CardTooLarge(BadCard):
    """More bytes, chunks or members than are read."""

    code = "card_too_large"
    default_recovery = "Take out what does not belong to the card, or split its book."


class CardCutShort(BadCard):
    """The file ends before it should."""

    code = "card_cut_short"
    default_recovery = "Download or copy the file again."


class CardChecksum(BadCard):
    """A chunk that holds the card does not match its checksum."""

    code = "card_checksum"
    default_recovery = "Download or copy the file again."


class CardMissing(BadCard):
    """A picture or an archive without a card inside."""

    code = "card_missing"
    default_recovery = "Use the file as it was exported: programs that edit pictures drop the card inside."


class CardNotText(BadCard):
    """What should be UTF-8, or base64 of it, is not."""

    code = "card_not_text"


class CardNotJson(BadCard):
    """Text that is no JSON."""

    code = "card_not_json"


class CardTooDeep(CardNotJson):
    """JSON that is nested deeper than any card."""

    code = "card_too_deep"


class CardNumber(CardNotJson):
    """A number that no reader can keep: NaN, infinity, thousands of digits."""

    code = "card_number"


class CardUnknownShape(BadCard):
    """JSON that is neither a card nor a book of a known form."""

    code = "card_unknown_shape"
    default_recovery = "Cards are V1, V2 or V3; books V2, V3, SillyTavern, NovelAI, Risu or Agnai."


class CardArchive(BadCard):
    """A CHARX that is no sound zip file."""

    code = "card_archive"


class CardArchiveBomb(CardArchive):
    """An archive that unpacks to far more than it should."""

    code = "card_archive_bomb"
    default_recovery = "Do not use this file; nothing of it was unpacked."


class CardUnsafeMember(CardArchive):
    """A member of an archive that would land outside of it, or is a link."""

    code = "card_unsafe_member"
    default_recovery = "Do not use this file; nothing of it was unpacked."


class CardUnwritable(BadCard):
    """A card or book that cannot be said in the form wanted."""

    code = "card_unwritable"
    default_recovery = "Choose another form."
