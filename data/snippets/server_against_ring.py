"""A ring all-reduce loads all links alike; a single server's link carries what all workers send.

The same average by four methods. Each round is made of messages, whose bytes are counted on the
link of each sender and receiver. A server sharded over the workers does as well as the ring.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WIDTH = 5040  # parameter: 5040 to 504_000 values of a gradient
WORKERS = (2, 4, 8, 16)
assert min(WORKERS) > 1 and not any(WIDTH % n for n in WORKERS), "equal parts for two or more"
rng = np.random.default_rng(SEED + 19)


class Links:
    """Counts what passes each machine's link, one round of messages after the other."""

    def __init__(self, machines):
        self.out, self.into, self.rounds = np.zeros(machines), np.zeros(machines), 0

    def round(self, messages):
        """Send (from, to, array) messages at once; return copies of the arrays."""
        self.rounds += 1
        for source, to, array in messages:
            self.out[source] += array.nbytes
            self.into[to] += array.nbytes
        return [array.copy() for _, _, array in messages]

    def busiest(self):
        """Return the most bytes on one link in one direction."""
        return int(max(self.out.max(), self.into.max()))


def server(grads):
    """One more machine takes all gradients and sends everybody the average."""
    n = len(grads)
    links = Links(n + 1)
    average = np.mean(links.round([(i, n, g) for i, g in enumerate(grads)]), axis=0)
    return links.round([(n, i, average) for i in range(n)]), links


def sharded_server(grads):
    """Every worker is also the server of a part of the weights."""
    n = len(grads)
    links, parts = Links(n), grads.reshape(n, n, -1)  # worker, part, value
    pairs = [(i, to) for i in range(n) for to in range(n) if to != i]
    links.round([(i, to, parts[i, to]) for i, to in pairs])
    average = parts.mean(axis=0)
    links.round([(to, i, average[to]) for i, to in pairs])
    return [average.ravel()] * n, links


def send_to_all(grads):
    """All-reduce the simple way: everybody sends the whole gradient to all others."""
    n = len(grads)
    links = Links(n)
    links.round([(i, to, grads[i]) for i in range(n) for to in range(n) if to != i])
    return [grads.mean(axis=0)] * n, links


def ring(grads):
    """All-reduce round a ring: parts are summed on their way, then the sums go round."""
    n = len(grads)
    links, parts = Links(n), grads.reshape(n, n, -1).copy()  # worker, part, value
    for step in range(2 * (n - 1)):
        # Each worker sends one part to its right neighbour, the next step the part before it.
        sent = [(worker, (worker + 1) % n, (worker - step) % n) for worker in range(n)]
        got = links.round([(i, to, parts[i, part]) for i, to, part in sent])
        for (_, to, part), array in zip(sent, got):
            if step < n - 1:
                parts[to, part] += array  # a sum on its way
            else:
                parts[to, part] = array  # the whole sum
    return parts.reshape(n, -1) / n, links


methods = (server, sharded_server, send_to_all, ring)
size = WIDTH * np.dtype(np.float32).itemsize
busiest, rounds = {}, {}
print("bytes on the busiest link, in gradients (rounds of messages)")
print(f"{'workers':>7}" + "".join(f"{method.__name__:>16}" for method in methods))
for n in WORKERS:
    grads = rng.normal(size=(n, WIDTH)).astype(np.float32)
    print(f"{n:7}", end="")
    for method in methods:
        result, links = method(grads)
        assert np.allclose(result, grads.mean(axis=0), atol=1e-5), "one average for all"
        key = f"{method.__name__}_{n}"
        busiest[key], rounds[key] = links.busiest() / size, links.rounds
        print(f"{busiest[key]:11.4g} ({links.rounds:2})", end="")
    print()

print()
for name, gradients in busiest.items():
    print(f"gradients_on_busiest_link_{name}: {gradients:.6g}")
for name, count in rounds.items():
    print(f"rounds_{name}: {count}")

print("\nchart: gradients that cross the busiest link")
print("  workers:", *WORKERS)
for method in methods:
    name = method.__name__
    print(f"  {name.replace('_', ' ')}:", *(f"{busiest[f'{name}_{n}']:.4g}" for n in WORKERS))
print("  fa: گرادیان‌هایی که از پرکارترین پیوند می‌گذرند; کارگرها")
print("  fa: یک سرور; سرور تکه‌شده; هر کس به همه; حلقه")
