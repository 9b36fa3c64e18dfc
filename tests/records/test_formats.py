"""Every other format: what is read and written, how it is told apart, what is refused and where."""

import json
from collections.abc import Iterable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taflengine.errors import RecordError
from taflengine.game import Game
from taflengine.notation import format_rows
from taflengine.pieces import Side
from taflengine.records.formats import (
    FORMATS,
    contents_of,
    format_game,
    format_of_name,
    parse_games,
    read_games,
    sniff,
    write_games,
)
from taflengine.records.lines import MAX_LINE, Lines
from taflengine.records.record import Entry, Record, Verdict, record_of
from taflengine.rules import Reason
from taflengine.variants import find_variant
from taflengine.variants.catalogue import VARIANTS

BRANDUBH = find_variant("brandubh")
ROWS = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3"
UNEVEN = "a2a3/3a3/3d3/aadkdaa/3d3/3a3/7"
"""Not the same from below."""


def read(text: str, variant: str | None = "brandubh", form: str | None = None) -> list[Record]:
    return parse_games(text, variant, form=form)


# Told apart


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("[date:2020]\n", "otg"),
        ("\n\n  [variant:brandubh]\n", "otg"),
        ("\ufeff[variant:brandubh]\n", "otg"),
        ("1. d6-c6 d5-e5\n[a|b]\n", "otg"),
        ("1. d6-c6\n", "otg"),
        ("", "otg"),
        ("d6-c6 d5-e5\n", "moves"),
        ("# a remark\n\nd6-c6\n", "moves"),
        ("1. d6-c6 d5-e5 2. c6-d6\n", "moves"),
        ("1.d6-c6 d5-e5 2.c6-d6\n", "moves"),
        ("k11-k10\n", "moves"),
        ("timeout\n", "moves"),
        ("d6-c6 d5-e5xd6,0,1,White\n", "csv"),
        ("timeout,0,0,\n", "csv"),
        ('{"moves": ""}\n', "json"),
        ('[{"moves": ""}]\n', "json"),
        ("[\n  {\n", "json"),
        (f"{ROWS} a\n", "fen"),
        (f"/{ROWS}/ d\n", "fen"),
        (f"/{ROWS}/\n", "position"),
        (ROWS, "fen"),
    ],
)
def test_a_format_is_seen_by_its_content(content: str, name: str) -> None:
    lines = Lines(BytesIO(content.encode()), "x")
    assert sniff(lines).name == name


@pytest.mark.parametrize("content", ["hello world\n", "\x00\x01\n", "1\n", "e4 e5 Nf3\n", "<html>"])
def test_what_is_in_no_format_is_refused(content: str) -> None:
    with pytest.raises(RecordError) as failure:
        read(content)
    assert str(failure.value).startswith("line 1, column 1: '")
    assert str(failure.value).endswith(
        "begins no format of records: otg json csv moves fen position"
    )


def test_names_of_files_stand_for_formats() -> None:
    found = {
        name: form.name if (form := format_of_name(name)) else None
        for name in (
            "a.otg",
            "a.JSON",
            "b.jsonl",
            "a.csv",
            "a.b.moves",
            "x.fen",
            "x.pos",
            "x",
            "x.pgn",
        )
    }
    assert list(found.values()) == [
        *("otg", "json", "json", "csv", "moves", "fen", "position", None, None)
    ]


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(RecordError, match="'pgn' is no format of records: allowed are otg json"):
        read("", form="pgn")


@pytest.mark.parametrize("form", ["csv", "moves", "fen", "position"])
def test_some_formats_say_no_rules(form: str) -> None:
    with pytest.raises(RecordError) as failure:
        parse_games("", form=form)
    expected = f"input: {form} says nothing of the rules: name a rule set for it"
    assert str(failure.value) == expected


# Lists of moves and tables


