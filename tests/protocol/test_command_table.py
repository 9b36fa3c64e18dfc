"""A signature is a grammar: what the table makes of functions."""

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taflengine.errors import CommandError, NotationError
from taflengine.protocol.command import CommandSet

TOY = runpy.run_path(str(Path(__file__).with_name("toy_engine.py")))
commands: CommandSet = TOY["commands"]
session = TOY["Session"](size=9)
Side, Move = TOY["Side"], TOY["Move"]


@pytest.mark.parametrize(
    ("name", "usage"),
    [
        ("name", "name"),
        ("play", "play [SIDE] MOVE"),
        ("add", "add [AMOUNT]"),
        ("odd", "odd NUMBER"),
        ("echo", "echo [WORDS...]"),
        ("legal", "legal [SIDE|SQUARE]"),
        ("analyze", "analyze [SIDE] [INTERVAL]"),
        ("lines", "lines COUNT [WIDTH]"),
        ("known_command", "known_command WORD"),
        ("quit", "quit"),
        ("exit", "quit"),
    ],
)
def test_usage_follows_from_the_signature(name: str, usage: str) -> None:
    """Required words are bare, the others in brackets."""
    assert commands[name].usage == usage


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play s1-s2", "anybody s1-s2"),
        ("play s1 s2", "anybody s1-s2"),
        ("play black s1-s2", "black s1-s2"),
        ("play WHITE s1 s2", "white s1-s2"),
        ("add", 1),
        ("add -1", -1),
        ("legal", "NoneType"),
        ("legal white", "Side"),
        ("legal s3", "int"),
        ("analyze", "None 0.5"),
        ("analyze 3", "None 3.0"),
        ("analyze .25", "None 0.25"),
        ("analyze black", "Side.BLACK 0.5"),
        ("analyze black 2.", "Side.BLACK 2.0"),
        ("echo", ""),
        ("echo a b c", "a b c"),
    ],
)
def test_words_find_their_parameters(line: str, answer: object) -> None:
    """An optional parameter takes the word that it can read, and no other."""
    name, *words = line.split()
    assert commands[name].run(TOY["Session"](), words) == answer


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play", "usage: play [SIDE] MOVE"),
        ("play black", "usage: play [SIDE] MOVE"),
        ("name x", "usage: name"),
        ("odd", "usage: odd NUMBER"),
        ("odd 1 2", "usage: odd NUMBER"),
        ("add 1 2", "usage: add [AMOUNT]"),
        ("legal s1 s2", "usage: legal [SIDE|SQUARE]"),
        ("analyze 3 black", "usage: analyze [SIDE] [INTERVAL]"),
        ("exit 3", "usage: quit"),
    ],
)
def test_a_wrong_number_of_words_shows_the_usage(line: str, message: str) -> None:
    """The failure says what was wanted, under the listed name."""
    name, *words = line.split()
    with pytest.raises(CommandError) as failure:
        commands[name].run(session, words)
    assert str(failure.value) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play green s1-s2", "'green s1-s2' is no move"),
        ("play black s1", "'s1' is no move"),
        ("play black s1 s2 s3", "'s1 s2 s3' is no move"),
        ("play s1 s10", "'s10' is no square up to s9"),
        ("add x", "'x' is no whole number"),
        ("add +1", "'+1' is no whole number"),
        ("add 1_0", "'1_0' is no whole number"),
        ("add 1.5", "'1.5' is no whole number"),
        ("add \u0661", "'\u0661' is no whole number"),
        ("add " + "1" * 19, "'1111111111111111111' is no whole number"),
        ("analyze nan", "'nan' is no number"),
        ("analyze inf", "'inf' is no number"),
        ("analyze 1e9", "'1e9' is no number"),
        ("analyze .", "'.' is no number"),
        ("analyze black green", "'green' is no number"),
        ("legal green", "'green' is no side"),
        ("legal s99", "'s99' is no square up to s9"),
    ],
)
def test_a_bad_word_is_named(line: str, message: str) -> None:
    """The last parameter that was offered the word complains about it."""
    name, *words = line.split()
    with pytest.raises(NotationError) as failure:
        commands[name].run(session, words)
    assert str(failure.value) == message


def test_parsers_see_the_session() -> None:
    """What a word means may depend on the session."""
    assert commands["legal"].run(TOY["Session"](size=99), ["s99"]) == "int"


