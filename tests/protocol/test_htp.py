"""HTP, hnefatafl.org's text protocol, as its programs speak it; and over the network."""

import re
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from dialogue import SOON, Dialogue, seconds_since

from taflengine.game import Game
from taflengine.notation import Move
from taflengine.pieces import Side
from taflengine.protocol.dialects.htp import COMMANDS
from taflengine.protocol.dialects.htp_text import read_vertex, write_vertex
from taflengine.protocol.interrupts import TOGETHER
from taflengine.variants.hnefatafl_org import BY_SIZE

HTP = ("--protocol", "htp", "--param", "movetime=0.05")
THERE_AND_BACK = ("play a d1 d2", "play d f8 h8", "play a d2 d1")
"""After these the defender on h8 would bring back the start."""


@pytest.fixture
def engine() -> Iterator[Dialogue]:
    with Dialogue(*HTP) as program:
        yield program


def ask(engine: Dialogue, line: str) -> str:
    """The answer to a command whose success is one line."""
    engine.say(line)
    answer = engine.line()
    if answer.startswith("?"):
        assert engine.line() == "", "an error ends with an empty line"
    return answer


def test_there_are_the_17_commands(engine: Dialogue) -> None:
    engine.say("list_commands", "name")
    assert engine.line() == "= "
    assert [engine.line() for _ in range(17)] == list(COMMANDS) == sorted(COMMANDS)
    assert engine.line() == "= taflengine"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("protocol_version", "= 1-beta"),
        ("7 name", "? unrecognized command: 7"),
        ("PLAY a d1 d2", "? unrecognized command: PLAY"),
        ("known_command play", "= true"),
        ("known_command undo", "= false"),
        ("known_command", "? message: expected: known_command COMMAND"),
        ("board_size 9", "? message: an invalid board size was passed: 9"),
        ("board_size big", "? message: an invalid board size was passed: big"),
        ("board_size 11 and more", "= "),
        ("play x d1 d2", "? message: message: Error trying to convert 'x' to a Role!"),
        ("play a d1 e2", "? play: you can only play in a straight line"),
        ("play a d1 d1", "? play: you have to change location"),
        ("play a d1 a1", "? play: only the king may move to a restricted square"),
        ("play a d1 f1", "? play: you have to play through empty locations"),
        ("play d f8 f9", "? play: it isn't your turn"),
        ("play a f8 f9", "? play: it isn't your turn"),
        ("play a c3 c4", "? play: it isn't your turn"),
        ("play a d1 d2 # a comment", "= "),
        ("play A d1 d2 twice", "= "),
        ("play ATTACKER d1 d2", "= "),
        ("play d resigns", "? play: you can't resign for the other player"),
        ("play_undo", "? play undo: it is the first move"),
        ("final_status", "= ongoing"),
        ("play_to a d1", "= d2 d3 d4 d5 c1 b1"),
        ("play_to d f8", "? play: it isn't your turn"),
        ("play_to a f1", "? play: invalid vertex"),
        ("show_board_open_tafl", "= /3AAAAA3/5A5/11/A4D4A/A3DDD3A/AA1DDKDD1AA/"
         "A3DDD3A/A4D4A/11/5A5/3AAAAA3/"),
        ("time_settings fischer x 1", "? message: time_settings: arg 2 is not an integer"),
        ("time_settings fischer 1 y", "? message: time_settings: arg 3 is not an integer"),
        ("time_settings soon", "? message: time_settings: expected 'time_settings un-timed' or "
         "'time_settings fischer MINUTES ADD_SECONDS'"),
        ("time_settings un-timed", "= "),
    ],
)  # fmt: skip
def test_answers(engine: Dialogue, line: str, answer: str) -> None:
    assert ask(engine, line) == answer
    assert ask(engine, "name") == "= taflengine", "nothing is left over"


def test_nothing_is_said_to_nothing(engine: Dialogue) -> None:
    engine.say("", "   ", "# only a comment", "version")
    assert re.fullmatch(r"= \d.*", engine.line())


def test_the_spelling_of_a_square_carries_the_size(engine: Dialogue) -> None:
    for size in BY_SIZE:
        ask(engine, f"board_size {size}")
        squares = ask(engine, "play_from").split()[2:]
        game = Game(BY_SIZE[size])
        origins = {move.origin for move in game.legal_moves()}
        assert {read_vertex(each, size) for each in squares} == origins
        for other in BY_SIZE:
            if other != size:
                side = game.first.value
                answer = ask(engine, f"play_to {side} {write_vertex(3, other)}")
                assert answer.startswith("? message: invalid vertex: "), answer


