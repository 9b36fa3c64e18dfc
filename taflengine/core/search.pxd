cimport cython
from taflengine.core.endings cimport judge_board, judge_repetition
from taflengine.core.evaluation cimport Evaluation
from taflengine.core.ordering cimport History, Ordering
from taflengine.core.position cimport Position
from taflengine.core.table cimport Table
from taflengine.core.tactics cimport capturing, king_roads, king_takers, may_win_quietly, road_blocks


@cython.final
cdef class Search:
    cdef Position position
    cdef Evaluation evaluation
    cdef Table table
    cdef Ordering ordering
    cdef int root
    cdef unsigned long long tint
    cdef readonly unsigned long long nodes
    cdef unsigned long long node_limit
    cdef readonly bint stopped
    cdef double deadline
    cdef readonly int horizon
    cdef bint exact, may_repeat, shared
    cdef readonly int root_score
    cdef int barred[1444]
    cdef int barred_count
    cdef int lines[16512]
    cdef int lengths[129]
    cdef int logarithms[64]
    cdef int put_off[4128]

    cdef int alphabeta(self, int depth, int alpha, int beta, int ply) noexcept nogil
    cdef int quiesce(self, int alpha, int beta, int ply, int left) noexcept nogil
    cdef int without_barred(self, int start, int end) noexcept nogil
    cdef bint count_node(self) noexcept nogil
    cdef int ending(self, int ply) noexcept nogil
    cdef int verdict(self, int ending, int ply) noexcept nogil
    cdef int draw(self, int ply) noexcept nogil
    cdef bint has_returned(self) noexcept nogil
    cdef int stuck(self, int ply) noexcept nogil
    cdef int static_score(self) noexcept nogil
    cdef bint may_end_otherwise(self) noexcept nogil
    cdef void keep_line(self, int move, int ply) noexcept nogil


cdef double now() noexcept nogil
