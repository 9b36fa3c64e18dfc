"""A finished game of a match: what one line of the journal says.

A journal is a file of JSON lines, ``FinishedGame`` by ``FinishedGame`` in the order in
which they ended. Whatever is said about a match can be worked out from it.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from taflengine.errors import JournalError
from taflengine.notation import quote
from taflengine.pieces import Side

SCHEMA = 1
"""Raised when a line of a journal can no longer be read as before. Keys may be added without."""

_Value = TypeVar("_Value")


class Ending(Enum):
    """How a game of a match has ended. The first eight are decided by the rules of the game."""

    KING_CAPTURED = "king-captured"
    ENCIRCLEMENT = "encirclement"
    CORNER = "corner"
    EDGE = "edge"
    EXIT_FORT = "exit-fort"
    NO_MOVES = "no-moves"
    REPETITION = "repetition"
    QUIET_MOVES = "quiet-moves"
    RESIGNATION = "resignation"
    MAX_MOVES = "max-moves"
    """So many plies were played as the match allows: a draw."""
    DRAW_BY_SCORE = "draw-by-score"
    """Both engines held the game even for long enough."""
    WIN_BY_SCORE = "win-by-score"
    """The engines held the game lost for one of them for long enough."""
    TIME = "time"
    """A move, complete, came after the time of its side."""
    ILLEGAL_MOVE = "illegal-move"
    START_FAILURE = "start-failure"
    """An engine could not be started, or did not get ready for the game."""
    CRASH = "crash"
    """An engine ended, or closed its output, in the middle of the game."""
    STALL = "stall"
    """An engine gave no answer until long after its time."""
    PROTOCOL_ERROR = "protocol-error"
    """An engine's answer was none that its protocol knows, or it refused a legal command."""

    @property
    def is_failure(self) -> bool:
        """Whether an engine broke down or broke the protocol, rather than lost."""
        return self in _FAILURES


_FAILURES = frozenset(
    {
        Ending.ILLEGAL_MOVE,
        Ending.START_FAILURE,
        Ending.CRASH,
        Ending.STALL,
        Ending.PROTOCOL_ERROR,
    }
)


class Thought(NamedTuple):
    """What is known of one move of an engine."""

    seconds: float
    """From the question, fully sent, to the first byte of the answer."""
    score: int | None = None
    """What the engine thinks of the position, for itself, an attacker being about 100."""
    depth: int | None = None
    """Plies it says it looked ahead."""
    nodes: int | None = None
    """Positions it says it visited."""


@dataclass(frozen=True, kw_only=True)
class Player:
    """One engine in one game."""

    name: str
    """The name of the engine in this match."""
    version: str = ""
    """What the engine calls itself."""
    command: str = ""
    """How it was started."""
    captures: int = 0
    """Pieces of the opponent that it captured, the king included."""
    seconds: float = 0.0
    """Time it used for all its moves."""
    overshoot: float = 0.0
    """The most seconds by which a move came after its time; 0 if none did."""