@pytest.mark.parametrize("size", [7, 11, 13])
def test_the_drawing(engine: Dialogue, size: int) -> None:
    ask(engine, f"board_size {size}")
    engine.say("show_board", "name")
    lines = engine.until("= taflengine")[:-1]
    assert len(lines) == size + 5
    assert lines[0] == "= "
    assert lines[1] == lines[-1]
    assert len({len(line) for line in lines[3:-2]}) == 1
    if size == 11:
        assert lines[3] == "11│ # . . A A A A A . . # │11"
        assert lines[8] == " 6│ A A . D D K D D . A A │ 6"
    if size == 7:
        assert lines[3] == " 7│ . . . A . . . │ 7"


def test_captures_are_answered(engine: Dialogue) -> None:
    """Each square with a blank behind it."""
    for line in ("play a d1 d3", "play d f8 e8", "play a d11 d8"):
        assert ask(engine, line) == "= "
    answer = "= "
    for line in ("play d f4 i4", "play a k8 f8"):
        answer = ask(engine, line)
    assert answer == "= e8 "


def test_a_game_and_its_undoing(engine: Dialogue) -> None:
    board = ask(engine, "show_board_open_tafl")
    assert ask(engine, "play attacker d1 d3") == "= "
    assert ask(engine, "play defender resigns") == "= "
    assert ask(engine, "final_status") == "= attacker_wins"
    assert ask(engine, "play_from") == "= defender "
    assert ask(engine, "play d f8 f9") == "? play: the game is already over"
    assert ask(engine, "generate_move") == "? message: play: the game is already over"
    assert ask(engine, "play_undo") == "= "
    assert ask(engine, "final_status") == "= ongoing"
    assert ask(engine, "play_undo") == "= "
    assert ask(engine, "show_board_open_tafl") == board
    assert ask(engine, "play a resigns") == "= "
    assert ask(engine, "final_status") == "= defender_wins"


def test_the_defenders_may_not_bring_back_a_placement(engine: Dialogue) -> None:
    for line in THERE_AND_BACK:
        assert ask(engine, line) == "= "
    assert "f8" not in ask(engine, "play_to d h8").split()
    assert ask(engine, "play d h8 f8") == "? play: you already reached that position"
    assert ask(engine, "play_undo") == "= "
    assert ask(engine, "play a k4 i4") == "= "
    assert ask(engine, "play d h8 f8") == "= "


def test_first_move_begins_again(engine: Dialogue) -> None:
    ask(engine, "play a d1 d2")
    assert ask(engine, "first_move defender") == "= "
    assert ask(engine, "play_from").startswith("= defender ")
    assert ask(engine, "play d f8 f9") == "= "
    assert ask(engine, "play_undo") == "= "
    assert ask(engine, "play_from").startswith("= defender "), "it is their turn again"


def test_a_move_is_generated_and_played(engine: Dialogue) -> None:
    for size in BY_SIZE:
        ask(engine, f"board_size {size}")
        game = Game(BY_SIZE[size])
        side = game.first.value
        answer = ask(engine, f"generate_move {side}")
        shape = rf"= play {side} (\S+) (\S+), score: -?\d+, delay milliseconds: \d+, loops: \d+"
        found = re.fullmatch(shape, answer)
        assert found, answer
        assert engine.line() == ""
        game.play(Move(*(read_vertex(each, size) for each in found.groups())))
        assert ask(engine, "play_from").split()[1] == game.side_to_move.value


def test_a_game_of_generated_moves(engine: Dialogue) -> None:
    """On the small board, to the end: the referee's rules agree with every move."""
    engine.say("board_size 7")
    assert engine.line() == "= "
    game = Game(BY_SIZE[7])
    for _ in range(200):
        answer = ask(engine, "generate_move")
        if answer.startswith("?"):
            break
        assert engine.line() == ""
        words = answer.partition(",")[0].split()
        game.play(Move(*(read_vertex(word, 7) for word in words[3:])))
    assert ask(engine, "final_status") != "= ongoing"


def test_clocks(engine: Dialogue) -> None:
    assert ask(engine, "time_settings fischer 0 1") == "= "
    time.sleep(0.1)
    # There was no time at all: nothing is played, and the other side has won.
    assert ask(engine, "play a d1 d2") == "= "
    assert ask(engine, "final_status") == "= defender_wins"
    assert "/A4D4A/11/5A5/3AAAAA3/" in ask(engine, "show_board_open_tafl")
    assert ask(engine, "time_settings fischer 1 0") == "= "
    begun = time.monotonic()
    assert ask(engine, "generate_move").startswith("= play attacker ")
    assert seconds_since(begun) < 20
    assert engine.line() == ""
    assert ask(engine, "board_size 11") == "= ", "and without clocks, since a move was played"
    assert ask(engine, "play_undo") == "? play undo: it is the first move"


