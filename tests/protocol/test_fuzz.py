"""Lines that nobody should send, many thousands to one process: each is answered, and no more."""

import random
import re
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from program import COMMAND, ENVIRONMENT, SECONDS, without_advice

from taflengine.protocol.commands import all_commands

BLOCK = 100
"""So many lines stand between two whose answers are known."""
WORDS = [
    *("attacker", "defender", "b", "W", "d1", "d1-d3", "d2-e2xd3/d4", "k11-a1", "a4a2", "Kd4-d5++"),
    *("0", "1", "2", "-1", "1.5", "1e9", "nan", "99999999999999999999", "2147483647", "0x10", "½"),
    *("brandubh", "tablut-bologna", "otn:dim:7", "@no.toml", "json", "otg", "3a3/3a3/7/7/7/7/3k3"),
    *("interval", "avoid", "allow", "d6-c6,d6-e6", "maxmoves", "depth", "nodes", "time", "fischer"),
    *("seed", "repetition", "off", "oneply", "random", "margin", "#", "\ufeff", "þ", "/" * 300),
]
DANGEROUS = re.compile(
    rb"perft|divide|quit|save|hash\s|threads|movetime|search|level|ponder", re.IGNORECASE
)
"""What may rightly take long, take much memory, write files or end the process."""


def lines(generator: random.Random) -> Iterator[bytes]:
    """Lines without end: commands, commands with something wrong, and anything."""
    names = list(all_commands())
    while True:
        words = [generator.choice(names), *generator.choices(WORDS, k=generator.randrange(4))]
        line = " ".join(words).encode()
        match generator.randrange(8):
            case 0:  # as it is
                pass
            case 1:  # an id, perhaps deep
                line = str(generator.randrange(10 ** generator.randrange(1, 400))).encode() + line
            case 2:  # bytes changed
                spoilt = bytearray(line)
                for _ in range(generator.randrange(1, 4)):
                    spoilt[generator.randrange(len(spoilt))] = generator.randrange(256)
                line = bytes(spoilt)
            case 3:  # cut short
                line = line[: generator.randrange(len(line))]
            case 4:  # another encoding
                encoding = generator.choice(["utf-16", "utf-32", "latin-1", "cp037", "utf-7"])
                line = " ".join(words).encode(encoding, errors="replace")
            case 5:  # huge numbers
                line += b" " + str(-(10 ** generator.randrange(400))).encode()
            case 6:  # said many times
                line = b" ".join([line] * generator.randrange(1, 40))
            case _:  # anything
                line = generator.randbytes(generator.randrange(60))
        if generator.randrange(2000) == 0:
            line *= 5000
        line = line.replace(b"\n", b" ")
        if not DANGEROUS.search(line):
            yield line
            if b"analyze" in line:
                yield b"stop"


def has_answer(line: bytes) -> bool:
    """Whether *line* has more on it than blanks, characters that do not count, and a comment."""
    before = line.partition(b"#")[0]
    words = re.sub(rb"[\x00-\x20\x7f]", b"", before.removeprefix(b"\xef\xbb\xbf"))
    return bool(words) or len(before) > 65536


def memory(process: Any) -> int:
    """What *process* holds, in kB; 0 where that cannot be seen."""
    status = Path(f"/proc/{process.pid}/status")
    return int(status.read_text().partition("VmRSS:")[2].split()[0]) if status.exists() else 0


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
                # A new game, so that the state that lines have made does not last.
                known = b"\nclear_board\ntime_settings 0 1 0\n%d name\n" % number
                process.stdin.write(b"\n".join(block) + known)
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
                    assert re.match(rb"[=?]\d* ", reply), (line[:200], reply[:200])
                    assert b"Traceback" not in reply, line[:200]
                    assert b"internal error" not in reply, (line[:200], reply[:500])
                    signs[reply[:1].decode()] += 1
                assert [reply_of(process.stdout) for _ in range(2)] == [b"= ", b"= "], number
                assert reply_of(process.stdout) == b"=%d taflengine" % number, block
                if number == len(blocks) // 3:
                    begun = memory(process)
            grown = memory(process) - begun
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
    """The next reply without its end; it holds no character that no reply may hold."""
    found = []
    while (line := stream.readline()) not in (b"\n", b""):
        found.append(line)
    assert line, f"the program has gone after {b''.join(found)!r}"
    text = b"".join(found).removesuffix(b"\n")
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", text)
    text.decode()
    return text


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
