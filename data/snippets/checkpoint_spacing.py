"""The best checkpoint spacing is about the square root of the length: all were tried.

Backpropagation through time keeps every k-th state of an RNN and runs each stretch
once more going back. All spacings give the same gradient; only what is held differs.
"""

import math

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
LENGTH, RECURRENT, FIRST = 144, 0.9, 0.0


def step(h, x):
    return math.tanh(RECURRENT * h + x)


def slope(h_before, h, carry):
    """Return the gradients of the recurrent weight and of the state before."""
    carry *= 1 - h * h
    return carry * h_before, carry * RECURRENT


def spaced(x, k):
    """Return d h_T / d weight, the most states held at once and the steps run again."""
    kept, h = [], FIRST
    for t, value in enumerate(x):
        if t % k == 0:
            kept.append(h)
        h = step(h, value)
    grad, carry, most, again = 0.0, 1.0, 0, 0
    for first in reversed(range(0, len(x), k)):
        stretch = [kept.pop()]
        for value in x[first : first + k]:
            stretch.append(step(stretch[-1], value))
        again += len(stretch) - 1
        most = max(most, len(kept) + len(stretch))
        while len(stretch) > 1:
            h = stretch.pop()
            part, carry = slope(stretch[-1], h, carry)
            grad += part
    return grad, most, again


def halved(x, h, carry, held=1):
    """Do the same by halves: go to the middle, keep that state, do the right half first."""
    if len(x) == 1:
        last = step(h, x[0])
        return *slope(h, last, carry), held + 1, 1
    middle, state = len(x) // 2, h
    for value in x[:middle]:
        state = step(state, value)
    right, carry, most, again = halved(x[middle:], state, carry, held + 1)
    left, carry, other, more = halved(x[:middle], h, carry, held)
    return left + right, carry, max(most, other), again + more + middle


def best(x):
    """Return the fewest states any spacing holds, and the spacings that hold so few."""
    held = [spaced(x, k)[1] for k in range(1, len(x) + 1)]
    return min(held), [k for k, n in enumerate(held, 1) if n == min(held)]


rng = np.random.default_rng(SEED + 10)
x = rng.normal(size=400).tolist()
runs = [spaced(x[:LENGTH], k) for k in range(1, LENGTH + 1)]
grad, _, most_halved, again_halved = halved(x[:LENGTH], FIRST, 1.0)
assert np.allclose([run[0] for run in runs], grad, rtol=1e-9, atol=0)

print(f"states held for {LENGTH} steps, at most, by the spacing k of the checkpoints")
for k in (1, 2, 3, 4, 6, 8, 10, 12, 14, 18, 24, 36, 48, 72, 144):
    most = runs[k - 1][1]
    print(f"{k:5} {'█' * (most * 56 // LENGTH)} {most}")

lengths = (16, 36, 64, 100, 144, 196, 256, 324, 400)
found = {length: best(x[:length]) for length in lengths}
power = np.polyfit(np.log(lengths), np.log([fewest for fewest, _ in found.values()]), 1)[0]
print(f"{'length':>8}{'its root':>10}{'best spacings':>15}{'states held':>13}")
for length, (fewest, spacings) in found.items():
    root, span = math.isqrt(length), f"{spacings[0]} to {spacings[-1]}"
    assert root in spacings
    print(f"{length:8}{root:10}{span:>15}{fewest:13}")

fewest, spacings = found[LENGTH]
print()
print(f"best_spacing_from: {spacings[0]}")
print(f"best_spacing_to: {spacings[-1]}")
print(f"states_held_at_best: {fewest}")
print(f"states_held_without: {runs[-1][1]}")
print(f"steps_run_again_at_best: {runs[spacings[0] - 1][2]}")
print(f"power_of_length: {power:.3g}")
print(f"states_held_by_halves: {most_halved}")
print(f"steps_run_again_by_halves: {again_halved}")

print(f"\nchart: states held at most for {LENGTH} steps, by the checkpoints' spacing")
spacings = (1, 2, 3, 4, 6, 8, 10, 12, 14, 18, 24, 36, 48, 72, LENGTH)
print("  spacing (log):", *spacings)
print("  states held:", *(runs[k - 1][1] for k in spacings))
print("  fa: بیشترین تعداد حالت در ۱۴۴ گام، بسته به فاصلهٔ نقطه‌های وارسی")
print("  fa: فاصله; حالت‌های نگه‌داشته‌شده")
