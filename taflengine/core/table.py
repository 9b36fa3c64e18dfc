"""The transposition table: scores and moves of positions that were searched before.

An entry is one number of 64 bits: move, score, depth, bound and age. Beside it
stands the key, mixed with the entry, so that two threads that write one slot at
once leave a slot that nobody believes. A slot holds one entry; a deeper one
stays until its search is over. Searches that share a table tell each other there too
which moves they are busy with.
"""

try:
    import cython
except ModuleNotFoundError:
    from taflengine.core import shim as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free

from taflengine.core import codes

MISSING = cython.declare(cython.ulonglong, 0)
SCORE_SHIFT = cython.declare(cython.int, codes.ENTRY_SCORE)
DEPTH_SHIFT = cython.declare(cython.int, codes.ENTRY_DEPTH)
BOUND_SHIFT = cython.declare(cython.int, codes.ENTRY_BOUND)
AGE_SHIFT = cython.declare(cython.int, codes.ENTRY_AGE)
SCORE_OFFSET = cython.declare(cython.int, codes.ENTRY_OFFSET)
AGES = cython.declare(cython.int, 63)
PLACES = cython.declare(cython.int, 4096)
"""Pieces of work that are remembered; threads do a few at a time each."""
BYTES = 16
"""Memory of one slot."""


class Table:
    """A table whose slots take *megabytes* of memory, rounded down to a power of two of them.

    Raises:
        MemoryError: there is not so much.
    """

    def __init__(self, megabytes: int) -> None:
        slots = 1 << ((megabytes << 20) // BYTES).bit_length() - 1
        self.size = slots
        self.age = 1
        # Key and entry side by side: one look at memory for both.
        if cython.compiled:
            self.slots = cython.cast(cython.p_ulonglong, calloc(slots, BYTES))
            if self.slots == cython.NULL:
                raise MemoryError
        else:
            self.slots, self.busy = [0] * (2 * slots), [0] * PLACES

    def __dealloc__(self) -> None:
        if cython.compiled:
            free(self.slots)

    def next_search(self) -> None:
        """Let entries of earlier searches give way to new ones."""
        self.age = self.age % AGES + 1

    def fetch(self, key: cython.ulonglong) -> cython.void:
        """Have the memory for *key* brought near: ``probe`` will ask for it in a moment."""
        if cython.compiled:
            prefetch_memory(cython.address(self.slots[2 * (key & (self.size - 1))]))  # type: ignore[name-defined]  # noqa: F821  # C's, in table.pxd

    def probe(self, key: cython.ulonglong) -> cython.ulonglong:
        """The entry for *key*, 0 for none."""
        slot: cython.ulonglong = 2 * (key & (self.size - 1))
        entry: cython.ulonglong = self.slots[slot + 1]
        return entry if self.slots[slot] ^ entry == key else MISSING

    def store(
        self,
        key: cython.ulonglong,
        move: cython.int,
        score: cython.int,
        depth: cython.int,
        bound: cython.int,
    ) -> cython.void:
        """Keep what a search of *depth* plies found; a deeper entry of this search stays."""
        slot: cython.ulonglong = 2 * (key & (self.size - 1))
        old: cython.ulonglong = self.slots[slot + 1]
        same: cython.bint = (self.slots[slot] ^ old) == key
        old_depth: cython.int = old >> DEPTH_SHIFT & 255
        entry: cython.ulonglong
        high: cython.ulonglong = score + SCORE_OFFSET
        if old >> AGE_SHIFT == self.age and old_depth > depth + (3 if same else 0):
            return
        entry = high << SCORE_SHIFT | move
        high = depth
        entry |= high << DEPTH_SHIFT
        high = bound
        entry |= high << BOUND_SHIFT
        high = self.age
        entry |= high << AGE_SHIFT
        self.slots[slot + 1] = entry
        self.slots[slot] = key ^ entry

    def claim(self, work: cython.ulonglong) -> cython.bint:
        """Whether no other search does the piece of work with this number; then it is the caller's.

        Two searches that ask at once, or works that fall on one place, may both be
        told so: then something is searched twice.
        """
        if self.busy[work & (PLACES - 1)] == work:
            return False
        self.busy[work & (PLACES - 1)] = work
        return True

    def release(self, work: cython.ulonglong) -> cython.void:
        """The piece of work with this number is done, or given up."""
        self.busy[work & (PLACES - 1)] = 0
