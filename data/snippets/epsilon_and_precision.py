"""An epsilon protects only if the format can hold it, and can hold what it caps.

The same small constant stands in batch and layer norm, in Adam and in logarithms: below a
root, beside it, or in a logarithm, where the gradient is 1 / eps.
"""

import numpy as np

FORMATS = np.float16, np.float32, np.float64
POWERS = range(-1, -330, -1)
np.seterr(divide="ignore", over="ignore", invalid="ignore")  # the failures are the subject


def layer_norm(x, eps):
    """Normalise each row: eps is added to the variance, below the root."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)


def adam_direction(gradient, eps):
    """Adam's first step for a rate of 1: eps is added to the root."""
    return gradient / (np.sqrt(gradient**2) + eps)


def log_and_slope(p, eps):
    """A protected logarithm and the gradient it sends back."""
    return np.log(p + eps), 1 / (p + eps)


def broken(values):
    """How many values are infinite or NaN."""
    return np.count_nonzero(~np.isfinite(values))


def smallest(works, dtype):
    """The smallest power of ten that works as an eps, with all larger ones."""
    fails = (n for n in POWERS if not works(np.array(f"1e{n}", dtype)))
    return f"1e{next(fails) + 1}"


def survives(eps):
    return eps > 0


def caps_root(eps):
    """Is 1 / sqrt(eps) finite, the factor of a feature without variance?"""
    return np.isfinite(1 / np.sqrt(eps))


def caps_slope(eps):
    """Is 1 / eps finite, the gradient of log(p + eps) at p = 0?"""
    return np.isfinite(1 / eps)


tests = {"held": survives, "1/sqrt(eps)": caps_root, "1/eps": caps_slope}
print("smallest power of ten that is held, and whose cap is finite")
print(f"{'':9}" + "".join(f"{name:>13}" for name in tests))
least = {}
for dtype in FORMATS:
    name = dtype.__name__
    least[name] = [smallest(test, dtype) for test in tests.values()]
    print(f"{name:9}" + "".join(f"{power:>13}" for power in least[name]))

print("\ninfinite or NaN of 4: constant row, Adam's step, log at 0, its slope")
print(
    f"{'':9}{'eps':>6}{'layer norm':>12}{'Adam':>6}{'log':>5}{'slope':>7}{'largest Adam step':>19}"
)
failed, longest = {}, {}
for dtype in FORMATS[:2]:
    row, zero = np.full(4, 3, dtype), np.zeros(4, dtype)
    gradient = dtype([1e-4, -1e-4, 5e-5, 2e-5])  # their squares are below float16's range
    for power in (-8, -5, -4):
        eps, key = dtype(10.0**power), (dtype.__name__, power)
        step, logs = adam_direction(gradient, eps), log_and_slope(zero, eps)
        failed[key] = [broken(values) for values in (layer_norm(row, eps), step, *logs)]
        longest[key] = float(np.abs(step).max())
        print("{:9}{:>6}{:12}{:6}{:5}{:7}".format(key[0], f"1e{power}", *failed[key]), end="")
        print(f"{longest[key]:19.3g}")
assert not any(failed["float32", -8]) and all(failed["float16", -8])
assert longest["float32", -5] < 1 < longest["float16", -5]  # finite is not yet right

print("\nsize of Adam's step in units of the rate, which would be 1 without eps")
gradients = 10.0 ** np.arange(-4, -11, -2)
print(f"{'gradient':>9}" + "".join(f"{g:9.0e}" for g in gradients))
for eps in (1e-8, 1e-4):
    steps = adam_direction(gradients, eps)
    print(f"eps {eps:.0e}"[:9].rjust(9) + "".join(f"{step:9.4f}" for step in steps))

print()
for name, powers in least.items():
    print(f"smallest_held_{name}: {powers[0]}")
    print(f"smallest_with_finite_slope_{name}: {powers[2]}")
for name in ("float16", "float32"):
    print(f"layer_norm_failures_{name}_eps_1e_8: {failed[name, -8][0]}")
    print(f"adam_failures_{name}_eps_1e_8: {failed[name, -8][1]}")
    print(f"largest_adam_step_{name}_eps_1e_5: {longest[name, -5]:.3g}")
print(f"log_slope_failures_float16_eps_1e_5: {failed['float16', -5][3]}")
print(f"adam_step_where_gradient_is_eps: {adam_direction(1e-8, 1e-8):.6g}")
