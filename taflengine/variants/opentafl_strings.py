"""The language of OpenTafl's rules strings: ``dim:7 name:Brandub ks:w start:/3t3/...``.

``OpenTaflRules`` is what a string says, whether it can be played here or not;
every well-formed string can be read. A key with nothing after the colon is an
empty set; a key that is missing has the default of OpenTafl's notation.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from taflengine.errors import NotationError, RulesError
from taflengine.geometry import SIZES, geometry_of
from taflengine.notation import Board, format_rows, parse_rows, parse_square, quote, square_name
from taflengine.pieces import ATTACKERS, EVERYBODY, KING_ONLY, Piece, Side
from taflengine.rules import Armed, Goal, Pieces, Repetition

_DEFENDING = frozenset({Piece.DEFENDER, Piece.KING})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTaflRules:
    """What a rules string says, key by key, in the order in which OpenTafl writes them.

    Lists of pieces hold only the kinds that this engine has: what is said about
    commanders has no meaning where none stands on the board.
    """

    dim: int
    name: str = ""
    esc: Goal = Goal.CORNER
    surf: bool = True
    """Whether attackers who surround all defenders win."""
    atkf: Side = Side.ATTACKER
    tfr: Repetition = Repetition.DRAW
    ka: Armed = Armed.BOTH
    ks: str = "s"
    """The king's strength, a letter that ``LETTERS`` lists."""
    kj: str = "n"
    nj: str = "c"
    cj: str = "j"
    mj: str = "n"
    gj: str = "n"
    """Jumps of king, knights, commanders, mercenaries and guards: n none."""
    cor: frozenset[int] | None = None
    """The corner squares; None is one in each corner."""
    cen: frozenset[int] | None = None
    """The squares of the throne; None is the centre."""
    afor: frozenset[int] = frozenset()
    dfor: frozenset[int] = frozenset()
    """Squares of fortresses, of the attackers and of the defenders."""
    spd: tuple[int, int, int] = (-1, -1, -1)
    """Squares that attacker, defender and king may go; -1 is any number."""
    corp: Pieces = KING_ONLY
    cenp: Pieces = EVERYBODY
    aforp: Pieces = EVERYBODY
    dforp: Pieces = _DEFENDING
    """Who may cross."""
    cors: Pieces = KING_ONLY
    cens: Pieces = KING_ONLY
    afors: Pieces = EVERYBODY
    dfors: Pieces = _DEFENDING
    """Who may stop."""
    corh: Pieces = EVERYBODY
    cenh: Pieces = ATTACKERS
    """To whom the throne is hostile while a piece stands on it."""
    cenhe: Pieces = EVERYBODY
    """To whom it is hostile while empty."""
    aforh: Pieces = _DEFENDING
    dforh: Pieces = ATTACKERS
    corre: Pieces = EVERYBODY
    cenre: Pieces = EVERYBODY
    aforre: Pieces = EVERYBODY
    dforre: Pieces = EVERYBODY
    """Who may come back after leaving."""
    sw: str = "n"
    """Shieldwalls: n none, w corners close none, s corners close one end."""
    swf: bool = True
    """Whether only a move to an end of the row takes it."""
    efe: bool = False
    linc: bool = False
    ber: str = "n"
    """Further moves after a capture: n none."""
    start: Board
    special: frozenset[str] = frozenset()
    """Letters of the pieces on the board that are neither men nor king; men stand for them."""


_TRUTH: Mapping[str, object] = {"y": True, "n": False}
_JUMPS: Mapping[str, object] = {letter: letter for letter in "nrjc"}
LETTERS: Mapping[str, Mapping[str, object]] = {
    **dict.fromkeys(("surf", "swf", "efe", "linc"), _TRUTH),
    **dict.fromkeys(("kj", "nj", "cj", "mj", "gj"), _JUMPS),
    "esc": {"c": Goal.CORNER, "e": Goal.EDGE},
    "atkf": {"y": Side.ATTACKER, "n": Side.DEFENDER},
    # OpenTafl looks at the side to move after the repetition: w, that side wins.
    "tfr": {
        "i": Repetition.NONE,
        "d": Repetition.DRAW,
        "w": Repetition.LOSS_MOVER,
        "l": Repetition.WIN_MOVER,
    },
    "ka": {"y": Armed.BOTH, "h": Armed.HAMMER, "a": Armed.ANVIL, "n": Armed.NEITHER},
    # y and n are what strings said before there were four strengths.
    "ks": {"s": "s", "w": "w", "c": "c", "m": "m", "y": "s", "n": "w"},
    "sw": {letter: letter for letter in "nws"},
    "ber": {letter: letter for letter in "ncm"},
}
"""The keys whose value is a letter, and what each letter means."""
_SQUARES = ("cor", "cen", "afor", "dfor")
_KEYS = {field.name for field in fields(OpenTaflRules)} - {"special"} | {"starti"}

_PIECES = {"t": Piece.ATTACKER, "T": Piece.DEFENDER, "K": Piece.KING}
_GROUPS = {Piece.ATTACKER: "tcnk", Piece.DEFENDER: "TCN", Piece.KING: "K"}
"""How lists name each kind: with those of its side that are treated like it."""
SPECIAL = {
    "c": "a commander",
    "n": "a knight",
    "k": "a king of the attackers",
    "m": "a mercenary",
    "g": "a guard",
}
SPECIAL |= {letter.upper(): words for letter, words in SPECIAL.items() if letter != "k"}
_ALL_LETTERS = "tcnkmgTCNKMG"
_OPENTAFL = str.maketrans("adk", "tTK")
"""From the letters of this engine to those of OpenTafl."""
_SPEEDS = {1: "t", 2: "tT", 8: "tcnkTCNK", 10: "tcnkmTCNKM", 12: _ALL_LETTERS}
"""For whom the numbers of ``spd`` are, by how many there are. Two are for the sides."""


