"""``taflengine regress``: GoGui's format, its verdicts, and engines that misbehave."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from program import COMMAND, ENVIRONMENT, ROOT, SECONDS, Done, run, started, wait_until

from taflengine.errors import NotationError
from taflengine.regress.script import Case, files_of, read_script

REGRESSION = sorted((ROOT / "tests" / "regression").glob("*.tst"))

ENGINE = '''\
"""An engine that answers what it is told to, and writes down what it hears."""
import os, sys, time
print(os.getcwd(), file=open(sys.argv[1] + ".cwd", "w"))
print(os.getpid(), file=open(sys.argv[1] + ".pid", "w"))
heard = open(sys.argv[1], "w", buffering=1)
cpu = 0.0
for line in sys.stdin:
    heard.write(line)
    words = line.split()
    number = words.pop(0) if words[0].isdigit() else ""
    name, rest = words[0], " ".join(words[1:])
    if name == "die":
        print("last words", file=sys.stderr)
        os._exit(3)
    if name == "hang":
        time.sleep(60)
    if name == "babble":
        print("thinking...")
    if name == "cputime":
        cpu += 1.25
        rest = str(cpu)
    rest = rest.encode().decode("unicode_escape")
    sign = "?" if name in ("fail", "name") else "="
    print(f"{sign}{number} {rest}\\n", flush=True)
    if name == "quit":
        break
'''


VERDICTS = (
    ("1 say abc\n#? [abc]", "passed"),
    ("1 say abc\n#? [ab]", "failed"),
    ("1 say abc\n#? [ab.*]", "passed"),
    ("1 say abc\n#? [ABC]", "failed"),
    ("1 say abc\n#? [!abc]", "failed"),
    ("1 say abc\n#? [!ab]", "passed"),
    ("1 say a\\nb\n#? [a.b]", "passed"),
    ("1 say a\\r\\n\\040\\nb\n#? [a\\s+b]", "passed"),
    ("1 say abc\n#? [abc]*", "passed-unexpectedly"),
    ("1 say abc\n#? [ab]*", "failed-as-known"),
    ("1 say abc\n#? [!abc]*", "failed-as-known"),
    ("1 say abc\n#?", "passed"),
    ("1 fail abc\n#?", "failed"),
    ("1 fail abc\n#? [abc]", "failed"),
    ("1 fail abc\n#? [!xyz]", "failed"),
    ("1 fail abc\n#? [abc]*", "failed-as-known"),
    ("1 fail abc", "failed"),
    ("1 say abc", "passed"),
    ("say abc", "done"),
    ("fail abc", "refused"),
    ("1 fail abc\n#! [ab.]", "passed"),
    ("1 fail abc\n#! [xyz]", "failed"),
    ("1 fail abc\n#! [!xyz]", "passed"),
    ("1 fail abc\n#!", "passed"),
    ("1 say abc\n#! [abc]", "failed"),
    ("1 say abc\n#!", "failed"),
    ("1 fail abc\n#! [xyz]*", "failed-as-known"),
    ("1 babble abc\n#? [abc]", "passed"),
    ("1\tsay\tabc\n#? [abc]", "passed"),
    ("1 say [abc]\n#? [\\[abc\\]]", "passed"),
    ("1 say x\n\n# a remark\n#? [x]", "passed"),
)
"""Tests, and what they come to."""


@pytest.fixture
def engine(tmp_path: Path) -> str:
    """The command of the engine above; what it hears is in ``heard``."""
    (tmp_path / "engine.py").write_text(ENGINE, encoding="utf-8")
    words = [sys.executable, str(tmp_path / "engine.py"), str(tmp_path / "heard")]
    return shlex.join(words)


def regress(tmp_path: Path, engine: str, text: str, *arguments: str) -> Done:
    """Run *text* as a file of tests."""
    (tmp_path / "some.tst").write_text(text, encoding="utf-8")
    return run("regress", "--engine", engine, str(tmp_path / "some.tst"), *arguments)


def commands(done: Done) -> list[dict[str, object]]:
    """The lines of JSON about commands."""
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event for event in events if event["event"] == "command"]


@pytest.mark.parametrize("path", REGRESSION, ids=lambda path: path.stem)
def test_this_program(path: Path) -> None:
    done = run("regress", "--strict", str(path))
    assert done.status == 0, done.stdout + done.stderr
    assert done.stderr == ""


def test_there_are_files_of_tests() -> None:
    assert len(REGRESSION) >= 4


def test_verdicts(tmp_path: Path, engine: str) -> None:
    done = regress(tmp_path, engine, "\n".join(test for test, _ in VERDICTS), "--json")
    found = [command["status"] for command in commands(done)]
    for (test, expected), status in zip(VERDICTS, found, strict=True):
        assert status == expected, test


@pytest.mark.parametrize(
    ("test", "exit_status"),
    [
        ("1 say x\n#? [x]", 0),
        ("1 say x\n#? [y]", 1),
        ("1 say x\n#? [y]*", 0),
        ("1 say x\n#? [x]*", 0),
        ("1 fail x", 0),
        ("fail x", 0),
        ("1 say x\n#!", 1),
    ],
)
def test_exit_statuses(tmp_path: Path, engine: str, test: str, exit_status: int) -> None:
    """They are those of GoGui's tool, as measured."""
    assert regress(tmp_path, engine, test).status == exit_status


