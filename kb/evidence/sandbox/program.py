"""The process of a program: it isolates itself and runs the program as a main script."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from kb.evidence.sandbox import kernel, places
from kb.evidence.sandbox.folder import LARGEST_FILE
from kb.evidence.sandbox.landlock import restrict
from kb.evidence.sandbox.protocol import Program
from kb.evidence.sandbox.seccomp import refuse_system_calls

_STARTS_A_PROCESS = (
    "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile",
    "os.system", "pty.spawn", "subprocess.Popen",
)  # fmt: skip
_HERE = os.path.dirname(__file__)
_OURS = "kb"
_MOST_OPEN = 64
_HIGHEST_DESCRIPTOR = 1 << 16


def shut_in(
    program: Program, layers: Sequence[str], folder: str, supervisor: int, kept: int
) -> None:
    """Give up everything the program must not have; only the descriptor ``kept`` stays open.

    Raises `OSError` if a layer cannot be set up.
    """
    os.setsid()
    kernel.die_with_parent(supervisor, signal.SIGKILL)
    os.closerange(3, kept)
    os.closerange(kept + 1, _HIGHEST_DESCRIPTOR)
    _forget(folder)
    limit(program.memory, program.seconds)
    kernel.hide(False)
    kernel.give_up_privileges()
    if "landlock" in layers:
        usable, readable = places.DEVICES, (*places.readable(), *places.RANDOM)
        _named("Landlock", restrict, readable, usable, folder)
    if "seccomp" in layers:
        _named("seccomp", refuse_system_calls)


def limit(memory: int, seconds: int) -> None:
    """Set kernel limits, which a process can only lower: setrlimit(2).

    ``memory`` is bytes of address space, ``seconds`` is processor time. The number of processes
    is not limited: the kernel would count all processes of the user, and none of root. One second
    after the limit the kernel kills a process that ignores its signal.
    """
    import resource  # only here: where there is none, the rest can still be asked for

    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_FSIZE, LARGEST_FILE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, _MOST_OPEN, _MOST_OPEN),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(kind, (soft, hard))


def run(program: Program) -> NoReturn:
    """Run the program as a main script and end this process."""
    status = 1
    try:
        _execute(program)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        _show(error)
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                status = status or 1
        os._exit(status & 0xFF)


def _execute(program: Program) -> None:
    compiled = compile(program.code, program.name, "exec")
    module = ModuleType("__main__")
    module.__dict__.update(__file__=program.name, __builtins__=__builtins__)
    sys.argv = [program.name]
    sys.modules["__main__"] = module
    sys.addaudithook(_refuse_processes)
    exec(compiled, module.__dict__)


def _forget(folder: str) -> None:
    """Reset the state of this process to that of a new interpreter."""
    os.chdir(folder)
    os.environ.update(HOME=folder, TMPDIR=folder)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    for name in [name for name in sys.modules if name.partition(".")[0] == _OURS]:
        del sys.modules[name]


def _named(layer: str, put_up: Any, *arguments: Any) -> None:
    try:
        put_up(*arguments)
    except OSError as error:
        raise OSError(error.errno, f"{layer}: {error.strerror}") from error


def _show(error: BaseException) -> None:
    """Print the program's traceback without the frames of these files."""
    import traceback

    told = traceback.TracebackException.from_exception(error)
    told.stack = traceback.StackSummary.from_list(
        [frame for frame in told.stack if not frame.filename.startswith(_HERE)]
    )
    print("".join(told.format()), end="", file=sys.stderr)


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    """Give a clear error for starting processes; the kernel enforces it."""
    if event in _STARTS_A_PROCESS:
        raise PermissionError(f"{event}: a program here may not start others")
