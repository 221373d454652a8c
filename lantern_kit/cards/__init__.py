"""Character cards and lorebooks: what roleplay programs keep, read losslessly, as untrusted data.

read        files to cards and books: JSON, PNG, CHARX
model       what they hold
errors      what can be wrong with them, each with its code
"""

from lantern_kit.cards.model import Book, BookForm, Card, CardForm, Decorator, Entry, Logic, Notice, Spec, Written
from lantern_kit.cards.read import read_any, read_book, read_card

__all__ = [
    "Book",
    "BookForm",
    "Card",
    "CardForm",
    "Decorator",
    "Entry",
    "Logic",
    "Notice",
    "Spec",
    "Written",
    "read_any",
    "read_book",
    "read_card",
]
