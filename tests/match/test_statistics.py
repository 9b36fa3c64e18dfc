"""Elo, its interval and sequential tests: figures published elsewhere, and simulated matches."""

import functools
import json
import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taflengine.errors import NotationError
from taflengine.match.statistics import (
    Estimate,
    Model,
    Scores,
    Sprt,
    Verdict,
    elo_difference,
    elo_of,
    likelihood_of_superiority,
    middle_ratio,
    normalised_elo,
    pairs_ratio,
    parse_sprt,
    rate,
    score_of,
)

FASTCHESS_TESTS = "fastchess, app/tests"
CUTECHESS = "cutechess-cli, results pasted into pull requests"


def games(wins: int, losses: int, draws: int) -> Scores:
    """In the order in which match runners print them."""
    return Scores((losses, draws, wins))


def near(value: float | None, digits: int = 2) -> object:
    """*value* as somebody else printed it: right to half a unit of the last digit."""
    return pytest.approx(value, abs=0.501 * 10**-digits)


@pytest.mark.parametrize(
    ("scores", "elo", "error", "nelo", "nelo_error", "los", "source"),
    [
        (games(76, 89, 123), None, None, -20.76, 40.13, 15.53, FASTCHESS_TESTS),
        (games(136, 96, 111), 40.70, 30.43, 49.77, 36.77, 99.60, FASTCHESS_TESTS),
        (games(34, 356, 0), None, None, -508.44, 34.48, None, FASTCHESS_TESTS),
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 100.00, FASTCHESS_TESTS),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 5.05, FASTCHESS_TESTS),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, None, FASTCHESS_TESTS),
        ((16, 82, 222, 150, 61), 52.08, 14.57, 75.87, 20.90, 100.00, "Dual v0.3.2, release notes"),
        ((49, 48, 154, 49, 60), 11.10, 21.86, 12.92, 25.38, 84.08, "Dual v0.3.2, release notes"),
        ((379, 10170, 21828, 10640, 343), None, None, 3.05, 2.31, None, "fastchess#783"),
        ((78, 64, 64, 14, 4), -164.92, None, None, None, None, "chess-3#39"),
        ((44, 241, 590, 413, 71), 28.96, None, None, None, None, "PlentyChess#213"),
        ((59, 1751, 4800, 3267, 169), 30.09, 2.56, 56.71, 4.80, None, "Reckless, progress"),
    ],
)
def test_published_elo(
    scores: Scores | tuple[int, ...],
    elo: float | None,
    error: float | None,
    nelo: float | None,
    nelo_error: float | None,
    los: float | None,
    source: str,
) -> None:
    counted = scores if isinstance(scores, Scores) else Scores(scores)
    found, normalised = elo_difference(counted), normalised_elo(counted)
    superior = likelihood_of_superiority(counted)
    assert superior is not None
    for value, published in (
        (found.value, elo),
        (found.error, error),
        (normalised.value, nelo),
        (normalised.error, nelo_error),
        (100 * superior, los),
    ):
        if published is not None:
            assert value == near(published), source


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "elo", "error", "los", "drawn"),
    [
        (1013, 896, 1998, 10.4, 7.6, 99.6, 51.1),  # PedanticRF#51
        (99, 97, 104, 2.3, 31.8, 55.7, 34.7),  # OopsMate, archive
        (45, 37, 18, 27.9, 62.4, 81.2, 18.0),  # OopsMate, archive
    ],
)
def test_published_by_cutechess(
    wins: int, losses: int, draws: int, elo: float, error: float, los: float, drawn: float
) -> None:
    scores = games(wins, losses, draws)
    found, superior, ratio = (
        elo_difference(scores),
        likelihood_of_superiority(scores),
        middle_ratio(scores),
    )
    assert superior is not None
    assert ratio is not None
    assert found.value == near(elo, 1)
    # Its intervals are a little narrower, and its likelihood counts decided games only.
    assert found.error == pytest.approx(error, abs=0.15)
    assert 100 * superior == pytest.approx(los, abs=0.15)
    assert 100 * ratio == near(drawn, 1)


