"""How the words of commands become values of this field: sides, squares, moves, rule sets."""

from typing import NewType

from taflengine.errors import NotationError
from taflengine.notation import WrittenMove, parse_move, parse_side, parse_square, quote
from taflengine.pieces import Side
from taflengine.protocol.command import CommandSet
from taflengine.protocol.session import Session
from taflengine.rules import Variant
from taflengine.variants import find_variant

Square = NewType("Square", int)
"""A square of the board of the game in progress."""
RuleText = NewType("RuleText", Variant)
"""A rule set given as a text of several words."""
Form = NewType("Form", str)
"""How a rule set is written: one of ``FORMS``."""
FORMS = ("json", "otn")


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


def parse_variant(text: str) -> Variant:
    """A rule set by name, as ``@FILE`` of its own, or as ``otn:`` and an OpenTafl rules string.

    Raises:
        NotationError: no built-in rule set has the name.
        RulesError: the file or the string is wrong, or holds what cannot be played.
    """
    # Imported where they are used: the first answer of a process need not wait for them.
    if text == "@":
        raise NotationError("'@' names no file: say @ and a file, as @my-game.toml")
    if text.startswith("@"):
        from taflengine.variants.files import load_rules

        return load_rules(text[1:], find_variant)
    if text.startswith("otn:"):
        from taflengine.variants.opentafl import parse_opentafl

        return parse_opentafl(text.removeprefix("otn:"))
    return find_variant(text)


def _form(_session: Session, word: str) -> Form:
    if word not in FORMS:
        raise NotationError(
            f"{quote(word)} is neither a rule set, which variants lists, nor a form: "
            f"{' or '.join(FORMS)}"
        )
    return Form(word)


def command_set() -> CommandSet:
    """An empty table that reads the types above."""
    return CommandSet(
        parsers={
            Side: lambda _session, word: parse_side(word),
            Square: _square,
            Side | Square: _side_or_square,
            WrittenMove: _move,
            Variant: lambda _session, word: parse_variant(word),
            RuleText: lambda _session, text: parse_variant(text),
            Form: _form,
        },
        phrases=(WrittenMove, RuleText),
    )
