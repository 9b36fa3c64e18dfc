"""analyze and genmove_analyze at real pipes: lines, pace, ends, and what goes wrong."""

import re
import signal
import time
from collections.abc import Generator, Iterator

import pytest
from program import Program, replies, without_advice

from taflengine.core.codes import MATE, WON
from taflengine.engines.report import Report, variation_of
from taflengine.notation import Move, parse_move
from taflengine.protocol.interrupts import TOGETHER
from taflengine.protocol.reports import info_line, paced

INFO = re.compile(
    r"info move (?P<move>\S+) visits (?P<visits>\d+) winrate (?P<winrate>[01]\.\d{4}) "
    r"scoreLead (?P<lead>-?\d+\.\d\d) (?:mate (?P<mate>-?\d+) )?depth (?P<depth>\d+) "
    r"order (?P<order>\d+) pv (?P<pv>\S+(?: (?!info)\S+)*)(?: |$)"
)
SOON = 10.0
"""Seconds in which what should happen at once has happened, also on a busy machine. What is
stopped would go on for far longer."""


def variations(line: str) -> list[dict[str, str]]:
    """What stands in a line of an analysis, all of which is understood."""
    found = list(INFO.finditer(line))
    assert "".join(match[0] for match in found) == line
    return [match.groupdict() for match in found]


def lines_of(reply: str, head: str = "= ") -> list[str]:
    """The lines of a reply behind its head."""
    first, *lines = reply.split("\n")
    assert first == head
    return lines


def end_of(program: Program) -> None:
    """Read on to the end of a reply of which at least the head has been read."""
    while program.line():
        pass


@pytest.fixture
def program() -> Iterator[Program]:
    with Program() as made:
        assert made.ask("newgame brandubh") == "= "
        yield made


# Lines


def test_a_bounded_analysis(program: Program) -> None:
    """A line a depth, each with a line of play that can be played."""
    lines = lines_of(program.ask("12 analyze depth 4"), "=12 ")
    reports = [variations(line) for line in lines]
    assert [report[0]["depth"] for report in reports] == ["1", "2", "3", "4"]
    visits = [int(report[0]["visits"]) for report in reports]
    assert visits == sorted(set(visits))
    for (report,) in reports:
        moves = report["pv"].split()
        assert moves[0] == report["move"]
        assert program.ask(f"gogui-play_sequence {report['pv']}") == "= "
        assert program.ask(f"undo {len(moves)}") == "= "
    assert program.ask("history") == "= "


def test_several_variations(program: Program) -> None:
    """The best first, each another move, the same number by parameter and by option."""
    for line in ("analyze depth 3 maxmoves 3", "analyze minmoves 3 depth 3"):
        *_, last = lines_of(program.ask(line))
        found = variations(last)
        assert [each["order"] for each in found] == ["0", "1", "2"]
        assert len({each["move"] for each in found}) == 3
        chances = [float(each["winrate"]) for each in found]
        assert chances == sorted(chances, reverse=True)
    program.ask("set_param multipv 2")
    *_, last = lines_of(program.ask("analyze depth 2"))
    assert len(variations(last)) == 2
    *_, last = lines_of(program.ask("analyze depth 1 maxmoves 500"))
    assert len(variations(last)) == 40


@pytest.mark.parametrize(
    "options",
    [
        *("", "attacker", "b", "B 50", "50 b", "interval 50", "interval 50 black", "50"),
        *("b interval 0.5 maxmoves 2", "rootInfo true ownership true 10", "minmoves 2 b"),
        *("avoid b d6-c6,d2-c2 1 b 50", "avoid w c4-c5 1", "allow a d6-c6 20 interval 5"),
        *("allow d6-c6,d6-e6 avoid d2-c2", "pvVisits false depth 3", "nodes 500", "time 0.01"),
    ],
)
def test_words_in_any_order(program: Program, options: str) -> None:
    """As front ends have sent them over the years."""
    program.send(f"analyze {options}\n\n")
    lines = lines_of(program.reply())
    assert lines
    assert all(variations(line) for line in lines)


def test_a_foreign_key_without_a_value_takes_none(program: Program) -> None:
    *_, last = lines_of(program.ask("analyze rootInfo depth 2"))
    assert all(each["depth"] == "2" for each in variations(last))


