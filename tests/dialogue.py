"""The real program at the other end of pipes, for protocols of which each line counts."""

import math
import re
import time
from collections.abc import Callable, Iterator

from program import SENT, Program, fits

SOON = 10.0
"""Seconds in which what should happen at once has happened, also on a busy machine. What is
ended would go on for far longer."""


class Dialogue(Program):
    """The program with open pipes: lines out, lines in."""

    def say(self, *lines: str) -> None:
        """Send *lines* in one write."""
        self.send("".join(f"{line}\n" for line in lines))

    def line(self) -> str:
        """Wait for a line; it comes without its newline."""
        while b"\n" not in self._held:
            more = self._read()
            assert more, f"the program has gone after {self._held!r}"
            self._held += more
        found, _, self._held = self._held.partition(b"\n")
        return found.decode(errors="replace")

    def until(self, pattern: str) -> list[str]:
        """Wait for a line that *pattern* matches; it is the last of those that came."""
        lines = [self.line()]
        while not re.match(pattern, lines[-1]):
            lines.append(self.line())
        return lines

    def only(self, pattern: str) -> str:
        """Wait for a line that *pattern* matches and that nothing comes before."""
        *before, last = self.until(pattern)
        assert before == []
        return last


def least_seconds(what: Callable[[], object], enough: float) -> float:
    """How long *what* takes, in seconds; tried up to three times, for a machine may be busy."""
    least = math.inf
    for _ in range(3):
        begun = time.monotonic()
        what()
        least = min(least, seconds_since(begun))
        if least < enough:
            break
    return least


def seconds_since(begun: float) -> float:
    """How long it took, in seconds."""
    return time.monotonic() - begun


def follow(transcript: str, *arguments: str) -> None:
    """Hold a new process to *transcript*, line by line.

    Lines with ``SENT`` are sent, the others must come, in which ``...`` is any text; a line
    of nothing else stands for any lines, also none.
    """
    with Dialogue(*arguments) as program:
        skips = False
        for line in transcript.splitlines():
            if line.startswith(SENT):
                program.say(line.removeprefix(SENT))
                skips = False
            elif line == "...":
                skips = True
            else:
                found = program.line().rstrip()
                while skips and not fits(found, line):
                    found = program.line().rstrip()
                assert fits(found, line), f"shown is {line!r}, and {found!r} came"
                skips = False
        done = program.end()
        assert done.status == 0, done


def lines_of(transcript: str) -> Iterator[tuple[bool, str]]:
    """Each line of *transcript*, and whether it is sent."""
    for line in transcript.splitlines():
        yield line.startswith(SENT), line.removeprefix(SENT)