@pytest.mark.parametrize(
    ("counts", "ratio", "middle"),
    [
        ((16, 82, 222, 150, 61), 2.15, 41.81),  # Dual v0.3.2
        ((49, 48, 154, 49, 60), 1.12, 42.78),  # Dual v0.3.2
        ((54, 1776, 4891, 3200, 106), 1.81, 49.0),  # Reckless, progress
    ],
)
def test_published_ratios_of_pairs(counts: tuple[int, ...], ratio: float, middle: float) -> None:
    assert pairs_ratio(Scores(counts)) == near(ratio)
    even = middle_ratio(Scores(counts))
    assert even is not None
    assert 100 * even == pytest.approx(middle, abs=0.3)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "published", "source"),
    [
        ((36027, 68692, 36433), 0, 2, "normalised", 0.92, FASTCHESS_TESTS),
        ((10650, 20431, 10871), -1.75, 0.25, "normalised", 2.30, FASTCHESS_TESTS),
        ((21184, 40708, 21404), 0.5, 2.5, "logistic", -1.57, FASTCHESS_TESTS),
        ((57030, 106593, 57433), 0, 2, "logistic", -2.59, FASTCHESS_TESTS),
        ((365, 16618, 36229, 16974, 390), 0, 2, "normalised", 2.25, FASTCHESS_TESTS),
        ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalised", 3.01, FASTCHESS_TESTS),
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07, FASTCHESS_TESTS),
        ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98, FASTCHESS_TESTS),
        ((379, 10170, 21828, 10640, 343), 0, 2, "normalised", 2.946, "fastchess#783"),
        ((0, 0, 2, 0, 37), 0, 20, "normalised", 2.96, "heofthetea/dhbw, SPRT.md"),
        ((5, 942, 2469, 1050, 5), -3, 1, "normalised", 2.90, "PlentyChess#334"),
        ((214, 8992, 19871, 9102, 235), 0, 2.5, "normalised", 0.16, "PlentyChess#334"),
        ((44, 241, 590, 413, 71), 0, 3, "normalised", 2.91, "PlentyChess#213"),
        ((46, 936, 2083, 1043, 63), 0, 5, "normalised", 2.91, "PlentyChess#95"),
        ((78, 64, 64, 14, 4), 0, 5, "normalised", -2.95, "chess-3#39"),
    ],
)
def test_published_log_likelihood_ratios(
    counts: tuple[int, ...], elo0: float, elo1: float, model: str, published: float, source: str
) -> None:
    test = Sprt(elo0, elo1, model=Model(model))
    assert test.log_likelihood_ratio(Scores(counts)) == near(published), source


def test_published_bounds() -> None:
    assert Sprt().bounds == (near(-2.94), near(2.94))
    assert Sprt(alpha=0.05, beta=0.1).bounds == (near(-2.25), near(2.89))


def test_a_hypothesis_is_granted_its_best_distribution() -> None:
    """Against a search in small steps over all distributions of three scores."""
    counts, elo0, elo1 = (30, 20, 50), 10.0, 80.0

    def best(elo: float) -> float:
        """The likelihood of the best distribution with the score of *elo*."""
        score, found = score_of(elo), -math.inf
        for step in range(1, 20_000):
            won = step / 20_000
            drawn = 2 * (score - won)
            lost = 1 - won - drawn
            if drawn > 0 and lost > 0:
                logs = (math.log(lost), math.log(drawn), math.log(won))
                found = max(found, sum(map(lambda n, x: n * x, counts, logs)))
        return found

    expected = best(elo1) - best(elo0)
    assert Sprt(elo0, elo1).log_likelihood_ratio(Scores(counts)) == pytest.approx(
        expected, abs=1e-4
    )


def test_elo_and_score_are_inverse() -> None:
    assert score_of(0) == 0.5
    assert score_of(400) == pytest.approx(10 / 11)
    for elo in (-700.0, -3.0, 0.0, 12.5, 400.0):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert elo_of(0) is None
    assert elo_of(1) is None


