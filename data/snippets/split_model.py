"""Splitting a model divides its weights among devices, but shards must be joined and stages wait.

A product is split by columns (parts are put side by side) and by rows (parts are summed); layers
are split into stages, whose schedule is played tick by tick and drawn.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
STAGES = 4  # parameter: 2 to 8 devices
ROWS, WIDTH, HIDDEN = 8, 64, 128
MICRO_BATCHES = (1, 4, 8, 28)
assert min(ROWS, STAGES, *MICRO_BATCHES) > 0, "something for each stage"
assert WIDTH % STAGES == HIDDEN % STAGES == 0 < min(WIDTH, HIDDEN), "equal parts of the weights"
rng = np.random.default_rng(SEED + 20)
shapes = (ROWS, WIDTH), (WIDTH, HIDDEN), (HIDDEN, WIDTH)
x, a, b = (rng.normal(size=shape) for shape in shapes)
whole = np.maximum(x @ a, 0) @ b

columns, rows = np.split(a, STAGES, axis=1), np.split(a, STAGES, axis=0)
side_by_side = np.hstack([x @ part for part in columns])  # everybody needs all of x
summed = sum(xs @ part for xs, part in zip(np.split(x, STAGES, axis=1), rows))
assert np.allclose(side_by_side, x @ a) and np.allclose(summed, x @ a)
# The relu acts on each number alone, so columns first and rows next need one sum, at the end.
shards = list(zip(columns, np.split(b, STAGES, axis=0)))
pair = [np.maximum(x @ p, 0) @ q for p, q in shards]
assert np.allclose(sum(pair), whole)
# By rows the relu must wait for the sum: of each part alone it gives something else.
too_early = sum(np.maximum(xs @ p, 0) for xs, p in zip(np.split(x, STAGES, axis=1), rows))
wrong = 1 - np.isclose(too_early, np.maximum(x @ a, 0)).mean()


def play(micro_batches):
    """Pass micro-batches forward and back through the stages; return who did what when."""
    lanes = [[] for _ in range(STAGES)]
    forward_done, backward_done = np.zeros((2, STAGES), int)
    while backward_done[0] < micro_batches:
        before = forward_done.copy(), backward_done.copy()
        for s, lane in enumerate(lanes):
            f, g = before[0][s], before[1][s]
            if f < micro_batches and (s == 0 or before[0][s - 1] > f):
                lane.append("▒")
                forward_done[s] += 1
            elif f == micro_batches > g and (s == STAGES - 1 or before[1][s + 1] > g):
                lane.append("█")
                backward_done[s] += 1
            else:
                lane.append("·")
    return np.array(lanes)


idle = {}
for micro_batches in MICRO_BATCHES:
    lanes = play(micro_batches)
    idle[micro_batches] = (lanes == "·").mean()
    bubble = (STAGES - 1) / (micro_batches + STAGES - 1)
    assert np.isclose(idle[micro_batches], bubble)  # (p - 1) / (m + p - 1)
    print(f"{micro_batches} micro-batches (▒ forward, █ backward): {idle[micro_batches]:.1%} idle")
    print("\n".join(f"stage {s} {''.join(lane)}" for s, lane in enumerate(lanes)))

print()
print(f"weights_in_all: {a.size + b.size}")
print(f"weights_on_each_device: {max(p.size + q.size for p, q in shards)}")
print(f"values_to_sum_on_each_device: {pair[0].size}")
print(f"wrong_when_relu_before_sum: {wrong:.2g}")
for micro_batches, share in idle.items():
    print(f"idle_share_{micro_batches}_micro_batches: {share:.6g}")
