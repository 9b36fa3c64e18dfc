"""Random play in which the core and the slow checker are compared ply by ply.

Play is steered: games begin in positions drawn so that each ending and each kind
of capture is near, and moves that capture or end the game are preferred. What
occurred is counted, so that a test can ask whether everything did.
"""

import random
from collections import Counter

from slow_rules import SlowGame

from taflengine.errors import NotationError
from taflengine.game import Game
from taflengine.notation import Board, Move, format_rows, parse_rows, square_name
from taflengine.pieces import Piece, Side
from taflengine.rules import Variant
from taflengine.variants.plain import to_plain

A, D, K = Piece.ATTACKER, Piece.DEFENDER, Piece.KING
PLIES_A_GAME = 60


class Scene:
    """An empty board of a rule set on which a position is drawn at random."""

    def __init__(self, variant: Variant, generator: random.Random) -> None:
        self.variant = variant
        self.size = variant.size
        self.chance = generator
        self.pieces: list[Piece | None] = [None] * variant.geometry.area
        self.inner = [
            square
            for square in range(variant.geometry.area)
            if not variant.geometry.is_edge(square)
        ]
        self.closed = set(variant.corner_squares).union(*variant.camp_groups)
        if variant.throne:
            self.closed.add(variant.geometry.centre)

    def put(self, square: int, piece: Piece) -> None:
        """Place *piece* unless something stands there or it may not."""
        if self.pieces[square] is None and (
            square not in self.closed
            or (piece is K and square == self.variant.geometry.centre and self.variant.throne)
        ):
            self.pieces[square] = piece

    def scatter(self, piece: Piece, count: int, among: list[int] | None = None) -> None:
        """Place up to *count* of *piece* anywhere, or on squares of *among*."""
        squares = list(range(len(self.pieces))) if among is None else among
        for square in self.chance.sample(squares, min(count, len(squares))):
            self.put(square, piece)

    def at(self, file: int, rank: int) -> int | None:
        """The square, None off the board."""
        inside = 0 <= file < self.size and 0 <= rank < self.size
        return rank * self.size + file if inside else None

    def around(self, square: int, distance: int) -> list[int]:
        """The squares at that many king's steps."""
        file, rank = square % self.size, square // self.size
        near = range(-distance, distance + 1)
        found = [
            self.at(file + x, rank + y)
            for x in near
            for y in near
            if max(abs(x), abs(y)) == distance
        ]
        return [each for each in found if each is not None]

    def turned(self) -> Board:
        """The position in a random symmetry, with a king in any case."""
        if K not in self.pieces:
            free = [
                square
                for square, piece in enumerate(self.pieces)
                if piece is None and square not in self.closed | self.variant.goal_squares
            ]
            self.pieces[self.chance.choice(free)] = K
        image = self.chance.choice(self.variant.geometry.symmetries())
        turned: list[Piece | None] = [None] * len(self.pieces)
        for square, piece in enumerate(self.pieces):
            turned[image[square]] = piece
        return Board(self.size, tuple(turned))