def test_a_list_of_moves() -> None:
    text = "# games\n1. d6-c6 D5E5xd6/e4 2.Kd4-d5+ ---\n\n\td2-e2 c4-c5 timeout\r\n"
    first, second = read(text, form="moves")
    assert [entry.captures for entry in first.entries] == [
        frozenset(),
        {5 * 7 + 3, 3 * 7 + 4},
        frozenset(),
        frozenset(),
    ]
    assert (first.entries[2].king, first.entries[2].mark) == (True, "+")
    assert first.entries[3].move is None
    assert first.entries[1].place == (2, 10)
    assert (second.reason, len(second.moves)) == (Reason.TIME, 2)
    assert format_game(first, "moves") == "d6-c6 d5-e5xd6xe4 d4-d5 ---\n".replace(
        "xd6xe4", "xd6xe4"
    )
    assert format_game(second, "moves") == "d2-e2 c4-c5 timeout\n"


def test_a_table() -> None:
    text = (
        "d2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3xd3,2,0,Ongoing\n"
        "timeout,0,0,\n"
        "d6-c6 timeout,0,0,Black\n"
        "d6-c6,0,0,Draw\n"
    )
    records = read(text)
    assert [record.verdict for record in records] == [
        Verdict.ONGOING,
        Verdict.UNKNOWN,
        Verdict.ATTACKER,
        Verdict.DRAW,
    ]
    assert records[0].tags == {"defenders-taken": "2", "attackers-taken": "0"}
    assert [record.reason for record in records[1:3]] == [Reason.TIME, Reason.TIME]
    again = "".join(format_game(record, "csv") for record in records)
    assert again == text.replace("xd3xd3", "xd3"), "a square named twice counts once"
    assert read(again) == records


def test_counts_of_a_table_are_made_where_nobody_says_them() -> None:
    game = Game("brandubh")
    for move in ("d2-e2", "c4-c5", "f4-f5", "d4-c4", "e2-d2xd3", "c4-c3", "f5-f4xe4"):
        game.play_text(move)
    line = format_game(record_of(game), "csv")
    assert line == "d2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3 c4-c3 f5-f4xe4,2,0,Ongoing\n"
    turned = Game("brandubh", side=Side.DEFENDER)
    for move in ("d5-e5", "d6-d5", "d3-c3"):
        turned.play_text(move)
    assert format_game(record_of(turned), "csv").endswith(",0,0,Ongoing\n")


@pytest.mark.parametrize(
    ("form", "line", "message"),
    [
        (
            "csv",
            "d6-c6,0,0",
            "line 1, column 1: 3 columns: needed are moves, two counts and a result",
        ),
        ("csv", "d6-c6,x,0,", "line 1, column 7: 'x' is no number of pieces taken"),
        ("csv", "d6-c6,0,-1,", "line 1, column 9: '-1' is no number of pieces taken"),
        (
            "csv",
            "d6-c6,0,0,Red",
            "line 1, column 11: 'Red' is no result: allowed are White Black Draw Ongoing",
        ),
        (
            "csv",
            "timeout,0,0,Ongoing",
            "line 1, column 13: the game goes on, but its moves end with timeout",
        ),
        (
            "csv",
            "d6-c6 d7,0,0,",
            "line 1, column 7: 'd7' is no move: a move is two squares, as e4-e7",
        ),
        ("moves", "d6-c6 d6-d11", "line 1, column 7: 'd11' is not on this board, "),
        ("moves", "1. d6-c6 1.d6-d0", "line 1, column 12: 'd0' is no square: "),
        ("moves", "timeout d6-c6", "line 1, column 9: 'd6-c6' stands behind timeout"),
        ("moves", "a01-a2", "line 1, column 1: 'a01' is no square: "),
        (
            "fen",
            ROWS,
            "line 1, column 1: a position is rows, a blank, and the side to move, a or d",
        ),
        ("fen", f"{ROWS} x", "line 1, column 1: 'x' is no side: say attacker or defender"),
        (
            "fen",
            f" {ROWS[:-2]} a",
            "line 1, column 2: row of rank 1 has 3 squares, the board has 7",
        ),
        (
            "fen",
            f"{ROWS.replace('k', 'd')} a",
            "line 1, column 1: position with 0 kings: one is needed",
        ),
        ("fen", f"k{ROWS[1:]} a", "line 1, column 1: row of rank 7 has "),
        (
            "fen",
            "a2a3/3a3/3d3/1adkdaa/3d3/3a3/3a3 a",
            "line 1, column 1: position: the attacker on a7 may not stand on a corner square",
        ),
        (
            "position",
            f"/{ROWS}/ a",
            "line 1, column 1: a position record is one word, /rows/ from ",
        ),
        ("position", "/3t3/", "line 1, column 1: position of 1 row: a board has an odd number"),
    ],
)
def test_a_broken_line_is_named_with_its_column(form: str, line: str, message: str) -> None:
    with pytest.raises(RecordError) as failure:
        read(line, form=form)
    assert str(failure.value).startswith(message)


