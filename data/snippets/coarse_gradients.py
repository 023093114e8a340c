"""SGD reaches the same loss with 8-bit gradients, and with 2 percent of them if the rest is kept.

Gradients are sent as float32, as 8-bit whole numbers, or as their largest 2 percent. What a
message leaves out is either forgotten or kept and added to the next one (error feedback).
"""

import numpy as np

ROWS, WIDTH, BATCH, STEPS, RATE = 4096, 200, 64, 1500, 0.02
rng = np.random.default_rng(13)
x = rng.normal(size=(ROWS, WIDTH)) * np.geomspace(1, 0.1, WIDTH)  # some features are faint
y = x @ rng.normal(size=WIDTH) + 0.5 * rng.normal(size=ROWS)
best = ((y - x @ np.linalg.lstsq(x, y)[0]) ** 2).mean() / 2


def whole(values):
    """Send float32 numbers."""
    message = values.astype(np.float32)
    return message, message.nbytes


def eight_bit(values):
    """Send a scale and whole numbers from -127 to 127."""
    scale = np.float32(np.abs(values).max() / 127)
    message = np.rint(values / scale).astype(np.int8)
    return message * scale, message.nbytes + scale.nbytes


def largest(values):
    """Send the largest 2 percent with their places; the rest is left out."""
    places = np.argsort(np.abs(values))[-WIDTH // 50 :].astype(np.uint16)
    message = values[places].astype(np.float32)
    received = np.zeros(WIDTH)
    received[places] = message
    return received, message.nbytes + places.nbytes


def train(send, feedback):
    """Return the loss above the best one and the bytes sent in all."""
    w, owed, sent, order = np.zeros(WIDTH), np.zeros(WIDTH), 0, np.random.default_rng(14)
    for _ in range(STEPS):
        rows = order.integers(ROWS, size=BATCH)
        wanted = x[rows].T @ (x[rows] @ w - y[rows]) / BATCH + owed
        received, size = send(wanted)
        owed = wanted - received if feedback else owed
        w -= RATE * received
        sent += size
    return ((y - x @ w) ** 2).mean() / 2 - best, sent


runs = {
    "float32": (whole, False),
    "8_bit": (eight_bit, False),
    "largest_with_feedback": (largest, True),
    "largest_without_feedback": (largest, False),
}
start = (y**2).mean() / 2 - best
print(f"loss above the best one: {start:.3g} at first; after {STEPS} steps:")
results = {name: train(*run) for name, run in runs.items()}
for name, (loss, sent) in results.items():
    print(f"{name:26}{loss:8.2g} {sent:9,} bytes {'█' * round(sent / 60_000)}")
exact, sent = results["float32"]
assert abs(results["8_bit"][0] / exact - 1) < 0.1

print()
for name, (loss, _) in results.items():
    print(f"loss_{name}: {loss:.2g}")
print(f"bytes_saved_8_bit: {sent / results['8_bit'][1]:.3g}")
print(f"bytes_saved_largest: {sent / results['largest_with_feedback'][1]:.4g}")
