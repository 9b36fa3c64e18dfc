"""Runs files of regression tests: for each an engine of its own, in the file's directory."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from taflengine.errors import EngineError
from taflengine.match.process import EngineProcess, Guard
from taflengine.notation import quote
from taflengine.protocol.controllers.controller import Link
from taflengine.protocol.controllers.gtp import RawReply, read_reply
from taflengine.regress.script import Case

_GOODBYE_SECONDS = 2.0
"""How long an engine may take to end by itself."""


class Status(Enum):
    """What has come of a command; the values of the first four are those of GoGui's tool."""

    PASSED = "pass"
    FAILED = "FAIL"
    FAILED_AS_KNOWN = "fail"
    PASSED_UNEXPECTEDLY = "PASS"
    DONE = "done"
    """A command that is no test was answered with success."""
    REFUSED = "error"
    """A command that is no test was refused."""
    NOT_RUN = "not run"
    """The engine was gone, or did not answer."""


@dataclass(frozen=True)
class Result:
    """One command and its answer."""

    case: Case
    status: Status
    answer: str = ""
    """The text of the answer, or what kept it away."""
    success: bool = False
    """Whether the answer was a success."""
    seconds: float = 0.0
    babble: tuple[str, ...] = ()
    """Lines that came before the answer and belong to none."""

    @property
    def breaks(self) -> bool:
        """Whether this test, which has an expectation, failed unexpectedly."""
        return self.status is Status.FAILED and self.case.expectation is not None


@dataclass
class FileResult:
    """What has come of a file of tests."""

    path: Path
    engine: str = ""
    """Name and version of the engine."""
    results: list[Result] = field(default_factory=list)
    trouble: str = ""
    """Why the file was not run to its end; empty if it was."""
    last_words: str = ""
    """The last lines of an engine in trouble on standard error."""
    seconds: float = 0.0
    cpu_seconds: float | None = None
    """What the engine says it used, if it says so."""

    @property
    def counts(self) -> Counter[Status]:
        """How often each status came."""
        return Counter(result.status for result in self.results)

    @property
    def tests(self) -> int:
        """The commands with a number."""
        return sum(bool(result.case.number) for result in self.results)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How files are run."""

    command: Sequence[str]
    first: Sequence[str] = ()
    """Commands that every engine gets before the file's; each must succeed."""
    limit: float = 60.0
    """Seconds that an answer may take."""


def run_file(
    path: Path,
    cases: Sequence[Case],
    plan: Plan,
    guard: Guard,
    tell: Callable[[Result], None] = lambda _result: None,
) -> FileResult:
    """Run *cases*, those of the file *path*, and *tell* of each as soon as it is done."""
    found = FileResult(path)
    begun = time.monotonic()
    try:
        directory = path.absolute().parent
        with EngineProcess(plan.command, guard, directory) as process:
            try:
                _converse(process, cases, plan, found, tell)
            except EngineError as error:
                found.trouble = str(error)
                process.close()
                found.last_words = process.last_words()
    except EngineError as error:
        found.trouble = str(error)
    for case in cases[len(found.results) :]:
        found.results.append(Result(case, Status.NOT_RUN, found.trouble))
        tell(found.results[-1])
    found.seconds = time.monotonic() - begun
    return found


def _converse(
    process: EngineProcess,
    cases: Sequence[Case],
    plan: Plan,
    found: FileResult,
    tell: Callable[[Result], None],
) -> None:
    name, version = (_ask(process, line, plan.limit)[0] for line in ("name", "version"))
    found.engine = " ".join(reply.text for reply in (name, version) if reply.success)
    begun = _ask(process, "cputime", plan.limit)[0]
    for line in plan.first:
        reply = _ask(process, line, plan.limit)[0]
        if not reply.success:
            raise EngineError(f"{quote(line)}, which comes before all tests: {reply.text}")
    for case in cases:
        found.results.append(_run(process, case, plan.limit))
        tell(found.results[-1])
    ended = _ask(process, "cputime", plan.limit)[0]
    with suppress(ValueError):
        found.cpu_seconds = float(ended.text) - float(begun.text)
    # An engine that has ended by itself after the last command needs no goodbye.
    with suppress(EngineError):
        _ask(process, "quit", plan.limit)
    process.close(_GOODBYE_SECONDS)


def _run(link: Link, case: Case, limit: float) -> Result:
    begun = time.monotonic()
    reply, babble = _ask(link, case.sent, limit)
    seconds = time.monotonic() - begun
    status = _status(case, reply)
    return Result(case, status, reply.text, reply.success, seconds, babble)


def _status(case: Case, reply: RawReply) -> Status:
    if not case.number:
        return Status.DONE if reply.success else Status.REFUSED
    expected = case.expectation
    if expected is None:
        return Status.PASSED if reply.success else Status.FAILED
    met = expected.is_met(success=reply.success, text=reply.text)
    if expected.known_to_fail:
        return Status.PASSED_UNEXPECTEDLY if met else Status.FAILED_AS_KNOWN
    return Status.PASSED if met else Status.FAILED


def _ask(link: Link, line: str, limit: float) -> tuple[RawReply, tuple[str, ...]]:
    """The answer to *line*, whatever its id, and the lines before it that belong to none."""
    deadline = time.monotonic() + limit
    babble = []
    try:
        link.send(line, deadline)
        while not (first := link.receive(deadline)).text.startswith(("=", "?")):
            if first.text.strip():
                babble.append(first.text)
        return read_reply(link, first, line, deadline), tuple(babble)
    except EngineError as error:
        raise type(error)(f"{quote(line)}: {error}") from None
