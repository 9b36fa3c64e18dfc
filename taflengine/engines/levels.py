"""Levels of strength: how much each looks at before it moves.

Between two levels lies the same factor of positions, since a search gains about the
same strength by each doubling. Their Elo table in README.md is measured.
"""

LOWEST, HIGHEST = 1, 10
"""The lowest plays as ``oneply`` does, the highest is held back by nothing."""

_FEWEST = 60
"""Positions of the lowest level that searches."""
_FACTOR = 3.4
"""By which each level has more than the one below. The highest, at a second a move, has it too."""


def nodes_of(level: int) -> int | None:
    """The positions that *level* visits for a move; None is no limit.

    That of the lowest is for searches that do not choose its moves.
    """
    return None if level == HIGHEST else round(_FEWEST * _FACTOR ** (max(level, 2) - 2))
