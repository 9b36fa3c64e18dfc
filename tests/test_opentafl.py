"""OpenTafl's rules strings: what is read, what is refused and why, and there and back."""

import random
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import UNHURRIED, sayable_in_opentafl, variants

from taflengine.errors import RulesError
from taflengine.pieces import ATTACKERS, EVERYBODY, KING_ONLY, MEN, NOBODY, Side
from taflengine.rules import Armed, Goal, NoMove, Repetition, Variant
from taflengine.variants.catalogue import VARIANTS
from taflengine.variants.opentafl import format_opentafl, in_play, parse_opentafl
from taflengine.variants.opentafl_strings import OpenTaflRules, read_string

STRINGS = Path(__file__).parents[2] / "shared" / "rules" / "opentafl-rules-strings.txt"

CROSS = "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
LEANING = "/t6/1t5/2T4/3K3/7/7/6t/"
"""A start that is another one when its rows are read from the other end."""


def game(entries: str = "", start: str = CROSS) -> Variant:
    """The rules that *entries* change on a small board."""
    return parse_opentafl(f"dim:7 {entries} {start}")


def refused(entries: str, start: str = CROSS) -> str:
    """What is said about *entries* on a small board."""
    with pytest.raises(RulesError) as caught:
        game(entries, start)
    return str(caught.value)


def test_what_is_left_out_has_the_default_of_the_notation() -> None:
    """Which is not always the default of this engine."""
    assert game() == Variant(
        name="opentafl",
        summary="a game, as an OpenTafl host says its rules",
        source="an OpenTafl rules string; what it leaves out has the default of that notation",
        board=game().board,
        throne_hostile_occupied=ATTACKERS,
        corner_hostile=EVERYBODY,
        encirclement=True,
    )


@pytest.mark.parametrize(
    ("entries", "field", "value"),
    [
        ("esc:e cor:", "goal", Goal.EDGE),
        ("esc:e cor:", "corners", 0),
        ("surf:n", "encirclement", False),
        ("atkf:y", "first", Side.ATTACKER),
        ("atkf:n", "first", Side.DEFENDER),
        # The repeating mover loses with w and wins with l.
        ("tfr:w", "repetition", Repetition.LOSS_MOVER),
        ("tfr:l", "repetition", Repetition.WIN_MOVER),
        ("tfr:d", "repetition", Repetition.DRAW),
        ("tfr:i", "repetition", Repetition.NONE),
        ("ka:y", "king_armed", Armed.BOTH),
        ("ka:n", "king_armed", Armed.NEITHER),
        ("ka:h", "king_armed", Armed.HAMMER),
        ("ka:a", "king_armed", Armed.ANVIL),
        ("ks:c", "king_sides_on_throne", 4),
        ("ks:c", "king_sides_beside_throne", 4),
        ("ks:c", "king_sides_elsewhere", 2),
        ("ks:w", "king_sides_on_throne", 2),
        ("ks:n", "king_sides_on_throne", 2),
        ("ks:y", "king_sides_elsewhere", 4),
        ("ks:s", "edge_hostile_to_king", False),
        ("ks:m", "edge_hostile_to_king", True),
        ("ks:m", "king_sides_elsewhere", 4),
        ("cor:a1,a7,g1,g7,", "corners", 1),
        ("cor:g7,G1,a7,a1", "corners", 1),
        ("cor:a1,a2,b1,b2,a6,b6,a7,b7,f1,f2,g1,g2,f6,f7,g6,g7", "corners", 2),
        ("cen:", "throne", False),
        ("cen:d4,", "throne", True),
        ("cens:", "throne_stop", NOBODY),
        ("cens:KTt", "throne_stop", EVERYBODY),
        ("cenp:K", "throne_cross", KING_ONLY),
        ("cenhe:", "throne_hostile_empty", NOBODY),
        ("cenhe:tT", "throne_hostile_empty", MEN),
        # The letters of pieces that are not on the board say nothing.
        ("cenhe:cnkmgCNMG", "throne_hostile_empty", NOBODY),
        ("cenh:K", "throne_hostile_occupied", KING_ONLY),
        ("corh:tcnkmgTCNMG", "corner_hostile", MEN),
        ("sw:s", "shieldwall", True),
        ("sw:n swf:n", "shieldwall", False),
        ("esc:e cor: sw:w", "shieldwall", True),
        ("efe:y", "exit_fort", True),
        ("esc:e cor: efe:y", "exit_fort", False),
        ("linc:y", "linnaean", True),
        ("nj:r cj:c mj:j gj:n kj:n ber:n", "goal", Goal.CORNER),
        ("afor: dfor: aforh:K dforp: aforre:", "camps", ()),
        ("cenre:tTK", "throne_stop", KING_ONLY),
        ("cenre: cens: cenp:", "throne_cross", NOBODY),
        ("corp:", "corners", 1),
        ("corre:K", "corners", 1),
        ("name:Sea_Battle_(Parlett)", "name", "sea-battle-parlett"),
        ("name:Ard_Rí:2", "summary", "Ard Rí:2, as an OpenTafl host says its rules"),
        ("name:", "name", "opentafl"),
    ],
)
def test_each_key_says_a_field(entries: str, field: str, value: object) -> None:
    """An empty value is the empty set, not the default."""
    assert getattr(game(entries), field) == value


