"""Alpha-beta search on one position: iterative deepening calls it a depth at a time.

Scores are in hundredths of an attacker from the side to move. A score beyond
``WON`` is proven: ``MATE`` minus the plies from the root to the win.
"""

import math
from collections.abc import Sequence

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

if cython.compiled:
    from cython.cimports.posix.time import CLOCK_MONOTONIC, clock_gettime, timespec
else:
    import time

from taflengine.core import codes
from taflengine.core.endings import judge_board, judge_repetition
from taflengine.core.evaluation import Evaluation
from taflengine.core.ordering import History, Ordering
from taflengine.core.position import Position
from taflengine.core.table import Table
from taflengine.core.tactics import (
    capturing,
    king_roads,
    king_takers,
    may_win_quietly,
    road_blocks,
)

ATTACKER = cython.declare(cython.int, codes.ATTACKER)
DEFENDER = cython.declare(cython.int, codes.DEFENDER)
MOVE_SHIFT = cython.declare(cython.int, codes.MOVE_SHIFT)
TARGET = cython.declare(cython.int, codes.TARGET)
MAX_MOVES = cython.declare(cython.int, codes.MAX_MOVES)
FIRST_LIST = cython.declare(cython.int, codes.FIRST_LIST)
WINNER_SHIFT = cython.declare(cython.int, codes.WINNER_SHIFT)
NEVER = cython.declare(cython.int, codes.NONE)
DEFENDERS_LOSE = cython.declare(cython.int, codes.LOSS_DEFENDERS)
MOVER_LOSES = cython.declare(cython.int, codes.LOSS_MOVER)
MOVER_WINS = cython.declare(cython.int, codes.WIN_MOVER)

MATE = cython.declare(cython.int, codes.MATE)
WON = cython.declare(cython.int, codes.WON)
INFINITE = cython.declare(cython.int, codes.INFINITE)
MAX_PLY = cython.declare(cython.int, codes.MAX_PLY)
NOTHING = cython.declare(cython.int, 32_000)
"""Answer of ``ending`` where nothing has ended."""

QUIET_PLIES = cython.declare(cython.int, 6)
"""So many captures and forced answers are followed behind the last ply of a search."""
REPEATED = cython.declare(cython.int, 1_500)
"""What a first return to a position is taken for where repeating it once more would lose."""
DRAWN = cython.declare(cython.int, codes.DRAWN)
TINT = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
"""Mixed into the table's keys where the defenders search: a draw costs who searches, so that what
is found for one side is not true for the other."""
EXACT_BOUND = cython.declare(cython.int, 0)
LOWER_BOUND = cython.declare(cython.int, 1)
UPPER_BOUND = cython.declare(cython.int, 2)
MOVE_MASK = cython.declare(cython.int, (1 << codes.ENTRY_SCORE) - 1)
SCORE_MASK = cython.declare(cython.int, 65_535)
DEPTH_MASK = cython.declare(cython.int, 255)
BOUND_MASK = cython.declare(cython.int, 3)
SCORE_SHIFT = cython.declare(cython.int, codes.ENTRY_SCORE)
DEPTH_SHIFT = cython.declare(cython.int, codes.ENTRY_DEPTH)
BOUND_SHIFT = cython.declare(cython.int, codes.ENTRY_BOUND)
SCORE_OFFSET = cython.declare(cython.int, codes.ENTRY_OFFSET)

LATE_DEPTH = cython.declare(cython.int, 3)
LATE_BASE = cython.declare(cython.int, 8)
LATE_STEP = cython.declare(cython.int, 6)
"""Up to this depth d only the first 8 + 6 d * d quiet moves are tried."""
REDUCE_DEPTH = cython.declare(cython.int, 3)
REDUCE_AFTER = cython.declare(cython.int, 3)
"""Quiet moves behind the first three are searched less deep, from this depth on, by 0.5 and the
product of the logarithms of depth and of the moves tried, divided by 1.4; in parts of 2 ** 20."""
HALF = cython.declare(cython.int, 1 << 19)
PICKED = cython.declare(cython.int, 16)
"""So many of the moves that are generated are picked in order; the rest come as they are."""

SHARED_DEPTH = cython.declare(cython.int, 3)
"""From this depth on a move that another thread is busy with is put off."""
PUT_OFF = cython.declare(cython.int, 32)
"""So many of them in a position, for ``MAX_PLY`` + 1 plies; the others are searched by both."""