def read_string(text: str) -> OpenTaflRules:
    """Read *text*, entries ``key:value`` with blanks between, in any order.

    Raises:
        RulesError: an entry of another shape, a key that is unknown, missing or
            there twice, or a value that its key does not take.
    """
    entries: dict[str, str] = {}
    for entry in text.split():
        key, colon, value = entry.partition(":")
        if not colon:
            raise RulesError(f"OpenTafl rules: {quote(entry)} is no entry, those are key:value")
        if key not in _KEYS:
            raise RulesError(f"OpenTafl rules: {quote(key)} is no known key")
        if key in entries or {key, *entries} >= {"start", "starti"}:
            raise refusal(key, "it is there twice")
        entries[key] = value
    dim = entries.pop("dim", "")
    if dim not in map(str, SIZES):
        raise refusal("dim", f"allowed are odd sizes from {SIZES[0]} to {SIZES[-1]}")
    values: dict[str, Any] = {"dim": int(dim)}
    for key, value in entries.items():
        try:
            values |= _read_value(key, value, int(dim))
        except NotationError as error:
            raise refusal(key, str(error)) from None
    if "start" not in values:
        raise refusal("start", "a rules string needs this key")
    return OpenTaflRules(**values)


def refusal(key: str, reason: str) -> RulesError:
    """The error that says why the entry *key* of a string is refused."""
    return RulesError(f"OpenTafl rules, {key}: {reason}")


def _read_value(key: str, value: str, size: int) -> dict[str, object]:
    """The field that the entry sets; the start sets two.

    Raises:
        NotationError: *key* does not take *value*.
    """
    if key == "name":
        return {key: value}
    if key in ("start", "starti"):
        return _read_start(value.removeprefix("/").removesuffix("/"), key == "starti", size)
    if key == "spd":
        return {key: _read_speeds(value)}
    if key in _SQUARES:
        names = [name for name in value.split(",") if name]
        return {key: frozenset(parse_square(name, size) for name in names)}
    if key in LETTERS:
        if value not in LETTERS[key]:
            raise NotationError(f"allowed are {' '.join(LETTERS[key])}, not {quote(value)}")
        return {key: LETTERS[key][value]}
    if not set(value) <= set(_ALL_LETTERS):
        raise NotationError(f"allowed are the letters {_ALL_LETTERS}, not {quote(value)}")
    return {key: frozenset(piece for letter, piece in _PIECES.items() if letter in value)}


def _read_start(body: str, top_first: bool, size: int) -> dict[str, object]:
    if not set(body) <= {*_ALL_LETTERS, *"/0123456789"}:
        raise NotationError(f"allowed are the letters {_ALL_LETTERS}, digits and slashes")
    special = frozenset(body) & frozenset(SPECIAL)
    men = str.maketrans({letter: "t" if letter.islower() else "T" for letter in special})
    rows = body.translate(men)
    board = parse_rows(rows if top_first else _turned(rows))
    if board.size != size:
        raise NotationError(f"the position has {board.size} rows, dim says {size}")
    return {"start": board, "special": special}


def _turned(rows: str) -> str:
    """The same rows from the other end."""
    return "/".join(reversed(rows.split("/")))


def parse_position(text: str) -> Board:
    """Read a position record of OpenTafl, whose first row is rank 1: ``/3t3/.../``.

    Raises:
        NotationError: says which row is wrong and why.
    """
    return parse_rows(_turned(text.removeprefix("/").removesuffix("/")))


def format_position(board: Board) -> str:
    """Write *board* as a position record of OpenTafl, whose first row is rank 1."""
    return f"/{_turned(format_rows(board).translate(_OPENTAFL))}/"


def _read_speeds(value: str) -> tuple[int, ...]:
    numbers = value.removesuffix(",").split(",")
    letters = _SPEEDS.get(len(numbers), "")
    if not letters or not all(re.fullmatch(r"-1|[0-9]{1,2}", number) for number in numbers):
        raise NotationError(
            f"allowed are 1, 2, 8, 10 or 12 numbers from -1 to 99, not {quote(value)}"
        )
    speeds = dict(zip(letters, map(int, numbers), strict=True))
    attacker = speeds["t"]
    defender = speeds.get("T", attacker)
    return attacker, defender, speeds.get("K", defender)


def write_string(rules: OpenTaflRules) -> str:
    """Write *rules* as OpenTafl does: size first, start last, what is default left out."""
    return " ".join(
        f"{field.name}:{_said(field.name, getattr(rules, field.name), rules.dim)}"
        for field in fields(OpenTaflRules)
        # OpenTafl says who begins in any case.
        if field.name in ("name", "atkf") or getattr(rules, field.name) != field.default
    )


def _said(key: str, value: Any, size: int) -> str:
    if key in LETTERS:
        return next(letter for letter, meaning in LETTERS[key].items() if meaning == value)
    if key in _SQUARES:
        ordered = (square for square in geometry_of(size).by_file if square in value)
        return "".join(f"{square_name(square, size)}," for square in ordered)
    if key == "spd":
        attacker, defender, king = value
        # Twelve numbers: of two OpenTafl itself makes no limit at all.
        return f"{attacker}," * 6 + f"{defender}," * 3 + f"{king}," + f"{defender}," * 2
    if key == "start":
        return format_position(value)
    if isinstance(value, frozenset):
        return "".join(letters for piece, letters in _GROUPS.items() if piece in value)
    return str(value)
