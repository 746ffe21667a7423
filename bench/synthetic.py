"""A large run made from the bundled example: as many generations as asked for, each with a text of its own.

The maths rows of `examples/run` are repeated; each text is preceded by sentences drawn anew (about `LENGTH` characters
in all), and the whole numbers of the gold, of the answer and of the question are shifted together, anew for every
question. Each question comes `TWINS` times with different texts, as when several samples are taken. In the example more
than half of the scores change, on purpose; here all but one question in `FLIP_EVERY` are recorded as they are graded.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .common import ROOT

LENGTH = 4000
"""Characters of a generation."""
TWINS = 8
FLIP_EVERY = 25
GROUP = 1000
"""Rows of a row group, the number that LightEval's writer takes."""

_WHOLE = re.compile(r"(?<![\d.])\d+(?![\d.]*\.\d)(?!\d)")
_LAST_LINE = "\nANSWER: "


def base_rows() -> list[dict[str, Any]]:
    """The maths rows of the example run."""
    import pyarrow.parquet as pq

    [path] = (ROOT / "examples" / "run").rglob("details_maths*.parquet")
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def sentences(chance: random.Random, count: int = 2000) -> list[str]:
    """Sentences as a model writes them: words, numbers, inline and display formulas, lists, boxes never."""
    words = "so then we take note that the value of this term is not yet known and has to be found from each case"
    known = words.split()
    made = []
    for _ in range(count):
        a, b, c = (chance.randrange(2, 999) for _ in range(3))
        formula = chance.choice(
            (
                f"$x_{{{a}}} = {b}$",
                f"$\\frac{{{a}}}{{{b}}}$",
                f"\\({a} + {b} = {a + b}\\)",
                f"\\[\n\\sqrt{{{a}}} \\cdot {b} < {c}\n\\]",
                f"{a} times {b}",
                f"$f(x) = {a}x^2 - {b}x + {c}$",
                f"**Step {a % 9 + 1}**",
            )
        )
        chosen = chance.choices(known, k=chance.randrange(5, 18))
        place = chance.randrange(len(chosen))
        chosen.insert(place, formula)
        made.append(" ".join(chosen).capitalize() + chance.choice((". ", ". ", ".\n", ".\n\n", ": ", "; ", "?\n")))
    return made


def shifted(text: str, by: int) -> str:
    """`text` with every whole number made larger by `by`."""
    return _WHOLE.sub(lambda found: str(int(found[0]) + by), text)


def rows(count: int, graded: list[float], seed: int = 9) -> Iterator[dict[str, Any]]:
    """`count` rows in LightEval's shape. `graded`: what each base row is graded as."""
    chance = random.Random(seed)
    pool = sentences(chance)
    mean = sum(map(len, pool)) / len(pool)
    several = int(LENGTH / mean)
    base = base_rows()
    for row in range(count):
        which = row % len(base)
        question, turn = divmod(row // len(base), TWINS)
        source = base[which]
        doc, response = source["doc"], source["model_response"]
        instruction, _, asked = doc["query"].partition("\n\n")
        head, line, answer = response["text"][0].rpartition(_LAST_LINE)
        text = f"{turn}. " + "".join(chance.choices(pool, k=several)) + head
        text += line + shifted(answer, question) if line else answer
        query = f"{instruction}\n\n{shifted(asked, question)}"
        kept = question % FLIP_EVERY != 0
        yield {
            "doc": {
                **doc,
                "id": str(row),
                "query": query,
                "choices": [_shifted_gold(doc["choices"][0], question)],
            },
            "metric": {name: graded[which] if kept else score for name, score in source["metric"].items()},
            "model_response": {**response, "input": query, "text": [text], "text_post_processed": [text]},
        }


def _shifted_gold(gold: str, by: int) -> str:
    before, box, after = gold.partition("\\boxed")
    return before + box + shifted(after, by)


def standings() -> list[float]:
    """How the base rows are graded once their numbers are shifted."""
    from lighteval_fix import Generation, Gold, Item
    from lighteval_fix.audit.regrade import options_of
    from lighteval_fix.audit.work import Work
    from lighteval_fix.model import Run
    from lighteval_fix.sources.source import NoReader

    work = Work(Run("", "lighteval", NoReader()), options_of())
    base = base_rows()
    made = rows(len(base) * TWINS * 2, [0.0] * len(base))
    scores = []
    for row in list(made)[-len(base) :]:
        [text] = row["model_response"]["text"]
        item = Item(
            "", 0, row["doc"]["query"], None, (Gold(row["doc"]["choices"][0]),), generations=(Generation(text),)
        )
        scores.append(work.one(item)[0].score)
    return scores


def named(folder: Path) -> Path:
    """A path under `folder` that is named as LightEval names its details."""
    date = "2026-01-01T00-00-00.000000"
    made = folder / "details" / "bench" / "synthetic" / date / f"details_maths|0_{date}.parquet"
    made.parent.mkdir(parents=True)
    return made


def filler(length: int) -> str:
    """About `length` characters of such sentences."""
    chance = random.Random(length)
    pool = sentences(chance)
    return "".join(chance.choices(pool, k=length * len(pool) // sum(map(len, pool))))


def write(path: Path, count: int) -> int:
    """Write a run of `count` generations row group by row group, in bounded memory; returns the characters of text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    [example] = (ROOT / "examples" / "run").rglob("details_maths*.parquet")
    schema = pq.read_schema(example)
    characters = 0
    with pq.ParquetWriter(path, schema) as writer:
        group: list[dict[str, Any]] = []
        for made in rows(count, standings()):
            group.append(made)
            characters += len(made["model_response"]["text"][0])
            if len(group) == GROUP:
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
                group = []
        if group:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
    return characters
