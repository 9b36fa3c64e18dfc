from taflengine.core.position cimport Position

cdef int arrivals(Position position, int target, int side, int end) noexcept nogil
cpdef int capturing(Position position, int end) noexcept nogil
cpdef bint is_listed(Position position, int move, int start, int end) noexcept nogil
cpdef int king_roads(Position position) noexcept nogil
cdef int goal_on_line(Position position, int step) noexcept nogil
cpdef int road_blocks(Position position, int end) noexcept nogil
cpdef int king_takers(Position position, int end) noexcept nogil
cpdef bint may_win_quietly(Position position) noexcept nogil
cdef bint may_close_ring(Position position) noexcept nogil
cdef int clear_lines(Position position, int index) noexcept nogil
cdef int free_beside(Position position, int index) noexcept nogil
cdef bint can_be_taken(Position position, int index, int side) noexcept nogil
cdef bint is_on_edge(Position position, int index) noexcept nogil
cdef bint is_open(int code) noexcept nogil
cdef int captors_to(Position position, int target, int first, int end) noexcept nogil
