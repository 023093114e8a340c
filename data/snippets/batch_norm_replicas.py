"""Averaging the gradients of several workers does not synchronise their batch normalisation.

Four workers train tanh(norm(x W) * scale + shift) v for some steps and are compared with one
device that holds all rows: pooled are the statistics, the two sums of backward, or neither.
Every step has new rows. Shuffled they lie around 0; where the workers' data differ, around
centres from -1 to 1, which were chosen.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WORKERS, ROWS, INPUTS, WIDTH, STEPS, EPS = 4, 8, 5, 6, 30, 1e-5
CENTRES = {"differing": 1, "shuffled": 0}
RUNS = 200  # the first axis of everything
OWN, ALL = -2, (-3, -2)  # axes of (run, worker, row, feature): a worker's own rows, or all
assert WORKERS > 1 and ROWS > 1 and STEPS > 0, "several workers and rows, and a step"


def gradients(params, x, target, ahead, back):
    """Loss, gradients by worker and batch means; back = None holds mean and variance fixed."""
    w, scale, shift, v = params
    h = x @ w
    mean = h.mean(ahead, keepdims=True)
    std = np.sqrt(((h - mean) ** 2).mean(ahead, keepdims=True) + EPS)
    unit = (h - mean) / std
    out = np.tanh(unit * scale + shift)
    error = out @ v - target
    dy = error @ v.swapaxes(-1, -2) * (1 - out**2)
    dx = dy * scale
    if back is not None:  # x moves mean and variance too, so each takes its share back
        shares = dx.mean(back, keepdims=True), (dx * unit).mean(back, keepdims=True)
        dx = dx - shares[0] - unit * shares[1]
    found = (
        x.swapaxes(-1, -2) @ (dx / std),
        (dy * unit).sum(-2, keepdims=True),
        dy.sum(-2, keepdims=True),
        out.swapaxes(-1, -2) @ error,
    )
    return (error**2).mean((1, 2, 3)) / 2, [g / x.shape[-2] for g in found], mean


def sgd(grad, state, step):
    """Plain gradient descent."""
    return 0.1 * grad


def adam(grad, state, step):
    """Adam's update; it needs its own moments but nothing more from other workers."""
    state[0] += 0.1 * (grad - state[0])
    state[1] += 0.01 * (grad**2 - state[1])
    return 0.01 * state[0] / (1 - 0.9**step) / (np.sqrt(state[1] / (1 - 0.99**step)) + 1e-8)


def train(batches, optimiser, ahead=ALL, back=ALL, averaged=True):
    """Weights of each worker after a step for each batch, and its running means in deviations."""
    params = [np.repeat(p, batches[0][0].shape[1], axis=1) for p in start]
    states, running = [np.zeros((2, *p.shape)) for p in params], 0
    for step, (x, target) in enumerate(batches, 1):
        _, grads, mean = gradients(params, x, target, ahead, back)
        if averaged:  # the all-reduce of data parallelism, the same for every parameter
            grads = [np.broadcast_to(g.mean(1, keepdims=True), g.shape) for g in grads]
        params = [p - optimiser(g, s, step) for p, g, s in zip(params, grads, states)]
        running = running + 0.1 * (mean - running)
    weights = np.concatenate([p.reshape(*p.shape[:2], -1) for p in params], axis=-1)
    return weights, running / (x @ params[0]).std(ALL, keepdims=True)


def apart(measured, truth):
    """Largest difference, relative to the largest of the truth, of each run."""
    rest = tuple(range(1, measured.ndim))
    return np.abs(measured - truth).max(rest) / np.abs(truth).max(rest)


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


def normal(*shape):
    """A draw for each run, from the generator of that run."""
    return np.stack([rng.normal(size=shape) for rng in rngs])


rngs = [np.random.default_rng(SEED + seed) for seed in range(RUNS)]
start = [np.ones((RUNS, 1, 1, WIDTH)), np.zeros((RUNS, 1, 1, WIDTH))]
start = [normal(1, INPUTS, WIDTH), *start, normal(1, WIDTH, 1)]
noise = normal(STEPS, WORKERS, ROWS, INPUTS).swapaxes(0, 1)
ways = {
    "statistics and backward sums": {},
    "statistics only": {"back": OWN},
    "gradients only": {"ahead": OWN, "back": OWN},
    "nothing": {"ahead": OWN, "back": OWN, "averaged": False},
}
rows = {name: f"{name:28}" for name in ways}
far = {}  # of the weights of workers from those of one device

print("how far the weights are from those of one device (median of the runs)")
print(f"{'pooled by the workers':28}" + "".join(f"{c + ', SGD':>15}{'Adam':>7}" for c in CENTRES))
for data, centre in CENTRES.items():
    x = noise + np.linspace(-centre, centre, WORKERS)[:, None, None]
    shards = list(zip(x, np.sin(x.sum(-1, keepdims=True))))
    together = [[a.reshape(RUNS, 1, -1, a.shape[-1]) for a in pair] for pair in shards]
    truth = {o: train(together, o)[0] for o in (sgd, adam)}
    trained = {(name, o): train(shards, o, **ways[name]) for name in ways for o in truth}
    for (name, o), (weights, _) in trained.items():
        far[data, name, o] = apart(weights, truth[o])
        rows[name] += f"{np.median(far[data, name, o]):{15 if o is sgd else 7}.3f}"
print("\n".join(rows.values()))

# What follows is of shuffled rows, the last ones trained.
exact, held = (gradients(start, *together[0], ALL, back)[1] for back in (ALL, None))
own = gradients([np.repeat(p, WORKERS, axis=1) for p in start], *shards[0], OWN, OWN)[1]
nudge = 1e-5 * normal(1, INPUTS, WIDTH)  # the gradient predicts what a nudge does
moved = [[start[0] + way * nudge, *start[1:]] for way in (1, -1)]
up, down = (gradients(params, *together[0], ALL, ALL)[0] for params in moved)
assert np.allclose((up - down) / 2, (exact[0] * nudge).sum((1, 2, 3)), 1e-4, 1e-8)

print(f"\n{RUNS} runs each, with shuffled rows")
synced = [values for (_, name, _), values in far.items() if name == "statistics and backward sums"]
print(f"synced_from_one_device: {round(np.max(synced), 9):g}")
tell("statistics_only_from_one_device", far["shuffled", "statistics only", sgd])
tell("gradients_only_from_one_device", far["shuffled", "gradients only", sgd])
for o in (sgd, adam):
    alone = trained["nothing", o][0]
    tell(f"workers_apart_{o.__name__}_nothing_averaged", apart(alone, alone[:, :1]))
tell("scale_gradient_error_own_statistics", apart(own[1].mean(1, keepdims=True), exact[1]))
tell("gradient_error_mean_variance_held_fixed", apart(held[0], exact[0]))
means = trained["gradients only", sgd][1]
tell("running_means_apart_in_deviations", np.ptp(means, axis=1).max((1, 2)))
