"""How the text protocol of hnefatafl.org writes squares and roles.

The spelling of a square carries the size of its board: ``d1`` is on 11 x 11, ``D1``
on 13 x 13, ``0d1`` on 7 x 7.
"""

import re

from taflengine.errors import NotationError
from taflengine.notation import parse_square, quote, square_name
from taflengine.pieces import Side

_ROLES = {
    **dict.fromkeys(("attacker", "a"), Side.ATTACKER),
    **dict.fromkeys(("defender", "d"), Side.DEFENDER),
}
_SHAPES = {7: "0[a-g][1-7]", 11: "[a-k][0-9]{1,2}", 13: "[A-M][0-9]{1,2}"}
"""How a square of each size looks."""


def write_vertex(square: int, size: int) -> str:
    """Write *square* as a board of *size*, which is 7, 11 or 13, wants it."""
    name = square_name(square, size)
    return {7: f"0{name}", 13: name.upper()}.get(size, name)


def read_vertex(text: str, size: int) -> int:
    """Read a square of a board of *size*, which is 7, 11 or 13.

    Raises:
        NotationError: *text* is no square, or one of a board of another size.
    """
    if re.fullmatch(_SHAPES[size], text) is None:
        example = write_vertex(3, size)
        raise NotationError(f"invalid vertex: {quote(text)}: on this board it is as {example}")
    return parse_square(text.removeprefix("0"), size)


def read_role(text: str) -> Side:
    """Read a side: ``attacker``, ``a``, ``defender`` or ``d``, in any case.

    Raises:
        NotationError: *text* is none.
    """
    role = _ROLES.get(text.lower())
    if role is None:
        raise NotationError(f"message: Error trying to convert {quote(text)} to a Role!")
    return role
