"""0001: a program is made the body of a function, and what it binds at module level is lost to its own functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..edits import Replace
from ..fix import Finding, Fix, Group, Seen, Transplant

if TYPE_CHECKING:
    # What the target module's own namespace holds.
    from lighteval.tasks.tasks.lcb.codegen_metrics import ast, import_string

_LCB = ("lighteval.tasks.tasks.lcb.codegen_metrics", "lighteval.tasks.extended.lcb.codegen_metrics")

_PROGRAM = """
total = 0
def add(value):
    global total
    total += value
add(int(input()))
add(total)
print(total)
"""


def make_function(code: str) -> str:
    try:
        ast.parse(code)
    except Exception:
        return code
    # The program stays a module, run anew with names of its own for every test, so that `global`, classes and
    # functions find what it binds at module level.
    lines = [
        import_string,
        f"_program = compile({code!r}, '<program>', 'exec')",
        "def wrapped_function():",
        "    names = {name: value for name, value in globals().items() if name != '_program'}",
        "    names['__name__'] = '__main__'",
        "    exec(_program, names)",
    ]
    return "\n".join(lines) + "\n"


def _probe() -> Finding:
    import sys
    from importlib import import_module
    from io import StringIO
    from types import ModuleType

    from .. import live

    lcb: Any = import_module(next(name for name in _LCB if live.source_of(name) is not None))
    # As the harness runs it, without its alarm and without its guard, which would disarm this process.
    module = ModuleType("program")
    limit, stdout = sys.getrecursionlimit(), sys.stdout
    sys.stdout = printed = StringIO()
    try:
        exec(lcb.make_function(_PROGRAM), vars(module))  # our own program, above
        lcb.call_method(module.wrapped_function, "21\n")
    except NameError as error:
        return Finding(Seen.FAULT, f"a program that counts in a global raises NameError: {error}")
    finally:
        sys.stdout = stdout
        sys.setrecursionlimit(limit)
    answer = printed.getvalue().strip()
    return Finding.of(answer != "42", f"a program that counts in a global prints {answer} for 42")


FIX = Fix(
    name="module-level-bindings",
    number="0001",
    group=Group.CODE,
    body=Transplant(
        (Replace(modules=_LCB, qualname="make_function", shapes=("a933a7fafddd",), function=make_function),),
    ),
    probe=_probe,
    seen_in=("0.10.0", "0.11.0", "0.12.2", "0.13.0"),
    title="a program that uses `global` fails, since its module level has become a function",
    why=(
        "A stdin program is wrapped in a function, so that its module-level names are local to it: `global total` in "
        "one of its functions then names something that does not exist (NameError), and right programs are scored "
        "zero. The program is compiled as the module that it is and run with fresh names for every test."
    ),
)
