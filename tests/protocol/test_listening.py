"""Input that comes while a command is at work, at real pipes and at a real terminal."""

import os
import pty
import select
import signal
import statistics
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from program import ENVIRONMENT, SECONDS, wait_until

from taflengine.protocol.interrupts import TOGETHER
from taflengine.protocol.streams import READ_AHEAD, Input

ENGINE = [sys.executable, str(Path(__file__).with_name("toy_engine.py"))]
MOMENT = 0.1
"""Seconds in which what must not happen would mostly have happened."""
FILLED = 0.5
"""Seconds in which a stream has filled a pipe, also on a busy machine."""


class Sign:
    """A file that grows when the toy engine is at work and hears what is said."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / "sign"
        self._path.touch()
        self._seen = 0
        self.environment = {**ENVIRONMENT, "TOY_SIGN": str(self._path)}

    def forget(self) -> None:
        """Count only what comes from now on."""
        self._seen = self._path.stat().st_size

    def release(self) -> None:
        """End the command ``hold``, that at work and any that follows."""
        self._path.with_name("sign.go").touch()

    def wait(self) -> None:
        """Wait until the engine is at work, which it must be."""
        wait_until(lambda: self._path.stat().st_size > self._seen)


class Engine:
    """The toy engine with open pipes."""

    def __init__(self, directory: Path) -> None:
        self._sign = Sign(directory)
        self.process: Any = subprocess.Popen(
            ENGINE,
            env=self._sign.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._held = b""

    def send(self, data: bytes) -> None:
        """Write *data* as it is."""
        self.process.stdin.write(data)

    def read(self, end: bytes = b"\n\n") -> bytes:
        """What comes up to *end*, which must come."""
        while end not in self._held:
            ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
            assert ready, f"only {self._held!r} has come"
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            assert more, f"the engine has gone after {self._held!r}"
            self._held += more
        found, _, self._held = self._held.partition(end)
        return found + end

    def silent(self, seconds: float) -> bool:
        """Whether nothing comes for so long."""
        return not self._held and not select.select([self.process.stdout], [], [], seconds)[0]

    def working(self, line: bytes) -> None:
        """Send *line* and wait until the engine is at work with it."""
        self._sign.forget()
        self.send(line)
        self._sign.wait()

    def release(self) -> None:
        """End the command ``hold``."""
        self._sign.release()

    def rest(self) -> tuple[bytes, bytes, int]:
        """What it still says, its messages and its exit status, when it ends by itself."""
        status = self.process.wait(SECONDS)
        return self._held + self.process.stdout.read(), self.process.stderr.read(), status


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An engine that is killed after the test."""
    made = Engine(tmp_path)
    yield made
    made.process.kill()
    with made.process:
        pass


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"stop\n", b"= \n\n"),
        (b"12stop\n", b"=12 \n\n"),
        (b"\t 7 \x00stop # now\r\n", b"=7 \n\n"),
        (b"# interrupt\n", b""),
        (b"s\x01t\x00o\x7fp\r\n", b"= \n\n"),
        (b"  # interrupt \r\n", b""),
        (b"# in\x00terrupt\n", b""),
        (b"name\n3 stop\n", b"= toy\n\n=3 \n\n"),
    ],
)
def test_a_command_at_work_is_stopped(engine: Engine, line: bytes, answer: bytes) -> None:
    """It answers, then the line that has stopped it, in the order of the lines."""
    engine.working(b"5 wait 600\n")
    engine.send(line)
    assert engine.read() == b"=5 stop\n\n"
    engine.send(b"9 name\n")
    assert engine.read(b"=9 toy\n\n") == answer + b"=9 toy\n\n"


@pytest.mark.parametrize("line", [b"name\n", b"echo stop\n", b"stopp\n", b"#interrupt\n", b"\n"])
def test_other_lines_wait(engine: Engine, line: bytes) -> None:
    engine.working(b"wait 600\n")
    engine.send(line)
    assert engine.silent(MOMENT)
    engine.send(b"stop\n")
    assert engine.read() == b"= stop\n\n"


