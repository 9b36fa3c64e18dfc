"""What hypothesis draws in the tests: rule sets that say everything that can be said."""

import string
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from taflengine.geometry import SIZES, Geometry, geometry_of
from taflengine.notation import Board, format_picture, parse_square, square_name
from taflengine.pieces import EVERYBODY, KING_ONLY, Piece, Side
from taflengine.rules import Armed, Calls, Goal, NoMove, Pieces, Repetition, Variant

UNHURRIED = settings(suppress_health_check=[HealthCheck.too_slow])
"""For tests that draw whole rule sets: a busy machine is no failure."""

_WORDS = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=5)
_NAMES = st.lists(_WORDS, min_size=1, max_size=3).map("-".join)
_LINES = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=40)
_SOURCES = st.lists(_LINES, max_size=3).map("\n".join)
_PIECES: st.SearchStrategy[Pieces] = st.sets(st.sampled_from(Piece)).map(frozenset)
_SIDES = st.sampled_from((2, 4))


def _squares(draw: st.DrawFn, free: set[int], most: int) -> list[int]:
    """Some of the *free* squares, which are no longer free afterwards."""
    if not free:
        return []
    drawn = draw(st.lists(st.sampled_from(sorted(free)), max_size=most, unique=True))
    free -= set(drawn)
    return drawn


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """A rule set without a contradiction; its board is drawn as ``format_picture`` draws."""
    geometry = geometry_of(draw(st.sampled_from((*SIZES[:3], SIZES[0], SIZES[-1]))))
    goal = draw(st.sampled_from(Goal))
    corners = draw(st.sampled_from((1, 2))) if goal is Goal.CORNER else 0
    throne = draw(st.booleans())
    marked = geometry.corner_squares(corners) | ({geometry.centre} if throne else set())
    camps = draw(st.booleans()) and _camps(draw, geometry, marked)
    camp_names = [square for group in camps or () for square in group]
    repetition = draw(st.sampled_from(Repetition))
    own_moves = repetition is Repetition.OWN_MOVES
    reaches = st.integers(0, geometry.size - 1)
    values: dict[str, Any] = {
        "name": draw(_NAMES),
        "summary": draw(_LINES),
        "source": draw(_SOURCES),
        "aliases": tuple(draw(st.lists(_NAMES, max_size=2))),
        "first": draw(st.sampled_from(Side)),
        "attacker_reach": draw(reaches),
        "defender_reach": draw(reaches),
        "king_reach": draw(reaches),
        "throne": throne,
        "throne_stop": draw(st.sampled_from((KING_ONLY, EVERYBODY)) | _PIECES),
        "throne_cross": draw(_PIECES),
        "throne_hostile_empty": draw(_PIECES),
        "throne_hostile_occupied": draw(_PIECES),
        "corners": corners,
        "corner_hostile": draw(_PIECES),
        "edge_hostile_to_king": draw(st.booleans()),
        "camps": camps or (),
        "camp_hostile": draw(_PIECES),
        "camp_harmless_to_attackers": tuple(
            draw(st.lists(st.sampled_from(camp_names), max_size=2)) if camp_names else ()
        ),
        "king_armed": draw(st.sampled_from(Armed)),
        "king_sides_on_throne": draw(_SIDES),
        "king_sides_beside_throne": draw(_SIDES),
        "king_sides_elsewhere": draw(_SIDES),
        "goal": goal,
        "shieldwall": draw(st.booleans()),
        "exit_fort": goal is Goal.CORNER and draw(st.booleans()),
        "encirclement": draw(st.booleans()),
        "linnaean": draw(st.booleans()),
        "no_move": draw(st.sampled_from(NoMove)),
        "repetition": repetition,
        "repetition_count": 3 if own_moves else draw(st.sampled_from((2, 3))),
        "start_counts": draw(st.booleans()),
        "captures_clear_positions": draw(st.booleans()),
        "quiet_plies": draw(st.sampled_from((0, 1, 100))),
        "calls": draw(st.sampled_from(Calls)),
    }
    camp_squares = frozenset(parse_square(name, geometry.size) for name in camp_names)
    goals = geometry.corner_squares(corners)
    if goal is Goal.EDGE:
        goals = frozenset(filter(geometry.is_edge, range(geometry.area)))
    return Variant(board=draw(_starts(geometry, marked, goals, camp_squares)), **values)


def _camps(
    draw: st.DrawFn, geometry: Geometry, marked: frozenset[int]
) -> tuple[tuple[str, ...], ...]:
    free = set(range(geometry.area)) - marked
    groups = [_squares(draw, free, 4) for _ in range(draw(st.integers(1, 4)))]
    return tuple(tuple(square_name(square, geometry.size) for square in group) for group in groups)


@st.composite
def _starts(
    draw: st.DrawFn,
    geometry: Geometry,
    marked: frozenset[int],
    goals: frozenset[int],
    camps: frozenset[int],
) -> str:
    """A drawing with a king off his goals, men on squares without a mark, attackers in camps."""
    open_squares = set(range(geometry.area)) - camps
    king = draw(
        st.sampled_from(sorted(open_squares & {geometry.centre} or open_squares - goals))
        | st.sampled_from(sorted(open_squares - goals))
    )
    free = set(range(geometry.area)) - marked - {king}
    pieces: list[Piece | None] = [None] * geometry.area
    pieces[king] = Piece.KING
    for piece in (Piece.ATTACKER, Piece.DEFENDER):
        for square in _squares(draw, free, 12):
            # A defender drawn for a camp stays away.
            if piece is Piece.DEFENDER and square in camps:
                continue
            pieces[square] = piece
    return format_picture(Board(geometry.size, tuple(pieces)))


def sayable_in_opentafl(variant: Variant) -> Variant:
    """*variant*, changed where OpenTafl's language has no words for what it says."""
    sayable = (Repetition.NONE, Repetition.DRAW, Repetition.LOSS_MOVER, Repetition.WIN_MOVER)
    repeats = variant.repetition in sayable
    sides = variant.king_sides_beside_throne
    return replace(
        variant,
        camps=(),
        camp_harmless_to_attackers=(),
        king_sides_on_throne=sides,
        king_sides_elsewhere=min(sides, variant.king_sides_elsewhere),
        no_move=NoMove.LOSS,
        repetition=variant.repetition if repeats else Repetition.DRAW,
        repetition_count=3,
        start_counts=True,
        quiet_plies=0,
    )
