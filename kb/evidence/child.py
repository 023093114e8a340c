"""The child's side, a program of its own: set the limits, run the snippet, report what it took.

Started as ``python -I child.py CONFIG`` with CONFIG a JSON object made by
`kb.evidence.runner`. It forks once: the process that runs the snippet is then the
child of a small process, so the peak memory the kernel keeps for it is its own. (A
program started from a large one is charged with the large one's memory.)

The descriptor ``report`` of the configuration takes one JSON line with the process to
stop, and one with what it took. Standard library only, and as little of it as can be.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import traceback
from types import ModuleType
from typing import Any, NoReturn

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_MOST_FILES = 64
_LARGEST_FILE = 16 << 20
_STARTS_A_PROCESS = (
    "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.startfile",
    "os.system", "pty.spawn", "subprocess.Popen",
)  # fmt: skip


def main() -> None:
    """Run the snippet in a process below this one, and report."""
    config = json.loads(sys.argv[1])
    report = config["report"]
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    snippet = os.fork()
    if not snippet:
        os.close(report)
        _run(config)
    _tell(report, {"pid": snippet})
    for stream in (1, 2):
        os.close(stream)
    _, status, used = os.wait4(snippet, 0)
    _end_orphans()
    _tell(report, {"status": status, "peak": used.ru_maxrss, "root": os.getuid() == 0})


def _run(config: dict[str, Any]) -> NoReturn:
    os.setsid()
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _limit(config)
    status = 1
    try:
        _execute(config["name"])
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
            except OSError:
                status = status or 1
        os._exit(status & 0xFF)


def _execute(name: str) -> None:
    """Run the file as a program by itself would run."""
    with open(name, encoding="utf-8") as file:
        program = compile(file.read(), name, "exec")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    module = ModuleType("__main__")
    module.__dict__.update(__file__=name, __builtins__=__builtins__)
    sys.argv = [name]
    sys.modules["__main__"] = module
    sys.addaudithook(_refuse_processes)
    exec(program, module.__dict__)


def _show(error: BaseException) -> None:
    """Print the traceback of the snippet, without the frames of this file."""
    told = traceback.TracebackException.from_exception(error)
    told.stack = traceback.StackSummary.from_list(
        [frame for frame in told.stack if frame.filename != __file__]
    )
    print("".join(told.format()), end="", file=sys.stderr)


def _limit(config: dict[str, Any]) -> None:
    """Set the kernel's limits. Landlock and seccomp filters belong here, after them."""
    seconds = config["cpu_seconds"]
    for limit, value in (
        (resource.RLIMIT_AS, config["memory_bytes"]),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, _LARGEST_FILE),
        (resource.RLIMIT_NOFILE, _MOST_FILES),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(limit, (value, value))


def _refuse_processes(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to start programs: a guard against accidents, since the limit does not bind root."""
    if event in _STARTS_A_PROCESS:
        raise PermissionError(f"{event}: a snippet may not start other programs")


def _end_orphans() -> None:
    """End what the snippet left running: as subreaper, this process inherits it."""
    while True:
        try:
            with open(f"/proc/self/task/{os.getpid()}/children") as file:
                left = file.read().split()
        except OSError:
            return
        if not left:
            return
        for pid in left:
            os.kill(int(pid), signal.SIGKILL)
            os.waitpid(int(pid), 0)


def _tell(report: int, facts: dict[str, Any]) -> None:
    os.write(report, json.dumps(facts).encode() + b"\n")


def _prctl(option: int, value: int) -> None:
    """Ask the kernel of Linux for an option; elsewhere there is none."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, int(value), 0, 0, 0)


if __name__ == "__main__":
    main()
