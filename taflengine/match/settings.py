"""The settings of a match: plain values by name, and what they mean.

The same names stand in three places: as options of the command line, as keys of a
TOML file, and in ``settings.json`` of the directory of a match.
"""

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from taflengine.clock import MAX_SECONDS, MIN_SECONDS, UNLIMITED, parse_control
from taflengine.errors import NotationError
from taflengine.match.adjudicate import parse_draw, parse_resign
from taflengine.match.counting import Scoring
from taflengine.match.crew import Brief
from taflengine.match.entrants import Entrant, entrant_of, movetime, parse_entrant
from taflengine.match.findings import ReportSettings
from taflengine.match.openings import read_openings, shipped_openings
from taflengine.match.plan import Opening, Terms
from taflengine.match.schedule import Book, Order, Schedule, Tournament
from taflengine.match.seat import Patience
from taflengine.match.statistics import Sprt, parse_sprt
from taflengine.notation import quote
from taflengine.protocol.controllers.controller import Budget
from taflengine.variants import DEFAULT
from taflengine.variants.spoken import parse_variant

Plain = dict[str, Any]


class Setting(NamedTuple):
    """One setting."""

    default: object
    fixed: bool
    """Whether a match that was begun with another value cannot go on with this one."""


SETTINGS: Mapping[str, Setting] = {
    "directory": Setting(None, fixed=True),
    "engine": Setting([], fixed=True),
    "each": Setting("", fixed=True),
    "tournament": Setting(Tournament.ROUND_ROBIN.value, fixed=True),
    "variant": Setting([], fixed=True),
    "games": Setting(None, fixed=False),
    "tc": Setting(None, fixed=True),
    "movetime": Setting(None, fixed=True),
    "nodes": Setting(None, fixed=True),
    "depth": Setting(None, fixed=True),
    "timemargin": Setting(100, fixed=True),
    "openings": Setting(None, fixed=True),
    "order": Setting(Order.SEQUENTIAL.value, fixed=True),
    "start": Setting(1, fixed=True),
    "random-plies": Setting(None, fixed=True),
    "seed": Setting(1, fixed=True),
    "maxmoves": Setting(500, fixed=True),
    "draw": Setting(None, fixed=True),
    "resign": Setting(None, fixed=True),
    "scoring": Setting(Scoring.RESULT.value, fixed=True),
    "sprt": Setting(None, fixed=False),
    "concurrency": Setting(1, fixed=False),
    "recover": Setting(False, fixed=False),
    "ratinginterval": Setting(20, fixed=False),
    "start-timeout": Setting(30.0, fixed=False),
    "reply-timeout": Setting(10.0, fixed=False),
    "move-timeout": Setting(600.0, fixed=False),
}
"""Every setting by its name."""
RANDOM_PLIES = 4
"""Drawn by chance where there are neither openings nor another number."""
MANY_GAMES = 1_000_000
"""Of any two engines, where a test and not their number ends the match."""
FEW_GAMES = 2


@dataclass(frozen=True, kw_only=True)
class MatchSettings:
    """What the settings of a match mean."""

    plain: Plain
    entrants: tuple[Entrant, ...]
    tournament: Tournament
    variants: tuple[str, ...]
    games: int
    """Of any two engines that meet."""
    book: Book
    seed: int
    terms: Terms
    patience: Patience
    scoring: Scoring
    sprt: Sprt | None
    concurrency: int
    recover: bool
    interval: int
    """The results so far are shown each time so many games have ended; 0 is never."""

    def schedule(self) -> Schedule:
        """The games."""
        return Schedule(self.tournament, len(self.entrants), self.variants, self.book, self.seed)

    def brief(self) -> Brief:
        """What those need to know who play the games."""
        return Brief(self.entrants, self.terms, self.patience, self.seed)

    @property
    def openings_in_words(self) -> str:
        """Where the openings come from."""
        if not any(self.book.openings.values()):
            return f"{self.book.random_plies} random plies"
        counts = [str(len(self.book.openings[text])) for text in self.variants]
        return f"{' '.join(counts)} from {self.plain['openings'] or 'this program'}"

    def report_settings(self) -> ReportSettings:
        """What a report of the match goes by."""
        budget = self.terms.budget
        limits = []
        if budget.movetime is not None:
            limits.append(f"{budget.movetime:g} s a move")
        elif budget.control.limited:
            limits.append(f"tc {budget.control}")
        limits += [
            f"{name} {value}" for name, value in budget._asdict().items() if isinstance(value, int)
        ]
        return ReportSettings(
            names=[entrant.name for entrant in self.entrants],
            planned=self.schedule().total(self.games),
            limits=", ".join(limits),
            sprt=self.sprt,
            scoring=self.scoring,
        )


def complete(given: Mapping[str, Any]) -> Plain:
    """*given* with the defaults for what it does not have.

    Raises:
        NotationError: there is no such setting.
    """
    for name in given:
        if name not in SETTINGS:
            raise NotationError(f"{quote(name)} is no setting: allowed are {' '.join(SETTINGS)}")
    plain = {name: given.get(name, setting.default) for name, setting in SETTINGS.items()}
    plain["directory"] = plain["directory"] or str(Path.cwd())
    return plain


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """The fixed settings that are not the same, each as a line for people."""
    return [
        f"{name}: was {_shown(old.get(name, setting.default))}, now {_shown(new.get(name))}"
        for name, setting in SETTINGS.items()
        if setting.fixed and old.get(name, setting.default) != new.get(name)
    ]


