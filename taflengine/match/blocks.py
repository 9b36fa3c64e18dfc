"""The findings of a match as text, near the layouts of cutechess-cli and fastchess."""

from taflengine.display.columns import in_columns
from taflengine.match.counting import Pairs, Scoring, Tally
from taflengine.match.findings import (
    LOPSIDED,
    EngineFindings,
    Findings,
    SequentialTest,
    Strength,
)
from taflengine.match.games import Ending
from taflengine.match.statistics import Estimate, Verdict, rate
from taflengine.pieces import Side

_RULE = "-" * 50
_UNKNOWN = "n/a"
_SIDES = {Side.ATTACKER: "attackers", Side.DEFENDER: "defenders"}
_MANY = 20
"""Of a long list so many are shown."""


def text_of(findings: Findings) -> str:
    """The whole report."""
    if not findings.games:
        return "No games yet.\n"
    blocks = [_results(findings)] if findings.is_match else [_ranking(findings), _table(findings)]
    blocks += [
        _sides(findings),
        _endings(findings),
        _failures(findings),
        _times(findings),
        _left_out(findings),
        _oddities(findings),
    ]
    if findings.is_match:
        blocks.append([*paste_block(findings).splitlines()])
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def result_block(findings: Findings) -> str:
    """Who is ahead by how much; empty before the first game."""
    if not findings.games:
        return ""
    return "\n".join(_results(findings) if findings.is_match else _ranking(findings)) + "\n"


def paste_block(findings: Findings) -> str:
    """Five lines about two engines, for a message about a change; empty for other matches."""
    if not findings.is_match:
        return ""
    (versus,) = findings.versus
    tally, elo = versus.tally, versus.strength.elo
    limits = findings.settings.limits or "no limits given"
    test = _test_figures(findings.test) if findings.test else _UNKNOWN
    lines = (
        f"Elo   | {_with_error(elo, '+-')} (95%)",
        f"{'SPRT ' if findings.test else 'Limit'} | {limits} {' '.join(findings.variants)}",
        f"LLR   | {test}",
        f"Games | N: {tally.games} W: {tally.wins} L: {tally.losses} D: {tally.draws}",
        f"Penta | {versus.pairs.counts}",
    )
    return "\n".join(lines) + "\n"


def verdict_line(test: SequentialTest) -> str:
    """Where the test between two engines stands, as cutechess-cli says it."""
    low, high = test.sprt.bounds
    share = _share_of_bound(test)
    text = f"SPRT: llr {_figure(test.ratio)} ({share}), lbound {low:.2f}, ubound {high:.2f}"
    return text if test.verdict is Verdict.GOES_ON else f"{text} - {test.verdict.value}"


def _results(findings: Findings) -> list[str]:
    (versus,) = findings.versus
    first, second = findings.engines
    heading = ", ".join(filter(None, (findings.settings.limits, *findings.variants)))
    lines = [
        f"Score of {versus.name} vs {versus.rival}: {_tally(versus.tally)}",
        *(f"...      {line}" for line in _chairs(first)),
        f"...      Attackers vs Defenders: {_tally(findings.all_sides)}",
        _RULE,
        f"Results of {first.name} vs {second.name} ({heading}):",
        *_strength(versus.strength),
        f"Games: {versus.tally.games}, {_counts(versus.tally)}, {_points(versus.tally)}",
        f"Ptnml(0-2): {versus.pairs.counts}, WL/DD Ratio: {_even_ratio(versus.pairs)}",
    ]
    if findings.settings.scoring is Scoring.CAPTURES:
        lines.append("A pair goes to who captured more pieces in its two games.")
    if findings.test:
        lines += [f"LLR: {_test_figures(findings.test, share=True)}", _RULE]
        lines.append(verdict_line(findings.test))
    else:
        lines.append(_RULE)
    return lines


def _chairs(engine: EngineFindings) -> list[str]:
    """How an engine did on each side, with the interval of its score."""
    lines = []
    for side, word in ((Side.ATTACKER, "attacking"), (Side.DEFENDER, "defending")):
        tally = engine.by_side[side]
        share = rate(tally.points, tally.games)
        lines.append(f"{engine.name} {word}: {_tally(tally)}  {_interval(share)}")
    return lines


