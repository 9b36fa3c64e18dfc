"""The documents say what the program does: headings, tables, and every line of every transcript."""

import doctest
import inspect
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
import pytest
from program import (
    COMMAND,
    ENVIRONMENT,
    ROOT,
    SECONDS,
    Block,
    blocks_of,
    exchanges_of,
    fits,
    replay,
    trimmed,
    without_advice,
)

import taflengine
from taflengine import core
from taflengine.cli import cli
from taflengine.core.codes import DRAWN
from taflengine.engines import report
from taflengine.errors import Refusal
from taflengine.protocol.commands import all_commands
from taflengine.protocol.dialects import DIALECTS
from taflengine.protocol.grammar import FORMS
from taflengine.protocol.parameters import PARAMETERS
from taflengine.rules import Reason, Variant
from taflengine.variants import find_variant
from taflengine.variants.files import parse_rules

PROTOCOL, README = ROOT / "protocol.md", ROOT / "README.md"
TEXT = PROTOCOL.read_text(encoding="utf-8")
ENGINE = re.compile(r"(?<![\w/.-])(scripts/run|taflengine)(?![\w/.-])")
"""How a shell command names the program."""


def blocks(path: Path, *languages: str) -> list[Block]:
    """The fenced blocks of a document, all or those in *languages*; none if it is not there."""
    found = blocks_of(path) if path.exists() else []
    return [block for block in found if not languages or block.language in languages]


def place(block: Block) -> str:
    """Where a block stands: the name of its test."""
    return block.place


def section(heading: str) -> str:
    """What stands under a heading of protocol.md, up to the next of its level or a higher one."""
    level = heading.index(" ")
    pattern = rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{level}}} |\Z)"
    found = re.search(pattern, TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"protocol.md has no heading {heading}"
    return found[1]


def rows(heading: str) -> Iterator[list[str]]:
    """The cells of each row of the tables in a section, without the rows that name the columns."""
    for line in section(heading).splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split(" | ")]


def first_cells(heading: str) -> list[str]:
    """All that stands in backquotes in the first column."""
    return [word for cells in rows(heading) for word in re.findall(r"`([^`]+)`", cells[0])]


def as_run_here(transcript: str) -> str:
    """*transcript* with the form of the core that runs here, the only answer that may differ."""
    return re.sub(
        r"^(= (taflengine )?\d+\.\d+\.\d+ \(?)(un)?compiled\b",
        rf"\1{core.form()}",
        transcript,
        flags=re.M,
    )


# Tables


def test_headings_are_the_usages_of_all_commands() -> None:
    headings = re.findall(r"^### `(.+)`$", TEXT, re.MULTILINE)
    assert headings == [command.usage for command in all_commands().values()]


def test_what_a_draw_costs_is_said() -> None:
    assert f", and a draw\ncosting {DRAWN}, " in TEXT
    assert f"a draw is -{DRAWN / 100:.2f} |" in TEXT
    assert f"a draw costs it {DRAWN}, " in inspect.getsource(report)


def test_the_version_is_in_step() -> None:
    spoken = re.search(r"^Version (\d+), spoken by taflengine (\d+\.\d+)\.", TEXT, re.MULTILINE)
    assert spoken, "protocol.md opens with its version"
    assert taflengine.__version__.startswith(f"{spoken[2]}.")


def test_every_parameter_is_described() -> None:
    table = {cells[0].strip("`"): cells for cells in rows("## Parameters")}
    assert list(table) == list(PARAMETERS)
    for parameter in PARAMETERS.values():
        _, values, default, _ = table[parameter.name]
        words = re.findall(r"[a-z0-9.-]+", values)
        kind, *allowed = str(parameter.kind).split()
        assert words == allowed, f"{kind} {parameter.name}"
        assert default.strip("`") == parameter.default


def test_every_reason_of_a_result_is_described() -> None:
    produced = first_cells("## Results")
    _, _, rest = section("## Results").partition("Reserved")
    reserved = re.findall(r"`([a-z-]+)`", rest.partition("\n\n")[0])
    assert [*produced, *reserved] == [reason.value for reason in Reason]


