from taflengine.core.position cimport Position

cpdef int attackers_beside_king(Position position) noexcept nogil
cpdef int steps_gained(Position position) noexcept nogil
