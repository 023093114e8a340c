"""A training step moves the weights a little, mostly downhill; only its repetition trains.

A small network, written out: forward pass, backward pass, update. The gradient is checked
against finite differences. One step minimises nothing, and at too high a rate it does harm.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
ROWS, INPUTS, HIDDEN, BATCH, EPOCHS, RATE = 256, 3, 8, 32, 40, 0.1
assert ROWS % BATCH == 0, "whole mini-batches"
rng = np.random.default_rng(SEED + 11)
x = rng.normal(size=(ROWS, INPUTS))
y = np.sin(x.sum(axis=1, keepdims=True))
initial = [rng.normal(size=shape) / np.sqrt(shape[0]) for shape in ((INPUTS, HIDDEN), (HIDDEN, 1))]


def forward(weights, x, y):
    """Return the activations, which the backward pass needs again, and the loss."""
    hidden = np.tanh(x @ weights[0])
    output = hidden @ weights[1]
    return hidden, output, ((output - y) ** 2).mean() / 2


def backward(weights, x, y, hidden, output):
    """Return the gradient of the loss, from the last layer to the first (chain rule)."""
    error = (output - y) / len(x)
    before_tanh = (error @ weights[1].T) * (1 - hidden**2)
    return [x.T @ before_tanh, hidden.T @ error]


def step(weights, rows, rate):
    """One training step on a mini-batch: forward, backward, update."""
    hidden, output, _ = forward(weights, x[rows], y[rows])
    grads = backward(weights, x[rows], y[rows], hidden, output)
    return [w - rate * grad for w, grad in zip(weights, grads)]


def loss(weights):
    """The loss over the whole training set."""
    return forward(weights, x, y)[2]


grads = backward(initial, x, y, *forward(initial, x, y)[:2])
checked, tiny = 0, 1e-5
for w, grad in zip(initial, grads):
    for place in np.ndindex(w.shape):
        kept, sides = w[place], []
        for side in (tiny, -tiny):
            w[place] = kept + side
            sides.append(loss(initial))
        w[place] = kept
        checked += np.isclose((sides[0] - sides[1]) / (2 * tiny), grad[place], rtol=1e-5, atol=1e-9)
assert checked == sum(w.size for w in initial), "backward is the derivative of forward"

everything = np.arange(ROWS)
after = {rate: loss(step(initial, everything, rate)) for rate in (0.1, 1.0, 10.0)}
weights, history, drawn = initial, [loss(initial)], []
for _ in range(EPOCHS):
    for rows in rng.permutation(ROWS).reshape(-1, BATCH):
        weights = step(weights, rows, RATE)
        history.append(loss(weights))
    drawn.append(history[-1])
history = np.array(history)

print(f"loss over all rows: {history[0]:.4f} at first; after one step with all of them:")
for rate, value in after.items():
    print(f"  rate {rate:4}: {value:.4f}")
print(f"loss at the end of each epoch, {drawn[0]:.3f} to {drawn[-1]:.3f}")
print("".join("▁▂▃▄▅▆▇█"[min(7, int(8 * value / drawn[0]))] for value in drawn))

print()
print(f"gradients_confirmed: {checked}")
print(f"loss_at_first: {history[0]:.4g}")
print(f"loss_after_one_step: {after[0.1]:.4g}")
print(f"loss_after_one_large_step: {after[10.0]:.4g}")
print(f"loss_after_training: {history[-1]:.4g}")
print(f"steps_in_an_epoch: {(len(history) - 1) // EPOCHS}")
print(f"steps_in_all: {len(history) - 1}")
print(f"steps_that_raised_the_loss: {(np.diff(history) > 0).sum()}")

print("\nchart: loss over all rows at the end of each epoch")
print("  epoch:", *range(4, EPOCHS + 1, 4))
print("  loss:", *(f"{value:.3f}" for value in drawn[3::4]))
print("  fa: زیان روی همهٔ سطرها در پایان هر دوره; دوره; زیان")
