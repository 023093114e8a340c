"""A gradient that passes through fifty layers is multiplied by fifty Jacobians.

Their product shrinks or grows by a factor at every layer, whatever the precision. What saves
it is the scale of the weights, an activation that does not saturate, or a way around.
"""

import numpy as np

DEPTH, WIDTH = 50, 64


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def slope(activation, out):
    """The derivative of the activation, from what it gave."""
    return {sigmoid: lambda y: y * (1 - y), np.tanh: lambda y: 1 - y**2, relu: lambda y: y > 0}[
        activation
    ](out)


def gradient_at_each_layer(activation, weights, residual=0.0):
    """Run forward, then pass a gradient of norm 1 from the last layer back to the first."""
    x = np.linspace(-1, 1, WIDTH, dtype=weights.dtype)
    slopes = []
    for w in weights:
        out = activation((w * x).sum(axis=1))  # the same digits with any BLAS
        slopes.append(slope(activation, out).astype(weights.dtype))
        x = residual * x + out
    gradient = np.full(WIDTH, WIDTH**-0.5, dtype=weights.dtype)
    passed = [gradient]
    for w, d in zip(weights[::-1], slopes[::-1]):
        through = (w * (d * passed[-1])[:, None]).sum(axis=0)  # transposed W times diag(f')
        passed.append(residual * passed[-1] + through)
    return np.array(passed[::-1], dtype=weights.dtype)


def drawn(lines, lowest=-32, step=4, rows=13):
    """Each line's log10, one character for a layer."""
    picture = np.full((rows, DEPTH + 1), " ")
    layer = np.arange(DEPTH + 1)
    for mark, norms in lines.items():
        row = rows - 1 - np.round((np.log10(norms) - lowest) / step).astype(int)
        hidden = (picture[row, layer] != " ") & (layer % 2 == 0)  # lines that meet take turns
        picture[row, layer] = np.where(hidden, picture[row, layer], mark)
    for row, text in enumerate(picture):
        print(f"{'1e' + format(lowest + step * (rows - 1 - row), '+d'):>6} |" + "".join(text))
    print(" " * 7 + "+" + "-" * (DEPTH + 1))
    print(" " * 8 + f"first layer{'last layer':>{DEPTH - 10}}")


plain = np.random.default_rng(2).normal(size=(DEPTH, WIDTH, WIDTH)) / np.sqrt(WIDTH)
nets = {
    "s": ("sigmoid, variance 1/n", gradient_at_each_layer(sigmoid, plain)),
    "t": ("tanh, weights too small", gradient_at_each_layer(np.tanh, 0.6 * plain)),
    "h": ("relu, variance 2/n (He)", gradient_at_each_layer(relu, np.sqrt(2) * plain)),
    "x": ("relu, weights too large", gradient_at_each_layer(relu, 3 * plain)),
    "r": ("the tanh net, residual", gradient_at_each_layer(np.tanh, 0.6 * plain, residual=1.0)),
}
norm = {mark: np.linalg.norm(gradient, axis=1) for mark, (_, gradient) in nets.items()}
print("norm of the gradient, from the last layer back to the first")
drawn(norm)
for mark, (name, _) in nets.items():
    print(f"        {mark}  {name:26}{norm[mark][0]:10.1e}")

# Small is not imprecise: float32 keeps its relative precision within its range.
single = gradient_at_each_layer(sigmoid, plain.astype(np.float32))[0]
apart = np.linalg.norm(single - nets["s"][1][0]) / norm["s"][0]
half = nets["t"][1].astype(np.float16)
rescued = (nets["t"][1] * 2.0**18).astype(np.float16)  # the largest scale without overflow
# But where a unit saturates, y * (1 - y) cancels, and nothing is left of a slope that is there.
steep = np.float32(17)
saturated = slope(sigmoid, sigmoid(steep))
exact = np.exp(-17.0) / (1 + np.exp(-17.0)) ** 2
largest = nets["x"][1][0]
clipped = largest * min(1, 1 / np.linalg.norm(largest))
assert apart < 1e-5 and norm["s"][0] < 1e-25 and norm["x"][0] > 1e6
assert not half[0].any() and np.isfinite(rescued).all()

print()
print(f"gradient_norm_sigmoid: {norm['s'][0]:.3g}")
print(f"gradient_norm_small_weights: {norm['t'][0]:.3g}")
print(f"gradient_norm_he: {norm['h'][0]:.3g}")
print(f"gradient_norm_large_weights: {norm['x'][0]:.3g}")
print(f"gradient_norm_residual: {norm['r'][0]:.3g}")
print(f"gradient_norm_clipped: {np.linalg.norm(clipped):.6g}")
print(f"digits_float32_keeps_at_that_size: {int(-np.log10(apart))}")
print(f"float32_slope_at_17: {saturated:.2g}")
print(f"true_slope_at_17: {exact:.2g}")
print(f"float16_gradients_lost: {np.mean(half == 0):.2g}")
print(f"float16_gradients_lost_with_loss_scale: {np.mean(rescued == 0):.2g}")
