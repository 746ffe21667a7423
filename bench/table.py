"""The results file as Markdown tables, for the terminal and the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Figures = Mapping[str, Any]


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join("–" if cell is None else str(cell) for cell in line) + " |" for line in lines)


def markdown(results: Figures) -> str:
    """All sections that are there."""
    made = [_machine(results["machine"])]
    for name, render in (
        ("start-up", _start_up),
        ("runs", _runs),
        ("big", _big),
        ("cost", _cost),
        ("worst", _worst),
    ):
        if name in results and "left_out" not in results[name]:
            made.append(render(results[name]))
    return "\n\n".join(made) + "\n"


def _machine(m: Figures) -> str:
    load = ", ".join(map(str, m["load_at_start"]))
    return (
        f"Measured on {m['date']}: {m['processor']}, {m['cores']} cores, {m['memory_gb']} GB, Python {m['python']}; "
        f"load averages at the start {load} (above {m['cores']} the machine was busy with other things, and seconds "
        "by the clock are stretched; processor seconds less so)."
    )


def _start_up(s: Figures) -> str:
    rows = [(f"`{name}`", one["fastest_s"], one["median_s"], one["cpu_s"]) for name, one in s.items()]
    return "### Start-up\n\n" + table(("command", "fastest of 11, clock, s", "median, clock, s", "processor, s"), rows)


def _runs(s: Figures) -> str:
    wholes = [
        (name, s[name]["wall_s"], s[name]["cpu_s"], s[name]["peak_mb"]) for name in ("500 items", "all runs together")
    ]
    rows = []
    for name, one in s["each"].items():
        cells: list[object] = [name, one["generations"], one["ours_us"]]
        for who in ("lighteval", "math-verify"):
            peer = one.get(who)
            cells += [None, None] if peer is None else [_peer_time(peer), peer["ratio"]]
        rows.append(cells)
    head = ("run", "generations", "ours, µs", "LightEval, µs", "times ours", "math-verify, µs", "times ours")
    return (
        "### The real runs\n\n"
        + table(("`regrade`", "clock, s", "processor, s", "memory, MB"), wholes)
        + "\n\nProcessor time a generation, reading the file not counted; LightEval's metric with the fixes that keep "
        "it from hanging and dying. Where a peer did not get through a run in its time, the rows it graded are "
        "compared, and their number is given.\n\n" + table(head, rows)
    )


def _peer_time(peer: Figures) -> str | None:
    if not peer["rows"]:
        return None
    return f"{peer['us']}" if peer["finished"] else f"{peer['us']} ({peer['rows']} rows)"


def _big(s: Figures) -> str:
    ours, floor = s["regrade --jobs 2"], s["floor"]
    rows = [
        ("floor", floor["wall_s"], floor["cpu_s"], floor["peak_mb"]),
        ("`regrade --jobs 2`", ours["wall_s"], ours["cpu_s"], ours["peak_mb"]),
        ("times the floor", s["times_floor_wall"], s["times_floor_cpu"], None),
    ]
    scaling = s["scaling"]
    scaled = [("processes", scaling["1 process"]["wall_s"], scaling["2 processes"]["wall_s"], scaling["speed_up"])]
    if "speed_up" in s.get("ray", {}):
        ray = s["ray"]
        scaled.append(("Ray workers", ray["1 worker_s"], ray["2 workers_s"], ray["speed_up"]))
    return (
        f"### A big run\n\n{s['generations']:,} generations, {s['text_gb']} GB of text: "
        f"{s['generations_per_s']:,} generations a second by the clock on two cores, "
        f"{s['generations_per_cpu_s']:,} a processor second.\n\n"
        + table(("", "clock, s", "processor, s", "memory, MB"), rows)
        + f"\n\nScaling, {scaling['generations']:,} generations:\n\n"
        + table(("", "one, s", "two, s", "speed-up"), scaled)
    )


def _cost(s: Figures) -> str:
    length = [(f"{int(n):,}", ms) for n, ms in s["by length"]["ms"].items()]
    items = [(f"{int(n):,}", seconds) for n, seconds in s["by items"]["s"].items()]
    return (
        "### Cost by size\n\n"
        f"Exponent of the cost over the length of a text: {s['by length']['exponent']}; over the number of items: "
        f"{s['by items']['exponent']} (1 is linear).\n\n"
        + table(("characters", "reading, ms"), length)
        + "\n\n"
        + table(("items", "grading, s"), items)
    )


def _worst(s: Figures) -> str:
    return (
        f"### The worst single items\n\nThe slowest of {s['items']} hostile generations (limit {s['limit_s']} s):\n\n"
        + table(("generation", "clock, s"), s["slowest"].items())
    )
