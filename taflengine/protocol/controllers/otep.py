"""Engines that speak OTEP, of which this is the host, as OpenTafl is one.

Nothing is acknowledged, so a refusal of the rules is seen only when a move is asked
for. Limits of nodes or depth cannot be told.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from taflengine.clock import Clock
from taflengine.errors import BadReplyError, NotationError, RulesError
from taflengine.game import Game
from taflengine.notation import Move, format_move, format_picture, parse_move, quote
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import (
    Choice,
    Controller,
    Identity,
    Link,
    Task,
)
from taflengine.rules import Repetition
from taflengine.variants.opentafl import format_opentafl
from taflengine.variants.opentafl_strings import format_position

REST = 0.2
"""Seconds that an engine has after its move: OpenTafl's own breaks if it is asked sooner."""
_FINISHES = {"draw": 1, "attacker": 2, "defender": 3}
_BROKEN_OFF = 0


class OtepController(Controller):
    """An engine that speaks OTEP."""

    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._task: Task | None = None
        self._moved = 0.0

    def start(
        self, options: Mapping[str, str], commands: Sequence[str], deadline: float
    ) -> Identity:
        """As ``Controller.start``; there are no options, and nobody says who he is."""
        if options:
            raise BadReplyError(f"OTEP has no options, so {quote(next(iter(options)))} is none")
        while self.link.receive(deadline).text.strip() != "hello":
            pass
        for command in commands:
            self.link.send(command, deadline)
        return Identity("", "")

    def new_game(self, task: Task, deadline: float) -> None:
        """As ``Controller.new_game``."""
        if task.budget.nodes or task.budget.depth:
            raise BadReplyError("OTEP cannot limit nodes or depth")
        self._task = task
        self.link.send(f"rules {_rules_of(task.game)}", deadline)

    def played(self, side: Side, move: Move, deadline: float) -> None:  # noqa: ARG002 -- all moves are told alike
        """As ``Controller.played``."""
        self._let_rest()
        game = self._game
        written = format_move(move, game.variant.size)
        self.link.send(f"opponent-move {written} {format_position(game.board)}", deadline)

    def choose(self, side: Side, clocks: Mapping[Side, Clock], deadline: float) -> Choice:
        """As ``Controller.choose``."""
        self._let_rest()
        fields = self._clock_fields(clocks)
        if fields:
            # The blank at the end is the host's.
            self.link.send(f"clock {fields} ", deadline)
        sent = self.link.send(f"play {side.value}s", deadline)
        while True:
            line = self.link.receive(deadline)
            words = line.text.split()
            if words[:2] == ["error", "-1"]:
                raise BadReplyError(f"the engine gives up: {quote(' '.join(words[2:]))}")
            if words[:1] == ["move"]:
                break
        self._moved = line.time
        move = self._read_move(" ".join(words[1:]))
        self._confirm(move, deadline)
        return Choice(move, line.time - sent)

    def finish(self, result: str, deadline: float) -> None:
        """As ``Controller.finish``."""
        code = _FINISHES.get(result.partition(" ")[0], _BROKEN_OFF)
        self.link.send(f"finish {code}", deadline)

    def quit(self, deadline: float) -> None:
        """As ``Controller.quit``."""
        self.link.send("goodbye", deadline)

    @property
    def _game(self) -> Game:
        if self._task is None:
            raise RuntimeError("no game has begun")
        return self._task.game

    def _read_move(self, text: str) -> Move:
        try:
            return parse_move(text, self._game.variant.size).move
        except NotationError as error:
            raise BadReplyError(f"move: {error}") from None

    def _confirm(self, move: Move, deadline: float) -> None:
        """Tell the position after the engine's own *move*, which the referee has yet to make."""
        game = self._game
        if move in game.legal_moves():
            twin = game.copy()
            twin.play(move)
            self.link.send(f"move {format_position(twin.board)}", deadline)

    def _clock_fields(self, clocks: Mapping[Side, Clock]) -> str:
        """The five fields of ``clock``; nothing where no side has a limit."""
        both = [clocks[side] for side in Side if side in clocks]
        if len(both) != len(Side) or not all(clock.control.limited for clock in both):
            return ""
        times = [_time_field(clock) for clock in both]
        # Periods of one move are all that can be told.
        lengths = [_period_of(clock) for clock in both]
        periods = ["1" if length else "0" for length in lengths]
        return " ".join([*times, str(max(lengths)), *periods])

    def _let_rest(self) -> None:
        time.sleep(max(0.0, self._moved + REST - time.monotonic()))


def _rules_of(game: Game) -> str:
    """The rules string of *game*, with its start.

    How often a position may come, and how long nothing may be captured, the referee
    judges: where a string cannot say that the nearest is told.

    Raises:
        BadReplyError: a string cannot say anything else of it.
    """
    exact = replace(game.variant, board=format_picture(game.start), first=game.first)
    blamed = exact.repetition in (Repetition.LOSS_DEFENDERS, Repetition.LOSS_MOVER)
    nearest = replace(
        exact,
        repetition=Repetition.LOSS_MOVER if blamed else Repetition.DRAW,
        repetition_count=3,
        start_counts=True,
        captures_clear_positions=False,
        quiet_plies=0,
    )
    try:
        return format_opentafl(exact)
    except RulesError:
        pass
    try:
        return format_opentafl(nearest)
    except RulesError as error:
        raise BadReplyError(f"OTEP cannot tell these rules: {error}") from None


def _period_of(clock: Clock) -> int:
    """Whole seconds of a period in which one move is to be made, 0 if there is none."""
    control = clock.control
    return max(1, int(control.period)) if control.period and control.moves == 1 else 0


def _time_field(clock: Clock) -> str:
    """What is left in milliseconds, with a star if it is of a period."""
    in_period = clock.control.period > 0 and clock.moves_left > 0
    return f"{int(clock.remaining * 1000)}{'*' if in_period else ''}"
