"""Every picture in ``cases``, on all eight sides of the board; the title is the test's id."""

import json
from pathlib import Path
from typing import Any

import pytest
from pictures import SYMMETRIES, Case, read_cases, symmetries, told, turned

from taflengine.errors import IllegalMoveError
from taflengine.game import Game
from taflengine.notation import (
    format_move,
    format_picture,
    parse_move,
    parse_picture,
    parse_side,
    square_name,
)

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases").glob("*.txt"))
    for case in read_cases(path)
]
REFERENCE = Path(__file__).parents[3] / "shared" / "rules" / "cases.jsonl"


@pytest.mark.parametrize("symmetry", range(8), ids=SYMMETRIES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_case(case: Case, symmetry: int) -> None:
    check(turned(case, symmetries(case.rules.size)[symmetry]))


def check(case: Case) -> None:
    """Make the move of *case* and compare; then take it back."""
    game = Game(case.rules, case.before, case.side)
    key = game.key
    assert (case.move in game.legal_moves()) == (not case.refused), (
        f"{case}\ngot: other legal moves"
    )
    got = attempt(game, case)
    assert got == case.expected, f"{case}\ngot: {got}"
    assert game.board == case.after, f"{case}\ngot:\n{format_picture(game.board)}"
    if not case.refused:
        game.undo()
    assert (game.board, game.key, game.side_to_move) == (case.before, key, case.side), str(case)


def attempt(game: Game, case: Case) -> str:
    """Make the move of *case* and say in one line what came of it."""
    size = case.before.size
    try:
        captured = game.play(case.move, by=case.side)
    except IllegalMoveError as error:
        _, sentence = str(error).split(f"illegal move: {format_move(case.move, size)}: ")
        named = sentence.startswith(error.reason.value)
        return f"refused: {sentence if named else error.reason}"
    return told(captured, game.outcome or "ongoing", size)


def test_titles_differ() -> None:
    titles = [case.title for case in CASES]
    assert len(titles) == len(set(titles))


def reference() -> list[dict[str, Any]]:
    if not REFERENCE.exists():
        return []
    return [json.loads(line) for line in REFERENCE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.skipif(not REFERENCE.exists(), reason="shared/rules/cases.jsonl is not here")
@pytest.mark.parametrize("line", reference(), ids=lambda line: line["id"])
def test_reference_case(line: dict[str, Any]) -> None:
    board = parse_picture("\n".join(line["rows"]).lower())
    expect = line["expect"]
    game = Game(line["variant"], board, parse_side(line.get("first_to_move", line["to_move"])))
    for text in line.get("pre_moves", []):
        game.play(parse_move(text, board.size).move)
    assert game.side_to_move is parse_side(line["to_move"])
    move = parse_move(line["move"], board.size).move
    assert (move in game.legal_moves()) == expect["legal"]
    if not expect["legal"]:
        with pytest.raises(IllegalMoveError):
            game.play(move)
        return
    captured = game.play(move)
    winner = "ongoing"
    if game.outcome:
        winner = game.outcome.winner.value if game.outcome.winner else "draw"
    assert sorted(square_name(square, board.size) for square in captured) == expect["captures"]
    assert winner == expect["result"]
