"""Text to value and back: sides, squares, moves, positions.

Files are letters from a without a gap, ranks are numbers from 1 at the bottom.
Any case is read; lower case is written.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from taflengine.errors import NotationError
from taflengine.geometry import MAX_SIZE, SIZES
from taflengine.pieces import Piece, Side

FILES = "abcdefghijklmnopqrs"
LETTERS = {Piece.ATTACKER: "a", Piece.DEFENDER: "d", Piece.KING: "k"}
"""The letter of each piece in pictures and positions."""

_SIDES = {
    **dict.fromkeys(("attacker", "attackers", "a", "black", "b"), Side.ATTACKER),
    **dict.fromkeys(("defender", "defenders", "d", "white", "w"), Side.DEFENDER),
}
_EITHER_CASE = {
    **dict.fromkeys("aA", Piece.ATTACKER),
    **dict.fromkeys("dD", Piece.DEFENDER),
    **dict.fromkeys("kK", Piece.KING),
}
_OPENTAFL = {"t": Piece.ATTACKER, "T": Piece.DEFENDER, "k": Piece.KING, "K": Piece.KING}
_QUOTE_LIMIT = 40
"""Longest piece of foreign text that an error repeats, in characters."""


class Move(NamedTuple):
    """One piece's displacement from one square to another, both as ints."""

    origin: int
    target: int


class Board(NamedTuple):
    """Who stands where: ``pieces[square]`` is a piece or None."""

    size: int
    pieces: tuple[Piece | None, ...]

    def squares_of(self, piece: Piece) -> tuple[int, ...]:
        """The squares on which *piece* stands, ascending."""
        return tuple(square for square, found in enumerate(self.pieces) if found is piece)


class WrittenMove(NamedTuple):
    """A move as somebody wrote it.

    ``captures`` is None where no capture was written, else the set of squares
    that the writer says are taken.
    """

    move: Move
    captures: frozenset[int] | None


def quote(text: str, limit: int = _QUOTE_LIMIT) -> str:
    """*text* in quotation marks, printable, cut behind *limit* letters, for use in an error."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in text[:limit])
    return f"'{shown}...'" if len(text) > limit else f"'{shown}'"


def parse_side(text: str) -> Side:
    """Read a side, for instance ``attacker``, ``d`` or ``White``.

    Raises:
        NotationError: *text* is none of the spellings.
    """
    side = _SIDES.get(text.lower())
    if side is None:
        raise NotationError(f"{quote(text)} is no side: say attacker or defender")
    return side


def square_name(square: int, size: int) -> str:
    """The name of *square* on a board of *size*, for instance ``e4``."""
    return f"{FILES[square % size]}{square // size + 1}"


def parse_square(text: str, size: int) -> int:
    """Read the name of a square on a board of *size*.

    Raises:
        NotationError: no such square, or not a square at all.
    """
    found = re.fullmatch(r"([a-zA-Z])([1-9][0-9]?)", text)
    if found is None:
        raise NotationError(f"{quote(text)} is no square: a square is a letter and a number, as e4")
    file, rank = ord(found[1].lower()) - ord("a"), int(found[2]) - 1
    if file >= size or rank >= size:
        last = f"{FILES[size - 1]}{size}"
        raise NotationError(f"{quote(text)} is not on this board, which goes from a1 to {last}")
    return rank * size + file


class _MoveTexts(dict[Move, str]):
    """Moves on one board size as text, written when first asked for."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def __missing__(self, move: Move) -> str:
        text = "-".join([square_name(square, self._size) for square in move])
        self[move] = text
        return text


@cache
def _move_texts(size: int) -> _MoveTexts:
    return _MoveTexts(size)


def format_moves(moves: Iterable[Move], size: int) -> str:
    """Write *moves* as ``e4-e7``, with blanks between."""
    texts = _move_texts(size)
    return " ".join([texts[move] for move in moves])


def format_squares(squares: Iterable[int], size: int) -> str:
    """Write the names of *squares*, sorted by file, then rank, with blanks between."""
    ordered = sorted(squares, key=lambda square: (square % size, square))
    return " ".join([square_name(square, size) for square in ordered])


def format_move(move: Move, size: int) -> str:
    """Write *move* as ``e4-e7``."""
    return _move_texts(size)[move]