def test_every_refusal_is_described() -> None:
    """The end of the game is told with its result, in the words of ``game over: ...``."""
    described = first_cells("## Why a move is refused")
    said = ["game over" if each is Refusal.GAME_OVER else each.value for each in Refusal]
    assert sorted(described) == sorted(said)


def test_every_key_of_a_rule_set_is_described() -> None:
    usage = all_commands()["rules"].usage
    assert first_cells(f"### `{usage}`") == [field.name for field in fields(Variant)]
    values = {
        key: cells[1]
        for cells in rows(f"### `{usage}`")
        for key in re.findall(r"`(\w+)`", cells[0])
    }
    for field in fields(Variant):
        kind: Any = field.type
        if isinstance(kind, type) and issubclass(kind, Enum):
            words = re.findall(r"`([a-z-]+)`", values[field.name])
            assert words == [member.value for member in kind], field.name
        elif kind is bool:
            assert values[field.name] == "true, false"
        elif get_args(kind) or kind is str:
            assert re.fullmatch(r"text|texts|pieces|squares|lists of squares", values[field.name])


def test_every_form_of_a_rule_set_is_described() -> None:
    described = section(f"### `{all_commands()['rules'].usage}`")
    assert all(f"`{form}`" in described for form in FORMS)


def test_links_lead_somewhere() -> None:
    for path in filter(Path.exists, (PROTOCOL, README)):
        text = path.read_text(encoding="utf-8")
        anchors = {
            re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
            for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        }
        for target in re.findall(r"\]\(([^)]+)\)", text):
            file, _, anchor = target.partition("#")
            if target.startswith(("http:", "https:")):
                continue
            assert file or anchor in anchors, f"{path.name}: {target}"
            assert not file or (ROOT / file).exists(), f"{path.name}: {target}"


# Transcripts


@pytest.mark.parametrize("block", blocks(PROTOCOL, "session"), ids=place)
def test_a_transcript_of_the_protocol(block: Block) -> None:
    replay(as_run_here(block.text))


@pytest.mark.parametrize("usage", [command.usage for command in all_commands().values()])
def test_every_command_has_a_transcript_that_uses_it(usage: str) -> None:
    name = usage.split()[0]
    shown = re.findall(r"^```session\n(.*?)^```$", section(f"### `{usage}`"), re.M | re.DOTALL)
    sent = [line for text in shown for line, _ in exchanges_of(text)]
    assert any(name in re.sub(r"^\d+ ", "", line).split()[:1] for line in sent)


def test_no_block_escapes_the_tests() -> None:
    """A fence without a known language is a transcript that nobody replays."""
    assert {block.language for block in blocks_of(PROTOCOL)} == {"session", *DIALECTS} - {"gtp"}


# README


def test_the_readme_has_a_session() -> None:
    assert README.exists(), "there is no README.md"
    assert blocks(README, "session"), "README.md shows no ```session"


@pytest.mark.parametrize("block", blocks(README, "session"), ids=place)
def test_a_session_of_the_readme(block: Block) -> None:
    replay(as_run_here(block.text))


@pytest.fixture
def workshop(tmp_path: Path) -> Path:
    """A directory like the checkout, in which ``scripts/run`` is the engine under test.

    The rule files that the README shows are there, each under the name it gives itself.
    """
    for entry in ROOT.iterdir():
        if entry.name not in ("scripts", "taflengine") and not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    start = f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n'
    for file in (tmp_path / "scripts" / "run", tmp_path / "bin" / "taflengine"):
        file.parent.mkdir()
        file.write_text(start)
        file.chmod(0o755)
    for block in blocks(README, "toml"):
        (tmp_path / f"{tomllib.loads(block.text)['name']}.toml").write_text(block.text)
    return tmp_path


class ShellCommand(NamedTuple):
    """A line of shell in a document, and the output that is shown behind it."""

    place: str
    text: str
    shown: str = ""


