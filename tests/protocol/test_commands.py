"""Every command through the dispatcher in this process: what it answers, and how it fails."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from program import ROOT

from taflengine.errors import Refusal
from taflengine.protocol.commands import all_commands
from taflengine.protocol.dispatcher import Dispatcher
from taflengine.protocol.parameters import PARAMETERS
from taflengine.protocol.session import Session
from taflengine.rules import Variant

START_7 = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
START_11 = "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3"
LITTLE = "otn:dim:7 name:Little ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
CAPTURE = ("newgame brandubh", "play d2-e2", "play c4-c5", "play f4-f5", "play d4-c4", "play e2-d2")
"""The fifth move captures d3."""
THREE = ("newgame brandubh", "setposition 7/7/7/k6/3d3/1ad1da1/3a3 a")
"""d1-d2 captures c2, d3 and e2; by rank they would be c2, e2, d3."""
KING_TAKEN = ("newgame brandubh", "setposition 7/7/7/7/1ak1a2/7/7 a", "play e3-d3")
CORNERED = ("newgame brandubh", "setposition 7/2a4/7/7/7/2a4/3k3 d", "play d1-g1")
SHUFFLE = ("play d6-c6", "play d5-c5", "play c6-d6", "play c5-d5")
"""Four plies of brandubh after which all stand as before."""
DRAWN = ("newgame brandubh", *SHUFFLE, *SHUFFLE)
ARD_RI_MOVES = """\
a3-a2 1
a3-b3 1
a5-a6 1
a5-b5 1
b4-b3 1
b4-b5 1
c1-b1 1
c1-c2 1
c7-b7 1
c7-c6 1
d2-c2 1
d2-e2 1
d6-c6 1
d6-e6 1
e1-e2 1
e1-f1 1
e7-e6 1
e7-f7 1
f4-f3 1
f4-f5 1
g3-f3 1
g3-g2 1
g5-f5 1
g5-g6 1
total 24"""
START_EVALUATION = """\
defenders 12 240
attackers 24 -240
attackers-beside-king 0 0
king-steps 0 0
total 0"""
STATE = (
    *("hash", "history", "position", "result", "captured"),
    *(f"get_param {name}" for name in PARAMETERS),
)
"""What a failure must leave as it is."""
WHOLE_STATE = (*STATE, "legal", "rules", "threats", "perft 2", "showboard")
"""All that commands can tell; asking takes longer."""
ENGINES = {
    "oneply": ("set_param engine oneply",),
    "random": ("set_param engine random",),
    "search": ("set_param engine search", "set_param depth 2", "set_param movetime 600"),
}
"""How each engine is chosen, so that its answers do not depend on how fast the machine is."""


class Talk:
    """A session in this process: a line in, the reply out."""

    def __init__(self, *lines: str) -> None:
        commands = all_commands()
        session = Session(commands)
        session.interrupts.heard_end()  # nobody will say stop
        self._dispatcher = Dispatcher(commands, session, pytest.fail)
        for line in lines:
            self.do(line)

    def ask(self, line: str) -> str:
        """The reply to *line* without the empty line at its end."""
        reply = self._dispatcher.answer(line)
        assert reply, f"{line!r} has no reply"
        text = reply.text + "".join(reply.parts or ())
        assert text.endswith("\n\n")
        return text[:-2]

    def do(self, line: str) -> str:
        """The answer to *line*, which must succeed."""
        reply = self.ask(line)
        assert reply.startswith("= "), f"{line}: {reply}"
        return reply[2:]

    def state(self, lines: Sequence[str] = WHOLE_STATE) -> dict[str, str]:
        """The answers to all *lines*."""
        return {line: self.do(line) for line in lines}


VARIANTS = [line.partition(":")[0] for line in Talk().do("variants").splitlines()]
COMMANDS = list(all_commands())


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory with rule files, good ones and bad ones."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "quick.toml": 'name = "quick"\nbased_on = "brandubh"\nquiet_plies = 4\n',
        "my own game.toml": 'name = "own"\nbased_on = "tablut"\nfirst = "defender"\n',
        "torn.toml": 'name = "torn"\nbased_on =\n',
        "odd.toml": 'name = "odd"\nbased_on = "brandubh"\nking_sides_elsewhere = 3\n',
        "key.toml": 'name = "key"\nbased_on = "brandubh"\ngoals = "edge"\n',
        "bytes.toml": 'name = "\udcff"\n',
    }.items():
        (tmp_path / name).write_bytes(text.encode(errors="surrogateescape"))


# What is answered


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        # the program
        (["protocol_version"], "2"),
        (["name"], "taflengine"),
        (["known_command play"], "true"),
        (["known_command Play"], "false"),
        (["known_command nosuchcommand"], "false"),
        (["help quit"], "quit\nEnd the session, after the answer."),
        # parameters
        (["get_param engine"], "oneply"),
        (["get_param repetition"], "on"),
        (["set_param engine random"], ""),
        (["set_param engine random", "get_param engine"], "random"),
        (["set_param engine random", "newgame brandubh", "get_param engine"], "random"),
        (["set_param seed 007", "get_param seed"], "7"),
        (["set_param seed 0", "get_param seed"], "0"),
        (["set_param seed 2147483647", "get_param seed"], "2147483647"),
        (["set_param repetition off", "get_param repetition"], "off"),
        (["set_param repetition off", "newgame", "get_param repetition"], "off"),
        (["set_param movetime 0.25", "get_param movetime"], "0.25"),
        (["set_param movetime 5", "get_param movetime"], "5"),
        # beginnings
        (["newgame"], ""),
        (["position"], f"{START_11} a"),
        (["newgame brandubh", "newgame", "position"], f"{START_7} a"),
        (["newgame BranDubh", "position"], f"{START_7} a"),
        ([f"newgame {LITTLE}", "position"], f"{START_7} a"),
        (["newgame @quick.toml", "position"], f"{START_7} a"),
        (["newgame @my own game.toml", "side"], "defender"),
        (["newgame tablut-bologna", "side"], "defender"),
        (["newgame alea-evangelii", "side"], "defender"),
        ([*CAPTURE, "newgame", "position"], f"{START_7} a"),
        ([*CAPTURE, "newgame", "captured"], "attacker 0\ndefender 0"),
        ([*CAPTURE, "clear_board", "history"], ""),
        ([*CAPTURE, "clear_board", "position"], f"{START_7} a"),
        ([*THREE, "clear_board", "position"], f"{START_7} a"),
        ([*CAPTURE, "boardsize 7", "history"], ""),
        # positions
        ([*THREE, "position"], "7/7/7/k6/3d3/1ad1da1/3a3 a"),
        ([*THREE, "setposition 7/2a4/7/3k3/7/2A4/7 Defenders", "side"], "defender"),
        ([*THREE, "setposition /7/2A4/7/3K3/7/2a4/7/ W", "position"], "7/2a4/7/3k3/7/2a4/7 d"),
        ([*THREE, "setposition 7/2t4/3T3/3K3/7/2t4/7 b", "position"], "7/2a4/3d3/3k3/7/2a4/7 a"),
        ([*CAPTURE, "setposition 7/2a4/7/3k3/7/2a4/7 a", "history"], ""),
        ([*CAPTURE, "setposition 7/2a4/7/3k3/7/2a4/7 a", "captured"], "attacker 0\ndefender 0"),
        ([*THREE, "setposition 7/7/7/3k3/7/7/7 a", "result"], "defender no-moves"),
        ([*THREE, "setposition k6/7/7/7/7/2a4/7 a", "result"], "ongoing"),
        # moves
        (["play d1-d3"], ""),
        (CAPTURE, "d3"),
        ([*THREE, "play d1-d2"], "c2 d3 e2"),
        (KING_TAKEN, "c3"),
        ([*CAPTURE, "history"], "d2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3"),
        ([*THREE, "play d1-d2", "history"], "d1-d2xc2xd3xe2"),
        ([*KING_TAKEN, "history"], "e3-d3xc3"),
        ([*THREE, "play d1-d2", "captured"], "attacker 0\ndefender 3"),
        ([*KING_TAKEN, "captured"], "attacker 0\ndefender 1"),
        ([*THREE, "play d1-d2", "undo", "captured"], "attacker 0\ndefender 0"),
        ([*CAPTURE, "side"], "defender"),
        (["newgame brandubh", "genmove attacker", "side"], "defender"),
        # results
        (["result"], "ongoing"),
        ([*KING_TAKEN, "result"], "attacker king-captured"),
        ([*CORNERED, "result"], "defender corner"),
        ([*DRAWN[:-1], "result"], "ongoing"),
        ([*DRAWN, "result"], "draw repetition"),
        (["newgame @quick.toml", *SHUFFLE[:3], "result"], "ongoing"),
        (["newgame @quick.toml", *SHUFFLE, "result"], "draw quiet-moves"),
        ([*KING_TAKEN, "final_score"], "B+"),
        ([*CORNERED, "final_score"], "W+"),
        ([*DRAWN, "final_score"], "0"),
        ([*KING_TAKEN, "side"], "defender"),
        ([*CORNERED, "side"], "attacker"),
        ([*CORNERED, "legal"], ""),
        ([*CORNERED, "legal attacker"], ""),
        ([*CORNERED, "legal c2"], ""),
        ([*CORNERED, "is_legal c2-c3"], "false"),
        ([*CORNERED, "threats"], ""),
        ([*CORNERED, "perft 0"], "1"),
        ([*CORNERED, "perft 3"], "0"),
        ([*CORNERED, "divide 3"], "total 0"),
        # questions
        (["newgame brandubh", "legal d4"], ""),
        (["newgame brandubh", "legal a1"], ""),
        (["newgame brandubh", "legal D3"], "d3-a3 d3-b3 d3-c3 d3-e3 d3-f3 d3-g3"),
        (["legal a8"], "a8-a9 a8-a10 a8-b8 a8-c8 a8-d8 a8-e8"),
        (["newgame brandubh", "is_legal d2-e2"], "true"),
        (["newgame brandubh", "is_legal d2 e2xd3"], "true"),
        (["newgame brandubh", "is_legal c4-c5"], "false"),
        (["newgame brandubh", "is_legal d2-d2"], "false"),
        (["newgame brandubh", "perft 1"], "40"),
        (["newgame ard-ri", "divide 1"], ARD_RI_MOVES),
        (["eval"], START_EVALUATION),
    ],
)
def test_answer(lines: list[str], answer: str) -> None:
    assert Talk(*lines[:-1]).do(lines[-1]) == answer


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_help_shows_usage_and_purpose(command: str) -> None:
    talk = Talk()
    usage, *purpose = talk.do(f"help {command}").splitlines()
    assert usage.split()[0] == command
    assert purpose
    assert f"{usage}: {purpose[0]}" in talk.do("help").splitlines()


def test_every_command_is_listed_and_known() -> None:
    talk = Talk()
    assert talk.do("list_commands").splitlines() == COMMANDS
    assert {talk.do(f"known_command {name}") for name in COMMANDS} == {"true"}
    assert [line.split()[0].rstrip(":") for line in talk.do("help").splitlines()] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS, ids=str)
@pytest.mark.parametrize("words", ["", "x", "x x x x x"])
def test_every_command_gives_back_its_id(command: str, words: str) -> None:
    talk = Talk("set_param movetime 0.001")
    assert re.match(r"[=?]17 ", talk.ask(f"017 {command} {words}"))


def test_version_says_what_runs() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+ (un)?compiled", Talk().do("version"))


# Rule sets


@pytest.mark.parametrize("name", VARIANTS)
def test_rules_are_json_with_every_key(name: str) -> None:
    talk = Talk("newgame brandubh")
    answer = talk.do(f"rules {name}")
    assert "\n" not in answer
    words = json.loads(answer)
    assert list(words) == [field.name for field in fields(Variant)]
    assert words["name"] == name
    assert talk.do(f"rules {name} json") == answer
    assert json.loads(talk.do("rules"))["name"] == "brandubh", "a question begins no game"
    talk.do(f"newgame {name}")
    assert talk.do("rules") == talk.do("rules json") == answer
    for alias in words["aliases"]:
        assert talk.do(f"rules {alias}") == answer


@pytest.mark.parametrize("name", VARIANTS)
def test_a_rules_string_says_the_same_game_or_fails(name: str) -> None:
    talk = Talk(f"newgame {name}")
    before = (talk.do("position"), talk.do("legal"))
    reply = talk.ask(f"rules {name} otn")
    assert talk.ask("rules otn") == reply
    if reply.startswith("?"):
        key = reply.split()[1].rstrip(":")
        assert key in json.loads(talk.do("rules")), reply
        return
    talk.do(f"newgame otn:{reply[2:]}")
    assert (talk.do("position"), talk.do("legal")) == before
    assert talk.do("rules otn") == reply[2:]


@pytest.mark.parametrize("size", [7, 9, 11, 13, 15, 19])
def test_boardsize_begins_the_usual_game(size: int) -> None:
    usual = {7: "brandubh", 9: "tablut", 11: "hnefatafl", 13: "parlett", 15: "tablut-15"}
    name = usual.get(size, "alea-evangelii")
    talk = Talk(f"boardsize {size}")
    assert json.loads(talk.do("rules"))["name"] == name
    assert talk.do("position").count("/") == size - 1


def test_newgame_says_what_it_means_by_a_file() -> None:
    talk = Talk("newgame @quick.toml")
    words = json.loads(talk.do("rules"))
    assert (words["name"], words["quiet_plies"], words["goal"]) == ("quick", 4, "corner")
    assert json.loads(talk.do("rules @quick.toml")) == words


def test_the_first_rule_set_listed_is_the_default() -> None:
    assert json.loads(Talk().do("rules"))["name"] == VARIANTS[0]


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


# Threats and evaluation


@pytest.mark.parametrize(
    ("name", "rows", "move", "answer"),
    [
        (
            "tablut-linnaean",
            "9/9/3a5/9/9/2k6/9/9/3a5 d",
            "c4-d4",
            "call tuichi\ndefender d4-a4 edge\ndefender d4-i4 edge",
        ),
        (
            "tablut-linnaean",
            "9/9/3a5/9/9/2k4a1/9/9/3a5 d",
            "c4-d4",
            "call raichi\ndefender d4-a4 edge",
        ),
        ("tablut-linnaean", "9/9/3a5/9/9/a1k5a/9/9/3a5 d", "c4-d4", ""),
        # two goal squares in one direction are one way
        (
            "tablut-smith",
            "9/9/9/9/9/9/9/3a4d/3ka4 d",
            "i2-i3",
            "call raichi\ndefender d1-a1 edge\ndefender d1-b1 edge\ndefender d1-c1 edge",
        ),
        # the attackers have moved: nothing to call, yet the king threatens
        (
            "tablut-linnaean",
            "9/9/3a5/9/9/3k5/9/9/3a5 a",
            "d1-e1",
            "defender d4-a4 edge\ndefender d4-d1 edge\ndefender d4-i4 edge",
        ),
        (
            "homeschool",
            "11/11/11/11/11/11/2ak7/11/4a6/11/9a1 a",
            "j1-j2",
            "call watch your king\nattacker e3-e5 king-captured",
        ),
        # a game without calls
        ("brandubh", "7/7/7/7/1ak2a1/7/1d5 d", "b1-c1", "attacker f3-d3 king-captured"),
        (
            "hnefatafl",
            "11/11/11/11/11/11/11/11/11/a10/3k7 d",
            "d1-e1",
            "defender e1-a1 corner\ndefender e1-k1 corner",
        ),
    ],
)
def test_threats(name: str, rows: str, move: str, answer: str) -> None:
    talk = Talk(f"newgame {name}", f"setposition {rows}", f"play {move}")
    before = talk.state()
    assert talk.do("threats") == answer
    assert talk.state() == before


def test_threats_do_not_look_back() -> None:
    """A draw by repetition hides no win, and a repetition that wins is no threat."""
    talk = Talk("newgame copenhagen", "setposition 11/11/11/4a6/11/5k5/11/11/11/a10/11 d")
    for line in (
        "play f6-f5",
        "play a2-a3",
        "play f5-f6",
        "play a3-a2",
        "play f6-f5",
        "play a2-a3",
    ):
        talk.do(line)
    assert talk.do("threats") == ""
    talk.do("play f5-f6")
    assert talk.do("threats") == ""
    talk.do("play a3-a2")
    assert talk.do("result") == "attacker repetition"


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        ("7/7/7/3k3/7/7/3d3", "1 20 0 0 0 0 0 0"),
        ("7/7/7/3k3/7/7/3a3", "0 0 1 -10 0 0 0 0"),
        ("7/7/3a3/2aka2/3a3/7/7", "0 0 4 -40 4 -140 0 0"),
        ("7/7/7/7/2k4/7/7", "0 0 0 0 0 0 2 24"),
        ("6k/7/7/7/7/7/7", "0 0 0 0 0 0 6 72"),
        ("7/7/7/7/2ka3/7/1d5", "1 20 1 -10 1 -35 2 24"),
    ],
)
def test_terms_of_the_evaluation(rows: str, answer: str) -> None:
    """Each counts by itself, from the defenders' point of view whoever is to move."""
    numbers = answer.split()
    names = ("defenders", "attackers", "attackers-beside-king", "king-steps")
    lines = [f"{name} {' '.join(numbers[2 * i : 2 * i + 2])}" for i, name in enumerate(names)]
    lines.append(f"total {sum(map(int, numbers[1::2]))}")
    for side in ("attacker", "defender"):
        talk = Talk("newgame brandubh", f"setposition {rows} {side}")
        assert talk.do("eval").splitlines() == lines


