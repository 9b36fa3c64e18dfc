"""The report of a match: all its figures, as text, as JSON and as a page.

A report is worked out from the journal and nothing else, so that it can be made again at any
time and comes out the same to the last digit.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from taflengine.match import blocks
from taflengine.match.counting import Pairs, Tally
from taflengine.match.findings import (
    EngineFindings,
    Findings,
    ReportSettings,
    Strength,
    findings_of,
)
from taflengine.match.games import Ending, FinishedGame
from taflengine.match.statistics import Estimate, Verdict, rate
from taflengine.pieces import Side

SCHEMA = 1
"""Raised when a report in JSON can no longer be read as before. Keys may be added without."""

_Plain = dict[str, Any]


class Report:
    """What ``report_of`` found."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings

    def text(self) -> str:
        """All of it, for people and for programs that read other match runners."""
        return blocks.text_of(self.findings)

    def results(self) -> str:
        """The first part of the text: who is ahead by how much."""
        return blocks.result_block(self.findings)

    def paste(self) -> str:
        """Five lines for a message about a change; empty unless two engines have met."""
        return blocks.paste_block(self.findings)

    def page(self) -> str:
        """A page of HTML that needs nothing else."""
        from taflengine.match.page import page_of  # a match that is played needs none

        return page_of(self.findings)

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test has come to, if there is one."""
        return self.findings.test.verdict if self.findings.test else None

    def plain(self) -> _Plain:
        """The figures, unrounded, as JSON knows them; null is what games do not tell."""
        found = self.findings
        return {
            "schema": SCHEMA,
            "engines": [_engine(each, found) for each in found.engines],
            "variants": list(found.variants),
            "limits": found.settings.limits,
            "scoring": found.settings.scoring.value,
            "games": found.games,
            "planned": found.settings.planned,
            "duplicates": [
                {"game": game, "repeats": first} for game, first in found.duplicates.items()
            ],
            "versus": [
                {
                    "name": each.name,
                    "rival": each.rival,
                    **_tally(each.tally),
                    "pairs": _pairs(each.pairs),
                    **_strength(each.strength),
                }
                for each in found.versus
            ],
            "sprt": _test(found),
            "sides": {
                variant: {
                    "attacker_wins": tally.wins,
                    "defender_wins": tally.losses,
                    "draws": tally.draws,
                    "attacker_score": _estimate(rate(tally.points, tally.games)),
                }
                for variant, tally in found.sides.items()
            },
            "side_bias": _estimate(found.ratings.bias),
            "pairs_won_by_one_side": {side.value: found.both_won[side] for side in Side},
            "endings": {
                ending.value: {
                    "attacker": winners[Side.ATTACKER],
                    "defender": winners[Side.DEFENDER],
                    "draw": winners[None],
                }
                for ending, winners in found.endings.items()
            },
            "notes": [{"game": number, "note": note} for number, note in found.odd_games],
        }

    def json(self) -> str:
        """``plain`` as one line, without its newline."""
        return json.dumps(self.plain(), ensure_ascii=False, allow_nan=False)


def report_of(games: Iterable[FinishedGame], settings: ReportSettings | None = None) -> Report:
    """The report of *games*, which are in the order of their journal."""
    return Report(findings_of(list(games), settings or ReportSettings()))


def _estimate(estimate: Estimate) -> _Plain:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _tally(tally: Tally) -> _Plain:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "losses": tally.losses,
        "draws": tally.draws,
        "points": tally.points,
    }


def _pairs(pairs: Pairs) -> _Plain:
    return {
        "counts": list(pairs.counts),
        "drawn_twice": pairs.drawn_twice,
        "won_by_attackers": pairs.by_side[Side.ATTACKER],
        "won_by_defenders": pairs.by_side[Side.DEFENDER],
    }


def _strength(strength: Strength) -> _Plain:
    return {
        "elo": _estimate(strength.elo),
        "normalised_elo": _estimate(strength.normalised_elo),
        "los": strength.superiority,
        "draw_ratio": strength.middle_ratio,
        "pairs_ratio": strength.pairs_ratio,
    }


def _engine(engine: EngineFindings, found: Findings) -> _Plain:
    spent = engine.thinking
    return {
        "name": engine.name,
        "version": engine.version,
        **_tally(engine.tally),
        "pairs": _pairs(engine.pairs),
        **_strength(engine.strength),
        "sides": {
            side.value: {
                **_tally(tally),
                "score": _estimate(rate(tally.points, tally.games)),
                "rating": _estimate(found.ratings.of(engine.name, side)),
            }
            for side, tally in engine.by_side.items()
        },
        "failures": _failures(engine.failures),
        "time": {
            "seconds": spent.seconds,
            "moves": spent.moves,
            "longest": spent.longest,
            "overshoot": spent.overshoot,
        },
    }


def _failures(failures: Mapping[Ending, int]) -> _Plain:
    return {ending.value: failures[ending] for ending in Ending if failures.get(ending)}


def _test(found: Findings) -> _Plain | None:
    if found.test is None:
        return None
    sprt = found.test.sprt
    lower, upper = sprt.bounds
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "model": sprt.model.value,
        "llr": found.test.ratio,
        "lower": lower,
        "upper": upper,
        "verdict": found.test.verdict.name.lower().replace("_", "-"),
    }
