"""Commands that judge a position or let an engine choose, and the parameters."""

import re

import pytest
from talk import CAPTURE, DRAWN, SHUFFLE, Talk

from taflengine.protocol.parameters import PARAMETERS

ENGINES = {
    "oneply": ("set_param engine oneply",),
    "random": ("set_param engine random",),
    "search": ("set_param engine search", "set_param depth 2", "set_param movetime 600"),
}
"""How each engine is chosen, so that its answers do not depend on how fast the machine is."""


# Threats and evaluation


@pytest.mark.parametrize(
    ("name", "rows", "move", "answer"),
    [
        (
            "tablut-linnaean",
            "9/9/3a5/9/9/2k6/9/9/3a5 d",
            "c4-d4",
            "call tuichi\ndefender d4-a4 edge\ndefender d4-i4 edge",
        ),
        (
            "tablut-linnaean",
            "9/9/3a5/9/9/2k4a1/9/9/3a5 d",
            "c4-d4",
            "call raichi\ndefender d4-a4 edge",
        ),
        ("tablut-linnaean", "9/9/3a5/9/9/a1k5a/9/9/3a5 d", "c4-d4", ""),
        # two goal squares in one direction are one way
        (
            "tablut-smith",
            "9/9/9/9/9/9/9/3a4d/3ka4 d",
            "i2-i3",
            "call raichi\ndefender d1-a1 edge\ndefender d1-b1 edge\ndefender d1-c1 edge",
        ),
        # the attackers have moved: nothing to call, yet the king threatens
        (
            "tablut-linnaean",
            "9/9/3a5/9/9/3k5/9/9/3a5 a",
            "d1-e1",
            "defender d4-a4 edge\ndefender d4-d1 edge\ndefender d4-i4 edge",
        ),
        (
            "homeschool",
            "11/11/11/11/11/11/2ak7/11/4a6/11/9a1 a",
            "j1-j2",
            "call watch your king\nattacker e3-e5 king-captured",
        ),
        # a game without calls
        ("brandubh", "7/7/7/7/1ak2a1/7/1d5 d", "b1-c1", "attacker f3-d3 king-captured"),
        (
            "hnefatafl",
            "11/11/11/11/11/11/11/11/11/a10/3k7 d",
            "d1-e1",
            "defender e1-a1 corner\ndefender e1-k1 corner",
        ),
    ],
)
def test_threats(name: str, rows: str, move: str, answer: str) -> None:
    talk = Talk(f"newgame {name}", f"setposition {rows}", f"play {move}")
    before = talk.state()
    assert talk.do("threats") == answer
    assert talk.state() == before


def test_threats_do_not_look_back() -> None:
    """A draw by repetition hides no win, and a repetition that wins is no threat."""
    talk = Talk("newgame copenhagen", "setposition 11/11/11/4a6/11/5k5/11/11/11/a10/11 d")
    for line in (
        "play f6-f5",
        "play a2-a3",
        "play f5-f6",
        "play a3-a2",
        "play f6-f5",
        "play a2-a3",
    ):
        talk.do(line)
    assert talk.do("threats") == ""
    talk.do("play f5-f6")
    assert talk.do("threats") == ""
    talk.do("play a3-a2")
    assert talk.do("result") == "attacker repetition"


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        ("7/7/7/3k3/7/7/3d3", "1 20 0 0 0 0 0 0"),
        ("7/7/7/3k3/7/7/3a3", "0 0 1 -10 0 0 0 0"),
        ("7/7/3a3/2aka2/3a3/7/7", "0 0 4 -40 4 -140 0 0"),
        ("7/7/7/7/2k4/7/7", "0 0 0 0 0 0 2 24"),
        ("6k/7/7/7/7/7/7", "0 0 0 0 0 0 6 72"),
        ("7/7/7/7/2ka3/7/1d5", "1 20 1 -10 1 -35 2 24"),
    ],
)
def test_terms_of_the_evaluation(rows: str, answer: str) -> None:
    """Each counts by itself, from the defenders' point of view whoever is to move."""
    numbers = answer.split()
    names = ("defenders", "attackers", "attackers-beside-king", "king-steps")
    lines = [f"{name} {' '.join(numbers[2 * i : 2 * i + 2])}" for i, name in enumerate(names)]
    lines.append(f"total {sum(map(int, numbers[1::2]))}")
    for side in ("attacker", "defender"):
        talk = Talk("newgame brandubh", f"setposition {rows} {side}")
        assert talk.do("eval").splitlines() == lines


# Engines and parameters


def game_of(seed: int, *lines: str) -> str:
    """Ten moves of an engine after *lines*."""
    talk = Talk("newgame brandubh", f"set_param seed {seed}", *lines)
    for _ in range(10):
        talk.do(f"genmove {talk.do('side')}")
    return talk.do("history")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_seed_makes_games_repeatable(engine: str) -> None:
    games = [game_of(seed, *ENGINES[engine]) for seed in range(5)]
    assert games == [game_of(seed, *ENGINES[engine]) for seed in range(5)]
    assert (len(set(games)) > 1) == (engine != "search"), "search leaves nothing to chance"


def test_every_engine_is_tested() -> None:
    kind = str(PARAMETERS["engine"].kind)
    assert sorted(kind.split()[1:]) == sorted(ENGINES)


def test_setting_the_seed_again_begins_again() -> None:
    talk = Talk("newgame brandubh", "set_param engine random", "set_param seed 4")
    first = talk.do("genmove attacker")
    talk.do("genmove defender")
    talk.do("undo 2")
    talk.do("set_param seed 4")
    assert talk.do("genmove attacker") == first


def test_a_fresh_session_draws_its_seed() -> None:
    assert len({Talk().do("get_param seed") for _ in range(4)}) > 1


