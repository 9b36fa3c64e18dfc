"""A rule set as plain words: what JSON, rule files and ``rules NAME`` have in common.

The keys are the fields of ``Variant``, in their order; there is no second list
of them. Every error starts with the key that it is about.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, TypeVar

from taflengine.errors import NotationError, RulesError
from taflengine.notation import format_picture, parse_picture, quote
from taflengine.pieces import Piece
from taflengine.rules import Variant

_Word = TypeVar("_Word", bound=Enum)

_UNSAID = {"summary": "a game of your own", "source": "no source given"}
"""What is taken where somebody's own game does not say it."""
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LARGEST = 1_000_000_000
"""No game lasts so many plies; larger numbers do not fit the counters of the core."""


def to_plain(variant: Variant) -> dict[str, object]:
    """Say *variant* in texts, whole numbers, truth values and lists of them.

    Sets of pieces become lists in the order attacker, defender, king; the board
    becomes the drawing of ``format_picture``, however it was written.
    """
    words = {field.name: _plain(getattr(variant, field.name)) for field in fields(variant)}
    return words | {"board": format_picture(variant.start)}


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, frozenset):
        return [piece.value for piece in Piece if piece in value]
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def from_plain(words: Mapping[str, object]) -> Variant:
    """Read what ``to_plain`` says; keys that are missing take the default.

    Only ``name`` and ``board`` are needed. The answer's ``board`` is drawn as
    ``format_picture`` draws it.

    Raises:
        RulesError: an unknown key, a value of the wrong kind, a word that is not
            allowed, or values that contradict each other.
    """
    kinds = {field.name: field.type for field in fields(Variant)}
    for key in words:
        if key not in kinds:
            raise RulesError(f"{shown_key(key)}: there is no such key{_nearest(key, kinds)}")
    values: dict[str, Any] = dict(_UNSAID)
    values |= {key: _read(key, kinds[key], value) for key, value in words.items()}
    for field in fields(Variant):
        if field.default is MISSING and field.name not in values:
            raise RulesError(f"{field.name}: a rule set needs this key")
    return Variant(**values)


def shown_key(key: str) -> str:
    """*key* as errors write it: printable and shortened."""
    return quote(key)[1:-1]


def _nearest(key: str, keys: Iterable[str]) -> str:
    # difflib is imported here because only a mistake needs it.
    from difflib import get_close_matches

    found = get_close_matches(key[:100], keys, n=1)
    return f", did you mean {found[0]}?" if found else ""


def _read(key: str, kind: Any, value: object) -> object:
    """The value of the field *key*, whose annotation is *kind*."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _word(key, kind, value)
    return _READERS[kind](key, value)


def _refusal(key: str, allowed: str, value: object) -> RulesError:
    """The error for *value*, of which only texts are repeated: the rest may be huge."""
    found = quote(value) if isinstance(value, str) else _KINDS.get(type(value), "another kind")
    return RulesError(f"{key}: allowed are {allowed}, not {found}")


def _word(key: str, kind: type[_Word], value: object) -> _Word:
    for member in kind:
        if member.value == value:
            return member
    *first, last = (member.value for member in kind)
    raise _refusal(key, f"{', '.join(first)} and {last}", value)


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise _refusal(key, "texts", value)
    if key == "board":
        try:
            return format_picture(parse_picture(value))
        except NotationError as error:
            raise RulesError(f"{key}: {error}") from None
    if key in ("name", "aliases"):
        if not _NAME.fullmatch(value):
            raise _refusal(key, "small letters and digits with single dashes between", value)
        return value
    # A source may have several lines. Other texts are shown within a line.
    lines = value.split("\n") if key == "source" else [value]
    if not all(line.isprintable() for line in lines):
        raise _refusal(key, "printable texts", value)
    return value


def _number(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise _refusal(key, f"whole numbers to {_LARGEST}", value)
    return value


def _truth(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _refusal(key, "true and false", value)
    return value


def _pieces(key: str, value: object) -> frozenset[Piece]:
    if not isinstance(value, list | tuple):
        raise _refusal(key, "lists of attacker, defender and king", value)
    return frozenset(_word(key, Piece, part) for part in value)


def _texts(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise _refusal(key, "lists of texts", value)
    return tuple(_text(key, part) for part in value)


def _groups(key: str, value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list | tuple):
        raise _refusal(key, "lists of lists of squares", value)
    return tuple(_texts(key, part) for part in value)


_READERS: dict[object, Callable[[str, object], object]] = {
    str: _text,
    int: _number,
    bool: _truth,
    frozenset[Piece]: _pieces,
    tuple[str, ...]: _texts,
    tuple[tuple[str, ...], ...]: _groups,
}
_KINDS: dict[type, str] = {
    bool: "a truth value",
    int: "such a number",
    float: "a fraction",
    list: "a list",
    tuple: "a list",
    dict: "a table",
    type(None): "nothing",
}
