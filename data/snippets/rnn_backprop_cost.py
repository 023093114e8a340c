"""Backpropagation through time costs T times the weights but holds T times the width.

One cell: h = tanh(W [h, x] + b), with b as the last column of W. Multiply-adds are
counted in the products themselves, held values in the arrays that are kept.
"""

from collections import Counter

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WIDTH, INPUTS = 16, 4
CHUNK = 10  # parameter: 2 to 20 steps
STEPS = 100  # parameter: 20 to 400 steps
SEEDS = 200
assert STEPS % CHUNK == 0, "the steps must be whole chunks"
count = Counter()


def multiply(left, right):
    """left @ right, counting a multiply-add for every pair of factors."""
    count["multiply_adds"] += left.shape[0] * right.size
    return left @ right


def forward(w, x, h):
    """Return the hidden state after each step, starting from h."""
    hidden = np.empty((len(x), h.size))
    for t in range(len(x)):  # each step needs the one before: the loop is inherent
        hidden[t] = h = np.tanh(multiply(w[:, :-1], np.append(h, x[t])) + w[:, -1])
        count["forward"] += 1
    return hidden


def backward(w, grad, x, y, hidden, start, carry=0.0):
    """Add the gradient of |hidden - y|^2 / 2 to grad and return the one for start."""
    for t in reversed(range(len(x))):
        carry = (carry + hidden[t] - y[t]) * (1 - hidden[t] ** 2)
        inputs = np.append(hidden[t - 1] if t else start, x[t])
        grad[:, :-1] += multiply(carry[:, None], inputs[None])
        grad[:, -1] += carry
        carry = multiply(w[:, : start.size].T, carry)
        count["backward"] += 1
    return carry


def truncated(w, x, y, chunk):
    """Backpropagate within each chunk only; one chunk of all steps is full BPTT."""
    count.clear()
    grad, start, states, held = np.zeros_like(w), np.zeros(len(w)), [], 0
    for part in np.arange(len(x)).reshape(-1, chunk):
        hidden = forward(w, x[part], start)
        backward(w, grad, x[part], y[part], hidden, start)  # flows no further back
        held = max(held, hidden.size + (start.size if states else 0))
        start = hidden[-1]
        states.append(hidden)  # kept for the comparisons below only
    return grad, held, np.concatenate(states)


def sliding(w, x, y, window, states):
    """Backpropagate the loss of every step through the last steps of a window."""
    count.clear()
    zero = np.zeros(len(w))
    for t in range(len(x)):
        part = slice(max(0, t + 1 - window), t + 1)
        target = np.vstack([states[part][:-1], y[t]])  # no loss but that of step t
        start = states[part.start - 1] if part.start else zero
        backward(w, np.zeros_like(w), x[part], target, states[part], start)


def checkpointed(w, x, y, chunk):
    """Full BPTT that keeps each chunk's last state and recomputes the rest going back."""
    count.clear()
    grad, zero, carry, ends, held = np.zeros_like(w), np.zeros(len(w)), 0.0, [], 0
    parts = np.arange(len(x)).reshape(-1, chunk)
    for part in parts:
        ends.append(forward(w, x[part], ends[-1] if ends else zero)[-1].copy())
    for part, start in zip(parts[::-1], [*ends[-2::-1], zero]):
        hidden = forward(w, x[part], start)
        held = max(held, hidden.size + np.size(ends))
        carry = backward(w, grad, x[part], y[part], hidden, start, carry)
    return grad, held, count["forward"] - len(x)


def problem(seed, scale=1):
    """Draw weights, inputs and targets, for a cell of scale times the width."""
    rng = np.random.default_rng(SEED + seed)
    width, inputs = scale * WIDTH, scale * INPUTS
    w = rng.normal(size=(width, width + inputs + 1)) / np.sqrt(width)
    x, y = rng.normal(size=(STEPS, inputs)), rng.uniform(-0.5, 0.5, size=(STEPS, width))
    return w, x, y


def reset_error(seed):
    """Return by how much a hidden value moves if the state is reset after each chunk."""
    w, x, _ = problem(seed)
    reset, whole = (forward_chunks(w, x, chunk) for chunk in (CHUNK, STEPS))
    return np.abs(reset - whole).max()


def forward_chunks(w, x, chunk):
    """Return the hidden states where every chunk starts from zero."""
    parts = np.arange(len(x)).reshape(-1, chunk)
    return np.concatenate([forward(w, x[part], np.zeros(len(w))) for part in parts])


def loss(w):
    return ((forward(w, x, np.zeros(len(w))) - y) ** 2).sum() / 2


reset_errors = [reset_error(seed) for seed in range(SEEDS)]
multiply_adds = {}
for scale in (2, 1):
    w, x, y = problem(6, scale)
    grad, full_held, states = truncated(w, x, y, STEPS)
    multiply_adds[scale], full_steps = count["multiply_adds"], count["backward"]
grad_cut, cut_held, carried = truncated(w, x, y, CHUNK)
cut_steps = count["backward"]
grad_kept, kept_held, recomputed = checkpointed(w, x, y, CHUNK)
kept_steps = count["backward"]
sliding(w, x, y, CHUNK, states)

nudge = 1e-6 * np.random.default_rng(SEED).normal(
    size=w.shape
)  # the gradient predicts what a nudge does
assert np.isclose((loss(w + nudge) - loss(w - nudge)) / 2, (grad * nudge).sum(), rtol=1e-6)
assert np.allclose(grad_kept, grad, atol=1e-12)
assert np.allclose(grad_cut, grad) == (CHUNK == STEPS), "truncation biases the gradient"

print(f"T = {STEPS} steps, width {WIDTH}, {w.size} weights")
print(f"{'':14}{'backward':>9}{'recomputed':>11}{'states':>8}{'with weights, gradient':>24}")
for name, steps, again, held in (
    ("full", full_steps, 0, full_held),
    (f"truncated {CHUNK}", cut_steps, 0, cut_held),
    ("checkpoints", kept_steps, recomputed, kept_held),
):
    print(f"{name:14}{steps:9}{again:11}{held:8}{held + w.size + grad.size:24}")

print()
print(f"values_held: {full_held + w.size + grad.size}")
print(f"values_claimed_by_t_times_w: {STEPS * w.size}")
print(f"cost_ratio_double_width: {multiply_adds[2] / multiply_adds[1]:.6g}")
print(f"full_steps: {full_steps}")
print(f"truncated_steps: {cut_steps}")
print(f"sliding_window_steps: {count['backward']}")
print(f"truncated_gradient_error: {np.abs(grad_cut - grad).max() / np.abs(grad).max():.3g}")
print(f"hidden_error_when_carried: {np.abs(carried - states).max():g}")
print(f"hidden_error_when_reset_p5: {np.quantile(reset_errors, 0.05):.6g}")
print(f"hidden_error_when_reset_median: {np.median(reset_errors):.3g}")
print(f"hidden_error_when_reset_p95: {np.quantile(reset_errors, 0.95):.6g}")
print("hidden states alone, full, truncated and checkpointed")
print(f"hidden_values_held: {full_held}")
print(f"truncated_values_held: {cut_held}")
print(f"checkpoint_values_held: {kept_held}")
print(f"recomputed_in_backward: {recomputed}")
print(f"checkpoint_gradient_error: {np.abs(grad_kept - grad).max():g}")
