"""0025: LiveCodeBench programs run as they were written, in a sandbox, with a real standard input."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...model import Kind, SandboxMissing
from ...running import run_program
from ..fix import Finding, Fix, Group, Hook, Seen, Undo
from . import in_process, samples

_LCB = ("lighteval.tasks.tasks.lcb.main", "lighteval.tasks.extended.lcb.main")


def _install() -> Undo:
    # A host without a sandbox is told before the model has worked for hours, not after.
    run_program("print(1)")
    return in_process.install(in_process.is_code, Kind.CODE)


def _probe() -> Finding:
    from .. import live

    name = next((name for name in _LCB if live.source_of(name) is not None), None)
    if name is None:
        return Finding(Seen.NOT_THERE, "this version has no LiveCodeBench")
    metric: Any = import_module(name).lcb_codegen_metric
    doc = samples.document(
        "", query="Print the input.", id="0", specific={"inputs": ["21\n"], "outputs": ["21\n"], "fn_name": None}
    )
    program = "import sys\nprint(sys.stdin.buffer.read().decode().strip())"
    response = samples.response(f"```python\n{program}\n```")
    apply_metric = import_module("lighteval.metrics").apply_metric
    try:
        score = apply_metric(responses=[response], docs=[doc], metrics=[metric])[0][metric.metric_name]
    except SandboxMissing as error:
        return Finding(Seen.NOT_THERE, str(error))
    except ValueError as error:
        # 0.11 has the metric as a function, and refuses to compute it.
        return Finding(Seen.FAULT, f"scoring one program raises ValueError: {error}")
    return Finding.of(float(score) != 1.0, f"a program that reads `sys.stdin.buffer` scores {float(score)}")


FIX = Fix(
    name="own-running",
    number="0025",
    group=Group.CODE,
    body=Hook(install=_install, modules=("lighteval.metrics", "lighteval.pipeline"), needs=in_process.NEEDS),
    probe=_probe,
    seen_in=("0.11.0", "0.12.2", "0.13.0"),
    title="programs that read standard input by its buffer, by file number or by thread are scored zero",
    why=(
        "A program is rewritten into a function and given a mock in place of standard input, inside the harness's own "
        "process. `sys.stdin.buffer`, `open(0)` and `os.read` fail, and 0.3333333 is wrong where 0.333333 is "
        "expected. Programs are run as they were written by this package's sandbox, and floats compared with a "
        "relative tolerance of 1e-6."
    ),
    depends=("module-level-bindings",),
)
