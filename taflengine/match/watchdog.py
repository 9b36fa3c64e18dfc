"""Ends engines whose runner has gone, however it went.

It is a process of its own: started with this file as a script, it reads lines
``add GROUP`` and ``drop GROUP`` from the runner until the end of the input, which
comes when the runner ends, even by SIGKILL. What was not dropped is killed then, and
so is every process that carries the runner's mark in its environment: whoever left
its group, or was started and not yet reported.

Only the standard library is used, and little of it, for the script starts at each match.
"""

import os
import signal
import sys
from contextlib import suppress

MARK = "TAFLENGINE_MATCH"
"""The variable of the environment that says to which runner and engine a process belongs."""
_PROCESSES = "/proc"
_ROUNDS = 20
"""So often it is looked for processes that were started while others were killed."""


def kill_group(group: int) -> None:
    """Kill the processes of *group*, if there are any left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_marked(mark: str) -> None:
    """Kill every process whose mark begins with *mark*, where the system shows environments."""
    wanted = f"{MARK}={mark}".encode()
    for _ in range(_ROUNDS):
        found = [process for process in _processes() if _is_marked(process, wanted)]
        for process in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    with suppress(OSError):
        return [int(name) for name in os.listdir(_PROCESSES) if name.isdecimal()]  # noqa: PTH208
    return []


def _is_marked(process: int, wanted: bytes) -> bool:
    """Whether the environment that *process* began with has the mark; a zombie has none."""
    with suppress(OSError), open(f"{_PROCESSES}/{process}/environ", "rb") as file:  # noqa: PTH123
        return any(entry.startswith(wanted) for entry in file.read().split(b"\0"))
    return False


def _watch(mark: str) -> None:
    groups: set[int] = set()
    for line in sys.stdin:
        word, group = line.split()
        (groups.add if word == "add" else groups.discard)(int(group))
    for group in groups:
        kill_group(group)
    kill_marked(mark)


if __name__ == "__main__":
    # It outlives whatever ends the runner; only the end of its input ends it.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _watch(sys.argv[1])