@pytest.mark.parametrize(
    ("test", "exit_status"),
    [("1 fail x", 1), ("fail x", 1), ("1 say x\n#? [x]*", 1), ("1 say x\n#? [y]*", 0)],
)
def test_strict(tmp_path: Path, engine: str, test: str, exit_status: int) -> None:
    assert regress(tmp_path, engine, test, "--strict").status == exit_status


def test_what_is_sent(tmp_path: Path, engine: str) -> None:
    directory = tmp_path / "deep"
    directory.mkdir()
    (tmp_path / "first").write_text("# before\nsetup now\n", encoding="utf-8")
    text = "# a remark\n\nplay\ta b # not stripped\n10 say x\n#? [x]\n"
    done = regress(directory, engine, text, "--gtpfile", str(tmp_path / "first"))
    assert done.status == 0
    heard = (tmp_path / "heard").read_text(encoding="utf-8").splitlines()
    assert heard == [
        "name",
        "version",
        "cputime",
        "setup now",
        "play a b # not stripped",
        "10 say x",
        "cputime",
        "quit",
    ]
    assert (tmp_path / "heard.cwd").read_text(encoding="utf-8").strip() == str(directory)


def test_each_file_has_an_engine_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a.tst").write_text("newgame tablut\n1 position\n#? [.*/9/.*|.*]\n", "utf-8")
    (tmp_path / "b.tst").write_text("1 position\n#? [.{20,}11.*]\n", "utf-8")
    (tmp_path / "list").write_text("# both\na.tst\n@more\n", "utf-8")
    (tmp_path / "more").write_text("b.tst\n", "utf-8")
    done = run("regress", "@" + str(tmp_path / "list"), "--json")
    assert done.status == 0
    last = json.loads(done.stdout.splitlines()[-1])
    assert (last["event"], last["files"], last["tests"]) == ("summary", 2, 2)
    assert last["counts"]["passed"] == 2


