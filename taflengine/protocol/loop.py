"""Standard input and output, or any other pair of descriptors, around a conversation."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Protocol

from taflengine.exits import FAILED, INTERRUPTED, OK
from taflengine.protocol.dispatcher import fault, line_of
from taflengine.protocol.streams import Input, Listener, Output

PROMPT = "tafl> "


class Conversation(Listener, Protocol):
    """A protocol as the loop sees it: lines come in; what to say is up to it."""

    def handle(self, line: bytes) -> bool:
        """Do what *line* asks for, and return whether the connection ends behind it.

        Lines come one after the other, in order, without those that ``overhear`` has
        dealt with. It may take long: the rest of the input is overheard meanwhile.
        """
        ...


Begin = Callable[[Output, Input], Conversation]
"""Makes the conversation, given where answers go and what ``listening`` listens to."""


def converse(begin: Begin, source: Input, output: Output, *, listening: bool = True) -> None:
    """Hold a conversation until *source* ends or a line closes it.

    Args:
        begin: Makes the conversation.
        source: Where lines come from; closed at the end.
        output: Where answers go.
        listening: Overhear the input during every line. False is for a conversation
            that enters ``source.listening`` itself where a line takes long, and so
            spares the others the start of a thread.

    Raises:
        OSError: input or output failed, a ConnectionError if the reader has gone.
    """
    conversation = begin(output, source)
    source.listener, source.answers = conversation, output
    try:
        while (line := source.next()) is not None:
            if listening:
                with source.listening():
                    closes = conversation.handle(line)
            else:
                closes = conversation.handle(line)
            if closes:
                return
    finally:
        source.close()


def serve(
    begin: Begin, banner: str = "", names: Iterable[str] = (), *, listening: bool = True
) -> int:
    """Hold a conversation on standard input and output.

    A person, that is a terminal at both standard input and standard error, gets
    *banner*, a prompt, line editing and completion of *names*; all but the answers
    is on standard error.

    Args:
        begin: Makes the conversation.
        banner: What greets a person.
        names: Words that a line may begin with.
        listening: As ``converse`` takes it.

    Returns:
        The exit status. A reader who has gone ends the session as the end of
        input does.
    """
    if sys.stdin is None:  # the process was started with it closed
        return OK
    if sys.stdout is None:
        complain("taflengine: standard output is closed")
        return FAILED
    source, target = sys.stdin.fileno(), sys.stdout.fileno()
    try:
        if sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty():
            _serve_terminal(begin, source, banner, names, listening=listening)
        else:
            converse(begin, Input(source), Output(target), listening=listening)
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConnectionError:
        return OK
    except OSError as error:
        complain(f"taflengine: {error.strerror or error}")
        return FAILED
    return OK


def complain(text: str) -> None:
    """Write *text* and a newline on standard error, if anybody can read it there."""
    if sys.stderr is not None:
        with suppress(OSError):
            Output(sys.stderr.fileno()).write(f"{text}\n")


def report_bug(trace: str) -> None:
    """Say in one line what went wrong; the whole *trace* only if TAFLENGINE_DEBUG is set."""
    if os.environ.get("TAFLENGINE_DEBUG"):
        complain(trace)
        return
    error = trace.strip().splitlines()[-1]
    place = next(line for line in reversed(trace.splitlines()) if line.startswith("  File "))
    complain(
        f"taflengine: internal error: {error} ({place.strip()}); "
        "TAFLENGINE_DEBUG=1 shows the traceback"
    )


def fault_line(error: Exception) -> str:
    """Report an *error* that no command should raise; what to say of it, in one line."""
    return line_of(fault(error, report_bug)).rstrip()


class _Breaks:
    """What Ctrl-C does at a terminal: it breaks off a ``with`` block of this one, nothing else.

    Typed twice, or in the moment between two blocks, it would otherwise end the session.
    """

    def __init__(self) -> None:
        self._heeded = False

    def __enter__(self) -> None:
        self._heeded = True

    def __exit__(self, *_: object) -> None:
        self._heeded = False

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Heed Ctrl-C so for the length of a ``with`` block, unless whoever began us ignores it."""
        import signal  # a pipe needs none of this

        before = signal.getsignal(signal.SIGINT)
        if before is signal.SIG_IGN or before is None:  # None: it was not set from Python
            yield
            return
        signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _on_signal(self, _number: int, _frame: object) -> None:
        if self._heeded:
            self._heeded = False  # before a second one finds the block's end
            raise KeyboardInterrupt