# Positions


def test_positions_from_the_top_and_from_below() -> None:
    top = "a5a/1d5/3k3/7/7/7/7"
    variant = find_variant("ard-ri")
    [record] = parse_games(f"{top} d\n", variant)
    assert (record.first, record.moves) == (Side.DEFENDER, ())
    assert record.start is not None
    assert format_rows(record.start) == top
    below = format_game(record, "position")
    assert below == "/7/7/7/7/3K3/1T5/t5t/\n"
    [again] = parse_games(below, variant)
    assert (again.start, again.first) == (record.start, None)
    assert format_game(record, "fen") == f"{top} d\n"


def test_a_game_as_a_position_is_the_one_it_ends_in() -> None:
    [record] = read("d2-e2 c4-c5 f4-f5 d4-c4 e2-d2")
    game = record.game()
    assert format_game(record, "fen") == f"{format_rows(game.board)} d\n"
    [illegal] = read("d2-e2 d2-e2")
    with pytest.raises(RecordError, match=r"line 1, column 7: illegal move: d2-e2: there is no"):
        format_game(illegal, "fen")


# JSON


SITE = {
    "id": 53464,
    "attackers": "player-1",
    "defenders": "player-2",
    "rated": True,
    "variant": "copenhagen",
    "dim": 11,
    "sw": True,
    "start": "/3AAAAA3/5A5/11/A4D4A/A3DDD3A/AA1DDKDD1AA/A3DDD3A/A4D4A/11/5A5/3AAAAA3/",
    "moves": "d1-d3 e5-e2 d3-d2xe2",
    "time_control": {"main_time_seconds": 259200, "increment_length": 21600},
    "time_remaining_ms": {"attackers": 907499, "last_move": "2026-06-21T22:05:55.449Z"},
    "messages": [{"username": "player-1", "content": '{[Hello!]} "x\\'}],
}


def test_an_object_of_hnefatafl_org() -> None:
    [record] = parse_games(json.dumps(SITE))
    assert record.variant is VARIANTS["copenhagen"]
    assert (record.start, record.verdict, len(record.moves)) == (None, Verdict.UNKNOWN, 3)
    assert record.tags["attackers"] == "player-1"
    assert json.loads(format_game(record, "json")) == SITE
    assert parse_games(format_game(record)) == [record], "all of it has a place in our own format"


@pytest.mark.parametrize(
    "text",
    [
        "{one}\n{two}\n",
        "[{one}, {two}]",
        "[\n  {one},\n  {two}\n]\n",
        "{one}{two}",
        "\n\n{one}\n\n\n{two}",
        "{indented}\n{two}\n",
        "[\n{indented},\n{indented}\n]",
    ],
)
def test_objects_one_after_the_other(text: str) -> None:
    words = {
        "one": json.dumps(SITE),
        "two": json.dumps(SITE),
        "indented": json.dumps(SITE, indent=2),
    }
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    assert len(parse_games(text)) == 2


