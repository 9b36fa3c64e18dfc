"""Game records of OpenTafl: what is read, what is refused, and that nothing is lost on the way."""

import re
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflengine.errors import RecordError
from taflengine.game import Game
from taflengine.notation import Board, Move, format_move, format_picture
from taflengine.pieces import Side
from taflengine.records.formats import format_game, parse_games, read_games
from taflengine.records.record import ClockReading, Entry, Record, Verdict, record_of, walk
from taflengine.rules import Reason, Variant
from taflengine.variants import find_variant
from taflengine.variants.catalogue import VARIANTS
from taflengine.variants.opentafl import parse_opentafl

BRANDUBH = find_variant("brandubh")
START = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
STRING = f"dim:7 name:Brandub surf:n ks:w cenh: cenhe: start:{START}"
UNPLAYABLE = "dim:5 name:Small_[x] ber:c cor:a1, start:/1t1/"


def moves(text: str) -> list[Record]:
    return parse_games(text, BRANDUBH, form="otg")


def line_of(entries: tuple[Entry, ...]) -> str:
    """A line of play with its variations in brackets."""
    words = []
    for entry in entries:
        words.append(format_move(entry.move, 7) if entry.move else "---")
        words += [f"({line_of(line)})" for line in entry.variations]
    return " ".join(words)


def test_a_record_as_opentafl_writes_it() -> None:
    [record] = parse_games(
        f"""[date:2017.04.15]
[attackers:Somebody, Some]
[puzzle-mode:loose]
[puzzle-prestart:0a]
[result:-1]
[termination:the attackers resign]
[rules:{STRING}]
[start-comment:Two lines,

with one between: "1. this is no turn".]

1. d6-c6 Kd4-d5+\x20
[298 30/3 |250 30/3 5i A remark, over

two lines.]

1b.1.1a. ..... d5-e5
[Another way.]

2. c6-d6!? ---
[|]
"""
    )
    assert record.variant == parse_opentafl(STRING)
    assert record.otn == STRING
    assert dict(record.tags) == {
        "date": "2017.04.15",
        "attackers": "Somebody, Some",
        "puzzle-mode": "loose",
        "puzzle-prestart": "0a",
        "termination": "the attackers resign",
    }
    assert record.comment == 'Two lines,\n\nwith one between: "1. this is no turn".'
    assert (record.verdict, record.reason) == (Verdict.DEFENDER, None)
    first, second, third, last = record.entries
    assert (first.clock, first.comment, first.king) == (ClockReading(298, 30, 3), "", False)
    assert (second.clock, second.comment) == (
        ClockReading(250, 30, 3, 5),
        "A remark, over\n\ntwo lines.",
    )
    assert (second.king, second.mark, third.mark) == (True, "+", "!?")
    assert [entry.comment for entry in second.variations[0]] == ["Another way."]
    assert last.move is None
    assert (second.place, second.variations[0][0].place) == ((12, 10), (17, 16))
    assert parse_games(format_game(record)) == [record]


NESTED = """1. d6-c6 d5-e5
2. c6-d6 e5-d5
2a.1.1a. c6-b6 e5-e6
2a.1.2a. b6-b5 e6-e7
2a.1.2b.1.1a. ..... e6-f6
2a.1.2b.1.2a. b5-c5 f6-f5
2a.1.2b.2.1a. ..... e6-g6
2a.2.1a. c6-a6
2b.1.1a. ..... e5-e6
2b.1.2a. d6-d5 e6-e5
3. d6-e6 d5-d6
"""


def test_variations_stand_where_their_address_says() -> None:
    [record] = moves(NESTED)
    assert line_of(record.entries) == (
        "d6-c6 d5-e5 "
        "c6-d6 (c6-b6 e5-e6 b6-b5 e6-e7 (e6-f6 b5-c5 f6-f5) (e6-g6)) (c6-a6) "
        "e5-d5 (e5-e6 d6-d5 e6-e5) d6-e6 d5-d6"
    )
    written = format_game(replace(record, variant=BRANDUBH))
    assert NESTED in written, "the turns are written as they were read"


def test_the_address_that_opentafl_gives_to_a_variation_of_a_second_move() -> None:
    """It names the first move of the turn; the dots say that the second is replaced."""
    [record] = moves(NESTED.replace("2a.1.2b.", "2a.1.2a."))
    assert [record] == moves(NESTED)


