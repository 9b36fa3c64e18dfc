"""Rules strings of OpenTafl, for instance ``dim:7 name:Brandub ks:w start:/3t3/...``.

Two steps each way. ``OpenTaflRules`` is what a string says, whether it can be
played here or not; every well-formed string can be read. Between it and
``Variant`` is refused by name what one of the two cannot say.

A key with nothing after the colon is an empty set; a key that is missing has
the default of OpenTafl's notation. Where OpenTafl plays otherwise than its
string says, the string holds.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from taflengine.errors import NotationError, RulesError
from taflengine.geometry import SIZES, geometry_of
from taflengine.notation import (
    Board,
    format_picture,
    format_rows,
    parse_rows,
    parse_square,
    quote,
    square_name,
)
from taflengine.pieces import ATTACKERS, EVERYBODY, KING_ONLY, MEN, NOBODY, Piece, Side
from taflengine.rules import UNLIMITED, Armed, Calls, Goal, Pieces, Repetition, Variant
from taflengine.variants.plain import to_plain

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
    """The king's strength, a key of ``_STRENGTHS``."""
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
_LETTERS: Mapping[str, Mapping[str, object]] = {
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

_STRENGTHS = {
    "s": (4, 4, 4, False),
    "c": (4, 4, 2, False),
    "w": (2, 2, 2, False),
    "m": (4, 4, 4, True),
}
"""Sides to close on the throne, beside it and elsewhere, and whether the edge closes one."""

_SAME = {
    "esc": "goal",
    "surf": "encirclement",
    "atkf": "first",
    "tfr": "repetition",
    "ka": "king_armed",
    "cenp": "throne_cross",
    "cens": "throne_stop",
    "corh": "corner_hostile",
    "cenh": "throne_hostile_occupied",
    "cenhe": "throne_hostile_empty",
    "efe": "exit_fort",
    "linc": "linnaean",
}
"""The keys that say just what a field of ``Variant`` says."""

_PIECES = {"t": Piece.ATTACKER, "T": Piece.DEFENDER, "K": Piece.KING}
_GROUPS = {Piece.ATTACKER: "tcnk", Piece.DEFENDER: "TCN", Piece.KING: "K"}
"""How lists name each kind: with those of its side that are treated like it."""
_SPECIAL = {
    "c": "a commander",
    "n": "a knight",
    "k": "a king of the attackers",
    "m": "a mercenary",
    "g": "a guard",
}
_SPECIAL |= {letter.upper(): words for letter, words in _SPECIAL.items() if letter != "k"}
_NAME_LIMIT = 60
"""How much of a name is kept, in characters."""
_ALL_LETTERS = "tcnkmgTCNKMG"
_SPEEDS = {1: "t", 2: "tT", 8: "tcnkTCNK", 10: "tcnkmTCNKM", 12: _ALL_LETTERS}
"""For whom the numbers of ``spd`` are, by how many there are. Two are for the sides."""


def parse_opentafl(text: str) -> Variant:
    """Read the rules string *text*.

    The name becomes one that ``newgame`` takes, in small letters.

    Raises:
        RulesError: not a rules string, or rules that this engine cannot play; the
            message names the key.
    """
    rules = read_string(text)
    called = rules.name[:_NAME_LIMIT]
    title = "".join(filter(str.isprintable, called.replace("_", " "))).strip() or "a game"
    return replace(
        in_play(_variant(rules)),
        name=re.sub(r"[^a-z0-9]+", "-", called.lower()).strip("-") or "opentafl",
        summary=f"{title}, as an OpenTafl host says its rules",
        source="an OpenTafl rules string; what it leaves out has the default of that notation",
    )


def format_opentafl(variant: Variant) -> str:
    """Write *variant* as a rules string, which ``parse_opentafl`` reads as the same game.

    Raises:
        RulesError: the language cannot say it; the message names the field.
    """
    wanted = in_play(variant)
    if wanted.camps:
        # Without them the start need not be one: the king may stand on the edge between.
        raise _unsayable("camps", wanted)
    rules = _rules(variant.name, wanted)
    said = in_play(_variant(rules))
    for field in fields(Variant):
        if getattr(said, field.name) != getattr(wanted, field.name):
            raise _unsayable(field.name, wanted)
    return _write(rules)


def _unsayable(key: str, variant: Variant) -> RulesError:
    value = to_plain(variant)[key]
    detail = f"{value}" if isinstance(value, str | int) else "this"
    return RulesError(f"{key}: an OpenTafl rules string cannot say {detail}")


def in_play(variant: Variant) -> Variant:
    """*variant* without what changes nothing in play, to compare two by what they play.

    Names and texts are emptied, calls are none, and a field that others make
    idle takes its default.
    """
    idle: dict[str, Any] = {"calls": Calls.NONE, "board": format_picture(variant.start)}
    idle |= {"name": "", "summary": "", "source": "", "aliases": ()}
    for key in ("attacker_reach", "defender_reach", "king_reach"):
        if getattr(variant, key) == variant.size - 1:
            idle[key] = UNLIMITED
    if not variant.throne:
        elsewhere = variant.king_sides_elsewhere
        idle |= {"king_sides_on_throne": elsewhere, "king_sides_beside_throne": elsewhere}
        idle |= {"throne_stop": KING_ONLY, "throne_cross": EVERYBODY, "linnaean": False}
        idle |= {"throne_hostile_empty": EVERYBODY, "throne_hostile_occupied": NOBODY}
    if not variant.corners:
        idle["corner_hostile"] = MEN
    if not variant.camps:
        idle["camp_hostile"] = NOBODY
    if variant.king_sides_elsewhere == 2:
        # Neither the throne nor a square beside it lies on the edge.
        idle["edge_hostile_to_king"] = False
    if variant.repetition is Repetition.NONE:
        idle |= {"repetition_count": 3, "start_counts": True}
    if variant.start_counts or variant.repetition is Repetition.NONE:
        idle["captures_clear_positions"] = False
    return replace(variant, **idle)


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
            raise _refusal(key, "it is there twice")
        entries[key] = value
    dim = entries.pop("dim", "")
    if dim not in map(str, SIZES):
        raise _refusal("dim", f"allowed are odd sizes from {SIZES[0]} to {SIZES[-1]}")
    values: dict[str, Any] = {"dim": int(dim)}
    for key, value in entries.items():
        try:
            values |= _read_value(key, value, int(dim))
        except NotationError as error:
            raise _refusal(key, str(error)) from None
    if "start" not in values:
        raise _refusal("start", "a rules string needs this key")
    return OpenTaflRules(**values)


def _refusal(key: str, reason: str) -> RulesError:
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
    if key in _LETTERS:
        if value not in _LETTERS[key]:
            raise NotationError(f"allowed are {' '.join(_LETTERS[key])}, not {quote(value)}")
        return {key: _LETTERS[key][value]}
    if not set(value) <= set(_ALL_LETTERS):
        raise NotationError(f"allowed are the letters {_ALL_LETTERS}, not {quote(value)}")
    return {key: frozenset(piece for letter, piece in _PIECES.items() if letter in value)}


def _read_start(body: str, top_first: bool, size: int) -> dict[str, object]:
    if not set(body) <= {*_ALL_LETTERS, *"/0123456789"}:
        raise NotationError(f"allowed are the letters {_ALL_LETTERS}, digits and slashes")
    special = frozenset(body) & frozenset(_SPECIAL)
    men = str.maketrans({letter: "t" if letter.islower() else "T" for letter in special})
    rows = body.translate(men).split("/")
    board = parse_rows("/".join(rows if top_first else reversed(rows)))
    if board.size != size:
        raise NotationError(f"the position has {board.size} rows, dim says {size}")
    return {"start": board, "special": special}


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


def _variant(rules: OpenTaflRules) -> Variant:
    """What *rules* are in the vocabulary of this engine, without name and texts.

    Raises:
        RulesError: this engine does not play them.
    """
    geometry, esc, cens, cenp = geometry_of(rules.dim), rules.esc, rules.cens, rules.cenp
    widths = {geometry.corner_squares(width): width for width in (0, 1, 2)}
    corners = 1 if rules.cor is None else widths.get(rules.cor)
    throne = rules.cen != frozenset()
    special = next((_SPECIAL[letter] for letter in _SPECIAL if letter in rules.special), "")
    thrones: tuple[object, ...] = (None, frozenset(), {geometry.centre})
    refusals = (
        ("start", special, f"{special} stands on the board, here are only men and one king"),
        ("ber", rules.ber != "n", "a piece moves once in a turn here"),
        ("kj", rules.kj != "n", "the king does not jump here"),
        ("spd", 0 in rules.spd, "every piece may go one square or more here"),
        ("swf", rules.sw != "n" and not rules.swf, "only a move to an end takes a row here"),
        ("sw", rules.sw == "w" and corners, "a marked corner closes an end of a row here"),
        # Fortresses are one group, crossed by whom the string names; camps are closed
        # to others, and each group is for itself.
        ("afor", rules.afor, "fortresses are other than the camps of this engine"),
        ("dfor", rules.dfor, "the defenders have no fortresses here"),
        ("cen", rules.cen not in thrones, "here the throne is the centre, or there is none"),
        # Whether one who may not come back may still cross, strings do not say.
        ("cenre", throne and not cens | cenp <= rules.cenre, "say this by cens and cenp"),
        ("cor", corners is None, "one or four squares in each corner are marked here, or none"),
        ("cor", corners and esc is Goal.EDGE, "no corner is marked where the edge wins: say cor:"),
        ("cors", corners and rules.cors != KING_ONLY, "the king alone stops on a corner here"),
        ("corre", corners and Piece.KING not in rules.corre, "the king may enter a corner here"),
        # A single corner has nothing behind it.
        ("corp", corners == 2 and rules.corp != KING_ONLY, "the king alone crosses corners here"),
    )
    for key, unplayable, reason in refusals:
        if unplayable:
            raise _refusal(key, reason)
    on_throne, beside, elsewhere, edge = _STRENGTHS[rules.ks]
    reaches = [UNLIMITED if not 0 < speed < rules.dim else speed for speed in rules.spd]
    same: dict[str, Any] = {field: getattr(rules, key) for key, field in _SAME.items()}
    # On the edge a king who wins there needs no fort.
    same["exit_fort"] = rules.efe and esc is Goal.CORNER
    try:
        return Variant(
            name="",
            summary="",
            source="",
            board=format_picture(rules.start),
            attacker_reach=reaches[0],
            defender_reach=reaches[1],
            king_reach=reaches[2],
            throne=throne,
            corners=corners or 0,
            edge_hostile_to_king=edge,
            king_sides_on_throne=on_throne,
            king_sides_beside_throne=beside,
            king_sides_elsewhere=elsewhere,
            shieldwall=rules.sw != "n",
            **same,
        )
    except RulesError as error:
        raise RulesError(f"OpenTafl rules, {error}") from None


def _rules(name: str, variant: Variant) -> OpenTaflRules:
    """The nearest that can be said of *variant*, in which what is idle has its default."""
    sides = (
        variant.king_sides_on_throne,
        variant.king_sides_beside_throne,
        variant.king_sides_elsewhere,
        variant.edge_hostile_to_king,
    )
    reaches = (variant.attacker_reach, variant.defender_reach, variant.king_reach)
    speeds = [reach or -1 for reach in reaches]
    same: dict[str, Any] = {key: getattr(variant, field) for key, field in _SAME.items()}
    if same["tfr"] not in _LETTERS["tfr"].values():
        del same["tfr"]
    if not variant.throne:
        del same["cenh"]
    if not variant.corners:
        del same["corh"]
    return OpenTaflRules(
        dim=variant.size,
        name=re.sub(r"[^A-Za-z0-9]+", "_", name),
        ks=next((letter for letter, said in _STRENGTHS.items() if said == sides), "s"),
        cor=None if variant.corners == 1 else variant.corner_squares,
        cen=None if variant.throne else frozenset(),
        spd=(speeds[0], speeds[1], speeds[2]),
        sw="s" if variant.shieldwall else "n",
        start=variant.start,
        **same,
    )


def _write(rules: OpenTaflRules) -> str:
    """Write *rules* as OpenTafl does: size first, start last, what is default left out."""
    return " ".join(
        f"{field.name}:{_said(field.name, getattr(rules, field.name), rules.dim)}"
        for field in fields(OpenTaflRules)
        # OpenTafl says who begins in any case.
        if field.name in ("name", "atkf") or getattr(rules, field.name) != field.default
    )


def _said(key: str, value: Any, size: int) -> str:
    if key in _LETTERS:
        return next(letter for letter, meaning in _LETTERS[key].items() if meaning == value)
    if key in _SQUARES:
        ordered = (square for square in geometry_of(size).by_file if square in value)
        return "".join(f"{square_name(square, size)}," for square in ordered)
    if key == "spd":
        attacker, defender, king = value
        # Twelve numbers: of two OpenTafl itself makes no limit at all.
        return f"{attacker}," * 6 + f"{defender}," * 3 + f"{king}," + f"{defender}," * 2
    if key == "start":
        rows = format_rows(value).translate(str.maketrans("adk", "tTK")).split("/")
        return f"/{'/'.join(reversed(rows))}/"
    if isinstance(value, frozenset):
        return "".join(letters for piece, letters in _GROUPS.items() if piece in value)
    return str(value)
