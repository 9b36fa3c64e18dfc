"""Whether processes run."""

import time
from collections.abc import Iterable
from pathlib import Path

SECONDS = 10
"""How long a process may take to go."""


def is_alive(process: int) -> bool:
    """Whether a process runs; a zombie that nobody has taken notice of does not."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def assert_dead(processes: Iterable[int]) -> None:
    end = time.monotonic() + SECONDS
    while (left := [each for each in processes if is_alive(each)]) and time.monotonic() < end:
        time.sleep(0.01)
    assert not left


def children_of(process: int) -> set[int]:
    """The processes that *process* has started and that run."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return {int(word) for path in tasks for word in path.read_text().split()}