# Engines and parameters


def game_of(seed: int, *lines: str) -> str:
    """Ten moves of an engine after *lines*."""
    talk = Talk("newgame brandubh", f"set_param seed {seed}", *lines)
    for _ in range(10):
        talk.do(f"genmove {talk.do('side')}")
    return talk.do("history")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_seed_makes_games_repeatable(engine: str) -> None:
    games = [game_of(seed, *ENGINES[engine]) for seed in range(5)]
    assert games == [game_of(seed, *ENGINES[engine]) for seed in range(5)]
    assert (len(set(games)) > 1) == (engine != "search"), "search leaves nothing to chance"


def test_every_engine_is_tested() -> None:
    kind = str(PARAMETERS["engine"].kind)
    assert sorted(kind.split()[1:]) == sorted(ENGINES)


def test_setting_the_seed_again_begins_again() -> None:
    talk = Talk("newgame brandubh", "set_param engine random", "set_param seed 4")
    first = talk.do("genmove attacker")
    talk.do("genmove defender")
    talk.do("undo 2")
    talk.do("set_param seed 4")
    assert talk.do("genmove attacker") == first


def test_a_fresh_session_draws_its_seed() -> None:
    assert len({Talk().do("get_param seed") for _ in range(4)}) > 1


@pytest.mark.parametrize("engine", ENGINES)
def test_reg_genmove_changes_nothing_and_ignores_chance(engine: str) -> None:
    """Not even the sequence of random numbers moves on."""
    lines = ("newgame brandubh", *ENGINES[engine], "set_param seed 6")
    talk = Talk(*lines, "genmove attacker")
    before = talk.state()
    answer = talk.do("reg_genmove defender")
    assert talk.state() == before
    assert answer in talk.do("legal").split()
    for seed in range(5):
        talk.do(f"set_param seed {seed}")
        assert talk.do("reg_genmove defender") == answer
    one, other = Talk(*lines), Talk(*lines)
    for side in ("attacker", "defender") * 3:
        one.do(f"reg_genmove {side}")
        assert one.do(f"genmove {side}") == other.do(f"genmove {side}")


