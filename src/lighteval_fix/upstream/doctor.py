"""Which faults the installed harnesses have, by live probes, and what to do about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

from . import export, live, ondisk
from .fix import DEFAULT_GROUPS, Fix, Seen
from .install import look


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One fault on this machine.

    Args:
        name, number, group, title, harness: of the fix.
        state: `present`, `absent`, `fixed` (by a fix applied to the installed files), `not_there`, or `unknown`.
        detail: what the probe saw.
        advice: what to do; empty where there is nothing.
    """

    name: str
    number: str
    group: str
    title: str
    state: str
    detail: str
    advice: str
    harness: str = "lighteval"


@dataclass(frozen=True, slots=True)
class Report:
    """The harnesses with their versions (None: not installed) and every fault."""

    harnesses: dict[str, str | None]
    faults: tuple[Diagnosis, ...]

    @property
    def present(self) -> tuple[Diagnosis, ...]:
        """What is wrong here."""
        return tuple(fault for fault in self.faults if fault.state == "present")

    def to_dict(self) -> dict[str, object]:
        """For `--json`."""
        return {"schema_version": 1, "harnesses": self.harnesses, "faults": [asdict(fault) for fault in self.faults]}


def examine(fixes: Sequence[Fix]) -> Report:
    """Probe every fault. Nothing is installed, downloaded or written."""
    harnesses = {name: _version(name) for name in dict.fromkeys(fix.harness for fix in fixes)}
    tree = export.installed()
    on_disk = ondisk.applied(tree) if tree else ()
    return Report(harnesses, tuple(_diagnose(fix, on_disk) for fix in fixes))


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown" if live.package_root(package) else None


def _diagnose(fix: Fix, on_disk: Sequence[str]) -> Diagnosis:
    remedy = ""
    if live.package_root(fix.harness) is None:
        state, detail = Seen.NOT_THERE.value, f"{fix.harness} is not installed"
    else:
        finding = look(fix)
        state, detail = finding.seen.value, finding.detail
        remedy = finding.remedy
    if state == Seen.CLEAN and fix.name in on_disk:
        state = "fixed"
    advice = _advice(fix, state, remedy)
    return Diagnosis(fix.name, fix.number, fix.group.value, fix.title, state, detail, advice, fix.harness)


def _advice(fix: Fix, state: str, remedy: str) -> str:
    match state:
        case "present":
            if fix.harness != "lighteval":
                return f"harness.apply_all(), or lighteval-fix patch apply --harness {fix.harness}"
            asked = "" if fix.group in DEFAULT_GROUPS else f" --fixes default,{fix.name}"
            run = f"lighteval-fix run{asked} -- …"
            return f"{run}, or lighteval-fix patch apply{asked}" if ondisk.can_be_written(fix) else run
        case "unknown" if remedy:
            return remedy
        case "unknown":
            return "this version is not known; report it with the line above"
        case _:
            return ""
