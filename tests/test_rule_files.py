"""Rule sets as plain words and as TOML files: there and back, and every way to get one wrong."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import UNHURRIED, variants

from taflengine.errors import NotationError, RulesError
from taflengine.notation import format_picture
from taflengine.pieces import KING_ONLY, NOBODY, Piece, Side
from taflengine.rules import Armed, Goal, Repetition, Variant
from taflengine.variants.catalogue import VARIANTS
from taflengine.variants.files import SIZE_LIMIT, format_rules, load_rules, parse_rules
from taflengine.variants.plain import from_plain, to_plain

CROSS = """\
. . . a . . .
. . . a . . .
. . . d . . .
a a d k d a a
. . . d . . .
. . . a . . .
. . . a . . ."""
SMALL: dict[str, object] = {"name": "my-game", "board": CROSS}
HEAD = f'name = "my-game"\nboard = """\n{CROSS}\n"""\n'
"""A whole rule file of ten lines; tests write line eleven."""


def complaint(text: str) -> str:
    """What is said about *text* as the file my-game.toml."""
    with pytest.raises(RulesError) as caught:
        parse_rules(text, "my-game.toml")
    return str(caught.value)


def attempt(read: Callable[[], Variant]) -> Variant | str:
    """The rule set that *read* answers, or what it complains about."""
    try:
        return read()
    except RulesError as error:
        return str(error)


# Plain words


def test_words_are_the_fields_in_their_order() -> None:
    """No second list of keys."""
    words = to_plain(from_plain(SMALL))
    assert list(words) == [field.name for field in fields(Variant)]


def test_values_become_words() -> None:
    """Enums are their value, sets lists in a fixed order, tuples lists."""
    variant = replace(
        from_plain(SMALL),
        aliases=("mine",),
        first=Side.DEFENDER,
        throne_cross=frozenset({Piece.KING, Piece.ATTACKER}),
        throne_stop=NOBODY,
        camps=(("c1", "d1"), ("g4",)),
        repetition=Repetition.LOSS_DEFENDERS,
    )
    words = to_plain(variant)
    assert words["board"] == CROSS
    assert words["aliases"] == ["mine"]
    assert words["first"] == "defender"
    assert words["throne_cross"] == ["attacker", "king"]
    assert words["throne_stop"] == []
    assert words["camps"] == [["c1", "d1"], ["g4"]]
    assert words["repetition"] == "loss-defenders"
    assert words["king_reach"] == 0
    assert words["throne"] is True


def test_a_short_game_takes_the_defaults() -> None:
    """Name and board are enough."""
    variant = from_plain(SMALL)
    assert variant.summary == "a game of your own"
    assert variant.source == "no source given"
    assert variant.king_armed is Armed.BOTH
    assert variant.throne_stop == KING_ONLY


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("king_reech", 1, "king_reech: there is no such key, did you mean king_reach?"),
        ("colour", "red", "colour: there is no such key"),
        ("a\nb", 1, "a?b: there is no such key"),
        ("first", "white", "first: allowed are attacker and defender, not 'white'"),
        (
            "king_armed",
            True,
            "king_armed: allowed are both, hammer, anvil and neither, not a truth value",
        ),
        ("goal", ["edge"], "goal: allowed are corner and edge, not a list"),
        ("throne", "yes", "throne: allowed are true and false, not 'yes'"),
        ("throne", 1, "throne: allowed are true and false, not such a number"),
        ("corners", True, "corners: allowed are whole numbers to 1000000000, not a truth value"),
        ("corners", 1.0, "corners: allowed are whole numbers to 1000000000, not a fraction"),
        ("corners", "1", "corners: allowed are whole numbers to 1000000000, not '1'"),
        pytest.param("quiet_plies", 10**5000, "quiet_plies: allowed are whole", id="huge"),
        ("throne_stop", "king", "throne_stop: allowed are lists of attacker, defender and king"),
        ("throne_stop", ["men"], "throne_stop: allowed are attacker, defender and king, not 'men'"),
        ("throne_stop", [["king"]], "throne_stop: allowed are attacker, defender and king, not a"),
        ("camps", ["d1"], "camps: allowed are lists of texts, not 'd1'"),
        ("camps", "d1", "camps: allowed are lists of lists of squares, not 'd1'"),
        ("camps", [[1]], "camps: allowed are texts, not such a number"),
        ("camps", [["z9"]], "camps: 'z9' is not on this board, which goes from a1 to g7"),
        ("aliases", "mine", "aliases: allowed are lists of texts, not 'mine'"),
        ("aliases", ["My Game"], "aliases: allowed are small letters and digits"),
        ("name", "", "name: allowed are small letters and digits with single dashes between"),
        ("name", "my game", "name: allowed are small letters and digits"),
        ("name", "my-game\n", "name: allowed are small letters and digits"),
        ("name", None, "name: allowed are texts, not nothing"),
        ("summary", "two\nlines", "summary: allowed are printable texts, not 'two?lines'"),
        ("source", "bell\a", "source: allowed are printable texts"),
        ("board", "a d k", "board: position of 1 row"),
        ("board", CROSS.replace("k", "x"), "board: row of rank 4: 'x' is no piece"),
        ("board", CROSS.replace("k", "d"), "board: 0 kings stand on it, one is needed"),
        ("board", {"a1": "king"}, "board: allowed are texts, not a table"),
        ("king_reach", 7, "king_reach: allowed are 0 (any number of squares) to 6"),
        ("goal", "edge", "corners: where the king wins on the edge no corner is marked"),
    ],
)
def test_wrong_words_are_refused_by_key(key: str, value: object, expected: str) -> None:
    """The error begins with the key and says what is allowed."""
    with pytest.raises(RulesError) as caught:
        from_plain(SMALL | {key: value})
    assert str(caught.value).startswith(expected)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("key", ["name", "board"])
def test_name_and_board_are_needed(key: str) -> None:
    """Everything else can be left out."""
    rest = {other: value for other, value in SMALL.items() if other != key}
    with pytest.raises(RulesError, match=rf"^{key}: a rule set needs this key$"):
        from_plain(rest)


def test_every_kind_of_field_has_a_reader() -> None:
    """A new field of a new kind must not be forgotten here."""
    assert from_plain(to_plain(from_plain(SMALL))) == from_plain(SMALL)


@UNHURRIED
@given(variants())
def test_words_and_back(variant: Variant) -> None:
    """The same value, through JSON."""
    assert from_plain(json.loads(json.dumps(to_plain(variant)))) == variant


@UNHURRIED
@given(
    st.dictionaries(
        st.sampled_from([field.name for field in fields(Variant)]) | st.text(max_size=5),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
            lambda part: st.lists(part, max_size=3),
        ),
        max_size=4,
    )
)
def test_any_words_give_a_rule_set_or_one_line(words: dict[str, Any]) -> None:
    """Nothing else is raised, whatever a program sends."""
    read = attempt(lambda: from_plain(SMALL | words))
    if isinstance(read, str):
        assert read.isprintable()
    else:
        assert from_plain(to_plain(read)) == read


# Files


def test_a_file_as_a_person_writes_it() -> None:
    """Comments, blank lines and any order."""
    text = f"""
