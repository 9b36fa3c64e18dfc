"""How commands fail: with which words, and that nothing has changed then."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from program import ROOT
from talk import (
    CAPTURE,
    COMMANDS,
    CORNERED,
    DRAWN,
    KING_TAKEN,
    LITTLE,
    START_7,
    START_11,
    STATE,
    THREE,
    Talk,
)

from taflengine.protocol.commands import all_commands

pytestmark = pytest.mark.usefixtures("rule_files")
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
