"""Lines in, framed replies out: the framing of GTP 2, without a stream."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflengine.errors import CommandError
from taflengine.protocol.command import CommandSet
from taflengine.protocol.dispatcher import MAX_LINE, Dispatcher, Reply

TOY = runpy.run_path(str(Path(__file__).with_name("toy_engine.py")))
make_dispatcher: Callable[..., Dispatcher] = TOY["make_dispatcher"]


def answer(line: bytes | str) -> str | None:
    """Answer one line with a fresh session that must not have a bug."""
    reply = make_dispatcher(report=pytest.fail).answer(line)
    return None if reply is None else reply.text


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        # the four forms, and the space behind the sign
        (b"name", "= toy\n\n"),
        (b"5 name", "=5 toy\n\n"),
        (b"echo a b", "= a b\n\n"),
        (b"5 echo a b", "=5 a b\n\n"),
        (b"echo", "= \n\n"),
        (b"7 echo", "=7 \n\n"),
        (b"fail 3", "? xxx\n\n"),
        (b"8 fail 3", "?8 xxx\n\n"),
        (b"9 late", "?9 game over: black wins\n\n"),
        # ids
        (b"0 name", "=0 toy\n\n"),
        (b"007 name", "=7 toy\n\n"),
        (b"000 name", "=0 toy\n\n"),
        (b"2147483647 name", "=2147483647 toy\n\n"),
        (b"0002147483647 name", "=2147483647 toy\n\n"),
        (b"2147483648 name", "? syntax error: an id goes from 0 to 2147483647\n\n"),
        (b"9" * 5000 + b" name", "? syntax error: an id goes from 0 to 2147483647\n\n"),
        (b"5name", "=5 toy\n\n"),
        (b"5echo 6 7", "=5 6 7\n\n"),
        (b"5", "?5 syntax error: an id without a command\n\n"),
        (b"05 # five", "?5 syntax error: an id without a command\n\n"),
        (b"-5 name", "? unknown command: '-5'\n\n"),
        ("\u0665 name".encode(), "? unknown command: '\u0665'\n\n"),
        (b"18 nosuchcommand", "?18 unknown command: 'nosuchcommand'\n\n"),
        # names count in lower case only, and known_command agrees
        (b"Name", "? unknown command: 'Name', did you mean 'name'?\n\n"),
        (b"known_command Name", "= false\n\n"),
        (b"known_command name", "= true\n\n"),
        (b"ehco x", "? unknown command: 'ehco', did you mean 'echo'?\n\n"),
        # blanks, tabs, carriage returns, control characters
        (b"  9   name  ", "=9 toy\n\n"),
        (b"play\tblack\t s1-s3", "= black s1-s3\n\n"),
        (b"\t3\tname\t", "=3 toy\n\n"),
        (b"name\r", "= toy\n\n"),
        (b"na\rme", "= toy\n\n"),
        (b"\x07name", "= toy\n\n"),
        (b"na\x00me", "= toy\n\n"),
        (b"\x001\x00 ec\x1bho a\x7fb\x0b", "=1 ab\n\n"),
        # comments and lines with nothing on them
        (b"5 name # trailing comment", "=5 toy\n\n"),
        (b"name#", "= toy\n\n"),
        (b"echo a # b # c", "= a\n\n"),
        (b"", None),
        (b"   ", None),
        (b"\t", None),
        (b"\r", None),
        (b"\x00\x01", None),
        (b"# only a comment", None),
        (b"  # 5 name", None),
        # bytes
        (b"\xef\xbb\xbfname", "= toy\n\n"),
        (b"\xef\xbb\xbf", None),
        ("echo þing é".encode(), "= þing é\n\n"),
        ("echo a\u00a0b\u2003c".encode(), "= a\u00a0b\u2003c\n\n"),
        (b"echo \xff\xfe", "= \ufffd\ufffd\n\n"),
        (b"\xc3( name", "? unknown command: '\ufffd('\n\n"),
        (b"play black s1-\xff\xfe", "? '\ufffd\ufffd' is no square up to s9\n\n"),
        # the kinds of answer
        (b"add 3", "= 3\n\n"),
        (b"odd 3", "= true\n\n"),
        (b"odd 4", "= false\n\n"),
        (b"lines 3", "= y\ny\ny\n\n"),
        (b"lines 0", "= \n\n"),
        (b"drawing", "= \n \n \n ab\n \n \nc d\n\n"),
        (b"4 halfway", "?4 no second line\n\n"),
        # words
        (b"2 play black", "?2 usage: play [SIDE] MOVE\n\n"),
        (b"add x", "? 'x' is no whole number\n\n"),
        (b"quit now", "? usage: quit\n\n"),
    ],
)
def test_reply(line: bytes, reply: str | None) -> None:
    """Each line has one reply, down to the blank."""
    assert answer(line) == reply


def test_text_is_read_like_bytes() -> None:
    """A line may be a str, even with what UTF-8 cannot write."""
    assert answer("5 echo þ") == "=5 þ\n\n"
    assert answer("echo \udcff") == "= ?\n\n"
    assert answer("\ufeffname\n") == "= toy\n\n"
    assert answer(" \t# x") is None


@pytest.mark.parametrize("name", TOY["commands"])
@pytest.mark.parametrize("words", ["", " 1", " a b c d"])
def test_every_command_returns_the_id(name: str, words: str) -> None:
    """No command, served or failing, forgets the id."""
    reply = make_dispatcher(report=lambda _: None).answer(f"17 {name}{words}")
    assert reply is not None
    assert re.match(r"[=?]17 ", reply.text)


def test_only_a_served_quit_closes() -> None:
    """Every spelling closes; a failure of it and other commands do not."""
    dispatcher = make_dispatcher()
    assert dispatcher.answer("3 quit") == Reply("=3 \n\n", closes=True)
    assert dispatcher.answer("exit") == Reply("= \n\n", closes=True)
    for line in ("quit 1", "name", "nosuchcommand", "5"):
        reply = dispatcher.answer(line)
        assert reply is not None
        assert not reply.closes


def test_a_bug_is_reported_and_survived() -> None:
    """The traceback goes to the report, a line to the controller, the sum stays."""
    reports: list[str] = []
    dispatcher = make_dispatcher(reports.append)
    dispatcher.answer("add 3")
    reply = dispatcher.answer("6 bug")
    assert reply == Reply("?6 internal error: ZeroDivisionError: total 3\n \nhere\n\n", False)
    (report,) = reports
    assert report.startswith("Traceback")
    assert "in bug" in report
    assert dispatcher.answer("add 1") == Reply("= 4\n\n", closes=False)


def test_an_exception_without_text_is_survived() -> None:
    """Not even an exception that cannot be shown gets through."""

    class UnspeakableError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    commands = CommandSet()

    @commands.command
    def bug(_session: object) -> None:
        raise UnspeakableError

    @commands.command  # type: ignore[type-var]  # that is what is wrong with it
    def wrong(_session: object) -> float:
        return 0.5

    @commands.command
    def deep(session: object) -> None:
        deep(session)

    dispatcher = Dispatcher(commands, None, lambda _: None)
    for name in commands:
        reply = dispatcher.answer(name)
        assert reply is not None
        assert reply.text.startswith("? internal error: ")


def test_an_interrupt_is_no_bug() -> None:
    """Ctrl-C during a command is for the loop."""
    commands = CommandSet()

    @commands.command
    def wait(_session: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Dispatcher(commands, None, pytest.fail).answer("wait")


TOO_LONG = f"syntax error: line longer than {MAX_LINE} bytes"


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"a" * (4 << 20), f"? {TOO_LONG}\n\n"),
        (b"12 echo " + b"a" * MAX_LINE, f"?12 {TOO_LONG}\n\n"),
        (b"12echo " + b"a " * MAX_LINE, f"?12 {TOO_LONG}\n\n"),
        (b"\x00" * (MAX_LINE + 1), f"? {TOO_LONG}\n\n"),
        (b" " * (MAX_LINE + 1), f"? {TOO_LONG}\n\n"),
        (b"1" * (MAX_LINE + 1), "? syntax error: an id goes from 0 to 2147483647\n\n"),
        (b"\xff" * (MAX_LINE + 1), f"? {TOO_LONG}\n\n"),
        (b"5 name #" + b"a" * MAX_LINE, "=5 toy\n\n"),
        (b"#" + b"a" * MAX_LINE, None),
    ],
)
def test_long_lines_are_refused(line: bytes, reply: str | None) -> None:
    """Only the comment may be longer, and the beginning is enough to tell."""
    assert answer(line) == reply
    assert answer(line[: MAX_LINE + 1]) == reply


def test_the_longest_line_is_served() -> None:
    """The limit itself is allowed."""
    word = "a" * (MAX_LINE - len("echo "))
    assert answer(f"echo {word}") == f"= {word}\n\n"
    assert answer(f"echo {word}a") == f"? {TOO_LONG}\n\n"


@pytest.mark.parametrize(
    "line", [b"a" * 60000, b"play " + b"/" * 10000, b"add " + b"9" * 60000, b"fail 1000000"]
)
def test_failures_are_short(line: bytes) -> None:
    """No failure gives back what was sent, nor a message without end."""
    reply = answer(line)
    assert reply is not None
    assert reply.startswith("? ")
    assert len(reply) < 1100


def test_a_standard_text_begins_the_failure() -> None:
    """Whoever raises chooses the beginning, and the dispatcher adds nothing."""
    commands = CommandSet()

    @commands.command
    def boardsize(_session: object, size: int) -> None:
        raise CommandError(f"unacceptable size: {size}")

    reply = Dispatcher(commands, None, pytest.fail).answer("boardsize 8")
    assert reply == Reply("? unacceptable size: 8\n\n", closes=False)


WORDS = b"name echo play add drawing quit bug s1 black - 5 0 99999999999".split()
pieces = st.sampled_from(
    [*WORDS, b" ", b" ", b"\t", b"\r", b"\x00", b"#", b"\xff", b"\xef\xbb\xbf"]
)
one_line = st.one_of(st.binary(), st.lists(pieces).map(b"".join), st.text().map(str.encode)).map(
    lambda data: data.replace(b"\n", b"")
)


@settings(max_examples=1000)
@given(one_line)
def test_any_line_has_one_reply_or_none(line: bytes) -> None:
    """Whatever the bytes, the reply is framed well, and missing only for an empty line."""
    reply = make_dispatcher(report=lambda _: None).answer(line)
    content = line.removeprefix(b"\xef\xbb\xbf").partition(b"#")[0]
    empty = not re.sub(rb"[\x00-\x20\x7f]", b"", content)
    assert (reply is None) == empty
    if reply is not None:
        assert re.match(r"[=?](0|[1-9][0-9]{0,9})? ", reply.text)
        assert reply.text.index("\n\n") == len(reply.text) - 2
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", reply.text)
