"""Every command through the dispatcher in this process: what it answers, and rule sets."""

import json
import re
from dataclasses import fields

import pytest
from talk import (
    CAPTURE,
    COMMANDS,
    CORNERED,
    DRAWN,
    KING_TAKEN,
    LITTLE,
    SHUFFLE,
    START_7,
    START_11,
    THREE,
    VARIANTS,
    Talk,
)

from taflengine.rules import Variant

pytestmark = pytest.mark.usefixtures("rule_files")
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
