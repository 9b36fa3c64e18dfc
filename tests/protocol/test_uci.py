"""UCI as a GUI drives it: real processes, lines in, lines out."""

import re
import time
from collections.abc import Iterator

import pytest
from dialogue import SOON, Dialogue, least_seconds, seconds_since

from taflengine.game import Game
from taflengine.notation import format_move, parse_move, parse_rows
from taflengine.pieces import Side
from taflengine.protocol.dialects.uci import read_go
from taflengine.protocol.interrupts import TOGETHER
from taflengine.protocol.parameters import PARAMETERS
from taflengine.variants.catalogue import VARIANTS

UCI = ("--protocol", "uci")
INFO = re.compile(
    r"info depth \d+ multipv \d+ score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ time \d+"
    r" pv( [a-s]\d+[a-s]\d+)+"
)
CALM = 60_000
"""Milliseconds that a test never waits for: only ``stop`` ends such a search in time."""


@pytest.fixture
def engine() -> Iterator[Dialogue]:
    with Dialogue(*UCI) as program:
        yield program


def best(engine: Dialogue, *lines: str) -> str:
    engine.say(*lines)
    return engine.until("bestmove")[-1]


def test_the_greeting_declares_every_option(engine: Dialogue) -> None:
    engine.say("uci")
    lines = engine.until("uciok")
    assert re.fullmatch(r"id name taflengine \d.*", lines[0])
    assert lines[1].startswith("id author ")
    names = [re.fullmatch(r"option name (\S+) type .*", line) for line in lines[2:-1]]
    found = [name[1].lower() for name in names if name]
    assert found == ["uci_variant", "ponder", *PARAMETERS]


def test_options_have_the_types_of_uci(engine: Dialogue) -> None:
    engine.say("uci")
    options = dict(
        line.removeprefix("option name ").split(" ", 1)
        for line in engine.until("uciok")
        if line.startswith("option")
    )
    sets = " ".join(f"var {name}" for name in VARIANTS)
    assert options["UCI_Variant"] == f"type combo default hnefatafl {sets}"
    assert options["Ponder"] == "type check default false"
    assert options["engine"] == "type combo default search var oneply var search var random"
    assert options["Hash"] == "type spin default 16 min 1 max 65536"
    assert options["nodes"] == "type spin default 0 min 0 max 2147483647"
    assert options["movetime"] == "type string default 1"
    assert options["repetition"] == "type check default true"


def test_the_defaults_are_what_is_in_force(engine: Dialogue) -> None:
    engine.say(
        "setoption name hash value 32",
        "setoption name Repetition value FALSE",
        "setoption name UCI_Variant value Viking",
        "setoption name ENGINE value oneply",
        "uci",
    )
    text = "\n".join(engine.until("uciok"))
    for part in ("Hash type spin default 32", "repetition type check default false"):
        assert part in text
    assert "UCI_Variant type combo default homeschool" in text
    assert "engine type combo default oneply" in text


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("setoption name Hash value 0", "'0' is not allowed: say a number from 1 to 65536"),
        ("setoption name Hash", "'' is not allowed: say a number from 1 to 65536"),
        ("setoption name nosuch value 1", "'nosuch' is no option: allowed are UCI_Variant"),
        ("setoption", "'' is no option: allowed are UCI_Variant"),
        ("setoption name UCI_Variant value chess", "'chess' is no rule set"),
        ("setoption name repetition value maybe", "'maybe' is not allowed: say on or off"),
    ],
)
def test_what_cannot_be_set_is_said(engine: Dialogue, line: str, complaint: str) -> None:
    engine.say(line, "isready")
    *lines, last = engine.until("readyok")
    assert last == "readyok"
    assert [each.startswith(f"info string {complaint}") for each in lines] == [True]


def test_one_best_move_and_lines_of_information(engine: Dialogue) -> None:
    engine.say("position startpos", "go depth 3", "isready")
    lines = engine.until("bestmove")
    information = [line for line in lines if line.startswith("info")]
    assert all(INFO.fullmatch(line) for line in information), information
    assert [line.split()[2] for line in information] == ["1", "2", "3"]
    move, word, answer = lines[-1].split()[1:]
    assert word == "ponder"
    game = Game()
    for text in (move, answer):
        game.play_text(text)
    assert information[-1].split(" pv ")[1].split()[:2] == [move, answer]
    done = engine.end()
    assert (done.stdout.replace("readyok\n", ""), done.status) == ("", 0)


