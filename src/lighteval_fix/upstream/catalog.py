"""Every fix there is, and choosing among them by group, name or number."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module

from .fix import DEFAULT_GROUPS, Fix, Group

# In the order in which they are installed; one file a fix.
_MODULES = (
    "lighteval.xxhash_text",
    "lighteval.judge_lookup",
    "lighteval.tiny_benchmarks",
    "lighteval.inspect_options",
    "lighteval.sglang_import",
    "lighteval.dropped_sampling",
    "lighteval.forced_sampling",
    "lighteval.boxed_pattern",
    "lighteval.sampling_metrics",
    "lighteval.mmlu_pro_labels",
    "lighteval.lcb_pool",
    "lighteval.module_level",
    "lighteval.inspect_scorers",
    "lighteval.restated_template",
    "lighteval.own_grading",
    "lighteval.own_running",
    "lighteval.closing_tag",
    "lighteval.letter_in_dollars",
    "omlx.choice_letter",
    "omlx.think_tags",
)


def all_fixes() -> tuple[Fix, ...]:
    """Every fix. Importing them imports no harness."""
    fixes: list[Fix] = []
    for name in _MODULES:
        module = import_module(f".{name}", __package__)
        fixes.extend(getattr(module, "FIXES", None) or (module.FIX,))
    return tuple(fixes)


def select(wanted: Iterable[str] = ("default",)) -> tuple[Fix, ...]:
    """The fixes that `wanted` names, with what they depend on, in installing order.

    Args:
        wanted: groups, names, four-digit numbers, `default` (what never changes which text is read), `all` (every
            fix of LightEval), or `none`.

    Raises:
        ValueError: something else, with what can be asked for.
    """
    fixes = all_fixes()
    by_name = {fix.name: fix for fix in fixes}
    chosen: set[str] = set()
    for word in wanted:
        if word == "none":
            continue
        if word == "all":
            chosen.update(fix.name for fix in fixes if fix.harness == "lighteval")
            continue
        groups = DEFAULT_GROUPS if word == "default" else (word,)
        found = [fix.name for fix in fixes if fix.group in groups or word in (fix.name, fix.number)]
        if not found and word not in {group.value for group in Group}:
            groups_known = ", ".join(group.value for group in Group)
            near = "".join(f" (nearest: {name})" for name in get_close_matches(word, by_name, 1))
            raise ValueError(
                f"there is no fix or group called {word!r}{near}; the groups are default, all, none, {groups_known}, "
                "and `lighteval-fix patch list` shows the fixes"
            )
        chosen.update(found)
    pending = list(chosen)
    while pending:
        for needed in by_name[pending.pop()].depends:
            if needed not in chosen:
                chosen.add(needed)
                pending.append(needed)
    return _ordered([fix for fix in fixes if fix.name in chosen])


def _ordered(fixes: list[Fix]) -> tuple[Fix, ...]:
    """Each after what it depends on, else as listed."""
    placed: list[Fix] = []
    names: set[str] = set()

    def put(fix: Fix) -> None:
        if fix.name in names:
            return
        names.add(fix.name)
        for needed in fixes:
            if needed.name in fix.depends:
                put(needed)
        placed.append(fix)

    for fix in fixes:
        put(fix)
    return tuple(placed)
