"""Whatever version 1 of the protocol has promised is still there; what may grow has only grown."""

import re
from pathlib import Path

import pytest
from program import ROOT

from taflengine.protocol.commands import all_commands
from taflengine.protocol.dialects import htp, otep, uci
from taflengine.protocol.dialects.uci_options import OPTIONS
from taflengine.protocol.parameters import PARAMETERS
from taflengine.rules import Reason
from taflengine.variants import find_variant

TEXT = (ROOT / "protocol.md").read_text(encoding="utf-8")


def promises() -> dict[str, list[str]]:
    """The lines of the file of the version that protocol.md says, by their sections."""
    version = re.search(r"^Version (\d+), ", TEXT, re.MULTILINE)
    assert version
    file = Path(__file__).with_name(f"version_{version[1]}.txt")
    found: dict[str, list[str]] = {}
    for line in filter(None, file.read_text(encoding="utf-8").splitlines()):
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            section.append(line)
    return found


PROMISED = promises()
USAGES = {
    "gtp": [command.usage for command in all_commands().values()],
    "uci": list(uci.COMMANDS),
    "htp": [command.usage for command in htp.COMMANDS.values()],
    "otep": list(otep.COMMANDS),
}
NAMES = {
    "parameters": list(PARAMETERS),
    "options of uci": [option.name for option in OPTIONS.values()],
    "beginnings of failures": re.findall(r"^\| `([a-z ]+:) ` \|", TEXT, re.MULTILINE),
    "reasons of results": [reason.value for reason in Reason],
}


def keeps(promised: str, usage: str) -> bool:
    """Whether *usage* is *promised*, perhaps with words behind it that may be left out."""
    more = usage.removeprefix(promised)
    return more != usage and re.fullmatch(r"( \[\S+\])*", more) is not None


@pytest.mark.parametrize(
    ("promised", "usage", "kept"),
    [
        ("play [SIDE] MOVE", "play [SIDE] MOVE", True),
        ("undo", "undo [PLIES]", True),
        ("undo", "undo PLIES", False),
        ("undo [PLIES]", "undo", False),
        ("undo", "undo_all", False),
    ],
)
def test_what_is_kept(promised: str, usage: str, kept: bool) -> None:
    assert keeps(promised, usage) is kept


@pytest.mark.parametrize("dialect", USAGES)
def test_every_command_is_spoken_as_promised(dialect: str) -> None:
    assert PROMISED[dialect]
    broken = [
        line
        for line in PROMISED[dialect]
        if not any(keeps(line, usage) for usage in USAGES[dialect])
    ]
    assert broken == []


def test_every_spelling_finds_its_command() -> None:
    commands = all_commands()
    for line in PROMISED["gtp, other spellings"]:
        spelling, name = line.split()
        assert commands[spelling] is commands[name]


@pytest.mark.parametrize("kind", NAMES)
def test_every_name_is_known(kind: str) -> None:
    assert PROMISED[kind]
    assert set(PROMISED[kind]) <= set(NAMES[kind])


def test_every_rule_set_is_there() -> None:
    assert [find_variant(name).name for name in PROMISED["rule sets"]] == PROMISED["rule sets"]


def test_nothing_is_promised_that_this_test_does_not_know() -> None:
    assert set(PROMISED) == {*USAGES, *NAMES, "gtp, other spellings", "rule sets"}
