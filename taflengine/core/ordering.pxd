cimport cython
from taflengine.core.position cimport Position
from taflengine.core.tactics cimport capturing, is_listed


@cython.final
cdef class History:
    cdef int cells
    cdef short *counts

    cdef int place(self, int side, int move) noexcept nogil
    cdef void add(self, int side, int move, int bonus) noexcept nogil


@cython.final
cdef class Ordering:
    cdef Position position
    cdef History history
    cdef int *scores

    cdef int first(self, int start, int best) noexcept nogil
    cdef int rest(self, int start, int end, int last) noexcept nogil
    cdef void rate(self, int start, int end, int best) noexcept nogil
    cdef void pick(self, int start, int end) noexcept nogil
    cdef void reward(self, int start, int last, int depth) noexcept nogil