@pytest.mark.parametrize("engine", ENGINES)
def test_reg_genmove_changes_nothing_and_ignores_chance(engine: str) -> None:
    """Not even the sequence of random numbers moves on."""
    lines = ("newgame brandubh", *ENGINES[engine], "set_param seed 6")
    talk = Talk(*lines, "genmove attacker")
    before = talk.state()
    answer = talk.do("reg_genmove defender")
    assert talk.state() == before
    assert answer in talk.do("legal").split()
    for seed in range(5):
        talk.do(f"set_param seed {seed}")
        assert talk.do("reg_genmove defender") == answer
    talk.do("hint")  # what a search has learnt since then does not count either
    assert talk.do("reg_genmove defender") == answer
    one, other = Talk(*lines), Talk(*lines)
    for side in ("attacker", "defender") * 3:
        one.do(f"reg_genmove {side}")
        assert one.do(f"genmove {side}") == other.do(f"genmove {side}")


@pytest.mark.parametrize("engine", ["oneply", "search"])
@pytest.mark.parametrize(
    ("lines", "move"),
    [
        (("newgame brandubh", "setposition 7/2a4/7/7/7/2a4/4k2 d"), "e1-a1 e1-g1"),
        (("newgame brandubh", "setposition 7/7/7/7/1ak1a2/7/7 a"), "e3-d3"),
        (("newgame tablut", "setposition 9/9/9/9/a7a/3k5/9/9/9 d"), "d4-a4 d4-d1 d4-d9 d4-i4"),
    ],
)
def test_a_win_is_taken(lines: tuple[str, ...], move: str, engine: str) -> None:
    talk = Talk(*lines, *ENGINES[engine])
    side = talk.do("side")
    if engine == "oneply":
        assert talk.do(f"reg_genmove {side}") == move.split()[0]
    assert talk.do(f"genmove {side}") in move.split()
    assert talk.do("result").startswith(side)


def test_search_sees_what_one_ply_does_not() -> None:
    """The king goes where two ways lead to corners; one ply ahead nothing speaks for it."""
    talk = Talk("newgame brandubh", "setposition 2a4/7/7/7/2a4/4k2/7 d", *ENGINES["search"])
    talk.do("set_param depth 4")
    for _ in range(3):
        if talk.do("result") == "ongoing":
            talk.do(f"genmove {talk.do('side')}")
    assert talk.do("result") == "defender corner"


HINT = r"([a-g]\d-[a-g]\d) (?:.*, )?(?:score -?\d+ at depth \d+|a (?:win|loss) in \d+ plies)"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_hint_is_a_legal_move_with_reasons_and_changes_nothing(engine: str) -> None:
    """The search gives it whatever engine is set."""
    talk = Talk("newgame brandubh", *ENGINES["search"], *ENGINES[engine], "set_param seed 1")
    for side in ("attacker", "defender"):
        before = talk.state()
        answer = talk.do("hint")
        found = re.fullmatch(HINT, answer)
        assert found, answer
        assert talk.do(f"is_legal {found[1]}") == "true"
        assert talk.do(f"hint {side}") == answer
        assert talk.state() == before
        talk.do(f"genmove {side}")


@pytest.mark.parametrize(
    ("lines", "beginning"),
    [
        (("setposition 7/2a4/7/7/7/2a4/4k2 d",), "e1-a1 wins (corner)"),
        (("setposition 7/7/7/7/1ak1a2/7/7 a",), "e3-d3 wins (king-captured)"),
        (CAPTURE[1:-1], "f5-f4 captures e4, "),
    ],
)
def test_a_hint_says_what_can_be_seen(lines: tuple[str, ...], beginning: str) -> None:
    talk = Talk("newgame brandubh", *lines, "set_param depth 3", "set_param movetime 600")
    assert talk.do("hint").startswith(beginning)


def test_parameters_are_listed_as_they_are() -> None:
    talk = Talk()
    for line in talk.do("list_params").splitlines():
        kind = r"choice(?: \w+)+|integer \d+ to \d+|seconds [\d.]+ to [\d.]+"
        found = re.fullmatch(rf"(\w+): ({kind}); default (.+?); (.+)", line)
        assert found, line
        name, words, default = found[1], found[2].split(), found[3]
        assert default in (talk.do(f"get_param {name}"), "drawn at the start")
        allowed = words[1:] if words[0] == "choice" else words[1::2]
        for text in allowed:
            talk.do(f"set_param {name} {text}")
            assert talk.do(f"get_param {name}") == text
        refusal = talk.ask(f"set_param {name} nosuchvalue")
        assert refusal.startswith("? 'nosuchvalue' is not allowed: say ")
        assert all(text in refusal for text in allowed)
        assert talk.do(f"get_param {name}") == allowed[-1]


def test_repetition_off_and_on() -> None:
    """Off, a game goes on; on, the position at hand is judged with all that was played."""
    talk = Talk("set_param repetition off", *DRAWN)
    assert talk.do("result") == "ongoing"
    talk.do("set_param repetition on")
    assert talk.do("result") == "draw repetition"
    assert talk.ask(SHUFFLE[0]).startswith("? illegal move: d6-c6: game over: draw (repetition)")
    talk.do("set_param repetition off")
    for line in SHUFFLE:
        talk.do(line)
        assert talk.do("result") == "ongoing"
    talk.do("newgame brandubh")
    for line in (*SHUFFLE, *SHUFFLE):
        talk.do(line)
    assert talk.do("result") == "ongoing"


def test_two_sessions_do_not_meet() -> None:
    one, other = Talk(*CAPTURE), Talk()
    before = other.state()
    one.do("set_param engine random")
    one.do("undo")
    assert other.state() == before