@pytest.mark.parametrize(
    ("numbers", "reaches"),
    [
        ("-1", (0, 0, 0)),
        ("3", (3, 3, 3)),
        ("3,", (3, 3, 3)),
        ("2,3", (2, 3, 3)),
        ("2,3,", (2, 3, 3)),
        ("1,9,9,9,2,9,9,3", (1, 2, 3)),
        ("1,9,9,9,9,2,9,9,3,9,", (1, 2, 3)),
        ("1,9,9,9,9,9,2,9,9,3,9,9,", (1, 2, 3)),
        # As far as the board reaches is any number.
        ("6,7,99,99,99,99,-1,99,99,7,99,99,", (0, 0, 0)),
        ("5,5", (5, 5, 5)),
    ],
)
def test_speeds(numbers: str, reaches: tuple[int, int, int]) -> None:
    """One number, two for the sides, or one for each letter of old and new lists."""
    variant = game(f"spd:{numbers}")
    assert (variant.attacker_reach, variant.defender_reach, variant.king_reach) == reaches


def test_rows_start_at_rank_one() -> None:
    """``start`` has the first rank first, ``starti`` the last."""
    drawing = ". . . . . . a\n. . . . . . .\n. . . . . . .\n. . . k . . .\n"
    drawing += ". . d . . . .\n. a . . . . .\na . . . . . ."
    assert game("esc:e cor:", f"start:{LEANING}").board == drawing
    upside_down = "/".join(reversed(LEANING.split("/")))
    assert game("esc:e cor:", f"starti:{upside_down}").board == drawing
    assert game("esc:e cor:", f"start:{LEANING.strip('/')}").board == drawing


