"""One line of the protocol in, one framed reply out; no streams.

The framing is that of GTP version 2. Where GTP leaves a case open:

- An id alone on a line is a failure that carries the id. Others stay silent, but
  whoever numbers a line waits for its number.
- An id over 2^31-1 is a failure without id, since a controller that reads ids as
  32 bits could not read it back.
- Of a line over ``MAX_LINE`` bytes nothing is run; a comment does not count.
- A byte order mark at the start of a line is skipped.
"""

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from taflengine.errors import CommandError, TaflError
from taflengine.notation import quote
from taflengine.protocol.command import CommandSet, Stream

MAX_LINE = 65536
"""Longest line that is run, in bytes, without its newline and its comment."""

_MAX_ID = 2**31 - 1
_MAX_FAILURE = 1000
"""Longest failure text, in characters: no error echoes a whole input."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
IGNORED = bytes({*range(32), 127} - set(b"\t\n"))
"""The control characters that count for nothing, wherever they stand."""
_TAB_TO_BLANK = bytes.maketrans(b"\t", b" ")
_SHOWN = dict.fromkeys([*range(32), *range(127, 160)]) | {ord("\t"): " ", ord("\n"): "\n"}
"""For ``str.translate``: what becomes of control characters in an answer."""


class Reply(NamedTuple):
    """A framed answer, and whether the connection ends behind it."""

    text: str
    closes: bool
    parts: Generator[str, None, None] | None = None
    """What follows ``text`` over time, if that is not the whole answer.

    They come as fast as the command makes them, and raise no error of a command.
    """


class Dispatcher:
    """Runs the commands of one session.

    Args:
        commands: What a line may ask for.
        session: Given to every command as its first argument.
        report: Takes the traceback of an exception that no command should raise.
    """

    def __init__(
        self, commands: CommandSet, session: object, report: Callable[[str], None]
    ) -> None:
        self.commands = commands
        self.session = session
        self._report = report

    def answer(self, line: bytes | str) -> Reply | None:
        """Run *line*; None if there is nothing on it but blanks and a comment.

        Of a line over ``MAX_LINE`` bytes the first ``MAX_LINE + 1`` are enough.
        """
        data = line.encode(errors="replace") if isinstance(line, str) else line
        data = data.partition(b"#")[0]
        words = _words_of(data)
        too_long = len(data) > MAX_LINE
        if not words and not too_long:
            return None
        number = ""
        try:
            number, words = _split_id(words)
            if too_long:
                return _failure(number, f"syntax error: line longer than {MAX_LINE} bytes")
            return self._run(number, words)
        except TaflError as error:
            return _failure(number, str(error))
        except Exception as error:
            return _failure(number, fault(error, self._report))

    def _run(self, number: str, words: list[str]) -> Reply:
        if not words:
            raise CommandError("syntax error: an id without a command")
        name, *arguments = words
        command = self.commands.get(name)
        if command is None:
            raise CommandError(f"unknown command: {quote(name)}{self._suggestion(name)}")
        answer = command.run(self.session, arguments)
        if isinstance(answer, Stream):
            return Reply(f"={number} \n", command.closes, self._parts(answer.lines))
        return Reply(_frame("=", number, text_of(answer)), command.closes)

    def _parts(self, lines: Iterable[str]) -> Generator[str, None, None]:
        """Each line when it comes, and the empty line. A failure is the last line before it."""
        try:
            for line in lines:
                yield line_of(line)
        except TaflError as error:
            yield line_of(f"failure: {_cut(str(error))}")
        except Exception as error:
            yield line_of(f"failure: {_cut(fault(error, self._report))}")
        yield "\n"

    def _suggestion(self, name: str) -> str:
        import difflib  # costs as much as a hundred commands; typing errors are rare

        close = difflib.get_close_matches(name[:40].lower(), self.commands, n=1, cutoff=0.7)
        return f", did you mean {quote(close[0])}?" if close else ""


def fault(error: Exception, report: Callable[[str], None]) -> str:
    """Report the traceback of an *error* that no command should raise; the failure it makes.

    Want of memory is no fault of the program, and is not reported.
    """
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    import traceback  # needed only when there is a bug

    report("".join(traceback.format_exception(error)).rstrip())
    return f"internal error: {''.join(traceback.format_exception_only(error)).rstrip()}"


def command_of(line: bytes) -> str:
    """The name of the command that *line* asks for; empty if it asks for none."""
    try:
        _, words = _split_id(_words_of(line.partition(b"#")[0]))
    except CommandError:
        return ""
    return words[0] if words else ""


def _words_of(data: bytes) -> list[str]:
    """The words of a line without its comment."""
    plain = data.removeprefix(_BYTE_ORDER_MARK).translate(_TAB_TO_BLANK, IGNORED)
    return [word.decode(errors="replace") for word in plain.split()]


def _split_id(words: list[str]) -> tuple[str, list[str]]:
    """Take the id off the first word, to which the name may be glued: ``5name``."""
    if not words:
        return "", words
    first, *others = words
    name = first.lstrip("0123456789")
    digits = first.removesuffix(name)
    if not digits:
        return "", words
    number = digits.lstrip("0") or "0"
    if len(number) > len(str(_MAX_ID)) or int(number) > _MAX_ID:
        raise CommandError(f"syntax error: an id goes from 0 to {_MAX_ID}")
    return number, [name, *others] if name else others


def text_of(answer: str | bool | int | Iterable[str] | None) -> str:
    """What a handler that sends no stream has returned, as a text of any number of lines."""
    if answer is None:
        return ""
    if isinstance(answer, bool):
        return "true" if answer else "false"
    if isinstance(answer, int):
        return str(answer)
    return answer if isinstance(answer, str) else "\n".join(answer)


def _failure(number: str, text: str) -> Reply:
    return Reply(_frame("?", number, _cut(text)), closes=False)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_FAILURE else text[:_MAX_FAILURE] + "..."


def _frame(sign: str, number: str, text: str) -> str:
    text = _shown(text)
    # An empty line would end the reply. Two passes: replace() does not overlap.
    while "\n\n" in text:
        text = text.replace("\n\n", "\n \n")
    return f"{sign}{number} {text}\n\n"


def line_of(text: str) -> str:
    """*text* as one line of an answer; an empty one would end it."""
    return (_shown(text).replace("\n", " ") or " ") + "\n"


def _shown(text: str) -> str:
    """*text* without the characters that no answer may hold."""
    if text.isprintable():  # a look is cheaper than a translation that changes nothing
        return text
    return text.translate(_SHOWN).rstrip("\n")
