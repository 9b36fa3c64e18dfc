"""A file of regression tests: commands, and below some of them what the answer should be.

The format is that of GoGui's tool. Blank lines and lines that begin with ``#`` say nothing,
but for those that begin with ``#?`` below a command with a number::

    play attacker d6-c6
    10 legal d4
    #? [d4-.*]

The pattern is a regular expression for the whole text of the answer. ``[!pattern]`` is the
opposite, a ``*`` behind the brackets says that the test is known to fail, and ``#?`` alone is
content with any success. A refusal never matches. One thing is added, which is a comment to
GoGui's tool: ``#! [pattern]`` asks for a refusal and looks at its text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from taflengine.errors import NotationError
from taflengine.notation import quote
from taflengine.textfile import read_text

_EXPECTATION = re.compile(r"#(?P<kind>[?!])\s*(?:\[(?P<pattern>.*)\](?P<known>\*)?)?")
_COMMAND = re.compile(r"(?:(?P<number>\d+)\s*)?(?P<command>\D.*)", re.DOTALL)


@dataclass(frozen=True)
class Expectation:
    """What an answer should be."""

    text: str
    """As in the file, without ``#?`` or ``#!``."""
    refusal: bool
    """Whether it should be a refusal."""
    pattern: re.Pattern[str] | None
    """For the whole text; None is any text."""
    inverted: bool
    known_to_fail: bool

    def is_met(self, *, success: bool, text: str) -> bool:
        """Whether the answer *text* of a *success*, or of a refusal, is what it should be."""
        if success is self.refusal:
            return False
        if self.pattern is None:
            return True
        return (self.pattern.fullmatch(text) is not None) is not self.inverted


@dataclass(frozen=True)
class Case:
    """One command of a file."""

    line: int
    number: str
    """Empty if the command has none; then it is no test."""
    command: str
    """Without its number."""
    sent: str
    """The line for the engine."""
    expectation: Expectation | None = None


def read_script(path: Path) -> list[Case]:
    """The commands of a file of tests.

    Raises:
        NotationError: the file cannot be read, or a line is wrong; the message has both.
    """
    cases: list[Case] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        text = line.strip()
        try:
            if text.startswith(("#?", "#!")):
                cases[-1:] = [_expecting(text, cases)]
            elif text and not text.startswith("#"):
                cases.append(_case(number, line))
        except NotationError as error:
            raise NotationError(f"{path}, line {number}: {error}") from None
    return cases


def _case(number: int, line: str) -> Case:
    sent = line.replace("\t", " ").strip()
    parts = _COMMAND.fullmatch(sent)
    if parts is None:
        raise NotationError("a number without a command")
    return Case(number, parts["number"] or "", parts["command"], sent)


def _expecting(text: str, cases: Sequence[Case]) -> Case:
    """The last of *cases* with the expectation of the line *text*."""
    parts = _EXPECTATION.fullmatch(text)
    if parts is None:
        raise NotationError(f"{quote(text)}: say {text[:2]} [pattern], with a * behind it or not")
    if not cases or not cases[-1].number:
        raise NotationError(f"{text[:2]} belongs below a command with a number")
    last = cases[-1]
    if last.expectation:
        raise NotationError(f"command {last.number} has its {text[:2]} already")
    pattern = parts["pattern"]
    inverted = pattern is not None and pattern.startswith("!")
    try:
        compiled = None if pattern is None else re.compile(pattern[inverted:], re.DOTALL)
    except re.error as error:
        raise NotationError(f"pattern {quote(pattern)}: {error}") from None
    expectation = Expectation(
        text[2:].strip(), parts["kind"] == "!", compiled, inverted, parts["known"] is not None
    )
    return Case(last.line, last.number, last.command, last.sent, expectation)


def files_of(names: Sequence[str]) -> list[Path]:
    """The files of tests that *names* mean: each a file, or ``@LIST``, a file with a name a line.

    Names in a list are relative to it, and may be lists themselves.

    Raises:
        NotationError: a list cannot be read, or is in itself.
    """
    return [path for name in names for path in _expand(name, Path(), ())]


def _expand(name: str, directory: Path, lists: tuple[Path, ...]) -> Iterator[Path]:
    if not name.startswith("@"):
        yield directory / name
        return
    path = directory / name[1:]
    if path.resolve() in lists:
        raise NotationError(f"{path}: this list is in itself")
    for line in read_text(path).splitlines():
        if (word := line.strip()) and not word.startswith("#"):
            yield from _expand(word, path.parent, (*lists, path.resolve()))


def read_commands(path: Path) -> list[str]:
    """The commands of a file that are sent before those of each file of tests.

    Raises:
        NotationError: the file cannot be read, or a line is wrong.
    """
    return [case.sent for case in read_script(path)]
