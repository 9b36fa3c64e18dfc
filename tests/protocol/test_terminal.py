"""The real program at a real terminal: a person is prompted, and may edit, repeat and complete."""

import os
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pexpect
import pytest
from program import (
    COMMAND,
    ENVIRONMENT,
    SECONDS,
    wait_until,
    without_advice,
)

from taflengine import __version__

BANNER = f"taflengine {__version__}, hnefatafl; help lists the commands\r\n"
PROMPT = "tafl> "
ENGINE = shlex.join(COMMAND)
END = f"\r\n\r\n{PROMPT}"
"""How a reply ends and the next line begins."""
UP, TAB, RUBOUT, KILL_LINE, CONTROL_A, CONTROL_D = "\x1b[A", "\t", "\x7f", "\x15", "\x01", "\x04"


class Terminal:
    """A shell command at a pseudo-terminal, and the person who sits there."""

    def __init__(self, command: str, term: str = "dumb") -> None:
        # Wide, so that no answer is broken into lines.
        self._child = pexpect.spawn(
            "/bin/sh",
            ["-c", f"exec {command}"],
            env=ENVIRONMENT | {"TERM": term},
            encoding="utf-8",
            codec_errors="replace",
            timeout=SECONDS,
            dimensions=(50, 2000),
        )
        self._child.delaybeforesend = None  # whoever has seen a prompt may type

    def close(self) -> None:
        """Take the terminal away."""
        self._child.close(force=True)

    def keys(self, text: str) -> None:
        """Type *text* as it is."""
        self._child.send(text)

    def line(self, text: str) -> None:
        """Type *text* and the return key."""
        self._child.sendline(text)

    def bytes(self, data: bytes) -> None:
        """Type *data*, whatever it means."""
        os.write(self._child.child_fd, data)

    def interrupt(self) -> None:
        """Type Ctrl-C until there is a new prompt: CPython overlooks it while it draws a key."""
        for _ in range(SECONDS):
            self._child.sendintr()
            if self._child.expect_exact([f"\r\n{PROMPT}", pexpect.TIMEOUT], timeout=1) == 0:
                return
        raise AssertionError("Ctrl-C brings no prompt")

    def see(self, text: str) -> str:
        """Wait for exactly *text*; what was shown before it."""
        self._child.expect_exact(text)
        return cast("str", self._child.before)

    def either(self, *texts: str) -> int:
        """Wait for the first of *texts*; its number."""
        return int(self._child.expect_exact(list(texts)))

    def end(self) -> tuple[str, int]:
        """Wait until the program ends by itself: what it still showed, and its exit status."""
        self._child.expect(pexpect.EOF)
        rest = cast("str", self._child.before)
        self._child.close()
        return rest, cast("int", self._child.exitstatus)

    def leave(self) -> int:
        """Type Ctrl-D until the program ends: a Ctrl-C still under way takes typed text away.

        The exit status.
        """
        for _ in range(SECONDS):
            self.keys(CONTROL_D)
            if self._child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=1) == 0:
                return self.end()[1]
        raise AssertionError("Ctrl-D does not end the program")


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """A program that shows its first prompt."""
    person = Terminal(ENGINE)
    person.see(BANNER + PROMPT)
    yield person
    person.close()


@pytest.fixture
def at() -> Iterator[type[Terminal]]:
    """Makes terminals that are taken away after the test."""
    made: list[Terminal] = []

    class Taken(Terminal):
        def __init__(self, command: str, term: str = "dumb") -> None:
            super().__init__(command, term)
            made.append(self)

    yield Taken
    for each in made:
        each.close()


def test_a_person_is_greeted_and_prompted(terminal: Terminal) -> None:
    """Every reply is followed by a prompt, an empty line by nothing else; quit ends it."""
    terminal.line("5 newgame brandubh")
    assert terminal.see(PROMPT) == "5 newgame brandubh\r\n=5 \r\n\r\n"
    terminal.line("")
    assert terminal.see(PROMPT) == "\r\n"
    terminal.line("  # only a comment")
    assert terminal.see(PROMPT) == "  # only a comment\r\n"
    terminal.line("play d6-c7")
    assert terminal.see(PROMPT) == (
        "play d6-c7\r\n? illegal move: d6-c7: pieces move along a rank or a file\r\n\r\n"
    )
    terminal.line("quit")
    assert terminal.end() == ("quit\r\n= \r\n\r\n", 0)


