"""What the rules say to a record: illegal moves, captures and results that differ.

The record is held to its own rules and no other; nothing in it is passed over.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from taflengine.errors import IllegalMoveError, RecordError, Refusal, TaflError
from taflengine.game import Game
from taflengine.notation import format_move
from taflengine.records.record import Entry, Place, Record, Verdict, verdict_of
from taflengine.rules import Outcome, Reason


class Kind(Enum):
    """What sort of thing is wrong with a record."""

    UNREADABLE = "unreadable"
    RULES = "rules"
    ILLEGAL = "illegal"
    OVER = "over"
    CAPTURES = "captures"
    RESULT = "result"


MEANINGS = {
    Kind.UNREADABLE: "the text is no record",
    Kind.RULES: "the rules or the start cannot be played here",
    Kind.ILLEGAL: "a move is illegal",
    Kind.OVER: "the game goes on after its end by the rules",
    Kind.CAPTURES: "the captures written are not the captures made",
    Kind.RESULT: "the result is not that of the rules",
}


class Difference(NamedTuple):
    """A place where the record and the rules disagree."""

    kind: Kind
    place: Place | None
    ply: int
    """The number of the move in its line of play, from 1; 0 is about the game as a whole."""
    move: str
    """The move as ``e4-e7``, empty if it is about the game as a whole."""
    text: str
    """What is wrong, with file, line and column."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say to a record."""

    record: Record
    plies: int
    """How many moves of the main line were played."""
    capturing: int
    """How many of them captured something."""
    outcome: Outcome | None
    """How the game ended by the rules, None if it did not."""
    differences: tuple[Difference, ...]


def judge(record: Record, *, enforce_repetition: bool = True) -> Judgement:
    """Play *record* through, with its variations, and compare.

    Captures are compared as sets, and a captured king's square may be missing. The
    result is compared where the record says one; that a player resigned or lost on
    time is not for the rules to say.

    Args:
        record: Any record.
        enforce_repetition: Whether repeated positions or moves end the game; False
            for games of servers that let them go on.
    """
    try:
        game = record.begin(enforce_repetition=enforce_repetition)
    except TaflError as error:
        text = record.locate(None, str(error))
        return Judgement(record, 0, 0, None, (Difference(Kind.RULES, record.place, 0, "", text),))
    judging = _Judging(record, game)
    whole = judging.line(record.entries)
    capturing = sum(1 for ply in game.plies if ply.captured)
    if whole:
        judging.result()
    return Judgement(record, len(game.plies), capturing, game.outcome, tuple(judging.differences))


class _Judging:
    """A record on its way through the rules."""

    def __init__(self, record: Record, game: Game) -> None:
        self.differences: list[Difference] = []
        self._record = record
        self._game = game
        self._claims = record.claims_captures

    def line(self, entries: tuple[Entry, ...]) -> bool:
        """Play a line of play; whether all of it is legal. What is legal stays played."""
        for entry in entries:
            for variation in entry.variations:
                before = len(self._game.plies)
                self.line(variation)
                if played := len(self._game.plies) - before:
                    self._game.undo(played)
            if entry.move is None:
                continue
            if not self._play(entry):
                return False
        return True

    def _play(self, entry: Entry) -> bool:
        assert entry.move is not None
        try:
            self._game.play(entry.move, entry.captures if self._claims else None)
        except IllegalMoveError as error:
            if error.reason is Refusal.CAPTURES:
                self._add(Kind.CAPTURES, entry, _without_prefix(error))
                self._game.play(entry.move)
                return True
            over = error.reason is Refusal.GAME_OVER
            self._add(Kind.OVER if over else Kind.ILLEGAL, entry, str(error))
            return False
        return True

    def result(self) -> None:
        """Compare how the record says that the game ended."""
        record, outcome = self._record, self._game.outcome
        said = record.verdict
        if outcome and said is not Verdict.UNKNOWN and said is not verdict_of(outcome.winner):
            self._add(Kind.RESULT, None, f"the record says {said.value}, the rules {outcome}")
        elif outcome and record.reason and record.reason is not outcome.reason:
            self._add(
                Kind.RESULT, None, f"the record says {record.reason.value}, the rules {outcome}"
            )
        elif not outcome:
            self._unfinished()

    def _unfinished(self) -> None:
        """Compare what a record says of a game that has no end by the rules."""
        record, game = self._record, self._game
        if record.reason in _ON_BOARD:
            reason = record.reason.value
            self._add(Kind.RESULT, None, f"the record says {reason}, by the rules the game goes on")
        gave_up = record.reason is Reason.TIME or (
            record.entries and record.entries[-1].move is None
        )
        winner = verdict_of(game.side_to_move.other)
        if gave_up and record.verdict not in (winner, Verdict.UNKNOWN):
            side = game.side_to_move.value
            self._add(
                Kind.RESULT, None, f"{side} gave up, and the record says {record.verdict.value}"
            )

    def _add(self, kind: Kind, entry: Entry | None, text: str) -> None:
        place = entry.place if entry else self._record.place
        move = entry.move if entry else None
        shown = format_move(move, self._record.size) if move else ""
        ply = len(self._game.plies) + 1 if entry else 0
        located = self._record.locate(place, text)
        self.differences.append(Difference(kind, place, ply, shown, located))


_ON_BOARD = tuple(Reason)[: tuple(Reason).index(Reason.QUIET_MOVES) + 1]
"""The reasons that follow from the rules alone."""


def _without_prefix(error: IllegalMoveError) -> str:
    return str(error).removeprefix("illegal move: ")


def unreadable(error: RecordError) -> Difference:
    """The difference that stands for a game that could not be read."""
    return Difference(Kind.UNREADABLE, None, 0, "", str(error))
