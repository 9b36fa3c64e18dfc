"""OTEP as OpenTafl's host speaks it, in its own order: real processes, lines in, lines out."""

import re
import time
from collections.abc import Iterator

import pytest
from dialogue import SOON, Dialogue, least_seconds, seconds_since

from taflengine.game import Game
from taflengine.notation import format_move, parse_move
from taflengine.pieces import Side
from taflengine.protocol.interrupts import TOGETHER
from taflengine.variants.opentafl import parse_opentafl
from taflengine.variants.opentafl_strings import format_position, parse_position

OTEP = ("--protocol", "otep", "--param", "movetime=0.1")
BRANDUB = (
    "dim:7 name:Brandub surf:n atkf:y ks:w cenh: cenhe: start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
)
TABLUT = (
    "dim:9 name:Tablut esc:e atkf:y ks:c nj:n cor: cenp:tcnkTCNK cens: cenh: cenhe:tcnkTCNK"
    " linc:y start:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/"
)
START = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"


@pytest.fixture
def engine() -> Iterator[Dialogue]:
    with Dialogue(*OTEP) as program:
        yield program


@pytest.fixture
def brandub(engine: Dialogue) -> Dialogue:
    engine.say(f"rules {BRANDUB}")
    assert engine.line() == "hello"
    return engine


def after(*moves: str, start: Game | None = None) -> str:
    """The position record after *moves*."""
    game = start or Game(parse_opentafl(BRANDUB))
    for move in moves:
        game.play_text(move)
    return format_position(game.board)


def move_of(line: str) -> str:
    """The move of the engine's line, which holds nothing else."""
    found = re.fullmatch(r"move ([a-s]\d+-[a-s]\d+)", line)
    assert found, line
    return found[1]


def silent(engine: Dialogue) -> None:
    """Hold that nothing comes before the answer to an analysis."""
    engine.say(f"position {START}", "side attackers", "analyze 1 0.01")
    engine.only("analysis 1 ")


def test_hello_comes_at_once() -> None:
    """Within a second, the best of five times: a busy machine starts nothing at once."""
    taken = []
    for _ in range(5):
        begun = time.monotonic()
        with Dialogue(*OTEP) as program:
            assert program.line() == "hello"
            taken.append(seconds_since(begun))
            assert program.end() == ("", "", 0)
    assert min(taken) < 1


def test_a_game_as_the_host_plays_it(engine: Dialogue) -> None:
    """Rules before hello, clock with its blank at the end, positions of the engine's own moves."""
    game = Game(parse_opentafl(BRANDUB))
    engine.say(f"rules {BRANDUB}")
    assert engine.line() == "hello"
    for turn in range(60):
        engine.say(f"clock {2000 - turn} 2000 0 0 0 ", "play attackers")
        game.play_text(move_of(engine.line()))
        if game.outcome:
            break
        engine.say(f"move {format_position(game.board)}")
        theirs = game.legal_moves()[turn % 3]
        game.play(theirs)
        if game.outcome:
            break
        engine.say(f"opponent-move {format_move(theirs, 7)} {format_position(game.board)}")
    assert game.outcome, "against such moves the attackers win"
    engine.say("finish 2", "finish 2", "goodbye")
    assert engine.end() == ("", "", 0)


def test_the_engine_may_move_second(brandub: Dialogue) -> None:
    record = after("d6-c6")
    brandub.say(f"opponent-move d6-c6 {record}", "play defenders")
    game = Game(parse_opentafl(BRANDUB))
    game.play_text("d6-c6")
    game.play_text(move_of(brandub.line()))


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("dim:11 name:Berserk surf:n atkf:n tfr:l kj:r ber:c start:/3ttttt3/5c5/11/t4T4t/t3NTT3t/"
         "tc1TTKTT1ct/t3TTT3t/t4T4t/11/5c5/3ttttt3/", "OpenTafl rules, "),
        ("dim:8 start:/8/", "OpenTafl rules, dim: "),
        ("nonsense", "OpenTafl rules: 'nonsense' is no entry"),
        ("", "OpenTafl rules, dim: "),
    ],
)  # fmt: skip
def test_rules_that_cannot_be_played(engine: Dialogue, rules: str, reason: str) -> None:
    engine.say(f"rules {rules}")
    assert engine.line() == "hello"
    assert engine.line().startswith(f"error -1 {reason}")
    # Another game may follow that can be.
    engine.say(f"rules {BRANDUB}", "play attackers")
    move_of(engine.line())