@pytest.mark.parametrize("engine", ["oneply", "search"])
@pytest.mark.parametrize(
    ("lines", "move"),
    [
        (("newgame brandubh", "setposition 7/2a4/7/7/7/2a4/4k2 d"), "e1-a1 e1-g1"),
        (("newgame brandubh", "setposition 7/7/7/7/1ak1a2/7/7 a"), "e3-d3"),
        (("newgame tablut", "setposition 9/9/9/9/a7a/3k5/9/9/9 d"), "d4-a4 d4-d1 d4-d9 d4-i4"),
    ],
)
def test_a_win_is_taken(lines: tuple[str, ...], move: str, engine: str) -> None:
    talk = Talk(*lines, *ENGINES[engine])
    side = talk.do("side")
    if engine == "oneply":
        assert talk.do(f"reg_genmove {side}") == move.split()[0]
    assert talk.do(f"genmove {side}") in move.split()
    assert talk.do("result").startswith(side)


def test_search_sees_what_one_ply_does_not() -> None:
    """The king goes where two ways lead to corners; one ply ahead nothing speaks for it."""
    talk = Talk("newgame brandubh", "setposition 2a4/7/7/7/2a4/4k2/7 d", *ENGINES["search"])
    talk.do("set_param depth 4")
    for _ in range(3):
        if talk.do("result") == "ongoing":
            talk.do(f"genmove {talk.do('side')}")
    assert talk.do("result") == "defender corner"


