cimport cython


@cython.final
cdef class Table:
    cdef unsigned long long *slots
    cdef readonly unsigned long long size
    cdef int age

    cdef unsigned long long probe(self, unsigned long long key) noexcept nogil
    cdef void store(
        self, unsigned long long key, int move, int score, int depth, int bound
    ) noexcept nogil