def _strength(strength: Strength) -> list[str]:
    superior, even = (_percent(each) for each in (strength.superiority, strength.middle_ratio))
    return [
        f"Elo: {_with_error(strength.elo)}, nElo: {_with_error(strength.normalised_elo)}",
        f"LOS: {superior}, DrawRatio: {even}, PairsRatio: {_figure(strength.pairs_ratio)}",
    ]


def _ranking(findings: Findings) -> list[str]:
    """One line for each engine, the best first."""
    rows = [["Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw", "Ptnml(0-2)"]]
    for place, engine in enumerate(findings.ranking(), start=1):
        tally, strength = engine.tally, engine.strength
        drawn = tally.draws / tally.games if tally.games else None
        rows.append(
            [
                f"{place}",
                engine.name,
                *(
                    _figure(value)
                    for each in (strength.elo, strength.normalised_elo)
                    for value in (each.value, each.error)
                ),
                f"{tally.games}",
                _percent(tally.points / tally.games if tally.games else None, 1),
                _percent(drawn, 1),
                str(engine.pairs.counts),
            ]
        )
    return in_columns(rows, left=(1,))


def _table(findings: Findings) -> list[str]:
    """Points of each engine against each other one."""
    ranking = findings.ranking()
    if len(ranking) < 3:
        return []
    rows = [["", *(f"{place}" for place, _ in enumerate(ranking, start=1)), "Points"]]
    for place, engine in enumerate(ranking, start=1):
        cells = []
        for rival in ranking:
            tally = findings.between(engine.name, rival.name)
            cells.append(f"{tally.points:g}/{tally.games}" if tally else "-")
        total = engine.tally
        rows.append([f"{place} {engine.name}", *cells, f"{total.points:g}/{total.games}"])
    return in_columns(rows)


def _sides(findings: Findings) -> list[str]:
    """What the sides are worth, and how good each engine is in each chair."""
    lines = []
    for variant, tally in findings.sides.items():
        share = rate(tally.points, tally.games)
        lines.append(f"Attackers in {variant}: {_tally(tally)}  {_interval(share)}")
    lines.append(f"Elo of the defenders' side: {_with_error(findings.ratings.bias)}")
    if findings.whole_pairs:
        shares = {side: won / findings.whole_pairs for side, won in findings.both_won.items()}
        won = ", ".join(f"{_SIDES[side]} {_percent(shares[side], 1)}" for side in Side)
        lines.append(f"Pairs with both games won by one side: {won}")
        if findings.is_lopsided:
            lines.append(
                f"  Over {LOPSIDED:.0%}: such openings, or so little time, "
                "tell engines hardly apart."
            )
    if findings.ratings.chairs_apart and len(findings.engines) > 2:
        rows = [["Rating of", "attacking", "+/-", "defending", "+/-"]]
        for engine in findings.ranking():
            row = [engine.name]
            for side in Side:
                rating = findings.ratings.of(engine.name, side)
                row += [_figure(rating.value), _figure(rating.error)]
            rows.append(row)
        lines += ["", *in_columns(rows)]
    if len(findings.engines) > 2:
        lines += ["", *(line for engine in findings.ranking() for line in _chairs(engine))]
    return lines


def _endings(findings: Findings) -> list[str]:
    rows = [["Ends", "attackers", "defenders", "drawn", "total"]]
    for ending, winners in findings.endings.items():
        counts = [winners[side] for side in (*Side, None)]
        rows.append([ending.value, *map(str, counts), f"{sum(counts)}"])
    sums = [sum(int(row[column]) for row in rows[1:]) for column in range(1, 5)]
    rows.append(["all", *map(str, sums)])
    return in_columns(rows)


def _failures(findings: Findings) -> list[str]:
    seen = [each for each in Ending if any(engine.failures[each] for engine in findings.engines)]
    if not seen:
        return []
    rows = [["Failures", *(ending.value for ending in seen)]]
    rows += [
        [engine.name, *(f"{engine.failures[ending]}" for ending in seen)]
        for engine in findings.engines
    ]
    return in_columns(rows)


