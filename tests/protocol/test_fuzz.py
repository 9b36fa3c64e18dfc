"""Lines that nobody should send, many thousands to one process: each is answered, and no more."""

import random
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from noise import BLOCK, KNOWN, check_reply, has_answer, kilobytes, lines
from program import COMMAND, ENVIRONMENT, SECONDS, without_advice


def fuzz(count: int, directory: Path, seed: int = 1) -> tuple[Counter[str], int]:
    """Send *count* lines; the signs of the replies, and by how many kB memory grew after a third.

    After each block a line whose answer is known comes: so a reply too few or too many
    is seen where it happens.
    """
    source = lines(random.Random(seed))
    blocks = [[next(source) for _ in range(BLOCK)] for _ in range(count // BLOCK)]
    signs: Counter[str] = Counter()
    with (directory / "messages").open("w+b") as messages:
        process: Any = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=messages,
            env=ENVIRONMENT,
            cwd=directory,
        )

        def send() -> None:
            process.stdin.write(b"set_param movetime 0.001\n")
            for number, block in enumerate(blocks):
                process.stdin.write(b"\n".join(block) + KNOWN % number)
            process.stdin.close()

        # Another thread sends, for a pipe holds little and the program waits for its reader.
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        try:
            assert reply_of(process.stdout) == b"= "
            begun = 0
            for number, block in enumerate(blocks):
                for line in filter(has_answer, block):
                    reply = reply_of(process.stdout)
                    signs[check_reply(line, reply)] += 1
                assert [reply_of(process.stdout) for _ in range(2)] == [b"= ", b"= "], number
                assert reply_of(process.stdout) == b"=%d taflengine" % number, block
                if number == len(blocks) // 3:
                    begun = kilobytes(process.pid)
            grown = kilobytes(process.pid) - begun
            assert process.stdout.read() == b""
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()
            sender.join(SECONDS)
            process.stdout.close()
            process.wait()
        messages.seek(0)
        assert without_advice(messages.read().decode()) == ""
    return signs, grown


def reply_of(stream: Any) -> bytes:
    """The next reply without its end."""
    found = []
    while (line := stream.readline()) not in (b"\n", b""):
        found.append(line)
    assert line, f"the program has gone after {b''.join(found)!r}"
    return b"".join(found).removesuffix(b"\n")


@pytest.mark.parametrize(
    "count", [10_000, pytest.param(200_000, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_whatever_is_sent(
    count: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    signs, grown = fuzz(count, tmp_path)
    record_property(
        f"{count} fuzzed lines: replies", ", ".join(f"{n} {s}" for s, n in signs.items())
    )
    record_property(f"{count} fuzzed lines: memory grown by kB", grown)
    assert min(signs["="], signs["?"]) > count // 100
    assert grown < 8_000
    assert [path.name for path in tmp_path.iterdir()] == ["messages"]