def sparse(scene: Scene) -> None:
    """A few pieces anywhere."""
    scene.put(scene.chance.choice(scene.inner), K)
    scene.scatter(A, scene.chance.randint(1, scene.size))
    scene.scatter(D, scene.chance.randint(0, scene.size // 2))


def siege(scene: Scene) -> None:
    """Attackers close to the king, who is often on or beside the centre."""
    centre = scene.variant.geometry.centre
    anywhere = scene.chance.randrange(len(scene.pieces))
    king = scene.chance.choice([centre, scene.chance.choice(scene.around(centre, 1)), anywhere])
    scene.put(king, K)
    scene.scatter(A, 4, scene.around(king, 1))
    scene.scatter(A, scene.size, scene.around(king, 2) + scene.around(king, 3))
    scene.scatter(D, 2)


def ring(scene: Scene) -> None:
    """A ring of attackers round the king, with a gap or two, and perhaps a defender outside."""
    middle = scene.chance.choice(scene.inner)
    scene.put(middle, K)
    scene.scatter(D, scene.chance.randint(0, 3), scene.around(middle, 1))
    squares = scene.around(middle, scene.chance.choice([1, 2, 2]))
    for square in squares:
        scene.put(square, A)
    for square in scene.chance.sample(squares, 2):
        if scene.pieces[square] is A:
            scene.pieces[square] = None
    scene.scatter(A, 4)
    scene.scatter(D, scene.chance.choice([0, 0, 1]))


def wall(scene: Scene) -> None:
    """A row along the edge, or two with a gap between, that a move into the gap may take."""
    row, front = scene.chance.choice([(A, D), (D, A)])
    gap = scene.chance.randint(1, scene.size - 2)
    for direction in scene.chance.choice([(1,), (-1,), (1, -1)]):
        to_corner = gap - 1 if direction < 0 else scene.size - 2 - gap
        length = to_corner if scene.chance.random() < 0.3 else scene.chance.randint(1, 4)
        king = scene.chance.randint(1, 8)
        for step in range(1, length + 1):
            square, before = (
                scene.at(gap + step * direction, 0),
                scene.at(gap + step * direction, 1),
            )
            if square is None or before is None:
                break
            scene.put(square, K if row is D and step == king and K not in scene.pieces else row)
            if scene.chance.random() < 0.95:
                scene.put(before, front)
        end = scene.at(gap + (length + 1) * direction, 0)
        if end is not None:
            scene.put(end, front)
    closer = scene.at(gap, scene.chance.randint(1, scene.size - 2))
    assert closer is not None
    scene.put(
        closer, K if front is D and K not in scene.pieces and scene.chance.random() < 0.3 else front
    )
    scene.scatter(front, 3)
    scene.scatter(row, 2)


def fort(scene: Scene) -> None:
    """The king on the edge among defenders who nearly make a fort."""
    file = scene.chance.randint(2, scene.size - 4)
    scene.put(file, K)
    for x, y in ((-1, 0), (-1, 1), (0, 2), (1, 2), (2, 1), (2, 0), (0, 1), (1, 1)):
        square = scene.at(file + x, y)
        if square is not None and scene.chance.random() < 0.8:
            scene.put(square, D)
    scene.scatter(D, scene.size // 2)
    scene.scatter(A, scene.chance.randint(1, scene.size))


def pen(scene: Scene) -> None:
    """The king alone on the edge with one side open, or a side's last man penned in."""
    file = scene.chance.choice([0, 1, scene.size // 2])
    loser, front = (K, A) if scene.chance.random() < 0.7 else (A, D)
    scene.put(file, loser)
    for square in scene.around(file, 1)[: scene.chance.choice([2, 3, 4, 5])]:
        scene.put(square, front)
    beside = [each for each in (scene.at(file - 1, 0), scene.at(file + 1, 0)) if each is not None]
    for square in beside:
        scene.put(square, front)
    scene.scatter(front, 2 * scene.size)
    scene.scatter(D if loser is K else A, scene.chance.choice([0, 0, 1]))


SCENES = {
    "start": None,
    "sparse": sparse,
    "shuffle": sparse,
    "siege": siege,
    "ring": ring,
    "wall": wall,
    "fort": fort,
    "pen": pen,
}
"""How positions are drawn. From a shuffle on, play avoids captures."""


class Comparison:
    """Plays games under one rule set on both sides and counts what occurred."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.variant = variant
        self.chance = random.Random(f"{variant.name} {seed}")
        self.rules = to_plain(variant)
        self.counts: Counter[str] = Counter()

    def run(self, plies: int) -> Counter[str]:
        """Play games until at least *plies* moves have been compared."""
        while self.counts["plies"] < plies:
            self.play_one()
        return self.counts

    def play_one(self) -> None:
        """Compare one game from a drawn position."""
        kind = self.chance.choice([*SCENES, *["wall"] * (5 if self.variant.shieldwall else 0)])
        drawing = SCENES[kind]
        board, side = self.variant.start, self.variant.first
        if drawing:
            scene = Scene(self.variant, self.chance)
            drawing(scene)
            board, side = scene.turned(), self.chance.choice(list(Side))
        try:
            game = Game(self.variant, board, side)
        except NotationError:
            self.counts["positions refused"] += 1
            return
        slow = SlowGame(self.rules, format_rows(game.board), side.value)
        self.counts["games"] += 1
        limit = 4 * PLIES_A_GAME if kind == "shuffle" else PLIES_A_GAME
        for _ in range(limit):
            self.compare_position(game, slow)
            if game.outcome:
                self.counts[str(game.outcome)] += 1
                break
            self.compare_move(game, slow, self.choose(game, quiet=kind == "shuffle"))

    def choose(self, game: Game, *, quiet: bool) -> Move:
        """A legal move: often one that ends the game or captures, sometimes a step back.

        In a quiet game steps back are frequent and nothing is sought.
        """
        moves = game.legal_moves()
        if len(game.plies) > 1 and self.chance.random() < (0.3 if quiet else 0.1):
            last = game.plies[-2].move
            back = Move(last.target, last.origin)
            if back in moves:
                return back
        if not quiet and self.chance.random() < 0.5:
            moves = self.eventful(game, moves) or moves
        return self.chance.choice(moves)

    def eventful(self, game: Game, moves: list[Move]) -> list[Move]:
        """Those of *moves* that end the game; else those that capture."""
        ending, capturing = [], []
        men = game.position.pieces().count(0)
        for move in moves:
            with game.trying(move) as outcome:
                if outcome:
                    ending.append(move)
                if game.position.pieces().count(0) != men:
                    capturing.append(move)
        return ending or capturing

    def compare_position(self, game: Game, slow: SlowGame) -> None:
        """Legal moves, result and position text agree."""
        size = self.variant.size
        fast = {
            (square_name(move.origin, size), square_name(move.target, size))
            for move in game.legal_moves()
        }
        assert fast == slow.legal_moves(), self.report(
            game, "legal moves", fast, slow.legal_moves()
        )
        result = str(game.outcome or "ongoing")
        assert result == slow.result(), self.report(game, "result", result, slow.result())
        rows = format_rows(game.board)
        assert rows == slow.rows(), self.report(game, "position", rows, slow.rows())
        assert parse_rows(rows) == game.board

    def compare_move(self, game: Game, slow: SlowGame, move: Move) -> None:
        """Captures agree; taking the move back restores key, board and history."""
        size = self.variant.size
        before = (game.key, game.board, game.plies)
        captured = game.play(move)
        game.undo()
        assert (game.key, game.board, game.plies) == before
        assert game.play(move) == captured
        fast = {square_name(square, size) for square in captured}
        other = slow.play(square_name(move.origin, size), square_name(move.target, size))
        assert fast == other, self.report(game, "captures", fast, other)
        self.counts["plies"] += 1
        self.counts[f"captures of {min(len(captured), 3)}"] += 1
        if slow.shieldwall_rows:
            self.counts["shieldwall"] += 1
            self.counts.update(f"shieldwall {note}" for note in slow.shieldwall_notes)

    def report(self, game: Game, what: str, fast: object, slow: object) -> str:
        """Where and how the two differ, enough to play it again."""
        start = f"{format_rows(game.start)} {game.first.value}"
        moves = " ".join(
            "-".join(square_name(square, self.variant.size) for square in ply.move)
            for ply in game.plies
        )
        return (
            f"{what} in {self.variant.name}\nfrom {start}\nmoves {moves}\ncore {fast}\nslow {slow}"
        )
