"""Reports of matches that nobody played: text, JSON and page, all from the journal."""

import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from made_games import ATTACKER, DEFENDER, game, match, write_journal

from taflengine.match.decision import Decision
from taflengine.match.findings import ReportSettings
from taflengine.match.games import Ending, FinishedGame, Thought, read_journal
from taflengine.match.report import report_of
from taflengine.match.statistics import Sprt, Verdict, parse_sprt

TWO = match({"strong": 60, "weak": 0}, 120)
FOUR = match({"one": 160, "two": 90, "three": 0, "<b>four</b> & more": -80}, 40)
TESTED = ReportSettings(limits="movetime 0.1", planned=240, sprt=Sprt(0, 30))


def blocks(text: str) -> dict[str, str]:
    """The blocks of a report by their first word."""
    return {block.split()[0]: block for block in text.rstrip("\n").split("\n\n")}


def known_match() -> list[FinishedGame]:
    """Four pairs of A and B, of which every figure can be worked out by hand.

    By pair, A has 2, 1, 1 and a half points. A loses a game by a crash, B one on time.
    """
    thoughts = (None, Thought(0.5), Thought(0.25), Thought(1.5))
    fixed = {"moves": ("m", "n", "o", "p"), "thoughts": thoughts}
    return [
        game(1, "A", "B", ATTACKER, ending=Ending.KING_CAPTURED),
        game(2, "B", "A", DEFENDER),
        game(3, "A", "B", DEFENDER, ending=Ending.CRASH, culprit=ATTACKER),
        game(4, "B", "A", DEFENDER, ending=Ending.TIME, culprit=ATTACKER),
        game(5, "A", "B", DEFENDER),
        game(6, "B", "A", DEFENDER),
        game(7, "A", "B", DEFENDER),
        game(8, "B", "A", None, ending=Ending.REPETITION, **fixed),  # type: ignore[arg-type]
        game(9, "A", "B", DEFENDER, moves=("d6-c6x1",)),  # repeats game 1
    ]


def test_the_text_of_a_match() -> None:
    """To the letter: scripts read this."""
    report = report_of(known_match(), ReportSettings(limits="nodes 100", sprt=Sprt(0, 50)))
    assert report.text() == (
        """\
Score of A vs B: 4 - 3 - 1  [0.562] 8
...      A attacking: 1 - 3 - 0  [0.250] 4  (0.046 - 0.699)
...      A defending: 3 - 0 - 1  [0.875] 4  (0.396 - 0.987)
...      Attackers vs Defenders: 1 - 6 - 1  [0.188] 8
--------------------------------------------------
Results of A vs B (nodes 100, brandubh):
Elo: 43.66 +/- n/a, nElo: 56.36 +/- n/a
LOS: n/a, DrawRatio: 50.00 %, PairsRatio: 1.00
Games: 8, Wins: 4, Losses: 3, Draws: 1, Points: 4.5 (56.25 %)
Ptnml(0-2): [0, 1, 2, 0, 1], WL/DD Ratio: n/a
LLR: 0.12 (3.9%) (-2.94, 2.94) [0.00, 50.00]
--------------------------------------------------
SPRT: llr 0.12 (3.9%), lbound -2.94, ubound 2.94

Attackers in brandubh: 1 - 6 - 1  [0.188] 8  (0.045 - 0.533)
Elo of the defenders' side: 264.44 +/- 323.86
Pairs with both games won by one side: attackers 0.0 %, defenders 50.0 %

Ends           attackers  defenders  drawn  total
king-captured          1          0      0      1
corner                 0          4      0      4
repetition             0          0      1      1
time                   0          1      0      1
crash                  0          1      0      1
all                    1          6      1      8

Failures  time  crash
A            0      1
B            1      0

Time  moves  total s  mean s  longest s  over s  lost on time
A         2     0.00  0.0000     1.5000  0.0000             0
B         1     0.00  0.0000     0.2500  0.0000             1

Left out of all figures, since they repeat another game: 1
  9 = 1

Elo   | 43.66 +- n/a (95%)
SPRT  | nodes 100 brandubh
LLR   | 0.12 (-2.94, 2.94) [0.00, 50.00]
Games | N: 8 W: 4 L: 3 D: 1
Penta | [0, 1, 2, 0, 1]
"""
    )