def shell_commands(path: Path) -> Iterator[ShellCommand]:
    """Behind ``$`` in console blocks, in indented lines, and those of the engine in the prose."""
    for block in blocks(path, "console"):
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            # A command goes on behind a backslash at the end of its line.
            found = re.match(r"((?:.*\\\n)*.*)\n?", part)
            assert found
            yield ShellCommand(block.place, found[1], trimmed(part[found.end() :]))
    prose = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for text in re.findall(r"^    (?=\S)(.*scripts/.*|.*\btaflengine\b.*)$", prose, re.MULTILINE):
        yield ShellCommand(path.name, text)
    for text in re.findall(r"`((?:taflengine|scripts/run) [^`]*)`", prose):
        # A word in capitals, or dots, stand for what the reader puts there.
        if not re.search(r"\b[A-Z]+\b|\.\.\.", text):
            yield ShellCommand(path.name, text)


SHELL_COMMANDS = list(shell_commands(README)) if README.exists() else []


@pytest.mark.parametrize("command", SHELL_COMMANDS, ids=lambda command: command.text[:60])
def test_a_shell_command_of_the_readme(command: ShellCommand, workshop: Path) -> None:
    """Those that start the engine run; of the others the scripts that they name are there."""
    for script in re.findall(r"(?<![\w/.-])scripts/[\w.-]+", command.text):
        assert os.access(ROOT / script, os.X_OK), script
    if not ENGINE.search(command.text.partition("#")[0]):
        return
    done = subprocess.run(
        ["/bin/sh", "-c", command.text],
        cwd=workshop,
        env=ENVIRONMENT | {"PATH": f"{workshop / 'bin'}:{ENVIRONMENT['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, without_advice(done.stderr)) == (0, "")
    assert not re.search(r"^\?", done.stdout, re.MULTILINE), "a command in it fails"
    if command.shown and not fits(trimmed(done.stdout), command.shown):
        assert trimmed(done.stdout) == command.shown


def test_the_readme_shows_the_engine_in_a_script() -> None:
    assert any("|" in command.text for command in SHELL_COMMANDS)


@pytest.mark.parametrize("block", blocks(README, "toml"), ids=place)
def test_a_rule_file_of_the_readme(block: Block) -> None:
    assert parse_rules(block.text, block.place, find_variant)


def test_the_readme_mentions_every_subcommand() -> None:
    text = README.read_text(encoding="utf-8")
    names = cli.list_commands(click.Context(cli))
    assert [name for name in names if f"taflengine {name}" not in text] == []


def test_a_block_of_the_readme_is_of_a_kind_that_is_tested() -> None:
    kinds = {"session", "console", "python", "pycon", "toml"}
    assert {block.language for block in blocks(README)} <= kinds


def test_python_in_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it in one go: sessions with ``>>>`` are compared, other code need only run."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(README, "python", "pycon"):
        if ">>>" not in block.text:
            exec(compile(block.text, block.place, "exec"), names)
            continue
        text = re.sub(r"^```.*", "", block.text, flags=re.MULTILINE)
        test = doctest.DocTestParser().get_doctest(text, names, block.place, str(README), 0)
        complaints: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=complaints.append, clear_globs=False)
        names = test.globs
        assert not complaints, "".join(complaints)


def test_documents_name_no_place_on_a_machine() -> None:
    for path in filter(Path.exists, (PROTOCOL, README)):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.])/(home|root|tmp|work|Users|usr)/", text), path.name
        assert sys.executable not in text


def test_the_readme_shows_what_bench_measures() -> None:
    """Every figure has the name under which the script prints it, and none is left out."""
    script = (ROOT / "scripts" / "bench.py").read_text(encoding="utf-8")
    marks = script.partition("def measure()")[2].partition("\ndef ")[0]
    measured = re.findall(r'^        "([^"]+)": ', marks, flags=re.MULTILINE)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [line[4:56].rstrip() for line in readme.splitlines() if line.startswith("    ")]
    assert len(measured) > 8
    assert [name for name in shown if name in measured] == measured