CLOCK_NODES = cython.declare(cython.int, 512)
"""The clock is looked at once in so many nodes: under a millisecond."""
CAPTURE_FIRST = cython.declare(cython.int, codes.CAPTURE_FIRST)


class Search:
    """Searches one position object, on which it makes and takes back moves.

    Args:
        position: Where to search; between two calls it may be played on.
        evaluation: Of the same rule set.
        table: What has been found of positions, by other searches too.
        history: What has been learnt of moves, by other searches too.
        shared: Whether other threads search the same position with the same table: then
            moves that another is busy with are put off.
    """

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        table: Table,
        history: History,
        shared: bool = False,
    ) -> None:
        i: cython.int
        self.position, self.evaluation, self.table = position, evaluation, table
        self.shared = shared
        self.ordering = Ordering(position, history)
        if not cython.compiled:
            self.lines, self.lengths = [0] * 16512, [0] * 129
            self.barred, self.put_off = [0] * codes.MAX_MOVES, [0] * 4128
            self.logarithms = [0] * 64
        position.reserve_moves(MAX_PLY + 1)
        for i in range(1, 64):
            self.logarithms[i] = int(1_024 * math.log(i))
        self.begin(0)

    def begin(self, node_limit: cython.ulonglong, seconds: cython.double = 0) -> None:
        """Prepare for a new search of the position as it now is.

        Args:
            node_limit: Stop after so many nodes; 0 is no limit.
            seconds: Stop when so much time from now on has passed; 0 is no limit.
        """
        i: cython.int
        self.position.reserve(MAX_PLY + 2)
        self.root = self.position.ply
        self.tint = TINT if self.position.side == DEFENDER else 0
        self.nodes = 0
        self.horizon = 0
        self.node_limit = node_limit
        self.deadline = now() + seconds if seconds else 0
        self.stopped = False
        self.root_score = 0
        self.barred_count = 0
        self.may_repeat = self._may_repeat()
        for i in range(129):
            self.lengths[i] = 0

    def _may_repeat(self) -> bool:
        """Whether one more occurrence of some position of the game would count as repetition."""
        position = self.position
        if position.repetition == codes.NONE:
            return False
        seen = [position.keys[i] for i in range(position.ply - position.quiet, position.ply)]
        return len(seen) > 0 if position.repetition_count == 2 else len(set(seen)) < len(seen)

    def stop(self) -> None:
        """Stop a running search; from any thread."""
        self.stopped = True

    def bar(self, moves: Sequence[tuple[int, int]]) -> None:
        """Leave out *moves*, as squares, at the root until ``begin``; some move must be left."""
        position = self.position
        self.barred_count = len(moves)
        for i in range(len(moves)):
            origin, target = moves[i]
            self.barred[i] = (
                position.index_of[origin] << codes.MOVE_SHIFT | position.index_of[target]
            )

    def run(self, depth: cython.int, alpha: cython.int, beta: cython.int) -> cython.int:
        """Search *depth* plies deep and return the score, exact if between *alpha* and *beta*.

        Void if ``stopped`` is set afterwards. Other Python threads run meanwhile.
        """
        score: cython.int
        self.horizon, self.exact = depth, False
        with cython.nogil:
            score = self.alphabeta(depth, alpha, beta, 0)
        return score

    def can_win(self, plies: cython.int) -> cython.int:
        """The score of the soonest win that the side to move can force within *plies*.

        No move is left out but those that let the king reach his goal at once. Below
        ``MATE - plies`` there is no such win, and the score says no more. Void if
        ``stopped`` is set afterwards.
        """
        score: cython.int
        self.horizon, self.exact = plies, True
        with cython.nogil:
            score = self.alphabeta(plies, MATE - plies - 1, MATE, 0)
        return score

    def line(self) -> list[tuple[int, int]]:
        """The moves that both sides are expected to play, as squares, the root's first."""
        squares = self.position.square_of
        return [
            (squares[self.lines[i] >> MOVE_SHIFT], squares[self.lines[i] & TARGET])
            for i in range(self.lengths[0])
        ]

    # From here on C code only.

    def alphabeta(
        self,
        depth: cython.int,
        alpha: cython.int,
        beta: cython.int,
        ply: cython.int,
    ) -> cython.int:
        """The score of the position *ply* plies below the root, searched *depth* plies deep.

        It is exact if it lies between *alpha* and *beta*; at or below *alpha* it is an
        upper bound, at or above *beta* a lower one. Void once ``stopped`` is set.
        """
        i: cython.int
        move: cython.int
        score: cython.int
        reduction: cython.int
        start: cython.int = FIRST_LIST + ply * MAX_MOVES
        end: cython.int = start
        tried: cython.int = 0
        best: cython.int = -INFINITE
        best_move: cython.int = 0
        known_move: cython.int = 0
        entry: cython.ulonglong
        entry_depth: cython.int
        old_alpha: cython.int
        principal: cython.bint = beta - alpha > 1
        forced: cython.bint = False
        complete: cython.bint
        sorted_end: cython.int
        quiet: cython.bint
        at: cython.int
        work: cython.ulonglong = 0
        off: cython.int = PUT_OFF * ply
        off_end: cython.int = off

        # 1. Leaves.
        if depth <= 0:
            return self.quiesce(alpha, beta, ply, QUIET_PLIES)
        self.lengths[ply] = 0
        if self.count_node():
            return 0
        if ply > 0:
            score = self.ending(ply)
            if score != NOTHING:
                return score
            if ply >= MAX_PLY - 1:
                return self.static_score()
            # A win at the root could not be sooner, nor a loss later, than from here.
            alpha = max(alpha, ply - MATE)
            beta = min(beta, MATE - ply - 1)
            if alpha >= beta:
                return alpha

        # 2. Wins in one move; roads that must be blocked.
        if self.position.side == DEFENDER:
            if ply > 0 and king_roads(self.position):
                return MATE - ply - 1
        else:
            if ply > 0 and king_takers(self.position, start) > start:
                return MATE - ply - 1
            if king_roads(self.position) and not self.may_end_otherwise():
                end = road_blocks(self.position, start)
                forced = end > start
                if ply > 0:
                    if not forced:
                        if not self.position.has_move(ATTACKER):
                            return self.stuck(ply)
                        return ply + 2 - MATE
                elif not forced or king_takers(self.position, end) > end:
                    forced = False

        if (
            self.exact
            and depth == 1
            and ply > 0
            and ply % 2 == 0
            and not self.may_repeat
            and not may_win_quietly(self.position)
        ):
            return 0

        # 3. What is known already.
        entry = self.table.probe(self.position.key ^ self.tint)
        if entry:
            known_move = entry & MOVE_MASK
            score = (entry >> SCORE_SHIFT & SCORE_MASK) - SCORE_OFFSET
            if score > WON:
                score -= ply
            elif score < -WON:
                score += ply
            entry_depth = entry >> DEPTH_SHIFT & DEPTH_MASK
            i = entry >> BOUND_SHIFT & BOUND_MASK
            if (
                not principal
                and not self.exact
                and entry_depth >= depth
                and (
                    i == EXACT_BOUND
                    or (i == LOWER_BOUND and score >= beta)
                    or (i == UPPER_BOUND and score <= alpha)
                )
            ):
                return score

        # 4. The moves, best first.
        if forced and ply == 0:
            end = self.without_barred(start, end)
            forced = end > start
        complete = forced
        sorted_end = start
        if forced:
            self.ordering.rate(start, end, known_move)
        else:
            end = sorted_end = self.ordering.first(start, known_move)
            if ply == 0:
                end = sorted_end = self.without_barred(start, end)
        old_alpha = alpha
        i = start - 1
        while True:
            i += 1
            if i == end and not complete:
                complete = True
                end = self.position.generate(self.position.side, i)
                if end == start:
                    return self.stuck(ply)
                if ply == 0:
                    end = self.without_barred(i, end)
                end = self.ordering.rest(start, i, end)
            at = i
            if i >= end:
                if off == off_end:
                    break
                at = self.put_off[off]
                off += 1
            elif sorted_end <= i < sorted_end + PICKED:
                self.ordering.pick(i, end)
            move = self.position.found[at]
            quiet = self.ordering.scores[at] < CAPTURE_FIRST
            if (
                at == i
                and quiet
                and not principal
                and best > -WON
                and not forced
                and not self.exact
                and depth <= LATE_DEPTH
                and tried >= LATE_BASE + LATE_STEP * depth * depth
            ):
                continue
            work = 0
            if self.shared and tried and depth >= SHARED_DEPTH and not self.exact:
                work = self.position.key ^ move
                if not self.table.claim(work):
                    work = 0
                    if at == i and off_end < PUT_OFF * (ply + 1):
                        self.put_off[off_end] = i
                        off_end += 1
                        continue
            self.position.make(move)
            if depth > 1:
                self.table.fetch(self.position.key ^ self.tint)
            tried += 1
            if tried == 1:
                score = -self.alphabeta(depth - 1, -beta, -alpha, ply + 1)
            else:
                reduction = 0
                if (
                    quiet
                    and depth >= REDUCE_DEPTH
                    and tried > REDUCE_AFTER
                    and not self.exact
                    and not (self.position.side == ATTACKER and king_roads(self.position))
                ):
                    reduction = (
                        self.logarithms[min(depth, 63)] * self.logarithms[min(tried, 63)] * 5 // 7
                        + HALF
                    ) >> 20
                    if principal:
                        reduction -= 1
                    reduction = max(0, min(reduction, depth - 2))
                score = -self.alphabeta(depth - 1 - reduction, -alpha - 1, -alpha, ply + 1)
                if score > alpha and reduction:
                    score = -self.alphabeta(depth - 1, -alpha - 1, -alpha, ply + 1)
                if alpha < score < beta:
                    score = -self.alphabeta(depth - 1, -beta, -alpha, ply + 1)
            self.position.unmake()
            if work:
                self.table.release(work)
            if self.stopped:
                return 0
            if score > best:
                best = score
                best_move = move
                if ply == 0:
                    self.root_score = score
                if score > alpha:
                    alpha = score
                    self.keep_line(move, ply)
                    if score >= beta:
                        if quiet:
                            # Where moves were put off, not all before this one have failed.
                            self.ordering.reward(
                                start if off_end == PUT_OFF * ply else at, at, depth
                            )
                        break

        # 5. What has been learnt.
        if self.exact or (ply == 0 and self.barred_count):
            return best
        score = best
        if best > WON:
            score = best + ply
        elif best < -WON:
            score = best - ply
        self.table.store(
            self.position.key ^ self.tint,
            best_move,
            score,
            depth,
            LOWER_BOUND if best >= beta else EXACT_BOUND if best > old_alpha else UPPER_BOUND,
        )
        return best

    def quiesce(
        self, alpha: cython.int, beta: cython.int, ply: cython.int, left: cython.int
    ) -> cython.int:
        """The score once captures are over and no road of the king's stands open.

        At most *left* plies are followed.
        """
        i: cython.int
        score: cython.int
        best: cython.int
        start: cython.int = FIRST_LIST + ply * MAX_MOVES
        end: cython.int
        self.lengths[ply] = 0
        if self.count_node():
            return 0
        score = self.ending(ply)
        if score != NOTHING:
            return score
        if self.position.side == DEFENDER:
            if king_roads(self.position):
                return MATE - ply - 1
        elif king_takers(self.position, start) > start:
            return MATE - ply - 1
        if not self.position.has_move(self.position.side):
            return self.stuck(ply)
        if ply >= MAX_PLY - 1 or left == 0:
            return self.static_score()
        if (
            self.position.side == ATTACKER
            and king_roads(self.position)
            and not self.may_end_otherwise()
        ):
            # Whoever does not block has lost; nobody may stand still.
            best = ply + 2 - MATE
            end = road_blocks(self.position, start)
            for i in range(start, end):
                self.position.make(self.position.found[i])
                score = -self.quiesce(-beta, -max(alpha, best), ply + 1, left - 1)
                self.position.unmake()
                if self.stopped:
                    return 0
                if score > best:
                    best = score
                    if best >= beta:
                        break
            return best
        best = self.static_score()
        if best >= beta:
            return best
        end = capturing(self.position, start)
        for i in range(start, end):
            self.position.make(self.position.found[i])
            score = -self.quiesce(-beta, -max(alpha, best), ply + 1, left - 1)
            self.position.unmake()
            if self.stopped:
                return 0
            if score > best:
                best = score
                if best >= beta:
                    break
        return best

    def without_barred(self, start: cython.int, end: cython.int) -> cython.int:
        """Take the barred moves out of the list from *start* to *end*; the new end."""
        i: cython.int
        move_at: cython.int
        kept: cython.int = start
        for move_at in range(start, end):
            for i in range(self.barred_count):
                if self.position.found[move_at] == self.barred[i]:
                    break
            else:
                self.position.found[kept] = self.position.found[move_at]
                self.ordering.scores[kept] = self.ordering.scores[move_at]
                kept += 1
        return kept

    def count_node(self) -> cython.bint:
        """Count a node; whether the search has to stop."""
        self.nodes += 1
        if (self.node_limit and self.nodes > self.node_limit) or (
            self.deadline and self.nodes % CLOCK_NODES == 0 and now() >= self.deadline
        ):
            self.stopped = True
        return self.stopped

    def ending(self, ply: cython.int) -> cython.int:
        """The score if the last move has ended the game, ``NOTHING`` if not.

        A side without a move is found where its moves are generated. A first
        return to a position of this search is scored as what a further one brings.
        """
        rule: cython.int = self.position.repetition
        found: cython.int
        found = judge_board(self.position)
        if found:
            return self.verdict(found, ply)
        if rule != NEVER:
            found = judge_repetition(self.position)
            if found:
                return self.verdict(found, ply)
        if self.position.quiet_limit and self.position.quiet >= self.position.quiet_limit:
            return self.draw(ply) if self.position.has_move(self.position.side) else self.stuck(ply)
        if self.has_returned():
            if rule == DEFENDERS_LOSE:
                return REPEATED if self.position.side == ATTACKER else -REPEATED
            if rule == MOVER_LOSES:
                return REPEATED
            if rule == MOVER_WINS:
                return -REPEATED
            return self.draw(ply)
        return NOTHING

    def may_end_otherwise(self) -> cython.bint:
        """Whether a move that blocks nothing may yet end the game by a rule of counting.

        Then the king's open road does not force an answer. A repetition ends the game
        only in a position that the game has seen: in the search the king would have won.
        """
        limit: cython.int = self.position.quiet_limit
        return self.may_repeat or (limit > 0 and self.position.quiet + 1 >= limit)

    def verdict(self, ending: cython.int, ply: cython.int) -> cython.int:
        """The score of an ending of the core."""
        winner: cython.int = ending >> WINNER_SHIFT
        if winner == 0:
            return self.draw(ply)
        return MATE - ply if winner == self.position.side else ply - MATE

    def draw(self, ply: cython.int) -> cython.int:
        """The score of a draw: it costs the side that moves at the root.

        Who takes it for even repeats moves against a weak player when he is behind.
        """
        return DRAWN if ply % 2 else -DRAWN

    def has_returned(self) -> cython.bint:
        """Whether the position has stood on the board before, not earlier than the root."""
        earlier: cython.int = self.position.ply - 4
        first: cython.int = max(self.root, self.position.ply - self.position.quiet)
        while earlier >= first:
            if self.position.keys[earlier] == self.position.key:
                return True
            earlier -= 2
        return False

    def stuck(self, ply: cython.int) -> cython.int:
        """The score of a side to move that has no move."""
        if self.position.no_move_draws and (
            self.position.side == DEFENDER or self.position.count[ATTACKER]
        ):
            return self.draw(ply)
        return ply - MATE

    def static_score(self) -> cython.int:
        """The evaluation from the side to move."""
        score: cython.int = self.evaluation.score(self.position)
        return score if self.position.side == DEFENDER else -score

    def keep_line(self, move: cython.int, ply: cython.int) -> cython.void:
        """Put *move* before the line found below it."""
        i: cython.int
        row: cython.int = ply * MAX_PLY
        below: cython.int = self.lengths[ply + 1]
        self.lines[row] = move
        for i in range(below):
            self.lines[row + 1 + i] = self.lines[row + MAX_PLY + i]
        self.lengths[ply] = min(below + 1, MAX_PLY - 1)


def now() -> cython.double:
    """Seconds since some moment in the past, by a clock that nobody sets."""
    if cython.compiled:
        moment: timespec  # C declares it here
        clock_gettime(CLOCK_MONOTONIC, cython.address(moment))  # noqa: F821
        return moment.tv_sec + moment.tv_nsec * 1e-9  # noqa: F821
    return time.monotonic()