def test_a_resignation() -> None:
    for word in ("---", "resigns"):
        [record] = parse_games(json.dumps(SITE | {"moves": f"d1-d3 {word}"}))
        assert (record.verdict, record.reason) == (Verdict.ATTACKER, Reason.RESIGNATION)
        assert json.loads(format_game(record, "json"))["moves"] == "d1-d3 ---"
        assert parse_games(format_game(record, "json")) == [record]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"moves": 3}', "line 1, column 1: moves: allowed is a text in quotation marks"),
        ("{}\n{", "line 2, column 1: the object is never closed by '}'"),
        ("{} x", "line 1, column 4: 'x': expected an object of JSON"),
        ('{"moves": "d6-c6",}', "line 1, column 1"),
        ('{"moves": "d6-c6"\n"x": 1}', "line 2, column 1: no JSON: Expecting ',' delimiter"),
        ('{"moves": "d6-c6 x"}', "line 1, column 1: move 2: 'x' is no move: "),
        ('{"variant": "chess"}', "line 1, column 1: 'chess' is no rule set: "),
        ('{"dim": 11}', "line 1, column 1: dim: the board of brandubh has 7 rows"),
        ('{"start": "/7/"}', "line 1, column 1: position of 1 row: "),
        ('{"first": "nobody"}', "line 1, column 1: 'nobody' is no side: "),
        (
            '{"result": "red"}',
            "line 1, column 1: result 'red': allowed are attacker defender draw ",
        ),
        (
            '{"termination": "red"}',
            "line 1, column 1: termination 'red': allowed are king-captured",
        ),
        ('{"id": ' + "9" * 5000 + "}", "line 1, column 1: no JSON that can be read here"),
        ('{"id": ' + "[" * 5000 + "]" * 5000 + "}", "line 1, column 1: no JSON that can be read"),
        ('{"rules": "x"}', "line 1, column 1: tag rules: a field of its own says this"),
    ],
)
def test_a_broken_object_is_named_with_its_place(text: str, message: str) -> None:
    with pytest.raises(RecordError) as failure:
        parse_games(text, "brandubh", form="json")
    assert str(failure.value).startswith(message.removesuffix(",}"))


def test_an_object_without_rules_needs_a_rule_set() -> None:
    with pytest.raises(RecordError, match="the game says nothing of its rules: name a rule set"):
        parse_games('{"moves": ""}')


def test_json_names_rule_sets_and_cannot_write_others() -> None:
    with pytest.raises(RecordError, match=r"names rule sets, and this one has no name"):
        format_game(Record(variant=replace(BRANDUBH, king_reach=1)), "json")


moves = st.lists(
    st.builds(
        Entry,
        move=st.tuples(st.integers(0, 48), st.integers(0, 48)).map(lambda pair: (pair[0], pair[1])),
        captures=st.frozensets(st.integers(0, 48), max_size=4),
    ),
    max_size=8,
).map(tuple)


@settings(max_examples=200)
@given(
    moves,
    st.sampled_from(Verdict),
    st.booleans(),
    st.dictionaries(
        st.sampled_from(["event", "id", "é", "rated"]), st.text(max_size=8), max_size=3
    ),
)
def test_what_a_format_can_say_comes_back(
    entries: tuple[Entry, ...], verdict: Verdict, timed_out: bool, tags: dict[str, str]
) -> None:
    reason = Reason.TIME if timed_out and verdict is not Verdict.ONGOING else None
    record = Record(variant=BRANDUBH, entries=entries, verdict=verdict, reason=reason)
    for name in ("csv", "json"):
        [again] = parse_games(format_game(record, name), BRANDUBH, form=name)
        tagless = replace(again, tags={})
        assert tagless == record
    if entries or reason:
        [again] = parse_games(format_game(record, "moves"), BRANDUBH, form="moves")
        assert (again.entries, again.reason) == (entries, reason)
    tagged = replace(record, tags=tags)
    [again] = parse_games(format_game(tagged, "json"), BRANDUBH, form="json")
    assert {**again.tags}.keys() == {
        key for key, text in tags.items() if text != "null" or key in "é"
    }