def test_the_board_is_drawn(terminal: Terminal) -> None:
    terminal.line("newgame brandubh")
    terminal.see(END)
    terminal.line("showboard")
    shown = terminal.see(END).split("\r\n")
    assert shown[1:4] == ["= ", " 7 + . . a . . +", " 6 . . . a . . ."]
    assert shown[-2:] == ["   a b c d e f g", "brandubh, attacker to move"]


def test_control_d_ends_the_session(terminal: Terminal) -> None:
    """The shell's prompt then stands on a line of its own."""
    terminal.keys(CONTROL_D)
    assert terminal.end() == ("\r\n", 0)


def test_control_c_discards_the_line_and_keeps_the_game(terminal: Terminal) -> None:
    terminal.line("play d1-d3")
    terminal.see(END)
    terminal.keys("undo")
    terminal.see("undo")
    terminal.interrupt()
    terminal.line("history")
    assert "= d1-d3\r\n" in terminal.see(PROMPT)
    terminal.keys(CONTROL_D)
    assert terminal.end()[1] == 0


def test_control_c_gives_up_a_search_of_uci(at: type[Terminal]) -> None:
    """The next search is another one: it is not taken for the endless one before."""
    person = at(f"{ENGINE} --protocol uci")
    person.see(PROMPT)
    person.line("go infinite")
    person.see("info depth 2")
    person.interrupt()
    person.line("go depth 1")
    person.see("bestmove ")
    person.line("quit")
    assert person.end()[1] == 0


@pytest.mark.parametrize("protocol", ["gtp", "uci"])
def test_control_c_typed_many_times_does_not_end_the_session(
    at: type[Terminal], protocol: str
) -> None:
    """Wherever it comes: in a line at work, between two, in the prompt that follows."""
    begin, sign = {
        "gtp": ("analyze", "info "),
        "uci": ("go infinite", "info depth 2"),
    }[protocol]
    person = at(f"{ENGINE} --protocol {protocol}")
    person.see(PROMPT)
    for _ in range(30):
        person.line(begin)
        while person.either(sign, f"\r\n{PROMPT}"):  # one Ctrl-C more than was needed
            person.line(begin)
        for _ in range(5):
            person.bytes(b"\x03")
        person.interrupt()
    assert person.leave() == 0


def test_control_c_held_down_does_not_end_the_session(terminal: Terminal) -> None:
    """The next one may come while the last leaves the line editing."""
    for _ in range(60):
        for _ in range(30):
            terminal.bytes(b"\x03")
        terminal.interrupt()
    assert terminal.leave() == 0


def test_lines_may_be_pasted_behind_a_search(terminal: Terminal) -> None:
    """They come while the first is still being edited, with return keys as they were typed."""
    terminal.line("set_param movetime 0.5")
    terminal.see(END)
    terminal.keys("hint\rname\rside\r")
    terminal.see(" at depth ")
    terminal.see("= taflengine\r\n\r\n")
    terminal.see("= attacker\r\n\r\n")
    terminal.see(PROMPT)
    assert terminal.leave() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_leaves_the_terminal_as_it_was(
    at: type[Terminal], tmp_path: Path, number: signal.Signals
) -> None:
    """A shell that does not edit lines itself would be left without echo."""
    process = tmp_path / "process"
    person = at(f"sh -c 'stty -a; sh -c \"echo \\$\\$ >{process}; exec {ENGINE}\"; stty -a'")
    before = person.see(BANNER)
    person.see(PROMPT)
    wait_until(lambda: process.read_text().strip())
    os.kill(int(process.read_text()), number)
    after, _ = person.end()
    assert re.findall(r" (-?(?:icanon|echo|icrnl))\b", before) == ["icrnl", "icanon", "echo"]
    assert re.findall(r" (-?(?:icanon|echo|icrnl))\b", after) == ["icrnl", "icanon", "echo"]


def test_a_line_can_be_edited(terminal: Terminal) -> None:
    """Rubbed out, moved in, killed."""
    terminal.keys(f"pllay{RUBOUT}{RUBOUT}{RUBOUT}ay d1-d9")
    terminal.keys(f"{RUBOUT}3{CONTROL_A}7 \r")
    terminal.see(f"=7 {END}")
    terminal.keys(f"nosuchcommand{KILL_LINE}history\r")
    assert "= d1-d3" in terminal.see(END)


