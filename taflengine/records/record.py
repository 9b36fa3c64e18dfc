"""A game as somebody wrote it down: rules, start, moves with remarks, and how it ended.

A record claims; whether the rules agree is for ``judge`` to say. So a record may
hold illegal moves, wrong captures and rules that this engine cannot play.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from taflengine.errors import RecordError, RulesError
from taflengine.game import Game
from taflengine.geometry import MAX_SIZE
from taflengine.notation import Board, Move, parse_move
from taflengine.pieces import Piece, Side
from taflengine.rules import Reason, Variant
from taflengine.variants.opentafl import parse_opentafl

MAX_DEPTH = 100
"""How deep variations may lie in each other."""

RESERVED = frozenset(
    {"result", "rules", "position", "start-comment", "to-move", "taflengine-rules"}
)
"""The tags for which ``Record`` has fields of their own."""
_KEY = re.compile(r"[^\[\]:|\s&]+")


class Verdict(Enum):
    """How a record says that the game ended."""

    ATTACKER = "attacker"
    DEFENDER = "defender"
    DRAW = "draw"
    ONGOING = "ongoing"
    UNKNOWN = "unknown"


_ENDINGS = {reason.value for reason in Reason} | {Verdict.ONGOING.value}
"""What the tag ``termination`` says of a game in words of this engine."""


class Place(NamedTuple):
    """Where in a file something stands, both counted from 1, columns in characters."""

    line: int
    column: int


class ClockReading(NamedTuple):
    """A reading of the clock of the side that has just moved, in whole seconds."""

    main: int
    period: int
    """Length of an overtime period."""
    periods: int
    """Overtime periods that are left."""
    increment: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One ply of a record, or the words that a side resigns."""

    move: Move | None
    """None: the side to move resigns here."""
    captures: frozenset[int] = frozenset()
    """The squares that the record says are captured; empty also where it says nothing."""
    king: bool = False
    """Whether the record marks the piece as the king."""
    mark: str = ""
    """What stands behind the move: ``+``, ``++``, ``-`` or ``--``, then ``!`` and ``?``."""
    comment: str = ""
    clock: ClockReading | None = None
    variations: tuple[tuple["Entry", ...], ...] = ()
    """Lines of play, each of which could stand in place of this move and what follows it."""
    place: Place | None = field(default=None, compare=False, repr=False)
    """Where it was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as somebody wrote it down.

    Raises:
        RecordError: the fields contradict each other.
    """

    variant: Variant | None
    """The rules; None if ``otn`` says rules that this engine cannot play."""
    otn: str = ""
    """The OpenTafl rules string of the record; empty if ``variant`` says it all."""
    start: Board | None = None
    """Who stands where at the beginning, if not as the rules say."""
    first: Side | None = None
    """Who moves first, if not who the rules say."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What else is known of the game, in order: ``event``, ``date``, ``puzzle-mode``..."""
    verdict: Verdict = Verdict.UNKNOWN
    reason: Reason | None = None
    """Why the game ended, if the record says it in a word of this engine."""
    comment: str = ""
    """A remark that comes before the first move."""
    entries: tuple[Entry, ...] = ()
    source: str = field(default="", compare=False)
    """Where it was read, usually the name of a file."""
    place: Place | None = field(default=None, compare=False, repr=False)
    """Where in ``source`` it begins."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tags", MappingProxyType(dict(self.tags)))
        if self.otn and self.variant != playable(self.otn):
            raise RecordError("rules: the rule set is not the one that the rules string says")
        if self.variant is None and said_size(self.otn) is None:
            raise RecordError("rules: a record needs a rule set, or a rules string with dim:SIZE")
        for key in self.tags:
            if key in RESERVED:
                raise RecordError(f"tag {key}: a field of its own says this")
            if _KEY.fullmatch(key) is None:
                raise RecordError(f"tag {key!r}: a name has no blank and none of [ ] : | &")
        ended = self.tags.get("termination")
        if ended is not None and (self.reason or ended in _ENDINGS):
            raise RecordError("tag termination: verdict and reason say this")
        if self.reason and self.verdict is Verdict.ONGOING:
            raise RecordError("a game that goes on has no reason to have ended")
        if not self.otn and "variant" in self.tags:
            raise RecordError("tag variant: the rule set says this")
        size = self.size
        if self.start and self.start.size != size:
            raise RecordError(f"position of {self.start.size} rows: the rules say {size}")

    @property
    def size(self) -> int:
        """Squares on a side of the board."""
        if self.variant:
            return self.variant.size
        size = said_size(self.otn)
        assert size, "held by __post_init__"
        return size

    @property
    def where(self) -> str:
        """Source and line, for people; empty for a record that was not read."""
        return located(self.source, self.place)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the main line."""
        return tuple(entry.move for entry in self.entries if entry.move)

    def begin(self, *, enforce_repetition: bool = True) -> Game:
        """The game before its first move.

        Raises:
            RulesError: rules that this engine cannot play.
            NotationError: a position that the rules cannot have.
        """
        if self.variant is None:
            parse_opentafl(self.otn)
            raise RulesError("these rules cannot be played here")
        return Game(self.variant, self.start, self.first, enforce_repetition=enforce_repetition)

    def game(self, plies: int | None = None, *, enforce_repetition: bool = True) -> Game:
        """The game after *plies* moves, by default after all.

        Raises:
            RecordError: a move that the rules refuse, or captures that they do not
                make; it names the place.
            RulesError, NotationError: as ``begin``.
        """
        game = self.begin(enforce_repetition=enforce_repetition)
        claims = self.claims_captures
        for entry in self.entries[:plies]:
            if entry.move:
                try:
                    game.play(entry.move, entry.captures if claims else None)
                except ValueError as error:
                    raise RecordError(self.locate(entry.place, str(error))) from None
        return game

    @property
    def claims_captures(self) -> bool:
        """Whether the record says what is captured, so that a move without captures has none."""
        return "attackers-taken" in self.tags or any(entry.captures for entry in walk(self.entries))

    def locate(self, place: Place | None, text: str) -> str:
        """*text* behind the place that it is about."""
        where = located(self.source, place or self.place)
        return f"{where}: {text}" if where else text