def test_several_variations(engine: Dialogue) -> None:
    engine.say("setoption name MultiPV value 3", "position startpos", "go depth 2")
    lines = engine.until("bestmove")[:-1]
    assert [line.split()[2:5:2] for line in lines] == [
        [str(depth), str(number)] for depth in (1, 2) for number in (1, 2, 3)
    ]
    firsts = [line.split(" pv ")[1].split()[0] for line in lines[-3:]]
    assert len(set(firsts)) == 3


def test_a_mate_is_counted_in_moves_of_the_winner(engine: Dialogue) -> None:
    engine.say("setoption name UCI_Variant value brandubh")
    # The king steps into the corner a7 on his first move.
    engine.say("position fen 3k3/7/7/1a5/7/7/1a3a1 d", "go depth 3")
    lines = engine.until("bestmove")
    assert " score mate 1 " in lines[-2]
    # Whatever the attackers play the king steps into a corner.
    engine.say("position fen 3k3/7/7/1a5/7/7/1a3a1 a", "go depth 4")
    assert " score mate -1 " in engine.until("bestmove")[-2]


@pytest.mark.parametrize("side", ["d", "w", "white", "defender"])
def test_a_position_has_two_fields_and_further_ones_are_skipped(
    engine: Dialogue, side: str
) -> None:
    engine.say("setoption name UCI_Variant value brandubh")
    rows = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
    line = best(engine, f"position fen {rows} {side} - - 0 1 moves d5c5", "go depth 1")
    game = Game("brandubh", parse_rows(rows), Side.DEFENDER)
    game.play_text("d5-c5")
    assert parse_move(line.split()[1], 7).move in game.legal_moves()


def test_both_spellings_of_moves_are_read(engine: Dialogue) -> None:
    moves = ["d1d2", "f4-c4", "D2-D1", "c4f4"]
    engine.say(f"position startpos moves {' '.join(moves)}", "go depth 1")
    lines = engine.until("bestmove")
    assert not any("refused" in line for line in lines)
    game = Game()
    for move in moves:
        game.play_text(move)
    assert parse_move(lines[-1].split()[1], 11).move in game.legal_moves()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("startpos moves d1d2 d1d2", "illegal move: d1-d2: there is no piece on the square"),
        ("startpos moves d1d2 nonsense", "'nonsense' is no move: a move is two squares, as e4-e7"),
        ("fen 3a3/7 a", "position of 2 rows: a board has an odd number of rows from 7 to 19"),
        ("fen", "'fen' is neither startpos nor fen ROWS SIDE"),
        ("", "'' is neither startpos nor fen ROWS SIDE"),
    ],
)
def test_a_refused_position_is_never_played_on(engine: Dialogue, words: str, reason: str) -> None:
    """A move for another position than the GUI's would be worse than none."""
    engine.say("position startpos moves d1d2", f"position {words}", "go depth 1")
    complaint = f"info string position refused: {reason}"
    assert engine.until("bestmove") == [complaint, complaint, "bestmove (none)"]
    assert best(engine, "position startpos", "go depth 1") != "bestmove (none)"


def test_a_finished_game_has_no_best_move(engine: Dialogue) -> None:
    engine.say("setoption name UCI_Variant value brandubh")
    engine.say("position fen 3k3/7/7/1a5/7/7/1a3a1 d moves d7a7", "go depth 1")
    assert engine.until("bestmove") == [
        "info string game over: defender wins (corner)",
        "bestmove (none)",
    ]


def test_ready_while_thinking_and_stopped_at_once(engine: Dialogue) -> None:
    engine.say("isready")
    assert engine.line() == "readyok"
    engine.say("position startpos", "go infinite")
    engine.until("info depth 3")
    begun = time.monotonic()
    engine.say("isready")
    engine.until("readyok")
    engine.say("stop")
    engine.until("bestmove [a-k]")
    assert seconds_since(begun) < SOON
    engine.say("isready")
    assert engine.line() == "readyok", "one best move for a go"


def test_a_stop_in_the_same_write_is_not_lost(engine: Dialogue) -> None:
    begun = time.monotonic()
    for _ in range(20):
        engine.say("position startpos", "go infinite", "stop")
        engine.until("bestmove [a-k]")
    assert seconds_since(begun) < 20


def test_stop_without_a_search_does_nothing(engine: Dialogue) -> None:
    engine.say("stop", "ponderhit", "isready")
    assert engine.line() == "readyok"
    engine.say("position startpos", "go depth 2")
    assert len(engine.until("bestmove")) == 3, "the stop before was not for this search"