HINT = r"([a-g]\d-[a-g]\d) (?:.*, )?(?:score -?\d+ at depth \d+|a (?:win|loss) in \d+ plies)"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hint_is_a_legal_move_with_reasons_and_changes_nothing(engine: str) -> None:
    """The search gives it whatever engine is set."""
    talk = Talk("newgame brandubh", *ENGINES["search"], *ENGINES[engine], "set_param seed 1")
    for side in ("attacker", "defender"):
        before = talk.state()
        answer = talk.do("hint")
        found = re.fullmatch(HINT, answer)
        assert found, answer
        assert talk.do(f"is_legal {found[1]}") == "true"
        assert talk.do(f"hint {side}") == answer
        assert talk.state() == before
        talk.do(f"genmove {side}")


@pytest.mark.parametrize(
    ("lines", "beginning"),
    [
        (("setposition 7/2a4/7/7/7/2a4/4k2 d",), "e1-a1 wins (corner)"),
        (("setposition 7/7/7/7/1ak1a2/7/7 a",), "e3-d3 wins (king-captured)"),
        (CAPTURE[1:-1], "f5-f4 captures e4, "),
    ],
)
def test_a_hint_says_what_can_be_seen(lines: tuple[str, ...], beginning: str) -> None:
    talk = Talk("newgame brandubh", *lines, "set_param depth 3", "set_param movetime 600")
    assert talk.do("hint").startswith(beginning)