def test_keys_come_in_any_order() -> None:
    """And with any blanks between."""
    words = ["dim:7", "name:Brandub", "surf:n", "ks:w", "cenh:", "cor:a1,a7,g1,g7,", CROSS]
    expected = parse_opentafl(" ".join(words))
    for seed in range(9):
        random.Random(seed).shuffle(words)
        assert parse_opentafl(" \n ".join(words)) == expected


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ("ber:c", "ber: a piece moves once in a turn here"),
        ("ber:m", "ber: a piece moves once"),
        ("kj:r", "kj: the king does not jump here"),
        ("sw:s swf:n", "swf: only a move to an end takes a row here"),
        ("sw:w", "sw: a marked corner closes an end of a row here"),
        ("spd:0", "spd: every piece may go one square or more here"),
        ("afor:d1,", "afor: fortresses are other than the camps of this engine"),
        ("dfor:d1,", "dfor: the defenders have no fortresses here"),
        ("cen:d5,", "cen: here the throne is the centre, or there is none"),
        ("cen:d4,d5,", "cen: here the throne is the centre, or there is none"),
        ("cenre:", "cenre: say this by cens and cenp"),
        ("cenre:TK", "cenre: say this by cens and cenp"),
        ("cor:a1,", "cor: one or four squares in each corner are marked here, or none"),
        ("esc:e", "cor: no corner is marked where the edge wins: say cor:"),
        ("cor:", "goal: a king who wins in a corner needs corners of 1 or 2"),
        ("cors:", "cors: the king alone stops on a corner here"),
        ("cors:TK", "cors: the king alone stops on a corner here"),
        ("corre:", "corre: the king may enter a corner here"),
        (
            "cor:a1,a2,b1,b2,a6,b6,a7,b7,f1,f2,g1,g2,f6,f7,g6,g7 corp:tT",
            "corp: the king alone crosses corners here",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_by_key(entries: str, reason: str) -> None:
    """These strings are well formed: they can be read, not played."""
    assert isinstance(read_string(f"dim:7 {entries} {CROSS}"), OpenTaflRules)
    assert refused(entries).startswith(f"OpenTafl rules, {reason}")


@pytest.mark.parametrize(
    ("letter", "piece"),
    [
        ("c", "a commander"),
        ("N", "a knight"),
        ("m", "a mercenary"),
        ("G", "a guard"),
        ("k", "a king of the attackers"),
    ],
)
def test_pieces_that_are_not_here(letter: str, piece: str) -> None:
    """They are read as what they are and refused."""
    start = f"start:/3t3/3t3/3T3/ttTKTtt/3{letter}3/3t3/3t3/"
    assert read_string(f"dim:7 {start}").special == {letter}
    said = refused("", start)
    assert said == f"OpenTafl rules, start: {piece} stands on the board, " + (
        "here are only men and one king"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", ", dim: allowed are odd sizes from 7 to 19"),
        ("dim:7", ", start: a rules string needs this key"),
        (f"dim:8 {CROSS}", ", dim: allowed are odd sizes from 7 to 19"),
        (f"dim:9 {CROSS}", ", start: the position has 7 rows, dim says 9"),
        (f"dim:7 dim:7 {CROSS}", ", dim: it is there twice"),
        (f"dim:7 {CROSS} starti:/7/", ", starti: it is there twice"),
        (f"dim:7 king:strong {CROSS}", ": 'king' is no known key"),
        (f"dim:7 DIM:7 {CROSS}", ": 'DIM' is no known key"),
        (f"dim:7 special:c {CROSS}", ": 'special' is no known key"),
        (f"dim:7 cenh {CROSS}", ": 'cenh' is no entry, those are key:value"),
        (f"dim:7 esc:x {CROSS}", ", esc: allowed are c e, not 'x'"),
        (f"dim:7 esc: {CROSS}", ", esc: allowed are c e, not ''"),
        (f"dim:7 surf:yes {CROSS}", ", surf: allowed are y n, not 'yes'"),
        (f"dim:7 ks:4 {CROSS}", ", ks: allowed are s w c m y n, not '4'"),
        (f"dim:7 tfr:x {CROSS}", ", tfr: allowed are i d w l, not 'x'"),
        (f"dim:7 cenh:tD {CROSS}", ", cenh: allowed are the letters tcnkmgTCNKMG, not 'tD'"),
        (f"dim:7 cor:a1,h1, {CROSS}", ", cor: 'h1' is not on this board"),
        (f"dim:7 cen:default {CROSS}", ", cen: 'default' is no square"),
        (f"dim:7 spd:1,2,3 {CROSS}", ", spd: allowed are 1, 2, 8, 10 or 12 numbers"),
        (f"dim:7 spd: {CROSS}", ", spd: allowed are 1, 2, 8, 10 or 12 numbers"),
        (f"dim:7 spd:-2 {CROSS}", ", spd: allowed are 1, 2, 8, 10 or 12 numbers"),
        ("dim:7 start:/3a3/7/7/3K3/7/7/7/", ", start: allowed are the letters tcnkmgTCNKMG, digit"),
        ("dim:7 start:/3t3/7/7/3K4/7/7/7/", ", start: row of rank 4 has more than 7 squares"),
        ("dim:7 start:/3t2/7/7/3K3/7/7/7/", ", start: row of rank 1 has 6 squares"),
        ("dim:7 starti:/3t2/7/7/3K3/7/7/7/", ", starti: row of rank 7 has 6 squares"),
        ("dim:7 start:/5/5/2K2/5/5/", ", start: position of 5 rows"),
        ("dim:7 start:/3t3/7/7/7/7/7/7/", ", board: 0 kings stand on it, one is needed"),
        ("dim:7 start:/K5K/7/7/7/7/7/7/", ", board: 2 kings stand on it, one is needed"),
        ("dim:7 start:/t6/7/7/3K3/7/7/7/", ", board: the attacker on a1 may not stand on a corner"),
    ],
)
def test_strings_that_are_none(text: str, reason: str) -> None:
    """The error names the key or the word."""
    with pytest.raises(RulesError) as caught:
        parse_opentafl(text)
    assert str(caught.value).startswith(f"OpenTafl rules{reason}")


