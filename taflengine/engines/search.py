"""The strong engine: the core's search, deepened until a limit is met."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from taflengine.core.evaluation import Evaluation
from taflengine.core.position import Position
from taflengine.core.search import Search
from taflengine.core.table import Table
from taflengine.core.weights import weights_of
from taflengine.engines.engine import Limits
from taflengine.game import Game
from taflengine.notation import Move

if TYPE_CHECKING:
    from random import Random

MATE = 30_000
WON = 29_000
INFINITE = 31_000
MAX_DEPTH = 100
"""Deepest search that is begun, in plies."""
WINDOW = 40
"""Half of the window in which the next depth's score is first looked for."""


class Report(NamedTuple):
    """What a search to one depth has found."""

    depth: int
    """Plies that were looked at in full."""
    score: int
    """From the side to move, an attacker being 100. See ``plies_to_end`` for proven ends."""
    nodes: int
    """Positions visited since the search began."""
    seconds: float
    """Time since the search began."""
    line: tuple[Move, ...]
    """What both sides are expected to play; the first move is the best found."""

    @property
    def plies_to_end(self) -> int | None:
        """Plies to a proven win, negative to a proven loss, None if neither is proven."""
        if abs(self.score) <= WON:
            return None
        plies = MATE - abs(self.score)
        return plies if self.score > 0 else -plies


class Searcher:
    """Searches games, one after the other, with one transposition table.

    Args:
        megabytes: Memory of the table.
    """

    def __init__(self, megabytes: int = 16) -> None:
        self._table = Table(megabytes)
        self._search: Search | None = None
        self._position: Position | None = None

    def stop(self) -> None:
        """End a running ``deepen`` within a millisecond, from any thread."""
        if self._search is not None:
            self._search.stopped = True

    def deepen(self, game: Game, limits: Limits) -> Iterator[Report]:
        """Search *game*, which has not ended, one ply deeper after the other.

        Yields a report for each depth that was looked at in full, at least one.
        *game* must not be played on before the last report; it is then as it was.
        """
        from threading import Timer

        search = self._search_of(game)
        self._table.next_search()
        begun = time.monotonic()
        search.begin([], 0)
        timer = None
        score, depth = 0, 0
        try:
            while depth < min(limits.depth or MAX_DEPTH, MAX_DEPTH):
                depth += 1
                found = self._aspire(search, depth, score)
                if found is None:
                    break
                score = found
                line = tuple(Move(*move) for move in search.line())
                spent = time.monotonic() - begun
                if score > WON:
                    score, line = self._soonest(search, score, line)
                yield Report(depth, score, int(search.nodes), spent, line)
                if abs(score) > WON:
                    break
                # The first depth is always finished: there must be a move.
                if depth == 1:
                    search.node_limit = limits.nodes or 0
                    if limits.seconds is not None:
                        left = max(0.0, limits.seconds - spent)
                        timer = Timer(left, self.stop)
                        timer.daemon = True
                        timer.start()
        finally:
            if timer:
                timer.cancel()

    def _search_of(self, game: Game) -> Search:
        """The search of this game's position; what it has learnt of moves is kept."""
        if self._search is None or self._position is not game.position:
            start = Game(game.variant).position
            evaluation = Evaluation(start, weights_of(game.variant))
            self._search = Search(game.position, evaluation, self._table)
            self._position = game.position
        return self._search

    def _soonest(
        self, search: Search, score: int, line: tuple[Move, ...]
    ) -> tuple[int, tuple[Move, ...]]:
        """The soonest win, given the score and line of one; the same if time runs out.

        The deepening search leaves moves out and may see a long win first.
        """
        while MATE - score > 1:
            plies = MATE - score - 2
            sooner = _run(search, search.can_win, plies)
            if search.stopped or sooner < MATE - plies:
                break
            score, line = sooner, tuple(Move(*move) for move in search.line())
        return score, line

    def _aspire(self, search: Search, depth: int, guess: int) -> int | None:
        """The exact score at *depth*, looked for near *guess* first; None if it was stopped."""
        low, high = -INFINITE, INFINITE
        width = WINDOW
        if depth > 3 and abs(guess) < WON:
            low, high = guess - width, guess + width
        while True:
            score = _run(search, search.run, depth, low, high)
            if search.stopped:
                return None
            if low < score < high:
                return score
            width *= 4
            if score <= low:
                low = max(-INFINITE, score - width)
            else:
                high = min(INFINITE, score + width)


def _run(search: Search, work: Callable[..., int], *arguments: int) -> int:
    """The result of *work*, done in a thread so that the caller can be interrupted.

    A signal reaches Python only in the main thread, and only between its steps:
    there it would wait for the end of the search.
    """
    from threading import Thread

    results: list[int] = []
    worker = Thread(target=lambda: results.append(work(*arguments)))
    worker.start()
    try:
        worker.join()
    except BaseException:
        search.stopped = True
        worker.join()
        raise
    return results[0]


class SearchEngine:
    """Plays the best move that a search finds.

    Args:
        limits: How long each search may go on.
        megabytes: Memory of the transposition table.
    """

    def __init__(self, limits: Limits, megabytes: int = 16) -> None:
        self.limits = limits
        self._searcher = Searcher(megabytes)

    def choose(self, game: Game, generator: "Random | None") -> Move:  # noqa: ARG002
        """As ``Engine.choose``; nothing is left to chance."""
        moves = game.legal_moves()
        return moves[0] if len(moves) == 1 else self.think(game).line[0]

    def think(self, game: Game) -> Report:
        """The last report of a search of *game*, which has not ended."""
        *_, last = self._searcher.deepen(game, self.limits)
        return last
