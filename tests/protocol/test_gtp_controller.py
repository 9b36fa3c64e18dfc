"""What the controller of GTP says, and what it makes of the answers."""

import re

import pytest
from scripted_link import DEADLINE, ScriptedLink

from taflengine.clock import UNLIMITED, Clock, TimeControl, parse_control
from taflengine.errors import BadReplyError, EngineExitedError
from taflengine.game import Game
from taflengine.notation import Move, parse_move
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Budget, Identity, Task
from taflengine.protocol.controllers.dialects import find_dialect
from taflengine.protocol.controllers.gtp import GtpController

SMALL = """
> 1 protocol_version
=1 2
~
> 2 list_commands
=2 play
genmove
boardsize
clear_board
time_settings
~
> 3 name
=3 small
~
"""
FULL = """
> 1 protocol_version
=1 2
~
> 2 list_commands
=2 play
genmove
newgame
set_param
list_params
setposition
time_settings
time_left
position
result
version
~
> 3 list_params
=3 seed: integer
nodes: integer
depth: integer
movetime: seconds
~
> 4 name
=4 full
~
> 5 version
=5 1.2
~
"""


def move(text: str) -> Move:
    return parse_move(text, 7).move


def task(control: TimeControl, nodes: int | None = None, depth: int | None = None) -> Task:
    budget = Budget(control, nodes, depth)
    return Task(Game("brandubh"), "brandubh", Side.ATTACKER, budget, 17)


def started(script: str, head: str = FULL) -> tuple[GtpController, ScriptedLink]:
    """A controller that has read the greeting; *script* comes next."""
    link = ScriptedLink(head.strip() + "\n" + script.strip())
    controller = GtpController(link)
    controller.start({}, (), DEADLINE)
    return controller, link


def begun(answer: str) -> tuple[GtpController, ScriptedLink]:
    """A controller in a game, whose engine has *answer* for the question for a move."""
    script = "> 4 boardsize 7\n=4\n~\n> 5 clear_board\n=5\n~\n> 6 time_settings 60 0 0\n=6\n~"
    controller, link = started(f"{script}\n> 7 genmove attacker\n{answer}", SMALL)
    controller.new_game(task(parse_control("60")), DEADLINE)
    return controller, link


def test_greeting_and_options() -> None:
    link = ScriptedLink(
        FULL + "> 6 set_param level 3\n=6\n~\n> 7 set_param hash 4\n=7\n~\n> 8 hello\n=8\n~"
    )
    found = GtpController(link).start({"level": "3", "hash": "4"}, ("hello",), DEADLINE)
    assert found == Identity("full", "1.2")
    assert link.at_end()


def test_an_engine_with_the_least_of_gtp() -> None:
    controller, link = started(
        """
        > 4 boardsize 7
        =4
        ~
        > 5 clear_board
        =5
        ~
        > 6 time_settings 60 0 0
        =6
        ~
        > 7 play defender d5-e5
        =7
        ~
        > 8 genmove attacker
        =8 D6-C6
        ~
        """,
        SMALL,
    )
    controller.new_game(task(parse_control("60")), DEADLINE)
    assert controller.played(Side.DEFENDER, move("d5-e5"), DEADLINE) is None
    clocks = {side: Clock(parse_control("60")) for side in Side}
    choice = controller.choose(Side.ATTACKER, clocks, DEADLINE)
    assert (choice.move, choice.seconds) == (move("d6-c6"), 1.0)
    assert controller.standing(DEADLINE) is None
    assert link.at_end()


def test_limits_are_told_when_they_change() -> None:
    controller, link = started(
        """
        > 6 newgame brandubh
        =6
        ~
        > 7 set_param seed 17
        =7
        ~
        > 8 set_param nodes 500
        =8
        ~
        > 9 set_param movetime 86400
        =9
        ~
        > 10 newgame brandubh
        =10
        ~
        > 11 set_param seed 17
        =11
        ~
        > 12 newgame brandubh
        =12
        ~
        > 13 set_param seed 17
        =13
        ~
        > 14 set_param nodes 0
        =14
        ~
        > 15 set_param depth 3
        =15
        ~
        > 16 set_param movetime 0.1
        =16
        ~
        """
    )
    controller.new_game(task(UNLIMITED, nodes=500), DEADLINE)
    controller.new_game(task(UNLIMITED, nodes=500), DEADLINE)
    controller.new_game(task(TimeControl(period=0.1, moves=1), depth=3), DEADLINE)
    assert link.at_end()


def test_a_clock_is_told_before_each_move() -> None:
    controller, link = started(
        """
        > 6 newgame brandubh
        =6
        ~
        > 7 set_param seed 17
        =7
        ~
        > 8 time_settings 10 5 3
        =8
        ~
        > 9 time_left attacker 9.500 0
        =9
        ~
        > 10 time_left defender 5.000 3
        =10
        ~
        > 11 genmove attacker
        =11 resign
        ~
        """
    )
    control = parse_control("10+5/3")
    controller.new_game(task(control), DEADLINE)
    clocks = {side: Clock(control) for side in Side}
    clocks[Side.ATTACKER].spend(0.5)
    clocks[Side.DEFENDER].spend(10)
    assert controller.choose(Side.ATTACKER, clocks, DEADLINE).move is None
    assert link.at_end()


