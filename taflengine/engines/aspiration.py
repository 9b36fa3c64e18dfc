"""A score is looked for near where it is expected: a narrow window cuts most of a tree sooner."""

from collections.abc import Callable

from taflengine.core.codes import INFINITE, WON
from taflengine.core.search import Search

WINDOW = 40
"""Half of the window in which a score is first looked for."""
FIRST_DEPTH = 4
"""Before it, scores swing too much from one depth to the next."""


def aspire(
    search: Search, run: Callable[[int, int, int], int], depth: int, guess: int | None
) -> int:
    """The exact score at *depth*, looked for near *guess* first.

    If it was stopped, the score of the best move looked at in full, which
    ``search.line`` tells, if there is one.

    Args:
        search: Where to look.
        run: Its ``run``, or what calls it.
        depth: Plies.
        guess: What the score is expected to be, from the side to move; None for unknown.
    """
    low, high, width = -INFINITE, INFINITE, WINDOW
    if guess is not None and depth >= FIRST_DEPTH and abs(guess) < WON:
        low, high = guess - width, guess + width
    while True:
        score = run(depth, low, high)
        if search.stopped:
            return int(search.root_score)
        if low < score < high:
            return score
        width *= 4
        if score <= low:
            low = max(-INFINITE, score - width)
        else:
            high = min(INFINITE, score + width)