@given(st.text(max_size=40) | st.text("dimcorspdstart:/0179tTkK, -", max_size=40))
def test_any_text_gives_one_line(text: str) -> None:
    """Nothing but RulesError is raised, and no error breaks a line."""
    read: Variant | str
    try:
        read = parse_opentafl(f"{text} dim:7 {CROSS}")
    except RulesError as error:
        read = str(error)
    assert isinstance(read, Variant) or read.isprintable()


# Writing


def test_what_is_default_is_left_out() -> None:
    """Size first, who begins always, the start last."""
    assert format_opentafl(game()) == f"dim:7 name:opentafl atkf:y {CROSS}"
    magpie = "surf:n atkf:y ks:m spd:-1,-1,-1,-1,-1,-1,-1,-1,-1,1,-1,-1,"
    assert format_opentafl(game(magpie)) == f"dim:7 name:opentafl {magpie} {CROSS}"
    weird = replace(game(), name="my [game]: 2")
    assert format_opentafl(weird) == f"dim:7 name:my_game_2 atkf:y {CROSS}"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"no_move": NoMove.DRAW}, "no_move: an OpenTafl rules string cannot say draw"),
        ({"quiet_plies": 100}, "quiet_plies: an OpenTafl rules string cannot say 100"),
        ({"repetition": Repetition.OWN_MOVES}, "repetition: an OpenTafl rules string cannot"),
        ({"repetition": Repetition.LOSS_DEFENDERS}, "repetition: an OpenTafl rules string cannot"),
        ({"repetition_count": 2}, "repetition_count: an OpenTafl rules string cannot say 2"),
        ({"start_counts": False}, "start_counts: an OpenTafl rules string cannot say False"),
        ({"king_sides_on_throne": 2}, "king_sides_on_throne: an OpenTafl rules string cannot"),
        (
            {"king_sides_beside_throne": 2, "king_sides_elsewhere": 2},
            "king_sides_beside_throne: an OpenTafl rules string cannot say 2",
        ),
        ({"camps": (("d1",),)}, "camps: an OpenTafl rules string cannot say this"),
    ],
)
def test_what_the_language_cannot_say_is_refused_by_field(
    changes: dict[str, object], reason: str
) -> None:
    """Whatever else the rule set says."""
    with pytest.raises(RulesError) as caught:
        format_opentafl(replace(game(), **changes))  # type: ignore[arg-type]  # any field
    assert str(caught.value).startswith(reason)


def test_a_game_with_camps_is_refused_by_their_name() -> None:
    with pytest.raises(RulesError, match=r"^camps: "):
        format_opentafl(replace(game("esc:e cor:"), camps=(("g1",),)))