def test_parameters_are_listed_as_they_are() -> None:
    talk = Talk()
    for line in talk.do("list_params").splitlines():
        kind = r"choice(?: \w+)+|integer \d+ to \d+|seconds [\d.]+ to [\d.]+"
        found = re.fullmatch(rf"(\w+): ({kind}); default (.+?); (.+)", line)
        assert found, line
        name, words, default = found[1], found[2].split(), found[3]
        assert default in (talk.do(f"get_param {name}"), "drawn at the start")
        allowed = words[1:] if words[0] == "choice" else words[1::2]
        for text in allowed:
            talk.do(f"set_param {name} {text}")
            assert talk.do(f"get_param {name}") == text
        refusal = talk.ask(f"set_param {name} nosuchvalue")
        assert refusal.startswith("? 'nosuchvalue' is not allowed: say ")
        assert all(text in refusal for text in allowed)
        assert talk.do(f"get_param {name}") == allowed[-1]


def test_repetition_off_and_on() -> None:
    """Off, a game goes on; on, the position at hand is judged with all that was played."""
    talk = Talk("set_param repetition off", *DRAWN)
    assert talk.do("result") == "ongoing"
    talk.do("set_param repetition on")
    assert talk.do("result") == "draw repetition"
    assert talk.ask(SHUFFLE[0]).startswith("? illegal move: d6-c6: game over: draw (repetition)")
    talk.do("set_param repetition off")
    for line in SHUFFLE:
        talk.do(line)
        assert talk.do("result") == "ongoing"
    talk.do("newgame brandubh")
    for line in (*SHUFFLE, *SHUFFLE):
        talk.do(line)
    assert talk.do("result") == "ongoing"


def test_two_sessions_do_not_meet() -> None:
    one, other = Talk(*CAPTURE), Talk()
    before = other.state()
    one.do("set_param engine random")
    one.do("undo")
    assert other.state() == before


# How commands fail


