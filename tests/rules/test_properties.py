"""What holds in every position of every game: undo, asking, turning, refusals, keys, text."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from pictures import on_board, symmetries, turned_board, turned_rules
from strategies import variants

from taflengine.analysis import call_of, threats_of
from taflengine.core import form
from taflengine.core.evaluation import attackers_beside_king, steps_gained
from taflengine.errors import IllegalMoveError, Refusal
from taflengine.game import Game
from taflengine.geometry import SIZES, geometry_of
from taflengine.notation import (
    Board,
    Move,
    format_move,
    format_picture,
    format_rows,
    parse_move,
    parse_picture,
    parse_rows,
    parse_square,
    square_name,
)
from taflengine.pieces import MEN, Piece, Side
from taflengine.refusals import refusal_of
from taflengine.rules import Outcome, Variant
from taflengine.variants.catalogue import VARIANTS

COMPILED = form() == "compiled"
PLAYED = settings(
    max_examples=100 if COMPILED else 15,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)

FROM_START = (
    "copenhagen",
    "tablut-bologna",
    "alea-evangelii",
    "ard-ri",
    "brandubh",
    "magpie",
    "tablut-linnaean",
    "tawlbwrdd-lewis",
    "sea-battle-9",
    "fetlar-panel",
)
CROWDED = (
    ("copenhagen", 7),
    ("copenhagen", 9),
    ("tablut-bologna", 9),
    ("alea-evangelii", 9),
    ("ard-ri", 7),
    ("brandubh", 7),
    ("old-hnefatafl", 7),
    ("tablut-linnaean", 7),
    ("tablut-smith", 7),
    ("tawlbwrdd-lewis", 7),
    ("simple", 7),
)
"""Games on small boards, full of pieces, in which much happens in few moves."""

CHOICES = st.builds(
    lambda seed, plies: Random(seed).choices(range(10_000), k=plies),
    st.integers(0, 9999),
    st.integers(0, 80 if COMPILED else 40),
)
"""Which of the legal moves is played at each ply. Fewer plies of one seed are the same plies."""


class Beginning(NamedTuple):
    """Where a game begins. ``str`` of it repeats a failure."""

    variant: Variant
    board: Board
    side: Side

    def game(self) -> Game:
        """A new game from here."""
        return Game(self.variant, self.board, self.side)

    def __repr__(self) -> str:
        return f"{self.variant.name} {format_rows(self.board)} {self.side.value}"


@st.composite
def crowded(draw: st.DrawFn) -> Beginning:
    """A position set up at random on a small board."""
    variant = on_board(*draw(st.sampled_from(CROWDED)))
    geometry = variant.geometry
    camps = frozenset[int]().union(*variant.camp_groups)
    free = set(range(geometry.area)) - variant.corner_squares - {geometry.centre}
    squares = draw(st.lists(st.sampled_from(sorted(free)), min_size=6, max_size=28, unique=True))
    pieces: list[Piece | None] = [None] * geometry.area
    king = next((square for square in squares if square not in camps), geometry.centre)
    king = draw(st.sampled_from((king, geometry.centre)))
    for number, square in enumerate(squares):
        defender = number % 5 < 2 and square not in camps
        pieces[square] = Piece.DEFENDER if defender else Piece.ATTACKER
    pieces[king] = Piece.KING
    return Beginning(variant, Board(geometry.size, tuple(pieces)), draw(st.sampled_from(Side)))


def of_start(variant: Variant) -> Beginning:
    """The start of *variant*."""
    return Beginning(variant, variant.start, variant.first)


BUILT_IN = st.sampled_from(FROM_START).map(lambda name: of_start(VARIANTS[name]))
BEGINNINGS = crowded() | BUILT_IN | variants().map(of_start)


def playing(game: Game, choices: list[int]) -> Iterator[Move]:
    """Play legal moves by *choices*; stops after each."""
    for choice in choices:
        moves = game.legal_moves()
        if not moves:
            break
        move = moves[choice % len(moves)]
        game.play(move)
        yield move
    if game.outcome:
        event(str(game.outcome))


def play(game: Game, choices: list[int]) -> Game:
    """*game*, after legal moves by *choices*."""
    for _ in playing(game, choices):
        pass
    return game


class State(NamedTuple):
    """All that can be seen of a game."""

    board: Board
    side: Side
    key: int
    plies: tuple[object, ...]
    outcome: Outcome | None
    moves: list[Move]


def state(game: Game) -> State:
    """All that can be seen of *game*."""
    return State(
        game.board, game.side_to_move, game.key, game.plies, game.outcome, game.legal_moves()
    )


# Taking back, and playing again.


@PLAYED
@given(BEGINNINGS, CHOICES)
def test_what_is_taken_back_has_never_been(beginning: Beginning, choices: list[int]) -> None:
    game = beginning.game()
    seen = [state(game)]
    moves = []
    for move in playing(game, choices):
        moves.append(move)
        seen.append(state(game))
    for before in reversed(seen[:-1]):
        game.undo()
        assert state(game) == before
    for move, after in zip(moves, seen[1:], strict=True):
        game.play(move)
        assert state(game) == after
    if moves:
        half = len(moves) // 2
        game.undo(len(moves) - half)
        assert state(game) == seen[half]


@PLAYED
@given(BEGINNINGS, CHOICES)
def test_captures_are_the_pieces_that_are_gone(beginning: Beginning, choices: list[int]) -> None:
    """And they belong to the other side; nothing else changes but the piece that moved."""
    game = beginning.game()
    before, side = game.board, game.side_to_move
    for move in playing(game, choices):
        captured = game.plies[-1].captured
        assert list(captured) == sorted(captured)
        expected = list(before.pieces)
        expected[move.target], expected[move.origin] = expected[move.origin], None
        for square in captured:
            victim = expected[square]
            assert victim is not None
            assert victim.side is side.other
            expected[square] = None
        assert game.board.pieces == tuple(expected)
        before, side = game.board, game.side_to_move


# Asking changes nothing.


@PLAYED
@given(BEGINNINGS, CHOICES)
def test_asking_changes_nothing(beginning: Beginning, choices: list[int]) -> None:
    game = play(beginning.game(), choices)
    before = state(game)
    for side in Side:
        game.legal_moves(side)
        threats_of(game, side)
    for square in range(game.variant.geometry.area):
        game.moves_from(square)
    call_of(game)
    if game.board.squares_of(Piece.KING):
        assert 0 <= attackers_beside_king(game.position) <= 4
        steps_gained(game.position)
    assert game.perft(1) == len(before.moves)
    assert game.divide(1) == dict.fromkeys(before.moves, 1)
    for move in before.moves[:20]:
        game.check(move)
        with game.trying(move):
            assert game.position.key != before.key
    assert state(game) == before
    if len(before.moves) < 60:
        game.perft(2)
    assert state(game) == before
    for number in range(len(game.plies), 0, -1):
        game.undo()
        assert len(game.plies) == number - 1
    assert (game.board, game.side_to_move) == (beginning.board, beginning.side)


@PLAYED
@given(BEGINNINGS, CHOICES)
def test_moves_are_listed_in_order_and_by_square(beginning: Beginning, choices: list[int]) -> None:
    game = play(beginning.game(), choices)
    board, order = game.board, game.variant.geometry.order
    by_square = [
        (piece, game.moves_from(square)) for square, piece in enumerate(board.pieces) if piece
    ]
    for side in Side:
        moves = game.legal_moves(side)
        assert moves == sorted(moves, key=lambda move: (order[move.origin], order[move.target]))
        assert len(moves) == len(set(moves))
        own = [move for piece, found in by_square if piece.side is side for move in found]
        assert sorted(own) == sorted(moves)


# Turning the board.


@PLAYED
@given(BEGINNINGS, CHOICES, st.integers(1, 7))
def test_a_turned_game_goes_as_the_game(
    beginning: Beginning, choices: list[int], symmetry: int
) -> None:
    image = symmetries(beginning.board.size)[symmetry]
    game = beginning.game()
    turned = Game(
        turned_rules(beginning.variant, image),
        turned_board(beginning.board, image),
        beginning.side,
    )

    def turned_move(move: Move) -> Move:
        return Move(image[move.origin], image[move.target])

    for move in playing(game, choices):
        turned.play(turned_move(move))
        captured = [image[square] for square in game.plies[-1].captured]
        assert sorted(captured) == list(turned.plies[-1].captured)
        assert turned_board(game.board, image) == turned.board
        assert sorted(map(turned_move, game.legal_moves())) == sorted(turned.legal_moves())
        assert game.outcome == turned.outcome


# Refusing.


def truth(variant: Variant, board: Board, side: Side, move: Move) -> set[tuple[Refusal, int]]:
    """Everything that stands against *move*, each with the square where it does."""
    size, piece = board.size, board.pieces[move.origin]
    if piece is None:
        return {(Refusal.EMPTY, move.origin)}
    if piece.side is not side:
        return {(Refusal.OPPONENT, move.origin)}
    if move.origin == move.target:
        return {(Refusal.STILL, move.origin)}
    (rank, file), (to_rank, to_file) = divmod(move.origin, size), divmod(move.target, size)
    if rank != to_rank and file != to_file:
        return {(Refusal.DIAGONAL, move.origin)}
    ranks = range(min(rank, to_rank), max(rank, to_rank) + 1)
    files = range(min(file, to_file), max(file, to_file) + 1)
    path = {r * size + f for r in ranks for f in files} - {move.origin}
    found = {(Refusal.BLOCKED, square) for square in path if board.pieces[square]}
    reach = {
        Piece.ATTACKER: variant.attacker_reach,
        Piece.DEFENDER: variant.defender_reach,
        Piece.KING: variant.king_reach,
    }[piece]
    if reach and len(path) > reach:
        found.add((Refusal.REACH, move.origin))
    centre = variant.geometry.centre
    if variant.throne and move.target == centre and piece not in variant.throne_stop:
        found.add((Refusal.THRONE_STOP, centre))
    if variant.throne and centre in path - {move.target} and piece not in variant.throne_cross:
        found.add((Refusal.THRONE_CROSS, centre))
    if piece in MEN:
        found |= {(Refusal.CORNER, square) for square in path & variant.corner_squares}
    for group in variant.camp_groups:
        if piece is not Piece.ATTACKER or move.origin not in group:
            found |= {(Refusal.CAMP, square) for square in path & group}
    return found


@settings(PLAYED, max_examples=40 if COMPILED else 10)
@given(BEGINNINGS, CHOICES, st.integers())
def test_exactly_the_illegal_moves_are_refused_with_a_true_reason(
    beginning: Beginning, choices: list[int], seed: int
) -> None:
    game = play(beginning.game(), choices[:20])
    assume(not game.outcome)
    variant, board, side = game.variant, game.board, game.side_to_move
    area = variant.geometry.area
    pairs = list(product(range(area), repeat=2))
    if len(pairs) > 2500:
        pairs = Random(seed).sample(pairs, 1000) + [
            (origin, target)
            for origin, target in product(board.squares_of(Piece.KING), range(area))
        ]
    legal = set(game.legal_moves())
    for move in map(Move._make, pairs):
        against = truth(variant, board, side, move)
        assert (move in legal) == (not against), format_move(move, board.size)
        if move in legal:
            game.check(move)
            with pytest.raises(ValueError, match="is a legal move"):
                refusal_of(variant, board, side, move)
            continue
        reason, sentence = refusal_of(variant, board, side, move)
        name = sentence.removeprefix(reason.value).removeprefix(" at ")
        place = parse_square(name, board.size) if name else move.origin
        assert (reason, place) in against, f"{format_move(move, board.size)}: {sentence}"
        with pytest.raises(IllegalMoveError) as caught:
            game.check(move)
        assert caught.value.reason is reason
        assert str(caught.value) == f"illegal move: {format_move(move, board.size)}: {sentence}"


# Keys.


@PLAYED
@given(BEGINNINGS, CHOICES)
def test_a_key_says_who_stands_where_and_who_moves(
    beginning: Beginning, choices: list[int]
) -> None:
    game = beginning.game()
    seen: dict[int, tuple[Board, Side]] = {}
    for _ in playing(game, choices):
        position = (game.board, game.side_to_move)
        assert seen.setdefault(game.key, position) == position
        if game.board.squares_of(Piece.KING):
            by_hand = Game(game.variant, *position)
            assert by_hand.key == game.key
            assert Game(game.variant, game.board, game.side_to_move.other).key != game.key
    assert len(set(seen.values())) == len(seen)
    assert all(0 <= key < 1 << 64 for key in seen)


@PLAYED
@given(BEGINNINGS, CHOICES, st.integers())
def test_moves_in_another_order_lead_to_the_same_key(
    beginning: Beginning, choices: list[int], seed: int
) -> None:
    game = play(beginning.game(), choices[:10])
    random = Random(seed)
    for _ in range(20):
        (one, two), (other_one, other_two) = (random.sample(moves, 2) for moves in two_each(game))
        ways = (
            [one, other_one, two, other_two],
            [one, other_two, two, other_one],
            [two, other_one, one, other_two],
            [two, other_two, one, other_one],
        )
        ends = [end for way in ways if (end := reached(game, way))]
        if len(ends) > 1:
            assert len(set(ends)) == 1
            return
    assume(False)


def two_each(game: Game) -> tuple[list[Move], list[Move]]:
    """The moves of the side to move and of the other, if each has two at least."""
    both = game.legal_moves(), game.legal_moves(game.side_to_move.other)
    assume(all(len(moves) > 1 for moves in both))
    return both


def reached(game: Game, moves: list[Move]) -> tuple[Board, int] | None:
    """Board and key after *moves*, None if one is illegal or captures; *game* is unchanged."""
    played, quiet = 0, True
    for move in moves:
        if move not in game.legal_moves():
            break
        quiet = not game.play(move) and quiet
        played += 1
    end = (game.board, game.key) if quiet and played == len(moves) else None
    if played:
        game.undo(played)
    return end


# Text there and back.

BOARDS = st.sampled_from(SIZES).flatmap(
    lambda size: st.lists(
        st.sampled_from((None, None, None, *Piece)), min_size=size * size, max_size=size * size
    ).map(lambda pieces: Board(size, tuple(pieces)))
)
TEXTS = settings(max_examples=100 if COMPILED else 30)


@pytest.mark.parametrize("size", SIZES)
def test_squares_as_text(size: int) -> None:
    names = [square_name(square, size) for square in range(size * size)]
    assert len(set(names)) == size * size
    for read in (str.lower, str.upper):
        assert [parse_square(read(name), size) for name in names] == list(range(size * size))
    by_text = sorted(
        range(size * size), key=lambda square: (names[square][0], int(names[square][1:]))
    )
    assert tuple(by_text) == geometry_of(size).by_file


@TEXTS
@given(st.data(), st.sampled_from(SIZES))
def test_moves_as_text(data: st.DataObject, size: int) -> None:
    squares = st.integers(0, size * size - 1)
    move = Move(data.draw(squares), data.draw(squares))
    captures = data.draw(st.lists(squares, max_size=4))
    text = format_move(move, size)
    assert parse_move(text, size) == (move, None)
    origin, target = text.split("-")
    between = data.draw(st.sampled_from(("-", "", " ", " - ")))
    taken = "".join(f"x{square_name(square, size)}" for square in captures)
    if data.draw(st.booleans()):
        taken = taken[:1] + "/".join(taken[1:].split("x"))
    king, mark = (
        data.draw(st.sampled_from(("", "K"))),
        data.draw(st.sampled_from(("", "+", "++", "-", "--"))),
    )
    written = f"{king}{origin}{between}{target}{taken}{mark}"
    assert parse_move(written, size) == (move, frozenset(captures) or None)
    assert parse_move(written.upper(), size) == parse_move(written, size)


@TEXTS
@given(BOARDS)
def test_boards_as_text(board: Board) -> None:
    rows = format_rows(board)
    assert parse_rows(rows) == parse_rows(f"/{rows}/") == board
    assert parse_rows(rows.upper()) == board
    if Piece.ATTACKER in board.pieces or Piece.DEFENDER in board.pieces:
        assert parse_rows(rows.translate(str.maketrans("adk", "tTK"))) == board
    picture = format_picture(board)
    assert parse_picture(picture) == board
    assert parse_picture(picture.upper().replace(" ", "").replace("\n", "\n\n")) == board
