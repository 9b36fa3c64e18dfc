"""Each controller against this program in its dialect: whole games, and every complaint."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from program import COMMAND, ENVIRONMENT, SECONDS
from scripted_link import DEADLINE, ScriptedLink

from taflengine.clock import UNLIMITED, Clock, TimeControl
from taflengine.errors import BadReplyError, EngineExitedError
from taflengine.game import Game
from taflengine.match.process import EngineProcess, Guard
from taflengine.notation import parse_move
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Budget, Controller, Task
from taflengine.protocol.controllers.dialects import CONTROLLERS, find_dialect
from taflengine.protocol.controllers.htp import HtpController
from taflengine.protocol.controllers.otep import OtepController
from taflengine.protocol.controllers.uci import UciController
from taflengine.protocol.dialects import DIALECTS
from taflengine.rules import Repetition, Variant
from taflengine.variants import find_variant
from taflengine.variants.hnefatafl_org import BY_SIZE
from taflengine.variants.opentafl import parse_opentafl

DEFENDERS_FIRST = BY_SIZE[7]
QUICK = Budget(TimeControl(period=0.05, moves=1))
CLOCKED = Budget(TimeControl(main=60.0, increment=1.0))


def soon() -> float:
    """A deadline for failures only."""
    return time.monotonic() + SECONDS


def task(variant: Variant | str, budget: Budget = QUICK, side: Side = Side.ATTACKER) -> Task:
    game = Game(variant)
    return Task(game, game.variant.name, side, budget, seed=7)


def clocks_of(budget: Budget) -> Mapping[Side, Clock]:
    return {side: Clock(budget.control) for side in Side}


@contextmanager
def engine_of(dialect: str, *arguments: str) -> Iterator[Controller]:
    """A running engine of *dialect* and who controls it."""
    command = [*COMMAND, "--protocol", dialect, *arguments]
    with Guard() as guard, EngineProcess(command, guard, environment=ENVIRONMENT) as process:
        controller = CONTROLLERS[dialect](process)
        yield controller
        controller.quit(soon())
        for _ in range(1000):  # what it still says, and its end
            try:
                process.receive(soon())
            except EngineExitedError:
                return
        pytest.fail("the engine goes on")


def play_out(controller: Controller, match: Task, plies: int, start: str = "") -> Game:
    """Let the engine play its side against the first or last of the legal moves."""
    game = match.game
    controller.new_game(match, soon())
    for text in start.split():
        side, move = game.side_to_move, parse_move(text, game.variant.size).move
        game.play(move)
        controller.played(side, move, soon())
    while not game.outcome and len(game.plies) < plies:
        side = game.side_to_move
        if side is match.side:
            chosen = controller.choose(side, clocks_of(match.budget), soon()).move
            assert chosen is not None
            game.play(chosen)
        else:
            legal = game.legal_moves()
            move = legal[-(len(game.plies) % 2)]
            taken = game.play(move)
            told = controller.played(side, move, soon())
            assert told is None or told == frozenset(taken)
    controller.finish(str(game.outcome or "draw"), soon())
    return game


GAMES: dict[str, tuple[Variant | str, Variant | str]] = {
    "gtp": ("brandubh", "tablut"),
    "uci": ("brandubh", "tablut"),
    "htp": (DEFENDERS_FIRST, "copenhagen"),
    "otep": ("brandubh-federation", "tablut"),
}


def test_every_dialect_has_both_sides() -> None:
    assert set(GAMES) == set(CONTROLLERS) == set(DIALECTS)


@pytest.mark.parametrize("dialect", GAMES)
def test_the_dialect_is_found_out(dialect: str) -> None:
    command = [*COMMAND, "--protocol", dialect]
    with Guard() as guard, EngineProcess(command, guard, environment=ENVIRONMENT) as process:
        assert find_dialect(process, soon()) == dialect


@pytest.mark.parametrize("dialect", GAMES)
def test_whole_games(dialect: str) -> None:
    """One engine plays a game of each side to its end, and a second rule set after it."""
    first, second = GAMES[dialect]
    with engine_of(dialect, "--param", "movetime=0.05") as controller:
        identity = controller.start({}, [], soon())
        assert identity.name.startswith("taflengine") or dialect == "otep"
        budget = QUICK if dialect != "htp" else Budget(UNLIMITED)
        for side in Side:
            game = play_out(controller, task(first, budget, side), 200)
            assert game.outcome, "such an opponent is beaten"
            assert game.outcome.winner is side
        play_out(controller, task(second, budget, Side.DEFENDER), 8)


@pytest.mark.parametrize("dialect", ["uci", "htp", "otep"])
def test_an_opening_and_a_clock(dialect: str) -> None:
    """Both sides' first moves are told, then both clocks count."""
    variant = {"otep": "brandubh-federation", "htp": "copenhagen"}.get(dialect, "brandubh")
    opening = "d1-d3 f8-f9" if dialect == "htp" else "d6-c6 d5-b5"
    # HTP knows whole minutes only, with which it would think longer than to this depth.
    budget = CLOCKED if dialect == "htp" else Budget(TimeControl(main=4.0, increment=0.1))
    with engine_of(dialect, "--param", "depth=3") as controller:
        controller.start({}, [], soon())
        for side in Side:
            game = play_out(controller, task(variant, budget, side), 5, opening)
            assert len(game.plies) == 5


