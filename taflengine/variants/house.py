"""The house game: the default, and what every other rule set is compared with.

It stands apart so that a process which plays nothing else loads no other.
"""

from taflengine.rules import Variant

DIAMOND = """
    . . . a a a a a . . .
    . . . . . a . . . . .
    . . . . . . . . . . .
    a . . . . d . . . . a
    a . . . d d d . . . a
    a a . d d k d d . a a
    a . . . d d d . . . a
    a . . . . d . . . . a
    . . . . . . . . . . .
    . . . . . a . . . . .
    . . . a a a a a . . ."""
"""The start that most games on 11 x 11 share."""

HNEFATAFL = Variant(
    name="hnefatafl",
    aliases=("house",),
    summary="11x11, corners; king taken on four sides, never on the edge; no extra rules",
    source="The rules that our house table uses; they descend from The Viking Game (1981), whose"
    " start is taken. The start counts as the first of three occurrences.",
    board=DIAMOND,
)
