"""A gradient that passes through fifty layers is multiplied by fifty Jacobians.

Their product shrinks or grows by a factor at every layer, whatever the precision. What saves
it is the scale of the weights, an activation that does not saturate, or a way around. The
factors SMALL and LARGE were chosen to be clearly off.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
SEEDS = 200
WIDTH = 64  # parameter: 16 to 128 units
DEPTH = 50  # parameter: 10 to 100 layers
SMALL, LARGE = 0.6, 3.0  # of weights with standard deviation 1/sqrt(n)
SHIFT = 6  # added to what the first layer of tanh gets, so that it saturates
assert 0 < DEPTH <= 200, "norms of deeper networks leave the range of float64"
assert WIDTH > 1 and SEEDS > 0, "two units and a draw at least"


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


SLOPE = {  # the derivative, as frameworks compute it: from what the activation gave
    sigmoid: lambda x, y: y * (1 - y),
    np.tanh: lambda x, y: 1 - y**2,
    relu: lambda x, y: y > 0,
}


def tanh_slope(x, y):
    """The derivative of tanh from its input, where 1 - y**2 would cancel."""
    return (1 / np.cosh(x)) ** 2


def gradient_at_each_layer(activation, weights, residual=0.0, shift=0.0, slope=None):
    """Run forward, then pass a gradient of norm 1 from the last layer back to the first."""
    slope = slope or SLOPE[activation]
    x = np.linspace(-1, 1, WIDTH, dtype=weights.dtype)
    slopes = []
    for layer, w in enumerate(weights):
        before = (w * x).sum(axis=1)  # the same digits with any BLAS
        before += shift if layer == 0 else 0
        after = activation(before)
        slopes.append(slope(before, after).astype(weights.dtype))
        x = residual * x + after
    gradient = np.full(WIDTH, WIDTH**-0.5, dtype=weights.dtype)
    passed = [gradient]
    for w, d in zip(weights[::-1], slopes[::-1]):
        through = (w * (d * passed[-1])[:, None]).sum(axis=0)  # transposed W times diag(f')
        passed.append(residual * passed[-1] + through)
    return np.array(passed[::-1], dtype=weights.dtype)


def digits(single, double):
    """Decimal digits that the first has right, at most the 7.2 of float32."""
    apart = np.linalg.norm(single - double) / np.linalg.norm(double)
    return -np.log10(np.clip(apart, 2.0**-24, 1))


def lost_in_float16(gradients):
    """The share that becomes 0; what overflows is not counted."""
    with np.errstate(over="ignore"):
        return np.mean(gradients.astype(np.float16) == 0)


def loss_scale(gradients):
    """The largest power of two under which no gradient overflows in float16."""
    return 2.0 ** np.floor(np.log2(np.finfo(np.float16).max / np.abs(gradients).max()))


NETS = {
    "s": ("sigmoid, variance 1/n", sigmoid, 1.0, 0.0),
    "t": ("tanh, weights too small", np.tanh, SMALL, 0.0),
    "h": ("relu, variance 2/n (He)", relu, np.sqrt(2), 0.0),
    "x": ("relu, weights too large", relu, LARGE, 0.0),
    "r": ("the tanh net, residual", np.tanh, SMALL, 1.0),
}


def measured(seed):
    """Norms of the gradients at all layers of each net, and what the formats keep of them."""
    plain = np.random.default_rng(SEED + seed).normal(size=(DEPTH, WIDTH, WIDTH)) / np.sqrt(WIDTH)
    passed = {
        mark: gradient_at_each_layer(activation, scale * plain, residual)
        for mark, (_, activation, scale, residual) in NETS.items()
    }
    norms = {mark: np.linalg.norm(each, axis=1) for mark, each in passed.items()}
    small, single = SMALL * plain, plain.astype(np.float32)
    shifted = {"activation": np.tanh, "shift": SHIFT}
    exact = gradient_at_each_layer(weights=small, slope=tanh_slope, **shifted)[0]
    small = small.astype(np.float32)
    return norms, {
        "digits_in_float32": digits(gradient_at_each_layer(sigmoid, single)[0], passed["s"][0]),
        "digits_in_float32_saturated": digits(
            gradient_at_each_layer(weights=small, **shifted)[0], exact
        ),
        "digits_in_float32_by_cosh": digits(
            gradient_at_each_layer(weights=small, slope=tanh_slope, **shifted)[0], exact
        ),
        "float16_gradients_lost": lost_in_float16(passed["t"]),
        "float16_gradients_lost_with_loss_scale": lost_in_float16(
            passed["t"] * loss_scale(passed["t"])
        ),
    }


def drawn(lines, lowest=-32, step=4, rows=13):
    """Each line's log10, one character for a layer (of deep networks, for several)."""
    layer = np.linspace(0, DEPTH, min(DEPTH, 60) + 1).astype(int)
    column = np.arange(len(layer))
    picture = np.full((rows, len(layer)), " ")
    for mark, norms in lines.items():
        height = (np.log10(np.maximum(norms[layer], 1e-300)) - lowest) / step
        row = rows - 1 - np.clip(np.round(height), 0, rows - 1).astype(int)
        hidden = (picture[row, column] != " ") & (column % 2 == 0)  # lines that meet take turns
        picture[row, column] = np.where(hidden, picture[row, column], mark)
    for row, text in enumerate(picture):
        print(f"{'1e' + format(lowest + step * (rows - 1 - row), '+d'):>6} |" + "".join(text))
    print(" " * 7 + "+" + "-" * len(layer))
    print(" " * 8 + f"first layer{'last layer':>{max(len(layer) - 11, 11)}}")


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all draws of the weights."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.2g}")


runs = [measured(seed) for seed in range(SEEDS)]
print("norm of the gradient, from the last layer back to the first")
drawn(runs[0][0])
first = {mark: [norms[mark][0] for norms, _ in runs] for mark in NETS}
print(f"{'':35}{f'over {SEEDS} draws of the weights':>30}")
for mark, (name, *_) in NETS.items():
    low, high = min(first[mark]), max(first[mark])
    print(f"        {mark}  {name:26}{low:10.0e} to{high:10.0e}")

# Small is not imprecise, but where a unit saturates its slope cancels: here to nothing.
steep = np.float32(17)
saturated = SLOPE[sigmoid](steep, sigmoid(steep))
exact = np.exp(-17.0) / (1 + np.exp(-17.0)) ** 2
assert saturated == 0 < exact

print()
for name, mark in zip(("sigmoid", "small_weights", "he", "large_weights", "residual"), NETS):
    tell(f"gradient_norm_{name}", first[mark])
for name in runs[0][1]:
    tell(name, [kept[name] for _, kept in runs])
print(f"float32_slope_at_17: {saturated:.2g}")
print(f"true_slope_at_17: {exact:.2g}")

print("\nchart: norm of the gradient on its way back through the layers")
print("  layers passed:", *range(0, DEPTH + 1, 10))
names = "sigmoid", "tanh, small weights", "ReLU, He", "ReLU, large weights", "tanh, residual"
for name, norms in zip(names, runs[0][0].values()):
    print(f"  {name} (log):", *(f"{norm:.0e}" for norm in norms[::-1][::10]))
print("  fa: نُرم گرادیان در راه بازگشت از لایه‌ها; لایه‌های پیموده‌شده")
print("  fa: سیگموئید; tanh با وزن کوچک; ReLU با وزن He")
print("  fa: ReLU با وزن بزرگ; tanh با اتصال پرشی")