@pytest.mark.parametrize("dialect", ["uci", "otep"])
def test_a_position_set_up(dialect: str) -> None:
    variant = find_variant("brandubh-federation")
    game = Game(variant, Game(variant).board, Side.DEFENDER)
    match = Task(game, variant.name, Side.DEFENDER, QUICK, 0)
    with engine_of(dialect) as controller:
        controller.start({}, [], soon())
        assert len(play_out(controller, match, 6).plies) == 6


@pytest.mark.parametrize("dialect", ["uci", "gtp"])
def test_options(dialect: str) -> None:
    with engine_of(dialect) as controller:
        controller.start({"hash": "8", "engine": "search"}, [], soon())
        with pytest.raises(BadReplyError, match="nosuch"):
            controller.start({"nosuch": "8"}, [], soon())


def test_uci_tells_score_depth_and_nodes() -> None:
    with engine_of("uci") as controller:
        controller.start({}, [], soon())
        match = task("brandubh", Budget(UNLIMITED, depth=3))
        controller.new_game(match, soon())
        choice = controller.choose(Side.ATTACKER, clocks_of(match.budget), soon())
    assert choice.depth == 3
    assert choice.nodes
    assert choice.score is not None
    assert abs(choice.score) < 1000


def test_htp_tells_the_board() -> None:
    with engine_of("htp", "--param", "movetime=0.05") as controller:
        controller.start({}, [], soon())
        match = task("copenhagen", Budget(UNLIMITED))
        game = play_out(controller, match, 4)
        standing = controller.standing(soon())
    assert standing == (game.board, None, "ongoing")


# Scripts: what is sent to whom, letter by letter.

UCI_START = """
> uci
id name Someone 3
option name Hash type spin default 1 min 1 max 9
uciok
> isready
readyok
> isready
readyok
"""


def test_uci_letter_by_letter() -> None:
    """As an engine writes that answers everything, and without ``UCI_Variant``."""
    script = """
        > uci
        warming up
        id name taflzero
        uciok
        option name MultiPV type spin default 1 min 1 max 1000
        > isready
        readyok
        > setoption name MultiPV value 2
        option set
        > isready
        readyok
        > ucinewgame
        unknown command
        > isready
        readyok
        > position startpos moves d1d3 f8f9
        position set to startpos (2 moves)
        > go btime 60000 binc 1000 wtime 60000 winc 1000
        info multipv 2 score cp 999 nodes 5 time 1 speed 9 pv a4a3
        info multipv 1 score cp -12 winrate 48.0 nodes 120 time 3 speed 9 pv k8i8 f9f8
        bestmove k8i8
        > position startpos moves d1d3 f8f9 k8i8 f9f8
        > go btime 60000 binc 1000 wtime 60000 winc 1000
        bestmove (none)
        > quit
    """
    link = ScriptedLink(script)
    controller = UciController(link)
    assert controller.start({"multipv": "2"}, [], DEADLINE).name == "taflzero"
    match = task("copenhagen", CLOCKED)
    controller.new_game(match, DEADLINE)
    for side, move in ((Side.ATTACKER, "d1-d3"), (Side.DEFENDER, "f8-f9")):
        match.game.play_text(move)
        controller.played(side, match.game.plies[-1].move, DEADLINE)
    choice = controller.choose(Side.ATTACKER, clocks_of(CLOCKED), DEADLINE)
    assert choice == (parse_move("k8-i8", 11).move, 1.0, -12, None, 120)
    controller.played(Side.DEFENDER, parse_move("f9-f8", 11).move, DEADLINE)
    assert controller.choose(Side.ATTACKER, clocks_of(CLOCKED), DEADLINE).move is None
    controller.quit(DEADLINE)
    assert link.at_end()


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(TimeControl(period=0.5, moves=1)), "movetime 500"),
        (Budget(UNLIMITED, nodes=900), "nodes 900"),
        (Budget(UNLIMITED, depth=4), "depth 4"),
        (
            Budget(TimeControl(main=60, moves=40)),
            "btime 60000 movestogo 40 wtime 60000",
        ),
        (Budget(TimeControl(main=9.5)), "btime 9500 wtime 9500"),
    ],
)
def test_limits_in_uci(budget: Budget, words: str) -> None:
    link = ScriptedLink(
        f"{UCI_START}> ucinewgame\n> isready\nreadyok\n> position startpos\n> go {words}\n"
        "bestmove d1d2"
    )
    controller = UciController(link)
    controller.start({}, [], DEADLINE)
    controller.new_game(task("hnefatafl", budget), DEADLINE)
    controller.choose(Side.ATTACKER, clocks_of(budget), DEADLINE)
    assert link.at_end()


