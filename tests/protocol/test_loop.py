"""The loop at real pipes and at a real terminal, in a process of its own."""

import os
import re
import runpy
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pexpect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from program import ENVIRONMENT, SECONDS, started

from taflengine.protocol.dispatcher import MAX_LINE, Dispatcher

SCRIPT = str(Path(__file__).with_name("toy_engine.py"))
make_dispatcher: Callable[..., Dispatcher] = runpy.run_path(SCRIPT)["make_dispatcher"]
ENGINE = [sys.executable, SCRIPT]
TOO_LONG = b"syntax error: line longer than %d bytes" % MAX_LINE


def run(sent: bytes) -> "subprocess.CompletedProcess[bytes]":
    """Send *sent* and the end of input; take all that comes back."""
    return subprocess.run(
        ENGINE, input=sent, capture_output=True, env=ENVIRONMENT, timeout=SECONDS, check=False
    )


def run_shell(command: str, sent: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run a shell command in which ``$0 $1`` is the engine."""
    return subprocess.run(
        ["/bin/sh", "-c", command, *ENGINE],
        input=sent,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
    )


def start(**streams: Any) -> AbstractContextManager[Any]:
    """Start an engine with unbuffered pipes: a Popen."""
    return started(ENGINE, bufsize=0, **streams)


def read_replies(stream: Any, count: int = 1) -> bytes:
    """Wait for the replies that are due; fail if they do not come."""
    data = b""
    while data.count(b"\n\n") < count:
        ready, _, _ = select.select([stream], [], [], SECONDS)
        assert ready, f"no reply, only {data!r}"
        more = os.read(stream.fileno(), 65536)
        assert more, f"the engine has gone after {data!r}"
        data += more
    return data


def outcome(done: "subprocess.CompletedProcess[bytes]") -> tuple[bytes, bytes, int]:
    """Answers, messages, exit status."""
    return done.stdout, done.stderr, done.returncode


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (b"", b""),
        (b"\n" * 1000 + b"name\n", b"= toy\n\n"),
        (b"\n   \n\t\n# only a comment\n5 name # trailing comment\n", b"=5 toy\n\n"),
        (b"name\r\n\r\n2 name\r\n", b"= toy\n\n=2 toy\n\n"),
        (b"1 name\n2 add 5", b"=1 toy\n\n=2 5\n\n"),
        (b"name\n# no newline", b"= toy\n\n"),
        (b"na\x00me\n\x00\x00\n\x00name\x00\n", b"= toy\n\n= toy\n\n"),
        (
            b"\xef\xbb\xbfname\n\xff\nname\n",
            b"= toy\n\n? unknown command: '\xef\xbf\xbd'\n\n= toy\n\n",
        ),
        (b"drawing\n", b"= \n \n \n ab\n \n \nc d\n\n"),
        (b"strange\n", b"= ? \xc3\xbe\n\n"),
        (b"1 quit\n2 name\n", b"=1 \n\n"),
        (b"1 quit now\n2 exit\n3 name", b"?1 usage: quit\n\n=2 \n\n"),
    ],
)
def test_a_pipe(sent: bytes, answers: bytes) -> None:
    """Answers and nothing else come out; the end of input is no failure."""
    assert outcome(run(sent)) == (answers, b"", 0)


def test_pipelined_commands_are_answered_in_order() -> None:
    """Ten thousand at once, each with its id."""
    numbers = range(10_000)
    done = run(b"".join(b"%d add %d\n" % (number, number % 3) for number in numbers))
    total, answers = 0, []
    for number in numbers:
        total += number % 3
        answers.append(b"=%d %d\n\n" % (number, total))
    assert outcome(done) == (b"".join(answers), b"", 0)


def test_an_answer_is_seen_before_the_next_command() -> None:
    """A controller that waits for each answer gets it, and quit says goodbye."""
    with start() as engine:
        for number in range(200):
            engine.stdin.write(b"%d echo hello\n" % number)
            assert read_replies(engine.stdout) == b"=%d hello\n\n" % number
        engine.stdin.write(b"201 quit\n")
        assert read_replies(engine.stdout) == b"=201 \n\n"
        # Its input is still open: it goes by itself.
        assert engine.wait(SECONDS) == 0
        assert engine.stdout.read() == b""


def test_a_line_may_come_in_pieces() -> None:
    """Neither the beginning nor the end of a read means anything."""
    with start() as engine:
        for byte in b"7 echo a\r\n8 na":
            engine.stdin.write(bytes([byte]))
        assert read_replies(engine.stdout) == b"=7 a\n\n"
        engine.stdin.write(b"me\n9 name\n")
        assert read_replies(engine.stdout, 2) == b"=8 toy\n\n=9 toy\n\n"
        engine.stdin.close()
        assert engine.wait(SECONDS) == 0


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"a" * (4 << 20), b"? " + TOO_LONG + b"\n\n"),
        (b"12 echo " + b"a" * MAX_LINE, b"?12 " + TOO_LONG + b"\n\n"),
        (b"12 echo " + b"a b\x00\t" * (1 << 20), b"?12 " + TOO_LONG + b"\n\n"),
        (b"12 name #" + b"a" * (4 << 20), b"=12 toy\n\n"),
        (b"12 name" + b" " * (MAX_LINE - 7), b"=12 toy\n\n"),
        (b"12 name" + b" " * (MAX_LINE - 6), b"?12 " + TOO_LONG + b"\n\n"),
    ],
)
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_long_line_has_one_reply(line: bytes, reply: bytes, end: bytes) -> None:
    """The rest of it is skipped, and the next line is served."""
    assert outcome(run(b"1 name\n" + line + end)) == (b"=1 toy\n\n" + reply, b"", 0)
    assert outcome(run(line + b"\n2 name\n")) == (reply + b"=2 toy\n\n", b"", 0)


def test_memory_does_not_grow_with_a_line(tmp_path: Path) -> None:
    """A line of 400 MiB passes through a process that may have half of that."""
    script = tmp_path / "long"
    with script.open("wb") as file:
        file.truncate(400 << 20)  # zeros that take no room on the disk
        file.seek(0, os.SEEK_END)
        file.write(b"\n2 name\n")
    done = run_shell(f'ulimit -v 200000; exec "$0" "$1" <{script}')
    assert outcome(done) == (b"? " + TOO_LONG + b"\n\n=2 toy\n\n", b"", 0)


def test_a_bug_is_told_on_standard_error() -> None:
    """The traceback stays out of the answers, and the session goes on."""
    done = run(b"add 2\n3 bug\nadd 2\n")
    assert done.stdout == (
        b"= 2\n\n?3 internal error: ZeroDivisionError: total 2\n \nhere\n\n= 4\n\n"
    )
    assert done.stderr.startswith(b"Traceback")
    assert done.returncode == 0


def test_a_bug_is_survived_without_standard_error() -> None:
    """Closed or full, it takes nothing away from the controller."""
    for place in ("2>&-", "2>/dev/full"):
        done = run_shell(f'"$0" "$1" {place}', b"bug\nname\n")
        assert outcome(done) == (
            b"? internal error: ZeroDivisionError: total 0\n \nhere\n\n= toy\n\n",
            b"",
            0,
        )


def test_closed_input_is_the_end_of_input() -> None:
    """Nothing to read, nothing to say."""
    assert outcome(run_shell('"$0" "$1" <&-')) == (b"", b"", 0)


def test_input_that_cannot_be_read_is_a_failure() -> None:
    """Here it is open for writing only."""
    done = run_shell('"$0" "$1" 0>/dev/null')
    assert outcome(done) == (b"", b"taflengine: Bad file descriptor\n", 1)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (">&-", b"taflengine: standard output is closed\n"),
        (">/dev/full", b"taflengine: No space left on device\n"),
        (">&- 2>&-", b""),
        (">/dev/full 2>&-", b""),
        (">/dev/full 2>/dev/full", b""),
    ],
)
def test_output_that_cannot_be_written_is_a_failure(place: str, message: bytes) -> None:
    """One line says why, if it can."""
    done = run_shell(f'"$0" "$1" {place}', b"name\n" * 1000)
    assert outcome(done) == (b"", message, 1)


def test_a_reader_who_has_enough_ends_the_session() -> None:
    """``| head -1``: no traceback, not even at the exit of the interpreter."""
    command = '{ "$0" "$1"; echo $? >&2; } | head -1'
    assert outcome(run_shell(command, b"name\n" * 200_000)) == (b"= toy\n", b"0\n", 0)


def test_a_reader_killed_in_the_middle_of_an_answer_ends_the_session() -> None:
    """The pipe is full of half an answer when its reader is killed."""
    command = '{ "$0" "$1"; echo $? >&2; } | { head -c 10 >/dev/null; kill -KILL $$; }'
    with started(
        ["/bin/sh", "-c", f'sh -c \'{command}\' "$0" "$1"', *ENGINE], stdout=None
    ) as shell:
        _, messages = shell.communicate(b"lines 10000 1000\nname\n", SECONDS)
    assert messages.splitlines()[-1:] == [b"0"]
    assert b"Traceback" not in messages
    assert b"Exception" not in messages


def test_a_slow_reader_loses_nothing() -> None:
    """An answer far larger than a pipe arrives whole, as do those behind it."""
    done = run_shell('"$0" "$1" | { read first; echo "$first"; cat; }', b"lines 3000 1000\nname\n")
    assert outcome(done) == (b"= " + (b"y" * 1000 + b"\n") * 3000 + b"\n= toy\n\n", b"", 0)


def test_descriptors_may_be_non_blocking() -> None:
    """Some controllers make pipes so; the engine waits all the same."""
    source, to_engine = os.pipe()
    from_engine, target = os.pipe()
    os.set_blocking(source, False)
    os.set_blocking(target, False)
    with start(stdin=source, stdout=target) as engine:
        os.close(source)
        os.close(target)
        with os.fdopen(from_engine, "rb", buffering=0) as answers:
            for _ in range(3):
                os.write(to_engine, b"lines 300 1000\n")
                assert read_replies(answers) == b"= " + (b"y" * 1000 + b"\n") * 300 + b"\n"
            os.close(to_engine)
            assert answers.read() == b""
        assert engine.stderr.read() == b""
        assert engine.wait(SECONDS) == 0


def test_an_interrupt_is_quiet() -> None:
    """Ctrl-C ends an engine in a pipe without a word."""
    with start() as engine:
        engine.stdin.write(b"name\n")
        assert read_replies(engine.stdout) == b"= toy\n\n"
        engine.send_signal(signal.SIGINT)
        assert engine.wait(SECONDS) == 130
        assert engine.stdout.read() == b""
        assert engine.stderr.read() == b""


@settings(max_examples=25)
@given(
    st.lists(st.one_of(st.binary(), st.sampled_from([b"name", b"add", b"drawing", b"9", b"\n"])))
)
def test_the_loop_adds_nothing_to_the_dispatcher(parts: list[bytes]) -> None:
    """Whatever the bytes, the process answers each line as the dispatcher does."""
    sent = b"\n".join(parts)
    dispatcher = make_dispatcher(report=lambda _: None)
    replies = [dispatcher.answer(line) for line in sent.split(b"\n")]
    done = run(sent)
    assert done.stdout == "".join(reply.text for reply in replies if reply).encode()
    assert done.returncode == 0


def test_nothing_heavy_is_imported() -> None:
    """The first answer of a fresh process does not wait for what it does not need."""
    program = (
        "import sys, click; before = set(sys.modules); import taflengine.protocol.loop;"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=ENVIRONMENT,
        capture_output=True,
        timeout=SECONDS,
        check=True,
    )
    heavy = {"difflib", "json", "logging", "pathlib", "readline", "select", "traceback"}
    assert not heavy & set(done.stdout.decode().split())


def open_terminal(command: str = '"$0" "$1"', term: str = "dumb") -> "pexpect.spawn[str]":
    """Start a shell command at a pseudo-terminal; ``$0 $1`` is the engine."""
    return pexpect.spawn(
        "/bin/sh",
        ["-c", f"exec {command}", *ENGINE],
        env=ENVIRONMENT | {"TERM": term},
        encoding="utf-8",
        codec_errors="replace",
        timeout=SECONDS,
    )


@pytest.fixture
def terminal() -> "Iterator[pexpect.spawn[str]]":
    """An engine at a terminal that shows its first prompt."""
    with open_terminal() as person:
        person.expect_exact("toy engine\r\ntafl> ")
        yield person


def end(person: "pexpect.spawn[str]") -> int:
    """Wait for the engine to end by itself."""
    person.expect(pexpect.EOF)
    person.close()
    return person.exitstatus or 0 if person.signalstatus is None else -1


def test_a_person_is_prompted(terminal: "pexpect.spawn[str]") -> None:
    """Each answer is followed by a new prompt; quit ends with status 0."""
    terminal.sendline("5 name")
    terminal.expect_exact("5 name\r\n=5 toy\r\n\r\ntafl> ")
    terminal.sendline("")
    terminal.expect_exact("\r\ntafl> ")
    terminal.sendline("quit")
    terminal.expect_exact("quit\r\n= \r\n\r\n")
    assert end(terminal) == 0
    assert terminal.before == ""


def test_a_person_ends_with_control_d(terminal: "pexpect.spawn[str]") -> None:
    """The shell's prompt then stands on a line of its own."""
    terminal.sendeof()
    assert end(terminal) == 0
    assert terminal.before == "\r\n"


def test_control_c_discards_the_line(terminal: "pexpect.spawn[str]") -> None:
    """Half a command is forgotten, the session is not."""
    terminal.sendline("add 4")
    terminal.expect_exact("= 4\r\n\r\ntafl> ")
    terminal.send("add 10")
    terminal.expect_exact("add 10")
    # CPython overlooks a signal that comes while it draws a key, so say it again.
    while True:
        terminal.sendintr()
        if terminal.expect_exact(["\r\ntafl> ", pexpect.TIMEOUT], timeout=1) == 0:
            break
    terminal.sendline("add 1")
    terminal.expect_exact("= 5\r\n\r\ntafl> ")
    terminal.sendeof()
    assert end(terminal) == 0


def test_a_person_has_a_history(terminal: "pexpect.spawn[str]") -> None:
    """The arrow up brings back the line before, and the line can be edited."""
    terminal.sendline("add 4")
    terminal.expect_exact("= 4\r\n\r\ntafl> ")
    terminal.send("\x1b[A")
    terminal.expect_exact("add 4")
    terminal.sendline("\x7f3")
    terminal.expect_exact("= 7\r\n\r\ntafl> ")
    terminal.sendeof()
    assert end(terminal) == 0


def test_a_person_may_complete_commands(terminal: "pexpect.spawn[str]") -> None:
    """TAB writes the rest of a name; two of them show what there is."""
    terminal.send("kn\t")
    terminal.expect_exact("known_command ")
    terminal.sendline("play")
    terminal.expect_exact("= true\r\n\r\ntafl> ")
    terminal.send("l\t\t")
    terminal.expect(r"legal +lines")
    terminal.expect_exact("tafl> l")
    terminal.send("\x15\x04")  # forget the line, end
    assert end(terminal) == 0


def test_a_person_may_type_any_byte(terminal: "pexpect.spawn[str]") -> None:
    """Bytes that are no UTF-8 are one more unknown command."""
    os.write(terminal.child_fd, b"\xff\xfe(\n")
    terminal.expect_exact("? unknown command: ")
    terminal.expect_exact("\r\n\r\ntafl> ")
    terminal.sendline("echo þ")
    terminal.expect_exact("= þ\r\n\r\ntafl> ")
    terminal.sendeof()
    assert end(terminal) == 0


def test_there_is_no_colour() -> None:
    """Not even where the terminal could show it."""
    with open_terminal(term="xterm-256color") as person:
        person.sendline("name")
        person.expect_exact("= toy\r\n")
        shown = person.before
        person.sendline("quit")
        assert end(person) == 0
        assert not re.search(r"\x1b\[[0-9;]*m", shown + person.before)


def test_answers_of_a_person_may_go_to_a_file(tmp_path: Path) -> None:
    """The prompt and the echo stay at the terminal; the file holds answers only."""
    answers = tmp_path / "answers"
    with open_terminal(f'"$0" "$1" >{answers}') as person:
        person.expect_exact("toy engine\r\ntafl> ")
        person.send("kn\t")
        person.expect_exact("known_command ")
        person.sendline("play")
        person.expect_exact("\r\ntafl> ")
        person.sendeof()
        assert end(person) == 0
    assert answers.read_bytes() == b"= true\n\n"


def test_a_full_disk_is_told_to_a_person() -> None:
    """As in a pipe."""
    with open_terminal('"$0" "$1" >/dev/full') as person:
        person.expect_exact("tafl> ")
        person.sendline("name")
        person.expect_exact("taflengine: No space left on device\r\n")
        assert end(person) == 1


def test_nobody_is_prompted_where_nobody_looks(tmp_path: Path) -> None:
    """Without a terminal at standard error there is neither banner nor prompt."""
    messages = tmp_path / "messages"
    with open_terminal(f'"$0" "$1" 2>{messages}') as person:
        person.sendline("name")
        person.expect_exact("name\r\n= toy\r\n\r\n")
        person.sendeof()
        assert end(person) == 0
        assert person.before == ""
    assert messages.read_bytes() == b""
