"""The real program at the other end of pipes, and transcripts of what it says."""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

import taflengine

ROOT = Path(__file__).parents[1]
"""The checkout: documents and recorded games are there, the program need not be."""
COMMAND = (sys.executable, "-P", "-m", "taflengine")
"""Starts the package that the tests import. -P keeps the directory it starts in out of it."""
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if key != "TAFLENGINE_DEBUG"},
    "PYTHONPATH": str(Path(taflengine.__file__).parents[1]),
    "TERM": "dumb",
    "INPUTRC": "/dev/null",
    "LANGUAGE": "C",
}
SECONDS = 60
"""When to give up on the program: a limit for failures, which no passing test waits for."""
AT_WORK = 0.05
"""Seconds of a processor by which a program is seen to be at work with a long command."""
LIMITED = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
os.execv(sys.argv[2], sys.argv[2:])
"""
"""A program that limits files to its first argument and becomes the rest."""
SENT = "> "
"""Begins a line of a transcript that is sent; what follows it comes back."""
ANYTHING = "..."
"""Stands in a transcript for any text."""


class Done(NamedTuple):
    """What a program that has ended left behind."""

    stdout: str
    stderr: str
    status: int


def run(*arguments: str, sent: str | bytes = "", cwd: Path | None = None) -> Done:
    """Start the program, send all of *sent* and the end of input, and wait for its end."""
    data = sent.encode() if isinstance(sent, str) else sent
    done = subprocess.run(
        [*COMMAND, *arguments],
        input=data,
        capture_output=True,
        env=ENVIRONMENT,
        cwd=cwd,
        timeout=SECONDS,
        check=False,
    )
    return Done(done.stdout.decode(), done.stderr.decode(), done.returncode)


def replies(lines: Iterable[str], *arguments: str) -> list[str]:
    """Send *lines*, each of which has a reply, in one write; the replies without framing's end."""
    done = run(*arguments, sent="".join(f"{line}\n" for line in lines))
    assert (done.status, without_advice(done.stderr)) == (0, "")
    *found, rest = done.stdout.split("\n\n")
    assert rest == ""
    return found


def without_advice(messages: str) -> str:
    """*messages* of the program but for the advice to compile its core."""
    return re.sub(r"taflengine: the core runs uncompiled.*\n", "", messages)


def processor_time(process: int) -> float:
    """Seconds of a processor that *process* has taken; where there is no /proc, of the clock."""
    file = Path(f"/proc/{process}/stat")
    if not file.exists():
        return time.monotonic()
    fields = file.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def limited(size: int, *arguments: str) -> list[str]:
    """A command that starts the program, which may write *size* bytes to a file and no more.

    The limit stands for a disk that is full.
    """
    return [sys.executable, "-c", LIMITED, str(size), *COMMAND, *arguments]


@contextmanager
def started(command: Sequence[str] | str, **options: Any) -> Iterator[Any]:
    """A ``Popen`` with *options* that is killed at the end if it still runs.

    A test that fails would otherwise wait for it to go by itself. Its streams are pipes
    unless *options* say otherwise.
    """
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **({"env": ENVIRONMENT} | pipes | options)) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(what: Callable[[], object]) -> None:
    """Wait until *what* is so, which it must become."""
    end = time.monotonic() + SECONDS
    while not what():
        assert time.monotonic() < end, "it has not become so"
        time.sleep(0.002)


class Program:
    """The program with open pipes: one line in, one reply out."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            bufsize=0,
        )
        self._held = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        with self.process:
            pass

    def send(self, text: str) -> None:
        """Write *text* as it is."""
        assert self.process.stdin
        self.process.stdin.write(text.encode())

    def reply(self) -> str:
        """Wait for a reply; it comes without the empty line that ends it."""
        while b"\n\n" not in self._held:
            more = self._read()
            assert more, f"the program has gone after {self._held!r}"
            self._held += more
        found, _, self._held = self._held.partition(b"\n\n")
        return found.decode()

    def line(self) -> str:
        """Wait for a line of a reply that comes line by line; without its newline."""
        while b"\n" not in self._held:
            more = self._read()
            assert more, f"the program has gone after {self._held!r}"
            self._held += more
        found, _, self._held = self._held.partition(b"\n")
        return found.decode()

    def work(self, text: str) -> None:
        """Send *text*, the last line of which thinks, and wait until the program is at it.

        The sign is processor time: nothing but thinking takes that much.
        """
        begun = processor_time(self.process.pid)
        self.send(text)
        wait_until(lambda: processor_time(self.process.pid) >= begun + AT_WORK)

    def ask(self, line: str) -> str:
        """Send *line* and wait for its reply."""
        self.send(f"{line}\n")
        return self.reply()

    def end(self) -> Done:
        """Close the program's input and wait for its end; what it still said."""
        assert self.process.stdin
        self.process.stdin.close()
        return self.wait()

    def wait(self) -> Done:
        """Wait until the program ends; what it still said."""
        assert self.process.stderr
        rest = self._held
        while more := self._read():
            rest += more
        messages = self.process.stderr.read().decode()
        return Done(rest.decode(), messages, self.process.wait(SECONDS))

    def _read(self) -> bytes:
        assert self.process.stdout
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        assert ready, f"no reply within {SECONDS} s, only {self._held!r}"
        return os.read(self.process.stdout.fileno(), 1 << 16)


class Block(NamedTuple):
    """A fenced block of a document."""

    place: str
    """File and line, for instance ``protocol.md:40``."""
    language: str
    text: str


def blocks_of(path: Path) -> list[Block]:
    """The fenced blocks of the document at *path*."""
    found = []
    lines = iter(enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    for number, line in lines:
        fence = re.fullmatch(r"(```+)(\w*).*", line)
        if fence:
            inside = []
            for _, text in lines:
                if text == fence[1]:
                    break
                inside.append(text)
            found.append(Block(f"{path.name}:{number}", fence[2], "\n".join(inside)))
    return found


def exchanges_of(transcript: str) -> Iterator[tuple[str, str]]:
    """Each line that *transcript* sends, and the reply that it shows, empty if there is none."""
    before, *parts = re.split(rf"^{SENT}", f"{transcript}\n", flags=re.MULTILINE)
    assert not before.strip(), f"a transcript begins with a line that is sent, not {before!r}"
    for part in parts:
        line, _, reply = part.partition("\n")
        yield line, reply.rstrip("\n")


def replay(transcript: str) -> None:
    """Hold a new process to *transcript*, line by line; blanks at the ends of lines are not seen.

    Where the transcript shows no reply none may come before the next line is sent; what
    stands behind that line then is both replies.
    """
    with Program() as program:
        for line, shown in exchanges_of(transcript):
            program.send(f"{line}\n")
            for part in re.split(r"\n\n(?=[=?])", shown) if shown else ():
                reply = trimmed(program.reply())
                if not fits(reply, trimmed(part)):
                    raise AssertionError(
                        f"{line}\n\nis answered\n\n{reply}\n\nand shown is\n\n{trimmed(part)}"
                    )
        done = program.end()
    assert (done.stdout, without_advice(done.stderr), done.status) == ("", "", 0)


def fits(text: str, shown: str) -> bool:
    """Whether *text* is *shown*, in which ``ANYTHING`` stands for any text."""
    pattern = ".*".join(re.escape(part) for part in shown.split(ANYTHING))
    return re.fullmatch(pattern, text, re.DOTALL) is not None


def trimmed(text: str) -> str:
    """*text* without blanks at the ends of its lines and empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n")