def test_stopping_is_quick(engine: Engine, record_property: Callable[[str, object], None]) -> None:
    """Within 20 ms, from the write of the line to the read of the answer."""
    taken = []
    for _ in range(50):
        engine.working(b"wait 600\n")
        begun = time.perf_counter()
        engine.send(b"# interrupt\n")
        assert engine.read() == b"= stop\n\n"
        taken.append(time.perf_counter() - begun)
    record_property(
        "a command is stopped within ms, median", f"{statistics.median(taken) * 1e3:.2f}"
    )
    assert statistics.median(taken) < 0.02


def test_a_stop_that_was_sent_along_counts(engine: Engine) -> None:
    """All in one write: the first is over before it has begun, what follows the stop is not."""
    engine.send(b"1 wait 600\n2 name\n3 wait 600\n4 stop\n5 wait 0.01\n6 stop\n7 wait 0.01\n")
    answers = b"=1 stop\n\n=2 toy\n\n=3 stop\n\n=4 \n\n=5 stop\n\n=6 \n\n=7 time\n\n"
    assert engine.read(b"=7 time\n\n") == answers


@pytest.mark.parametrize("line", [b"\n", b"# so\n", b"name\n", b"stop\n", b"nosuchcommand\n"])
def test_any_line_ends_a_stream(engine: Engine, line: bytes) -> None:
    """Its head comes at once, each line when it is there, and the empty line in the end."""
    engine.send(b"8 ticks 0.1\n")
    assert engine.read(b"\n") == b"=8 \n"
    assert engine.read(b"\n") == b"tick 0\n"
    engine.send(line)
    lines = engine.read().split(b"\n")
    assert lines[-3:] == [b" ", b"", b""]
    assert len(lines) < 8
    engine.send(b"9 name\n")
    assert engine.read(b"=9 toy\n\n")


def test_a_stream_ends_by_itself(engine: Engine) -> None:
    engine.send(b"ticks 0 3\n")
    assert engine.read() == b"= \ntick 0\ntick 1\ntick 2\n \n\n"


@pytest.mark.parametrize(
    ("line", "end"),
    [
        (b"1 broken\n", b"failure: no  more\n\n"),
        (b"1 broken 1\n", b"failure: internal error: ZeroDivisionError: here  there\n\n"),
    ],
)
def test_a_failure_in_a_stream_ends_it(engine: Engine, line: bytes, end: bytes) -> None:
    engine.send(line + b"2 name\n")
    assert engine.read() == b"=1 \na  b\n" + end
    assert engine.read() == b"=2 toy\n\n"


# Ends


@pytest.mark.parametrize("line", [b"3 wait 600\n", b"3 ticks 60\n"])
def test_the_end_of_input_ends_what_is_at_work(engine: Engine, line: bytes) -> None:
    engine.working(line)
    time.sleep(2 * TOGETHER)
    engine.process.stdin.close()
    begun = time.monotonic()
    out, messages, status = engine.rest()
    assert time.monotonic() - begun < SECONDS / 2
    assert (out, messages, status) == (b"=3 stop\n\n" if b"wait" in line else b"=3 \n \n\n", b"", 0)


def test_a_script_has_its_answers(engine: Engine) -> None:
    """Its end is there with its beginning, which is no reason to hurry."""
    engine.send(b"wait 0.4\nwait 0.01\n4 wait 0.3")
    engine.process.stdin.close()
    assert engine.rest() == (b"= time\n\n= time\n\n=4 time\n\n", b"", 0)


def test_quit_ends_a_stream_and_waits_for_an_answer(engine: Engine) -> None:
    engine.send(b"ticks 60\n")
    assert engine.read(b"\n") == b"= \n"
    engine.send(b"2 wait 0.4\n3 quit\n4 name\n")
    assert engine.rest() == (b" \n\n=2 time\n\n=3 \n\n", b"", 0)


