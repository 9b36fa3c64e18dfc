"""The network door: real connections on loopback, each with a process of its own."""

import resource
import signal
import time
from pathlib import Path

import pytest
from doors import Caller, Door, door, needs_proc
from program import SECONDS, processor_time, run, wait_until

from taflengine.protocol.commands import all_commands


def test_each_connection_is_a_session_of_its_own() -> None:
    with door() as opened, Caller(opened.port) as one, Caller(opened.port) as two:
        assert one.ask("newgame brandubh") == "= "
        assert one.ask("7 play d6-c6") == "=7 "
        assert two.ask("history") == "= "
        assert two.ask("position").startswith("= 3aaaaa3/")
        assert one.ask("quit") == "= "
        assert one.rest() == b""
        assert two.ask("name") == "= taflengine"


def test_any_dialect() -> None:
    with door("--protocol", "uci", "--param", "depth=2") as opened, Caller(opened.port) as caller:
        caller.send("uci\nposition startpos\ngo\n")
        assert "id name taflengine" in caller.until(b"uciok\n")
        assert "info depth 2 " in caller.until(b"bestmove ")
        caller.send("quit\n")
    with door("--protocol", "otep") as opened, Caller(opened.port) as caller:
        assert caller.until(b"\n") == "hello"


def test_the_first_game() -> None:
    with door("--variant", "brandubh") as opened, Caller(opened.port) as caller:
        assert caller.ask("side") == "= attacker"
        assert len(caller.ask("legal").split()) == 41


@pytest.mark.parametrize(
    ("protocol", "said"),
    [
        ("htp", b"? 1 connections are open, no more\n\n"),
        ("uci", b"info string 1 connections are open, no more\n"),
        ("otep", b"status 1 connections are open, no more\n"),
    ],
)
def test_a_refusal_is_said_in_the_dialect(protocol: str, said: bytes) -> None:
    with (
        door("--connections", "1", "--protocol", protocol) as opened,
        Caller(opened.port),
        Caller(opened.port) as second,
    ):
        assert second.rest() == said


@needs_proc
def test_a_system_without_room_is_waited_for() -> None:
    """Nobody is let in, nor is time burnt; when there is room again he is answered."""
    with door() as opened:
        pid = opened.process.pid
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, before[1]))
        with Caller(opened.port) as caller:
            begun = processor_time(pid)
            time.sleep(2.5)
            assert processor_time(pid) - begun < 0.5
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
            assert caller.ask("name") == "= taflengine"
    lines = opened.messages().splitlines()
    assert 1 <= len(lines) <= 4
    assert set(lines) == {"taflengine: no room for a connection: Too many open files"}


def test_too_many_are_told_so() -> None:
    with door("--connections", "2") as opened:
        with Caller(opened.port) as one, Caller(opened.port) as two:
            assert (one.ask("name"), two.ask("name")) == ("= taflengine", "= taflengine")
            for _ in range(5):
                with Caller(opened.port) as third:
                    assert third.rest() == b"? 2 connections are open, no more\n\n"
        # It may take a moment until it is seen that the two have gone.
        wait_until(lambda: answered(opened))


def answered(opened: Door) -> bool:
    """Whether somebody who comes now is let in."""
    with Caller(opened.port) as caller:
        try:
            return caller.ask("name") == "= taflengine"
        except ConnectionError:
            return False  # he was sent away before he had spoken


def test_files_are_closed(tmp_path: Path) -> None:
    """Nobody on the network reads or writes a file here."""
    there = tmp_path / "game.toml"
    there.write_text('name = "x"\nbased_on = "brandubh"\n', encoding="utf-8")
    closed = "files are closed to this session"
    with door() as opened, Caller(opened.port) as caller:
        for line in (f"newgame @{there}", f"rules @{there}"):
            assert caller.ask(line) == f"? {closed}"
        assert caller.ask(f"loadgame {there}") == f"? cannot load file: {closed}"
        new = tmp_path / "new.otg"
        assert caller.ask(f"savegame {new}") == f"? cannot save file: {closed}"
        listed = caller.ask("list_commands").removeprefix("= ").split("\n")
        assert set(all_commands()) - set(listed) == {"loadgame", "savegame"}
        for name, known in (("loadgame", "false"), ("savegame", "false"), ("printgame", "true")):
            assert caller.ask(f"known_command {name}") == f"= {known}"
    assert [path.name for path in tmp_path.iterdir()] == ["game.toml"]
    with door("--protocol", "uci") as opened, Caller(opened.port) as caller:
        caller.send(f"setoption name UCI_Variant value @{there}\n")
        assert caller.until(b"\n") == f"info string {closed}"