def test_captures_and_standing() -> None:
    controller, link = started(
        """
        > 6 newgame brandubh
        =6
        ~
        > 7 set_param seed 17
        =7
        ~
        > 8 play attacker d6-c6
        =8 d5 d6
        ~
        > 9 position
        =9 3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d
        ~
        > 10 result
        =10 ongoing
        ~
        > 11 quit
        """
    )
    controller.new_game(task(UNLIMITED), DEADLINE)
    captured = controller.played(Side.ATTACKER, move("d6-c6"), DEADLINE)
    assert captured == frozenset({4 * 7 + 3, 5 * 7 + 3})
    standing = controller.standing(DEADLINE)
    assert standing
    assert standing.board == Game("brandubh").board
    assert (standing.side, standing.result) == (Side.DEFENDER, "ongoing")
    controller.quit(DEADLINE)
    assert link.at_end()


@pytest.mark.parametrize(
    ("explanation", "thoughts"),
    [
        (
            "info move d6-c6 visits 812 winrate 0.4 scoreLead -1.25 depth 5 order 0 pv d6-c6 a4-a3",
            (-125, 5, 812),
        ),
        ("info move d6-c6 winrate 0.5 pv d6-c6", (None, None, None)),
        ("info move d6-c6 scoreLead about 3 pv d6-c6", (None, None, None)),
        ("because I can", (None, None, None)),
        ("", (None, None, None)),
    ],
)
def test_thoughts(explanation: str, thoughts: tuple[int | None, ...]) -> None:
    head = SMALL.replace("=2 play", "=2 play\ngomill-explain_last_move")
    script = "> 4 boardsize 7\n=4\n~\n> 5 clear_board\n=5\n~\n> 6 genmove attacker\n=6 d6-c6\n~"
    script += f"\n> 7 gomill-explain_last_move\n=7 {explanation}\n~"
    controller, link = started(script, head)
    controller.new_game(task(UNLIMITED), DEADLINE)
    choice = controller.choose(Side.ATTACKER, {}, DEADLINE)
    assert (choice.score, choice.depth, choice.nodes) == thoughts
    assert link.at_end()


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("=8 d6-c6\n~", "'genmove attacker' with the id 7 is answered '=8 d6-c6'"),
        ("= d6-c6\n~", "'genmove attacker' with the id 7 is answered '= d6-c6'"),
        ("thinking\n=7 d6-c6\n~", "'genmove attacker' is answered 'thinking': no = or ?"),
        ("~\n~", "'genmove attacker' is answered '': no = or ?"),
        ("?7 no idea\n~", "'genmove attacker' is refused: 'no idea'"),
        ("=7 I win\n~", "genmove: 'I win' is no move: a move is two squares, as e4-e7"),
        ("=7 h1-h2\n~", "genmove: 'h1' is not on this board, which goes from a1 to g7"),
        ("=7\n~", "genmove: '' is no move: a move is two squares, as e4-e7"),
    ],
)
def test_bad_answers(answer: str, complaint: str) -> None:
    controller, _ = begun(answer)
    with pytest.raises(BadReplyError, match=f"^{re.escape(complaint)}$"):
        controller.choose(Side.ATTACKER, {}, DEADLINE)


def test_an_answer_too_many_is_noticed() -> None:
    controller, _ = begun("=7 d6-c6\n~\n=7 d6-c6\n~")
    controller.choose(Side.ATTACKER, {}, DEADLINE)
    with pytest.raises(BadReplyError, match=r"^unasked, before 'play defender d5-e5': '=7 d6-c6'$"):
        controller.played(Side.DEFENDER, move("d5-e5"), DEADLINE)


def test_an_endless_answer() -> None:
    controller, _ = begun("=7\n" + f"{'x' * 60_000}\n" * 20)
    with pytest.raises(BadReplyError, match="an answer of more than 1048576 characters"):
        controller.choose(Side.ATTACKER, {}, DEADLINE)


def test_an_engine_that_goes() -> None:
    controller, _ = begun("=7 d6-c6")
    with pytest.raises(EngineExitedError):
        controller.choose(Side.ATTACKER, {}, DEADLINE)


@pytest.mark.parametrize(
    ("answers", "dialect"),
    [
        ("> 1 protocol_version\n=1 2\n~\n> uci\n?\n~", "gtp"),
        ("> 1 protocol_version\n?1 what\n~\n> uci\n~", "gtp"),
        ("> 1 protocol_version\n? unknown command\n~\n~\n> uci\n?\n~", "htp"),
        ("> 1 protocol_version\nUnknown command\n> uci\nid name X\nuciok", "uci"),
        ("hello\n> 1 protocol_version\n> uci", "otep"),
    ],
)
def test_the_dialect_is_found_out(answers: str, dialect: str) -> None:
    assert find_dialect(ScriptedLink(answers), DEADLINE) == dialect
