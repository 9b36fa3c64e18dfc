"""The strong engine: the core's search, deepened until a limit is met."""

import time
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from taflengine.core.evaluation import Evaluation
from taflengine.core.ordering import History
from taflengine.core.position import Position
from taflengine.core.search import Search
from taflengine.core.table import Table
from taflengine.core.weights import Weights, weights_of
from taflengine.engines.deepening import Deepening
from taflengine.engines.engine import Limits
from taflengine.engines.report import Report
from taflengine.engines.threads import helping
from taflengine.game import Game
from taflengine.notation import Move
from taflengine.rules import Variant

if TYPE_CHECKING:
    from random import Random


class Searcher:
    """Searches games, one after the other, with one transposition table.

    Args:
        megabytes: Memory of the table.
        threads: Searches of the same position at once, which share the table and what they
            learn of moves. One thread does the same search again for the same number of nodes.
        weights: Of the evaluation, in place of those of the rule set's family.

    Raises:
        MemoryError: there is not so much.
    """

    def __init__(
        self, megabytes: int = 16, threads: int = 1, weights: Weights | None = None
    ) -> None:
        self._megabytes, self._threads, self._weights = megabytes, threads, weights
        self._table = Table(megabytes)
        self._variant: Variant | None = None
        self._search: Search | None = None
        self._history: History
        self._position: Position | None = None

    def stop(self) -> None:
        """End a running ``deepen`` within a millisecond, from any thread."""
        if self._search is not None:
            self._search.stop()

    def deepen(
        self,
        game: Game,
        limits: Limits,
        multipv: int = 1,
        moves: Collection[Move] | None = None,
    ) -> Iterator[Report]:
        """Search *game*, which has not ended, one ply deeper after the other.

        Yields a report for each depth that was looked at in full, and one more if the
        depth in work when a limit was met has shown something better. If there was no
        time for one depth, a single report of depth 0 has the best move seen, or the
        first. *game* must be left alone, by other threads too, until the last report;
        it is then as it was.

        Args:
            game: Where to search.
            limits: When to end. It ends too when all that is wanted is proven.
            multipv: So many first moves get a variation each, if there are so many.
            moves: The first moves that count; None for all.

        Raises:
            ValueError: none of *moves* is legal.
        """
        begun = time.monotonic()
        legal = game.legal_moves()
        counted = None if moves is None else set(moves)
        wanted = legal if counted is None else [move for move in legal if move in counted]
        if not wanted:
            raise ValueError("none of these moves is legal here")
        return self._deepen(game, limits, multipv, wanted, begun)

    def _deepen(
        self, game: Game, limits: Limits, multipv: int, moves: list[Move], begun: float
    ) -> Iterator[Report]:
        barred = sorted(set(game.legal_moves()) - set(moves))
        search = self._search_of(game)
        helpers = [
            self._new_search(game.copy(), self._table, self._history)
            for _ in range(self._threads - 1)
        ]
        self._table.next_search()
        self._history.fade()
        seconds = 0.0 if limits.seconds is None else limits.seconds - (time.monotonic() - begun)
        for each in (search, *helpers):
            # A limit that is used up is not none.
            nodes, left = -(-(limits.nodes or 0) // self._threads), max(1e-6, seconds)
            each.begin(nodes, left if limits.seconds is not None else 0.0)
            each.bar(barred)
        scale = self._weights_of(game).scale
        deepening = Deepening(search, helpers, scale, multipv, moves, barred)
        with helping(search, helpers):
            yield from deepening.reports(limits, begun)

    def _search_of(self, game: Game) -> Search:
        """The search of this game's position; what it has learnt of moves is kept.

        Keys do not tell rule sets apart, so a new rule set gets a new table.
        """
        if self._search is None or self._position is not game.position:
            known = self._variant in (None, game.variant)
            table = self._table if known else Table(self._megabytes)
            history = History(game.position)
            search = self._new_search(game, table, history)
            # Nothing can fail from here on: all is of one game.
            self._table, self._history, self._search = table, history, search
            self._variant, self._position = game.variant, game.position
        return self._search

    def _new_search(self, game: Game, table: Table, history: History) -> Search:
        start = Game(game.variant).position
        evaluation = Evaluation(start, self._weights_of(game))
        return Search(game.position, evaluation, table, history, self._threads > 1)

    def _weights_of(self, game: Game) -> Weights:
        return self._weights or weights_of(game.variant)


class SearchEngine:
    """Plays the best move that a search finds.

    Args:
        limits: How long each search may go on.
        megabytes: Memory of the transposition table.
        threads: As ``Searcher`` takes them.
    """

    def __init__(self, limits: Limits, megabytes: int = 16, threads: int = 1) -> None:
        self.limits = limits
        self._searcher = Searcher(megabytes, threads)

    def choose(self, game: Game, generator: "Random | None") -> Move:  # noqa: ARG002
        """As ``Engine.choose``; nothing is left to chance."""
        moves = game.legal_moves()
        return moves[0] if len(moves) == 1 else self.think(game).line[0]

    def think(self, game: Game) -> Report:
        """The last report of a search of *game*, which has not ended."""
        *_, last = self._searcher.deepen(game, self.limits)
        return last