def test_a_finished_infinite_search_waits_for_stop(engine: Dialogue) -> None:
    engine.say("position startpos", "go infinite depth 2")
    engine.until("info depth 2")
    engine.say("isready")
    assert engine.line() == "readyok", "no best move before stop"
    engine.say("stop")
    assert engine.line().startswith("bestmove ")


def test_pondering(engine: Dialogue) -> None:
    engine.say("position startpos", f"go ponder wtime {CALM} btime 2000")
    engine.until("info depth 4")
    time.sleep(0.3)  # longer than its share of the clock
    engine.say("isready")
    assert "bestmove" not in " ".join(engine.until("readyok"))
    begun = time.monotonic()
    engine.say("ponderhit")
    engine.until("bestmove [a-k]")
    assert seconds_since(begun) < SOON
    engine.say("go ponder depth 1")
    engine.until("info depth 1")
    engine.say("isready")
    assert engine.line() == "readyok"
    engine.say("stop")
    engine.until("bestmove [a-k]")


@pytest.mark.parametrize("name", ["oneply", "search"])
@pytest.mark.parametrize("late", [True, False])
def test_a_hit_leaves_nothing_to_wait_for_but_the_search(
    engine: Dialogue, name: str, late: bool
) -> None:
    """Whether the search ends by itself before the move was played or after."""
    engine.say(f"setoption name engine value {name}", "position startpos", "isready")
    engine.until("readyok")
    begun = time.monotonic()
    if late:
        engine.say(f"go ponder depth 1 btime {CALM}", "isready")
        if name == "search":
            engine.until("info depth 1")
        time.sleep(0.3)
    else:
        engine.say(f"go ponder depth 5 btime {CALM}")
    engine.say("ponderhit")
    engine.until("bestmove [a-k]")
    assert seconds_since(begun) < 5, "its share of the clock is longer"


@pytest.mark.parametrize(
    ("limits", "least", "most"),
    [
        ("movetime 300", 0.2, 2.0),
        # The attackers, who are to move, have btime.
        (f"btime 600 wtime {CALM}", 0.0, 1.0),
        (f"btime 600 binc 0 wtime {CALM} winc 10 movestogo 1", 0.2, 1.0),
        ("btime -40 wtime -3", 0.0, 1.0),
        ("btime 0 wtime 0 movestogo 1", 0.0, 1.0),
    ],
)
def test_the_time_of_a_move(engine: Dialogue, limits: str, least: float, most: float) -> None:
    engine.say("isready")
    engine.until("readyok")
    taken = least_seconds(
        lambda: best(engine, "ucinewgame", "position startpos", f"go {limits}"), most
    )
    assert least <= taken <= most


def test_the_defenders_have_wtime(engine: Dialogue) -> None:
    begun = time.monotonic()
    best(engine, "position startpos moves d1d2", f"go btime {CALM} wtime 400")
    assert seconds_since(begun) < SOON


def test_the_clock_is_not_spent_on_a_move_without_choice(engine: Dialogue) -> None:
    """An analysis to a depth or by time still is."""
    clock = f"btime {CALM} wtime {CALM}"
    engine.say("position startpos", f"go {clock} searchmoves d1d2")
    assert engine.until("bestmove")[-2].startswith("info depth 1 ")
    engine.say("go depth 2 searchmoves d1d2")
    assert engine.until("bestmove")[-2].startswith("info depth 2 ")


def test_nodes_and_depth_are_kept(engine: Dialogue) -> None:
    engine.say("position startpos", "go nodes 5000")
    assert int(engine.until("bestmove")[-2].split(" nodes ")[1].split()[0]) <= 5100
    engine.say("go depth 2 nodes 1000000")
    assert engine.until("bestmove")[-2].startswith("info depth 2 ")


def test_a_bare_go_keeps_the_limits_of_the_options(engine: Dialogue) -> None:
    engine.say("setoption name depth value 2", "position startpos", "go")
    assert engine.until("bestmove")[-2].startswith("info depth 2 ")


def test_only_the_moves_searched(engine: Dialogue) -> None:
    for chosen in ("d1d2", "k5-i5"):
        line = best(engine, "position startpos", f"go depth 2 searchmoves {chosen}")
        assert line.split()[1] == chosen.replace("-", "")
    engine.say("go searchmoves d2d1 depth 1")
    assert engine.until("bestmove")[-1] == "bestmove (none)"


def test_unknown_words_are_skipped(engine: Dialogue) -> None:
    engine.say("xyzzy", "debug on", "register later", "", "   ", "# go", "isready")
    assert engine.line() == "readyok"
    assert best(engine, "position startpos", "go foo depth 1 bar 7").startswith("bestmove")