class _Terminal(Input):
    """Lines that a person edits, and while he waits, those that he types ahead."""

    def __init__(self, source: int, breaks: _Breaks) -> None:
        super().__init__(source)
        self._breaks = breaks

    def _take(self, chunk: bytes) -> None:
        # What was pasted while a line was edited holds the return key as it was typed.
        super()._take(chunk.replace(b"\r", b"\n"))

    def _fetch(self) -> None:
        while True:
            try:
                with self._breaks:
                    text = input(PROMPT)
            except KeyboardInterrupt:
                complain("")
            except SystemError as error:
                # So input() calls a second Ctrl-C that it finds while the first one leaves it.
                if not isinstance(error.__cause__, KeyboardInterrupt):
                    raise
                complain("")
            except EOFError:
                complain("")
                return self._end(lost=False)
            else:
                line = bytes(self._begun) + text.encode(errors="replace")
                self._begun.clear()
                return self._arrive(line)


class _Person:
    """A conversation of which Ctrl-C gives up the line at work, and no more."""

    def __init__(self, conversation: Conversation, breaks: _Breaks) -> None:
        self._conversation, self._breaks = conversation, breaks
        self.overhear, self.hang_up = conversation.overhear, conversation.hang_up

    def handle(self, line: bytes) -> bool:
        try:
            with self._breaks:
                return self._conversation.handle(line)
        except KeyboardInterrupt:
            complain("")
            return False


def _serve_terminal(
    begin: Begin, source: int, banner: str, names: Iterable[str], *, listening: bool
) -> None:
    # input() edits lines only between standard input and standard output, and
    # echoes on the latter. So answers get a copy of it, and it becomes the
    # terminal that standard error is.
    standard_output, standard_error = sys.stdout.fileno(), sys.stderr.fileno()
    answers = os.dup(standard_output)
    os.dup2(standard_error, standard_output)
    breaks = _Breaks()
    try:
        _start_editing(names)
        complain(banner)
        with breaks.installed(), _tidy_ends(source):
            converse(
                lambda output, lines: _Person(begin(output, lines), breaks),
                _Terminal(source, breaks),
                Output(answers),
                listening=listening,
            )
    finally:
        os.dup2(answers, standard_output)
        os.close(answers)


@contextmanager
def _tidy_ends(terminal: int) -> Iterator[None]:
    """Let a signal that ends the process leave *terminal* as it is now, not as for editing."""
    import signal
    import termios

    before = termios.tcgetattr(terminal)

    def leave(number: int, _frame: object) -> None:
        # From behind another job it would stop this one, and it is that one's terminal now.
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(terminal) == os.getpgrp():
                termios.tcsetattr(terminal, termios.TCSANOW, before)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    heeded = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
        if signal.getsignal(number) is signal.SIG_DFL
    ]
    for number in heeded:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in heeded:
            signal.signal(number, signal.SIG_DFL)


def _start_editing(names: Iterable[str]) -> None:
    """Make input() edit lines, keep a history and complete *names* at their beginning."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        import readline  # a library of its own, which a pipe need not load
    except ImportError:
        return

    def complete(beginning: str, index: int) -> str | None:
        if readline.get_begidx() > 0:
            return None  # only the first word is a command
        fitting = [f"{name} " for name in names if name.startswith(beginning)]
        return fitting[index] if index < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
