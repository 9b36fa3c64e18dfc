"""The findings of a match as a page of HTML: one file, readable in the dark and on paper."""

from collections.abc import Iterable, Sequence
from html import escape

from taflengine.match import blocks
from taflengine.match.chart import score_curve
from taflengine.match.findings import Findings
from taflengine.match.statistics import Estimate, rate
from taflengine.pieces import Side

_STYLE = (
    """
:root { color-scheme: light dark; --ink: #1d2329; --soft: #5d6873; --paper: #fdfdfb;
  --line: #d9dcd8; --wash: #f1f2ee; --c0: #1f5fa6; --c1: #b3530f; --c2: #2b7a4b; --c3: #7a4aa5;
  --c4: #a82f48; --c5: #6a6417; --attacker: #8a4b2a; --defender: #3c78b4; --draw: #a9aeb3; }
@media screen and (prefers-color-scheme: dark) { :root {
  --ink: #e5e7e6; --soft: #9ba5ad; --paper: #15191d;
  --line: #333a40; --wash: #1e242a; --c0: #74aee8; --c1: #ee9c5c; --c2: #72c796; --c3: #bd97e3;
  --c4: #ef8a9e; --c5: #cbc36b; --attacker: #d38f68; --defender: #74aee8; --draw: #656d74; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 2.5rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.6rem 0 .6rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: 1px; margin: 1.6rem 0 0;
  background: var(--line); border: 1px solid var(--line); }
.figures div { flex: 1 1 9.5rem; background: var(--paper); padding: .7rem .9rem; }
.figures dt { color: var(--soft); font-size: .82rem; }
.figures dd { margin: 0; font-size: 1.3rem; font-variant-numeric: tabular-nums; }
.figures small { color: var(--soft); font-size: .82rem; display: block; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .34rem .7rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
th { font-weight: 500; color: var(--soft); font-size: .85rem; }
tbody th { color: var(--ink); font-size: inherit; }
th:first-child, td:first-child, th.left, td.left { text-align: left; padding-left: 0; }
tfoot td, tfoot th { font-weight: 600; color: var(--ink); border-bottom: 0; }
td.self { background: var(--wash); }
.bar { width: 38%; } .bar div { display: flex; height: .8rem; }
.attacker { background: var(--attacker); } .defender { background: var(--defender); }
.draw { background: var(--draw); }
.key i { display: inline-block; width: .8rem; height: .8rem; margin: 0 .35rem 0 1rem;
  vertical-align: -1px; } .key i:first-child { margin-left: 0; }
svg { display: block; width: 100%; min-width: 32rem; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
svg .end { text-anchor: end; } svg .centre { text-anchor: middle; }
svg .grid { stroke: var(--line); } svg .middle { stroke: var(--soft); stroke-dasharray: 4 3; }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; } svg .band { opacity: .16; }
svg .label { font-weight: 600; font-size: 13px; }
pre { background: var(--wash); padding: .9rem 1rem; overflow-x: auto; font-size: .85rem;
  line-height: 1.45; margin: .4rem 0; }
"""
    + "".join(
        f"svg .line.c{index} {{ stroke: var(--c{index}); }} "
        f"svg .band.c{index}, svg .label.c{index} {{ fill: var(--c{index}); }}\n"
        for index in range(6)
    )
    + """@media (max-width: 36rem) { table { font-size: .85rem; }
  th, td { padding: .34rem .45rem; } }
@media print { :root { color-scheme: light; --paper: #fff; } body { max-width: none; padding: 0;
  font-size: 11pt; } h2 { break-after: avoid; } table, svg, pre, .figures { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } .wide { overflow: visible; } }
"""
)
_SIDES = {Side.ATTACKER: "Attackers", Side.DEFENDER: "Defenders"}


def page_of(findings: Findings) -> str:
    """The whole page."""
    title = _title(findings)
    body = "\n".join(
        part
        for part in (
            f"<h1>{escape(title)}</h1>",
            _subtitle(findings),
            _headline(findings),
            _section("Score", _curve(findings)),
            _section("Ranking" if len(findings.engines) > 2 else "Crosstable", _table(findings)),
            _section("Sides", _sides(findings)),
            _section("Ends by reason", _endings(findings)),
            _section("All figures", f"<pre>{escape(blocks.text_of(findings))}</pre>"),
        )
        if part
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _title(findings: Findings) -> str:
    names = [engine.name for engine in findings.engines]
    if len(names) > 3:
        return f"{len(names)} engines"
    return " vs ".join(names) or "A match without games"


def _subtitle(findings: Findings) -> str:
    games = f"{findings.games} games"
    planned = findings.settings.planned
    if planned is not None and planned != findings.games + len(findings.duplicates):
        games += f" of {planned}"
    if findings.duplicates:
        games += f" and {len(findings.duplicates)} left out as repeated"
    words = [games, findings.settings.limits, ", ".join(findings.variants)]
    return f'<p class="soft">{escape(" · ".join(filter(None, words)))}</p>'


def _headline(findings: Findings) -> str:
    figures = []
    if findings.is_match:
        (versus,) = findings.versus
        tally, strength = versus.tally, versus.strength
        figures = [
            ("Elo", *_pair_of(strength.elo, 1)),
            ("Score", _percent(tally.points / tally.games), f"{tally.points:g} of {tally.games}"),
            (
                "Likely the stronger",
                _percent(strength.superiority),
                "" if strength.superiority is None else versus.name,
            ),
        ]
    elif findings.games:
        best = findings.ranking()[0]
        share = best.tally.points / best.tally.games
        figures = [
            ("Ahead", best.name, f"{best.tally.points:g} of {best.tally.games}"),
            ("Its score", _percent(share), "against all others"),
        ]
    if findings.test:
        low, high = (_signed(bound, 2) for bound in findings.test.sprt.bounds)
        note = f"{low} to {high}: {findings.test.verdict.value}"
        figures.append(("LLR", _signed(findings.test.ratio, 2), note))
    bias, interval = _pair_of(findings.ratings.bias, 0)
    figures.append(("Side bias, Elo", bias, f"for the defenders, {interval}"))
    cells = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}<small>{escape(note)}</small></dd></div>"
        for name, value, note in figures
    )
    return f'<dl class="figures">{cells}</dl>'


