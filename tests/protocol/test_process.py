"""The real program at real pipes: what comes out, how it ends, its command line, its imports."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from program import (
    COMMAND,
    ENVIRONMENT,
    SECONDS,
    Done,
    Program,
    replies,
    run,
    wait_until,
    without_advice,
)

from taflengine import __version__, core

NAME = "= taflengine\n\n"
LONG = "syntax error: line longer than 65536 bytes"


def answered(sent: str | bytes, *arguments: str, cwd: Path | None = None) -> str:
    """What the program answers to *sent*; it has nothing to complain about."""
    done = run(*arguments, sent=sent, cwd=cwd)
    assert (without_advice(done.stderr), done.status) == ("", 0)
    return done.stdout


def run_shell(command: str, sent: str = "", cwd: Path | None = None) -> Done:
    """Run a shell command in which ``"$@"`` is the program."""
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *COMMAND],
        input=sent.encode(),
        capture_output=True,
        env=ENVIRONMENT,
        cwd=cwd,
        timeout=SECONDS,
        check=False,
    )
    return Done(done.stdout.decode(), without_advice(done.stderr.decode()), done.returncode)


# Lines and replies


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        ("", ""),
        ("name", NAME),
        ("name\n", NAME),
        ("name\r\n\r\n7 name\r\n", f"{NAME}=7 taflengine\n\n"),
        ("\n \n\t\n# a comment\n" * 250 + "name # and why\n", NAME),
        ("na\x00me\n\x00\n", NAME),
        ("\x07name\n", NAME),
        ("\ufeffname\n", NAME),
        ("007 name\n5name\n", "=7 taflengine\n\n=5 taflengine\n\n"),
        ("2147483648 name\n3\n", "? syntax error: an id goes from 0 to 2147483647\n\n"
         "?3 syntax error: an id without a command\n\n"),
        ("newgame brandubh\nplay\tattacker\t d2-e2\n", "= \n\n= \n\n"),
        (b"\xc3( name\nname\n", f"? unknown command: '\ufffd('\n\n{NAME}"),
        (b"play attacker d1-\xff\xfe\nname\n", "? 'd1-\ufffd\ufffd' is no move: a move is two "
         f"squares, as e4-e7\n\n{NAME}"),
        ("newgame þorn\n", "? 'þorn' is no rule set: variants lists them\n\n"),
        ("1 quit\n2 name\n", "=1 \n\n"),
        ("1 quit now\n2 quit\n", "?1 usage: quit\n\n=2 \n\n"),
    ],
    ids=range(16),
)  # fmt: skip
def test_a_pipe(sent: str | bytes, answers: str) -> None:
    assert answered(sent) == answers


@pytest.mark.parametrize("end", ["", "\n", "\nname\n"])
@pytest.mark.parametrize("line", ["a" * (1 << 20), "play " + "/" * (1 << 20), "name " * (1 << 18)])
def test_a_line_of_a_megabyte(line: str, end: str) -> None:
    """One short failure, and the next line is served."""
    assert answered(f"12 {line}{end}") == f"?12 {LONG}\n\n" + (NAME if "name" in end else "")


def test_pipelined_commands_are_answered_in_order() -> None:
    """All of them in one write, each reply with its id."""
    lines = [
        "newgame brandubh",
        "legal d2",
        "play d2-e2",
        "nosuchcommand",
        "undo",
        "position",
    ] * 500
    sent = "".join(f"{number} {line}\n" for number, line in enumerate(lines))
    found = answered(sent).split("\n\n")
    assert found.pop() == ""
    signs = [re.match(r"([=?])(\d+) ", reply) for reply in found]
    assert [int(sign[2]) for sign in signs if sign] == list(range(len(lines)))
    assert {reply.partition(" ")[2] for reply in found[5::6]} == {
        "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a"
    }


def test_one_command_at_a_time() -> None:
    """Each reply is there before the next line is sent, and quit says goodbye first."""
    with Program() as program:
        assert program.ask("newgame brandubh") == "= "
        while program.ask("result") == "= ongoing":
            side = program.ask("side").removeprefix("= ")
            move = program.ask(f"reg_genmove {side}").removeprefix("= ")
            assert program.ask(f"is_legal {move}") == "= true"
            assert program.ask(f"play {side} {move}").startswith("= ")
        assert program.ask("9 quit") == "=9 "
        assert program.wait().status == 0


def test_a_line_may_come_in_pieces() -> None:
    with Program() as program:
        for letter in "7 na":
            program.send(letter)
        program.send("me\n8 prot")
        assert program.reply() == "=7 taflengine"
        program.send("ocol_version\n")
        assert program.reply() == "=8 2"
        assert program.end().status == 0


# Ends


def test_a_reader_who_has_enough_ends_the_session() -> None:
    command = '{ "$@"; echo $? >&2; } | head -1'
    assert run_shell(command, "name\n" * 50_000) == ("= taflengine\n", "0\n", 0)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (">/dev/full", "taflengine: No space left on device\n"),
        (">&-", "taflengine: standard output is closed\n"),
        (">/dev/full 2>&-", ""),
    ],
)
def test_output_that_cannot_be_written(place: str, message: str) -> None:
    assert run_shell(f'"$@" {place}', "name\n") == ("", message, 1)


@pytest.mark.parametrize("words", ["variants", "variants --json", "variants brandubh --toml"])
def test_a_list_that_cannot_be_written(words: str) -> None:
    """As with the protocol: one line, status 1, and no word of a fault of the program."""
    done = run_shell(f'"$@" {words} >/dev/full')
    assert (done.stderr, done.status) == ("taflengine: No space left on device\n", 1)


@pytest.mark.parametrize("words", ["variants", "variants --json", "--help", "variants brandubh"])
def test_a_reader_of_a_list_who_has_enough(words: str) -> None:
    done = run_shell(f'{{ "$@" {words} 2>&1 >&3 | cat >&2; }} 3>&1 | :')
    assert done.stderr == ""


@pytest.mark.parametrize("words", ["variants", "--help", "--version", "match --help", "man"])
def test_a_reader_who_has_gone_is_no_failure(words: str) -> None:
    done = run_shell(f'{{ sleep 0.2; "$@" {words}; echo $? >&2; }} | :')
    assert done.stderr == "0\n"


def test_a_session_without_standard_error() -> None:
    assert run_shell('"$@" 2>&-', "name\nnosuchcommand\n").stdout.startswith(NAME)
    assert run_shell('"$@" --variant nosuchgame 2>&-').status == 1


@pytest.mark.parametrize("line", ["set_param engine search\ngenmove attacker", "hint attacker"])
def test_a_table_that_finds_no_memory(line: str) -> None:
    """It is a failure, not a fault of the program, and the session goes on."""
    done = run_shell('ulimit -v 1000000; "$@"', f"set_param hash 4000\n{line}\nname\n")
    failure = "? there is no memory for a table of 4000 megabytes\n\n= taflengine\n\n"
    assert done.stdout.removeprefix("= \n\n").removeprefix("= \n\n") == failure
    assert (done.stderr, done.status) == ("", 0)


def test_closed_input_is_the_end_of_input() -> None:
    assert run_shell('"$@" <&-') == ("", "", 0)


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_a_signal_ends_a_waiting_program_silently(number: int, status: int) -> None:
    with Program() as program:
        assert program.ask("name") == "= taflengine"
        program.process.send_signal(number)
        done = program.wait()
        assert (done.stdout, without_advice(done.stderr), done.status) == ("", "", status)


def cpu_ticks(stat: Path) -> int:
    """The time that the process of a ``stat`` file has worked outside the kernel."""
    return int(stat.read_text().rpartition(")")[2].split()[11])


def wait_until_busy(program: Program) -> None:
    """Wait until the program has worked for a fifth of a second since now."""
    stat = Path(f"/proc/{program.process.pid}/stat")
    enough = cpu_ticks(stat) + os.sysconf("SC_CLK_TCK") // 5
    wait_until(lambda: cpu_ticks(stat) >= enough)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc to see it work in")
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
@pytest.mark.parametrize("line", ["perft 12", "divide 12"])
def test_a_signal_ends_a_long_count(line: str, number: int, status: int) -> None:
    """What would take years is given up at once."""
    with Program() as program:
        program.send(f"name\n{line}\n")
        assert program.reply() == "= taflengine"
        wait_until_busy(program)
        program.process.send_signal(number)
        try:
            found = program.process.wait(5)
        except subprocess.TimeoutExpired:
            pytest.fail(f"{signal.Signals(number).name} is not heeded during {line}")
        assert found == status


# The command line


def test_version() -> None:
    assert run("--version") == (f"taflengine {__version__} ({core.form()} core)\n", "", 0)


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_begins_with_what_it_is_and_shows_examples(option: str) -> None:
    done = run(option)
    assert (done.stderr, done.status) == ("", 0)
    assert done.stdout.startswith("Usage: ")
    for words in (
        "newgame brandubh",
        "| taflengine",
        "--variant",
        "--rules",
        "variants",
        "protocol.md",
    ):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_the_examples_in_the_help_work() -> None:
    """The session at the terminal and the line of shell, as they stand there."""
    text = run("--help").stdout
    session = re.search(r"\$ taflengine\n((?: +\w.*\n)+)", text)
    assert session
    found = replies([line.strip() for line in session[1].splitlines()])
    assert all(reply.startswith("=") for reply in found)
    script = re.search(r"\$ (printf .*) \| taflengine", text)
    assert script
    done = run_shell(f'{script[1]} | "$@"')
    assert (done.stdout.count("\n\n"), done.stderr, done.status) == (3, "", 0)
    assert "\n?" not in f"\n{done.stdout}"


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        ((), "hnefatafl"),
        (("--variant", "brandubh"), "brandubh"),
        (("--variant=VIKING",), "homeschool"),
        (("--rules", "mine.toml"), "mine"),
        (("--variant", "@mine.toml"), "mine"),
    ],
)
def test_the_first_game(arguments: tuple[str, ...], first: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('name = "mine"\nbased_on = "tablut"\n')
    answer = answered("rules\nnewgame\nshowboard\n", *arguments, cwd=tmp_path)
    assert json.loads(answer.split("\n\n")[0][2:])["name"] == first
    assert f"\n{first}, " in answer


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--nosuchoption",), "No such option '--nosuchoption'"),
        (("nosuchcommand",), "No such command 'nosuchcommand'"),
        (("--variant",), "Option '--variant' requires an argument"),
        (("--variant", "brandubh", "--rules", "x.toml"), "Give --variant or --rules, not both"),
        (("--variant", "brandubh", "variants"), "--variant before variants is not for variants"),
        (("variants", "brandubh", "tablut"), "Got unexpected extra argument (tablut)"),
        (("variants", "--toml"), "--toml needs the NAME of a rule set"),
        (("variants", "brandubh", "--json", "--toml"), "Give --json or --toml, not both"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    """Status 2, nothing on standard output, and the last line says what is wrong."""
    done = run(*arguments, sent="name\n")
    assert (done.stdout, done.status) == ("", 2)
    assert re.match(rf"Error: {re.escape(message)}", done.stderr.splitlines()[-1])
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--variant", "brandub"), "'brandub' is no rule set: did you mean brandubh?"),
        (("--rules", "none.toml"), "none.toml: cannot be read: No such file or directory"),
        (("--rules", "torn.toml"), "torn.toml, line 1, column 8: Invalid value"),
        (("variants", "brandub"), "'brandub' is no rule set: did you mean brandubh?"),
        # not the default, which nobody has asked for
        (("--variant", ""), ""),
        (("--rules", ""), ""),
    ],
)
def test_rules_that_are_not_there(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    """Status 1, one line, and no command is answered under other rules than were asked for."""
    (tmp_path / "torn.toml").write_text("name = \n")
    done = run(*arguments, sent="name\n", cwd=tmp_path)
    assert (done.stdout, done.status) == ("", 1)
    assert re.fullmatch(r"taflengine: [^\n]*\n", done.stderr)
    assert done.stderr.startswith(f"taflengine: {message}")


def test_variants_are_listed() -> None:
    """In columns, the same that the protocol lists."""
    (listed,) = replies(["variants"])
    done = run("variants")
    rows = [re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines()]
    assert rows == [line.split(": ", 1) for line in listed[2:].splitlines()]
    columns = {line.index(row[1]) for line, row in zip(done.stdout.splitlines(), rows, strict=True)}
    assert len(columns) == 1


def test_a_variant_is_explained() -> None:
    done = run("variants", "Copenhagen")
    assert (done.stderr, done.status) == ("", 0)
    assert done.stdout.startswith("copenhagen: ")
    for words in ("11x11", "attackers move first", "throne", "Shieldwall", "fort", "Source: "):
        assert words in done.stdout


def test_variants_as_json() -> None:
    """A line for each; what the protocol answers."""
    lines = run("variants", "--json").stdout.splitlines()
    names = [json.loads(line)["name"] for line in lines]
    assert [reply[2:] for reply in replies([f"rules {name}" for name in names])] == lines
    assert run("variants", "brandubh", "--json").stdout.splitlines() == [
        line for line in lines if json.loads(line)["name"] == "brandubh"
    ]


def test_variants_as_files(tmp_path: Path) -> None:
    """Every rule set written as a file is that rule set again."""
    names = [line.split()[0] for line in run("variants").stdout.splitlines()]
    for name in ("hnefatafl", "tablut-bologna", "alea-evangelii"):
        text = run("variants", name, "--toml").stdout
        assert tomllib.loads(text)["name"] == name
        (tmp_path / f"{name}.toml").write_text(text)
        answer = answered("rules\n", "--rules", f"{name}.toml", cwd=tmp_path)
        assert answer == f"{replies([f'rules {name}'])[0]}\n\n"
    assert names[0] == "hnefatafl"


# Imports


BANNED = {
    # the command line and its library: a controller starts the program without arguments
    *("click", "argparse", "taflengine.cli"),
    # what only another command needs
    *("json", "tomllib", "pathlib", "textwrap", "urllib"),
    *("taflengine.variants.files", "taflengine.variants.opentafl", "taflengine.variants.plain"),
    *("taflengine.variants.explain", "taflengine.variants.catalogue"),
    *("taflengine.variants.corner_games", "taflengine.variants.edge_games"),
    # what only a mistake, a bug or a terminal needs
    *("difflib", "traceback", "readline", "select"),
    # what nothing here needs
    *("asyncio", "concurrent", "ctypes", "datetime", "decimal", "email", "gettext", "hashlib"),
    *("http", "hypothesis", "importlib.metadata", "importlib.resources", "locale", "logging"),
    *("multiprocessing", "pickle", "platform", "pydoc", "shutil", "signal", "socket", "ssl"),
    *("string", "subprocess", "tempfile", "threading", "unittest", "uuid", "zipfile"),
}
"""What the first answer of a fresh process must not wait for."""


def modules_loaded(*command: str, sent: str = "") -> set[str]:
    """The modules that Python says it loads."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        input=sent,
        capture_output=True,
        env=ENVIRONMENT,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return set(re.findall(r"^import time: [^|]*\|[^|]*\| *([\w.]+)$", done.stderr, re.MULTILINE))