@pytest.mark.parametrize(
    "changes",
    [
        {"repetition": Repetition.NONE, "repetition_count": 2, "start_counts": False},
        {"captures_clear_positions": True},
        {"king_sides_elsewhere": 2, "edge_hostile_to_king": True},
        {"throne": False, "king_sides_on_throne": 2, "king_sides_beside_throne": 2},
        {"throne": False, "throne_cross": NOBODY, "throne_hostile_occupied": NOBODY},
        {"goal": Goal.EDGE, "corners": 0, "corner_hostile": NOBODY},
        {"camp_hostile": EVERYBODY},
        {"king_reach": 6},
        {"aliases": ("other",), "summary": "another", "source": "another"},
    ],
)
def test_what_changes_nothing_in_play_needs_no_words(changes: dict[str, object]) -> None:
    """Idle fields and names do not make another game."""
    variant = replace(game(), **changes)  # type: ignore[arg-type]  # any field
    assert in_play(parse_opentafl(format_opentafl(variant))) == in_play(variant)


@UNHURRIED
@given(variants())
def test_there_and_back_or_refused(variant: Variant) -> None:
    """A string that is written is the same game; else a field is named."""
    try:
        text = format_opentafl(variant)
    except RulesError as error:
        named = str(error).partition(":")[0]
    else:
        assert in_play(parse_opentafl(text)) == in_play(variant)
        named = "name"
    assert named in {field.name for field in fields(Variant)}


@UNHURRIED
@given(variants().map(sayable_in_opentafl))
def test_what_can_be_said_comes_back(variant: Variant) -> None:
    """None of these is refused."""
    text = format_opentafl(variant)
    assert text.isascii()
    assert text.isprintable()
    back = parse_opentafl(text)
    assert in_play(back) == in_play(variant)
    assert back.name == variant.name
    assert format_opentafl(back) == text


# OpenTafl's own strings, and the built-in rule sets

PLAYED = {
    "Sea Battle 9x9",
    "Fetlar 11x11",
    "Copenhagen 11x11",
    "Brandub 7x7",
    "Tawlbwrdd 11x11",
    "Tablut 9x9",
    "Magpie 7x7",
    "Computer Fetlar 11x11",
    "Tablut 15x15",
    "Sea Battle (Parlett) 13x13",
    "Alea Evangelii 19x19",
}
REFUSED = {
    "Copenhagen (relaxed shieldwall) 11x11": "swf: only a move to an end takes a row",
    "Berserk 11x11": "start: a commander stands on the board",
    "Foteviken Tablut 9x9": "afor: fortresses are other than the camps",
}


def test_the_strings_of_opentafl() -> None:
    """All can be read; three cannot be played, each for its reason."""
    if not STRINGS.exists():
        pytest.skip(f"{STRINGS} is not there")
    lines = STRINGS.read_text(encoding="utf-8").splitlines()
    strings = dict(line.split("\t") for line in lines)
    assert set(strings) == PLAYED | set(REFUSED)
    for name, text in strings.items():
        assert read_string(text).atkf is (Side.DEFENDER if "atkf:n" in text else Side.ATTACKER)
        if name in REFUSED:
            with pytest.raises(RulesError, match=f"^OpenTafl rules, {REFUSED[name]}"):
                parse_opentafl(text)
            continue
        variant = parse_opentafl(text)
        assert name.startswith(variant.summary.split(",")[0])
        back = format_opentafl(variant)
        assert parse_opentafl(back) == replace(variant, summary=parse_opentafl(back).summary)


def test_built_in_rule_sets_are_said_or_refused() -> None:
    """Those with a fifty-move rule, camps or their own repetition are refused."""
    refused_fields = set()
    for variant in VARIANTS.values():
        try:
            text = format_opentafl(variant)
        except RulesError as error:
            refused_fields.add(str(error).partition(":")[0])
        else:
            assert in_play(parse_opentafl(text)) == in_play(variant)
    assert refused_fields <= {"camps", "no_move", "quiet_plies", "repetition"}
