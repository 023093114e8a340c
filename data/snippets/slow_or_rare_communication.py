"""A slow network only delays synchronous training; rarer or stale exchange changes its result.

Eight workers average round a ring whose messages take time on a modelled clock: a step of
computing takes 1, a message 1 on average, and delays enter nothing else. Then they do so
every 64 steps (local SGD), or go by gradients of weights from steps ago, each over many draws
of data, order and delays. The rate 0.1 was chosen to lie between the largest stable ones for
gradients that are 16 and 8 steps old.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WORKERS, LOCAL, FEATURES, STEPS, RATE = 8, 8, 16, 256, 0.1
DRAWS = 60  # 200 would take longer than the 5 s a program may
ROWS, EVERY, SLOWNESS = 2048, 64, 100
assert FEATURES % WORKERS == 0 == ROWS % WORKERS, "weights and rows are shared out evenly"
assert WORKERS > 1 and EVERY <= STEPS, "there should be an exchange that can be compared"
rng = np.random.default_rng(SEED + 8)
x = rng.normal(size=(DRAWS, ROWS, FEATURES))
truth = rng.normal(size=(DRAWS, FEATURES, 1))
y = np.sin(2 * x[..., 0]) + (x @ truth)[..., 0]
shuffled = np.tile(np.arange(ROWS), (DRAWS, 1)).reshape(DRAWS, WORKERS, -1)
by_range = np.argsort(x[..., 0]).reshape(DRAWS, WORKERS, -1)  # each worker knows its own range
picks = rng.integers(shuffled.shape[2], size=(STEPS, DRAWS, WORKERS, LOCAL))
EACH = np.arange(DRAWS)[:, None, None]


def all_reduce(parts, delays, clock):
    """Every worker's copy of the sum, the numbers each has sent, and when each is done."""
    here, sent = np.arange(WORKERS), 0
    pieces, left, right = parts.reshape(DRAWS, WORKERS, WORKERS, -1).copy(), here - 1, here + 1
    right[-1] = 0  # index -1 wraps round by itself, so everybody has two neighbours
    for turn in range(2 * WORKERS - 2):  # once round to add up, once to hand the sums out
        which = (here - turn) % WORKERS
        message = pieces[:, here, which]
        pieces[:, right, which] = message + (turn < WORKERS - 1) * pieces[:, right, which]
        clock = np.maximum(clock, (clock + delays[turn])[:, left])
        sent += message.shape[2]
    return pieces.reshape(parts.shape), sent, clock


def gradients(weights, rows):
    """Each worker's gradient of the mean of half the squared error over its rows."""
    inputs = x[EACH, rows]
    errors = (inputs @ weights[..., None])[..., 0] - y[EACH, rows]
    return (errors[..., None, :] @ inputs)[..., 0, :] / rows.shape[-1]


def train(shards, every=1, stale=0, slowness=1.0):
    """Return one worker's weights, the numbers each has sent, and the clock at the end.

    For plain SGD, averaging the weights after every step is averaging the gradients.
    """
    network = np.random.default_rng(SEED + 9)
    weights, clock = np.zeros((DRAWS, WORKERS, FEATURES)), np.zeros((DRAWS, WORKERS))
    past, total = [weights] * (stale + 1), 0
    for step, pick in enumerate(picks, start=1):
        rows = np.take_along_axis(shards, pick, axis=2)
        weights = weights - RATE * gradients(past[0], rows)
        clock = clock + 1  # a step of computing
        if step % every == 0:
            delays = slowness * network.exponential(size=(2 * WORKERS - 2, DRAWS, WORKERS))
            sums, sent, clock = all_reduce(weights, delays, clock)
            weights, total = sums / WORKERS, total + sent
        past = [*past[1:], weights]
    return weights[:, 0], total, clock.max(axis=1)


def train_alone():
    """Return the weights of one worker that has all the rows of each step."""
    weights = np.zeros((DRAWS, 1, FEATURES))
    for pick in picks:
        rows = np.take_along_axis(shuffled, pick, axis=2).reshape(DRAWS, 1, -1)
        weights -= RATE * gradients(weights, rows)
    return weights[:, 0]


def loss(weights):
    """The mean of half the squared error over all rows, of every draw."""
    return (((x @ weights[..., None])[..., 0] - y) ** 2).mean(axis=1) / 2


def largest_stable_rate(stale):
    """The rate up to which w ← w − rate·w_old shrinks: found by halving, on curvature 1."""
    low, high = 0.0, 4.0
    for _ in range(30):
        rate = (low + high) / 2
        polynomial = np.zeros(stale + 2)  # its roots are the factors by which w can grow
        polynomial[:2] = 1, -1
        polynomial[-1] += rate
        grows = np.abs(np.roots(polynomial)).max() >= 1
        low, high = (low, rate) if grows else (rate, high)
    return low


best = loss(np.stack([np.linalg.lstsq(*pair)[0] for pair in zip(x, y)]))
one, runs = (
    train_alone(),
    {
        "synchronous": train(shuffled),
        "slow_network": train(shuffled, slowness=SLOWNESS),
        "local_shuffled": train(shuffled, every=EVERY),
        "local_by_range": train(by_range, every=EVERY),
        "synchronous_by_range": train(by_range),
        "stale_8": train(shuffled, stale=8),
        "stale_16": train(shuffled, stale=16),
    },
)
excess = {name: loss(run[0]) - best for name, run in runs.items()}
print(f"the median of {DRAWS} draws")
print(f"{'':21}{'excess loss':>12}{'numbers sent':>14}{'clock':>9}")
print(f"{'one worker':21}{np.median(loss(one) - best):12.4f}")
for name, (_, sent, clock) in runs.items():
    print(f"{name:21}{np.median(excess[name]):12.4f}{sent:14}{np.median(clock):9.0f}")
limits = {stale: largest_stable_rate(stale) for stale in (0, 8, 16)}
print("\nlargest stable rate on curvature 1, by the age of the gradients")
print("   ".join(f"{stale} steps: {limit:.4f}" for stale, limit in limits.items()))

weights, sent, clock = runs["synchronous"]
changes = {"one_worker": one, "local_shuffled": runs["local_shuffled"][0]}
changes = {name: np.abs(other - weights).max(axis=1) for name, other in changes.items()}
assert changes["one_worker"].max() < 1e-9, "one worker should end with the same weights"


def figures(name, values):
    """Print the range and the median over the draws; what is left of rounding is 0."""
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value.round(9):.3g}")


print()
figures("slow_network_clock_ratio", runs["slow_network"][2] / clock)
for name, change in changes.items():
    figures(f"weight_change_{name}", change)
for name, values in excess.items():
    figures(f"excess_loss_{name}", values)
print(f"sent_ratio_local: {sent / runs['local_shuffled'][1]:.6g}")
for stale, limit in limits.items():
    print(f"largest_stable_rate_stale_{stale}: {limit:.3g}")

print("\nchart: excess loss, by how the workers communicate")
print("  workers: in step, slow network, local and shuffled, local by range,")
print("  workers: in step by range, 8 steps stale, 16 steps stale")
print("  excess loss (log):", *(f"{np.median(values):.2g}" for values in excess.values()))
print("  fa: زیان مازاد، بسته به شیوهٔ ارتباط کارگرها; کارگرها")
print("  fa: همگام; شبکهٔ کند; محلی، دادهٔ درهم; محلی، هر کس یک بازه")
print("  fa: همگام، هر کس یک بازه; ۸ گام کهنه; ۱۶ گام کهنه; زیان مازاد")
