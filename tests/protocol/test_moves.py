"""Commands that make moves, take them back, and tell of positions."""

import re
from itertools import permutations

import pytest
from talk import CAPTURE, CORNERED, DRAWN, KING_TAKEN, SHUFFLE, THREE, VARIANTS, Talk

from taflengine.errors import Refusal

# Moves


@pytest.mark.parametrize("name", VARIANTS)
def test_legal_is_sorted_whole_and_agrees_with_is_legal(name: str) -> None:
    """By origin, then target, files before ranks; asked by side or by square it is the same."""
    talk = Talk(f"newgame {name}", "set_param seed 5", "set_param engine random")
    for _ in range(6):
        talk.do(f"genmove {talk.do('side')}")
    mover = talk.do("side")
    squares = [
        f"{'abcdefghijklmnopqrs'[file]}{rank + 1}" for file in range(19) for rank in range(19)
    ]
    order = {square: index for index, square in enumerate(squares)}
    for side in ("attacker", "defender"):
        moves = talk.do(f"legal {side}").split()
        pairs = [move.split("-") for move in moves]
        assert pairs == sorted(pairs, key=lambda pair: [order[square] for square in pair])
        by_square = [talk.do(f"legal {square}") for square in dict.fromkeys(p[0] for p in pairs)]
        assert " ".join(by_square).split() == moves
        allowed = {talk.do(f"is_legal {move}") for move in moves}
        assert allowed <= {"true" if side == mover else "false"}
    assert talk.do("legal") == talk.do(f"legal {mover}")
    assert talk.do("perft 1") == str(len(talk.do("legal").split()))


def test_is_legal_is_whether_play_would_do_it() -> None:
    """All 49 x 49 pairs of squares, and of the refused ones each has a reason that is known."""
    talk = Talk("newgame brandubh")
    squares = [f"{file}{rank}" for file in "abcdefg" for rank in range(1, 8)]
    legal = talk.do("legal").split()
    reasons = {refusal.value for refusal in Refusal}
    for origin, target in [*permutations(squares, 2), *zip(squares, squares, strict=True)]:
        move = f"{origin}-{target}"
        assert talk.do(f"is_legal {move}") == ("true" if move in legal else "false")
        if move not in legal:
            said = re.fullmatch(
                rf"\? illegal move: {move}: (.*?)( at \w+)?", talk.ask(f"play {move}")
            )
            assert said
            assert said[1] in reasons


@pytest.mark.parametrize(
    "line",
    [
        "play d1-d2",
        "play d1d2",
        "play d1 d2",
        "play D1-D2",
        "play d1 - d2",
        "play Kd1-d2",
        "play K d1-d2",
        "play attacker d1-d2",
        "play attackers d1 d2",
        "play a d1d2",
        "play black d1-d2",
        "play b d1-d2",
        "play ATTACKER d1-d2",
        "play\tAttacker\t d1-d2 # with a comment",
        # N04: order and repetition of captures do not matter, marks are skipped
        "play d1-d2xc2xd3xe2",
        "play d1-d2xe2xd3xc2",
        "play d1-d2xc2/d3/e2",
        "play d1-d2xC2xD3xE2",
        "play d1-d2xc2xc2xd3xe2",
        "play d1-d2xc2/d3xe2",
        "play d1-d2 x c2 x d3 x e2",
        "play d1-d2xc2xd3xe2+",
        "play d1-d2+",
        "play d1-d2++",
        "play d1-d2-",
        "play d1-d2--",
    ],
)
def test_ways_to_write_a_move(line: str) -> None:
    talk = Talk(*THREE)
    assert talk.do(line) == "c2 d3 e2"
    assert talk.do("history") == "d1-d2xc2xd3xe2"


@pytest.mark.parametrize("suffix", ["", "xc3", "xC3", "xc3xc3", "+", "xc3++"])
def test_the_king_may_be_missing_among_captures(suffix: str) -> None:
    assert Talk(*KING_TAKEN, "undo").do(f"play e3-d3{suffix}") == "c3"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        # N02: ranks of two digits
        ("play f10-f9", ""),
        ("play f10f9", ""),
        ("legal a10", ""),
        ("is_legal a8-a10", "true"),
        ("is_legal a8a10", "true"),
        ("is_legal a10a1", "false"),
        ("is_legal a10-k10", "false"),
        ("is_legal k8-k10", "true"),
    ],
)
def test_ranks_of_two_digits(line: str, answer: str) -> None:
    assert Talk().do(line) == answer


@pytest.mark.parametrize(
    "name", ["brandubh", "hnefatafl", "copenhagen", "tablut-bologna", "ard-ri"]
)
def test_history_can_be_played_again(name: str) -> None:
    talk = Talk(f"newgame {name}", "set_param engine random", "set_param seed 2")
    for _ in range(60):
        if talk.do("result") == "ongoing":
            talk.do(f"genmove {talk.do('side')}")
    moves = talk.do("history").split()
    assert any("x" in move for move in moves), "a game without a capture shows little"
    again = Talk(f"newgame {name}")
    for move in moves:
        assert sorted(again.do(f"play {move}").split()) == sorted(move.split("x")[1:])
    assert again.do("hash") == talk.do("hash")
    assert again.do("history") == talk.do("history")