def said_size(otn: str) -> int | None:
    """The size of the board that a rules string says, playable here or not."""
    found = re.search(r"(?:^|\s)dim:([1-9][0-9]?)(?:\s|$)", otn)
    size = int(found[1]) if found else 0
    return size if 0 < size <= MAX_SIZE else None


@lru_cache(maxsize=64)
def playable(otn: str) -> Variant | None:
    """The rule set that a rules string says, None if this engine cannot play it."""
    try:
        return parse_opentafl(otn)
    except RulesError:
        return None


def located(source: str, place: Place | None) -> str:
    """A place in words, for instance ``games.otg, line 3, column 7``."""
    if place is None:
        return source
    return f"{source}{', ' * bool(source)}line {place.line}, column {place.column}"


def walk(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    """Every entry of a line of play and of its variations, in the order of the file."""
    for entry in entries:
        yield entry
        for line in entry.variations:
            yield from walk(line)


def read_entry(text: str, size: int, place: Place | None = None) -> Entry:
    """Read one move of a record on a board of *size*, or ``---``.

    Raises:
        NotationError: no move, or one off the board.
    """
    if text == "---":
        return Entry(move=None, place=place)
    written = parse_move(text, size)
    mark = re.search(r"(\+\+|\+|--|-)?[!?]*$", text)
    return Entry(
        move=written.move,
        captures=written.captures or frozenset(),
        # A K before a digit is the file k.
        king=re.match(r"[Kk]\s*[A-Za-z]", text) is not None,
        mark=mark[0] if mark else "",
        place=place,
    )


def record_of(game: Game, tags: Mapping[str, str] | None = None) -> Record:
    """*game* as a record, with its outcome and the real captures."""
    variant = game.variant
    king = game.start.squares_of(Piece.KING)[0]
    entries = []
    for ply in game.plies:
        moved = ply.move.origin == king
        entries.append(Entry(move=ply.move, captures=frozenset(ply.captured), king=moved))
        king = ply.move.target if moved else king
    outcome = game.outcome
    return Record(
        variant=variant,
        start=None if game.start == variant.start else game.start,
        first=None if game.first is variant.first else game.first,
        tags=tags or {},
        verdict=verdict_of(outcome.winner) if outcome else Verdict.ONGOING,
        reason=outcome.reason if outcome else None,
        entries=tuple(entries),
    )


def verdict_of(winner: Side | None) -> Verdict:
    """The verdict that says that *winner* has won, or a draw."""
    return Verdict(winner.value) if winner else Verdict.DRAW
