"""An engine without a game: it shows a command table, a dispatcher and the loop to tests."""

import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import NewType

from taflengine.errand import LOOK
from taflengine.errors import CommandError, GameOverError, NotationError
from taflengine.notation import quote
from taflengine.protocol.command import CommandSet, Stream
from taflengine.protocol.dispatcher import Dispatcher
from taflengine.protocol.gtp import GtpConversation
from taflengine.protocol.interrupts import Interrupts
from taflengine.protocol.loop import complain, serve
from taflengine.protocol.streams import Input, Output


class Session:
    """Remembers a sum, and how far the names of its squares go."""

    def __init__(self, size: int = 9) -> None:
        """Start with nothing added."""
        self.size = size
        self.total = 0
        self.interrupts = Interrupts()


class Side(Enum):
    """Two words that a parser knows."""

    BLACK = "black"
    WHITE = "white"


Square = NewType("Square", int)
Move = NewType("Move", str)


def parse_side(_session: Session, text: str) -> Side:
    """Read a side in any case."""
    try:
        return Side(text.lower())
    except ValueError:
        raise NotationError(f"{quote(text)} is no side") from None


def parse_square(session: Session, text: str) -> Square:
    """Read s1, s2, ... as far as the session's board goes."""
    number = text.removeprefix("s")
    if number == text or not number.isdecimal() or int(number) > session.size:
        raise NotationError(f"{quote(text)} is no square up to s{session.size}")
    return Square(int(number))


def parse_side_or_square(session: Session, text: str) -> Side | Square:
    """Read either."""
    return parse_square(session, text) if text[0] == "s" else parse_side(session, text)


def parse_move(session: Session, text: str) -> Move:
    """Read two squares with a blank or a dash between them."""
    squares = text.replace("-", " ").split()
    if len(squares) != 2:
        raise NotationError(f"{quote(text)} is no move")
    return Move("-".join(f"s{parse_square(session, square)}" for square in squares))


PARSERS = {
    Side: parse_side,
    Square: parse_square,
    Side | Square: parse_side_or_square,
    Move: parse_move,
}
commands = CommandSet(PARSERS, phrases={Move})


@commands.command
def name(_session: Session) -> str:
    """Answer who this is."""
    return "toy"


@commands.command
def echo(_session: Session, *words: str) -> str:
    """Answer WORDS."""
    return " ".join(words)


@commands.command
def add(session: Session, amount: int = 1) -> int:
    """Add AMOUNT, one unless given, and answer the sum."""
    session.total += amount
    return session.total


@commands.command
def play(_session: Session, side: Side | None, move: Move) -> str:
    """Answer what was understood.

    SIDE may be left out, and MOVE may be written with a blank.
    """
    return f"{side.value if side else 'anybody'} {move}"


@commands.command
def legal(_session: Session, side_or_square: Side | Square | None = None) -> str:
    """Answer which of the two was given."""
    return type(side_or_square).__name__


@commands.command
def analyze(_session: Session, side: Side | None = None, interval: float = 0.5) -> str:
    """Answer both arguments."""
    return f"{side} {interval}"


@commands.command
def fail(_session: Session, size: int = 10) -> None:
    """Fail with a message of SIZE letters."""
    raise CommandError("x" * size)


@commands.command
def late(_session: Session) -> None:
    """Fail as a move after the end does."""
    raise GameOverError("game over: black wins")


@commands.command
def bug(session: Session) -> None:
    """Raise what no command should raise."""
    raise ZeroDivisionError(f"total\t{session.total}\x00\n\nhere")


@commands.command
def halfway(_session: Session) -> Iterator[str]:
    """Fail after the first line."""
    yield "one line"
    raise CommandError("no second line")


@commands.command
def drawing(_session: Session) -> str:
    """Answer lines of which some are empty, with characters that no reply may hold."""
    return "\n\n\n\ta\x07b\r\n\n\nc\x7f\x85 d\n\n"


@commands.command
def lines(_session: Session, count: int, width: int = 1) -> Iterator[str]:
    """Answer COUNT lines of WIDTH letters."""
    return ("y" * width for _ in range(count))


@commands.command
def strange(_session: Session) -> str:
    """Answer a letter that UTF-8 cannot write, and one that it can."""
    return "\udcff \u00fe"


def give_sign() -> None:
    """Let the file that TOY_SIGN names grow: a command is at work, and hears what is said."""
    if "TOY_SIGN" in os.environ:
        with Path(os.environ["TOY_SIGN"]).open("ab") as file:
            file.write(b"!")


def wait_for(over: threading.Event, seconds: float) -> bool:
    """Whether *over* is set within *seconds*. A signal just before a wait would not end it."""
    deadline = time.monotonic() + seconds
    while not over.wait(min(LOOK, max(0.0, deadline - time.monotonic()))):
        if time.monotonic() >= deadline:
            return False
    return True


@commands.command
def wait(session: Session, seconds: float) -> str:
    """Answer what ended a wait of SECONDS, time or stop."""
    over = threading.Event()
    heard = session.interrupts

    def stop_if_told() -> None:
        if heard.stop:
            over.set()

    with heard.watched(stop_if_told):
        give_sign()
        wait_for(over, seconds)
    return "stop" if heard.stop else "time"


@commands.command
def hold(session: Session) -> str:
    """Answer once there is a file of the name that TOY_SIGN says with .go behind it.

    A second sign says that a line has been heard meanwhile.
    """
    told = False
    with session.interrupts.watched(lambda: None):
        give_sign()
        while not Path(f"{os.environ['TOY_SIGN']}.go").exists():
            if session.interrupts.line and not told:
                told = True
                give_sign()
            time.sleep(0.002)
    return "gone"


@commands.command
def stop(_session: Session) -> None:
    """Do nothing: what matters is that it has been heard."""


@commands.command
def ticks(session: Session, seconds: float, most: int = 10**9) -> Stream:
    """Answer a line every SECONDS until anything is heard, or MOST lines are through."""
    return Stream(_ticks(session, seconds, most))


def _ticks(session: Session, seconds: float, most: int) -> Iterator[str]:
    over = threading.Event()
    heard = session.interrupts

    def end_if_heard() -> None:
        if heard.anything:
            over.set()

    with heard.watched(end_if_heard):
        give_sign()
        for number in itertools.count():
            if number == most or wait_for(over, seconds):
                break
            yield f"tick {number}"
    yield ""


@commands.command
def broken(_session: Session, bug: int = 0) -> Stream:
    """Fail after the first line; if BUG is not 0, as no command should."""

    def lines() -> Iterator[str]:
        yield "a\n\nb\x00"
        if bug:
            raise ZeroDivisionError("here\n\nthere")
        raise CommandError("no\n\nmore")

    return Stream(lines())


@commands.command
def odd(_session: Session, number: int) -> bool:
    """Answer whether NUMBER is odd."""
    return number % 2 == 1


@commands.named("known_command")
def is_known(_session: Session, word: str) -> bool:
    """Answer whether there is a command WORD."""
    return word in commands


@commands.named("quit", "exit", closes=True)
def leave(_session: Session) -> None:
    """Close the connection."""


def make_dispatcher(report: Callable[[str], None] = complain) -> Dispatcher:
    """Make a session and its dispatcher."""
    return Dispatcher(commands, Session(), report)


if __name__ == "__main__":
    session = Session()
    dispatcher = Dispatcher(commands, session, complain)

    def begin(output: Output, source: Input) -> GtpConversation:
        return GtpConversation(dispatcher, session.interrupts, output, source)

    sys.exit(serve(begin, "toy engine", commands, listening=False))
