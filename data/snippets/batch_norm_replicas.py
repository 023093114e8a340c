"""Averaging the gradients of several workers does not synchronise their batch normalisation.

Four workers train tanh(norm(x W) * scale + shift) v for some steps and are compared with one
device that holds all rows: pooled are the statistics, the two sums of backward, or neither.
"""

import numpy as np

WORKERS, ROWS, INPUTS, WIDTH, STEPS, EPS = 4, 8, 5, 6, 30, 1e-5
OWN, ALL = 1, (0, 1)  # axes of (worker, row, feature): a worker's own rows, or all of them


def gradients(params, x, target, ahead, back):
    """Loss, gradients by worker and batch means; back = None holds mean and variance fixed."""
    w, scale, shift, v = params
    h = x @ w
    mean = h.mean(ahead, keepdims=True)
    std = np.sqrt(((h - mean) ** 2).mean(ahead, keepdims=True) + EPS)
    unit = (h - mean) / std
    out = np.tanh(unit * scale[:, None] + shift[:, None])
    error = out @ v - target
    dy = error @ v.swapaxes(1, 2) * (1 - out**2)
    dx = dy * scale[:, None]
    if back is not None:  # x moves mean and variance too, so each takes its share back
        shares = dx.mean(back, keepdims=True), (dx * unit).mean(back, keepdims=True)
        dx = dx - shares[0] - unit * shares[1]
    found = (
        x.swapaxes(1, 2) @ (dx / std),
        (dy * unit).sum(1),
        dy.sum(1),
        out.swapaxes(1, 2) @ error,
    )
    return (error**2).mean() / 2, [g / x.shape[1] for g in found], mean


def sgd(grad, state, step):
    """Plain gradient descent."""
    return 0.1 * grad


def adam(grad, state, step):
    """Adam's update; it needs its own moments but nothing more from other workers."""
    state[0] += 0.1 * (grad - state[0])
    state[1] += 0.01 * (grad**2 - state[1])
    return 0.01 * state[0] / (1 - 0.9**step) / (np.sqrt(state[1] / (1 - 0.99**step)) + 1e-8)


def train(x, target, optimiser, ahead=ALL, back=ALL, averaged=True):
    """Weights and running means of each worker after some steps from the same start."""
    params = [np.repeat(p, len(x), axis=0) for p in start]
    states, running = [np.zeros((2, *p.shape)) for p in params], np.zeros((len(x), 1, WIDTH))
    for step in range(1, STEPS + 1):
        _, grads, mean = gradients(params, x, target, ahead, back)
        if averaged:  # the all-reduce of data parallelism, the same for every parameter
            grads = [np.broadcast_to(g.mean(0, keepdims=True), g.shape) for g in grads]
        params = [p - optimiser(g, s, step) for p, g, s in zip(params, grads, states)]
        running = running + 0.1 * (mean - running)
    return np.concatenate([p.reshape(len(x), -1) for p in params], axis=1), running


def apart(measured, truth):
    """Largest difference, relative to the largest of the truth."""
    return round(float(np.abs(measured - truth).max() / np.abs(truth).max()), 9)


rng = np.random.default_rng(11)
start = [np.ones((1, WIDTH)), np.zeros((1, WIDTH))]
start = [rng.normal(size=(1, INPUTS, WIDTH)), *start, rng.normal(size=(1, WIDTH, 1))]
shards = rng.normal(np.linspace(-1, 1, WORKERS)[:, None, None], size=(WORKERS, ROWS, INPUTS))
target = np.sin(shards.sum(-1, keepdims=True))
together = [a.reshape(1, -1, a.shape[-1]) for a in (shards, target)]  # one device, all rows
truth = {optimiser: train(*together, optimiser)[0] for optimiser in (sgd, adam)}

print(f"{'largest relative difference from':34}{'one device':>14}{'worker 0':>18}")
print(f"{'pooled by the workers':30}" + 2 * f"{'SGD':>9}{'Adam':>9}")
ways = {
    "statistics and backward sums": {},
    "statistics only": {"back": OWN},
    "gradients only": {"ahead": OWN, "back": OWN},
    "nothing": {"ahead": OWN, "back": OWN, "averaged": False},
}
table, running = {}, {}
for name, how in ways.items():
    weights = {o: train(shards, target, o, **how) for o in (sgd, adam)}
    far = [apart(weights[o][0], truth[o]) for o in (sgd, adam)]
    table[name] = far + [apart(weights[o][0], weights[o][0][:1]) for o in (sgd, adam)]
    running[name] = np.ptp(weights[sgd][1], axis=0).max()
    print(f"{name:30}" + "".join(f"{value:9.3f}" for value in table[name]))
synced, forward_only, gradients_only, nothing = table.values()
assert not any(synced) and min(forward_only[0], gradients_only[0], nothing[2]) > 0.01

exact = gradients(start, *together, ALL, ALL)[1]
held = gradients(start, *together, ALL, None)[1]
nudge = 1e-5 * rng.normal(size=start[0].shape)  # the gradient predicts what a nudge does
up, down = (gradients([start[0] + d, *start[1:]], *together, ALL, ALL)[0] for d in (nudge, -nudge))
assert np.isclose((up - down) / 2, (exact[0] * nudge).sum(), rtol=1e-6)
copies = [np.repeat(p, WORKERS, axis=0) for p in start]
own = gradients(copies, shards, target, OWN, OWN)[1]

print()
print(f"synced_from_one_device: {max(synced):g}")
print(f"forward_only_from_one_device: {forward_only[0]:.3g}")
print(f"gradients_only_from_one_device: {gradients_only[0]:.3g}")
print(f"workers_apart_sgd_gradients_averaged: {gradients_only[2]:g}")
print(f"workers_apart_adam_gradients_averaged: {gradients_only[3]:g}")
print(f"workers_apart_sgd_nothing_averaged: {nothing[2]:.3g}")
print(f"workers_apart_adam_nothing_averaged: {nothing[3]:.3g}")
print(f"scale_gradient_error_own_statistics: {apart(own[1].mean(0), exact[1][0]):.3g}")
print(f"gradient_error_mean_variance_held_fixed: {apart(held[0], exact[0]):.3g}")
print(f"running_means_apart_pooled: {running['statistics and backward sums']:g}")
print(f"running_means_apart_own: {running['gradients only']:.3g}")