def test_comments_in_the_shapes_that_are_about() -> None:
    [record] = moves(
        "1. d6-c6 d5-e5\n[only the first]\n"
        "2. c6-d6 e5-d5\n\n[apart|from it]\n"
        "2b.1.1a. ..... e5-e6\n[on the dots|on the move]\n"
        "3. d6-c6\n[a bar | in it]\n"
    )
    assert [entry.comment for entry in walk(record.entries)] == [
        *("only the first", "", "apart", "from it", "on the dots\non the move", "a bar | in it"),
    ]


def test_a_game_may_stand_in_one_line_or_without_tags() -> None:
    [record] = moves("1. d6-c6 d5-e5 2. c6-d6 e5-d5 3.d6-c6")
    assert len(record.moves) == 5
    [answer] = moves("1. ..... d6-c6 2. d5-e5 c6-d6")
    assert line_of(answer.entries) == "d6-c6 d5-e5 c6-d6"


def test_many_games_in_a_file() -> None:
    text = (
        "[date:1]\n[variant:brandubh]\n\n1. d6-c6 d5-e5\n2. c6-d6\n[c|d]\n\n"
        "[date:2]\n[variant:brandubh]\n\n"
        "[date:3]\n[variant:tablut]\n\n1. d1-d3\n\n"
        "[date:4]\r\n[variant:brandubh]\r\n\r\n1. d6-c6 \r\n[x]\r\n"
        "[date:5]\n[variant:brandubh]\n"
    )
    records = parse_games(text)
    assert [record.tags["date"] for record in records] == ["1", "2", "3", "4", "5"]
    assert [len(record.moves) for record in records] == [3, 0, 1, 1, 0]
    assert [record.place.line for record in records if record.place] == [1, 8, 11, 16, 21]
    assert parse_games("".join(format_game(record) for record in records)) == records


@pytest.mark.parametrize("name", VARIANTS)
def test_every_rule_set_comes_back(name: str) -> None:
    """By its name if it has one, and else in full, though no rules string could say it."""
    drawn = format_picture(VARIANTS[name].start)
    own = replace(VARIANTS[name], name="my-own", aliases=(), board=drawn)
    for variant in (VARIANTS[name], own):
        for first in (None, *Side):
            record = Record(variant=variant, first=first)
            assert parse_games(format_game(record)) == [record]


def test_rules_that_cannot_be_played_here_are_kept() -> None:
    text = f"[rules:{UNPLAYABLE.replace(']', '&#93;').replace('[', '&#91;')}]\n\n1. a1-a2 e5-e1\n"
    [record] = parse_games(text)
    assert (record.variant, record.otn, record.size) == (None, UNPLAYABLE, 5)
    assert parse_games(format_game(record)) == [record]


def test_other_peoples_names_of_rule_sets_are_kept() -> None:
    [record] = parse_games(f"[variant:Brandubh]\n[rules:{STRING}]\n")
    assert record.variant == parse_opentafl(STRING)
    assert record.tags["variant"] == "Brandubh"
    assert parse_games(format_game(record)) == [record]


# Nothing is lost

text = st.text(st.characters(codec=None, exclude_characters="\r"), max_size=12) | st.sampled_from(
    ["298 30/3", "298 30/3 5i", "298 30/3 x", "5i x", "&#93;", "&amp;#93;", "[x:y]", "\n[date:1]\n"]
)
squares = st.integers(0, 48)
pairs = st.builds(Move, squares, squares)
clocks = st.builds(
    ClockReading,
    *[st.integers(0, 10**9 - 1)] * 3,
    st.none() | st.integers(0, 10**9 - 1),
)


def entries_of(variations: st.SearchStrategy[tuple[Entry, ...]]) -> st.SearchStrategy[Entry]:
    return st.builds(
        Entry,
        move=pairs,
        captures=st.frozensets(squares, max_size=6),
        king=st.booleans(),
        mark=st.sampled_from(["", "+", "++", "-", "--", "!", "++!?"]),
        comment=text,
        clock=st.none() | clocks,
        variations=st.lists(variations, max_size=2).map(tuple),
    )