def test_the_lines_for_people(tmp_path: Path, engine: str) -> None:
    text = (
        "1 say a\n#? [a]\n2 say b\n#? [c]\n3 fail d\n#! [e]\nfail f\n4 babble g\n5 say h\n#? [h]*\n"
    )
    done = regress(tmp_path, engine, text)
    head, *lines = done.stdout.splitlines()
    assert head == str(tmp_path / "some.tst")
    assert lines[:10] == [
        "         2 FAIL    say b",
        "    correct [c], answered b",
        "         3 FAIL    fail d",
        "    correct a refusal [e], answered ? d",
        "    line 7 error   fail f",
        "    answered ? f",
        "    before its answer: thinking...",
        "         5 PASS    say h",
        "    correct [h]*, answered h",
        "",
    ]
    names, counts = lines[10].split(), lines[11].split()
    columns = "File Tests pass FAIL fail PASS Error Not run Time CPU"
    assert names == columns.split()
    assert counts[1:8] == ["5", "2", "2", "0", "1", "1", "0"]
    assert counts[-1] == "1.25"
    assert done.status == 1
    assert "         1 pass    say a" in regress(tmp_path, engine, text, "--long").stdout


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("1 die\n#?\n2 say x\n#?\n", "'1 die': exited with status 3"),
        ("1 hang\n#?\n2 say x\n#?\n", "'1 hang': does not answer"),
        ("1 quit\n#?\n2 say x\n#?\n", "'2 say x': exited with status 0"),
    ],
)
def test_an_engine_in_trouble(tmp_path: Path, engine: str, text: str, trouble: str) -> None:
    """Its file ends there, with the reason; the next one is run all the same."""
    (tmp_path / "next.tst").write_text("1 say x\n#? [x]\n", encoding="utf-8")
    junit = tmp_path / "junit.xml"
    more = (str(tmp_path / "next.tst"), "--time-limit", "0.5", "--junit", str(junit))
    done = regress(tmp_path, engine, text, *more)
    assert done.status == 2
    assert f"  {trouble}\n" in done.stdout
    assert done.stderr == ""
    assert ("    | last words\n" in done.stdout) == ("die" in text)
    first, second = ElementTree.parse(junit).getroot()
    assert (first.get("errors"), second.get("errors")) == ("1", "0")
    assert second.get("tests") == "1"
    error = first.find("testcase/error")
    assert error is not None
    assert error.get("message") == trouble


def test_commands_that_come_first_must_succeed(tmp_path: Path, engine: str) -> None:
    (tmp_path / "first").write_text("fail it\n", encoding="utf-8")
    done = regress(tmp_path, engine, "1 say x\n#?\n", "--gtpfile", str(tmp_path / "first"))
    assert done.status == 2
    assert "'fail it', which comes before all tests: it" in done.stdout


def test_an_engine_that_cannot_be_started(tmp_path: Path) -> None:
    done = regress(tmp_path, "/no/such/engine", "1 say x\n#?\n")
    assert done.status == 2
    assert "cannot be started: /no/such/engine" in done.stdout


def test_a_relative_command_is_found_from_here(tmp_path: Path, engine: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.tst").write_text("1 say x\n#? [x]\n", encoding="utf-8")
    script = tmp_path / "start"
    script.write_text(f"#!/bin/sh\nexec {engine}\n", encoding="utf-8")
    script.chmod(0o755)
    assert run("regress", "--engine", "./start", "tests/a.tst", cwd=tmp_path).status == 0


def test_junit(tmp_path: Path, engine: str) -> None:
    text = "1 say a\\001<&\n#? [b]\n2 say x\n#? [y]*\n3 say x\n#? [x]\nfail z\nsay w\n"
    junit = tmp_path / "junit.xml"
    assert regress(tmp_path, engine, text, "--junit", str(junit)).status == 1
    (suite,) = ElementTree.parse(junit).getroot()
    assert suite.tag == "testsuite"
    assert [suite.get(key) for key in ("tests", "failures", "errors", "skipped")] == list("4201")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [
        "1 say a\\001<&",
        "2 say x",
        "3 say x",
        "line 7 fail z",
    ]
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.get("message") == "correct [b], answered a\ufffd<&"


def test_a_place_for_junit_that_cannot_be_written(tmp_path: Path, engine: str) -> None:
    """It is found out before the first test has run."""
    place = tmp_path / "none" / "junit.xml"
    done = regress(tmp_path, engine, "1 say a\n#? [a]\n", "--junit", str(place))
    assert (done.stdout, done.status) == ("", 2)
    assert done.stderr == f"taflengine regress: {place}: No such file or directory\n"


def test_json(tmp_path: Path, engine: str) -> None:
    done = regress(tmp_path, engine, "say ä\n12 fail b\n#! [!c]*\n", "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["event"] for event in events] == ["command", "command", "file", "summary"]
    assert all(event["schema"] == 1 for event in events)
    command = events[1]
    assert command["number"] == 12
    assert command["line"] == 2
    assert command["expected"] == {
        "answer": "refusal",
        "pattern": "c",
        "inverted": True,
        "known_to_fail": True,
    }
    assert (command["success"], command["answer"]) == (False, "b")
    assert events[2]["cpu_seconds"] == 1.25
    assert events[3]["exit_status"] == done.status == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 say x\n#? [(]\n", "line 2: pattern '(': "),
        ("1 say x\n#? x\n", "line 2: '#? x': say #? [pattern]"),
        ("1 say x\n#? [x] y\n", "line 2: '#? [x] y': say"),
        ("say x\n#? [x]\n", "line 2: #? belongs below a command with a number"),
        ("#! [x]\n", "line 1: #! belongs below a command with a number"),
        ("1 say x\n#? [x]\n#? [y]\n", "line 3: command 1 has its #? already"),
        ("12\n", "line 1: a number without a command"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, engine: str, text: str, message: str) -> None:
    """Found before anything is run."""
    done = regress(tmp_path, engine, text)
    assert done.status == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"taflengine regress: {tmp_path / 'some.tst'}, {message}")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "heard").exists()


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("none.tst", "none.tst: cannot be read: No such file or directory"),
        (".", ".: cannot be read: Is a directory"),
        ("@none.txt", "none.txt: cannot be read: No such file or directory"),
        ("noise", "noise, line 2: not UTF-8 text"),
        ("@noise", "noise, line 2: not UTF-8 text"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "noise").write_bytes(b"# one\n\xff\n")
    done = run("regress", name, cwd=tmp_path)
    assert done == ("", f"taflengine regress: {complaint}\n", 2)


