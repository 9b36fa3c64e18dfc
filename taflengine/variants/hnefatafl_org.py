"""The games of hnefatafl.org, of which its text protocol knows the size alone."""

from dataclasses import replace

from taflengine.pieces import MEN, Side
from taflengine.rules import Repetition, Variant
from taflengine.variants.corner_games import BRANDUBH_CROSS, COPENHAGEN

COPENHAGEN_13 = replace(
    COPENHAGEN,
    name="copenhagen-13",
    summary="13x13, corners; Copenhagen on a larger board",
    source="Copenhagen Hnefatafl with the start that hnefatafl.org has for its board of 13.",
    board="""
        . . . a a a a a a a . . .
        . . . . . . a . . . . . .
        . . . . . . . . . . . . .
        a . . . . . d . . . . . a
        a . . . . . d . . . . . a
        a . . . . d d d . . . . a
        a a . d d d k d d d . a a
        a . . . . d d d . . . . a
        a . . . . . d . . . . . a
        a . . . . . d . . . . . a
        . . . . . . . . . . . . .
        . . . . . . a . . . . . .
        . . . a a a a a a a . . .""",
)
BRANDUBH_DEFENDERS_FIRST = Variant(
    name="brandubh-defenders-first",
    summary="7x7, corners; defenders begin; king taken by two off his throne, shieldwall",
    source="The board of 7 of hnefatafl.org: four attackers take the king on the throne, two on"
    " opposite sides elsewhere, no square in place of one; no fort, but shieldwall and ring.",
    board=BRANDUBH_CROSS,
    first=Side.DEFENDER,
    throne_hostile_empty=MEN,
    corner_hostile=MEN,
    king_sides_beside_throne=2,
    king_sides_elsewhere=2,
    shieldwall=True,
    encirclement=True,
    repetition=Repetition.LOSS_DEFENDERS,
)

BY_SIZE = {7: BRANDUBH_DEFENDERS_FIRST, 11: COPENHAGEN, 13: COPENHAGEN_13}
"""The game that is played on a board of each size."""
