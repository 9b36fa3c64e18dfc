"""One game between two engines. The rules, the clocks and the result are the referee's."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from taflengine.clock import Clock
from taflengine.errors import (
    BadReplyError,
    EngineError,
    EngineExitedError,
    EngineStalledError,
    IllegalMoveError,
)
from taflengine.game import Game
from taflengine.match.adjudicate import Adjudicator
from taflengine.match.games import Ending, FinishedGame, Player, Thought
from taflengine.match.plan import GamePlan, Terms
from taflengine.match.seat import Patience, Seat
from taflengine.notation import Move, format_move, format_rows, format_squares
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Choice, Task
from taflengine.variants.spoken import parse_variant

_ENDING_OF: Mapping[type[EngineError], Ending] = {
    EngineStalledError: Ending.STALL,
    EngineExitedError: Ending.CRASH,
    BadReplyError: Ending.PROTOCOL_ERROR,
}


class _End(NamedTuple):
    """How the game has ended."""

    winner: Side | None
    ending: Ending
    detail: str
    culprit: Side | None = None
    last_words: str = ""


class _Over(Exception):  # noqa: N818 -- the end of a game is no error
    """Leaves the game from wherever its end was noticed."""

    def __init__(self, end: _End) -> None:
        super().__init__(end.detail)
        self.end = end


class Referee:
    """Plays one game.

    Args:
        plan: What is to be played.
        seats: The engines, started or not.
        terms: What holds for every game.
        patience: How long it is waited for an engine.
    """

    def __init__(
        self, plan: GamePlan, seats: Mapping[Side, Seat], terms: Terms, patience: Patience
    ) -> None:
        self._plan = plan
        self._seats = seats
        self._terms = terms
        self._patience = patience
        variant = parse_variant(plan.rules)
        self._game = Game(variant, plan.opening.board, plan.opening.side)
        self._size = variant.size
        self._budgets = {side: seats[side].entrant.budget(terms.budget) for side in Side}
        self._clocks = {side: Clock(self._budgets[side].control) for side in Side}
        self._adjudicator = Adjudicator(terms.draw, terms.resign)
        self._thoughts: list[Thought | None] = []
        self._events: list[str] = []
        self._seconds = dict.fromkeys(Side, 0.0)
        self._overshoot = dict.fromkeys(Side, 0.0)

    def play(self) -> FinishedGame:
        """Play the game to its end; an engine that failed does not run afterwards."""
        started = _now()
        try:
            self._begin()
            self._play_opening()
            end = self._play_on()
        except _Over as over:
            end = over.end
        self._close(end)
        return self._record(end, started)

    def _name(self, side: Side) -> str:
        return self._seats[side].entrant.name

    def _begin(self) -> None:
        for side, seat in self._seats.items():
            task = Task(self._game, self._plan.rules, side, self._budgets[side], self._plan.seed)
            try:
                seat.start()
                seat.controller.new_game(task, self._soon())
            except EngineError as error:
                raise self._failure(side, error, Ending.START_FAILURE) from None

    def _play_opening(self) -> None:
        for move in self._plan.opening.moves:
            side = self._game.side_to_move
            captured = self._game.play(move)
            self._thoughts.append(None)
            for each in Side:
                self._tell(each, side, move, captured, over=False)

    def _play_on(self) -> _End:
        game = self._game
        while game.outcome is None:
            if 0 < self._terms.max_plies <= len(game.plies):
                return _End(None, Ending.MAX_MOVES, f"Draw after {len(game.plies)} plies")
            side = game.side_to_move
            choice = self._ask(side)
            captured = self._make(side, choice)
            adjudication = self._adjudicator.after(side, choice.score)
            over = game.outcome is not None or adjudication is not None
            assert choice.move
            self._tell(side.other, side, choice.move, captured, over=over)
            if game.outcome is None and adjudication is not None:
                who = f"{self._name(adjudication.winner)} wins" if adjudication.winner else "Draw"
                return _End(adjudication.winner, adjudication.ending, f"{who} by adjudication")
        winner = game.outcome.winner
        who = f"{self._name(winner)} wins" if winner else "Draw"
        ending = Ending(game.outcome.reason.value)
        return _End(winner, ending, f"{who}: {ending.value}")

    def _ask(self, side: Side) -> Choice:
        """The choice of *side*, made in time."""
        clock = self._clocks[side]
        patience = self._patience.move
        if clock.control.limited:
            patience = clock.allowance + self._terms.margin + self._patience.grace
        try:
            choice = self._seats[side].controller.choose(
                side, self._clocks, time.monotonic() + patience
            )
        except EngineError as error:
            raise self._failure(side, error) from None
        self._seconds[side] += choice.seconds
        if clock.control.limited:
            over = choice.seconds - clock.allowance
            self._overshoot[side] = max(self._overshoot[side], over)
            if over > self._terms.margin:
                detail = f"{self._name(side)} loses on time ({over * 1000:.0f} ms over)"
                raise _Over(_End(side.other, Ending.TIME, detail, side))
            clock.spend(min(choice.seconds, clock.allowance))
        return choice

    def _make(self, side: Side, choice: Choice) -> tuple[int, ...]:
        """Make the move that was chosen; what it captures."""
        name = self._name(side)
        if choice.move is None:
            raise _Over(_End(side.other, Ending.RESIGNATION, f"{name} resigns"))
        try:
            captured = self._game.play(choice.move)
        except IllegalMoveError as error:
            position = f"{format_rows(self._game.board)} {side.value[0]}"
            detail = f"{name} makes an illegal move: {error}, in {position}"
            words = self._seats[side].last_words()
            raise _Over(_End(side.other, Ending.ILLEGAL_MOVE, detail, side, words)) from None
        thought = Thought(round(choice.seconds, 6), choice.score, choice.depth, choice.nodes)
        self._thoughts.append(thought)
        return captured

    def _tell(
        self, to: Side, side: Side, move: Move, captured: tuple[int, ...], *, over: bool
    ) -> None:
        """Tell an engine of a move. If the game is *over*, what it says changes nothing."""
        try:
            claimed = self._seats[to].controller.played(side, move, self._soon())
        except EngineError as error:
            if not over:
                raise self._failure(to, error) from None
            self._note(to, f"after the end: {error}")
            self._seats[to].end()
            return
        if claimed is not None and claimed != frozenset(captured):
            text = format_move(move, self._size)
            names = [format_squares(each, self._size) or "nothing" for each in (claimed, captured)]
            self._note(to, f"says that {text} captures {names[0]}, not {names[1]}")

    def _failure(self, side: Side, error: EngineError, ending: Ending | None = None) -> _Over:
        """The end of a game in which the engine of *side* failed; the engine is ended."""
        seat = self._seats[side]
        seat.end()
        found = ending or _ENDING_OF.get(type(error), Ending.PROTOCOL_ERROR)
        manner = {
            Ending.START_FAILURE: "does not start",
            Ending.STALL: "connection stalls",
            Ending.CRASH: "disconnects",
        }.get(found, "breaks the protocol")
        detail = f"{self._name(side)} {manner}: {error}"
        return _Over(_End(side.other, found, detail, side, seat.last_words()))

    def _close(self, end: _End) -> None:
        """Compare what the engines think of the end, and tell them of it."""
        result = str(self._game.outcome or "ongoing")
        board, to_move = self._game.board, self._game.side_to_move
        for side, seat in self._seats.items():
            if side is end.culprit or not seat.runs:
                continue
            try:
                controller = seat.controller
                standing = controller.standing(self._soon())
                if standing:
                    if standing.board not in (None, board) or standing.side not in (None, to_move):
                        self._note(side, f"has another position than {format_rows(board)}")
                    if standing.result not in (None, result):
                        self._note(side, f"says that the result is {standing.result}, not {result}")
                controller.finish(result, self._soon())
            except EngineError as error:
                self._note(side, f"after the end: {error}")
                seat.end()

    def _note(self, side: Side, event: str) -> None:
        self._events.append(f"{self._name(side)} {event}")

    def _soon(self) -> float:
        return time.monotonic() + self._patience.reply

    def _record(self, end: _End, started: str) -> FinishedGame:
        game, plan = self._game, self._plan
        lost = dict.fromkeys(Side, 0)
        mover = game.first
        for ply in game.plies:
            mover = mover.other
            lost[mover] += len(ply.captured)
        at_start = (game.start, game.first) == (game.variant.start, game.variant.first)
        players = {
            side: Player(
                name=self._name(side),
                version=seat.version,
                command=seat.entrant.command,
                captures=lost[side.other],
                seconds=round(self._seconds[side], 6),
                overshoot=round(self._overshoot[side], 6),
            )
            for side, seat in self._seats.items()
        }
        return FinishedGame(
            number=plan.number,
            pair=plan.pair,
            round=plan.round,
            variant=plan.rules,
            attacker=players[Side.ATTACKER],
            defender=players[Side.DEFENDER],
            opening=plan.opening.name,
            opening_plies=min(len(plan.opening.moves), len(game.plies)),
            start="" if at_start else f"{format_rows(game.start)} {game.first.value[0]}",
            seed=plan.seed,
            moves=tuple(format_move(ply.move, self._size) for ply in game.plies),
            winner=end.winner,
            ending=end.ending,
            detail=end.detail,
            culprit=end.culprit,
            last_words=end.last_words,
            events=tuple(self._events),
            thoughts=tuple(self._thoughts),
            started=started,
            ended=_now(),
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