# Files


def chunks(count: int) -> Iterable[Record]:
    [record] = read("d6-c6 d5-e5 c6-d6 e5-d5")
    return (record for _ in range(count))


def test_a_file_is_written_and_read(tmp_path: Path) -> None:
    for form in FORMATS.values():
        path = tmp_path / f"games{form.suffixes[0]}"
        assert write_games(path, chunks(3)) == 3
        assert len(list(read_games(path, "brandubh"))) == 3
    assert write_games(str(tmp_path / "plain"), chunks(2)) == 2
    assert (tmp_path / "plain").read_text().startswith("[result:?]\n[variant:brandubh]\n")


def test_a_stream_stays_open() -> None:
    stream = BytesIO()
    assert write_games(stream, chunks(2), form="moves") == 2
    stream.seek(0)
    assert len(list(read_games(stream, "brandubh"))) == 2
    assert not stream.closed


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none.otg", "cannot be read: No such file or directory"),
        (".", "cannot be read: Is a directory"),
        ("a\x00b", "cannot be read: this is no name of a file"),
        ("x" * 300, "cannot be read: File name too long"),
    ],
)
def test_a_file_that_cannot_be_read(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RecordError) as failure:
        list(read_games(name))
    assert str(failure.value) == f"{name.replace(chr(0), '?')}: {reason}"


def test_errors_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.moves"
    path.write_bytes(b"d6-c6\nd6-c6 x\n")
    games = read_games(path, "brandubh")
    assert next(games).where == f"{path}, line 1, column 1"
    with pytest.raises(RecordError, match=r"games.moves, line 2, column 7: 'x' is no move"):
        next(games)


def test_lenient_reading_goes_on() -> None:
    text = b"d6-c6\nd6-x\n\xff\nd6-c6 \xc3\nd5-e5\n" + b"d" * (MAX_LINE + 9) + b"\nd2-e2\n"
    faults: list[RecordError] = []
    found = list(read_games(BytesIO(text), "brandubh", on_error=faults.append))
    assert [str(fault) for fault in faults] == [
        "line 2, column 1: 'd6-x' is no move: a move is two squares, as e4-e7",
        "line 3, column 1: not UTF-8 text",
        "line 4, column 7: not UTF-8 text",
        f"line 6, column {MAX_LINE}: line longer than {MAX_LINE} bytes",
    ]
    assert [record.place.line for record in found if record.place] == [1, 5, 7]


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=60)
@given(
    content=st.binary(max_size=80) | st.text('{}[]",:\\d6-c12/ak\n#', max_size=80).map(str.encode)
)
def test_whatever_a_file_holds_reading_ends(form: str, content: bytes) -> None:
    faults: list[RecordError] = []
    found = list(read_games(BytesIO(content), "brandubh", form=form, on_error=faults.append))
    assert len(found) + len(faults) <= len(content) + 1
    assert all(len(str(fault)) < 400 for fault in faults)


def test_json_that_was_cut_off_costs_one_game() -> None:
    line = json.dumps(SITE)
    text = f"{line}\n{line[: len(line) // 2]}\n{line}\nrubbish\n{line}\n"
    faults: list[RecordError] = []
    found = list(read_games(BytesIO(text.encode()), on_error=faults.append))
    assert len(found) == 3
    assert [str(fault).partition(": ")[0] for fault in faults] == [
        "line 2, column 1",
        "line 4, column 1",
    ]


def test_what_a_record_holds() -> None:
    [record] = parse_games(
        "[variant:brandubh]\n[result:1]\n[event:x]\n\n1. d6-c6! d5-e5\n[298 30/3 a|]\n"
        "1b.1.1a. ..... d5-f5\n"
    )
    assert contents_of(record) == FORMATS["otg"].keeps
    [plain] = read("d6-c6,0,0,\n")
    assert contents_of(plain) == {"moves"}