def test_memory_is_bounded() -> None:
    with door("--memory", "512") as opened, Caller(opened.port) as caller:
        assert caller.ask("set_param engine search") == "= "
        assert caller.ask("set_param hash 4000") == "= "
        answer = caller.ask("genmove attacker")
        assert answer == "? there is no memory for a table of 4000 megabytes"
        assert caller.ask("name") == "= taflengine"


def test_a_long_line_is_refused_and_forgotten() -> None:
    with door() as opened, Caller(opened.port) as caller:
        caller.send(b"x" * (8 << 20) + b"\n")
        assert caller.until() == "? syntax error: line longer than 65536 bytes"
        assert caller.ask("name") == "= taflengine"


@pytest.mark.parametrize("sent", ["", "name\n", "na"])
def test_who_says_nothing_is_sent_away(sent: str) -> None:
    """A beginning of a line is nothing."""
    with door("--idle", "1") as opened, Caller(opened.port) as caller:
        caller.send(sent)
        begun = time.monotonic()
        assert caller.rest() == (b"= taflengine\n\n" if sent == "name\n" else b"")
        assert time.monotonic() - begun < SECONDS / 2


@pytest.mark.parametrize(
    ("protocol", "lines"),
    [
        ("gtp", "newgame alea-evangelii\nperft 6\n"),
        ("gtp", "set_param engine search\nset_param movetime 900\ngenmove attacker\n"),
        ("uci", "position startpos\ngo infinite\n"),
        ("otep", "rules dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/\n"
         "clock 9000000 9000000 0 0 0 \nplay attackers\n"),
    ],
)  # fmt: skip
def test_who_asks_for_too_much_is_sent_away(protocol: str, lines: str) -> None:
    with door("--think", "1", "--protocol", protocol) as opened, Caller(opened.port) as caller:
        caller.send(lines)
        begun = time.monotonic()
        caller.rest()
        assert time.monotonic() - begun < SECONDS / 2
        with Caller(opened.port) as another:
            another.send("name\nuci\n")
            assert another.socket.recv(1), "the door is still open"


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_guests_leave_with_the_door(number: signal.Signals) -> None:
    opened = Door()
    with opened.process as process, Caller(opened.port) as caller:
        assert caller.ask("name") == "= taflengine"
        guests = opened.guests()
        assert len(guests) == 1
        process.send_signal(number)
        try:
            assert process.wait(SECONDS) == 128 + number
        finally:
            process.kill()  # else one that stays would be waited for without end
        assert caller.rest() == b""
        assert not Path(f"/proc/{guests[0]}").exists()


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (("--listen", "nonsense"), 1, "'nonsense' is no address: say HOST:PORT"),
        (("--listen", "127.0.0.1:99999"), 1, "is no address: say HOST:PORT"),
        (("--listen", "0", "--param", "depth"), 2, "'depth' sets no parameter"),
        (("--listen", "0", "--idle", "inf"), 2, "Invalid value for '--idle'"),
        (("--listen", "0", "--think", "nan"), 2, "'nan' is no number of seconds"),
        (("--listen", "0", "--memory", "9" * 20), 2, "Invalid value for '--memory'"),
        (("--listen", "0", "--variant", "chess"), 1, "'chess' is no rule set"),
        (("--listen", "0", "--connections", "0"), 2, "Error: "),
        ((), 2, "Error: "),
    ],
)
def test_what_cannot_be_served(words: tuple[str, ...], status: int, complaint: str) -> None:
    done = run("serve", *words)
    assert (done.stdout, done.status) == ("", status)
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_an_address_in_use() -> None:
    with door() as opened:
        done = run("serve", "--listen", f"127.0.0.1:{opened.port}")
    assert done.status == 1
    assert f"cannot listen on 127.0.0.1:{opened.port}: " in done.stderr
