"""Fuzzed lines through a network door: fifty come and go, half are killed in mid-command."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from doors import Caller, Door, door, needs_proc
from noise import BLOCK, KNOWN, check_reply, has_answer, kilobytes, lines
from program import SECONDS, wait_until

CALLERS, AT_ONCE = 50, 5
WORK = b"set_param engine search\nset_param movetime 900\ngenmove attacker\nhint\nplay d1-"
"""A command that goes on, another behind it, and the beginning of a third."""


class Visit:
    """One connection and what came of it."""

    def __init__(self, opened: Door, number: int, count: int) -> None:
        self.signs: Counter[str] = Counter()
        self.grown = 0
        """By how many kB the memory of its process grew after the first third."""
        source = lines(random.Random(number))
        blocks = [[next(source) for _ in range(BLOCK)] for _ in range(count // BLOCK)]
        with Caller(opened.port) as caller:
            assert caller.ask("set_param movetime 0.001") == "= "
            # A small table, for one of 16 megabytes may be filled at any time.
            assert caller.ask("set_param hash 1") == "= "
            guest = opened.guest_of(caller)
            begun = 0
            for index, block in enumerate(blocks):
                if index == len(blocks) // 3:
                    begun = kilobytes(guest)
                self._converse(caller, block, index)
            self.grown = kilobytes(guest) - begun
            if number % 2 == 0:
                assert caller.ask("quit") == "= "
                assert caller.rest() == b""
                return
            caller.send(WORK)
            caller.next()
            time.sleep(0.02 * (number % 10))
            if number % 4 == 1:
                os.kill(guest, signal.SIGKILL)
                caller.rest()
            else:
                caller.vanish()

    def _converse(self, caller: Caller, block: list[bytes], number: int) -> None:
        # Another thread sends, for a connection holds little and the program waits for its reader.
        data = b"\n".join(block) + KNOWN % number
        sender = threading.Thread(target=caller.send, args=(data,), daemon=True)
        sender.start()
        for line in filter(has_answer, block):
            self.signs[check_reply(line, caller.next())] += 1
        assert [caller.next() for _ in range(2)] == [b"= ", b"= "], number
        assert caller.next() == b"=%d taflengine" % number, block
        sender.join(SECONDS)


@needs_proc
@pytest.mark.parametrize(
    "count", [5_000, pytest.param(200_000, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_fifty_come_and_go_and_half_are_killed_in_mid_command(
    count: int, record_property: Callable[[str, object], None]
) -> None:
    """No process, no descriptor and no memory is left of them."""
    with door("--connections", str(CALLERS)) as opened:

        def visit(number: int) -> Visit:
            return Visit(opened, number, count // CALLERS)

        pid = opened.process.pid
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(visit, range(AT_ONCE)))
            before = kilobytes(pid)
            visits = list(pool.map(visit, range(CALLERS)))
        wait_until(lambda: not opened.guests())
        grown = kilobytes(pid) - before
        descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
        with Caller(opened.port) as caller:
            assert caller.ask("name") == "= taflengine"
    assert opened.messages() == ""
    signs = sum((each.signs for each in visits), Counter[str]())
    most = max(each.grown for each in visits)
    what = f"{count} fuzzed lines to a door by {CALLERS}"
    record_property(f"{what}: replies", ", ".join(f"{n} {sign}" for sign, n in signs.items()))
    record_property(f"{what}: the door grown by kB", grown)
    record_property(f"{what}: a process grown by kB, most", most)
    assert min(signs["="], signs["?"]) > count // 100
    assert grown < 1000
    assert most < 8000
    assert descriptors < 12