NO_GAME = "is neither a rule set, which variants lists, nor a form: json or otn"
FAILURES: list[tuple[tuple[str, ...], str, str]] = [
    # what is done before, the line, its failure
    ((), "nosuchcommand", "unknown command: 'nosuchcommand'"),
    ((), "Name", "unknown command: 'Name', did you mean 'name'?"),
    ((), "newgme brandubh", "unknown command: 'newgme', did you mean 'newgame'?"),
    ((), "help nosuchcommand", "unknown command: 'nosuchcommand'"),
    # P07: missing and surplus words
    ((), "genmove", "usage: genmove SIDE"),
    ((), "genmove attacker defender", "usage: genmove SIDE"),
    ((), "play", "usage: play [SIDE] MOVE"),
    ((), "play attacker", "usage: play [SIDE] MOVE"),
    ((), "play attacker d1", "'d1' is no move: a move is two squares, as e4-e7"),
    ((), "play attacker d1-d3 d4", "'d1-d3 d4' is no move: a move is two squares, as e4-e7"),
    ((), "play attacker defender d1-d3", "'defender d1-d3' is no move: "),
    ((), "boardsize", "usage: boardsize SIZE"),
    ((), "boardsize eleven", "'eleven' is no whole number"),
    ((), "boardsize 11 11", "usage: boardsize SIZE"),
    ((), "undo x", "'x' is no whole number"),
    ((), "undo 1 1", "usage: undo [PLIES]"),
    ((), "set_param seed", "usage: set_param KEY VALUE"),
    ((), "set_param seed 1 2", "usage: set_param KEY VALUE"),
    ((), "setposition", "usage: setposition ROWS SIDE"),
    ((), f"setposition {START_11}", "usage: setposition ROWS SIDE"),
    ((), f"setposition {START_11} a d", "usage: setposition ROWS SIDE"),
    # parameters
    ((), "get_param nosuchkey", "'nosuchkey' is no parameter: allowed are engine "),
    ((), "set_param nosuchkey 1", "'nosuchkey' is no parameter: "),
    ((), "get_param Seed", "'Seed' is no parameter: "),
    ((), "set_param seed -1", "'-1' is not allowed: say a number from 0 to 2147483647"),
    ((), "set_param seed 2147483648", "'2147483648' is not allowed: say a number from 0"),
    ((), "set_param seed 1.5", "'1.5' is not allowed: say a number from 0"),
    ((), f"set_param seed {'9' * 60}", f"'{'9' * 40}...' is not allowed: say a number"),
    ((), "set_param engine Random", "'Random' is not allowed: say oneply or "),
    ((), "set_param movetime 0", "'0' is not allowed: say seconds from 0.001 to 86400"),
    ((), "set_param movetime 1e3", "'1e3' is not allowed: say seconds from 0.001 to 86400"),
    ((), "set_param movetime nan", "'nan' is not allowed: say seconds from 0.001 to 86400"),
    ((), "set_param depth 101", "'101' is not allowed: say a number from 0 to 100"),
    ((), "set_param hash 0", "'0' is not allowed: say a number from 1 to 65536"),
    ((), "set_param repetition maybe", "'maybe' is not allowed: say on or off"),
    # rule sets
    ((), "newgame brandub", "'brandub' is no rule set: did you mean brandubh?"),
    ((), "newgame copenhagn", "'copenhagn' is no rule set: did you mean copenhagen?"),
    ((), "newgame zzz", "'zzz' is no rule set: variants lists them"),
    ((), "newgame brandubh twice", "'brandubh twice' is no rule set: "),
    ((), "newgame @missing.toml", "missing.toml: cannot be read: No such file or directory"),
    ((), "newgame @torn.toml", "torn.toml, line 2, column 11: Invalid value"),
    ((), "newgame @odd.toml", "odd.toml, line 3: king_sides_elsewhere: allowed are 2"),
    ((), "newgame @key.toml", "key.toml, line 3: goals: there is no such key, did you mean goal?"),
    ((), "newgame @bytes.toml", "bytes.toml, line 1: not UTF-8 text"),
    ((), "newgame @.", ".: cannot be read: Is a directory"),
    ((), "newgame otn:", "OpenTafl rules, dim: allowed are odd sizes from 7 to 19"),
    ((), "newgame otn:dim:8", "OpenTafl rules, dim: allowed are odd sizes from 7 to 19"),
    ((), "newgame otn:dim:7 x:y", "OpenTafl rules: 'x' is no known key"),
    ((), "rules nosuchgame", f"'nosuchgame' {NO_GAME}"),
    ((), "rules brandubh xml", f"'xml' {NO_GAME}"),
    ((), "rules otn brandubh", "usage: rules [VARIANT] [FORM]"),
    ((), "rules json otn", "usage: rules [VARIANT] [FORM]"),
    ((), "rules @missing.toml", "missing.toml: cannot be read: "),
    ((), "rules copenhagen otn", "repetition: an OpenTafl rules string cannot say loss-defenders"),
    ((), "boardsize 8", "unacceptable size: allowed are 7 9 11 13 15 19"),
    ((), "boardsize 17", "unacceptable size: "),
    ((), "boardsize 0", "unacceptable size: "),
    ((), "boardsize -11", "unacceptable size: "),
    # N06: damaged positions
    (THREE, "setposition 7/7/7/7/7/7/7 a", "position with 0 kings: one is needed"),
    (THREE, "setposition 7/k6/7/7/7/k6/7 a", "position with 2 kings: one is needed"),
    (THREE, "setposition k6/7/7/3a3/7/7/7 a", "position: the attacker on d4 may not stand on the"),
    (THREE, "setposition k6/7/7/3d3/7/7/7 a", "position: the defender on d4 may not stand on the"),
    (
        THREE,
        "setposition 7/k6/7/7/7/7/a6 a",
        "position: the attacker on a1 may not stand on a corn",
    ),
    (
        THREE,
        "setposition 6d/k6/7/7/7/7/7 a",
        "position: the defender on g7 may not stand on a corn",
    ),
    (THREE, "setposition 7/7/7/3k3/7/7 a", "position of 6 rows: a board has an odd number of rows"),
    (THREE, "setposition 9/9/9/9/4k4/9/9/9/9 a", "position of 9 rows: the board of brandubh has 7"),
    (THREE, f"setposition {'k/' * 10000} a", "position of more than 19 rows: "),
    (THREE, "setposition 7/7/7/3k3/7/7/6 a", "row of rank 1 has 6 squares, the board has 7 rows"),
    (THREE, "setposition 7/8/7/3k3/7/7/7 a", "row of rank 6 has more than 7 squares, the board "),
    (THREE, "setposition 7/7/7/3k4/7/7/7 a", "row of rank 4 has more than 7 squares, the board "),
    (THREE, "setposition 7/7//3k3/7/7/7 a", "row of rank 5 has 0 squares, the board has 7 rows"),
    (THREE, "setposition 7/7/7/3k3/7/7/7// a", "position of 8 rows: a board has an odd number of"),
    (THREE, "setposition 7/7/7/3k3/7/7// a", "row of rank 1 has 0 squares, the board has 7 rows"),
    (THREE, "setposition 7/7/7/3k3/7/7/110 a", "row of rank 1 has more than 7 squares, "),
    (THREE, "setposition 7/7/7/3k3/7/7/07 a", "row of rank 1: '07' is no run of empty squares"),
    (THREE, "setposition 7/7/7/3k3/7/7/a0a5 a", "row of rank 1: '0' is no run of empty squares"),
    (
        THREE,
        "setposition 7/7/7/3k3/7/7/x6 a",
        "row of rank 1: 'x' is no piece: allowed are a A d D",
    ),
    (THREE, "setposition 7/7/7/3k3/7/7/t1a4 a", "row of rank 1: 'a' is no piece: allowed are t T"),
    (THREE, f"setposition 7/7/7/3k3/7/7/{'9' * 9999} a", "row of rank 1 has more than 7 squares"),
    (THREE, "setposition 7/7/7/3k3/7/7/7 x", "'x' is no side: say attacker or defender"),
    (
        ("newgame tablut-bologna",),
        "setposition 3d5/9/9/4k4/9/9/9/9/9 a",
        "position: the defender on d9",
    ),
    # squares and moves: N02, N04
    ((), "play a01-a2", "'a01' is no square: a square is a letter and a number, as e4"),
    ((), "play a1-a011", "'a011' is no square: "),
    ((), "play a1-a111", "'a111' is no square: "),
    ((), "play a1-0a1", "'a1-0a1' is no move: "),
    ((), "play a10b12", "'b12' is not on this board, which goes from a1 to k11"),
    ((), "play a0-a1", "'a0' is no square: "),
    ((), "play l1-l2", "'l1' is not on this board, which goes from a1 to k11"),
    ((), "play d1", "'d1' is no move: a move is two squares, as e4-e7"),
    ((), "play d1-d3-d4", "'d1-d3-d4' is no move: "),
    ((), "play d1-d3x", "'d1-d3x' is no move: "),
    ((), "play d1-d3xd4x", "'d1-d3xd4x' is no move: "),
    ((), "play d1-d3xl4", "'l4' is not on this board, which goes from a1 to k11"),
    ((), "play \u0664d1-d3", "'\u0664d1-d3' is no move: "),
    (
        (),
        "legal l12",
        "'l12' is no side, and as a square: 'l12' is not on this board, which goes from",
    ),
    (
        (),
        "legal nosuchside",
        "'nosuchside' is no side, and as a square: 'nosuchside' is no square: ",
    ),
    ((), "legal attacker d1", "usage: legal [SIDE|SQUARE]"),
    ((), "is_legal l1-l2", "'l1' is not on this board, which goes from a1 to k11"),
    ((), "is_legal attacker d1-d3", "'attacker d1-d3' is no move: "),
    ((), "genmove nobody", "'nobody' is no side: say attacker or defender"),
    # the rules refuse
    ((), "play e3-e4", "illegal move: e3-e4: there is no piece on the square"),
    ((), "play f6-f7", "illegal move: f6-f7: the piece belongs to the other side"),
    (
        (),
        "play defender f8-f9",
        "illegal move: f8-f9: it is the other side's turn, attacker is to move",
    ),
    ((), "play d1-d1", "illegal move: d1-d1: origin and target are the same square"),
    ((), "play d1-e2", "illegal move: d1-e2: pieces move along a rank or a file"),
    ((), "play a6-d6", "illegal move: a6-d6: another piece is in the way at b6"),
    ((), "play f2-f4", "illegal move: f2-f4: another piece is in the way at f4"),
    ((), "play d1-a1", "illegal move: d1-a1: only the king may stop on a corner square at a1"),
    (
        ("newgame ard-ri",),
        "play c1-a1",
        "illegal move: c1-a1: the piece cannot go so far in one move",
    ),
    (
        ("newgame brandubh", "setposition 7/7/7/a6/7/2k4/7 a"),
        "play a4-d4",
        "illegal move: a4-d4: the piece may not stop on the throne at d4",
    ),
    (
        ("newgame tablut-linnaean", "setposition 9/9/9/9/a8/9/9/2k6/9 a"),
        "play a5-g5",
        "illegal move: a5-g5: the piece may not cross the throne at e5",
    ),
    (
        ("newgame tablut-bologna", "setposition 9/9/9/9/9/2a6/9/2k6/9 a"),
        "play c4-a4",
        "illegal move: c4-a4: the piece may not enter the camp at a4",
    ),
    (
        THREE,
        "play d1-d2xc2",
        "illegal move: d1-d2: the captures written are not the captures made: ",
    ),
    (THREE, "play d1-d2xc2xd3xe2xe3", "illegal move: d1-d2: the captures written are not the "),
    (
        THREE,
        "play d1-d2xd4",
        "illegal move: d1-d2: the captures written are not the captures made: ",
    ),
    (
        (),
        "play d1-d3xd4",
        "illegal move: d1-d3: the captures written are not the captures made: none",
    ),
    (
        KING_TAKEN[:-1],
        "play e3-d3xd2",
        "illegal move: e3-d3: the captures written are not the capt",
    ),
    # turn and end
    ((), "genmove defender", "out of turn: attacker is to move"),
    ((), "reg_genmove white", "out of turn: attacker is to move"),
    ((), "hint defender", "out of turn: attacker is to move"),
    ((), "hint nobody", "'nobody' is no side: say attacker or defender"),
    (CORNERED, "hint", "game over: defender wins (corner)"),
    (CORNERED, "hint defender", "game over: defender wins (corner)"),
    ((), "undo", "cannot undo: no move has been played"),
    ((), "undo 0", "cannot undo: no move has been played"),
    ((), "undo -1", "cannot undo: no move has been played"),
    (CAPTURE, "undo 0", "cannot undo: 0 plies: allowed are 1 to 5"),
    (CAPTURE, "undo 6", "cannot undo: 6 plies: allowed are 1 to 5"),
    (CAPTURE, "undo 999999999999999999", "cannot undo: 999999999999999999 plies: allowed"),
    (THREE, "undo", "cannot undo: no move has been played"),
    ((), "final_score", "cannot score: the game goes on"),
    # Records
    ((), "loadgame", "usage: loadgame FILE [N]"),
    ((), "loadgame a.otg 1 2", "usage: loadgame FILE [N]"),
    ((), "loadgame a.otg x", "'x' is no whole number"),
    ((), "loadgame a.otg 0", "cannot load file: move 0: moves are counted from 1"),
    ((), "loadgame none.otg", "cannot load file: none.otg: cannot be read: No such file"),
    ((), "loadgame .", "cannot load file: .: cannot be read: Is a directory"),
    ((), "loadgame /dev/zero", "cannot load file: /dev/zero: this is no regular file"),
    ((), "loadgame torn.toml", "cannot load file: torn.toml, line 1, column "),
    ((), "savegame", "usage: savegame FILE"),
    ((), "savegame none/a.otg", "cannot save file: none/a.otg: cannot be written: No such file"),
    ((), "savegame .", "cannot save file: .: cannot be written: Is a directory"),
    ((), "savegame /dev/null", "cannot save file: /dev/null: this is no regular file"),
    ((), "printgame pgn", "'pgn' is no form of a record: allowed are otg moves json"),
    (CORNERED, "play c2-c3", "illegal move: c2-c3: game over: defender wins (corner)"),
    (CORNERED, "play defender g1-a1", "illegal move: g1-a1: game over: defender wins (corner)"),
    (CORNERED, "genmove attacker", "game over: defender wins (corner)"),
    (CORNERED, "genmove defender", "game over: defender wins (corner)"),
    (CORNERED, "reg_genmove attacker", "game over: defender wins (corner)"),
    (DRAWN, "play d6-c6", "illegal move: d6-c6: game over: draw (repetition)"),
    (DRAWN, "genmove attacker", "game over: draw (repetition)"),
    (KING_TAKEN, "genmove defender", "game over: attacker wins (king-captured)"),
    (KING_TAKEN, "eval", "game over: attacker wins (king-captured)"),
    # counts
    ((), "perft 21", "21 plies: allowed are 0 to 20"),
    ((), "perft -1", "-1 plies: allowed are 0 to 20"),
    ((), "perft x", "'x' is no whole number"),
    ((), "divide 0", "0 plies: allowed are 1 to 20"),
    ((), "divide 21", "21 plies: allowed are 1 to 20"),
]