def test_a_refused_move_is_not_sent_again(brandub: Dialogue) -> None:
    """On the game's first move nothing stands between ``error`` and ``play``."""
    sent = []
    for _ in range(8):
        brandub.say("clock 900 900 0 0 0 ", "play attackers")
        sent.append(move_of(brandub.line()))
        brandub.say("error 2")
    assert len(set(sent)) == 8


def test_a_refusal_counts_in_its_position_only(brandub: Dialogue) -> None:
    record = after("d6-c6")
    line = f"opponent-move d6-c6 {record}"
    brandub.say(line, "play defenders")
    first = move_of(brandub.line())
    brandub.say("error 1", line, "play defenders")
    second = move_of(brandub.line())
    assert first != second
    brandub.say(f"move {after('d6-c6', second)}")
    # The same placement again, by moves there and back; it is another question.
    brandub.say(f"position {record}", "play defenders")
    move_of(brandub.line())


def test_all_moves_refused() -> None:
    """The game is ended, not left to wait for ever."""
    rules = BRANDUB.replace(START, "/3t3/7/7/3K3/7/7/7/")
    with Dialogue(*OTEP) as engine:
        engine.say(f"rules {rules}")
        assert engine.line() == "hello"
        game = Game(parse_opentafl(rules))
        for _ in game.legal_moves():
            engine.say("play attackers")
            move_of(engine.line())
            engine.say("error 2")
        engine.say("play attackers")
        assert engine.line() == "error -1 there is no legal move left"


def test_the_engines_own_move_in_the_list(brandub: Dialogue) -> None:
    """An engine that answers fast is told its own move, and what it knew before."""
    game = Game(parse_opentafl(BRANDUB))
    brandub.say("play attackers")
    own = move_of(brandub.line())
    game.play_text(own)
    theirs = format_move(game.legal_moves()[0], 7)
    game.play_text(theirs)
    brandub.say(f"opponent-move {own}|{theirs} {format_position(game.board)}", "play attackers")
    own = move_of(brandub.line())
    game.play_text(own)
    brandub.say(f"move {format_position(game.board)}")
    last = format_move(game.legal_moves()[-1], 7)
    game.play_text(last)
    record = format_position(game.board)
    brandub.say(f"opponent-move {theirs}|{own}|{last} {record}", "play attackers")
    game.play_text(move_of(brandub.line()))


def test_a_loaded_game(brandub: Dialogue) -> None:
    """The first list is the whole game, both sides."""
    moves = ["d6-c6", "d5-b5", "c6-e6", "b5-b7"]
    game = Game(parse_opentafl(BRANDUB))
    record = after(*moves, start=game)
    brandub.say(f"opponent-move {'|'.join(moves)} {record}", "play attackers")
    game.play_text(move_of(brandub.line()))


def test_the_position_counts_whatever_the_list_says(brandub: Dialogue) -> None:
    other = Game(parse_opentafl(BRANDUB))
    record = after("d6-c6", "d5-b5", "c6-c7", start=other)
    brandub.say(f"opponent-move a1-a2|d4-d5 {record}", "play defenders")
    other.play_text(move_of(brandub.line()))


