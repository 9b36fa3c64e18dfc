"""Whatever is said in a dialect, the next sensible line is answered, and nothing else is said."""

import random

import pytest
from dialogue import Dialogue

# Words of each dialect, none of which makes a search last; what is asked at the end; its answer.
ROWS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
TALK = {
    "uci": (
        "uci isready ucinewgame setoption name value MultiPV UCI_Variant brandubh seed position"
        " startpos fen moves d1d2 f4c4 d6-c6 a d w 3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 go depth 1 2"
        " nodes movetime wtime btime winc searchmoves stop ponderhit mate -1 99999999999999999999"
        " x \xff /",
        "isready",
        "readyok",
    ),
    "htp": (
        "name play a d attacker defender d1 d3 f8 f9 D1 0d1 0d6 0c6 resigns play_undo play_from"
        " play_to board_size 7 11 13 first_move show_board show_board_open_tafl time_settings"
        " un-timed fischer 0 generate_move final_status known_command list_commands # \xe9 -1 z99",
        "protocol_version",
        "= 1-beta",
    ),
    "otep": (
        f"rules dim:7 name:B surf:n start:{ROWS} position {ROWS} side attackers defenders clock 30"
        " 20* 0 play move d6-c6 d5-b5|c6-e6 opponent-move error 2 finish analyze 0.01 hello"
        " /7/7/7/3K3/7/7/7/ \xff",
        f"rules dim:7 ber:c start:{ROWS}",
        "error -1 OpenTafl rules, ber:",
    ),
}
LINES = 1500


@pytest.mark.parametrize("dialect", TALK)
@pytest.mark.parametrize("seed", range(2))
def test_noise(dialect: str, seed: int) -> None:
    """Lines of words in any order, some of them with a byte changed to any other."""
    words, question, answer = TALK[dialect]
    chance = random.Random(seed)
    vocabulary = words.split()
    lines = []
    for _ in range(LINES):
        chosen = chance.choices(vocabulary, k=chance.randint(1, 7))
        noise = bytearray(" ".join(chosen).encode("latin-1"))
        if chance.random() < 0.2:
            noise[chance.randrange(len(noise))] = chance.randrange(256)
        lines.append(bytes(noise))
    closing = (b"quit", b"goodbye")
    kept = [line for line in lines if not line.split() or line.split()[0] not in closing]
    with Dialogue("--protocol", dialect, "--param", "movetime=0.001") as engine:
        assert engine.process.stdin
        for line in kept:
            engine.process.stdin.write(line + b"\n")
            if line.startswith((b"go", b"play", b"gen", b"ana", b"show", b"uci", b"list")):
                engine.say(question)
                while not engine.line().startswith(answer):
                    pass
        engine.say(question)
        while not engine.line().startswith(answer):
            pass
        done = engine.end()
    assert (done.stderr, done.status) == ("", 0)