def test_the_first_answer_waits_for_no_heavy_module() -> None:
    start = modules_loaded("-c", "")
    loaded = modules_loaded(*COMMAND[1:], sent="name\n") - start
    assert "taflengine.protocol.loop" in loaded, "the list is of what was asked for"
    families = {name for module in loaded for name in (module, module.partition(".")[0])}
    assert not families & BANNED


def test_a_game_needs_no_more() -> None:
    """Nor does a program that plays the house game wait for anything in the middle of it."""
    start = modules_loaded("-c", "")
    sent = "legal\nplay d1-d3\ngenmove defender\nundo\nposition\nresult\nhistory\nplay a1-a2\n"
    loaded = modules_loaded(*COMMAND[1:], sent=sent) - start
    assert not {module.partition(".")[0] for module in loaded} & BANNED
    assert loaded - modules_loaded(*COMMAND[1:], sent="name\n") <= {
        *("taflengine.core.evaluation", "taflengine.engines", "taflengine.engines.engine"),
        *("taflengine.engines.oneply", "taflengine.engines.uniform", "taflengine.refusals"),
        "taflengine.protocol.choosing",
    }


@pytest.mark.parametrize("line", ["newgame", "time_settings 10 0 0", "time_left attacker 10 0"])
def test_no_clock_pays_for_loading_the_search(line: str) -> None:
    """It is there before the first move is asked for, but only where it is the engine."""
    search = "taflengine.engines.search"
    assert search in modules_loaded(*COMMAND[1:], sent=f"set_param engine search\n{line}\n")
    assert search not in modules_loaded(*COMMAND[1:], sent=f"{line}\n")