def test_full_records_of_moves(brandub: Dialogue) -> None:
    """Piece letters, captures and signs are read, though they are not asked for."""
    brandub.say(f"opponent-move d6-c6++ {after('d6-c6')}", "play defenders")
    game = Game(parse_opentafl(BRANDUB))
    game.play_text("d6-c6")
    game.play_text(move_of(brandub.line()))


def test_play_on_from_an_earlier_position(brandub: Dialogue) -> None:
    """The process gets no new rules, and positions of the game before: the list is all."""
    brandub.say("play attackers")
    own = move_of(brandub.line())
    old = Game(parse_opentafl(BRANDUB))
    old.play_text(own)
    brandub.say(f"move {format_position(old.board)}")
    old.play(old.legal_moves()[0])
    stale = format_position(old.board)
    brandub.say(f"opponent-move {format_move(old.plies[-1].move, 7)} {stale}", "finish 0")
    new = Game(parse_opentafl(BRANDUB))
    opening = ["d6-c6", "d5-b5", "c6-e6", "b5-b7"]
    for move in opening:
        new.play_text(move)
    brandub.say(f"opponent-move {'|'.join(opening)} {stale}", "play attackers")
    own = move_of(brandub.line())
    new.play_text(own)
    theirs = new.legal_moves()[1]
    new.play(theirs)
    # Both the answer to its move and the next list come with the old position again.
    brandub.say(f"move {stale}", f"opponent-move {format_move(theirs, 7)} {stale}")
    brandub.say("play attackers")
    new.play_text(move_of(brandub.line()))


def test_a_second_turn_in_a_row(brandub: Dialogue) -> None:
    """As in a berserk game: play again for the same side, after the engine's own move."""
    brandub.say("play attackers")
    game = Game(parse_opentafl(BRANDUB))
    own = move_of(brandub.line())
    game.play_text(own)
    record = format_position(game.board)
    brandub.say(f"opponent-move {own} {record}", "play attackers")
    again = Game(game.variant, game.board, Side.ATTACKER)
    again.play_text(move_of(brandub.line()))


def test_finish_stops_thinking_and_no_move_comes(brandub: Dialogue) -> None:
    brandub.work("clock 36000000 36000000 0 0 0 \nplay attackers\n")
    begun = time.monotonic()
    brandub.say("finish 0", "finish 0")
    silent(brandub)
    assert seconds_since(begun) < SOON
    brandub.say("play attackers", "finish 3")
    silent(brandub)


@pytest.mark.parametrize("last", ["goodbye", ""])
def test_the_end_while_thinking(brandub: Dialogue, last: str) -> None:
    brandub.work("clock 36000000 36000000 0 0 0 \nplay attackers\n")
    time.sleep(2 * TOGETHER)
    begun = time.monotonic()
    if last:
        brandub.say(last)
    assert brandub.end() == ("", "", 0)
    assert seconds_since(begun) < SOON


@pytest.mark.parametrize(
    "fields",
    [
        "1000 900000 0 0 0",
        "700* 900000 1 2 2",
        "0* 300000 1 1 1",
        "0 0 0 0 0",
        "-1 -1 0 0 0",  # no clock, so the engine's own limit
        "not a clock",
    ],
)
def test_clocks(brandub: Dialogue, fields: str) -> None:
    def move() -> None:
        brandub.say(f"rules {BRANDUB}", f"clock {fields} ", "play attackers")
        move_of(brandub.line())

    assert least_seconds(move, 0.95) < 0.95


def test_analysis(brandub: Dialogue) -> None:
    record = after("d6-c6", "d5-b5")
    brandub.say(f"position {record}", "side attackers", "clock 5000 5000 0 0 0 ", "analyze 3 0.3")
    words = brandub.line().split()
    assert words[:2] == ["analysis", "3"]
    assert len(words) == 8
    game = Game(parse_opentafl(BRANDUB), parse_position(record), Side.ATTACKER)
    firsts = [line.partition("|")[0] for line in words[2::2]]
    assert len(set(firsts)) == 3
    for move in firsts:
        assert parse_move(move, 7).move in game.legal_moves()
    values = [float(value) for value in words[3::2]]
    assert all(re.fullmatch(r"-?\d+\.\d\d", value) for value in words[3::2])
    assert values == sorted(values, reverse=True), "the best for the attackers comes first"


