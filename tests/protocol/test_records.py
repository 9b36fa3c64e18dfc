"""loadgame, savegame and printgame in real processes: what stays, what is refused."""

import random
import subprocess
from pathlib import Path

import pytest
from program import ENVIRONMENT, ROOT, SECONDS, Program, limited, replies, without_advice

from taflengine.records.formats import parse_games, read_games

ANNOTATED = """\
[event:Spring games]
[puzzle-mode:loose]
[termination:the attackers resign]
[result:-1]
[variant:brandubh]
[start-comment:Look here.]

1. d6-c6! d5-e5
[298 30/3 at once|and the answer]

1b.1.1a. ..... d5-f5
2. c6-c7 ---
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.otg").write_text(ANNOTATED)
    Path("a.moves").write_text("d6-c6 d5-e5 c6-c7\n")


def talk(*lines: str) -> list[str]:
    """The answers, without signs and framing's end."""
    return [reply.removeprefix("= ") for reply in replies(lines)]


def printed(answer: str) -> str:
    """A record as ``printgame`` answers it, as it is in a file."""
    return "\n".join(line.rstrip() for line in answer.splitlines()) + "\n"


def test_a_game_is_loaded_whole_or_up_to_a_move() -> None:
    answers = talk(
        *(
            "loadgame a.otg",
            "history",
            "loadgame a.otg 1",
            "history",
            "loadgame a.otg 3",
            "history",
        ),
        *("side", "loadgame a.otg 99", "history", "rules", "result"),
    )
    whole = "d6-c6 d5-e5 c6-c7"
    assert answers[:6] == ["", whole, "", "", "", "d6-c6 d5-e5"]
    assert answers[6:9] == ["attacker", "", whole]
    assert '"name": "brandubh"' in answers[9]
    assert answers[10] == "ongoing", "a resignation ends no game here"


def test_formats_without_rules_are_played_by_those_in_force() -> None:
    assert talk("loadgame a.moves")[0].startswith("? cannot load file: a.moves, line 1, column 1: ")
    assert talk("newgame brandubh", "loadgame a.moves", "history")[2] == "d6-c6 d5-e5 c6-c7"


def test_what_was_loaded_is_printed_and_saved_as_it_was() -> None:
    answers = talk("loadgame a.otg", "printgame", "savegame b.otg")
    [loaded] = parse_games(ANNOTATED)
    assert parse_games(printed(answers[1])) == [loaded]
    assert list(read_games("b.otg")) == [loaded]


def test_remarks_stay_at_the_moves_that_still_stand() -> None:
    answers = talk(
        "loadgame a.otg 3", "play c6-d6", "printgame", "undo 2", "play d5-f5", "printgame"
    )
    longer, other = (parse_games(printed(answers[index]))[0] for index in (2, 5))
    assert dict(longer.tags) == {"event": "Spring games", "puzzle-mode": "loose"}
    assert longer.verdict.value == "ongoing"
    assert [entry.comment for entry in longer.entries] == ["at once", "and the answer", ""]
    assert longer.entries[0].clock
    assert longer.entries[0].mark == "!"
    assert longer.entries[1].variations
    assert [entry.comment for entry in other.entries] == ["at once", ""]
    assert other.entries[1].variations == ()


def test_a_new_game_has_nothing_of_the_old_one() -> None:
    for new in ("newgame brandubh", "clear_board", "setposition 7/7/7/3k3/7/7/a6 d", "boardsize 7"):
        answers = talk("newgame ard-ri", "loadgame a.otg", new, "printgame")
        if not answers[2].startswith("?"):
            assert "Spring" not in answers[3], new


def test_a_failed_load_leaves_the_game_and_its_remarks() -> None:
    Path("bad.otg").write_text(ANNOTATED.replace("c6-c7", "d5-d6"))
    Path("empty.otg").write_text("")
    answers = talk(
        *("loadgame a.otg", "loadgame bad.otg", "loadgame empty.otg", "loadgame gone.otg"),
        *("loadgame bad.otg 3", "loadgame a.otg", "printgame"),
    )
    assert answers[1] == (
        "? cannot load file: bad.otg, line 12, column 4: "
        "illegal move: d5-d6: there is no piece on the square"
    )
    assert answers[2] == "? cannot load file: empty.otg: there is no game in it"
    assert answers[3] == "? cannot load file: gone.otg: cannot be read: No such file or directory"
    assert answers[4] == "", "the illegal move is not reached"
    assert parse_games(printed(answers[6])) == parse_games(ANNOTATED)


