"""Whether the engines can play at all, seen before the first game."""

import time

from taflengine.clock import Clock
from taflengine.errors import EngineError, TaflError
from taflengine.game import Game
from taflengine.match.entrants import Entrant
from taflengine.match.process import Guard
from taflengine.match.seat import Seat
from taflengine.match.settings import MatchSettings
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Task
from taflengine.variants.spoken import parse_variant


def check_engine(entrant: Entrant, settings: MatchSettings, guard: Guard) -> str:
    """What *entrant* calls itself, once it has made a legal move under each rule set of the match.

    Raises:
        EngineError: it has not; the message says what it did, with its last words.
    """
    seat = Seat(entrant, guard, settings.seed, settings.patience)
    rules = ""
    try:
        seat.start()
        for rules in settings.variants:
            _check_rules(seat, rules, settings)
    except TaflError as error:
        seat.end()
        place = f" under {rules}" if rules else ""
        words = "".join(f"\n    {line}" for line in seat.last_words().splitlines())
        raise EngineError(f"{entrant.name}{place}: {error}{words}") from None
    finally:
        seat.leave()
    return seat.version


def _check_rules(seat: Seat, rules: str, settings: MatchSettings) -> None:
    game = Game(parse_variant(rules))
    side = game.side_to_move
    budget = seat.entrant.budget(settings.terms.budget)
    clocks = {each: Clock(budget.control) for each in Side}
    patience = settings.patience
    task = Task(game, rules, side, budget, settings.seed)
    seat.controller.new_game(task, time.monotonic() + patience.reply)
    clock = clocks[side]
    wait = patience.move
    if clock.control.limited:
        wait = clock.allowance + settings.terms.margin + patience.grace
    choice = seat.controller.choose(side, clocks, time.monotonic() + wait)
    if choice.move is None:
        raise EngineError("resigns at the first move")
    game.check(choice.move)
    if choice.seconds > clock.allowance + settings.terms.margin:
        over = (choice.seconds - clock.allowance) * 1000
        raise EngineError(f"the first move comes {over:.0f} ms after its time")
