"""Games that are void, and what ends a match, with a crew that plays nothing."""

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import assert_dead

from taflengine.match.crew import Crew, Result, Table
from taflengine.match.games import Ending, FinishedGame, Player, read_journal
from taflengine.match.journal import Journal
from taflengine.match.plan import GamePlan
from taflengine.match.process import EngineProcess, Guard
from taflengine.match.report import Report
from taflengine.match.runner import End, Observer, Runner
from taflengine.match.settings import complete, parse_settings
from taflengine.pieces import Side

Script = Callable[[int, int], FinishedGame | None]
"""What becomes of a game: its number, and how often it was begun before."""


def won(number: int) -> FinishedGame:
    return FinishedGame(
        number=number,
        pair=(number + 1) // 2,
        variant="brandubh",
        attacker=Player(name="oneply"),
        defender=Player(name="random"),
        moves=(),
        winner=Side.ATTACKER,
        ending=Ending.RESIGNATION,
    )


class Pretence(Crew):
    """Ends each game at once, as a script says."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.begun: list[int] = []
        self.waiting: list[Result] = []
        self.left = ""

    @property
    def places(self) -> int:
        return 2

    def start(self, plan: GamePlan) -> None:
        game = self.script(plan.number, self.begun.count(plan.number))
        self.begun.append(plan.number)
        self.waiting.append(Result(plan.number, game, "" if game else "trouble"))

    def result(self, seconds: float) -> Result | None:  # noqa: ARG002
        return self.waiting.pop(0) if self.waiting else None

    def abort(self) -> None:
        self.left += "aborted"

    def close(self) -> None:
        self.left += "closed"


class Notebook(Observer):
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def started(self, plan: GamePlan) -> None:
        self.notes.append(f"started {plan.number}")

    def finished(self, game: FinishedGame) -> None:
        self.notes.append(f"finished {game.number}")

    def void(self, number: int, trouble: str) -> None:
        self.notes.append(f"void {number} {trouble}")

    def notice(self, text: str) -> None:
        self.notes.append(text)

    def waited(self) -> None:
        pass

    def ended(self, end: End, report: Report) -> None:  # noqa: ARG002
        raise AssertionError("the runner does not report")

    def close(self) -> None:
        pass


def play(directory: Path, crew: Pretence, games: int = 4) -> tuple[End, list[str]]:
    """Play as *crew* does; the end and what was told of it."""
    plain = complete({"engine": ["oneply", "random"], "variant": ["brandubh"], "games": games})
    settings, notebook = parse_settings(plain), Notebook()
    with Journal(directory) as journal:
        before = journal.begin(plain)
        end = Runner(settings, journal, before, crew, notebook, None).run()
    return end, notebook.notes


def numbers(directory: Path) -> list[int]:
    return [game.number for game in read_journal(directory / "journal.jsonl")]


def test_a_void_game_is_played_again(tmp_path: Path) -> None:
    crew = Pretence(lambda number, before: None if number == 2 and before < 2 else won(number))
    end, notes = play(tmp_path, crew)
    assert (end, crew.left) == (End.FINISHED, "closed")
    assert sorted(numbers(tmp_path)) == [1, 2, 3, 4]
    assert notes.count("void 2 trouble") == 2
    assert crew.begun.count(2) == 3


def test_a_game_that_stays_void_halts_the_match(tmp_path: Path) -> None:
    crew = Pretence(lambda number, _before: None if number == 2 else won(number))
    end, notes = play(tmp_path, crew)
    assert end is End.HALTED
    assert "game 2 was void 3 times: the match is halted" in notes
    assert 2 not in numbers(tmp_path)


def test_only_missing_games_are_played(tmp_path: Path) -> None:
    play(tmp_path, Pretence(lambda number, _before: won(number)), games=2)
    crew = Pretence(lambda number, _before: won(number))
    assert play(tmp_path, crew, games=5)[0] is End.FINISHED
    assert crew.begun == [3, 4, 5]
    assert numbers(tmp_path) == [1, 2, 3, 4, 5]


def test_a_fault_of_the_runner_ends_the_games(tmp_path: Path) -> None:
    def fail(number: int, _before: int) -> FinishedGame:
        raise ZeroDivisionError(number)

    crew = Pretence(fail)
    with pytest.raises(ZeroDivisionError):
        play(tmp_path, crew)
    assert crew.left == "aborted"


def test_a_machine_without_room_is_no_fault_of_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is void."""
    plain = complete({"engine": ["oneply", "random"], "variant": ["brandubh"]})
    settings = parse_settings(plain)
    with Guard() as guard:

        def refuse(*_: object, **__: object) -> None:
            raise OSError(errno.EMFILE, "Too many open files")

        monkeypatch.setattr(subprocess, "Popen", refuse)
        result = Table(settings.brief(), guard).play(settings.schedule().plan(1))
        assert result.game is None
        assert "Too many open files" in result.trouble


def test_an_engine_that_starts_while_the_match_is_aborted() -> None:
    """Nobody watches over it any more, so it does not live on."""
    guard = Guard()
    guard.close()
    sleeper = [sys.executable, "-c", "import time; time.sleep(3600)"]
    with EngineProcess(sleeper, guard) as process:
        assert_dead([process.pid])