def _shown(value: object) -> str:
    return "not given" if value in (None, [], "") else str(value)


def parse_settings(plain: Plain) -> MatchSettings:
    """What *plain*, which is complete, means.

    Raises:
        TaflError: something is wrong, or contradicts something else.
    """
    directory = Path(plain["directory"])
    entrants = tuple(_entrant(each, plain["each"]) for each in plain["engine"])
    tournament = _choice(plain, "tournament", Tournament)
    _check_entrants(entrants, tournament)
    variants = tuple(_rules(text, directory) for text in plain["variant"] or [DEFAULT.name])
    if plain["tc"] is not None and plain["movetime"] is not None:
        raise NotationError("tc and movetime: only one of them can be given")
    control = UNLIMITED
    if plain["tc"] is not None:
        control = parse_control(str(plain["tc"]))
    elif plain["movetime"] is not None:
        control = movetime(str(plain["movetime"]))
    default_games = FEW_GAMES if plain["sprt"] is None else MANY_GAMES
    return MatchSettings(
        plain=plain,
        entrants=entrants,
        tournament=tournament,
        variants=variants,
        games=_number(plain, "games") or default_games,
        book=_book(plain, variants, directory),
        seed=_number(plain, "seed", least=0) or 0,
        terms=Terms(
            budget=Budget(control, _number(plain, "nodes"), _number(plain, "depth")),
            margin=(_number(plain, "timemargin", least=0) or 0) / 1000,
            max_plies=_number(plain, "maxmoves", least=0) or 0,
            draw=None if plain["draw"] is None else parse_draw(plain["draw"]),
            resign=None if plain["resign"] is None else parse_resign(plain["resign"]),
        ),
        patience=Patience(
            start=_seconds(plain, "start-timeout"),
            reply=_seconds(plain, "reply-timeout"),
            move=_seconds(plain, "move-timeout"),
        ),
        scoring=_choice(plain, "scoring", Scoring),
        sprt=_sprt(plain, entrants),
        concurrency=_number(plain, "concurrency") or 1,
        recover=bool(plain["recover"]),
        interval=_number(plain, "ratinginterval", least=0) or 0,
    )


def _entrant(given: str | Mapping[str, Any], each: str) -> Entrant:
    return parse_entrant(given, each) if isinstance(given, str) else entrant_of(given)


def _sprt(plain: Plain, entrants: Sequence[Entrant]) -> Sprt | None:
    if plain["sprt"] is None:
        return None
    if len(entrants) != 2:
        raise NotationError(f"sprt: it compares two engines, not {len(entrants)}")
    return parse_sprt(plain["sprt"])


def _check_entrants(entrants: Sequence[Entrant], tournament: Tournament) -> None:
    if tournament is Tournament.SELF_PLAY:
        if len(entrants) != 1:
            raise NotationError(f"{len(entrants)} engines: self-play needs one")
    elif len(entrants) < 2:
        raise NotationError(f"{len(entrants)} engines: a match needs two or more")
    names = [entrant.name for entrant in entrants]
    for name in names:
        if names.count(name) > 1:
            raise NotationError(f"two engines are called {name}: give them names, as NAME=COMMAND")


def _rules(text: str, directory: Path) -> str:
    """*text* in the form that every process understands the same way."""
    if text.startswith("@"):
        text = f"@{os.path.normpath(directory / text[1:])}"
    variant = parse_variant(text)
    return text if text.startswith(("@", "otn:")) else variant.name


def _book(plain: Plain, variants: Sequence[str], directory: Path) -> Book:
    """Where the openings come from: a file, chance, the program's own, in this order."""
    plies = _number(plain, "random-plies", least=0)
    file = plain["openings"]
    if file is not None and plies is not None:
        raise NotationError("openings and random-plies: only one of them can be given")
    openings: dict[str, Sequence[Opening]] = {}
    if plies is None:
        found = {text: parse_variant(text) for text in variants}
        for text, variant in found.items():
            if file is None:
                openings[text] = shipped_openings(variant)
            else:
                openings[text] = read_openings(directory / file, variant, [*found.values()])
                if not openings[text]:
                    raise NotationError(f"{file}: there are no openings of {variant.name}")
        plies = RANDOM_PLIES
    start = _number(plain, "start") or 1
    return Book(openings, plies, _choice(plain, "order", Order), start)


def _choice(plain: Plain, name: str, kind: Any) -> Any:
    try:
        return kind(plain[name])
    except ValueError:
        allowed = " ".join(each.value for each in kind)
        raise NotationError(f"{name} is {quote(str(plain[name]))}: say {allowed}") from None


def _seconds(plain: Plain, name: str) -> float:
    value = plain[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        value = math.nan
    if not MIN_SECONDS <= value <= MAX_SECONDS:  # not a number is not within
        raise NotationError(
            f"{name} is {quote(str(plain[name]))}: say seconds from {MIN_SECONDS} to {MAX_SECONDS}"
        )
    return float(value)


def _number(plain: Plain, name: str, least: int = 1) -> int | None:
    value = plain[name]
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise NotationError(f"{name} is {quote(str(value))}: say a number from {least} on")
    return value