def test_where_all_went_one_way_there_is_a_bound_on_one_side() -> None:
    """Ten pairs won: with a score of 74 % that happens once in twenty times."""
    found = elo_difference(Scores((0, 0, 0, 0, 10)))
    assert found.low == pytest.approx(elo_of(0.05**0.1))
    assert found.value is found.high is found.error is None
    assert elo_difference(Scores((10, 0, 0, 0, 0))).low is None
    assert likelihood_of_superiority(Scores((0, 0, 0, 0, 10))) == 1 - 2**-10
    assert likelihood_of_superiority(Scores((10, 0, 0, 0, 0))) == 2**-10
    assert normalised_elo(Scores((0, 0, 0, 0, 10))) == Estimate()


def test_pairs_that_were_all_even_have_an_interval_too() -> None:
    """Two equal engines that repeat themselves are no proof that others are equal."""
    few, many = (elo_difference(Scores((0, 0, count, 0, 0))) for count in (3, 300))
    assert few.value == many.value == 0
    assert few.error is not None
    assert many.error is not None
    assert few.error > 150 > 5 > many.error > 0
    assert likelihood_of_superiority(Scores((0, 0, 300, 0, 0))) is None


def test_too_few_games_tell_nothing() -> None:
    nothing, few = Scores((0, 0, 0, 0, 0)), Scores((0, 1, 1, 2, 0))
    assert elo_difference(nothing) == normalised_elo(nothing) == Estimate()
    assert likelihood_of_superiority(nothing) is None
    assert Sprt().log_likelihood_ratio(nothing) is None
    assert Sprt().verdict(None) is Verdict.GOES_ON
    assert elo_difference(few).error is None
    assert normalised_elo(few).error is None
    assert likelihood_of_superiority(few) is None
    assert pairs_ratio(Scores((0, 0, 5, 1, 1))) is None


def is_plain(values: Sequence[float | None]) -> bool:
    json.dumps(values, allow_nan=False)
    return all(value is None or math.isfinite(value) for value in values)


count = st.one_of(st.just(0), st.integers(0, 3), st.integers(0, 100_000))


@given(
    st.one_of(st.tuples(*[count] * 3), st.tuples(*[count] * 5)),
    st.sampled_from(Model),
    st.floats(-100, 100),
    st.floats(0.1, 100),
)
def test_no_counts_give_infinity(
    counts: tuple[int, ...], model: Model, elo0: float, width: float
) -> None:
    scores = Scores(counts)
    found = elo_difference(scores)
    ratio = Sprt(elo0, elo0 + width, model=model).log_likelihood_ratio(scores)
    assert is_plain([*found, found.error, *normalised_elo(scores), ratio])
    assert is_plain([likelihood_of_superiority(scores), *rate(counts[0], scores.total)])
    if found.value is not None and found.low is not None and found.high is not None:
        assert found.low <= found.value <= found.high


@given(st.tuples(*[count] * 5))
def test_the_other_engine_sees_the_mirror_image(counts: tuple[int, ...]) -> None:
    one, other = Scores(counts), Scores(counts[::-1])
    for figure in (elo_difference, normalised_elo):
        found, mirrored = figure(one), figure(other)
        assert found.error == (None if found.error is None else pytest.approx(mirrored.error))
        if found.value is not None and mirrored.value is not None:
            assert found.value == pytest.approx(-mirrored.value, abs=1e-6)
    ratio, mirrored_ratio = (Sprt(-10, 10).log_likelihood_ratio(scores) for scores in (one, other))
    if ratio is not None and mirrored_ratio is not None:
        assert ratio == pytest.approx(-mirrored_ratio, abs=1e-6, rel=1e-6)