def test_a_command_is_still_its_function() -> None:
    """A test may call it without a word of text."""
    assert commands["play"].function(session, Side.BLACK, Move("s1-s2")) == "black s1-s2"
    table = CommandSet()

    def plain(_session: object) -> None:
        """Do nothing."""

    assert table.command(plain) is plain
    assert table.named("other")(plain) is plain
    assert [command.function for command in table.values()] == [plain, plain]


def test_help_is_the_docstring() -> None:
    """The first line is the summary."""
    play = commands["play"]
    assert play.summary == "Answer what was understood."
    assert play.help.splitlines()[1:] == [
        "",
        "SIDE may be left out, and MOVE may be written with a blank.",
    ]


def test_every_spelling_is_known_and_one_is_listed() -> None:
    """Lists show a command once, in order of registration."""
    assert "exit" in commands
    assert "quit" in commands
    assert "leave" not in commands
    assert "exit" not in list(commands)
    assert next(iter(commands)) == "name"
    assert list(commands)[-1] == "quit"
    assert len(commands) == len(list(commands)) == len(commands.values())
    assert commands["exit"] is commands["quit"]
    assert commands["quit"].aliases == ("exit",)
    assert commands.get("nosuchcommand") is None


def test_tables_are_joined() -> None:
    """One table takes the commands of another, with their spellings and parsers."""
    table = CommandSet()
    table.include(commands)
    assert list(table) == list(commands)
    assert table["exit"] is commands["quit"]
    with pytest.raises(ValueError, match="two commands are called name"):
        table.include(commands)


def test_python_forbids_some_names() -> None:
    """A ``_`` at the end of a function or a parameter is not part of the name."""
    table = CommandSet()

    @table.command
    def help_(_session: object, list_: str = "") -> None:
        pass

    assert table["help"].usage == "help [LIST]"


def test_postponed_annotations_are_read() -> None:
    """Annotations may be strings."""
    table = CommandSet()

    @table.command
    def add(_session: "object", amount: "int | None", *words: "str") -> str:
        return f"{amount} {words}"

    assert table["add"].usage == "add [AMOUNT] [WORDS...]"
    assert table["add"].run(None, ["x", "2"]) == "None ('x', '2')"
    assert table["add"].run(None, ["2", "x"]) == "2 ('x',)"


def keyword_only(_session: object, *, amount: int) -> None:
    """Want what the table cannot give."""


def keywords(_session: object, **amounts: int) -> None:
    """Want what the table cannot give."""


def unknown_type(_session: object, amount: complex) -> None:
    """Want what nobody can read."""


def untyped(_session: object, amount) -> None:  # type: ignore[no-untyped-def]
    """Want nobody knows what."""


@pytest.mark.parametrize("function", [keyword_only, keywords, unknown_type, untyped])
def test_a_signature_that_is_no_grammar_is_refused(function: Callable[..., None]) -> None:
    """Mistakes show when the grammar is first asked for, by help or by a line."""
    table = CommandSet()
    table.command(function)
    with pytest.raises(TypeError, match=r"no way to read the parameter .*amount"):
        _ = table[function.__name__].usage


def test_nothing_follows_a_phrase() -> None:
    """A parameter behind one that takes all words would never see one."""
    table = CommandSet({Move: TOY["parse_move"]}, phrases={Move})

    def play(_session: object, move: Any, side: str) -> None:
        pass

    play.__annotations__["move"] = Move
    table.command(play)
    with pytest.raises(TypeError, match="play: nothing can follow MOVE"):
        _ = table["play"].usage


@pytest.mark.parametrize("name", ["", "Play", "5play", "two words", "play#", "-play", "é"])
def test_names_that_a_line_cannot_hold_are_refused(name: str) -> None:
    """A digit in front would be an id; case counts, and capitals are not used."""
    with pytest.raises(ValueError, match="cannot be the name of a command"):
        CommandSet().named(name)(keyword_free)


def keyword_free(_session: object) -> None:
    """Do nothing."""


def test_a_name_with_a_dash_is_allowed() -> None:
    """GTP keeps dashes for private commands."""
    table = CommandSet()
    table.named("gogui-interrupt", "tafl-interrupt")(keyword_free)
    assert table["tafl-interrupt"].usage == "gogui-interrupt"
