"""0005: the details logger hashes text, and xxhash 4 takes bytes only."""

from __future__ import annotations

from ..edits import Argument
from ..fix import Finding, Fix, Group, Seen, Transplant
from . import samples

_LOGGER = ("lighteval.logging.info_loggers",)


def _probe() -> Finding:
    from importlib import import_module

    logger = import_module(_LOGGER[0]).DetailsLogger()
    doc, said = samples.document("2", query="1 + 1 = é"), samples.response("2")
    try:
        samples.log(logger, doc, said)
        logger.aggregate()
    except TypeError as error:
        return Finding(Seen.FAULT, f"logging one sample raises TypeError: {error}")
    return Finding(Seen.CLEAN, "one sample was logged and aggregated")


FIX = Fix(
    name="xxhash-text",
    number="0005",
    group=Group.DYING,
    body=Transplant(
        (
            Argument(
                modules=_LOGGER,
                qualname="DetailsLogger.log",
                shapes=("6dfff47846d9", "613bbd5ad67c"),
                callee="xxhash.xxh64",
                template='{}.encode("utf-8", "surrogatepass")',
            ),
            Argument(
                modules=_LOGGER,
                qualname="DetailsLogger.aggregate",
                shapes=("572ced2e4ae0", "04d182a056d2"),
                callee="xxhash.xxh64",
                template='{}.encode("utf-8", "surrogatepass")',
            ),
        )
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="with xxhash 4 a run dies in the details logger, after everything has been generated and scored",
    why=(
        "`xxhash.xxh64` was given a `str` for three values of every sample and for the hashes of hashes in "
        "`aggregate`. xxhash 4 takes bytes only and raises TypeError, so the run ends before any result is written. "
        "The text is encoded first, which gives the digests that earlier xxhash versions gave."
    ),
)
