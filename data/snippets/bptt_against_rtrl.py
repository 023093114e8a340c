"""Backpropagation through time holds more with every step; RTRL does not, but works far more.

Real-time recurrent learning (RTRL) carries the derivative of the state by every weight
forward, so it needs no past. Both find the same gradient.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
INPUTS = 4  # one input for four hidden units: all sizes then grow together
multiply_adds = 0


def multiply(left, right):
    """left @ right, counting a multiply-add for every pair of factors."""
    global multiply_adds
    multiply_adds += left.shape[0] * right.size
    return left @ right


def problem(length, width):
    """Return the weights, the inputs and the targets, the state starting from zero."""
    rng = np.random.default_rng(SEED + 11)
    w = rng.normal(size=(width, width + width // INPUTS)) / np.sqrt(width)
    x = rng.normal(size=(length, width // INPUTS))
    return w, x, rng.uniform(-0.5, 0.5, size=(length, width))


def bptt(w, x, y):
    """Return the gradient of |h - y|^2 / 2 over all steps and the most values held."""
    width = len(w)
    seen, states = [], [np.zeros(width)]
    for value in x:
        seen.append(np.concatenate([states[-1], value]))
        states.append(np.tanh(multiply(w, seen[-1])))
    grad, carry = np.zeros_like(w), np.zeros(width)
    held = sum(v.size for v in seen) + states[-1].size + grad.size + carry.size
    for t in reversed(range(len(x))):
        carry = (carry + states[t + 1] - y[t]) * (1 - states[t + 1] ** 2)
        grad += multiply(carry[:, None], seen[t][None])
        carry = multiply(w[:, :width].T, carry)
    return grad, held


def rtrl(w, x, y):
    """Return the same; held from step to step is only the state and its derivatives."""
    width, units = len(w), np.arange(len(w))
    h, grad = np.zeros(width), np.zeros(w.size)
    by_weights = np.zeros((width, w.size))
    for value, target in zip(x, y):
        seen = np.concatenate([h, value])
        h = np.tanh(multiply(w, seen))
        by_weights = multiply(w[:, :width], by_weights)
        by_weights.reshape(width, *w.shape)[units, units] += seen  # unit i has row i of w
        by_weights *= (1 - h**2)[:, None]
        grad += multiply((h - target)[None], by_weights)[0]
    return grad.reshape(w.shape), by_weights.size + seen.size + h.size + grad.size


def measure(method, length, width):
    """Return the gradient, the multiply-adds counted and the values held."""
    global multiply_adds
    multiply_adds = 0
    grad, held = method(*problem(length, width))
    return grad, multiply_adds, held


LENGTH = 64
work, held = {}, {}
print(f"{LENGTH} steps" + f"{'multiply-adds':>28}{'values held':>25}")
print(f"{'width':>8}" + 2 * f"{'BPTT':>12}{'RTRL':>13}")
for width in (4, 8, 16, 32):
    (g1, work[width, 0], held[width, 0]), (g2, work[width, 1], held[width, 1]) = (
        measure(method, LENGTH, width) for method in (bptt, rtrl)
    )
    assert np.allclose(g1, g2, rtol=1e-9, atol=1e-12)
    print(f"{width:8}{work[width, 0]:12}{work[width, 1]:13}{held[width, 0]:12}{held[width, 1]:13}")

lengths = 2 ** np.arange(3, 11)
by_length = {n: [measure(method, int(n), 8)[2] for method in (bptt, rtrl)] for n in lengths}
print("values held at width 8: ▓ BPTT, ░ RTRL")
largest = max(max(row) for row in by_length.values())
for n, row in by_length.items():
    for value, mark in zip(row, "▓░"):
        print(f"{n if mark == '▓' else '':>6} {mark * max(1, 54 * value // largest)} {value}")
crossing = next(n for n, (back, forward) in by_length.items() if back > forward)

print()
for name, counts in (("work", work), ("held", held)):
    for i, method in enumerate(("bptt", "rtrl")):
        ratio = counts[32, i] / counts[16, i]
        print(f"{method}_{name}_at_double_width: {ratio:.4g}")
print(f"bptt_held_at_double_length: {by_length[1024][0] / by_length[512][0]:.4g}")
print(f"rtrl_held_at_double_length: {by_length[1024][1] / by_length[512][1]:.4g}")
print(f"rtrl_work_over_bptt: {work[32, 1] / work[32, 0]:.4g}")
print(f"first_length_where_bptt_holds_more: {crossing}")

print("\nchart: values held during training, by the length of the sequence")
print("  steps (log):", *by_length)
for name, values in zip(("BPTT", "RTRL"), zip(*by_length.values())):
    print(f"  {name} (log):", *values)
print("  fa: مقدارهای نگه‌داشته‌شده در آموزش، بسته به طول دنباله")
print("  fa: گام; پس‌انتشار در طول زمان; یادگیری بازگشتی بی‌درنگ (RTRL)")
