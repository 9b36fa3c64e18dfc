"""The way of a match as a drawing: the score of engines after each of their pairs, as SVG."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor

from taflengine.match.findings import Findings, Step

_WIDTH, _HEIGHT = 760, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 160, 14, 40
_MOST_POINTS = 300
"""A line with more corners looks the same."""
_LABEL_HEIGHT = 16
_LABEL_LENGTH = 13
"""Letters of a name that fit beside the lines."""
COLOURS = 6
"""So many lines have a colour of their own; the page's style names them ``c0`` and on."""
_EARLY = 0.1
"""The first part of the way, where hardly anything is known, does not stretch the scale."""


def score_curve(findings: Findings) -> str:
    """An ``svg`` element; empty where no pair is whole.

    Of two engines the first one's score is drawn, with its interval.
    """
    names = [engine.name for engine in findings.engines if findings.progress.get(engine.name)]
    if not names:
        return ""
    drawn = names[:1] if findings.is_match else names
    return _Chart({name: findings.progress[name] for name in drawn}).svg()


class _Chart:
    def __init__(self, lines: dict[str, Sequence[Step]]) -> None:
        self._lines = {name: _thinned(steps) for name, steps in lines.items()}
        self._banded = len(lines) == 1
        self._last = max(steps[-1].pairs for steps in lines.values())
        seen = [
            value
            for steps in self._lines.values()
            for step in steps
            if step.pairs >= self._last * _EARLY
            for value in (step.score if self._banded else step.score[:1])
            if value is not None
        ]
        # The scale ends at tenths and holds the middle.
        self._low = floor(10 * min([0.45, *seen])) / 10
        self._high = ceil(10 * max([0.55, *seen])) / 10

    def _x(self, pairs: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * pairs / self._last

    def _y(self, score: float) -> float:
        share = (score - self._low) / (self._high - self._low)
        inside = min(1.0, max(0.0, share))
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - inside)

    def svg(self) -> str:
        what = " and ".join(self._lines) if self._banded else "each engine"
        parts = [
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            f'aria-label="Score of {escape(what)} after each pair">',
            *self._grid(),
            *(self._band(steps) for steps in self._lines.values() if self._banded),
            *(
                f'<polyline class="line c{index % COLOURS}" points="{self._points(steps)}"/>'
                for index, steps in enumerate(self._lines.values())
            ),
            *self._labels(),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part)

    def _grid(self) -> list[str]:
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        parts = []
        for tenth in range(round(self._low * 10), round(self._high * 10) + 1):
            y = self._y(tenth / 10)
            style = "middle" if tenth == 5 else "grid"
            parts.append(
                f'<line class="{style}" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            parts.append(f'<text class="end" x="{_LEFT - 8}" y="{y + 4:.1f}">{tenth * 10} %</text>')
        parts += [
            f'<text class="centre" x="{self._x(pairs):.1f}" y="{bottom + 18}">{pairs}</text>'
            for pairs in range(0, self._last + 1, _step_of(self._last))
        ]
        middle = (_LEFT + right) / 2
        parts.append(f'<text class="centre" x="{middle}" y="{bottom + 36}">pairs</text>')
        return parts

    def _band(self, steps: Sequence[Step]) -> str:
        known = [
            (self._x(step.pairs), self._y(step.score.low), self._y(step.score.high))
            for step in steps
            if step.score.low is not None and step.score.high is not None
        ]
        if len(known) < 2:
            return ""
        corners = [f"{x:.1f},{low:.1f}" for x, low, _ in known]
        corners += [f"{x:.1f},{high:.1f}" for x, _, high in reversed(known)]
        return f'<polygon class="band c0" points="{" ".join(corners)}"/>'

    def _points(self, steps: Sequence[Step]) -> str:
        return " ".join(
            f"{self._x(step.pairs):.1f},{self._y(step.score.value):.1f}"
            for step in steps
            if step.score.value is not None
        )

    def _labels(self) -> list[str]:
        """The names at the ends of their lines, moved apart where they would touch."""
        ends = sorted(
            (self._y(steps[-1].score.value or 0.0), index, name, steps[-1])
            for index, (name, steps) in enumerate(self._lines.items())
        )
        parts, free = [], 0.0
        for y, index, name, last in ends:
            place = max(y + 4, free)
            free = place + _LABEL_HEIGHT
            score = 100 * (last.score.value or 0.0)
            short = name if len(name) <= _LABEL_LENGTH else f"{name[: _LABEL_LENGTH - 1]}…"
            parts.append(
                f'<text class="label c{index % COLOURS}" x="{_WIDTH - _RIGHT + 8}" '
                f'y="{place:.1f}">{escape(short)} {score:.1f} %</text>'
            )
        return parts


def _thinned(steps: Sequence[Step]) -> Sequence[Step]:
    """At most ``_MOST_POINTS`` of *steps*, the last among them."""
    every = -(-len(steps) // _MOST_POINTS)
    return [*steps[:-1:every], steps[-1]]


def _step_of(last: int) -> int:
    """A round distance that puts at most eight marks between 0 and *last*."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if last <= 8 * size * factor:
                return size * factor
        size *= 10