def test_lines_that_scripts_read() -> None:
    """The patterns are those of programs that read cutechess-cli, fastchess and OpenBench."""
    text = report_of(TWO, TESTED).text()
    for pattern in (
        r"^Score of (\S+) vs (\S+): (\d+) - (\d+) - (\d+)  \[(\d\.\d{3})\] (\d+)$",
        r"^Elo: (-?\d+\.\d+) \+/- (\d+\.\d+), nElo: (-?\d+\.\d+) \+/- (\d+\.\d+)$",
        r"^LOS: (\d+\.\d+) %, DrawRatio: (\d+\.\d+) %, PairsRatio: (\d+\.\d+)$",
        r"^Games: (\d+), Wins: (\d+), Losses: (\d+), Draws: (\d+), Points: (\d+\.\d) \(.* %\)$",
        r"^Ptnml\(0-2\): \[\d+, \d+, \d+, \d+, \d+\], WL/DD Ratio: (\d+\.\d+)$",
        r"^LLR: (-?\d+\.\d+) \((-?\d+\.\d)%\) \((-?\d+\.\d+), (\d+\.\d+)\) \[(.*), (.*)\]$",
        r"^SPRT: llr (-?\d+\.\d+) \(-?\d+\.\d%\), lbound -2.94, ubound 2.94",
        r"^Elo   \| (-?\d+\.\d+) \+- (\d+\.\d+) \(95%\)$",
        r"^Penta \| \[\d+, \d+, \d+, \d+, \d+\]$",
    ):
        assert len(re.findall(pattern, text, re.MULTILINE)) == 1, pattern


def test_numbers_of_the_text_add_up() -> None:
    report = report_of(TWO, TESTED)
    plain = report.plain()
    (versus,) = plain["versus"]
    assert versus["games"] == 240 == plain["games"]
    assert versus["wins"] + versus["losses"] + versus["draws"] == 240
    pairs = versus["pairs"]["counts"]
    assert sum(pairs) == 120
    assert sum(points * count for points, count in enumerate(pairs)) == 2 * versus["points"]
    assert sum(sum(each.values()) for each in plain["endings"].values()) == 240
    for engine in plain["engines"]:
        assert sum(side["games"] for side in engine["sides"].values()) == engine["games"]
    one, other = plain["engines"]
    assert one["elo"]["value"] == pytest.approx(-other["elo"]["value"])
    assert one["elo"]["value"] == versus["elo"]["value"]


def test_a_verdict_is_told() -> None:
    report = report_of(match({"strong": 200, "weak": 0}, 150), TESTED)
    assert report.verdict is Verdict.H1
    assert report.text().count("H1 was accepted") == 1
    assert report.plain()["sprt"]["verdict"] == "h1"
    assert report_of(TWO).verdict is None
    assert report_of(TWO).plain()["sprt"] is None


@pytest.mark.parametrize("games", [TWO, FOUR, known_match(), []])
def test_a_journal_gives_the_same_report_to_the_last_digit(
    games: list[FinishedGame], tmp_path: Path
) -> None:
    (tmp_path / "journal").write_text(write_journal(games), encoding="utf-8")
    again = report_of(read_journal(tmp_path / "journal"), TESTED)
    report = report_of(games, TESTED)
    assert again.text() == report.text()
    assert again.json() == report.json()
    assert again.page() == report.page()


@pytest.mark.parametrize("many", range(9))
def test_few_games_give_no_strange_numbers(many: int) -> None:
    for games in (known_match(), match({"A": 0, "B": 900, "C": -900}, 2)):
        report = report_of(games[:many], TESTED)
        for text in (report.text(), report.page(), report.json()):
            assert not re.search(r"\b(nan|inf|Infinity|NaN|None)\b", text)
        json.loads(report.json())


def test_one_sided_bounds() -> None:
    games = [
        game(
            number,
            *(("A", "B") if number % 2 else ("B", "A")),
            ATTACKER if number % 2 else DEFENDER,
        )
        for number in range(1, 21)
    ]
    text = report_of(games).text()
    assert f"Elo: at least {-400 * math.log10(1 / 0.05**0.1 - 1):.2f}, nElo: n/a" in text
    assert "LOS: 99.90 %, DrawRatio: 0.00 %, PairsRatio: n/a" in text


@pytest.mark.parametrize("seed", range(3))
def test_a_test_is_decided_on_the_figures_of_the_report(seed: int) -> None:
    games = match({"A": 60, "B": 0}, 60, seed)
    games += [replace(games[0], number=901, pair=451), replace(games[1], number=902, pair=451)]
    decision = Decision(Sprt(0, 30), "A")
    for count, each in enumerate(games, start=1):
        decision.add([each])
        plain = report_of(games[:count], TESTED).plain()
        assert plain["sprt"]["llr"] == decision.ratio