def test_moves_that_do_not_count(program: Program) -> None:
    *_, last = lines_of(program.ask("analyze depth 2 maxmoves 50 avoid d6-c6,d6-e6 avoid d2-c2"))
    moves = {each["move"] for each in variations(last)}
    assert len(moves) == 37
    assert not moves & {"d6-c6", "d6-e6", "d2-c2"}
    *_, last = lines_of(program.ask("analyze depth 2 maxmoves 50 allow d6-c6,d6-e6,d4-d5"))
    assert {each["move"] for each in variations(last)} == {"d6-c6", "d6-e6"}
    *_, last = lines_of(program.ask("analyze depth 1 maxmoves 50 avoid defender d6-c6 30"))
    assert len(variations(last)) == 40


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("analyze defender", "out of turn: attacker is to move"),
        ("analyze nonsense", "'nonsense' is neither a side nor an interval nor one of interval"),
        ("analyze interval", "nothing stands behind interval: it needs a value"),
        ("analyze depth", "nothing stands behind depth: it needs a value"),
        ("analyze avoid", "nothing stands behind avoid: it needs a value"),
        ("analyze allow white", "nothing stands behind allow white: it needs a value"),
        ("analyze avoid foo", "'foo' is neither a side nor moves: say avoid and e4-e7,e4-e8"),
        ("analyze interval x", "'x' is no interval: say hundredths of a second from 0 to 360000"),
        ("analyze 1e3", "'1e3' is no interval: say hundredths"),
        ("analyze depth 0", "'0' is not allowed: say a number from 1 to 100"),
        ("analyze depth 101", "'101' is not allowed"),
        ("analyze nodes -1", "'-1' is not allowed"),
        ("analyze time 0", "'0' is not allowed"),
        ("analyze maxmoves 0", "'0' is not allowed: say a number from 1 to 500"),
        ("analyze avoid d6", "'d6' is no move"),
        ("analyze avoid h1-h2", "'h1' is not on this board"),
        ("analyze allow d4-d5", "no legal move is left to look at"),
        ("analyze allow d6-c6 avoid d6-c6", "no legal move is left to look at"),
    ],
)
def test_what_cannot_be_wished_for(program: Program, line: str, failure: str) -> None:
    """It fails before anything is said, and for genmove_analyze too; nothing is played."""
    assert program.ask(line).startswith(f"? {failure}")
    assert program.ask(f"genmove_{line}").startswith(f"? {failure}")
    assert program.ask("history") == "= "


def test_an_end_that_is_proven(program: Program) -> None:
    """It is found, told once in full, and ends the analysis; after the end there is none."""
    program.ask("setposition 7/2a4/7/7/7/2a4/4k2 d")
    (line,) = lines_of(program.ask("analyze"))
    (found,) = variations(line)
    assert (found["winrate"], found["lead"], found["mate"]) == ("1.0000", "99.99", "1")
    *_, played = lines_of(program.ask("genmove_analyze"))
    assert played == f"play {found['move']}"
    for line in ("analyze", "genmove_analyze"):
        assert program.ask(line) == "? game over: defender wins (corner)"


def test_every_kind_of_score_has_its_place() -> None:
    line = (Move(0, 1), Move(48, 47))
    variants = tuple(variation_of(score, line, 200) for score in (MATE - 3, 150, -WON, 4 - MATE))
    text = info_line(Report(5, 1234, 0.5, variants), 7)
    found = variations(text)
    assert [each["mate"] for each in found] == ["3", None, None, "-4"]
    assert [each["lead"] for each in found] == ["99.99", "1.50", "-99.99", "-99.99"]
    assert [each["winrate"] for each in found] == ["1.0000", "0.6792", "0.0000", "0.0000"]
    assert {each["pv"] for each in found} == {"a1-b1 g7-f7"}


# Pace


def test_an_interval_is_kept(program: Program) -> None:
    """At most five lines in half a second, the last one of what was found last."""
    begun = time.monotonic()
    lines = lines_of(program.ask("analyze 10 time 0.5"))
    assert 0.4 < time.monotonic() - begun < 3
    assert 1 <= len(lines) <= 6
    assert len(lines) < len(lines_of(program.ask("analyze time 0.5"))) + 6