@pytest.mark.parametrize("last", ["quit", "name"])
def test_the_end(engine: Dialogue, last: str) -> None:
    """Neither ``quit`` nor the end of the input is answered."""
    engine.say("name", last)
    done = engine.end()
    assert (done.stdout, done.status) == ("= taflengine\n" * (1 + (last == "name")), 0)


def test_the_end_of_the_input_ends_a_search() -> None:
    """Whoever has gone in the middle of it waits for nothing; a script has all its answers."""
    with Dialogue(*HTP, "--param", "movetime=900") as engine:
        assert ask(engine, "name") == "= taflengine"
        engine.work("generate_move\n")
        time.sleep(2 * TOGETHER)
        begun = time.monotonic()
        done = engine.end()
    assert seconds_since(begun) < SOON
    assert (done.status, done.stdout.count("= play attacker ")) == (0, 1)
    with Dialogue(*HTP, "--param", "movetime=900", "--param", "depth=4") as engine:
        engine.say("generate_move", "generate_move", "final_status")
        done = engine.end()
    assert done.status == 0
    assert [line for line in done.stdout.splitlines() if line][2:] == ["= ongoing"]


class LightServer:
    """A referee on the network as hnefatafl.org's light server is one: it asks, it passes on."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.game = Game(BY_SIZE[11])
        self.failure = ""

    def __enter__(self) -> "LightServer":
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def accept(self) -> socket.socket:
        player, _ = self._listener.accept()
        player.settimeout(60)
        return player

    def referee(self, plies: int) -> None:
        """Let two engines play; the second that comes has the attackers."""
        defender, attacker = self.accept(), self.accept()
        with attacker, defender:
            for ply in range(plies):
                mover, other = (attacker, defender) if ply % 2 == 0 else (defender, attacker)
                side = self.game.side_to_move.value
                mover.sendall(f"generate_move {side}\n".encode())
                line = line_from(mover)
                words = line.split()
                if words[:2] != ["play", side]:
                    self.failure = line
                    return
                self.game.play(Move(*(read_vertex(word, 11) for word in words[2:])))
                if self.game.outcome:
                    return
                other.sendall(f"{line}\n".encode())


def line_from(player: socket.socket) -> str:
    """The next line, byte by byte."""
    line = b""
    while not line.endswith(b"\n"):
        more = player.recv(1)
        assert more, f"the engine has gone after {line!r}"
        line += more
    return line.decode().rstrip("\n")


def test_two_engines_on_a_light_server() -> None:
    with LightServer() as server:
        referee = threading.Thread(target=server.referee, args=(30,))
        referee.start()
        connect = ("--connect", server.address)
        with Dialogue(*HTP, *connect) as one, Dialogue(*HTP, *connect) as two:
            done = [one.wait(), two.wait()]
        referee.join()
    assert server.failure == ""
    assert len(server.game.plies) == 30 or server.game.outcome
    assert [(each.stdout, each.status) for each in done] == [("", 0), ("", 0)]


def test_lines_that_come_in_pieces_and_together() -> None:
    with LightServer() as server, Dialogue(*HTP, "--connect", server.address) as engine:
        player = server.accept()
        with player:
            for piece in (b"play attacker d1", b" d3\r\ngenerate_move def", b"ender\n"):
                player.sendall(piece)
                time.sleep(0.05)
            assert line_from(player).startswith("play defender ")
        assert engine.wait().status == 0


@pytest.mark.parametrize("line", ["login me", "play attacker d1 e2", "play attacker z9 d3"])
def test_what_a_light_server_does_not_say(line: str) -> None:
    with (
        LightServer() as server,
        Dialogue(*HTP, "--connect", server.address) as engine,
        server.accept() as player,
    ):
        player.sendall(f"{line}\n".encode())
        done = engine.wait()
    assert done.status == 1
    assert f"the server says '{line}': " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
    with Dialogue(*HTP, "--connect", address) as engine:
        done = engine.wait()
    assert done.status == 1
    assert f"cannot connect to {address}" in done.stderr


def test_the_sides_of_a_light_server() -> None:
    """The role in the question is not needed: the game says whose turn it is."""
    with (
        LightServer() as server,
        Dialogue(*HTP, "--connect", server.address),
        server.accept() as player,
    ):
        player.sendall(b"generate_move\n")
        words = line_from(player).split()
    assert words[:2] == ["play", Side.ATTACKER.value]
