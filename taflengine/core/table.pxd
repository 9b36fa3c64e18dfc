cimport cython

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define prefetch_memory(address) __builtin_prefetch(address)
    #else
    #define prefetch_memory(address)
    #endif
    """
    void prefetch_memory(const void *address) noexcept nogil


@cython.final
cdef class Table:
    cdef unsigned long long *slots
    cdef readonly unsigned long long size
    cdef int age
    cdef unsigned long long busy[4096]

    cdef void fetch(self, unsigned long long key) noexcept nogil
    cdef unsigned long long probe(self, unsigned long long key) noexcept nogil
    cdef void store(
        self, unsigned long long key, int move, int score, int depth, int bound
    ) noexcept nogil
    cdef bint claim(self, unsigned long long work) noexcept nogil
    cdef void release(self, unsigned long long work) noexcept nogil
