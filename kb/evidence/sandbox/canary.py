"""A program that tries everything forbidden, and everything that must work.

A container or a policy can remove what a kernel version promises, so only a trial can tell.
"""

from __future__ import annotations

CODE = """
import ctypes, os, socket, sys, threading

libc = ctypes.CDLL(None, use_errno=True)
here = os.getcwd()

def fork():
    child = libc.fork()
    if child == 0:
        os._exit(0)
    if child < 0:
        raise OSError("refused")
    os.waitpid(child, 0)

def write(path):
    open(path, "w").close()
    os.unlink(path)

def thread():
    each = threading.Thread(target=lambda: None)
    each.start()
    each.join()

attempts = {
    "read /etc/passwd": lambda: open("/etc/passwd").read(1),
    "list the folder of its kind": lambda: os.listdir(os.path.dirname(here)),
    "look at its parent": lambda: open(f"/proc/{os.getppid()}/environ").read(1),
    "write beside its folder": lambda: write(os.path.join(os.path.dirname(here), "canary")),
    "write in /tmp": lambda: write(f"/tmp/danesh-canary-{os.getpid()}"),
    "open a network socket": lambda: socket.socket(socket.AF_INET).close(),
    "open a local socket": lambda: socket.socket(socket.AF_UNIX).close(),
    "start a process": fork,
    "signal its parent": lambda: os.kill(os.getppid(), 0),
}
if "bubblewrap" in LAYERS:
    attempts["see /etc/passwd"] = lambda: os.stat("/etc/passwd")
needs = {
    "write in its own folder": lambda: write(os.path.join(here, "canary")),
    "start a thread": thread,
}
for name, attempt in attempts.items():
    try:
        attempt()
    except OSError:
        continue
    print("it could", name)
for name, attempt in needs.items():
    try:
        attempt()
    except (OSError, RuntimeError):
        print("it could not", name)
print("tried")
"""
"""Prints a line for each attempt with a wrong result, and a line at the end."""


def code(layers: tuple[str, ...]) -> str:
    """Return the canary for a level with these layers."""
    return f"LAYERS = {layers!r}\n{CODE}"


def problem(status: str, stdout: str, stderr: str) -> str:
    """Return in a sentence what was wrong, or nothing.

    >>> problem("ok", "tried\\n", "")
    ''
    >>> problem("ok", "it could start a process\\ntried\\n", "")
    'it could start a process'
    >>> problem("refused", "", "Landlock: not there")
    'Landlock: not there'
    """
    *wrong, last = stdout.splitlines() or [""]
    if status == "ok" and last == "tried":
        return ", ".join(wrong)
    return stderr.strip().split("\n")[-1] or f"a trial of it {status}"
