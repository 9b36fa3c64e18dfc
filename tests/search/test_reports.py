"""What a search reports: several variations, chosen first moves, win chances, many threads."""

import pytest

from taflengine import core
from taflengine.engines.engine import Limits
from taflengine.engines.report import Report, variation_of
from taflengine.engines.search import Searcher
from taflengine.errors import GameOverError
from taflengine.game import Game
from taflengine.notation import parse_move, parse_rows
from taflengine.pieces import Side

DEPTH = 4 if core.form() == "compiled" else 2


def last_report(game: Game, limits: Limits, **wanted: object) -> Report:
    *_, last = Searcher(1).deepen(game, limits, **wanted)  # type: ignore[arg-type]
    return last


def test_each_variation_begins_with_another_move_and_the_best_comes_first() -> None:
    game = Game("brandubh")
    report = last_report(game, Limits(depth=DEPTH), multipv=5)
    firsts = [variation.line[0] for variation in report.variations]
    assert len(set(firsts)) == 5
    assert set(firsts) <= set(game.legal_moves())
    scores = [variation.score for variation in report.variations]
    assert scores == sorted(scores, reverse=True)
    assert report.score == scores[0]


def test_there_are_no_more_variations_than_moves() -> None:
    game = Game("brandubh", parse_rows("7/a6/7/7/3k3/7/7"), Side.ATTACKER)
    assert len(game.legal_moves()) == 10
    report = last_report(game, Limits(depth=2), multipv=500)
    assert len(report.variations) == 10


def test_lines_can_be_played() -> None:
    for name in ("brandubh", "tablut", "copenhagen"):
        report = last_report(Game(name), Limits(depth=DEPTH), multipv=3)
        for variation in report.variations:
            game = Game(name)
            for move in variation.line:
                game.play(move)


def test_only_the_moves_that_count_are_looked_at() -> None:
    game = Game("brandubh")
    some = game.legal_moves()[5:7]
    report = last_report(game, Limits(depth=DEPTH), multipv=9, moves=some)
    assert {variation.line[0] for variation in report.variations} == set(some)
    best = last_report(game, Limits(depth=DEPTH)).line[0]
    others = [move for move in game.legal_moves() if move != best]
    assert last_report(game, Limits(depth=DEPTH), moves=others).line[0] in others


def test_a_win_that_does_not_count_is_not_reported() -> None:
    game = Game("brandubh", parse_rows("7/7/7/k6/7/a2a3/7"), Side.DEFENDER)
    win = parse_move("a4-a7", 7).move
    assert last_report(game, Limits(depth=3)).line == (win,)
    others = [move for move in game.legal_moves() if move != win]
    report = last_report(game, Limits(depth=3), moves=others)
    assert report.line[0] != win


def test_moves_that_are_not_legal_are_refused() -> None:
    with pytest.raises(ValueError, match="none of these moves is legal"):
        Searcher(1).deepen(Game("brandubh"), Limits(depth=1), moves=[])


def test_a_win_chance_is_between_its_ends_and_grows_with_the_score() -> None:
    chances = [variation_of(score, (), 200).win_chance for score in (-500, -50, 0, 50, 500)]
    assert chances == sorted(chances)
    assert chances[2] == 0.5
    assert chances[0] + chances[-1] == pytest.approx(1)
    assert variation_of(29_990, (), 200).win_chance == 1
    assert variation_of(-29_990, (), 200).win_chance == 0


@pytest.mark.skipif(core.form() != "compiled", reason="plain Python runs one thread at a time")
def test_several_threads_search_together() -> None:
    searcher = Searcher(4, threads=3)
    for name in ("brandubh", "copenhagen"):
        game = Game(name)
        before = (game.key, game.board)
        *_, last = searcher.deepen(game, Limits(depth=6))
        assert last.depth == 6
        assert last.line[0] in game.legal_moves()
        assert (game.key, game.board) == before
        *_, last = searcher.deepen(game, Limits(seconds=0.1))
        assert last.nodes > 100
        *_, last = searcher.deepen(game, Limits(nodes=9_000))
        assert last.nodes <= 9_100


def test_a_copy_of_a_game_is_a_game_of_its_own() -> None:
    game = Game("copenhagen")
    for text in ("d1-d2", "f8-g8", "d2-d1", "g8-f8") * 2:
        if not game.outcome:
            game.play_text(text)
    assert game.outcome
    twin = game.copy()
    assert (twin.key, twin.board, twin.plies) == (game.key, game.board, game.plies)
    assert (twin.outcome, twin.side_to_move) == (game.outcome, game.side_to_move)
    twin.undo(3)
    assert len(game.plies) == len(twin.plies) + 3
    assert game.key != twin.key


def test_a_game_is_asked_for_its_best_move() -> None:
    game = Game("brandubh", parse_rows("7/7/7/k6/7/a2a3/7"), Side.DEFENDER)
    assert game.best_move(depth=2) == parse_move("a4-a7", 7).move
    assert game.best_move(nodes=100) == parse_move("a4-a7", 7).move
    assert not game.plies
    game.play_text("a4-a7")
    with pytest.raises(GameOverError, match="defender wins"):
        game.best_move()