# Brandubh as we play it at home.
king_reach = 3      # he is old
name = 'home-game'
throne_stop = [
    "king",         # and nobody else
]
board = '''

{CROSS}
'''
"""
    variant = parse_rules(text, "home.toml")
    assert variant == replace(from_plain(SMALL), name="home-game", king_reach=3)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("king_reach = 7", "my-game.toml, line 11: king_reach: allowed are 0 (any number of"),
        ("\n# Note\nking_reach = 7", "my-game.toml, line 13: king_reach: allowed are 0"),
        ("king_reech = 1", "my-game.toml, line 11: king_reech: there is no such key, did you"),
        ('"king_reach" = 7', "my-game.toml, line 11: king_reach: allowed are 0"),
        ('"king\\u005freach" = 7', "my-game.toml, line 11: king_reach: allowed are 0"),
        ("goal.where = 1", "my-game.toml, line 11: goal: allowed are corner and edge, not a table"),
        ("[rules]\nking_reach = 1", "my-game.toml, line 11: rules: there is no such key"),
        ("[[camps]]\nname = 1", "my-game.toml, line 11: camps: allowed are lists of texts, not a"),
        ('"a:b" = 1', "my-game.toml, line 11: a:b: there is no such key"),
        ('"a=b#" = 1', "my-game.toml, line 11: a=b#: there is no such key"),
        # The other key of the contradiction is at its default, so this one is at fault.
        ("corners = 0", "my-game.toml, line 11: goal: a king who wins in a corner needs corners"),
        # What the message asks for is not in the file at all.
        ('goal = "edge"', "my-game.toml: corners: where the king wins on the edge no corner is"),
        ("based_on = 'x'", "my-game.toml, line 11: based_on: there is no list of rule sets"),
        ("king_reach", "my-game.toml, line 11, column 11: Expected '=' after a key"),
        ("king_reach = ", "my-game.toml, line 11, column 14: Invalid value"),
        ("throne = True", "my-game.toml, line 11, column 10: Invalid value"),
        ("name = 'twice'", "my-game.toml, line 11, column 15: Cannot overwrite a value"),
        ("source = '''open", "my-game.toml, end of document: Expected \"'''\""),
        pytest.param("corners = " + "9" * 5000, "my-game.toml: Exceeds the limit", id="long"),
        pytest.param(
            "corners = 0x" + "f" * 5000, "my-game.toml, line 11: corners: allowed", id="hex"
        ),
        pytest.param(
            "camps = " + "[" * 9000, "my-game.toml: lists within lists, too deep", id="deep"
        ),
    ],
)
def test_errors_name_the_file_the_line_and_the_key(line: str, expected: str) -> None:
    """Line eleven is the first after the board."""
    said = complaint(f"{HEAD}{line}\n")
    assert said.startswith(expected)
    assert said.isprintable()
    assert complaint(f"{HEAD}{line}\n".replace("\n", "\r\n")) == said


@pytest.mark.parametrize(
    "decoy",
    [
        'source = """\nking_reach = 1\n\\"""\nking_reach = 2\n"""\n',
        "source = '''\nking_reach = 1\n\"\"\"\n#'''\n# king_reach = 2\n",
        'source = "king_reach = 1 # \\" \\\\"\naliases = ["a", # king_reach = 1 [\n"b"]\n\n\n',
        "'summary' = 'king_reach = 1 # ='\nthrone_stop = [  # [\n]\n\n\n",
        'source = """"two""\nking_reach = "four""""" # "\n\n\n\n',
    ],
)
def test_keys_within_texts_do_not_mislead(decoy: str) -> None:
    """Each decoy has five lines; the key stands on line sixteen."""
    assert decoy.count("\n") == 5
    said = complaint(f"{HEAD}{decoy}king_reach = 7\n")
    assert said.startswith("my-game.toml, line 16: king_reach: allowed are 0")


