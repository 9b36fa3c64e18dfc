"""The numbers that the compiled core works with.

A *cell* is what the board array holds for one square: the occupant in the two
low bits and the place, which never changes, in the bits above. A table indexed
by a cell therefore answers for occupant and place at once.

The array has a border one square wide: index 0 is its lower left corner, a1
stands at ``stride + 1``, and a step along a file is ``stride``.
"""

from taflengine.geometry import MAX_SIZE

EMPTY, ATTACKER, DEFENDER, KING = 0, 1, 2, 3
"""Occupants. A side is numbered like its men: 1 attackers, 2 defenders."""

OCCUPANT = 3
"""Mask of the occupant in a cell."""

PLAIN, THRONE, CORNER, CAMP, HARMLESS_CAMP, BORDER = 0, 4, 8, 12, 16, 20
"""Places. A harmless camp square is hostile to no attacker."""

PIECE_SHIFT = 5
"""A table by piece and cell is indexed ``piece << PIECE_SHIFT | cell``."""
BY_PIECE = 4 << PIECE_SHIFT
"""Length of such a table."""

MAX_CELLS = (MAX_SIZE + 2) ** 2
"""Length of a board array: the largest board and its border."""

NO_KING = 0
"""The king's index while he is off the board: a border cell."""

DEFENDERS_START = MAX_SIZE * MAX_SIZE
"""Where the defenders' men begin in the list of men; before them stand the attackers'."""

CROSS, STOP = 1, 2
"""Bits of the passage table: what a piece may do on an empty cell."""

MOVE_SHIFT = 9
"""A move is ``origin << MOVE_SHIFT | target``, both as indices of the board array."""
TARGET = (1 << MOVE_SHIFT) - 1
"""Mask of the target in a move."""

MAX_MOVES = 4 * MAX_SIZE * MAX_SIZE
"""Most moves in one position: an empty square is reached from four directions at most."""

FIRST_LIST = 4 * MAX_SIZE
"""Where the first list of moves begins; before it the moves of one piece are looked at."""

ONGOING = 0
KING_CAPTURED, ENCIRCLEMENT, AT_CORNER, AT_EDGE, EXIT_FORT, NO_MOVES, REPETITION, QUIET = range(
    1, 9
)
"""Why a game ends by the rules."""
WINNER_SHIFT = 4
"""An ending is ``winner << WINNER_SHIFT | reason``; winner 0 is a draw."""

NONE, DRAW, LOSS_DEFENDERS, LOSS_MOVER, WIN_MOVER, OWN_MOVES = range(6)
"""What repetition leads to."""

MAX_PLY = 128
"""Longest line that a search looks at, in plies from the root."""

MATE, WON, INFINITE = 30_000, 29_000, 31_000
"""Scores: a win at the root itself, from which each ply until the win takes one; scores
beyond ``WON`` are proven wins; ``INFINITE`` is beyond all."""

DRAWN = 300
"""What a draw costs the side that searches, an attacker being 100."""

BEST_FIRST, CAPTURE_FIRST = 1 << 30, 1 << 24
"""Places in the order of moves: the best known, captures; then history."""

ENTRY_SCORE, ENTRY_DEPTH, ENTRY_BOUND, ENTRY_AGE = 18, 34, 42, 44
"""Where an entry of the transposition table holds what; the move stands in the lowest bits."""
ENTRY_OFFSET = 32_768
"""Added to a score so that the entry holds no sign."""
