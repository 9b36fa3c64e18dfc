"""The search: proven wins are real and soonest, limits hold, the same search is the same again."""

import random
import threading
import time
from collections import Counter
from dataclasses import replace

import pytest
from agreement import SCENES, Scene
from solver import plies_to_win

from taflengine import core
from taflengine.core.codes import INFINITE
from taflengine.core.evaluation import Evaluation
from taflengine.core.ordering import History
from taflengine.core.search import Search
from taflengine.core.table import Table
from taflengine.core.tables import CODES, SIDES
from taflengine.core.weights import weights_of
from taflengine.engines.engine import Limits
from taflengine.engines.oneply import OnePly
from taflengine.engines.report import Report
from taflengine.engines.search import SearchEngine, Searcher
from taflengine.errors import NotationError
from taflengine.game import Game
from taflengine.notation import parse_rows
from taflengine.pieces import Piece, Side
from taflengine.variants.catalogue import VARIANTS

compiled_only = pytest.mark.skipif(
    core.form() != "compiled", reason="takes too long where the core is plain Python"
)


def last_report(game: Game, limits: Limits) -> Report:
    *_, last = Searcher(1).deepen(game, limits)
    return last


def test_a_new_search_is_at_no_depth_yet() -> None:
    """Its helpers look where it is: that of the search before is not."""
    game = Game("brandubh")
    evaluation = Evaluation(game.position, weights_of(game.variant))
    search = Search(game.position, evaluation, Table(1), History(game.position))
    search.run(2, -INFINITE, INFINITE)
    assert search.horizon == 2
    search.begin(0)
    assert search.horizon == 0


