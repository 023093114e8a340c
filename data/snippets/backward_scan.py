"""Once the states are known, the backward pass of an RNN is linear: a scan takes it in log T rounds.

Only the forward pass is sequential as written, for tanh stands between its products. Going
back, each gradient is a known matrix times the next one plus a known vector, and such steps
can be joined in any brackets: in pairs, then fours, then eights. It costs more work.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WIDTH, DRAWS = 8, 200
STEPS = 256  # parameter: 8 to 1024 steps


def states_of(w, x):
    """The forward pass: each state needs the one before."""
    h = [np.zeros(WIDTH)]
    for value in x:
        h.append(np.tanh(w @ h[-1] + value))
    return np.array(h[1:])


def backwards(matrices, vectors):
    """The usual way: gradient t from gradient t + 1, one after the other."""
    found, carry = np.zeros_like(vectors), np.zeros(WIDTH)
    for t in reversed(range(STEPS)):
        found[t] = carry = matrices[t] @ carry + vectors[t]
    return found


def scanned(matrices, vectors):
    """The same by a scan: in each round every step is joined with the one twice as far."""
    matrices, vectors, rounds = matrices.copy(), vectors.copy(), 0
    reach = 1
    while reach < STEPS:
        near, far = slice(None, -reach), slice(reach, None)
        vectors[near] += np.einsum("tij,tj->ti", matrices[near], vectors[far])
        matrices[near] = matrices[near] @ matrices[far]
        matrices[-reach:] = 0  # nothing lies behind the last step
        reach, rounds = 2 * reach, rounds + 1
    return vectors, rounds


apart, depths = [], []
for seed in range(DRAWS):
    rng = np.random.default_rng(SEED + seed)
    w = rng.normal(size=(WIDTH, WIDTH)) / np.sqrt(WIDTH)
    h = states_of(w, rng.normal(size=(STEPS, WIDTH)))
    errors = h - rng.uniform(-0.5, 0.5, size=h.shape)
    slopes = 1 - h**2
    # The gradient before tanh of step t is slope * (error + w.T @ the next one).
    matrices = slopes[:, :, None] * w.T
    matrices[-1] = 0
    one = backwards(matrices, slopes * errors)
    other, rounds = scanned(matrices, slopes * errors)
    apart.append(np.abs(one - other).max() / np.abs(one).max())
    depths.append(rounds)
assert max(apart) < 1e-12

print(f"{STEPS} steps of {WIDTH} units, {DRAWS} draws of the weights")
print(f"sequential_rounds: {STEPS}")
print(f"scan_rounds: {max(depths)}")
print(f"largest_relative_difference: {max(apart):.1e}")
