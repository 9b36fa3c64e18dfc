"""What has come of regression tests: lines for people, JSON for programs, JUnit XML for servers."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from taflengine.display.columns import in_columns
from taflengine.regress.run import FileResult, Result, Status

SCHEMA = 1
"""Raised when a line of JSON can no longer be read as before. Keys may be added without."""

_COLUMNS = (
    ("pass", Status.PASSED),
    ("FAIL", Status.FAILED),
    ("fail", Status.FAILED_AS_KNOWN),
    ("PASS", Status.PASSED_UNEXPECTEDLY),
    ("Error", Status.REFUSED),
    ("Not run", Status.NOT_RUN),
)
_QUIET = frozenset({Status.PASSED, Status.FAILED_AS_KNOWN, Status.DONE, Status.NOT_RUN})
"""What needs no line of its own: it is as expected, or a line for the file says it."""
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""
_LONGEST = 300
"""So much of an answer is shown in a line."""


def line_of(result: Result, *, complete: bool) -> str | None:
    """The line about *result*; None for one that is as expected, unless all are asked for."""
    babble = [f"    before its answer: {_short(line)}" for line in result.babble]
    if result.status in _QUIET and not complete:
        return "\n".join(babble) or None
    case = result.case
    number = case.number or f"line {case.line}"
    head = f"  {number:>8} {result.status.value:<7} {_short(case.command)}"
    if result.status in (Status.PASSED, Status.DONE):
        return "\n".join([*babble, head])
    return "\n".join([*babble, f"{head}\n    {_explanation(result)}"])


def _explanation(result: Result) -> str:
    """What was expected, and what came."""
    sign = "" if result.success else "? "
    expected = result.case.expectation
    if result.status is Status.NOT_RUN:
        return _short(result.answer)
    if expected is None:
        return f"answered {_short(sign + result.answer)}"
    wanted = expected.text or ("any refusal" if expected.refusal else "any success")
    if expected.refusal and expected.text:
        wanted = f"a refusal {wanted}"
    return f"correct {_short(wanted)}, answered {_short(sign + result.answer)}"


def _short(text: str) -> str:
    """*text* on one line."""
    line = " / ".join(text.splitlines())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def trouble_lines(found: FileResult) -> list[str]:
    """Why a file was not run to its end."""
    if not found.trouble:
        return []
    return [f"  {found.trouble}", *(f"    | {line}" for line in found.last_words.splitlines())]


def summary(files: Sequence[FileResult]) -> list[str]:
    """A line for each file with its counts, and one for all."""
    rows = [["File", "Tests", *(name for name, _ in _COLUMNS), "Time", "CPU"]]
    rows += [
        _row(str(each.path), each.tests, each.counts, each.seconds, each.cpu_seconds)
        for each in files
    ]
    if len(files) > 1:
        known = [each.cpu_seconds for each in files if each.cpu_seconds is not None]
        rows.append(
            _row(
                "all",
                sum(each.tests for each in files),
                sum((each.counts for each in files), Counter()),
                sum(each.seconds for each in files),
                sum(known) if len(known) == len(files) else None,
            )
        )
    return in_columns(rows)


def _row(
    name: str, tests: int, counts: Counter[Status], seconds: float, cpu: float | None
) -> list[str]:
    cells = [str(counts[status]) for _, status in _COLUMNS]
    return [name, str(tests), *cells, f"{seconds:.2f}", "n/a" if cpu is None else f"{cpu:.2f}"]


def json_of_result(found: FileResult, result: Result) -> str:
    """One line of JSON about one command."""
    case, expected = result.case, result.case.expectation
    return _json(
        "command",
        file=str(found.path),
        line=case.line,
        number=int(case.number) if case.number else None,
        command=case.command,
        expected=None
        if expected is None
        else {
            "answer": "refusal" if expected.refusal else "success",
            "pattern": expected.pattern.pattern if expected.pattern else None,
            "inverted": expected.inverted,
            "known_to_fail": expected.known_to_fail,
        },
        status=result.status.name.lower().replace("_", "-"),
        success=result.success,
        answer=result.answer,
        babble=list(result.babble),
        seconds=round(result.seconds, 6),
    )


def json_of_file(found: FileResult) -> str:
    """One line of JSON about a file."""
    return _json(
        "file",
        file=str(found.path),
        engine=found.engine,
        tests=found.tests,
        counts=_counts(found.counts),
        trouble=found.trouble or None,
        last_words=found.last_words,
        seconds=round(found.seconds, 6),
        cpu_seconds=found.cpu_seconds,
    )


def json_of_all(files: Sequence[FileResult], exit_status: int) -> str:
    """The last line of JSON."""
    return _json(
        "summary",
        files=len(files),
        tests=sum(each.tests for each in files),
        counts=_counts(sum((each.counts for each in files), Counter())),
        exit_status=exit_status,
    )


def _counts(counts: Counter[Status]) -> dict[str, int]:
    return {status.name.lower().replace("_", "-"): counts[status] for status in Status}


def _json(event: str, **values: Any) -> str:
    return json.dumps({"schema": SCHEMA, "event": event, **values}, ensure_ascii=False)


def junit(files: Sequence[FileResult]) -> bytes:
    """All tests as the XML that build servers read: a suite for each file.

    A test that fails as known is skipped, one that passes unexpectedly has failed, and a file
    that was not run to its end has an error.
    """
    root = ElementTree.Element("testsuites")
    for found in files:
        suite = ElementTree.SubElement(root, "testsuite", name=_legal(str(found.path)))
        for result in found.results:
            if result.case.number or result.status is Status.REFUSED:
                _add_case(suite, found, result)
        if found.trouble:
            case = _element(suite, found, "run to the end", found.seconds)
            error = ElementTree.SubElement(case, "error", message=_legal(found.trouble))
            error.text = _legal(found.last_words)
        for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(name, str(len(suite.findall(f"testcase/{tag}"))))
        suite.set("tests", str(len(suite.findall("testcase"))))
        suite.set("time", f"{found.seconds:.3f}")
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _add_case(suite: ElementTree.Element, found: FileResult, result: Result) -> None:
    name = f"{result.case.number or f'line {result.case.line}'} {result.case.command}"
    case = _element(suite, found, name, result.seconds)
    tag = {
        Status.FAILED: "failure",
        Status.PASSED_UNEXPECTEDLY: "failure",
        Status.REFUSED: "failure",
        Status.FAILED_AS_KNOWN: "skipped",
        Status.NOT_RUN: "skipped",
    }.get(result.status)
    if tag:
        ElementTree.SubElement(case, tag, message=_legal(_explanation(result)))


def _element(
    suite: ElementTree.Element, found: FileResult, name: str, seconds: float
) -> ElementTree.Element:
    return ElementTree.SubElement(
        suite,
        "testcase",
        classname=_legal(found.path.stem),
        name=_legal(name),
        time=f"{seconds:.3f}",
    )


def _legal(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