def won_positions(name: str, count: int, plies: int) -> list[tuple[Game, int]]:
    """Positions that the side to move wins by force, by brute force, with the plies it takes."""
    variant, chance = VARIANTS[name], random.Random(f"won {name}")
    found: list[tuple[Game, int]] = []
    while len(found) < count:
        scene = Scene(variant, chance)
        drawing = SCENES[chance.choice(["sparse", "siege", "ring", "fort"])]
        assert drawing
        drawing(scene)
        try:
            game = Game(variant, scene.turned(), chance.choice(list(Side)))
        except NotationError:
            continue
        if game.outcome or len(game.legal_moves()) > 60:
            continue
        needed = plies_to_win(game, plies)
        at_once = sum(each == 1 for _, each in found)
        if needed and (needed > 1 or at_once < count // 4):
            found.append((game, needed))
    return found


WON = ("brandubh", "magpie", "ard-ri", "tablut", "tablut-bologna", "hnefatafl", "tawlbwrdd-lewis")


@compiled_only
@pytest.mark.parametrize("name", WON)
def test_forced_wins_are_found_with_their_length(name: str) -> None:
    lengths = Counter[int]()
    for game, needed in won_positions(name, count=30, plies=3):
        before = (game.key, game.board)
        report = last_report(game, Limits(depth=12, nodes=300_000))
        assert (game.key, game.board) == before
        assert report.plies_to_end == needed, game.board
        lengths[needed] += 1
    assert lengths[3] >= 20


@compiled_only
@pytest.mark.parametrize("name", ["brandubh", "tablut", "copenhagen"])
def test_a_won_position_is_won_in_time(name: str) -> None:
    """Against every defence that a search finds, in no more plies than were proven."""
    for game, needed in won_positions(name, count=8, plies=3):
        winner, engine = game.side_to_move, SearchEngine(Limits(depth=8), 1)
        for _ in range(needed):
            assert not game.outcome
            game.play(engine.choose(game, None))
        assert game.outcome
        assert game.outcome.winner is winner


def test_the_same_search_is_the_same_again() -> None:
    limits = Limits(nodes=20_000 if core.form() == "compiled" else 500)
    reports = [last_report(Game("copenhagen"), limits) for _ in range(2)]
    assert reports[0]._replace(seconds=0) == reports[1]._replace(seconds=0)


@compiled_only
def test_limits_hold() -> None:
    game = Game()
    assert last_report(game, Limits(depth=4)).depth == 4
    assert last_report(game, Limits(nodes=5_000)).nodes <= 5_000
    begun = time.monotonic()
    last_report(game, Limits(seconds=0.2))
    assert 0.1 < time.monotonic() - begun < 1.0  # wide, for machines that are busy


@compiled_only
def test_a_search_is_stopped_from_another_thread() -> None:
    searcher, reports = Searcher(1), []
    started = threading.Event()

    def think() -> None:
        for report in searcher.deepen(Game(), Limits()):
            reports.append(report)
            started.set()

    thread = threading.Thread(target=think)
    thread.start()
    assert started.wait(10)
    searcher.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert reports


@pytest.mark.parametrize("name", VARIANTS)
def test_the_evaluation_has_no_favourite_corner(name: str) -> None:
    """All eight turns and mirrors of a position are worth the same; the start is worth 0."""
    variant, chance = VARIANTS[name], random.Random(name)
    start = Game(variant).position
    evaluation = Evaluation(start, weights_of(variant))
    assert evaluation.points(start) == 0
    game = Game(variant)
    for _ in range(30):
        if game.outcome:
            break
        game.play(chance.choice(game.legal_moves()))
    board = game.board
    if game.position.king_square() < 0:
        return
    values = set()
    for image in variant.geometry.symmetries():
        pieces: list[Piece | None] = [None] * len(board.pieces)
        for square, piece in enumerate(board.pieces):
            pieces[image[square]] = piece
        turned = Game(variant).position
        turned.set_up([CODES[piece] for piece in pieces], SIDES[Side.ATTACKER])
        values.add(evaluation.points(turned))
    assert len(values) == 1


@compiled_only
@pytest.mark.parametrize("name", ["hnefatafl", "copenhagen", "brandubh", "tablut"])
@pytest.mark.parametrize("side", Side)
def test_it_beats_the_house_opponent(name: str, side: Side) -> None:
    """Two games from each side after two random plies; a hundred are a benchmark's business."""
    for seed in range(2):
        game, chance = Game(name), random.Random(seed)
        for _ in range(2):
            game.play(chance.choice(game.legal_moves()))
        engine, house = SearchEngine(Limits(nodes=50_000), 1), OnePly()
        while not game.outcome and len(game.plies) < 300:
            mover = engine if game.side_to_move is side else house
            game.play(mover.choose(game, chance))
        assert game.outcome
        assert game.outcome.winner is side


def test_one_legal_move_is_played_at_once() -> None:
    game = Game("magpie", parse_rows("7/7/7/7/7/7/2aka2"), Side.DEFENDER)
    (only,) = game.legal_moves()
    assert SearchEngine(Limits(), 1).choose(game, None) == only


CROWDED = (
    "1d1aa1d4/aa2a2d1dd/dd2d1dddd1/2ad5da/1a3d1ada1/d1a3a2da/"
    "2kd1ad1d2/2a2d2d1a/5aa4/1da2d2da1/5a3d1"
)
LONG_WIN = "7/a1aa3/1a3a1/1a5/2k3d/1aaa3/2d2a1"


@compiled_only
@pytest.mark.parametrize(
    ("name", "rows", "side"),
    [("fetlar", CROWDED, Side.ATTACKER), ("brandubh-federation", LONG_WIN, Side.DEFENDER)],
)
def test_limits_hold_where_there_is_much_to_see(name: str, rows: str, side: Side) -> None:
    """Captures without end, or a long win at depth 1 whose soonest form is looked for."""
    game = Game(name, parse_rows(rows), side)
    begun = time.monotonic()
    report = last_report(game, Limits(nodes=1_000, seconds=60))
    assert report.nodes <= 1_001
    assert report.line[0] in game.legal_moves()
    last_report(game, Limits(seconds=0.05))
    assert time.monotonic() - begun < 5  # wide, for machines that are busy


@compiled_only
def test_rule_sets_do_not_share_what_was_learnt() -> None:
    """One searcher that has looked at the position under other rules answers as a fresh one."""
    rows = parse_rows("7/5k1/7/1ad1aa1/1a5/2a1a2/7")
    limits = Limits(depth=3)
    searcher = Searcher(1)
    list(searcher.deepen(Game("magpie", rows, Side.ATTACKER), limits))
    game = Game("brandubh", rows, Side.ATTACKER)
    *_, mixed = searcher.deepen(game, limits)
    assert mixed._replace(seconds=0) == last_report(game, limits)._replace(seconds=0)


@compiled_only
def test_a_repetition_that_wins_is_seen_beside_an_open_road() -> None:
    game = Game("copenhagen", parse_rows("11/11/7a3/11/11/11/k10/4a6/11/11/11"), Side.DEFENDER)
    for text in ("a5-a6", "h9-h8", "a6-a5", "h8-h9", "a5-a6", "h9-h8", "a6-a5"):
        game.play_text(text)
    report = last_report(game, Limits(depth=3))
    assert report.plies_to_end == 1
    game.play(report.line[0])
    assert str(game.outcome) == "attacker repetition"


@compiled_only
def test_a_quiet_move_draw_is_no_win() -> None:
    variant = replace(VARIANTS["brandubh"], name="short", quiet_plies=2)
    game = Game(variant, parse_rows("7/7/7/7/a6/3k3/7"), Side.DEFENDER)
    assert last_report(game, Limits(depth=3)).plies_to_end is None


def test_a_stop_before_the_first_depth_still_gives_a_move() -> None:
    game = Game("brandubh")
    report = last_report(game, Limits(nodes=1))
    assert report.depth == 0
    assert report.line[0] in game.legal_moves()
