from taflengine.core.position cimport Position

cpdef int judge(Position position) noexcept nogil
cpdef int judge_board(Position position) noexcept nogil
cpdef int judge_repetition(Position position) noexcept nogil
cdef bint is_encircled(Position position) noexcept nogil
cdef bint reaches_edge(Position position, int start) noexcept nogil
cdef bint is_in_fort(Position position) noexcept nogil
cdef bint fill_fort(Position position) noexcept nogil
cdef void mark_safe(Position position) noexcept nogil
cdef bint is_held(Position position, int index, int step) noexcept nogil
