cimport cython
from taflengine.core.position cimport Position

cpdef int attackers_beside_king(Position position) noexcept nogil
cpdef int steps_gained(Position position) noexcept nogil


@cython.final
cdef class Evaluation:
    cdef int attacker, defender, distance, one_road, two_roads, two_moves, three_moves
    cdef int cut_off, outside_line, king_on_edge, attacker_beside_king, defender_beside_king
    cdef int closed_ring, square_inside, square_outside, barred, place_barred
    cdef int base, few
    cdef bint cut
    cdef short place[441]
    cdef int corner[4]
    cdef int corner_step[8]
    cdef unsigned char level[441]
    cdef unsigned char file_of[441]
    cdef unsigned char rank_of[441]
    cdef int attackers_on[38]
    cdef int defenders_on[38]
    cdef int inside[38]

    cdef int score(self, Position position) noexcept nogil
    cdef int enclosure(self, Position position, bint few, bint alone, int places) noexcept nogil
    cdef int along(self, int row, int free) noexcept nogil
    cdef void flood(self, int size, int file, int rank) noexcept nogil
    cdef int king_reach(self, Position position) noexcept nogil
    cdef int spread(self, Position position, int start, int end, int level) noexcept nogil
    cdef int corner_moves(self, Position position, int corner) noexcept nogil
    cdef int outside_lines(self, int size) noexcept nogil
