"""No sandbox: programs run as the user who grades, who asked for that by name. Resource limits are all there is."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass

from .interpreter import Interpreter
from .limits import Limits
from .sandbox import COMMON, ENVIRONMENT, Launch, server_files


@dataclass(frozen=True, slots=True)
class Plain:
    """Programs without a sandbox."""

    name: str = "none"
    contains: bool = False

    def prepare(self, python: Interpreter, limits: Limits, control: int) -> Launch:
        """A temporary folder, with the program in one part and its working folder in another."""
        folder = tempfile.mkdtemp(prefix="lighteval-fix-")
        home, program = os.path.join(folder, "scratch"), os.path.join(folder, "program", "program.py")
        os.mkdir(home)
        os.mkdir(os.path.dirname(program))
        started = ""
        for name, data in server_files(python.magic):
            started = started or os.path.join(folder, name)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        return Launch(
            command=(python.executable, "-S", "-s", "-B", started, str(control), "0", *COMMON),
            environment={**ENVIRONMENT, "HOME": home, "TMPDIR": home},
            pass_fds=(),
            program=program,
            home=home,
            writable=(home,),
            processes=0,
            contained=False,
            group=None,
            cleanup=lambda: shutil.rmtree(folder, ignore_errors=True),
        )

    def refused(self, message: str) -> str:
        """The interpreter itself did not start."""
        return f"the fork server did not start: {message.strip()[-300:] or 'no message'}"
