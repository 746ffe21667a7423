"""LightEval's own command line, run in this process with fixes in place."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from . import catalog
from .fix import Result, State, Undo
from .install import Installer, installer
from .live import source_of


def lighteval(arguments: Sequence[str], fixes: Sequence[str] = ("default",)) -> int:
    """Run `lighteval ARGUMENTS` with fixes installed first, and say on stderr what was on.

    Args:
        arguments: passed through untouched.
        fixes: groups, names or numbers, see `catalog.select`.

    Returns:
        LightEval's exit code.

    Raises:
        ValueError: an unknown fix or group.
        UpstreamShapeError: the installed LightEval is not one that a fix knows.
        ImportError: LightEval is not installed.
    """
    chosen = catalog.select(fixes)
    place = installer()
    results = place.install(chosen)
    for result in results:
        print(f"lighteval-fix: {line(result)}", file=sys.stderr)
    unstamp: Undo = _nothing
    try:
        # In here, since what cannot be imported ends LightEval as it would without us.
        unstamp = stamp(place, results)
        command: Any = import_module("lighteval.__main__")
        command.app(list(arguments), prog_name="lighteval")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:
        # What ends LightEval is shown and exits as it would without us.
        sys.excepthook(*cast("tuple[Any, Any, Any]", sys.exc_info()))
        return 1
    finally:
        unstamp()
    return 0


def _nothing() -> None:
    """To be undone where nothing was done."""


def line(result: Result) -> str:
    """One line about one fix."""
    words = {
        State.INSTALLED: "on",
        State.PENDING: "on, from the first import",
        State.FIXED_UPSTREAM: "not needed here",
        State.NOT_THERE: "not applicable",
    }
    detail = f" ({result.detail})" if result.detail and result.state is not State.INSTALLED else ""
    return f"{result.fix.number} {result.fix.name}: {words[result.state]}{detail}"


def stamp(place: Installer, results: Sequence[Result]) -> Undo:
    """Have every result file, and every inspect_ai log, say which fixes were in place.

    They stand in `config_general.lighteval_fix` of the results JSON and in the metadata of a log.
    """
    tracker: Any = import_module("lighteval.logging.evaluation_tracker").EvaluationTracker
    note = _note([result for result in results if result.state in (State.INSTALLED, State.PENDING)])
    results_property, save_results = tracker.results, tracker.save_results

    def noted(content: Any) -> Any:
        content["config_general"]["lighteval_fix"] = note
        return content

    # 0.10 writes what it has put together a second time.
    tracker.results = property(lambda self: noted(results_property.fget(self)))
    tracker.save_results = lambda self, date_id, results_dict: save_results(self, date_id, noted(results_dict))
    unstamp_logs = _stamp_logs(note)

    def undo() -> None:
        tracker.results, tracker.save_results = results_property, save_results
        unstamp_logs()

    return undo


def _stamp_logs(note: Mapping[str, object]) -> Undo:
    """The same for the logs of `lighteval eval`, in versions that have it."""
    if source_of("lighteval.main_inspect") is None:
        return _nothing
    inspect: Any = import_module("lighteval.main_inspect")
    eval_set = inspect.inspect_ai_eval_set

    def stamped_eval_set(*tasks: Any, **options: Any) -> Any:
        options["metadata"] = {**(options.get("metadata") or {}), "lighteval_fix": note}
        return eval_set(*tasks, **options)

    inspect.inspect_ai_eval_set = stamped_eval_set

    def undo() -> None:
        inspect.inspect_ai_eval_set = eval_set

    return undo


def _note(results: Sequence[Result]) -> Mapping[str, object]:
    from importlib.metadata import PackageNotFoundError, version

    try:
        ours = version("lighteval-fix")
    except PackageNotFoundError:
        ours = "unknown"
    return {"version": ours, "fixes": [result.fix.name for result in results]}
