"""The parameters that a program declares, and its code with other values.

A parameter is a constant on its own line, with a comment that gives its range and, optionally,
its unit. Values set here are used for one run; the code that decides trust does not change.

    ROWS = 32  # parameter: 8 to 512 rows
    SEED = 0  # parameter: 0 to 1_000_000
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from kb.errors import Message, UsageError, nearest, shown

SEED = "SEED"
"""The parameter for the seed of random numbers."""

_TIMES = 11

_NUMBER = r"-?\d[\d_]{,99}(?:\.[\d_]{,99})?(?:e[-+]?\d{1,3})?"
_DECLARED = re.compile(
    rf"(?P<name>[A-Z][A-Z0-9_]*) = (?P<value>{_NUMBER})  # parameter: "
    rf"(?P<low>{_NUMBER}) to (?P<high>{_NUMBER})(?: (?P<unit>\S.*))?"
)


class Parameter(NamedTuple):
    """A parameter of a program: its value in the code, its range and its unit."""

    name: str
    value: float
    low: float
    high: float
    unit: str = ""


def parameters_of(code: str) -> tuple[Parameter, ...]:
    r"""Return the declared parameters of a program in order; none for invalid Python.

    >>> parameters_of("ROWS = 32  # parameter: 8 to 512 rows\nprint(ROWS)\n")
    (Parameter(name='ROWS', value=32, low=8, high=512, unit='rows'),)
    """
    return tuple(parameter for _, parameter in _declared(code).values())


def with_values(code: str, values: Mapping[str, float | str], place: str = "") -> str:
    r"""Return a program with other parameter values; all other lines are unchanged.

    Raises `UsageError` for an undeclared parameter and for a value that is not a number, out of
    range or not whole where it must be. ``place`` names it.

    >>> with_values("ROWS = 32  # parameter: 8 to 512 rows\nprint(ROWS)\n", {"ROWS": "64"})
    'ROWS = 64  # parameter: 8 to 512 rows\nprint(ROWS)\n'
    """
    declared = _declared(code)
    lines = code.split("\n")
    for name, value in values.items():
        if name not in declared:
            raise _unknown(name, declared, place)
        line, parameter = declared[name]
        number = _number(value, parameter, place)
        _, _, comment = lines[line].partition("  # ")
        lines[line] = f"{name} = {number!r}  # {comment}"
    return "\n".join(lines)


def drawn(code: str, seed: str) -> dict[str, float]:
    r"""Return other values for a program: a drawn seed, and a multiple of one parameter.

    Multiples meet what else a program asks, such as that one parameter divides another. A text
    ``seed`` draws the same values again.

    >>> drawn("ROWS = 32  # parameter: 8 to 512 rows\nprint(ROWS)\n", "a")
    {'ROWS': 288}
    """
    parameters = parameters_of(code)
    values = {each.name: _multiples(each) for each in parameters if each.name != SEED}
    names = [name for name, some in values.items() if some]
    chance = int.from_bytes(sha256(seed.encode()).digest()[:8], "big")
    found: dict[str, float] = {
        each.name: each.low + chance % (each.high - each.low + 1)
        for each in parameters
        if each.name == SEED and isinstance(each.low, int) and isinstance(each.high, int)
    }
    if names:
        name = names[chance % len(names)]
        found[name] = values[name][chance // len(names) % len(values[name])]
    return found


def _multiples(parameter: Parameter) -> list[float]:
    """Return the whole multiples of a parameter's value in its range, or else its parts."""
    value, whole = parameter.value, isinstance(parameter.value, int)
    times = [value * n for n in range(2, _TIMES)]
    parts = [value // n if whole else value / n for n in range(2, _TIMES) if not value % n]
    fit = (
        [each for each in some if parameter.low <= each <= parameter.high]
        for some in (times, parts)
    )
    return next(filter(None, fit), [])


def _declared(code: str) -> dict[str, tuple[int, Parameter]]:
    """Return each parameter with its line index; of those of one name, the last counts."""
    declared = {}
    try:
        body = ast.parse(code).body if "# parameter: " in code else []
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        body = []
    lines = code.split("\n")
    for line in (node.lineno - 1 for node in body if isinstance(node, ast.Assign)):
        if found := line < len(lines) and _DECLARED.fullmatch(lines[line].rstrip("\r")):
            value, low, high = map(_read, found.group("value", "low", "high"))
            if low <= high and math.isfinite(value) and math.isfinite(high - low):
                parameter = Parameter(found["name"], value, low, high, found["unit"] or "")
                declared[parameter.name] = line, parameter
    return declared


def _read(number: str) -> float:
    plain = number.replace("_", "")
    return float(plain) if set(plain) & set(".e") else int(plain)


def _number(value: float | str, parameter: Parameter, place: str) -> float:
    try:
        number = float(str(value).replace(",", "").replace("٬", ""))
    except ValueError:
        number = math.nan
    counted = isinstance(parameter.value, int)
    if not parameter.low <= number <= parameter.high or (counted and number % 1):
        raise UsageError(
            "{name} is {kind} from {low:,} to {high:,}, not '{value}'",
            place=place,
            name=parameter.name,
            kind=Message("a whole number") if counted else Message("a number"),
            low=parameter.low,
            high=parameter.high,
            value=shown(str(value)),
        )
    return int(number) if counted else number


def _unknown(name: str, declared: Mapping[str, object], place: str) -> UsageError:
    if not declared:
        return UsageError("this program declares no parameters", place=place)
    close = nearest(name.upper(), declared)
    names = Message("Its parameters: {names}.", names=", ".join(declared))
    return UsageError(
        "this program has no parameter '{name}'", close or names, place=place, name=shown(name)
    )