def test_lines_come_while_the_search_goes_on(program: Program) -> None:
    """A front end shows the first long before the last."""
    begun = time.monotonic()
    program.send("analyze 5 time 600\n")
    assert program.line() == "= "
    assert variations(program.line())
    assert variations(program.line())
    assert time.monotonic() - begun < SOON
    program.send("# interrupt\n")
    end_of(program)


def report(depth: int) -> Report:
    """A report that only its depth tells apart."""
    return Report(depth, depth, 0.0, (variation_of(0, (parse_move("a1-a2", 7).move,), 200),))


def test_pace() -> None:
    """What comes too soon is left out unless it is the last; a failure comes through."""

    def quick() -> Generator[Report, None, None]:
        yield from map(report, range(1, 1000))

    assert [each.depth for each in paced(quick(), 60, lambda: None)] == [999]
    assert [each.depth for each in paced(quick(), 0, lambda: None)] == [*range(1, 1000)]

    def failing() -> Generator[Report, None, None]:
        yield report(1)
        raise MemoryError("no more")

    with pytest.raises(MemoryError, match="no more"):
        list(paced(failing(), 60, lambda: None))


# Ends


@pytest.mark.parametrize("line", ["\n", "# so\n", "7 name\n", "stop\n", "# interrupt\n", "x\n"])
@pytest.mark.parametrize("interval", ["", " 5"])
def test_any_line_ends_it(program: Program, line: str, interval: str) -> None:
    program.send(f"5 analyze{interval}\n")
    assert program.line() == "=5 "
    assert variations(program.line())
    time.sleep(0.05)
    begun = time.monotonic()
    program.send(line)
    end_of(program)
    assert time.monotonic() - begun < SOON
    if line[0] not in "\n#":
        assert program.reply().startswith(("=7 taflengine", "= ", "? unknown"))
    assert program.ask("9 side") == "=9 attacker"


def test_a_bounded_one_is_ended_by_a_line_too(program: Program) -> None:
    program.send("analyze time 600\n")
    assert program.line() == "= "
    program.send("8 side\n")
    end_of(program)
    assert program.reply() == "=8 attacker"


def test_only_stop_ends_genmove_analyze(program: Program) -> None:
    """The move is made; what was said meanwhile is answered then."""
    program.send("genmove_analyze 10 time 600\n1 name\n")
    assert program.line() == "= "
    assert variations(program.line())
    program.send("2 stop\n3 history\n")
    *_, played = program.reply().split("\n")
    assert program.reply() == "=1 taflengine"
    assert program.reply() == "=2 "
    assert program.reply() == f"=3 {played.removeprefix('play ')}"


def test_stop_ends_genmove(program: Program) -> None:
    """With the best move so far, which is made."""
    program.ask("set_param engine search")
    program.ask("set_param movetime 3600")
    for line in ("genmove attacker", "reg_genmove defender", "hint"):
        program.work(f"1 {line}\n")
        begun = time.monotonic()
        program.send("2 stop\n")
        assert program.reply().startswith("=1 ")
        assert time.monotonic() - begun < SOON
        assert program.reply() == "=2 "
    assert len(program.ask("history").split()) == 2


@pytest.mark.parametrize("line", ["perft 20", "divide 20"])
def test_a_count_is_stopped(program: Program, line: str) -> None:
    """It fails, changes nothing, and does not outlive whoever asked for it."""
    position = program.ask("position")
    for ends in ("2 stop\n", "# interrupt\n2 stop\n"):
        program.work(f"1 {line}\n")
        begun = time.monotonic()
        program.send(ends)
        assert program.reply() == "?1 stopped: not all has been counted"
        assert time.monotonic() - begun < SOON
        assert program.reply() == "=2 "
        assert program.ask("position") == position
    program.work(f"3 {line}\n")
    time.sleep(2 * TOGETHER)
    done = program.end()
    assert (done.stdout, done.status) == ("?3 stopped: not all has been counted\n\n", 0)