leaves: st.SearchStrategy[tuple[Entry, ...]] = st.lists(
    st.builds(Entry, move=st.none() | pairs, comment=text), min_size=1, max_size=4
).map(tuple)
lines = st.recursive(
    leaves,
    lambda inner: st.lists(entries_of(inner), min_size=1, max_size=4).map(tuple),
    max_leaves=12,
)
keys = st.from_regex(r"[a-z][a-z0-9_-]{0,9}", fullmatch=True).filter(
    lambda key: (
        key not in {"result", "rules", "position", "variant", "termination"}
        and key not in {"start-comment", "to-move", "taflengine-rules"}
    )
)
boards = st.sampled_from([None, BRANDUBH.start, Game("brandubh").board])
records = st.builds(
    Record,
    variant=st.just(BRANDUBH),
    start=boards,
    first=st.sampled_from([None, *Side]),
    tags=st.dictionaries(keys, text, max_size=3),
    verdict=st.sampled_from([each for each in Verdict if each is not Verdict.ONGOING]),
    reason=st.sampled_from([None, *Reason]),
    comment=text,
    entries=lines | st.just(()),
)


@settings(max_examples=150)
@given(st.lists(records, min_size=1, max_size=3))
def test_any_record_comes_back_as_it_was(written: list[Record]) -> None:
    text = "".join(format_game(record) for record in written)
    text.encode()  # it is text that any program can read
    assert parse_games(text) == written


@settings(max_examples=300)
@given(st.text(st.sampled_from("[]|:.1a2 \n-xde67&#;K"), max_size=60))
def test_any_text_is_read_or_refused_with_its_place(content: str) -> None:
    faults: list[RecordError] = []
    stream = BytesIO(content.encode())
    found = list(read_games(stream, BRANDUBH, form="otg", on_error=faults.append))
    assert all(str(fault).startswith("line ") for fault in faults)
    again = "".join(format_game(record) for record in found)
    assert parse_games(again) == found


# What is refused

HEAD = "[variant:brandubh]\n\n"
DEEP = "1a.1." * 101 + "1a"
MALFORMED = [
    ("1. d6-c6", "line 1, column 1: the game says nothing of its rules: name a rule set for it"),
    ("[date:x]\n", "line 1, column 1: the game says nothing of its rules: name a rule set for it"),
    ("[variant:chess]\n", "line 1, column 1: 'chess' is no rule set: variants lists them"),
    ("[date:1]\n [date:2]\n", "line 2, column 2: the tag date is there twice"),
    ("[a remark]\n", "line 1, column 1: 'a remark' is no tag: a tag is [name:text]"),
    (
        "[variant:brandubh]\n[result:2]\n",
        "line 2, column 1: result '2': allowed are 1 -1 0 ?",
    ),
    (
        "[variant:brandubh]\n[to-move:nobody]\n",
        "line 2, column 1: to-move 'nobody': allowed are attacker and defender",
    ),
    (
        "[variant:brandubh]\n[position:/3t3/]\n",
        "line 2, column 1: position of 1 row: a board has an odd number of rows from 7 to 19",
    ),
    (
        "[variant:tablut]\n[position:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n",
        "line 1, column 1: position of 7 rows: the rules say 9",
    ),
    (
        "[rules:name:x]\n",
        "line 1, column 1: the rules string does not say the size of the board, as dim:11",
    ),
    (
        "[taflengine-rules:{]\n",
        "line 1, column 1: taflengine-rules: Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)",
    ),
    (HEAD + "d6-c6", "line 3, column 1: 'd6-c6': expected the number of a turn, as 1."),
    (HEAD + "1. d6-h6", "line 3, column 4: 'h6' is not on this board, which goes from a1 to g7"),
    (HEAD + "1. d6-c6 d5", "line 3, column 10: 'd5' is no move: a move is two squares, as e4-e7"),
    (HEAD + "1. ", "line 3, column 1: turn 1. has no move"),
    (HEAD + "1. .....", "line 3, column 1: turn 1. has no move"),
    (HEAD + "2. d6-c6", "line 3, column 1: turn 2. does not follow the turn before it"),
    (
        HEAD + "1. d6-c6\n3. d5-e5",
        "line 4, column 1: turn 3. does not follow the turn before it",
    ),
    (
        HEAD + "1. d6-c6\n2. d5-e5",
        "line 4, column 1: turn 2. does not follow the turn before it",
    ),
    (
        HEAD + "1. d6-c6 d5-e5 c6-d6",
        "line 3, column 16: a turn has two moves; games with berserk moves are not read",
    ),
    (
        HEAD + "1. Nd6^=d4xd5",
        "line 3, column 4: 'Nd6^=d4xd5' is no move: a move is two squares, as e4-e7",
    ),
    (HEAD + "1. d6-c6\n[a|b", "line 4, column 1: '[' is never closed by ']'"),
    (
        HEAD + "1. d6-c6\n[a]\n[b]",
        "line 5, column 1: a comment stands behind the turn that it is about",
    ),
    (
        HEAD + "1. d6-c6\n2a.1.1a. d6-b6",
        "line 4, column 1: turn 2a.1.1a.: the move that it replaces is not there",
    ),
    (
        HEAD + "1. d6-c6\n1a.1.2a. d6-b6",
        "line 4, column 1: turn 1a.1.2a.: the variation has no beginning",
    ),
    (
        HEAD + "1. d6-c6\n1a.1.1a. d6-b6\n1a.1.1a. d6-a6",
        "line 5, column 1: turn 1a.1.1a. does not follow the turn before it",
    ),
    (HEAD + f"1. d6-c6\n{DEEP}. d6-b6", f"line 4, column 1: turn {DEEP}. lies more than 100"),
]


