"""The error tree.

TaflError
  NotationError     text that names no square, move, side, position or rule set
  RulesError        a rule set that contradicts itself or that cannot be played here
  IllegalMoveError  a well-formed move that the rules refuse; has .reason
  GameOverError     a move after the end of the game
  CoreFormError     (ImportError) the core cannot run in the form that was asked for
  CommandError      a protocol request that no command can serve
  RecordError       a game record that cannot be read, written or said in a format
  ResourceError     the machine has no room for what was asked for
  NetworkError      an address that is none, or that nobody answers at
  JournalError      a journal of a match that cannot be read or continued
  EngineError       another program, an engine in a match, misbehaved
    EngineStalledError  it did not answer, or did not read, in time
    EngineExitedError   it could not be started, has ended, or has closed its output
    BadReplyError       it answered what its protocol does not allow

Each message names the thing and the place and can be shown to a person as it
is. Whoever shows it prefixes nothing but its own framing.
"""

from enum import Enum


class TaflError(Exception):
    """Base of every error that this package raises on purpose."""


class NotationError(TaflError, ValueError):
    """Text that names no square, move, side, position or rule set."""


class RulesError(TaflError, ValueError):
    """A rule set that contradicts itself, or that this engine cannot play."""


class Refusal(Enum):
    """Why the rules refuse a move; the value is the phrase shown to people."""

    EMPTY = "there is no piece on the square"
    OPPONENT = "the piece belongs to the other side"
    TURN = "it is the other side's turn"
    STILL = "origin and target are the same square"
    DIAGONAL = "pieces move along a rank or a file"
    BLOCKED = "another piece is in the way"
    REACH = "the piece cannot go so far in one move"
    THRONE_STOP = "the piece may not stop on the throne"
    THRONE_CROSS = "the piece may not cross the throne"
    CORNER = "only the king may stop on a corner square"
    CAMP = "the piece may not enter the camp"
    CAPTURES = "the captures written are not the captures made"
    GAME_OVER = "game over"


class IllegalMoveError(TaflError, ValueError):
    """A well-formed move that the rules refuse.

    ``reason`` is for programs; the message, which adds move and place, is for
    people.
    """

    def __init__(self, reason: Refusal, detail: str) -> None:
        super().__init__(f"illegal move: {detail}")
        self.reason = reason


class GameOverError(TaflError):
    """A move was asked for after the end of the game."""


class CoreFormError(TaflError, ImportError):
    """The core cannot run in the form that TAFLENGINE_COMPILED asks for."""


class CommandError(TaflError):
    """A protocol request that no command can serve."""


class ResourceError(TaflError):
    """The machine has no room for what was asked for."""


class NetworkError(TaflError):
    """An address that is none, or that nobody answers at."""


class JournalError(TaflError):
    """A journal of a match that cannot be read, or not be continued as asked."""


class EngineError(TaflError):
    """Another program, an engine in a match, misbehaved."""


class EngineStalledError(EngineError):
    """An engine did not answer, or did not read, in time."""


class EngineExitedError(EngineError):
    """An engine could not be started, has ended, or has closed its output."""


class BadReplyError(EngineError):
    """An engine answered what its protocol does not allow."""


class RecordError(TaflError, ValueError):
    """A game record that cannot be read, written or said in a format."""