@pytest.mark.parametrize("seconds", ["inf", "nan", "0", "1e300", "x"])
def test_no_limit_is_none(seconds: str) -> None:
    """Neither endless waiting nor a fault of the program comes of it."""
    done = run("regress", "--time-limit", seconds, "x.tst")
    assert (done.stdout, done.status) == ("", 2)
    assert "Error: Invalid value for '--time-limit': " in done.stderr


def test_without_a_file() -> None:
    assert run("regress").status == 2


def test_without_standard_error(tmp_path: Path, engine: str) -> None:
    """Some start programs with it closed."""
    (tmp_path / "some.tst").write_text("1 say x\n#? [x]\n")
    command = [*COMMAND, "regress", "--engine", engine, "some.tst"]
    done = subprocess.run(
        ["sh", "-c", f"{shlex.join(command)} 2>&-"],
        stdout=subprocess.PIPE,
        env=ENVIRONMENT,
        cwd=tmp_path,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[-1].startswith("some.tst      1     1     0")


def test_an_interrupt_ends_it_and_its_engine(tmp_path: Path, engine: str) -> None:
    (tmp_path / "some.tst").write_text("1 hang\n", encoding="utf-8")
    command = [*COMMAND, "regress", "--engine", engine, str(tmp_path / "some.tst")]
    with started(command, stdin=None) as process:
        wait_until(lambda: "hang" in heard(tmp_path))
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=SECONDS)
    assert (process.returncode, complaints.strip()) == (130, b"")
    engine_process = int((tmp_path / "heard.pid").read_text(encoding="utf-8"))
    with pytest.raises(ProcessLookupError):
        os.kill(engine_process, 0)


def heard(directory: Path) -> str:
    """What the engine in *directory* has been sent."""
    path = directory / "heard"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_reader_who_goes_is_no_trouble(tmp_path: Path, engine: str) -> None:
    (tmp_path / "some.tst").write_text("1 say x\n" * 2000, encoding="utf-8")
    command = [*COMMAND, "regress", "--long", "--engine", engine, str(tmp_path / "some.tst")]
    with started(command, stdin=None) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(SECONDS) == 0


def test_a_list_in_itself(tmp_path: Path) -> None:
    (tmp_path / "list").write_text("@list\n", encoding="utf-8")
    with pytest.raises(NotationError, match="this list is in itself"):
        files_of(["@" + str(tmp_path / "list")])


def test_numbers_may_stand_close(tmp_path: Path) -> None:
    (tmp_path / "a.tst").write_text("7name\n  8  name\n", encoding="utf-8")
    assert read_script(tmp_path / "a.tst") == [
        Case(1, "7", "name", "7name"),
        Case(2, "8", "name", "8  name"),
    ]