@dataclass(frozen=True, kw_only=True)
class FinishedGame:
    """One game of a match. ``to_json`` and ``from_json`` are each other's inverse."""

    number: int
    """From 1. Opening, seed and sides depend on the match's seed and this alone."""
    pair: int
    """From 1. The two games of a pair have the same opening and engines, sides swapped."""
    round: int = 1
    """From 1: how often these two engines were given an opening."""
    variant: str
    """The rule set, as ``newgame`` takes it."""
    attacker: Player
    defender: Player
    opening: str = ""
    """What the opening is called."""
    opening_plies: int = 0
    """So many of the moves are the opening's; the engines chose the others."""
    start: str = ""
    """Rows and side to move where the game began elsewhere than at the rule set's start."""
    seed: int = 0
    """What the engines were given to begin their sequences of chances with."""
    moves: tuple[str, ...]
    """All moves, those of the opening too, as ``e4-e7``."""
    winner: Side | None
    """None for a draw."""
    ending: Ending
    detail: str = ""
    """The ending in words, for instance ``B loses on time (12 ms over)``."""
    culprit: Side | None = None
    """Whose engine failed or came too late."""
    last_words: str = ""
    """The last lines of the failing engine on standard error."""
    events: tuple[str, ...] = ()
    """What was odd though it changed no result, for instance another hash of a position."""
    thoughts: tuple[Thought | None, ...] = ()
    """One for each of the moves; None for the opening's."""
    started: str = ""
    ended: str = ""
    """Both as ISO 8601, in UTC."""

    @property
    def plies(self) -> int:
        """How many moves were played, the opening's included."""
        return len(self.moves)

    def player(self, side: Side) -> Player:
        """Who played *side*."""
        return self.attacker if side is Side.ATTACKER else self.defender

    def side_of(self, name: str) -> Side:
        """The side that the engine called *name* had; attackers if it played itself.

        Raises:
            ValueError: it did not play.
        """
        for side in Side:
            if self.player(side).name == name:
                return side
        raise ValueError(f"{name} did not play game {self.number}")

    def to_json(self) -> str:
        """One line of JSON, without its newline."""
        plain: dict[str, object] = {
            "schema": SCHEMA,
            "number": self.number,
            "pair": self.pair,
            "round": self.round,
            "variant": self.variant,
            "attacker": vars(self.attacker),
            "defender": vars(self.defender),
            "opening": self.opening,
            "opening_plies": self.opening_plies,
            "start": self.start,
            "seed": self.seed,
            "winner": self.winner and self.winner.value,
            "ending": self.ending.value,
            "detail": self.detail,
            "culprit": self.culprit and self.culprit.value,
            "last_words": self.last_words,
            "events": self.events,
            "plies": self.plies,
            "moves": " ".join(self.moves),
            "thoughts": self.thoughts,
            "started": self.started,
            "ended": self.ended,
        }
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @staticmethod
    def from_json(line: str) -> "FinishedGame":
        """The game that *line* tells of. Keys that are not known are skipped.

        Raises:
            JournalError: says what is wrong with *line*.
        """
        try:
            plain = json.loads(line)
        except ValueError as error:
            raise JournalError(f"no JSON: {error}") from None
        if not isinstance(plain, dict):
            raise JournalError("no game: a JSON object is needed")
        if plain.get("schema") != SCHEMA:
            raise JournalError(f"schema {plain.get('schema')!r}: this version reads {SCHEMA}")
        return FinishedGame(
            number=_get(plain, "number", int),
            pair=_get(plain, "pair", int),
            round=_get(plain, "round", int, 1),
            variant=_get(plain, "variant", str),
            attacker=_player(plain, "attacker"),
            defender=_player(plain, "defender"),
            opening=_get(plain, "opening", str, ""),
            opening_plies=_get(plain, "opening_plies", int, 0),
            start=_get(plain, "start", str, ""),
            seed=_get(plain, "seed", int, 0),
            moves=tuple(_get(plain, "moves", str).split()),
            winner=_read(plain, "winner", lambda word: word and Side(word)),
            ending=_read(plain, "ending", Ending),
            detail=_get(plain, "detail", str, ""),
            culprit=_read(plain, "culprit", lambda word: word and Side(word), None),
            last_words=_get(plain, "last_words", str, ""),
            events=_read(plain, "events", lambda lines: tuple(map(str, lines)), ()),
            thoughts=_read(plain, "thoughts", lambda rows: tuple(map(_thought, rows)), ()),
            started=_get(plain, "started", str, ""),
            ended=_get(plain, "ended", str, ""),
        )


def read_journal(path: Path) -> list[FinishedGame]:
    """The games of the journal at *path*, in the order in which they ended.

    A last line without a newline was being written when its writer was killed; it is
    no game.

    Raises:
        JournalError: a whole line is no game, or a game is there twice; the message
            has file and line.
        OSError: the file cannot be read.
    """
    *lines, _torn = path.read_bytes().split(b"\n")
    games: list[FinishedGame] = []
    seen: set[int] = set()
    for number, line in enumerate(lines, start=1):
        try:
            game = FinishedGame.from_json(line.decode())
        except UnicodeDecodeError:
            raise JournalError(f"{path}, line {number}: not UTF-8") from None
        except JournalError as error:
            raise JournalError(f"{path}, line {number}: {error}") from None
        if game.number in seen:
            raise JournalError(f"{path}, line {number}: game {game.number} is there a second time")
        seen.add(game.number)
        games.append(game)
    return games


_REQUIRED: Any = object()


def _read(
    plain: Mapping[str, object],
    key: str,
    read: Callable[[Any], _Value],
    default: _Value = _REQUIRED,
) -> _Value:
    """What *read* makes of the value of *key*."""
    if key not in plain:
        if default is _REQUIRED:
            raise JournalError(f"no key {quote(key)}")
        return default
    try:
        return read(plain[key])
    except (ValueError, TypeError):
        raise JournalError(f"{key}: {quote(str(plain[key]))} is not allowed") from None


def _get(
    plain: Mapping[str, object], key: str, kind: type[_Value], default: _Value = _REQUIRED
) -> _Value:
    """The value of *key*, which must be a *kind*."""

    def check(value: object) -> _Value:
        if isinstance(value, bool) or not isinstance(value, kind):
            raise TypeError
        return value

    return _read(plain, key, check, default)


def _seconds(plain: Mapping[str, object], key: str) -> float:
    return _read(plain, key, float, 0.0)


def _player(plain: Mapping[str, object], key: str) -> Player:
    found = _get(plain, key, dict)
    return Player(
        name=_get(found, "name", str),
        version=_get(found, "version", str, ""),
        command=_get(found, "command", str, ""),
        captures=_get(found, "captures", int, 0),
        seconds=_seconds(found, "seconds"),
        overshoot=_seconds(found, "overshoot"),
    )


def _thought(row: Any) -> Thought | None:
    return None if row is None else Thought(*row)
