"""The whole table of rule sets: what holds for each of them, and what no rule set may say."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pictures import SYMMETRIES, symmetries, turned_board, turned_rules

from taflengine.errors import NotationError, RulesError
from taflengine.game import Game
from taflengine.geometry import SIZES
from taflengine.notation import format_picture, parse_rows, parse_square, square_name
from taflengine.pieces import Piece, Side
from taflengine.rules import Armed, Calls, Goal, NoMove, Repetition, Variant
from taflengine.variants import DEFAULT, find_variant
from taflengine.variants.catalogue import ALIASES, BY_SIZE, VARIANTS
from taflengine.variants.explain import WIDTH, explain

PARAMETERS = Path(__file__).parents[3] / "shared" / "rules" / "parameters.json"
OF_EACH = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


# The built-in rule sets.


@OF_EACH
def test_one_king_on_an_odd_board(variant: Variant) -> None:
    assert variant.size in SIZES
    assert len(variant.start.squares_of(Piece.KING)) == 1
    assert variant.start.pieces[variant.geometry.centre] is Piece.KING


@OF_EACH
def test_men_of_both_sides_at_two_to_one(variant: Variant) -> None:
    attackers = len(variant.start.squares_of(Piece.ATTACKER))
    assert attackers == 2 * len(variant.start.squares_of(Piece.DEFENDER)) > 0


@pytest.mark.parametrize("symmetry", range(8), ids=SYMMETRIES)
@OF_EACH
def test_start_and_camps_lie_alike_on_every_side(variant: Variant, symmetry: int) -> None:
    image = symmetries(variant.size)[symmetry]
    assert turned_board(variant.start, image) == variant.start
    turned = turned_rules(variant, image)
    assert set(turned.camp_groups) == set(variant.camp_groups)
    assert turned.harmless_squares == variant.harmless_squares


@OF_EACH
def test_the_drawing_is_the_start(variant: Variant) -> None:
    drawing = [line.split() for line in variant.board.splitlines() if line.strip()]
    assert drawing == [line.split() for line in format_picture(variant.start).splitlines()]


@OF_EACH
def test_what_is_said_about_it(variant: Variant) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", variant.name)
    assert variant.summary.startswith(f"{variant.size}x{variant.size}, ")
    assert f", {variant.goal.value}" in variant.summary
    assert len(variant.summary) <= 100
    assert variant.source.endswith(".")
    for text in (variant.summary, variant.source):
        assert text.isprintable()
        assert text == text.strip()


@OF_EACH
def test_it_is_found_by_each_of_its_names(variant: Variant) -> None:
    for name in (variant.name, *variant.aliases):
        assert find_variant(name) is find_variant(name.upper()) is variant


@OF_EACH
def test_it_can_be_played(variant: Variant) -> None:
    game = Game(variant)
    assert game.outcome is None
    assert game.side_to_move is variant.first
    assert game.board == variant.start
    assert Game(variant, variant.start).key == game.key


def test_the_table() -> None:
    assert [name for name, variant in VARIANTS.items() if name != variant.name] == []
    assert next(iter(VARIANTS.values())) is DEFAULT is Game().variant
    assert len(set(VARIANTS.values())) == len(VARIANTS)
    aliases = [alias for variant in VARIANTS.values() for alias in variant.aliases]
    assert len(aliases) == len(set(aliases)) == len(ALIASES)
    assert not set(aliases) & set(VARIANTS)
    assert all(variant.size == size for size, variant in BY_SIZE.items())
    assert all(VARIANTS[variant.name] is variant for variant in BY_SIZE.values())


@pytest.mark.parametrize(
    ("name", "hint"),
    [("copenhagn", "did you mean copenhagen?"), ("chess", "variants lists them"), ("", "variants")],
)
def test_an_unknown_name_gets_a_hint(name: str, hint: str) -> None:
    with pytest.raises(NotationError, match=re.escape(hint)):
        find_variant(name)


# The values of the reference.

PIECES = {"A": Piece.ATTACKER, "D": Piece.DEFENDER, "K": Piece.KING}
WHO = {"king": "K", "nobody": "", "all": "ADK"}


def said(variant: Variant) -> dict[str, object]:
    """*variant* in the words of the reference."""

    def letters(pieces: Iterable[Piece]) -> str:
        return "".join(letter for letter, piece in PIECES.items() if piece in pieces)

    def who(pieces: Iterable[Piece]) -> str:
        return next(word for word, found in WHO.items() if found == letters(pieces))

    return {
        "first": variant.first.value,
        "speed": {
            "A": variant.attacker_reach or None,
            "D": variant.defender_reach or None,
            "K": variant.king_reach or None,
        },
        "throne": variant.throne,
        "throne_stop": who(variant.throne_stop),
        "throne_pass": who(variant.throne_cross),
        "throne_hostile_empty": letters(variant.throne_hostile_empty),
        "throne_hostile_occupied": letters(variant.throne_hostile_occupied),
        "corners": variant.corners,
        "corner_hostile": letters(variant.corner_hostile),
        "edge_hostile_to_king": variant.edge_hostile_to_king,
        "camps": [list(group) for group in variant.camps],
        "camp_hostile": letters(variant.camp_hostile),
        "camp_not_against_attackers": list(variant.camp_harmless_to_attackers),
        "king_armed": {Armed.BOTH: True, Armed.NEITHER: False}[variant.king_armed],
        "king_sides": [
            variant.king_sides_on_throne,
            variant.king_sides_beside_throne,
            variant.king_sides_elsewhere,
        ],
        "goal": variant.goal.value,
        "shieldwall": variant.shieldwall,
        "exit_fort": variant.exit_fort,
        "encirclement": variant.encirclement,
        "linnaean": variant.linnaean,
        "no_move": variant.no_move.value,
        "repetition": variant.repetition.value,
        "repetition_count": variant.repetition_count,
        "start_counts": variant.start_counts,
        "captures_clear_positions": variant.captures_clear_positions,
        "quiet_plies": variant.quiet_plies,
        "start": rows_of_start(variant),
    }


def rows_of_start(variant: Variant) -> str:
    """The start as rows with t for attackers, T for defenders, K for the king."""
    letters = {Piece.ATTACKER: "t", Piece.DEFENDER: "T", Piece.KING: "K", None: "."}
    size, pieces = variant.size, variant.start.pieces
    rows = (pieces[rank * size : (rank + 1) * size] for rank in reversed(range(size)))
    text = "/".join("".join(letters[piece] for piece in row) for row in rows)
    return re.sub(r"\.+", lambda run: str(len(run[0])), text)


def reference() -> dict[str, dict[str, Any]]:
    if not PARAMETERS.exists():
        return {}
    loaded: dict[str, dict[str, Any]] = json.loads(PARAMETERS.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.skipif(not PARAMETERS.exists(), reason="shared/rules/parameters.json is not here")
def test_the_reference_has_the_same_rule_sets() -> None:
    assert sorted(reference()) == sorted(VARIANTS)


@pytest.mark.skipif(not PARAMETERS.exists(), reason="shared/rules/parameters.json is not here")
@pytest.mark.parametrize("name", reference())
def test_reference_values(name: str) -> None:
    assert said(VARIANTS[name]) == reference()[name]
    assert parse_rows(reference()[name]["start"]) == VARIANTS[name].start


def test_calls_are_spoken_where_the_game_has_them() -> None:
    """The reference has no word for them."""
    spoken = {name: variant.calls for name, variant in VARIANTS.items()}
    assert {name: calls for name, calls in spoken.items() if calls is not Calls.NONE} == {
        "homeschool": Calls.WATCH_YOUR_KING,
        "tablut-linnaean": Calls.RAICHI,
        "tablut-smith": Calls.RAICHI,
    }


# What contradicts itself.


def placed(variant: Variant, **pieces: str) -> str:
    """The drawing of the start with other *pieces* on some squares, named as letters or dots."""
    marks = format_picture(variant.start).split()
    for name, mark in pieces.items():
        square = parse_square(name, variant.size)
        row = variant.size - 1 - variant.geometry.rank(square)
        marks[row * variant.size + variant.geometry.file(square)] = mark
    rows = range(0, len(marks), variant.size)
    return "\n".join(" ".join(marks[start : start + variant.size]) for start in rows)


HOUSE, EDGE = VARIANTS["hnefatafl"], VARIANTS["tablut"]
OFF_THRONE = placed(HOUSE, f6="d", b6="k")
RIM = [square_name(square, 9) for square in range(81) if EDGE.geometry.is_edge(square)]

CONTRADICTIONS: list[tuple[str, Variant, dict[str, object]]] = [
    ("board: 0 kings", HOUSE, {"board": placed(HOUSE, f6="d")}),
    ("board: 2 kings", HOUSE, {"board": placed(HOUSE, f8="k")}),
    ("board: row of rank 11", HOUSE, {"board": placed(HOUSE, a11="x")}),
    ("board: row of rank 1 ", HOUSE, {"board": f"{HOUSE.board} ."}),
    ("board: position of 12 rows", HOUSE, {"board": f"{HOUSE.board}\n{'. ' * 12}"}),
    ("board: position of", HOUSE, {"board": ""}),
    (
        "board: the defender on a1 may not stand on a corner",
        HOUSE,
        {"board": placed(HOUSE, a1="d")},
    ),
    (
        "board: the defender on b2 may not stand on a corner",
        HOUSE,
        {"corners": 2, "board": placed(HOUSE, b2="d")},
    ),
    ("board: the defender on f6 may not stand on the throne", HOUSE, {"board": OFF_THRONE}),
    (
        "board: the defender on e7 may not stand on a camp",
        EDGE,
        {"camps": (("e7", "e8"),), "camp_harmless_to_attackers": ()},
    ),
    ("board: the king stands on his goal", EDGE, {"board": placed(EDGE, e5=".", b1="k")}),
    ("attacker_reach:", HOUSE, {"attacker_reach": -1}),
    ("attacker_reach:", HOUSE, {"attacker_reach": 11}),
    ("defender_reach:", HOUSE, {"defender_reach": -1}),
    ("defender_reach:", HOUSE, {"defender_reach": 11}),
    ("king_reach:", HOUSE, {"king_reach": -1}),
    ("king_reach:", HOUSE, {"king_reach": 11}),
    ("corners:", HOUSE, {"corners": -1}),
    ("corners:", HOUSE, {"corners": 3}),
    ("corners:", HOUSE, {"goal": Goal.EDGE}),
    ("corners:", EDGE, {"corners": 1}),
    ("goal:", HOUSE, {"corners": 0}),
    ("goal:", EDGE, {"goal": Goal.CORNER}),
    ("king_sides_on_throne:", HOUSE, {"king_sides_on_throne": 3}),
    ("king_sides_beside_throne:", HOUSE, {"king_sides_beside_throne": 0}),
    ("king_sides_elsewhere:", HOUSE, {"king_sides_elsewhere": 1}),
    ("exit_fort:", EDGE, {"exit_fort": True}),
    ("repetition_count:", HOUSE, {"repetition_count": 1}),
    ("repetition_count:", HOUSE, {"repetition_count": 4}),
    (
        "repetition_count: own-moves",
        HOUSE,
        {"repetition": Repetition.OWN_MOVES, "repetition_count": 2},
    ),
    ("quiet_plies:", HOUSE, {"quiet_plies": -1}),
    ("camps: a square stands in two groups", EDGE, {"camps": (("a4", "a5"), ("a5", "a6"))}),
    ("camps: 'k5'", EDGE, {"camps": (("a4", "k5"),)}),
    ("camps: 'here'", EDGE, {"camps": (("here",),)}),
    ("camps: the throne", EDGE, {"camps": (("e4", "e5"),)}),
    ("camps: a marked corner", HOUSE, {"camps": (("a1",),)}),
    ("camps: a marked corner", HOUSE, {"corners": 2, "camps": (("b2",),)}),
    ("camps: they cover the whole edge", EDGE, {"camps": (tuple(RIM),)}),
    ("camp_harmless_to_attackers: a5", EDGE, {"camp_harmless_to_attackers": ("a5",)}),
    (
        "camp_harmless_to_attackers: c3",
        EDGE,
        {"camps": (("a5",),), "camp_harmless_to_attackers": ("a5", "c3")},
    ),
    ("camp_harmless_to_attackers: 'x'", EDGE, {"camp_harmless_to_attackers": ("x",)}),
]


@pytest.mark.parametrize(("message", "variant", "changes"), CONTRADICTIONS)
def test_contradiction(message: str, variant: Variant, changes: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match=f"^{re.escape(message)}") as caught:
        replace(variant, **changes)
    assert str(caught.value).partition(":")[0] in {field.name for field in fields(Variant)}


@pytest.mark.parametrize(
    ("variant", "changes"),
    [
        (HOUSE, {"attacker_reach": 10, "defender_reach": 1, "king_reach": 0}),
        (HOUSE, {"king_sides_on_throne": 2, "king_sides_beside_throne": 2}),
        (HOUSE, {"repetition": Repetition.OWN_MOVES}),
        (HOUSE, {"corners": 2}),
        (EDGE, {"camps": (tuple(RIM[1:]),)}),
        (EDGE, {"throne": False, "camps": (("e5",),), "board": placed(EDGE, e5=".", c3="k")}),
        (HOUSE, {"throne": False, "board": OFF_THRONE}),
        (HOUSE, {"throne_stop": frozenset(Piece), "board": OFF_THRONE}),
        (EDGE, {"camps": (("a5", "b5"),), "camp_harmless_to_attackers": ("a5",)}),
    ],
)
def test_what_is_no_contradiction(variant: Variant, changes: dict[str, Any]) -> None:
    assert Game(replace(variant, **changes)).outcome is None


# The explanation.


@OF_EACH
def test_explanation(variant: Variant) -> None:
    lines = explain(variant)
    assert 8 <= len(lines) <= 24
    assert all(0 < len(line) <= WIDTH for line in lines)
    assert lines[0].startswith(f"{variant.name}: ")
    text = re.sub(r"\s+", " ", " ".join(lines))
    assert f"Board {variant.size}x{variant.size}" in text
    assert f"the {variant.first.value}s move first" in text
    assert variant.summary in text
    assert variant.source in text


SPEAKING: list[tuple[str, Callable[[Variant], object]]] = [
    ("at most", lambda v: v.attacker_reach or v.defender_reach or v.king_reach),
    ("There is no throne", lambda v: not v.throne),
    ("nobody may stop there once the king has left", lambda v: v.throne and not v.throne_stop),
    ("nobody may cross", lambda v: v.throne and not v.throne_cross),
    ("four corner squares", lambda v: v.corners == 1),
    ("four squares in each corner", lambda v: v.corners == 2),
    ("Camps (", lambda v: v.camps),
    ("The king takes no part", lambda v: v.king_armed is Armed.NEITHER),
    ("Shieldwall:", lambda v: v.shieldwall),
    ("in a fort", lambda v: v.exit_fort),
    ("past them", lambda v: v.encirclement),
    ("taken against it while", lambda v: v.linnaean),
    ("The edge closes a side", lambda v: v.edge_hostile_to_king),
    ("reaches a corner", lambda v: v.goal is Goal.CORNER),
    ("reaches the edge", lambda v: v.goal is Goal.EDGE),
    ("without a move draws", lambda v: v.no_move is NoMove.DRAW),
    ("have no move", lambda v: v.no_move is NoMove.LOSS),
    ("may repeat without end", lambda v: v.repetition is Repetition.NONE),
    ("with one move between", lambda v: v.repetition is Repetition.OWN_MOVES),
    ("for the second time", lambda v: v.repetition_count == 2),
    ("the start not counted", lambda v: not v.start_counts),
    ("plies without a capture", lambda v: v.quiet_plies),
    ("Raichi", lambda v: v.calls is Calls.RAICHI),
    ("watch your king when", lambda v: v.calls is Calls.WATCH_YOUR_KING),
]


@pytest.mark.parametrize(("words", "holds"), SPEAKING, ids=[words for words, _ in SPEAKING])
@OF_EACH
def test_the_explanation_says_what_holds_and_nothing_else(
    variant: Variant, words: str, holds: Callable[[Variant], object]
) -> None:
    text = re.sub(r"\s+", " ", " ".join(explain(variant)))
    assert (words in text) == bool(holds(variant))


@pytest.mark.parametrize("word", [*Armed, *NoMove, *Repetition, *Calls, *Side], ids=str)
def test_every_word_has_an_explanation(word: Enum) -> None:
    key = {
        Armed: "king_armed",
        NoMove: "no_move",
        Repetition: "repetition",
        Calls: "calls",
        Side: "first",
    }[type(word)]
    changed = replace(HOUSE, **{key: word})  # type: ignore[arg-type]
    assert explain(changed)
    if getattr(HOUSE, key) is not word:
        assert explain(changed) != explain(HOUSE)