@pytest.mark.parametrize(
    ("wrong", "line", "expected"),
    [
        (("a a d k d a a", "a a d k d a"), 6, "row of rank 4 has 6 squares"),
        (("a a d k d a a", "a a x k d a a"), 6, "row of rank 4: 'x' is no piece"),
        ((". . . a . . .\n. . . d", ". . . a . .\n. . . d"), 4, "row of rank 6 has 6 squares"),
        (("d . . .\n. . . a . . .\n", "d . . .\n\n. . . a . . . .\n"), 9, "row of rank 2 has more"),
        (('"""\n. . . a', '""". . . b'), 2, "row of rank 7: 'b' is no piece"),
        (("a a d k d a a", "a a d d d a a"), 2, "0 kings stand on it"),
        (('. a . . .\n"""', 'a a . . a\n"""'), 9, "the attacker on g1 may not stand on a corner"),
        (("a a d k d a a\n", ""), 2, "position of 6 rows"),
        # Escapes leave no line to point to.
        (("\n. . . a . . .\n. . . d", "\\n. . . b . . .\n. . . d"), 2, "row of rank 6: 'b' is no"),
    ],
)
def test_board_errors_point_to_the_row(wrong: tuple[str, str], line: int, expected: str) -> None:
    """Where no single row is at fault, to the board."""
    text = HEAD.replace(*wrong, 1)
    assert text != HEAD
    assert complaint(text).startswith(f"my-game.toml, line {line}: board: {expected}")


def test_what_is_needed_and_not_there_has_no_line() -> None:
    """There is no line to point to."""
    assert complaint("") == "my-game.toml: name: a rule set needs this key"
    assert complaint("name = 'my-game'") == "my-game.toml: board: a rule set needs this key"


EDGE_GAME = replace(
    from_plain(SMALL),
    name="edge-game",
    aliases=("edgy",),
    goal=Goal.EDGE,
    corners=0,
    king_reach=2,
)


def find(name: str) -> Variant:
    """A list of rule sets with one entry."""
    if name != "edge-game":
        raise NotationError(f"no rule set is called {name}")
    return EDGE_GAME


def test_based_on_takes_over_the_rules_and_no_name() -> None:
    """What the file says comes first."""
    variant = parse_rules("based_on = 'edge-game'\nname = 'mine'\nking_reach = 3", "x", find)
    assert variant == replace(
        EDGE_GAME, name="mine", aliases=(), king_reach=3, source="based on edge-game"
    )
    with pytest.raises(RulesError, match=r"^x: name: a rule set needs this key$"):
        parse_rules("based_on = 'edge-game'", "x", find)
    with pytest.raises(RulesError, match=r"^x, line 2: based_on: no rule set is called nonesuch$"):
        parse_rules("name = 'mine'\nbased_on = 'nonesuch'", "x", find)
    with pytest.raises(RulesError, match=r"^x, line 1: based_on: allowed are names of rule sets"):
        parse_rules("based_on = 1\nname = 'mine'", "x", find)
    with pytest.raises(RulesError, match=r"^x, line 3: corners: where the king wins on the edge"):
        parse_rules("name = 'mine'\nbased_on = 'edge-game'\ncorners = 1", "x", find)