def test_genmove_answers_at_once_where_there_is_no_choice(program: Program) -> None:
    """One legal move, or a win that is proven."""
    program.ask("set_param engine search")
    program.ask("set_param movetime 3600")
    program.ask("setposition 7/2a4/7/7/7/2a4/4k2 d")
    assert program.ask("genmove defender").startswith("= e1-")
    program.ask("setposition 7/7/7/2a4/7/1ada3/1aka3 d")
    (only,) = program.ask("legal").removeprefix("= ").split()
    assert program.ask("genmove defender") == f"= {only}"
    program.ask("undo")
    *_, played = lines_of(program.ask("genmove_analyze"))
    assert played == f"play {only}"


@pytest.mark.parametrize("line", ["analyze", "analyze 10", "analyze time 600"])
def test_the_end_of_input_ends_it(program: Program, line: str) -> None:
    program.work(f"{line}\n")
    assert program.line() == "= "
    time.sleep(2 * TOGETHER)
    begun = time.monotonic()
    done = program.end()
    assert time.monotonic() - begun < SOON
    assert done.stdout.endswith("\n\n")
    assert (without_advice(done.stderr), done.status) == ("", 0)


def test_the_end_of_input_during_genmove(program: Program) -> None:
    """The best move so far is the answer."""
    program.ask("set_param engine search")
    program.ask("set_param movetime 3600")
    program.work("4 genmove attacker\n")
    time.sleep(2 * TOGETHER)
    begun = time.monotonic()
    done = program.end()
    assert time.monotonic() - begun < SOON
    assert re.fullmatch(r"=4 [a-g]\d-[a-g]\d\n\n", done.stdout)
    assert (without_advice(done.stderr), done.status) == ("", 0)


def test_a_script_has_its_answers() -> None:
    """All lines and the end of input at once: a search goes on to its own limits."""
    script = ["set_param engine search", "set_param movetime 0.4", "analyze time 0.4"]
    begun = time.monotonic()
    found = replies(["newgame brandubh", *script, "genmove attacker", "analyze depth 3"])
    assert time.monotonic() - begun > 0.4
    assert found[-1].splitlines()[-1].count("depth 3")


def test_quit_ends_it(program: Program) -> None:
    program.send("analyze\n")
    assert program.line() == "= "
    program.send("9 quit\n")
    done = program.wait()
    assert done.stdout.endswith("\n\n=9 \n\n")
    assert done.status == 0


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
@pytest.mark.parametrize("line", ["analyze", "analyze 10", "genmove attacker"])
def test_signals(program: Program, line: str, number: int, status: int) -> None:
    program.ask("set_param engine search")
    program.ask("set_param movetime 3600")
    program.work(f"{line}\n")
    program.process.send_signal(number)
    begun = time.monotonic()
    done = program.wait()
    assert time.monotonic() - begun < SOON
    assert (without_advice(done.stderr), done.status) == ("", status)
    if number == signal.SIGINT and line != "genmove attacker":
        assert done.stdout.endswith("\n\n")


@pytest.mark.parametrize("line", ["analyze", "analyze 1"])
def test_a_reader_who_leaves(program: Program, line: str) -> None:
    """The program ends without a word as soon as it has something to say."""
    program.send(f"{line}\n")
    assert program.line() == "= "
    assert program.process.stdout
    assert program.process.stderr
    program.process.stdout.close()
    assert program.process.wait(60) == 0
    assert without_advice(program.process.stderr.read().decode()) == ""


# What is remembered


def test_the_last_move_is_explained(program: Program) -> None:
    ask = program.ask
    assert ask("gomill-explain_last_move") == "= "
    ask("set_param engine search")
    ask("set_param depth 2")
    move = ask("genmove attacker").removeprefix("= ")
    told = ask("gomill-explain_last_move").removeprefix("= ")
    assert re.fullmatch(rf"info move {move} .* pv {move}.* seconds \d+\.\d{{3}}", told)
    ask("set_param engine oneply")
    ask("genmove defender")
    assert ask("gomill-explain_last_move") == "= "
    ask("genmove_analyze depth 1")
    assert ask("gomill-explain_last_move").startswith("= info move ")
    ask("newgame")
    assert ask("gomill-explain_last_move") == "= "
