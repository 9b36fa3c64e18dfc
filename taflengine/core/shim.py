"""What the core's files use of Cython, for running them as plain Python without it."""

from contextlib import nullcontext
from typing import Any

compiled = False
int = Any  # noqa: A001
bint = Any
void = Any
ulonglong = Any
double = Any
nogil = nullcontext()


def declare(_kind: object, value: Any) -> Any:
    """The value itself; compiled, it becomes a C variable of that kind."""
    return value
