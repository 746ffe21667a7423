"""Pictures of the HTML page as SVG text, drawn from counts alone. No model text ever enters a picture.

Colours are CSS classes, so the page's light and dark themes reach them; every mark carries its label in words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RECORDED = ("right", "wrong", "unscored")
REGRADED = ("right", "wrong", "undecided", "no_answer", "error")


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a horizontal chart: a label, a count and what share of the longest bar it takes (0 to 100)."""

    label: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Bin:
    """One bin of text lengths: characters `low` to `high`, how many generations, how many changed."""

    low: int
    high: int
    count: int
    changed: int


def bars(counts: Mapping[str, int]) -> list[Bar]:
    """Counts as bars, the longest first."""
    top = max(counts.values(), default=0)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Bar(label, n, 100 * n / top if top else 0.0) for label, n in ordered if n]


def length_bins(lengths: Sequence[tuple[int, bool]], bins: int = 12) -> list[Bin]:
    """Generations by length on a logarithmic scale.

    Args:
        lengths: (characters, changed) of every generation.
        bins: how many at the most.
    """
    if not lengths:
        return []
    low = math.log10(max(1, min(n for n, _ in lengths)))
    high = math.log10(max(1, max(n for n, _ in lengths)) + 1)
    width = max((high - low) / bins, 0.05)
    totals: dict[int, int] = {}
    changes: dict[int, int] = {}
    for n, moved in lengths:
        k = min(bins - 1, int((math.log10(max(1, n)) - low) / width))
        totals[k] = totals.get(k, 0) + 1
        changes[k] = changes.get(k, 0) + moved
    last = max(totals)
    return [
        Bin(
            round(10 ** (low + k * width)),
            round(10 ** (low + (k + 1) * width)),
            totals.get(k, 0),
            changes.get(k, 0),
        )
        for k in range(last + 1)
    ]


def flow_svg(flows: Mapping[tuple[str, str], int]) -> str:
    """Recorded verdicts on the left, re-graded ones on the right, bands as wide as their counts.

    Args:
        flows: (recorded, regraded) -> number of generations or items.
    """
    total = sum(flows.values())
    if not total:
        return ""
    height, gap, bar, left, right = 220.0, 10.0, 14.0, 130.0, 470.0
    unit = height / total
    sources = {k: sum(n for (a, _), n in flows.items() if a == k) for k in RECORDED}
    targets = {k: sum(n for (_, b), n in flows.items() if b == k) for k in REGRADED}
    out = []
    tops_left = _stack(sources, RECORDED, unit, gap)
    tops_right = _stack(targets, REGRADED, unit, gap)
    offset_left, offset_right = dict(tops_left), dict(tops_right)
    for a in RECORDED:
        for b in REGRADED:
            n = flows.get((a, b), 0)
            if not n:
                continue
            h = max(n * unit, 0.6)
            y0, y1 = offset_left[a], offset_right[b]
            offset_left[a] += n * unit
            offset_right[b] += n * unit
            mid = (left + bar + right) / 2
            moved = "kept" if a == b or (a == "wrong" and b != "right") else "moved"
            out.append(
                f'<path class="band {moved} to-{b}" d="M{left + bar:.1f},{y0:.1f} C{mid:.1f},{y0:.1f} '
                f"{mid:.1f},{y1:.1f} "
                f"{right:.1f},{y1:.1f} L{right:.1f},{y1 + h:.1f} C{mid:.1f},{y1 + h:.1f} {mid:.1f},{y0 + h:.1f} "
                f'{left + bar:.1f},{y0 + h:.1f} Z"><title>{n} recorded {a}, now {b.replace("_", " ")}</title></path>'
            )
    out += _pillars(tops_left, sources, unit, left, left - 8, "end", bar)
    out += _pillars(tops_right, targets, unit, right, right + bar + 8, "start", bar)
    tall = height + gap * len(REGRADED) + 24
    words = "; ".join(f"{n} recorded {a}, now {b.replace('_', ' ')}" for (a, b), n in sorted(flows.items()) if n)
    return (
        f'<svg class="flow" viewBox="0 0 620 {tall:.0f}" role="img" '
        f'aria-label="Verdicts, recorded to re-graded: {words}">'
        f'<text class="axis" x="{left + bar}" y="12" text-anchor="end">as graded</text>'
        f'<text class="axis" x="{right}" y="12" text-anchor="start">re-graded</text>{"".join(out)}</svg>'
    )


def _stack(sizes: Mapping[str, int], order: Sequence[str], unit: float, gap: float) -> dict[str, float]:
    tops, y = {}, 22.0
    for key in order:
        tops[key] = y
        if sizes[key]:
            y += sizes[key] * unit + gap
    return tops


def _pillars(
    tops: Mapping[str, float],
    sizes: Mapping[str, int],
    unit: float,
    x: float,
    text_x: float,
    anchor: str,
    bar: float,
) -> list[str]:
    out, free = [], 0.0
    for key, top in tops.items():
        if not sizes[key]:
            continue
        h = max(sizes[key] * unit, 1.0)
        # Labels of thin pillars would overlap: each is pushed below the one before it.
        y = max(top + h / 2 + 4, free)
        free = y + 15
        out.append(f'<rect class="pillar {key}" x="{x}" y="{top:.1f}" width="{bar}" height="{h:.1f}"/>')
        out.append(
            f'<text x="{text_x}" y="{y:.1f}" text-anchor="{anchor}">{key.replace("_", " ")} '
            f'<tspan class="n">{sizes[key]:,}</tspan></text>'
        )
    return out


def lengths_svg(rows: Sequence[Bin]) -> str:
    """Share of generations whose verdict changed, by length of the text; the count stands under each bar."""
    if not rows:
        return ""
    width, height, base = 620.0, 200.0, 150.0
    step = (width - 60) / len(rows)
    top = max((r.changed / r.count for r in rows if r.count), default=0.0)
    scale = 110 / top if top else 0.0
    out = []
    for k, r in enumerate(rows):
        if not r.count:
            continue
        share = r.changed / r.count
        x, h = 45 + k * step, share * scale
        out.append(
            f"<g><title>{r.low:,} to {r.high:,} characters: {r.changed} of {r.count} changed</title>"
            f'<rect class="len" x="{x:.1f}" y="{base - h:.1f}" width="{step - 4:.1f}" height="{max(h, 0.8):.1f}"/>'
            f'<text x="{x + step / 2 - 2:.1f}" y="{base - h - 5:.1f}" text-anchor="middle">{share:.0%}</text>'
            f'<text class="axis" x="{x + step / 2 - 2:.1f}" y="{base + 15:.1f}" text-anchor="middle">'
            f"{_short(r.low)}</text>"
            f'<text class="axis faint" x="{x + step / 2 - 2:.1f}" y="{base + 31:.1f}" text-anchor="middle">'
            f"n {r.count:,}</text></g>"
        )
    words = "; ".join(f"{r.low:,} to {r.high:,} characters: {r.changed} of {r.count}" for r in rows if r.count)
    return (
        f'<svg class="lengths" viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
        f'aria-label="Share of changed verdicts by length of the generation: {words}">{"".join(out)}'
        f'<text class="axis" x="45" y="{height - 4:.0f}">characters in the generation (from)</text></svg>'
    )


def _short(n: int) -> str:
    return f"{n / 1000:.0f}k" if n >= 10_000 else f"{n / 1000:.1f}k" if n >= 1000 else str(n)
