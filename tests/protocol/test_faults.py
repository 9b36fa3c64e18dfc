"""A fault of the program's own, in each dialect: one line says so, and the session goes on."""

import subprocess
import sys

import pytest
from program import ENVIRONMENT, SECONDS, without_advice

ERROR = "internal error: IndexError: list index out of range"
ROWS = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"


@pytest.mark.parametrize("command", ["genmove attacker", "hint", "analyze depth 3"])
def test_a_system_without_room_is_no_fault(command: str) -> None:
    """So many threads are allowed, but there is no memory for them."""
    lines = f"set_param engine search\nset_param threads 64\n{command}\nside\n"
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)); "
        "from taflengine.__main__ import main; sys.argv[1:] = []; main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input=lines,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
    )
    assert (without_advice(done.stderr), done.returncode) == ("", 0)
    *_, said, side, rest = done.stdout.split("\n\n")
    assert ("no room for another thread" in said) or ("not enough memory" in said), said
    assert (side, rest) == ("= attacker", "")


@pytest.mark.parametrize(
    ("dialect", "broken", "sent", "said"),
    [
        ("gtp", "make", "genmove attacker\nname\n", f"? {ERROR}\n\n= taflengine\n\n"),
        (
            *("uci", "deepen", "position startpos\ngo depth 1\ngo nodes 9\n"),
            f"info string {ERROR}\nbestmove (none)\n" * 2,
        ),
        ("uci", "begin", "ucinewgame\nisready\n", f"info string {ERROR}\nreadyok\n"),
        ("htp", "deepen", "generate_move\nprotocol_version\n", f"? {ERROR}\n\n= 1-beta\n"),
        (
            *("otep", "deepen", f"rules dim:7 start:{ROWS}\nplay attackers\nanalyze 1 1\n"),
            f"hello\nstatus {ERROR}\nstatus {ERROR}\n",
        ),
    ],
)
def test_a_fault_is_told_and_survived(dialect: str, broken: str, sent: str, said: str) -> None:
    code = (
        "import sys; from taflengine.__main__ import main; "
        "from taflengine.protocol.session import Session; "
        f"Session.{broken} = lambda *_, **_more: [][0]; "
        f"sys.argv[1:] = ['--protocol', '{dialect}']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input=sent,
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=SECONDS,
        check=False,
    )
    assert (done.stdout, done.returncode) == (said, 0)
    complaints = without_advice(done.stderr).splitlines()
    assert len(complaints) == said.count(ERROR)
    assert all(line.startswith(f"taflengine: {ERROR}") for line in complaints)
