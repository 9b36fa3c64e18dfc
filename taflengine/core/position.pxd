# The layout of a position and the calls that other compiled modules make.

cimport cython


@cython.final
cdef class Position:
    cdef unsigned char cell[441]
    cdef unsigned char passage[128]
    cdef unsigned char hostile[128]
    cdef short camp[441]
    cdef unsigned char siege[441]
    cdef unsigned char goal[441]
    cdef short goal_steps[441]
    cdef short index_of[361]
    cdef short square_of[441]
    cdef short order_of[441]
    cdef unsigned long long zobrist[1764]
    cdef int reach[4]
    cdef int step[4]
    cdef readonly int size
    cdef int area, stride, throne
    cdef bint hammer, anvil, linnaean, shieldwall
    cdef bint exit_fort, encirclement, goal_is_edge, no_move_draws, start_counts
    cdef int repetition_rule, repetition_count, quiet_limit
    cdef readonly int repetition

    cdef readonly int side
    cdef readonly int ply
    cdef readonly unsigned long long key
    cdef int king
    cdef int quiet
    cdef int count[3]
    cdef short men[723]
    cdef short slot[441]

    cdef int taken_top
    cdef short taken_index[363]
    cdef short taken_slot[363]
    cdef unsigned char taken_piece[363]

    cdef int capacity
    cdef int *moves
    cdef int *quiets
    cdef short *tops
    cdef unsigned long long *keys

    cdef int room
    cdef int *found

    cdef unsigned char seen[441]
    cdef short queue[441]

    cdef void make(self, int move) noexcept nogil
    cdef void unmake(self) noexcept nogil
    cdef int generate(self, int side, int end) noexcept nogil
    cdef int slides(self, int origin, int end) noexcept nogil
    cdef int slide(self, int origin, int step, int end) noexcept nogil
    cdef bint has_move(self, int side) noexcept nogil
    cdef bint is_move(self, int move) noexcept nogil
    cdef void take(self, int index) noexcept nogil
    cdef void take_around(self, int target, int foe) noexcept nogil
    cdef void take_walls(self, int target, int side) noexcept nogil
    cdef bint is_king_taken(self, int target, int step) noexcept nogil
    cdef bint is_pinned_to_king(self, int index, int step) noexcept nogil
    cdef bint is_of(self, int index, int side) noexcept nogil
    cdef bint is_captor(self, int index, int side) noexcept nogil
