"""How the words of commands become values of this field: sides, squares, moves, rule sets."""

from typing import NewType

from taflengine.errors import NotationError
from taflengine.notation import WrittenMove, parse_move, parse_side, parse_square, quote
from taflengine.pieces import Side
from taflengine.protocol.command import CommandSet
from taflengine.protocol.session import Session
from taflengine.protocol.wishes import Wishes, parse_wishes
from taflengine.rules import Variant
from taflengine.variants.spoken import parse_variant

Square = NewType("Square", int)
"""A square of the board of the game in progress."""
RuleText = NewType("RuleText", Variant)
"""A rule set given as a text of several words."""
Form = NewType("Form", str)
"""How a rule set is written: one of ``FORMS``."""
FORMS = ("json", "otn")
RecordForm = NewType("RecordForm", str)
"""How a game is written: one of ``RECORD_FORMS``."""
RECORD_FORMS = ("otg", "moves", "json")


def _square(session: Session, word: str) -> Square:
    return Square(parse_square(word, session.game.variant.size))


def _side_or_square(session: Session, word: str) -> Side | Square:
    try:
        return parse_side(word)
    except NotationError:
        pass
    try:
        return _square(session, word)
    except NotationError as error:
        raise NotationError(f"{quote(word)} is no side, and as a square: {error}") from None


def _move(session: Session, text: str) -> WrittenMove:
    return parse_move(text, session.game.variant.size)


def _form(_session: Session, word: str) -> Form:
    if word not in FORMS:
        raise NotationError(
            f"{quote(word)} is neither a rule set, which variants lists, nor a form: "
            f"{' or '.join(FORMS)}"
        )
    return Form(word)


def _record_form(_session: Session, word: str) -> RecordForm:
    if word not in RECORD_FORMS:
        raise NotationError(
            f"{quote(word)} is no form of a record: allowed are {' '.join(RECORD_FORMS)}"
        )
    return RecordForm(word)


def read_variant(session: Session, text: str) -> Variant:
    """As ``parse_variant``, with a file only where *session* may read files.

    Raises:
        TaflError: *text* is no rule set, or a file that may not be read.
    """
    if text.startswith("@"):
        session.require_files()
    return parse_variant(text)


def command_set() -> CommandSet:
    """An empty table that reads the types above."""
    return CommandSet(
        parsers={
            Side: lambda _session, word: parse_side(word),
            Square: _square,
            Side | Square: _side_or_square,
            WrittenMove: _move,
            Variant: read_variant,
            RuleText: read_variant,
            Form: _form,
            RecordForm: _record_form,
            Wishes: lambda session, text: parse_wishes(session.game, text),
        },
        phrases=(WrittenMove, RuleText, Wishes),
    )