def test_wilson() -> None:
    """81 of 263: the example in Newcombe's comparison of intervals (1998)."""
    found = rate(81, 263)
    assert found == (near(0.3080, 4), near(0.2553, 4), near(0.3662, 4))
    assert rate(0, 20) == (0, 0, near(0.1611, 4))
    assert rate(1, 29) == (near(0.0345, 4), near(0.0061, 4), near(0.1718, 4))
    assert rate(0, 0) == Estimate()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("elo0=0,elo1=5,alpha=0.05,beta=0.05", Sprt()),
        ("elo0=-3 elo1=1", Sprt(-3, 1)),
        ("elo1=20,model=normalised", Sprt(0, 20, model=Model.NORMALISED)),
        ("model=normalized,beta=0.1", Sprt(beta=0.1, model=Model.NORMALISED)),
    ],
)
def test_sprt_is_read(text: str, expected: Sprt) -> None:
    assert parse_sprt(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=5,elo1=0", "elo0 < elo1"),
        ("elo0=5,elo1=5", "elo0 < elo1"),
        ("elo1=nan", "elo0 < elo1"),
        ("elo1=inf", "elo0 < elo1"),
        ("alpha=0", "alpha and beta"),
        ("alpha=0.5,beta=0.5", "alpha and beta"),
        ("alpha=x", "alpha is a number, not 'x'"),
        ("elo=3", "'elo' is none of"),
        ("elo0", "elo0 is a number, not ''"),
        ("elo0=1,elo0=2", "elo0 is given twice"),
        ("model=logistic,model=logistic", "model is given twice"),
        ("model=bayesian", "not 'bayesian'"),
    ],
)
def test_sprt_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_sprt(text)


# Simulated matches. Openings differ, and the defenders are ahead: the two games of a pair
# depend on each other through both.


def play_pair(chances: random.Random, elo: float, bias: float = 100.0) -> int:
    """The class of a simulated pair, 0 to 4, of an engine *elo* ahead."""
    opening = chances.gauss(bias, 120)
    points = 0
    for lead in (elo + opening, elo - opening):
        if chances.random() < 0.15:
            points += 1
        else:
            points += 2 * (chances.random() < score_of(lead))
    return points


@functools.cache
def expected_elo(elo: float) -> float:
    """What the score of simulated pairs at *elo* comes to, openings, draws and all."""
    chances = random.Random(0)
    points = sum(play_pair(chances, elo) for _ in range(400_000))
    found = elo_of(points / 1_600_000)
    assert found is not None
    return found


@pytest.mark.parametrize("elo", [0.0, 60.0])
@pytest.mark.parametrize("pairs", [40, 400])
def test_the_interval_holds_the_truth_19_times_of_20(elo: float, pairs: int) -> None:
    chances, truth, held = random.Random(pairs), expected_elo(elo), 0
    for _ in range(1000):
        counts = [0] * 5
        for _ in range(pairs):
            counts[play_pair(chances, elo)] += 1
        found = elo_difference(Scores(tuple(counts)))
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    # The standard deviation of this count is 7.
    assert 925 <= held <= 975


def run_sprt(test: Sprt, chances: random.Random, elo: float) -> tuple[Verdict, int]:
    """Simulated pairs until the test, seen after each four, ends; its verdict and their number."""
    counts = [0] * 5
    while True:
        for _ in range(4):
            counts[play_pair(chances, elo)] += 1
        verdict = test.verdict(test.log_likelihood_ratio(Scores(tuple(counts))))
        if verdict is not Verdict.GOES_ON:
            return verdict, sum(counts)


@pytest.mark.parametrize("model", list(Model))
def test_sprt_is_right_in_95_of_100_runs(model: Model) -> None:
    """200 runs of known difference: none, and one that is beyond the second hypothesis."""
    assert expected_elo(80) > 50
    right, lengths = 0, []
    for seed in range(200):
        expected, elo = ((Verdict.H0, 0.0), (Verdict.H1, 80.0))[seed % 2]
        verdict, pairs = run_sprt(Sprt(0, 50, model=model), random.Random(seed), elo)
        right += verdict is expected
        lengths.append(pairs)
    print(f"{model.value}: {right} of 200 right, {sum(lengths) / 200:.0f} pairs on average")
    assert right >= 190


@pytest.mark.long
def test_sprt_keeps_its_error_rates_where_the_hypotheses_hold_exactly() -> None:
    """4000 runs at the hypotheses themselves, where errors are most frequent."""
    elo1 = expected_elo(60)
    for expected, elo in ((Verdict.H0, 0.0), (Verdict.H1, 60.0)):
        wrong = sum(
            run_sprt(Sprt(0, elo1), random.Random(seed), elo)[0] is not expected
            for seed in range(2000)
        )
        print(f"{expected.value}: {wrong / 20:.2f} % wrong")
        # 100 are allowed; the standard deviation is 10.
        assert wrong <= 120