@pytest.mark.parametrize("answer", ["bestmove", "bestmove e4", "bestmove z9z8", "bestmove 0000"])
def test_what_is_no_best_move(answer: str) -> None:
    link = ScriptedLink(
        f"{UCI_START}> ucinewgame\n> isready\nreadyok\n> position startpos\n> go nodes 1\n{answer}"
    )
    controller = UciController(link)
    controller.start({}, [], DEADLINE)
    budget = Budget(UNLIMITED, nodes=1)
    controller.new_game(task("hnefatafl", budget), DEADLINE)
    with pytest.raises(BadReplyError):
        controller.choose(Side.ATTACKER, clocks_of(budget), DEADLINE)


def test_a_rule_set_that_uci_does_not_offer() -> None:
    link = ScriptedLink(
        UCI_START.replace(
            "uciok", "option name UCI_Variant type combo default a var a var tablut\nuciok"
        )
    )
    controller = UciController(link)
    controller.start({}, [], DEADLINE)
    with pytest.raises(BadReplyError, match="does not offer 'brandubh'"):
        controller.new_game(task("brandubh"), DEADLINE)


HTP_START = """
> protocol_version
= 1-beta
> name
= hnefatafl-copenhagen
> version
= 6.2.3
"""


def test_htp_letter_by_letter() -> None:
    """As hnefatafl.org's own program writes: debug lines before an answer, a table behind it."""
    link = ScriptedLink(
        f"""{HTP_START}
        > time_settings fischer 1 1
        = \n        > board_size 11
        = \n        > play attacker d1 d3
        = \n        > generate_move defender
        2 turn: defender play: play defender f8 f9
        = play defender f8 f9, score: 19996, delay milliseconds: 803, loops: 0
        escape_vec:
        ~
        a b c
        0 1 2
        ~
        > play attacker k8 f8
        = e8 f7
        > generate_move defender
        = play defender resigns _, score: 1, delay milliseconds: 1, loops: 0
        ~
        > quit
        """
    )
    controller = HtpController(link)
    assert controller.start({}, [], DEADLINE) == ("hnefatafl-copenhagen", "6.2.3")
    match = task("copenhagen", CLOCKED, Side.DEFENDER)
    controller.new_game(match, DEADLINE)
    assert controller.played(Side.ATTACKER, parse_move("d1-d3", 11).move, DEADLINE) == frozenset()
    choice = controller.choose(Side.DEFENDER, clocks_of(CLOCKED), DEADLINE)
    assert choice == (parse_move("f8-f9", 11).move, 1.0, None, None, None)
    taken = controller.played(Side.ATTACKER, parse_move("k8-f8", 11).move, DEADLINE)
    assert taken == {7 * 11 + 4, 6 * 11 + 5}
    assert controller.choose(Side.DEFENDER, clocks_of(CLOCKED), DEADLINE).move is None
    controller.quit(DEADLINE)


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (task("brandubh"), "HTP has only these games"),
        (task("hnefatafl"), "HTP has only these games"),
        (task("tablut"), "HTP has only these games"),
        (task("copenhagen", Budget(UNLIMITED, nodes=5)), "cannot limit nodes or depth"),
    ],
)
def test_what_htp_cannot_play(match: Task, reason: str) -> None:
    controller = HtpController(ScriptedLink(HTP_START))
    controller.start({}, [], DEADLINE)
    with pytest.raises(BadReplyError, match=reason):
        controller.new_game(match, DEADLINE)