def test_values_are_the_attackers(brandub: Dialogue) -> None:
    """A win of the defenders is -5000, and first where they are to move."""
    brandub.say("position /1t3t1/7/7/1t5/7/7/3K3/", "side defenders")
    brandub.say("analyze 2 1")
    words = brandub.line().split()
    assert words[3] == "-5000.00"
    brandub.say("position /1t3t1/7/7/1t5/7/7/3K3/", "side attackers")
    brandub.say("analyze 1 1")
    assert brandub.line().split()[3] == "-5000.00"


def test_analysis_again_and_again(brandub: Dialogue) -> None:
    """Without any play, also twice the same, and of a position where nothing is left to say."""
    for _ in range(2):
        brandub.say(f"position {START}", "side attackers", "analyze 1 0.02")
        assert brandub.line().startswith("analysis 1 ")
    brandub.say("position /3K3/7/7/7/7/7/7/", "side attackers", "analyze 1 0.02")
    assert brandub.line() == "status there is no move to analyse"


def test_rules_change_between_analyses(brandub: Dialogue) -> None:
    brandub.say(f"rules {TABLUT}", "position /9/9/9/9/4K4/9/9/9/t8/", "side defenders")
    brandub.say("analyze 1 0.2")
    assert brandub.line().endswith("-5000.00"), "the edge is open"


@pytest.mark.parametrize(
    "line",
    [
        "position /3t3/",
        "position",
        "opponent-move d6-c6 /7/7/7/7/7/7/7/",
        "opponent-move d6-c6 nonsense",
        "side neither",
        "analyze",
        "analyze one two",
        "play nobody",
    ],
)
def test_what_cannot_be_read_is_said_as_a_status(brandub: Dialogue, line: str) -> None:
    """And the game is as it was."""
    brandub.say(line, "play attackers")
    assert brandub.line().startswith("status ")
    game = Game(parse_opentafl(BRANDUB))
    game.play_text(move_of(brandub.line()))


def test_unknown_words_and_ends_of_lines(engine: Dialogue) -> None:
    assert engine.line() == "hello"
    engine.send("start\r\n\r\n  \nhello\nsimple-moves on\nchat hi\ndump 3\nfinish 1\nerror 2\n")
    engine.send(f"rules {BRANDUB} \r\nplay attackers\t\r\n")
    move_of(engine.line())


def test_nothing_works_without_rules(engine: Dialogue) -> None:
    engine.say(f"position {START}", "play attackers", "analyze 1 1", f"move {START}")
    assert engine.line() == "hello"
    assert [engine.line() for _ in range(4)] == ["status there are no rules that can be played"] * 4
    engine.say("goodbye")
    assert engine.end() == ("", "", 0)


@pytest.mark.parametrize("name", ["oneply", "random"])
def test_the_other_engines_play_too(name: str) -> None:
    with Dialogue(*OTEP, "--param", f"engine={name}") as engine:
        engine.say(f"rules {BRANDUB}", "play attackers")
        assert engine.line() == "hello"
        move_of(engine.line())


def test_the_host_plays_on_where_a_repetition_would_end_it(brandub: Dialogue) -> None:
    """The engine's own counting of repetitions never keeps it from answering."""
    game = Game(parse_opentafl(BRANDUB), enforce_repetition=False)
    moves = ["d6-c6", "d5-c5", "c6-d6", "c5-d5"] * 3
    for move in moves:
        game.play_text(move)
        brandub.say(f"opponent-move {move} {format_position(game.board)}")
    brandub.say("play attackers")
    game.play_text(move_of(brandub.line()))