def test_there_is_a_history(terminal: Terminal) -> None:
    """The arrow up brings back the line before and the one before that, to be changed."""
    terminal.line("play d1-d3")
    terminal.see(END)
    terminal.line("side")
    terminal.see(END)
    terminal.keys(UP)
    terminal.see("side")
    terminal.keys(UP)
    terminal.see("play d1-d3")
    terminal.keys(f"{RUBOUT}4\r")
    assert "? illegal move: d1-d4: there is no piece" in terminal.see(END)


def test_names_of_commands_are_completed(terminal: Terminal) -> None:
    """TAB writes the rest of the one that fits; twice it shows all that fit."""
    terminal.keys(f"showb{TAB}")
    terminal.see("showboard ")
    terminal.keys("\r")
    terminal.see("hnefatafl, attacker to move\r\n")
    terminal.see(PROMPT)
    terminal.keys(f"set{TAB}{TAB}")
    assert re.search(r"set_param +setposition", terminal.see(f"{PROMPT}set"))
    terminal.keys(f"p{TAB}3k3 a\r")
    assert "? position of 1 row:" in terminal.see(END)


def test_a_long_reply_does_not_stop_the_person(terminal: Terminal) -> None:
    terminal.line("variants")
    assert terminal.see(END).count("\r\n") == 24
    terminal.line("rules")
    assert '"name": "hnefatafl"' in terminal.see(END)


def test_answers_may_go_to_a_file(at: type[Terminal], tmp_path: Path) -> None:
    """Banner, prompt and echo stay at the terminal; the file holds the replies and nothing else."""
    answers = tmp_path / "answers"
    person = at(f"{ENGINE} >{answers}")
    person.see(BANNER + PROMPT)
    person.line("play d1-d3")
    assert person.see(PROMPT) == "play d1-d3\r\n"
    person.keys(f"his{TAB}\r")
    assert person.see(PROMPT) == "history \r\n"
    person.keys(CONTROL_D)
    assert person.end() == ("\r\n", 0)
    assert answers.read_bytes() == b"= \n\n= d1-d3\n\n"


def test_a_full_disk_is_told(at: type[Terminal]) -> None:
    person = at(f"{ENGINE} >/dev/full")
    person.see(PROMPT)
    person.line("name")
    person.see("taflengine: No space left on device\r\n")
    assert person.end() == ("", 1)


def test_banner_and_prompt_are_standard_error(at: type[Terminal], tmp_path: Path) -> None:
    """Where that is a file there is no person, so there is neither."""
    messages = tmp_path / "messages"
    person = at(f"{ENGINE} 2>{messages}")
    person.line("name")
    assert person.see("= taflengine\r\n\r\n") == "name\r\n"
    person.keys(CONTROL_D)
    assert person.end() == ("", 0)
    assert without_advice(messages.read_text()) == ""


@pytest.mark.parametrize(
    "command",
    [f"printf 'name\\nside\\n' | {ENGINE}", f"{ENGINE} <lines", f"cat lines - | {ENGINE} 2>&1"],
    ids=["pipe", "file", "pipe from a person"],
)
def test_there_is_no_prompt_for_a_pipe(
    command: str, at: type[Terminal], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although both outputs are the terminal."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lines").write_text("name\nside\n")
    person = at(f"sh -c {shlex.quote(command)}")
    shown = person.see("= taflengine\r\n\r\n= attacker\r\n\r\n")
    assert without_advice(shown.replace("\r\n", "\n")) == ""
    if command.startswith("cat"):
        person.keys(CONTROL_D)
    assert person.end()[1] == 0


@pytest.mark.parametrize("term", ["dumb", "xterm-256color", "", "nosuchterminal"])
def test_any_terminal_will_do(term: str, at: type[Terminal]) -> None:
    """No colour anywhere, and on a dumb one nothing but text."""
    person = at(ENGINE, term)
    shown = person.see(PROMPT)
    person.line("name")
    shown += person.see("= taflengine\r\n")
    person.line("quit")
    rest, status = person.end()
    assert status == 0
    assert not re.search(r"\x1b\[[0-9;]*m", shown + rest)
    if term == "dumb":
        assert "\x1b" not in shown + rest


def test_a_person_may_type_any_byte(terminal: Terminal) -> None:
    terminal.bytes(b"\xff\xfe(\n")
    assert "? unknown command: " in terminal.see(END)
    terminal.line("newgame þorn")
    assert "? 'þorn' is no rule set" in terminal.see(END)


def test_the_first_game_is_named(at: type[Terminal]) -> None:
    person = at(f"{ENGINE} --variant viking")
    person.see(f"taflengine {__version__}, homeschool; help lists the commands\r\n{PROMPT}")
