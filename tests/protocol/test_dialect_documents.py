"""What protocol.md says of the dialects: tables held to tables, transcripts replayed."""

import re
import subprocess
from pathlib import Path

import pytest
from dialogue import follow
from program import COMMAND, ENVIRONMENT, ROOT, Block, blocks_of, run
from scripted_link import DEADLINE, ScriptedLink

from taflengine.clock import UNLIMITED, Clock, TimeControl
from taflengine.game import Game
from taflengine.pieces import Side
from taflengine.protocol.controllers.controller import Budget, Line, Link, Task
from taflengine.protocol.controllers.dialects import CONTROLLERS
from taflengine.protocol.dialects import DIALECTS, htp, otep, uci
from taflengine.protocol.dialects.uci_options import OPTIONS
from taflengine.protocol.parameters import PARAMETERS

PROTOCOL = ROOT / "protocol.md"
pytestmark = pytest.mark.skipif(not PROTOCOL.exists(), reason="protocol.md is not here")
TEXT = PROTOCOL.read_text(encoding="utf-8") if PROTOCOL.exists() else ""
BLOCKS = [block for block in blocks_of(PROTOCOL) if block.language in DIALECTS] if TEXT else []
"""The transcripts of the dialects; those of GTP are replayed with all that the page says of it."""


def tables(dialect: str) -> list[list[str]]:
    """Of each table of a chapter what stands in backquotes in its first column."""
    chapter = re.search(rf"^## Dialect {dialect}$(.*?)(?=^## |\Z)", TEXT, re.M | re.S)
    assert chapter, dialect
    found: list[list[str]] = []
    for line in chapter[1].splitlines():
        if line.startswith("| ---"):
            found.append([])
        elif line.startswith("| `"):
            found[-1].append(line.split("`")[1])
    return found


def test_every_command_of_uci_is_described() -> None:
    commands, options = tables("uci")
    assert commands == list(uci.COMMANDS)
    named = [option.name for option in OPTIONS.values() if option.name.lower() not in PARAMETERS]
    assert options == named


def test_every_command_of_htp_is_described() -> None:
    assert tables("htp") == [[command.usage for command in htp.COMMANDS.values()]]


def test_every_word_of_otep_is_described() -> None:
    said, heard = tables("otep")
    assert [usage.split()[0] for usage in said] == ["move", "analysis", "error", "status"]
    assert [usage.split()[0] for usage in heard] == list(otep.COMMANDS)


def test_every_dialect_has_a_transcript() -> None:
    assert {block.language for block in BLOCKS} == set(DIALECTS) - {"gtp"}


CHOICES = re.compile(r"^(info|bestmove|move [a-z]|= play attacker|= /).*$", re.MULTILINE)
"""What an engine thinks: one in a transcript is an example."""


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_a_transcript(block: Block) -> None:
    text = CHOICES.sub(r"\1...", block.text) if block in GAMES.values() else block.text
    text = re.sub(r"(?m)^info\.\.\.$", "...", text)
    follow(text, "--protocol", block.language, "--param", "movetime=0.2")


def game_in(dialect: str) -> Block:
    """The transcript of a game as the match runner leads it."""
    chapter = TEXT.partition(f"### A game in {dialect}\n")[2]
    fence = "session" if dialect == "gtp" else dialect
    blocks = (block for block in blocks_of(PROTOCOL) if block.language == fence)
    return next(block for block in blocks if f"```{fence}\n{block.text}\n```" in chapter[:2000])


GAMES = {dialect: game_in(dialect) for dialect in DIALECTS} if TEXT else {}
LED = {
    # Rule set, limits, moves of the opening.
    "gtp": ("brandubh", Budget(TimeControl(main=60, increment=1)), "d6-c6 d5-b5"),
    "uci": ("brandubh", Budget(UNLIMITED, depth=2), ""),
    "htp": ("copenhagen", Budget(UNLIMITED), "d1-d3 f8-f9"),
    "otep": ("brandubh", Budget(TimeControl(main=2.0)), "d6-c6 d5-b5"),
}