def test_captures_that_are_not_made_are_refused() -> None:
    Path("x.moves").write_text("d2-e2 c4-c5 f4-f5 d4-c4 e2-d2xd3xd4\n")
    [_, answer, history] = talk("newgame brandubh", "loadgame x.moves", "history")
    assert answer == (
        "? cannot load file: x.moves, line 1, column 25: illegal move: e2-d2: "
        "the captures written are not the captures made: d3"
    )
    assert history == ""


def test_repetition_is_as_it_is_set() -> None:
    back = "d2-b2 d3-d2 b2-b3 d2-d3 b3-b2 d3-d2 b2-b3 d2-d3 b3-b2 d3-d2"
    Path("x.moves").write_text(f"{back}\n")
    answers = talk(
        *("newgame brandubh", "loadgame x.moves", "set_param repetition off", "loadgame x.moves"),
        "history",
    )
    assert answers[1].endswith("illegal move: d3-d2: game over: draw (repetition)")
    assert answers[3:] == ["", back]


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "tests/games").glob("*.txt")))
def test_games_under_every_rule_set_come_back(name: str) -> None:
    lines = (ROOT / "tests" / "games" / f"{name}.txt").read_text().splitlines()
    moves = min(lines, key=len).split(": ")[2].split()
    play = [f"newgame {name}", *(f"play {move}" for move in moves), "savegame x.otg"]
    first = talk(*play, "position", "result", "history", "printgame json")
    second = talk("loadgame x.otg", "position", "result", "history", "printgame json")
    assert second[1:] == first[-4:]


def test_a_kill_while_saving_leaves_a_whole_game() -> None:
    """The file is at any time the old one or the new one, whenever the process is killed."""
    remarks = "a long remark " * 2000
    for name, move in (("one", "d6-c6"), ("two", "d2-c2")):
        Path(f"{name}.otg").write_text(f"[variant:brandubh]\n\n1. {move}\n[{remarks}]\n")
    kept = {name: next(read_games(f"{name}.otg")) for name in ("one", "two")}
    generator = random.Random(5)
    seen = set()
    for _ in range(6):
        with Program() as program:
            program.ask("loadgame one.otg")
            assert program.ask("savegame game.otg") == "= "
            program.send(
                "loadgame two.otg\nsavegame game.otg\nloadgame one.otg\nsavegame game.otg\n" * 12
            )
            for _ in range(generator.randrange(40)):
                program.reply()
            program.process.kill()
            program.process.wait(SECONDS)
        [found] = list(read_games("game.otg"))
        [name] = [name for name, record in kept.items() if record.moves == found.moves]
        assert found.entries == kept[name].entries
        seen.add(name)
    assert seen == {"one", "two"}, "kills come at all sorts of times"


def test_a_full_disk_while_saving_leaves_the_old_game() -> None:
    """A limit on the size of files stands for the disk."""
    remarks = "a long remark " * 2000
    Path("long.otg").write_text(f"[variant:brandubh]\n\n1. d6-c6\n[{remarks}]\n")
    done = subprocess.run(
        limited(20_000),
        input="loadgame long.otg\nsavegame a.otg\nhistory\n",
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.stdout.split("\n\n")[:3] == [
        "= ",
        "? cannot save file: a.otg: cannot be written: File too large",
        "= d6-c6",
    ]
    assert (done.returncode, without_advice(done.stderr)) == (0, "")
    assert Path("a.otg").read_text() == ANNOTATED
    assert not list(Path().glob(".*"))


def test_a_directory_that_may_not_be_written_to() -> None:
    """A link that leads nowhere can be saved through; a missing directory cannot."""
    Path("link.otg").symlink_to("target.otg")
    Path("astray.otg").symlink_to("none/target.otg")
    answers = talk("savegame link.otg", "savegame astray.otg")
    assert answers == [
        "",
        "? cannot save file: astray.otg: cannot be written: No such file or directory",
    ]
    assert Path("link.otg").is_symlink()
    assert Path("target.otg").read_text().startswith("[result:?]\n")