def test_an_error_of_htp_is_an_error() -> None:
    link = ScriptedLink(f"{HTP_START}\n> board_size 12\n? message: no\n~")
    with pytest.raises(BadReplyError, match="'board_size 12' is refused: 'message: no'"):
        HtpController(link).start({}, ["board_size 12"], DEADLINE)


def test_otep_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of OpenTafl's host: opponent-move, clock with its blank, play."""
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    script = """
        log line of the engine
        hello
        > rules RULES
        > clock 60000 60000 0 0 0
        > play attackers
        status thinking
        move d6-c6
        > move /3t3/3t3/3T3/ttTKTtt/3T3/2t4/3t3/
        > opponent-move d5-b5 /3t3/3t3/3T3/ttTKTtt/1T5/2t4/3t3/
        > clock 60000 60000 0 0 0
        > play attackers
        error -1 too hard
        > finish 3
        > goodbye
    """

    class Link(ScriptedLink):
        def send(self, line: str, deadline: float) -> float:
            # The text of the rules is another test's; each clock ends with a blank.
            assert line.startswith("clock ") == line.endswith(" ")
            shown = "rules RULES" if line.startswith("rules ") else line.strip()
            return super().send(shown, deadline)

    link = Link(script)
    controller = OtepController(link)
    controller.start({}, [], DEADLINE)
    match = task("brandubh-federation", CLOCKED)
    controller.new_game(match, DEADLINE)
    choice = controller.choose(Side.ATTACKER, clocks_of(CLOCKED), DEADLINE)
    assert choice.move == parse_move("d6-c6", 7).move
    match.game.play(choice.move)
    match.game.play_text("d5-b5")
    controller.played(Side.DEFENDER, match.game.plies[-1].move, DEADLINE)
    with pytest.raises(BadReplyError, match="the engine gives up: 'too hard'"):
        controller.choose(Side.ATTACKER, clocks_of(CLOCKED), DEADLINE)
    controller.finish("defender corner", DEADLINE)
    controller.quit(DEADLINE)
    assert link.at_end()


def test_rules_in_otep() -> None:
    """What a string cannot say of repetition is told as near as can be."""
    sent: list[str] = []

    class Link(ScriptedLink):
        def send(self, line: str, deadline: float) -> float:  # noqa: ARG002
            sent.append(line)
            return 0.0

    for name in ("copenhagen", "brandubh", "tawlbwrdd-lewis"):
        OtepController(Link("")).new_game(task(name), DEADLINE)
    assert [" tfr:" in line for line in sent] == [True, False, False]
    told = [parse_opentafl(line.removeprefix("rules ")).repetition for line in sent]
    assert told == [Repetition.LOSS_MOVER, Repetition.DRAW, Repetition.DRAW]


@pytest.mark.parametrize(
    ("control", "fields"),
    [
        (TimeControl(main=300), "300000 300000 0 0 0"),
        (TimeControl(main=300, period=30, moves=1), "300000 300000 30 1 1"),
        (TimeControl(period=2.5, moves=1), "2500* 2500* 2 1 1"),
        (UNLIMITED, ""),
    ],
)
def test_the_fields_of_a_clock(control: TimeControl, fields: str) -> None:
    controller = OtepController(ScriptedLink(""))
    assert controller._clock_fields(clocks_of(Budget(control))) == fields


@pytest.mark.parametrize(
    ("match", "reason"),
    [
        (task("tablut-bologna"), "OTEP cannot tell these rules: camps"),
        (task("brandubh-federation", Budget(UNLIMITED, depth=2)), "cannot limit nodes or depth"),
    ],
)
def test_what_otep_cannot_play(match: Task, reason: str) -> None:
    with pytest.raises(BadReplyError, match=reason):
        OtepController(ScriptedLink("")).new_game(match, DEADLINE)
