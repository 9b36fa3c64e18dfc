"""``taflengine convert`` and ``taflengine replay``: real processes, real files, real terminals."""

import json
import signal
import subprocess
from pathlib import Path

import pexpect
import pytest
from program import (
    COMMAND,
    ENVIRONMENT,
    ROOT,
    SECONDS,
    limited,
    run,
    started,
    wait_until,
    without_advice,
)

SHARED = ROOT.parent / "shared" / "games"
GAMES = "d6-c6 d5-e5,0,0,Ongoing\nd2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3,1,0,Ongoing\n"
LINE = "d2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3 c4-c3 f5-f4xe4 c3-d3 f4-f3 d3-c3,2,0,Ongoing\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.csv").write_text(GAMES)


def command(*arguments: str, sent: str = "") -> tuple[str, str, int]:
    done = run(*arguments, sent=sent)
    return done.stdout, without_advice(done.stderr), done.status


# Convert


def test_files_by_the_ends_of_their_names() -> None:
    for name in ("a.otg", "b.json", "c.moves", "d.csv"):
        assert command("convert", "--variant", "brandubh", "games.csv", name)[2] == 0
    assert Path("d.csv").read_text() == GAMES
    assert Path("c.moves").read_text() == "d6-c6 d5-e5\nd2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3\n"
    assert Path("a.otg").read_text().count("[variant:brandubh]") == 2
    assert command("convert", "a.otg", "e.json") == ("", "", 0)
    assert Path("e.json").read_text() == Path("b.json").read_text()
    assert command("convert", "b.json", "-", "--to", "csv") == (GAMES, "", 0)


def test_standard_input_and_output() -> None:
    arguments = ("convert", "-", "-", "--to", "moves", "--variant", "brandubh")
    out, complaints, status = command(*arguments, sent=GAMES)
    assert out == "d6-c6 d5-e5\nd2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3\n"
    assert complaints == ("taflengine: moves cannot say result: left out of 2 games\n")
    assert status == 0
    out, _, _ = command("convert", "-", "-", "--variant", "brandubh", sent=GAMES)
    assert out.startswith("[defenders-taken:0]\n"), "our own format unless another is asked for"


def test_rules_are_said_as_newgame_takes_them() -> None:
    Path("slow.toml").write_text('name = "slow"\nbased_on = "brandubh"\nking_reach = 1\n')
    string = "otn:dim:7 surf:n ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
    for rules in ("Brandubh", "@slow.toml", string):
        assert command("convert", "games.csv", "a.otg", "--variant", rules) == ("", "", 0)
        assert command("replay", "a.otg")[2] == 0
    assert command("convert", "games.csv", "a.otg", "--variant", "chess") == (
        "",
        "taflengine: 'chess' is no rule set: variants lists them\n",
        1,
    )


def test_the_first_fault_ends_it_and_leaves_the_old_file() -> None:
    Path("bad.moves").write_text("d6-c6\nx\nd6-c6\n")
    Path("old.otg").write_text("old")
    arguments = ("convert", "--variant", "brandubh", "bad.moves", "old.otg")
    assert command(*arguments) == (
        "",
        "taflengine: bad.moves, line 2, column 1: "
        "'x' is no move: a move is two squares, as e4-e7\n",
        1,
    )
    assert Path("old.otg").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["bad.moves", "games.csv", "old.otg"]


def test_lenient_leaves_out_what_is_broken_and_says_so() -> None:
    Path("bad.moves").write_text("d6-c6\nx\nd6-c6\n")
    out, complaints, status = command(
        *("convert", "--lenient", "--variant", "brandubh", "bad.moves", "new.moves")
    )
    assert (out, status) == ("", 1)
    assert complaints.startswith("taflengine: bad.moves, line 2, column 1: 'x' is no move: ")
    assert Path("new.moves").read_text() == "d6-c6\nd6-c6\n"


def test_a_file_may_be_converted_onto_itself_and_keeps_its_mode() -> None:
    Path("games.csv").chmod(0o640)
    Path("link.csv").symlink_to("games.csv")
    arguments = ("convert", "--variant", "brandubh", "--to", "moves", "games.csv", "link.csv")
    assert command(*arguments)[2] == 0
    assert Path("games.csv").read_text().startswith("d6-c6 d5-e5\n")
    assert Path("games.csv").stat().st_mode & 0o777 == 0o640
    assert Path("link.csv").is_symlink()