@pytest.mark.parametrize(("line", "end"), [(b"wait 600\n", b""), (b"ticks 60\n", b"= \n\n")])
def test_an_interrupt_ends_what_is_at_work(engine: Engine, line: bytes, end: bytes) -> None:
    """The answer that has begun is ended."""
    engine.working(line)
    engine.process.send_signal(signal.SIGINT)
    assert engine.rest() == (end, b"", 130)


@pytest.mark.parametrize("line", [b"wait 600\n", b"ticks 60\n"])
def test_termination_ends_what_is_at_work(engine: Engine, line: bytes) -> None:
    """Status 143, as a shell says it."""
    engine.working(line)
    engine.process.send_signal(signal.SIGTERM)
    assert engine.rest()[1:] == (b"", -signal.SIGTERM)


def test_a_reader_who_leaves_a_stream_ends_the_session(engine: Engine) -> None:
    engine.send(b"ticks 0.01\n")
    assert engine.read(b"tick 0\n")
    engine.process.stdout.close()
    assert engine.process.wait(SECONDS) == 0
    assert engine.process.stderr.read() == b""


@pytest.mark.parametrize("line", [b"wait 600\n", b"wait 600\nname\n", b"ticks 60\n"])
def test_a_reader_who_leaves_ends_what_is_at_work(engine: Engine, line: bytes) -> None:
    """Though the input goes on, and before there is anything to write."""
    engine.working(line)
    engine.process.stdout.close()
    assert engine.process.wait(SECONDS) == 0
    assert engine.process.stderr.read() == b""


def test_a_slow_reader_of_a_stream_holds_it_up(engine: Engine) -> None:
    """A full pipe: the stream waits, its end is heard all the same, and nothing is lost."""
    engine.send(b"ticks 0 1000000\n")
    assert engine.read(b"tick 0\n") == b"= \ntick 0\n"
    time.sleep(FILLED)
    engine.send(b"7 name\n")
    lines = engine.read().split(b"\n")
    assert lines[:-3] == [b"tick %d" % number for number in range(1, len(lines) - 2)]
    assert 1000 < len(lines) < 1_000_000
    assert engine.read() == b"=7 toy\n\n"


def test_a_terminal_by_another_name() -> None:
    """Where its own name is another user's or hidden, it is opened as that of the process."""
    code = (
        "import os; from taflengine.protocol import streams\n"
        "def hidden(_): raise OSError\n"
        "os.ttyname = hidden\n"
        "own = streams._own_terminal(0)\n"
        "print(os.fstat(own).st_rdev == os.stat(os.ctermid()).st_rdev, os.get_blocking(own))\n"
        "pipe, _ = os.pipe()\n"
        "print(streams._own_terminal(pipe) == pipe)\n"
    )
    child = pexpect.spawn(
        sys.executable, ["-P", "-c", code], env=ENVIRONMENT, timeout=SECONDS, encoding="utf-8"
    )
    assert child.read() == "True False\r\nTrue\r\n"
    child.close()


