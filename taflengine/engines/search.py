"""The strong engine: the core's search, deepened until a limit is met."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from taflengine.core.codes import INFINITE, MATE, WON
from taflengine.core.evaluation import Evaluation
from taflengine.core.position import Position
from taflengine.core.search import Search
from taflengine.core.table import Table
from taflengine.core.weights import weights_of
from taflengine.engines.engine import MAX_DEPTH, Limits
from taflengine.game import Game
from taflengine.notation import Move
from taflengine.rules import Variant

if TYPE_CHECKING:
    from random import Random

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

    Raises:
        MemoryError: there is not so much.
    """

    def __init__(self, megabytes: int = 16) -> None:
        self._megabytes = megabytes
        self._table = Table(megabytes)
        self._variant: Variant | None = None
        self._search: Search | None = None
        self._position: Position | None = None

    def stop(self) -> None:
        """End a running ``deepen`` within a millisecond, from any thread."""
        if self._search is not None:
            self._search.stop()

    def deepen(self, game: Game, limits: Limits) -> Iterator[Report]:
        """Search *game*, which has not ended, one ply deeper after the other.

        Yields a report for each depth that was looked at in full; if there was no
        time for one, a single report of depth 0 with the best move seen, or the first.
        *game* must be left alone, by other threads too, until the last report; it is
        then as it was.
        """
        begun = time.monotonic()
        search = self._search_of(game)
        self._table.next_search()
        search.begin(limits.nodes or 0)
        depth, score = 0, 0
        line: tuple[Move, ...] = (game.legal_moves()[0],)
        with self._limited(search, limits, begun):
            while depth < min(limits.depth or MAX_DEPTH, MAX_DEPTH):
                found = self._aspire(search, depth + 1, score)
                if found is None:
                    break
                depth, score, line = depth + 1, found, _line_of(search)
                if score > WON:
                    score, line = self._soonest(search, score, line)
                yield Report(depth, score, int(search.nodes), time.monotonic() - begun, line)
                if abs(score) > WON:
                    break
            if depth == 0:
                line = _line_of(search) or line
                yield Report(0, 0, int(search.nodes), time.monotonic() - begun, line)

    @contextmanager
    def _limited(self, search: Search, limits: Limits, begun: float) -> Iterator[None]:
        """Stop *search* in the block when the time since *begun* is used up."""
        from threading import Timer

        timer = None
        if limits.seconds is not None:
            left = max(0.0, limits.seconds - (time.monotonic() - begun))
            timer = Timer(left, search.stop)
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            if timer:
                # One that has just gone off must not stop the next search.
                timer.cancel()
                timer.join()

    def _search_of(self, game: Game) -> Search:
        """The search of this game's position; what it has learnt of moves is kept.

        Keys do not tell rule sets apart, so a new rule set gets a new table.
        """
        if self._search is None or self._position is not game.position:
            if self._variant not in (None, game.variant):
                self._table = Table(self._megabytes)
            start = Game(game.variant).position
            evaluation = Evaluation(start, weights_of(game.variant))
            self._search = Search(game.position, evaluation, self._table)
            self._variant, self._position = game.variant, game.position
        return self._search

    def _soonest(
        self, search: Search, score: int, line: tuple[Move, ...]
    ) -> tuple[int, tuple[Move, ...]]:
        """The soonest win, given the score and line of one; the same if time runs out.

        The deepening search leaves moves out and may see a long win first.
        """
        while MATE - score > 1 and not search.stopped:
            plies = MATE - score - 2
            sooner = _run(search, search.can_win, plies)
            if search.stopped or sooner < MATE - plies:
                break
            score, line = sooner, _line_of(search)
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
    from threading import Event, Thread

    results: list[int] = []
    failures: list[BaseException] = []
    done = Event()

    def call() -> None:
        try:
            results.append(work(*arguments))
        except BaseException as error:  # it is raised again where it was asked for
            failures.append(error)
        finally:
            done.set()

    Thread(target=call, daemon=True).start()
    try:
        done.wait()
    except BaseException:
        search.stop()
        while not done.is_set():
            with suppress(KeyboardInterrupt):
                done.wait()
        raise
    if failures:
        raise failures[0]
    return results[0]


def _line_of(search: Search) -> tuple[Move, ...]:
    return tuple(Move(*move) for move in search.line())


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