@pytest.mark.parametrize(
    ("arguments", "complaint", "status"),
    [
        (("convert",), "Missing argument 'IN'", 2),
        (("convert", "games.csv"), "Missing argument 'OUT'", 2),
        (("convert", "games.csv", "x", "--to", "pgn"), "'pgn' is not one of 'otg', 'json'", 2),
        (("convert", "none", "x"), "none: cannot be read: No such file or directory", 1),
        (("convert", "games.csv", "x"), "games.csv: csv says nothing of the rules: name a", 1),
        (
            ("convert", "games.csv", "none/x", "--variant", "brandubh"),
            "none/x: cannot be written: No such file or directory",
            1,
        ),
        (
            ("convert", "games.csv", ".", "--variant", "brandubh"),
            ".: cannot be written: Is a directory",
            1,
        ),
        (("replay",), "Missing argument 'FILE...'", 2),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    arguments: tuple[str, ...], complaint: str, status: int
) -> None:
    out, complaints, left = command(*arguments)
    assert (out, left) == ("", status)
    assert complaint in complaints.splitlines()[-1]


def test_a_reader_who_goes_ends_it() -> None:
    Path("many.csv").write_text(LINE * 5000)
    text = f"{' '.join(COMMAND)} convert --variant brandubh many.csv - | head -c 100 >/dev/null"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {text}"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, without_advice(done.stderr)) == (0, "")


def test_closed_input_is_said_in_a_line() -> None:
    done = subprocess.run(
        ["bash", "-c", f"{' '.join(COMMAND)} replay - <&-"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert without_advice(done.stderr) == "taflengine: standard input is closed\n"


def test_a_full_disk_leaves_the_old_file_and_nothing_else() -> None:
    """A limit on the size of files stands for the disk: the write fails in the middle."""
    Path("many.csv").write_text(LINE * 2000)
    Path("old.otg").write_text("old")
    done = subprocess.run(
        limited(40_000, "convert", "--variant", "brandubh", "many.csv", "old.otg"),
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert without_advice(done.stderr) == "taflengine: old.otg: cannot be written: File too large\n"
    assert (done.returncode, Path("old.otg").read_text()) == (1, "old")
    assert sorted(path.name for path in Path().iterdir()) == ["games.csv", "many.csv", "old.otg"]


def test_an_interrupt_leaves_the_old_file_and_nothing_else() -> None:
    Path("old.otg").write_text("old")
    command = (*COMMAND, "convert", "--variant", "brandubh", "-", "old.otg")
    with started(command, stdout=None) as process:
        process.stdin.write(LINE.encode() * 100)
        process.stdin.flush()
        wait_until(lambda: list(Path().glob(".old.otg.*.part")))
        process.send_signal(signal.SIGINT)
        assert process.wait(SECONDS) == 130
    assert Path("old.otg").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["games.csv", "old.otg"]


PEAK = """
import resource, sys
from taflengine.records.convert import convert
done = convert(sys.stdin.buffer, sys.stdout.buffer, form=sys.argv[1], to=sys.argv[2],
               variant=__import__("taflengine").find_variant("brandubh"))
sys.stderr.write(f"{done.games} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}")
"""


@pytest.mark.parametrize("form", ["csv", "otg", "json"])
def test_memory_does_not_grow_with_the_file(form: str) -> None:
    """Thousands of games more cost no megabyte more."""
    Path("one.csv").write_text(LINE)
    assert command("convert", "--variant", "brandubh", "one.csv", f"one.{form}")[2] == 0
    game = Path(f"one.{form}").read_bytes()

    def peak(count: int) -> int:
        done = subprocess.run(
            [*COMMAND[:-2], "-c", PEAK, form, "csv"],
            input=game * count,
            env=ENVIRONMENT,
            capture_output=True,
            timeout=SECONDS,
            check=True,
        )
        games, kilobytes = done.stderr.decode().split()
        assert int(games) == count
        return int(kilobytes)

    assert peak(3000) - peak(100) < 1024


def test_progress_is_shown_at_a_terminal_only() -> None:
    Path("many.csv").write_text(LINE * 3000)
    arguments = ["convert", "--variant", "brandubh", "many.csv", "many.otg"]
    assert command(*arguments) == ("", "", 0)
    child = pexpect.spawn(
        COMMAND[0], [*COMMAND[1:], *arguments], env=ENVIRONMENT, timeout=SECONDS, encoding="utf-8"
    )
    child.expect(r"\r\x1b\[K[0-9]+ games")
    child.expect(pexpect.EOF)
    child.close()
    assert child.before
    assert child.before.endswith("\r\x1b[K")
    assert child.exitstatus == 0


def test_a_complaint_takes_the_place_of_progress() -> None:
    """It does not stand behind the count of games."""
    Path("wrong.csv").write_text(LINE * 3000 + "zz,0,0,Ongoing\n")
    arguments = ["convert", "--variant", "brandubh", "wrong.csv", "wrong.otg"]
    child = pexpect.spawn(
        COMMAND[0], [*COMMAND[1:], *arguments], env=ENVIRONMENT, timeout=SECONDS, encoding="utf-8"
    )
    child.expect(r"\r\x1b\[K[0-9]+ games")
    child.expect(r"\r\x1b\[Ktaflengine: [^\r]*wrong.csv[^\r]*\r\n")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1


# Replay


def test_a_good_file() -> None:
    out, complaints, status = command("replay", "--variant", "brandubh", "games.csv")
    assert (complaints, status) == ("", 0)
    table = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
    assert (table["games"], table["moves"], table["capturing moves"]) == ("2", "7", "1")
    assert (table["not ended by the rules"], table["games with something wrong"]) == ("2", "0")


BAD = (
    "d6-c6 d5-e5,0,0,Ongoing\n"
    "d6-c6 d6-c6,0,0,Ongoing\n"
    "d6-c6 d5xe5,0,0,White\n"
    "d2-e2 c4-c5 f4-f5 d4-c4 e2-d2,1,0,Ongoing\n"
    "d6-c6 timeout,0,0,White\n"
)


def test_what_is_wrong_is_said_with_its_place() -> None:
    out, complaints, status = command("replay", "--variant", "brandubh", "-", sent=BAD)
    assert (complaints, status) == ("", 1)
    assert out.splitlines()[:4] == [
        "<stdin>, line 2, column 7: illegal move: d6-c6: there is no piece on the square",
        "<stdin>, line 3, column 7: 'd5xe5' is no move: a move is two squares, as e4-e7",
        "<stdin>, line 4, column 25: e2-d2: the captures written are not the captures made: d3",
        "<stdin>, line 5, column 1: defender gave up, and the record says defender",
    ]
    table = dict(line.rsplit(maxsplit=1) for line in out.splitlines()[4:])
    assert (table["games"], table["games with something wrong"]) == ("5", "4")
    assert table["wrong: a move is illegal"] == "1"
    assert table["wrong: the text is no record"] == "1"


def test_json_has_a_line_for_each_game_and_one_for_all() -> None:
    Path("bad.csv").write_text(BAD)
    arguments = ("replay", "--json", "--variant", "brandubh", "games.csv", "bad.csv")
    out, complaints, status = command(*arguments)
    assert (complaints, status) == ("", 1)
    *games, last = map(json.loads, out.splitlines())
    assert [game["game"] for game in games] == [1, 2, 1, 2, 3, 4, 5]
    assert games[0] == {
        "source": "games.csv",
        "game": 1,
        "line": 1,
        "variant": "brandubh",
        "moves": 2,
        "verdict": "ongoing",
        "reason": None,
        "outcome": "ongoing",
        "differences": [],
    }
    assert games[3]["differences"] == [
        {
            "kind": "illegal",
            "line": 2,
            "column": 7,
            "ply": 2,
            "move": "d6-c6",
            "text": "bad.csv, line 2, column 7: illegal move: d6-c6: "
            "there is no piece on the square",
        }
    ]
    assert games[4]["differences"][0]["kind"] == "unreadable"
    assert last["totals"]["games"] == 7
    assert {kind for kind, count in last["totals"]["differences"].items() if count == 0} == {
        "rules",
        "over",
    }


def test_a_file_that_is_not_there_is_wrong_and_others_are_judged() -> None:
    out, _, status = command("replay", "--variant", "brandubh", "none.csv", "games.csv")
    assert status == 1
    assert out.startswith("none.csv: cannot be read: No such file or directory\ngames")


@pytest.mark.parametrize(
    ("name", "variant"), [("copenhagen", "copenhagen"), ("brandubh", "brandubh-federation")]
)
def test_games_of_people(name: str, variant: str) -> None:
    path = SHARED / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there: games of people are no part of the project")
    out, _, status = command("replay", "--ignore-repetition", "--variant", variant, str(path))
    assert status == 0
    table = dict(line.rsplit(maxsplit=1) for line in out.splitlines())
    assert int(table["games"]) == len(path.read_text().splitlines())
    assert {count for line, count in table.items() if line.startswith("wrong: ")} == {"0"}