@pytest.mark.parametrize(("before", "line", "failure"), FAILURES)
def test_failure(before: tuple[str, ...], line: str, failure: str) -> None:
    """It begins so, and nothing has changed."""
    talk = Talk(*before)
    state = talk.state()
    reply = talk.ask(line)
    assert reply[: len(failure) + 2] == f"? {failure}"
    assert talk.state() == state


def lines_that_fail() -> list[str]:
    """All of ``FAILURES``, and every command with words missing or left over."""
    lines = [line for _, line, _ in FAILURES]
    for command in all_commands().values():
        lines.append(f"{command.name} x x x x x")
        if any(each.required and not each.repeats for each in command.parameters):
            lines.append(command.name)
    return list(dict.fromkeys(lines))


@pytest.mark.parametrize("line", lines_that_fail()[-len(COMMANDS) :])
def test_words_left_over_fail(line: str) -> None:
    if line != "known_command":
        assert Talk().ask(line).startswith("? ")


def played(talk: Talk) -> None:
    """Twelve plies at random."""
    for _ in range(12):
        if talk.do("result") == "ongoing":
            talk.do(f"genmove {talk.do('side')}")


def finished(talk: Talk) -> None:
    """A king who needs one move to win has made it."""
    size = talk.do("position").count("/") + 1
    ranks = [str(size)] * (size - 4) + [f"2a{size - 3}"] + [str(size)] * 2 + [f"2k{size - 3}"]
    talk.do(f"setposition {'/'.join(ranks)} defender")
    move = talk.do("threats").splitlines()[-1].split()[1]
    talk.do(f"play {move}")
    assert talk.do("result") != "ongoing"


