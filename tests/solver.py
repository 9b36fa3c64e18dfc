"""A brute-force solver: forced wins by trying every move, nothing left out, nothing guessed.

It plays on the core's position and asks the core how each game ends; the search
and what it knows of threats have no part in it. It is fast enough for five plies
because one refutation ends the look at a move, and the last refutation is tried first.
"""

from collections.abc import Iterator
from typing import NamedTuple

from taflengine.core import codes
from taflengine.core.endings import judge
from taflengine.game import Game
from taflengine.notation import Move
from taflengine.rules import Outcome

FIRST_REPETITION = {2: 4, 3: 8}
"""After how many plies a position can first have stood on the board so often."""


class TooMuchToTryError(Exception):
    """More moves would have to be tried than were allowed."""


class Line(NamedTuple):
    """A forced win played out: the soonest win against the longest resistance."""

    moves: tuple[Move, ...]
    outcome: Outcome


class Solver:
    """Solves the position of one game, which must stand as it stood whenever it is asked.

    Args:
        game: The game; what has been played counts towards repetition.
        most_tries: Give up after making so many moves; None is never.
    """

    def __init__(self, game: Game, most_tries: int | None = None) -> None:
        self._game = game
        self._position = game.position
        self._area = game.variant.geometry.area
        self._by_file = game.variant.geometry.by_file
        self._most_tries = most_tries
        self.tries = 0
        self._proven: dict[tuple[int, int], bool] = {}
        self._remembers = True
        self._good: dict[int, int] = {}
        """By plies left, the winner's move that last worked."""
        self._refutation: dict[int, int] = {}
        """By plies left, the reply that last saved its side."""

    def plies_to_win(self, limit: int) -> int | None:
        """In how many plies the side to move can force a win, *limit* at most; None if it cannot.

        Raises:
            TooMuchToTryError: as its name says; the game is as it was.
        """
        self._begin(limit)
        return self._soonest(limit)

    def _soonest(self, limit: int) -> int | None:
        return next((plies for plies in range(1, limit + 1) if self._can_win(plies)), None)

    def winning_moves(self, plies: int) -> Iterator[Move]:
        """The moves with which the side to move forces a win within *plies*.

        Each is looked for when it is asked for; meanwhile the game must be left alone.
        """
        self._begin(plies)
        side = self._position.side
        return (
            self._move(number)
            for number in self._position.legal_moves(side)
            if self._holds_after(number, plies - 1, side)
        )

    def longest_resistance(self, limit: int) -> tuple[Move, int | None]:
        """The move after which the other side needs most plies to win, and how many.

        None where it cannot win within *limit*. A move that ends the game takes 0 plies
        if it loses, and is as good as any other refutation if it does not.
        """
        self._begin(limit + 1)
        longest: tuple[Move, int] | None = None
        side = self._position.side
        for number in self._position.legal_moves(side):
            needed = self._plies_after(number, limit, 3 - side)
            if needed is None:
                return self._move(number), None
            if longest is None or needed > longest[1]:
                longest = self._move(number), needed
        assert longest, "a side without a move has lost already"
        return longest

    def _plies_after(self, number: int, limit: int, winner: int) -> int | None:
        """How many plies *winner* needs after the other side's move, as ``plies_to_win``."""
        self._play(number)
        try:
            ending = judge(self._position)
            if ending:
                return 0 if ending >> codes.WINNER_SHIFT == winner else None
            return self._soonest(limit)
        finally:
            self._position.undo()

    def line(self, plies: int) -> Line:
        """How a win that takes *plies* goes; the first of equal moves is taken for both sides."""
        game, left = self._game, plies
        first = len(game.plies)
        while not game.outcome:
            solver = Solver(game, self._most_tries)
            if (left - plies) % 2 == 0:
                game.play(next(solver.winning_moves(left)))
            else:
                game.play(solver.longest_resistance(left - 1)[0])
            left -= 1
        line = Line(tuple(ply.move for ply in game.plies[first:]), game.outcome)
        game.undo(plies)
        return line

    def _begin(self, limit: int) -> None:
        """Remember nothing where the way to a position could tell how the game goes on."""
        last = len(self._game.plies) + limit
        variant = self._game.variant
        self._proven.clear()
        self._remembers = last < FIRST_REPETITION[variant.repetition_count] and (
            not variant.quiet_plies or last < variant.quiet_plies
        )

    def _can_win(self, plies: int) -> bool:
        """Whether the side to move wins within *plies*, at least one."""
        position = self._position
        key = (position.key, plies)
        if self._remembers and key in self._proven:
            return self._proven[key]
        won = self._wins_at_once(open_moves := position.legal_moves(position.side))
        if not won and plies > 1:
            side = position.side
            won = any(
                self._holds_after(number, plies - 1, side)
                for number in _first(open_moves, self._good.get(plies))
            )
        if self._remembers:
            self._proven[key] = won
        return won

    def _wins_at_once(self, numbers: list[int]) -> bool:
        """Whether one of these moves wins. Most wins in more plies are refuted by such a one."""
        position, area, by_file = self._position, self._area, self._by_file
        side = position.side
        self._count(len(numbers))
        for number in numbers:
            position.play(by_file[number // area], by_file[number % area])
            ending = judge(position)
            position.undo()
            if ending and ending >> codes.WINNER_SHIFT == side:
                return True
        return False

    def _holds_after(self, number: int, plies: int, side: int) -> bool:
        """Whether *side* wins within *plies* more after its move, whatever is answered."""
        position = self._position
        self._count(1)
        self._play(number)
        try:
            ending = judge(position)
            if ending:
                return bool(ending >> codes.WINNER_SHIFT == side)
            if plies == 0:
                return False
            replies = position.legal_moves(position.side)
            for reply in _first(replies, self._refutation.get(plies)):
                if not self._holds_against(reply, plies - 1, side):
                    self._refutation[plies] = reply
                    return False
            self._good[plies + 1] = number
            return True
        finally:
            position.undo()

    def _holds_against(self, reply: int, plies: int, side: int) -> bool:
        self._count(1)
        self._play(reply)
        try:
            ending = judge(self._position)
            if ending:
                return bool(ending >> codes.WINNER_SHIFT == side)
            return plies > 0 and self._can_win(plies)
        finally:
            self._position.undo()

    def _play(self, number: int) -> None:
        self._position.play(self._by_file[number // self._area], self._by_file[number % self._area])

    def _move(self, number: int) -> Move:
        return Move(self._by_file[number // self._area], self._by_file[number % self._area])

    def _count(self, tries: int) -> None:
        self.tries += tries
        if self._most_tries is not None and self.tries > self._most_tries:
            raise TooMuchToTryError


def _first(numbers: list[int], preferred: int | None) -> list[int]:
    """The moves with the preferred one, if it is among them, in front."""
    if preferred is None or preferred not in numbers:
        return numbers
    return [preferred, *(number for number in numbers if number != preferred)]


def plies_to_win(game: Game, limit: int) -> int | None:
    """In how many plies the side to move can force a win, *limit* at most; None if it cannot."""
    return Solver(game).plies_to_win(limit)