@cache
def _move_pattern() -> re.Pattern[str]:
    # Compiling it takes longer than most answers, so it waits for the first move.
    return re.compile(
        r"""K?\s*
            (?P<origin>[a-z][0-9]+) \s*(?:-\s*)? (?P<target>[a-z][0-9]+)
            (?P<captures>(?:\s*x\s*K?[a-z][0-9]+(?:\s*/\s*K?[a-z][0-9]+)*)*)
            \s*(?:\+\+|\+|--|-)?[!?]*""",
        re.IGNORECASE | re.VERBOSE,
    )


def parse_move(text: str, size: int) -> WrittenMove:
    """Read a move: ``e4-e7``, ``e4e7``, ``e4 e7``, ``Ke4-e7xe8xf7+``, any case.

    Captures follow an ``x`` each, or one ``x`` with ``/`` between them; one
    square named twice counts once; a ``K`` before one is skipped. A mark ``+ ++ - --``, then
    ``!`` and ``?``, at the end are skipped.

    Raises:
        NotationError: *text* has another shape, or names a square off the board.
    """
    found = _move_pattern().fullmatch(text.strip()) if text.isascii() else None
    if found is None:
        raise NotationError(f"{quote(text)} is no move: a move is two squares, as e4-e7")
    move = Move(parse_square(found["origin"], size), parse_square(found["target"], size))
    named = re.findall(r"[a-z][0-9]+", found["captures"], re.IGNORECASE)
    taken = frozenset(parse_square(name, size) for name in named)
    return WrittenMove(move, taken or None)


def format_rows(board: Board) -> str:
    """Write *board* as rows from the top rank, ``/`` between, digits for gaps."""
    rows = []
    for rank in reversed(range(board.size)):
        row, gap = "", 0
        for piece in board.pieces[rank * board.size : (rank + 1) * board.size]:
            if piece is None:
                gap += 1
                continue
            row += (str(gap) if gap else "") + LETTERS[piece]
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows)


def parse_rows(text: str) -> Board:
    """Read rows from the top rank; slashes at both ends are allowed.

    Two alphabets are read: ``a d k`` in either case, and OpenTafl's ``t`` for
    attackers, ``T`` for defenders, ``K`` or ``k`` for the king. One position
    uses one of them.

    Raises:
        NotationError: says which row is wrong and why.
    """
    body = text.removeprefix("/").removesuffix("/")
    rows = body.split("/", MAX_SIZE)
    size = len(rows)
    if size not in SIZES:
        count = f"more than {MAX_SIZE} rows" if size > MAX_SIZE else f"{size} row{'s' * (size > 1)}"
        raise NotationError(f"position of {count}: a board has an odd number of rows from 7 to 19")
    alphabet = _OPENTAFL if set(body) & set("tT") else _EITHER_CASE
    ranks = [_parse_row(row, size - index, size, alphabet) for index, row in enumerate(rows)]
    return Board(size, tuple(piece for rank in reversed(ranks) for piece in rank))


def _parse_row(row: str, rank: int, size: int, alphabet: dict[str, Piece]) -> list[Piece | None]:
    squares: list[Piece | None] = []
    for part in re.findall(r"[0-9]+|.", row, re.DOTALL):
        if part.isascii() and part.isdigit():
            gap = int(part[:4])
            if gap == 0 or part.startswith("0"):
                raise NotationError(f"row of rank {rank}: {quote(part)} is no run of empty squares")
            squares.extend([None] * min(gap, size + 1))
        elif part in alphabet:
            squares.append(alphabet[part])
        else:
            allowed = " ".join(alphabet)
            raise NotationError(
                f"row of rank {rank}: {quote(part)} is no piece: allowed are {allowed} and digits"
            )
        if len(squares) > size:
            break
    if len(squares) != size:
        count = f"more than {size}" if len(squares) > size else str(len(squares))
        raise NotationError(f"row of rank {rank} has {count} squares, the board has {size} rows")
    return squares


def format_picture(board: Board) -> str:
    """Draw *board* as rows from the top rank, one letter or dot a square."""
    marks = [LETTERS[piece] if piece else "." for piece in board.pieces]
    size = board.size
    return "\n".join(
        " ".join(marks[rank * size : (rank + 1) * size]) for rank in reversed(range(size))
    )


def parse_picture(text: str) -> Board:
    """Read a drawing as ``format_picture`` makes it; blanks and blank lines do not count.

    Raises:
        NotationError: says which row is wrong and why.
    """
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    drawn = [row.translate(_DOTS) for row in rows]
    return parse_rows("/".join(re.sub(r"1+", lambda run: str(len(run[0])), row) for row in drawn))


_DOTS = str.maketrans({".": "1"})