def test_what_a_terminal_takes_back_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C makes a terminal forget a line, perhaps just when it has been announced."""
    outer, inner = pty.openpty()
    forgotten = threading.Event()

    class Poll:
        def __init__(self) -> None:
            self._poll = real()
            self.register = self._poll.register

        def poll(self) -> list[tuple[int, int]]:
            found = self._poll.poll()
            termios.tcflush(inner, termios.TCIFLUSH)
            forgotten.set()
            return found

    def listen() -> None:
        with source.listening():
            os.write(outer, b"name\n")
            forgotten.wait(SECONDS)

    real, source = select.poll, Input(inner)
    monkeypatch.setattr(select, "poll", Poll)
    listening = threading.Thread(target=listen, daemon=True)
    try:
        listening.start()
        listening.join(SECONDS / 6)
        assert not listening.is_alive(), "it waits for what was taken back"
        source.close()
    finally:
        os.write(outer, b"\n")
        os.close(outer)
        os.close(inner)


# Floods


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to see memory in")
def test_a_flood_is_not_swallowed(engine: Engine) -> None:
    """So much is read ahead and no more; then the writer waits. All is answered in order."""

    def memory() -> int:
        text = Path(f"/proc/{engine.process.pid}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0])

    engine.working(b"hold\n")
    before, sent = memory(), 0
    os.set_blocking(engine.process.stdin.fileno(), False)
    quiet = 0
    while quiet < 20:
        try:
            sent += os.write(engine.process.stdin.fileno(), b"add\n" * 1000)
        except BlockingIOError:
            time.sleep(0.01)
            quiet += 1
        else:
            quiet = 0
    assert READ_AHEAD <= sent < READ_AHEAD + 300_000
    assert memory() - before < 20_000
    engine.release()
    assert engine.read() == b"= gone\n\n"
    os.set_blocking(engine.process.stdin.fileno(), True)
    for number in range(sent // 4):
        assert engine.read() == b"= %d\n\n" % (number + 1)


def test_stop_is_heard_behind_many_lines(engine: Engine) -> None:
    engine.working(b"wait 600\n")
    engine.send(b"add\n" * 1000 + b"stop\n")
    assert engine.read() == b"= stop\n\n"
    assert engine.read(b"= 1000\n\n").count(b"\n\n") == 1000


def test_a_line_may_come_in_pieces_while_a_command_works(engine: Engine) -> None:
    """Also over the moment at which the command ends."""
    engine.working(b"hold\n")
    engine.send(b"3 ec")
    assert engine.silent(MOMENT)
    engine.send(b"ho ")
    engine.release()
    assert engine.read() == b"= gone\n\n"
    engine.send(b"hi\n")
    assert engine.read() == b"=3 hi\n\n"
    engine.working(b"wait 600\n")
    engine.send(b"st")
    assert engine.silent(MOMENT)
    engine.send(b"op\n")
    assert engine.read() == b"= stop\n\n"


# A person


@pytest.fixture
def sign(tmp_path: Path) -> Sign:
    """What the engine of a person gives."""
    return Sign(tmp_path)


@pytest.fixture
def person(sign: Sign) -> "Iterator[pexpect.spawn[str]]":
    """Somebody at a pseudo-terminal who sees the first prompt."""
    with pexpect.spawn(
        ENGINE[0],
        ENGINE[1:],
        env=sign.environment,
        encoding="utf-8",
        timeout=SECONDS,
    ) as child:
        child.expect_exact("toy engine\r\ntafl> ")
        yield child


def work(person: "pexpect.spawn[str]", sign: Sign, line: str) -> None:
    """Type *line* and wait until the engine is at work with it."""
    sign.forget()
    person.sendline(line)
    person.expect_exact(f"{line}\r\n")
    sign.wait()


def test_a_person_says_stop(person: "pexpect.spawn[str]", sign: Sign) -> None:
    work(person, sign, "wait 600")
    person.sendline("stop")
    person.expect_exact("= stop\r\n\r\n= \r\n\r\ntafl> ")


def test_a_person_types_ahead(person: "pexpect.spawn[str]", sign: Sign) -> None:
    work(person, sign, "hold")
    sign.forget()
    person.sendline("1 name")
    sign.wait()
    person.send("2 na")
    sign.release()
    person.expect_exact("= gone\r\n\r\n=1 toy\r\n\r\n")
    person.sendline("me")
    person.expect_exact("=2 toy\r\n\r\ntafl> ")


def test_a_person_gives_up_a_command(person: "pexpect.spawn[str]", sign: Sign) -> None:
    """Ctrl-C: the session goes on, and an answer that has begun is ended."""
    for line, end in (("wait 600", ""), ("ticks 60", "\r\n\r\n")):
        work(person, sign, line)
        person.sendintr()
        person.expect_exact(f"{end}tafl> ")
    person.sendline("7 name")
    person.expect_exact("=7 toy\r\n\r\ntafl> ")


def test_a_person_leaves_while_a_command_works(person: "pexpect.spawn[str]", sign: Sign) -> None:
    work(person, sign, "wait 600")
    time.sleep(2 * TOGETHER)
    person.sendeof()
    person.expect_exact("= stop\r\n\r\n")
    person.expect(pexpect.EOF)
    person.close()
    assert person.exitstatus == 0
