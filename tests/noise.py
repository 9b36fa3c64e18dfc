"""Lines that nobody should send."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from taflengine.protocol.commands import all_commands

BLOCK = 100
"""So many lines stand between two whose answers are known."""
KNOWN = b"\nclear_board\ntime_settings 0 1 0\n%d name\n"
"""Those: a new game, so that the state that lines have made does not last, and a name."""
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


def check_reply(line: bytes, reply: bytes) -> str:
    """The sign of the *reply* to *line*, which must be framed and say nothing of a bug."""
    assert re.match(rb"[=?]\d* ", reply), (line[:200], reply[:200])
    assert not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", reply), (line[:200], reply[:200])
    assert b"Traceback" not in reply, line[:200]
    assert b"internal error" not in reply, (line[:200], reply[:500])
    reply.decode()
    return chr(reply[0])


def kilobytes(pid: int) -> int:
    """The memory that a process holds; 0 where that cannot be seen."""
    status = Path(f"/proc/{pid}/status")
    return int(status.read_text().partition("VmRSS:")[2].split()[0]) if status.exists() else 0
