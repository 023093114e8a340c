"""Inference outgrows development and training once the model has answered enough requests.

One small network goes through the three stages; multiply-adds are counted in its products.
Making a single stage ten times cheaper then helps only as much as that stage weighs (Amdahl).
"""

from collections import Counter
from itertools import pairwise

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
SIZES, EXAMPLES, BATCH, EPOCHS = (16, 32, 32, 1), 1024, 32, 10
RATES = (0.003, 0.01, 0.03, 0.1)  # tried in development, on a quarter of the data
STAGES = ("development", "training", "inference")
count = Counter()


def multiply(stage, left, right):
    """left @ right, counting one multiply-add for every pair of factors."""
    count[stage] += left.shape[0] * left.shape[1] * right.shape[1]
    return left @ right


def forward(stage, weights, x):
    """Return the values of every layer, from the input to the linear output."""
    layers = [x]
    for w in weights[:-1]:
        layers.append(np.maximum(multiply(stage, layers[-1], w), 0))
    return [*layers, multiply(stage, layers[-1], weights[-1])]


def train(stage, x, y, epochs, rate):
    """Return weights after plain mini-batch gradient descent on the squared error."""
    rng = np.random.default_rng(SEED + 1)
    weights = [rng.normal(size=shape) * np.sqrt(2 / shape[0]) for shape in pairwise(SIZES)]
    for first in list(range(0, len(x), BATCH)) * epochs:
        rows = slice(first, first + BATCH)
        layers = forward(stage, weights, x[rows])
        delta = (layers[-1] - y[rows]) / len(y[rows])
        for k in reversed(range(len(weights))):
            grad = multiply(stage, layers[k].T, delta)
            if k:  # the input itself needs no gradient
                delta = multiply(stage, delta, weights[k].T) * (layers[k] > 0)
            weights[k] = weights[k] - rate * grad
    return weights


def loss(stage, weights, x, y):
    return ((forward(stage, weights, x)[-1] - y) ** 2).mean()


rng = np.random.default_rng(SEED)
x = rng.normal(size=(EXAMPLES + 256, SIZES[0]))
y = np.abs(x[:, :1]) + 0.5 * x[:, 1:2]
x, x_valid, y, y_valid = x[:EXAMPLES], x[EXAMPLES:], y[:EXAMPLES], y[EXAMPLES:]

part = slice(max(1, EXAMPLES // 4))
trials = [train("development", x[part], y[part], max(1, EPOCHS // 2), rate) for rate in RATES]
losses = [loss("development", weights, x_valid, y_valid) for weights in trials]
weights = train("training", x, y, EPOCHS, RATES[int(np.argmin(losses))])
final = loss("development", weights, x_valid, y_valid)

forward("inference", weights, x_valid[:1])  # one request
per_request = count["inference"]
before = count["development"] + count["training"]
crossing = before // per_request + 1  # the first request at which inference leads

print("share of all multiply-adds, and the gain if one stage costs a tenth")
print(
    f"{'requests':>10}  {'d = development, t = training, i = inference':46}{'t/10':>6}{'i/10':>6}"
)
gains, weight = {}, {}
for requests in (10**3, 10**4, 10**5, 10**6):
    costs = np.array([count["development"], count["training"], requests * per_request])
    shares = costs / costs.sum()
    weight[requests] = shares
    width = np.diff(np.rint(40 * np.cumsum([0, *shares]))).astype(int)
    bar = "".join(letter * n for letter, n in zip("dti", width))
    gains[requests] = [costs.sum() / (costs.sum() - 0.9 * costs[k]) for k in (1, 2)]
    print(f"{requests:10}  {bar:46}" + "".join(f"{gain:6.2f}" for gain in gains[requests]))

print()
for stage in STAGES[:2]:
    print(f"{stage}_multiply_adds: {count[stage]}")
print(f"multiply_adds_per_request: {per_request}")
print(f"validation_error_in_variances: {final / y_valid.var():.3g}")
print(f"training_over_forward: {count['training'] / (EPOCHS * EXAMPLES * per_request):.4g}")
print(f"requests_when_inference_leads: {crossing}")
print(f"gain_from_training_at_a_million: {gains[10**6][0]:.4g}")
print(f"gain_from_inference_at_a_million: {gains[10**6][1]:.4g}")

print("\nchart: share of all multiply-adds, by the requests answered")
print("  requests (log):", *weight)
for name, shares in zip(STAGES, zip(*weight.values())):
    print(f"  {name}:", *(f"{share:.3f}" for share in shares))
print("  fa: سهم هر مرحله از محاسبه، بسته به تعداد درخواست‌ها; درخواست")
print("  fa: توسعه; آموزش; استنتاج")