@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_what_is_malformed_is_named_with_its_place(content: str, message: str) -> None:
    with pytest.raises(RecordError) as failure:
        parse_games(content, form="otg")
    assert str(failure.value).startswith(message)
    assert len(message) < 200 or "deep" in str(failure.value)


@pytest.mark.parametrize(("content", "message"), MALFORMED)
def test_a_broken_game_costs_no_other(content: str, message: str) -> None:
    """The games before it and behind it are read, whatever is wrong."""
    good = "[date:1]\n[result:1]\n[variant:brandubh]\n\n1. d6-c6 d5-e5\n\n"
    faults: list[RecordError] = []
    head = "" if re.match(r"\[\S+:", content) else "[date:x]\n"
    text = f"{good}{head}{content}\n\n{good}"
    found = list(read_games(BytesIO(text.encode()), form="otg", on_error=faults.append))
    assert len(faults) == 1, message
    assert [len(record.moves) for record in found] == [2, 2]


def test_a_variation_as_deep_as_may_be() -> None:
    address = "1a.1." * 100
    text = "".join(f"{address[: 5 * depth]}1{'a' * (depth > 0)}. d6-c6\n" for depth in range(101))
    [record] = moves(text)
    assert len(list(walk(record.entries))) == 101
    assert parse_games(format_game(record)) == [record]


# A record and what it may say


def test_a_game_as_a_record() -> None:
    game = Game("brandubh")
    for move in ("d6-c6", "d5-e5", "c6-c7", "d4-d6", "c7-c6", "d6-e6", "a4-a2", "e6-e7", "a2-a3"):
        game.play_text(move)
    game.play_text("e7-g7")
    record = record_of(game, {"event": "here"})
    assert (record.verdict, record.reason) == (Verdict.DEFENDER, Reason.CORNER)
    assert [entry.king for entry in record.entries[-4:]] == [False, True, False, True]
    assert record.game().key == game.key
    assert parse_games(format_game(record)) == [record]
    assert "Ke7-g7" in format_game(record)


def test_a_position_set_up_by_hand_is_in_the_record() -> None:
    board = Game("brandubh").board
    pieces = list(board.pieces)
    pieces[0], pieces[3] = pieces[3], pieces[0]
    pieces[1], pieces[0] = pieces[0], None
    game = Game("brandubh", Board(7, tuple(pieces)), Side.DEFENDER)
    [again] = parse_games(format_game(record_of(game)))
    assert again.game().key == game.key


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"variant": None}, "rules: a record needs a rule set, or a rules string with dim:SIZE"),
        ({"otn": "dim:7"}, "rules: the rule set is not the one that the rules string says"),
        ({"tags": {"rules": "x"}}, "tag rules: a field of its own says this"),
        ({"tags": {"a b": "x"}}, "tag 'a b': a name has no blank and none of"),
        ({"tags": {"variant": "x"}}, "tag variant: the rule set says this"),
        ({"tags": {"termination": "corner"}}, "tag termination: verdict and reason say this"),
        (
            {"verdict": Verdict.ONGOING, "reason": Reason.CORNER},
            "a game that goes on has no reason to have ended",
        ),
        ({"start": find_variant("tablut").start}, "position of 9 rows: the rules say 7"),
    ],
)
def test_a_record_that_contradicts_itself(fields: dict[str, object], message: str) -> None:
    words: dict[str, object] = {"variant": BRANDUBH} | fields
    with pytest.raises(RecordError) as failure:
        Record(**words)  # type: ignore[arg-type]
    assert str(failure.value).startswith(message)


def test_a_rule_set_is_compared_by_what_it_says() -> None:
    variant: Variant = replace(BRANDUBH, king_reach=1, board=format_picture(BRANDUBH.start))
    [record] = parse_games(format_game(Record(variant=variant)))
    assert record.variant == variant
    assert record.variant != BRANDUBH
