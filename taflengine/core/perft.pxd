from taflengine.core.endings cimport judge
from taflengine.core.position cimport Position

cdef unsigned long long count(Position position, int depth, int start) noexcept