@pytest.mark.parametrize("dialect", GAMES)
def test_the_controller_says_what_the_transcript_shows(dialect: str) -> None:
    """The same transcript from the other side: the controller sends what is sent in it."""
    name, budget, opening = LED[dialect]
    script = re.sub(r"(?m)^$", "~", f"{GAMES[dialect].text}\n")
    link = ScriptedLink(script)
    controller = CONTROLLERS[dialect](Trimmed(link))
    controller.start({}, [], DEADLINE)
    game = Game(name)
    controller.new_game(Task(game, name, Side.ATTACKER, budget, 7), DEADLINE)
    clocks = {side: Clock(budget.control) for side in Side}

    def told(text: str) -> None:
        side = game.side_to_move
        game.play_text(text)
        controller.played(side, game.plies[-1].move, DEADLINE)

    for text in opening.split():
        told(text)
    for answer in ("d5-b5", ""):
        chosen = controller.choose(Side.ATTACKER, clocks, DEADLINE).move
        assert chosen
        game.play(chosen)
        if dialect != "uci":
            break
        if answer:
            told(answer)
    if dialect in ("gtp", "htp"):
        standing = controller.standing(DEADLINE)
        assert standing
        assert (standing.board, standing.result) == (game.board, "ongoing")
    controller.finish("draw max-moves", DEADLINE)
    controller.quit(DEADLINE)
    assert not link.script


class Trimmed(Link):
    """A link to a script, in which no line can end with a blank."""

    def __init__(self, inner: ScriptedLink) -> None:
        self._inner = inner

    def send(self, line: str, deadline: float) -> float:
        return self._inner.send(line.rstrip(), deadline)

    def receive(self, deadline: float) -> Line:
        return self._inner.receive(deadline)

    def unasked(self) -> str | None:
        return self._inner.unasked()


def test_parameters_are_set_by_the_command_line() -> None:
    done = run("--param", "depth=3", "--param", "engine=search", sent="get_param depth\n")
    assert (done.stdout, done.status) == ("= 3\n\n", 0)
    for wrong, complaint in (
        ("depth", "'depth' sets no parameter: say KEY=VALUE, as movetime=2\n"),
        ("depth=x", "depth: 'x' is not allowed: say a number from 0 to 100\n"),
        ("nosuch=1", "'nosuch' is no parameter: allowed are engine"),
    ):
        done = run("--param", wrong)
        assert (done.stdout, done.status) == ("", 2)
        assert f"Error: Invalid value for '--param': {complaint}" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("--connect", "localhost:1"),
        ("--protocol", "uci", "--connect", "localhost:1"),
        ("--protocol", "htp", "--variant", "brandubh", "--connect", "localhost:1"),
        ("--protocol", "xboard"),
        ("--param", "depth=3", "variants"),
        ("--protocol", "uci", "otep-ini"),
    ],
)
def test_what_does_not_go_together(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.stdout, done.status) == ("", 2)
    assert "Error: " in done.stderr


@pytest.mark.parametrize("address", ["here", "localhost", ":1", "localhost:99999", "a:b:1"])
def test_what_is_no_address(address: str) -> None:
    done = run("--protocol", "htp", "--connect", address)
    assert done.status == 1
    assert f"'{address}' is no address: say HOST:PORT" in done.stderr


def test_the_file_for_opentafl(tmp_path: Path) -> None:
    """What it says starts an engine: split at each blank, in the directory of engines.

    What is there by the program's name is not taken for it.
    """
    (tmp_path / "taflengine.py").write_text("raise SystemExit('not this')\n")
    done = run("otep-ini")
    assert (done.stderr, done.status) == ("", 0)
    head, *lines = done.stdout.splitlines()
    assert head == "[engine]"
    entries = dict(line.split("=", 1) for line in lines)
    assert list(entries) == ["directory", "filename", "command", "arguments"]
    (tmp_path / entries["filename"]).write_text(done.stdout, encoding="utf-8")
    assert entries["arguments"] != ""
    started = subprocess.run(
        [entries["command"], *entries["arguments"].split(" ")],
        cwd=tmp_path / entries["directory"],
        input="goodbye\n",
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=60,
        check=False,
    )
    assert (started.stdout, started.stderr, started.returncode) == ("hello\n", "", 0)


def test_the_file_for_opentafl_names_the_script(tmp_path: Path) -> None:
    """Where the program was started by its script that is what the file starts."""
    script = tmp_path / "taflengine"
    script.write_text(f'#!/bin/sh\nexec {" ".join(COMMAND)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    code = "import sys; from taflengine.__main__ import main; sys.argv[0] = sys.argv.pop(1); main()"
    done = subprocess.run(
        [COMMAND[0], "-c", code, str(script), "otep-ini"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=60,
        check=True,
    )
    assert f"command={script}\narguments=--protocol otep\n" in done.stdout