def _curve(findings: Findings) -> str:
    drawing = score_curve(findings)
    if not drawing:
        return ""
    drawing = f'<div class="wide">{drawing}</div>'
    if findings.is_match:
        drawing += (
            f'<p class="soft">The score of {escape(findings.engines[0].name)} '
            "in its whole pairs so far, with the interval of 95 %.</p>"
        )
    return drawing


def _table(findings: Findings) -> str:
    """Points of each engine against each other one, the best first."""
    ranking = findings.ranking()
    if len(ranking) < 2:
        return ""
    places = [f"{place}" for place, _ in enumerate(ranking, start=1)]
    head = ["", *places, "Points", "Score", "Elo", "±"]
    rows = []
    for place, engine in zip(places, ranking, strict=True):
        cells = []
        for rival in ranking:
            tally = findings.between(engine.name, rival.name)
            style = ' class="self"' if rival is engine else ""
            cells.append(f"<td{style}>{f'{tally.points:g}/{tally.games}' if tally else ''}</td>")
        total, elo = engine.tally, engine.strength.elo
        share = total.points / total.games if total.games else None
        rows.append(
            _row(
                f"{place} {engine.name}",
                [
                    f"{total.points:g}/{total.games}",
                    _percent(share),
                    _signed(elo.value, 1),
                    _number(elo.error, 1),
                ],
                cells,
            )
        )
    return _html_table(head, rows)


def _sides(findings: Findings) -> str:
    head = ["", "Won", "Lost", "Drawn", "Score", "95 %"]
    rows = []
    for engine in findings.ranking():
        for side, word in ((Side.ATTACKER, "attacking"), (Side.DEFENDER, "defending")):
            tally = engine.by_side[side]
            share = rate(tally.points, tally.games)
            rows.append(
                _row(
                    f"{engine.name} {word}",
                    [
                        f"{tally.wins}",
                        f"{tally.losses}",
                        f"{tally.draws}",
                        _percent(share.value),
                        f"{_percent(share.low)} to {_percent(share.high)}",
                    ],
                )
            )
    note = ""
    if findings.whole_pairs:
        shares = ", ".join(
            f"{_SIDES[side].lower()} {_percent(won / findings.whole_pairs)}"
            for side, won in findings.both_won.items()
        )
        note = f'<p class="soft">Pairs with both games won by one side: {shares}.</p>'
    return _html_table(head, rows) + note if findings.games else ""


def _endings(findings: Findings) -> str:
    if not findings.endings:
        return ""
    most = max(winners.total() for winners in findings.endings.values())
    rows = []
    for ending, winners in findings.endings.items():
        parts = [(side.value if side else "draw", winners[side]) for side in (*Side, None)]
        bar = "".join(
            f'<span class="{style}" style="width:{100 * number / most:.2f}%"></span>'
            for style, number in parts
            if number
        )
        rows.append(
            _row(
                ending.value,
                [*(f"{number}" for _, number in parts), f"{winners.total()}"],
                [f'<td class="bar"><div>{bar}</div></td>'],
            )
        )
    sides = [sum(each[side] for each in findings.endings.values()) for side in (*Side, None)]
    foot = _row("all", [*map(str, sides), f"{findings.games}"], ["<td></td>"])
    key = (
        '<p class="key soft"><i class="attacker"></i>attackers win<i class="defender"></i>'
        'defenders win<i class="draw"></i>drawn</p>'
    )
    head = ["", "", "Attackers", "Defenders", "Drawn", "Games"]
    return key + _html_table(head, rows, foot)


def _section(heading: str, content: str) -> str:
    return f"<section>\n<h2>{escape(heading)}</h2>\n{content}\n</section>" if content else ""


def _row(name: str, cells: Iterable[str], drawn: Iterable[str] = ()) -> str:
    """A row; *cells* are text, *drawn* are elements that come before them."""
    texts = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{escape(name)}</th>{"".join(drawn)}{texts}</tr>'


def _html_table(head: Sequence[str], rows: Sequence[str], foot: str = "") -> str:
    heads = "".join(f'<th scope="col">{escape(word)}</th>' for word in head)
    end = f"<tfoot>{foot}</tfoot>" if foot else ""
    return (
        f'<div class="wide"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody>{end}</table></div>"
    )


def _pair_of(estimate: Estimate, digits: int) -> tuple[str, str]:
    """A figure, and its interval in words."""
    low, high = (_signed(end, digits) for end in estimate[1:])
    if estimate.low is not None and estimate.high is not None:
        return _signed(estimate.value, digits), f"{low} to {high}"
    if estimate.low is not None:
        return f"≥ {low}", "nothing to bound it above"
    if estimate.high is not None:
        return f"≤ {high}", "nothing to bound it below"
    return _signed(estimate.value, digits), "too few games for an interval"


def _number(value: float | None, digits: int) -> str:
    return "n/a" if value is None else f"{round(value, digits) + 0:.{digits}f}"


def _signed(value: float | None, digits: int) -> str:
    """With a sign, as wide as a digit."""
    if value is None:
        return "n/a"
    return f"{round(value, digits) + 0:+.{digits}f}".replace("-", "\u2212")


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f} %"