# Undo


@pytest.mark.parametrize("lines", [CAPTURE, [*THREE, "play d1-d2"], KING_TAKEN, CORNERED, DRAWN])
def test_undo_restores_everything(lines: list[str]) -> None:
    talk = Talk(*lines[:-1])
    before = talk.state()
    talk.do(lines[-1])
    assert talk.state() != before
    talk.do("undo")
    assert talk.state() == before
    talk.do(lines[-1])
    talk.do("undo 1")
    assert talk.state() == before


def test_undo_of_many_moves() -> None:
    talk = Talk("newgame brandubh")
    states = [talk.state()]
    for line in CAPTURE[1:]:
        talk.do(line)
        states.append(talk.state())
    talk.do("undo 3")
    assert talk.state() == states[2]
    assert talk.ask("undo 3") == "? cannot undo: 3 plies: allowed are 1 to 2"
    assert talk.state() == states[2]
    talk.do("undo 2")
    assert talk.state() == states[0]
    assert talk.ask("undo") == "? cannot undo: no move has been played"


@pytest.mark.usefixtures("rule_files")
def test_undo_restores_the_quiet_counter() -> None:
    """Two quiet plies, a capture taken back, two more: the fourth quiet ply draws."""
    talk = Talk("newgame @quick.toml", "setposition 7/7/7/k6/3d3/1ad1d1a/3a3 a")
    for line in ("play g2-f2", "play a4-a5"):
        talk.do(line)
    assert talk.do("play d1-d2") == "c2 d3 e2"
    talk.do("undo")
    for line in ("play d1-c1", "play a5-a4"):
        assert talk.do("result") == "ongoing"
        assert talk.do(line) == ""
    assert talk.do("result") == "draw quiet-moves"
    talk.do("undo")
    assert talk.do("result") == "ongoing"


def test_undo_forgets_occurrences() -> None:
    """The eighth ply makes the third occurrence, again and again, and only while it is made."""
    talk = Talk(*DRAWN)
    for _ in range(3):
        assert talk.do("result") == "draw repetition"
        talk.do("undo")
        assert talk.do("result") == "ongoing"
        talk.do(SHUFFLE[-1])
    talk.do("undo 8")
    for line in SHUFFLE:
        talk.do(line)
    assert talk.do("result") == "ongoing"


# Positions and keys


@pytest.mark.parametrize("name", VARIANTS)
def test_a_position_can_be_set_again(name: str) -> None:
    talk = Talk(f"newgame {name}", "set_param engine random", "set_param seed 1")
    for _ in range(7):
        before = [talk.do(line) for line in ("position", "hash", "legal", "showboard")]
        talk.do(f"setposition {before[0]}")
        assert [talk.do(line) for line in ("position", "hash", "legal", "showboard")] == before
        talk.do(f"genmove {talk.do('side')}")


def test_the_key_is_of_placement_and_side() -> None:
    one = Talk("newgame brandubh", "play d6-c6", "play d5-c5", "play d2-c2")
    other = Talk("newgame brandubh", "play d2-c2", "play d5-c5", "play d6-c6")
    assert one.do("hash") == other.do("hash")
    assert re.fullmatch(r"[0-9a-f]{16}", one.do("hash"))
    rows = one.do("position").split()[0]
    keys = set()
    for name in ("brandubh", "magpie", "ard-ri"):
        for side in ("attacker", "defender"):
            talk = Talk(f"newgame {name}", f"setposition {rows} {side}")
            keys.add((side, talk.do("hash")))
    assert len(keys) == len({key for _, key in keys}) == 2
    assert ("defender", one.do("hash")) in keys


@pytest.mark.parametrize("name", ["brandubh", "hnefatafl", "tablut-bologna"])
def test_divide_is_perft_by_move(name: str) -> None:
    talk = Talk(f"newgame {name}")
    *lines, total = talk.do("divide 2").splitlines()
    assert [line.split()[0] for line in lines] == talk.do("legal").split()
    assert total == f"total {sum(int(line.split()[1]) for line in lines)}"
    assert total == f"total {talk.do('perft 2')}"
    assert talk.do("perft 0") == "1"


def test_what_has_been_played_counts_in_perft() -> None:
    """One ply before a draw by repetition one of the moves has no moves behind it."""
    talk = Talk(*DRAWN[:-1])
    counts = dict(line.split() for line in talk.do("divide 2").splitlines())
    assert counts["c5-d5"] == "0"
    talk.do("set_param repetition off")
    assert dict(line.split() for line in talk.do("divide 2").splitlines())["c5-d5"] == "40"