@pytest.mark.parametrize("name", ["oneply", "random"])
def test_the_other_engines_heed_searchmoves(engine: Dialogue, name: str) -> None:
    engine.say(f"setoption name engine value {name}", "position startpos")
    assert best(engine, "go searchmoves k5-i5") == "bestmove k5i5"


@pytest.mark.parametrize("name", ["oneply", "random"])
def test_the_other_engines_answer_too(engine: Dialogue, name: str) -> None:
    engine.say(f"setoption name engine value {name}", "position startpos", "go infinite", "isready")
    assert engine.line() == "readyok"
    engine.say("stop")
    assert parse_move(engine.line().split()[1], 11).move in Game().legal_moves()


def test_a_new_game_forgets(engine: Dialogue) -> None:
    """So the same search gives the same lines again."""
    told = []
    for _ in range(2):
        engine.say("ucinewgame", "position startpos", "go depth 4")
        lines = engine.until("bestmove")
        told.append([re.sub(r"nps \d+ time \d+", "", line) for line in lines])
    assert told[0] == told[1]


@pytest.mark.parametrize("end", ["quit", ""])
def test_the_end_in_the_middle_of_a_search(engine: Dialogue, end: str) -> None:
    engine.say("position startpos", "go infinite")
    engine.until("info depth 2")
    begun = time.monotonic()
    if end:
        engine.say(end)
    done = engine.end()
    assert seconds_since(begun) < SOON
    assert (done.status, done.stdout.count("bestmove")) == (0, 1)


@pytest.mark.parametrize("go", ["go movetime 900000", "go depth 90", "go btime 90000000", "go"])
def test_the_end_of_the_input_ends_a_search_with_limits(engine: Dialogue, go: str) -> None:
    """Whoever has gone in the middle of it waits for nothing: no engine outlives its GUI."""
    engine.say("setoption name movetime value 900", "position startpos", go)
    engine.until("info depth 2")
    time.sleep(2 * TOGETHER)
    begun = time.monotonic()
    done = engine.end()
    assert seconds_since(begun) < SOON
    assert (done.status, done.stdout.count("bestmove")) == (0, 1)


def test_a_script_gets_all_its_answers() -> None:
    """A search with limits is finished though the input has ended."""
    with Dialogue(*UCI) as program:
        program.say("uci", "position startpos", "go depth 4")
        done = program.end()
    assert done.status == 0
    assert "\ninfo depth 4 " in done.stdout
    assert done.stdout.count("bestmove") == 1


@pytest.mark.parametrize("name", ["hnefatafl", "brandubh", "tablut", "alea-evangelii"])
def test_a_game_against_itself(engine: Dialogue, name: str) -> None:
    """Every move is legal, up to the end or the fortieth."""
    engine.say(f"setoption name UCI_Variant value {name}", "setoption name depth value 1")
    game = Game(name)
    moves: list[str] = []
    while not game.outcome and len(moves) < 40:
        words = best(engine, f"position startpos moves {' '.join(moves)}", "go").split()
        game.play_text(words[1])
        moves.append(words[1])
        assert format_move(game.plies[-1].move, game.variant.size).replace("-", "") == words[1]
    if game.outcome:
        engine.say(f"position startpos moves {' '.join(moves)}", "go")
        assert engine.until("bestmove")[-1] == "bestmove (none)"


def test_a_long_game_in_one_line(engine: Dialogue) -> None:
    """Two pieces go to and fro; nobody forbids repetition in the option."""
    moves = ["d1d2", "f4c4", "d2d1", "c4f4"] * 400
    engine.say("setoption name repetition value false")
    assert (
        best(engine, f"position startpos moves {' '.join(moves)}", "go depth 1")
        != "bestmove (none)"
    )


@pytest.mark.parametrize(
    ("line", "numbers", "moves"),
    [
        ("wtime 5 btime 6 depth", {"wtime": 5, "btime": 6}, []),
        ("depth x nodes 3", {"nodes": 3}, []),
        ("searchmoves d1d2 e1e2 depth 3", {"depth": 3}, ["d1d2", "e1e2"]),
        ("searchmoves depth 3", {"depth": 3}, []),
        ("nodes 99999999999999999999", {"nodes": 999999999999999}, []),
        ("movetime -5", {"movetime": -5}, []),
    ],
)
def test_what_stands_behind_go(line: str, numbers: dict[str, int], moves: list[str]) -> None:
    request = read_go(line.split())
    assert (request.numbers, request.moves) == (numbers, moves)
