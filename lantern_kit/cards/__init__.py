"""Character cards and lorebooks: what roleplay programs keep, read losslessly, as untrusted data.

read        files to cards and books, JSON, PNG, CHARX    write write_book    and back, losslessly, or with losses told
model       what they hold    card books entries decorators fields    JSON to that
text png charx limits         untrusted bytes, each with its bounds
activation  which entries texts wake, and why    patterns    keys that are JavaScript patterns    macros    names put in
errors      what can be wrong with files, each with its code
"""

from lantern_kit.cards.activation import Match, Setting, active, fitted, search
from lantern_kit.cards.macros import substituted
from lantern_kit.cards.model import Book, BookEntry, BookForm, Card, CardForm, Decorator, Logic, Notice, Spec, Written
from lantern_kit.cards.read import read_any, read_book, read_card
from lantern_kit.cards.write import assets, write_card
from lantern_kit.cards.write_book import write_book

__all__ = [
    "Book",
    "BookEntry",
    "BookForm",
    "Card",
    "CardForm",
    "Decorator",
    "Logic",
    "Match",
    "Notice",
    "Setting",
    "Spec",
    "Written",
    "active",
    "assets",
    "fitted",
    "read_any",
    "read_book",
    "read_card",
    "search",
    "substituted",
    "write_book",
    "write_card",
]