@pytest.mark.parametrize("stage", [None, played, finished])
@pytest.mark.parametrize(
    "name",
    [
        "brandubh",
        "copenhagen",
        "tablut-bologna",
        "tawlbwrdd-lewis",
        "homeschool",
        "sea-battle-9",
        "alea-evangelii",
    ],
)
def test_no_failure_changes_anything(name: str, stage: object) -> None:
    """Every line that fails somewhere, in games at their start, in the middle and at their end."""

    def begin() -> Talk:
        talk = Talk(f"newgame {name}", "set_param engine random", "set_param seed 3")
        talk.do("set_param movetime 0.001")
        if callable(stage):
            stage(talk)
        return talk

    talk = begin()
    whole, state = talk.state(), talk.state(STATE)
    failed = 0
    for line in lines_that_fail():
        if talk.ask(line).startswith("?"):
            failed += 1
            assert talk.state(STATE) == state, line
        else:
            talk = begin()
    assert talk.state() == whole
    assert failed > len(FAILURES) * 3 // 4, "most lines fail under all rules"
    if talk.do("result") == "ongoing":
        side = talk.do("side")
        assert talk.do(f"genmove {side}") == begin().do(f"genmove {side}"), "no chance was used up"


WORDS = [
    *("attacker", "d", "K", "d1", "d1-d3", "d2-e2", "a4-a2", "d1d3xd2", "g7", "z99", "x", "#"),
    *("0", "1", "2", "-1", "21", "99999999999999999999", "1.5", "on", "off", "\t", "þ", "\udcff"),
    *("engine", "seed", "repetition", "oneply", "random", "brandubh", "tablut-bologna", LITTLE),
    *("json", "otn", "otn:", "@quick.toml", "@torn.toml", START_7, "7/2a4/7/3k3/7/2a4/7", "7/7"),
]
COSTLY = re.compile(r"(perft|divide)\s+([3-9]|\d\d)")


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.tuples(st.sampled_from(COMMANDS), st.lists(st.sampled_from(WORDS), max_size=3)),
        max_size=12,
    )
)
def test_whatever_is_said_there_is_an_answer_and_failures_change_nothing(
    said: list[tuple[str, list[str]]],
) -> None:
    """No command has a bug that words of the right kind in the wrong place bring out."""
    talk = Talk("newgame brandubh", "set_param seed 1", "set_param movetime 0.001")
    for name, words in said:
        line = " ".join([name, *words])
        if COSTLY.match(line):
            continue
        before = talk.state(STATE)
        if talk.ask(line).startswith("?"):
            assert talk.state(STATE) == before, line


def test_the_beginnings_that_the_document_promises_are_used() -> None:
    """Those of the framing, of bugs and of interrupts are not to be had from one line."""
    text = (ROOT / "protocol.md").read_text(encoding="utf-8")
    table = text.partition("### How failures begin")[2].partition("\n#")[0]
    promised = set(re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE))
    used = {start for start in promised for _, _, failure in FAILURES if failure.startswith(start)}
    assert promised - used == {"syntax error: ", "internal error: ", "stopped: "}