def test_files_are_read(tmp_path: Path) -> None:
    """With and without a mark of the byte order, and with a list to start from."""
    path = tmp_path / "my-game.toml"
    path.write_text(HEAD, encoding="utf-8")
    assert load_rules(path) == from_plain(SMALL)
    path.write_bytes(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode())
    assert load_rules(str(path)) == from_plain(SMALL)
    path.write_text("name = 'mine'\nbased_on = 'edge-game'\n", encoding="utf-8")
    assert load_rules(path, find).goal is Goal.EDGE


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """One line each, with the file named."""
    path = tmp_path / "bad.toml"
    cases: list[tuple[str | Path, bytes | None, str]] = [
        (tmp_path / "none.toml", None, ": cannot be read: No such file or directory"),
        (tmp_path, None, ": cannot be read: Is a directory"),
        (path, b"name = 'x'\n# \xff\n", ", line 2: not UTF-8 text"),
        (path, b"#" * (SIZE_LIMIT + 1), ": longer than such a file may be, 16 KiB"),
        (path, b"name = \0", ", line 1, column 8: Invalid value"),
    ]
    for name, raw, expected in cases:
        if raw is not None:
            path.write_bytes(raw)
        with pytest.raises(RulesError) as caught:
            load_rules(name)
        assert str(caught.value) == f"{name}{expected}"
    path.write_bytes(b"#" * SIZE_LIMIT)
    with pytest.raises(RulesError, match="name: a rule set needs this key"):
        load_rules(path)
    for odd in ("new\nline.toml", "zero\0byte.toml"):
        with pytest.raises(RulesError) as caught:
            load_rules(odd)
        assert str(caught.value).isprintable()


def test_a_written_file_says_only_what_differs() -> None:
    """As a person would write it."""
    variant = replace(
        from_plain(SMALL),
        summary='so "small"',
        camps=(("c1", "d1"), ("g4",)),
        throne_stop=NOBODY,
        corner_hostile=KING_ONLY,
        shieldwall=True,
        king_armed=Armed.NEITHER,
        quiet_plies=100,
    )
    assert format_rules(variant) == (
        'name = "my-game"\nsummary = "so \\"small\\""\nsource = "no source given"\n'
        f'board = """\n{CROSS}\n"""\n'
        "throne_stop = []\n"
        'corner_hostile = ["king"]\n'
        'camps = [\n    ["c1", "d1"],\n    ["g4"],\n]\n'
        'king_armed = "neither"\n'
        "shieldwall = true\n"
        "quiet_plies = 100\n"
    )


@UNHURRIED
@given(variants())
def test_file_and_back(variant: Variant) -> None:
    """The same value."""
    assert parse_rules(format_rules(variant), "x") == variant


@UNHURRIED
@given(variants(), st.data())
def test_every_key_is_found_on_its_line(variant: Variant, data: st.DataObject) -> None:
    """Spoil one line of a written file, and the error names that line."""
    lines = format_rules(variant).split("\n")
    keys = [number for number, line in enumerate(lines) if " = " in line and '"""' not in line]
    number = data.draw(st.sampled_from(keys[:3] + keys[-6:]))
    key = lines[number].split(" = ")[0]
    indented = lines[number].endswith("[")
    lines[number] = f"{key} = 1.5" + (" #" if indented else "")
    if indented:
        del lines[number + 1 : lines.index("]", number) + 1]
    with pytest.raises(RulesError, match=rf"^x, line {number + 1}: {key}: allowed are "):
        parse_rules("\n".join(lines), "x")


@given(st.text(max_size=60) | st.text("\"'\\\n[]{}#=. abk_", max_size=40))
def test_any_text_gives_one_line(text: str) -> None:
    """Nothing but RulesError is raised, and no error breaks a line."""
    read = attempt(lambda: parse_rules(f"{text}\n{HEAD}", "x"))
    if isinstance(read, str):
        assert read.startswith("x")
        assert read.isprintable()


def test_built_in_rule_sets_and_back() -> None:
    """Words and files say each of them."""
    for variant in VARIANTS.values():
        drawn = replace(variant, board=format_picture(variant.start))
        assert from_plain(json.loads(json.dumps(to_plain(variant)))) == drawn
        assert parse_rules(format_rules(variant), variant.name) == drawn
        based = f"name = 'mine'\nbased_on = '{variant.name}'"
        assert parse_rules(based, "x", VARIANTS.__getitem__).board == drawn.board