def _times(findings: Findings) -> list[str]:
    rows = [["Time", "moves", "total s", "mean s", "longest s", "over s", "lost on time"]]
    for engine in findings.engines:
        spent = engine.thinking
        mean = spent.seconds / spent.moves if spent.moves else None
        rows.append(
            [
                engine.name,
                _UNKNOWN if spent.moves is None else f"{spent.moves}",
                f"{spent.seconds:.2f}",
                _figure(mean, 4),
                _figure(spent.longest, 4),
                f"{spent.overshoot:.4f}",
                f"{spent.late}",
            ]
        )
    return in_columns(rows)


def _left_out(findings: Findings) -> list[str]:
    if not findings.duplicates:
        return []
    pairs = [f"{game} = {first}" for game, first in list(findings.duplicates.items())[:_MANY]]
    more = ", ..." if len(findings.duplicates) > _MANY else ""
    return [
        f"Left out of all figures, since they repeat another game: {len(findings.duplicates)}",
        f"  {', '.join(pairs)}{more}",
    ]


def _oddities(findings: Findings) -> list[str]:
    lines = [f"Note on game {number}: {event}" for number, event in findings.odd_games[:_MANY]]
    if len(findings.odd_games) > _MANY:
        lines.append(f"... and {len(findings.odd_games) - _MANY} notes more")
    return lines


def _tally(tally: Tally) -> str:
    share = f"{tally.points / tally.games:.3f}" if tally.games else _UNKNOWN
    return f"{tally.wins} - {tally.losses} - {tally.draws}  [{share}] {tally.games}"


def _counts(tally: Tally) -> str:
    return f"Wins: {tally.wins}, Losses: {tally.losses}, Draws: {tally.draws}"


def _points(tally: Tally) -> str:
    return f"Points: {tally.points:.1f} ({_percent(tally.points / tally.games)})"


def _even_ratio(pairs: Pairs) -> str:
    """Pairs won once by each for each pair drawn twice."""
    twice = pairs.drawn_twice
    return f"{(pairs.counts[2] - twice) / twice:.2f}" if twice else _UNKNOWN


def _figure(value: float | None, digits: int = 2) -> str:
    # Adding zero takes the sign off a zero.
    return _UNKNOWN if value is None else f"{round(value, digits) + 0:.{digits}f}"


def _percent(share: float | None, digits: int = 2) -> str:
    return _UNKNOWN if share is None else f"{100 * share:.{digits}f} %"


def _with_error(estimate: Estimate, sign: str = "+/-") -> str:
    """A figure with half its interval, or with the bound that there is."""
    value, low, high = estimate
    if value is None and low is None and high is None:
        return _UNKNOWN
    if low is not None and high is not None:
        return f"{_figure(value)} {sign} {_figure(estimate.error)}"
    bound = ""
    if low is not None:
        bound = f"at least {_figure(low)}"
    elif high is not None:
        bound = f"at most {_figure(high)}"
    if value is None:
        return bound
    return f"{_figure(value)} ({bound})" if bound else f"{_figure(value)} {sign} {_UNKNOWN}"


def _interval(share: Estimate) -> str:
    return f"({_figure(share.low, 3)} - {_figure(share.high, 3)})"


def _test_figures(test: SequentialTest, *, share: bool = False) -> str:
    low, high = test.sprt.bounds
    ratio = _figure(test.ratio)
    if share:
        ratio += f" ({_share_of_bound(test)})"
    return f"{ratio} ({low:.2f}, {high:.2f}) [{test.sprt.elo0:.2f}, {test.sprt.elo1:.2f}]"


def _share_of_bound(test: SequentialTest) -> str:
    """How far the test has come towards the bound on its side."""
    if test.ratio is None:
        return _UNKNOWN
    low, high = test.sprt.bounds
    share = test.ratio / high if test.ratio >= 0 else -test.ratio / low
    return f"{100 * share:.1f}%"