def test_many_engines() -> None:
    report = report_of(FOUR, ReportSettings(names=["three", "two"]))
    found = blocks(report.text())
    ranking = found["Rank"].splitlines()
    assert [line.split()[1] for line in ranking[1:]] == ["one", "two", "three", "<b>four</b>"]
    assert [each["name"] for each in report.plain()["engines"]][:2] == ["three", "two"]
    table = found["1"].splitlines()
    assert len(table) == 5
    assert len({len(line) for line in table}) == 1
    assert "Rating" in found
    assert not report.paste()
    plain = report.plain()
    assert len(plain["versus"]) == 6
    points = sum(engine["points"] for engine in plain["engines"])
    assert points == plain["games"] == 480


def test_one_engine_against_itself() -> None:
    games = [
        game(number, "A", "A", ATTACKER if number % 3 else DEFENDER) for number in range(1, 31)
    ]
    report = report_of(games)
    assert "Attackers in brandubh: 20 - 10 - 0  [0.667] 30  (0.488 - 0.808)" in report.text()
    assert report.plain()["side_bias"]["value"] == pytest.approx(-400 * math.log10(2))
    assert "<svg" not in report.page()


def test_lopsided_pairs_are_pointed_out() -> None:
    games = [
        game(number, *(("A", "B") if number % 2 else ("B", "A")), DEFENDER)
        for number in range(1, 41)
    ]
    warning = "tell engines hardly apart"
    assert warning in report_of(games).text()
    assert warning not in report_of(games[:10]).text()
    assert warning not in report_of(TWO).text()


def test_notes_are_shown() -> None:
    games = [game(1, events=("A: another hash",)), game(2, "B", "A")]
    assert "Note on game 1: A: another hash" in report_of(games).text()


def test_rules_of_a_file_that_is_gone_leave_only_the_moves_unknown() -> None:
    games = [
        game(1, winner=DEFENDER, thoughts=(Thought(1.0),)),
        game(2, "B", "A", thoughts=(Thought(1.0),)),
    ]
    for each in games:
        object.__setattr__(each, "variant", "@/no/such/rules.toml")
    report = report_of(games)
    assert {engine["time"]["moves"] for engine in report.plain()["engines"]} == {None}
    assert "A       n/a" in report.text()


class Page(HTMLParser):
    """Checks that elements are closed, and collects what a page would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        if tag in ("link", "script", "img", "iframe", "object"):
            self.loads.append(tag)
        self.loads += [name for name, _ in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.mark.parametrize("games", [TWO, FOUR, known_match(), []])
def test_the_page_stands_alone(games: list[FinishedGame]) -> None:
    text = report_of(games, TESTED).page()
    page = Page(text)
    assert not page.loads
    assert not re.search(r"url\(|@import|https?:", text)
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_the_page_says_what_the_text_says() -> None:
    report = report_of(FOUR)
    words = "".join(Page(report.page()).words)
    assert report.text() in words
    for name in ("one", "<b>four</b> & more"):
        assert f"{name} attacking" in words
    assert report.page().count("<polyline") == 4


def test_the_curve_ends_at_the_score() -> None:
    report = report_of(TWO)
    page = report.page()
    (line,) = re.findall(r'<polyline class="line c0" points="([^"]*)"', page)
    points = [tuple(map(float, point.split(","))) for point in line.split()]
    assert len(points) == 120
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    scale = {
        int(tenth): float(y) - 4
        for y, tenth in re.findall(r'<text class="end" x="44" y="([\d.]+)">(\d+) %', page)
    }
    (low, bottom), (high, top) = min(scale.items()), max(scale.items())
    drawn = low + (high - low) * (points[-1][1] - bottom) / (top - bottom)
    (versus,) = report.plain()["versus"]
    assert drawn == pytest.approx(100 * versus["points"] / versus["games"], abs=0.1)


def test_long_matches_have_short_pages() -> None:
    games = match({"A": 0, "B": 10}, 2000)
    page = report_of(games).page()
    assert len(page) < 60_000


def test_sprt_of_options_is_reported() -> None:
    settings = ReportSettings(sprt=parse_sprt("elo0=-5,elo1=5,model=normalised"))
    assert "[-5.00, 5.00]" in report_of(TWO, settings).text()
