"""A map of the two orders of ABC: (AB)C is cheaper only where A and C both have enough columns.

A is p x q, B is q x r, C is r x s. (AB)C takes pr(q + s) multiplications and A(BC) takes
qs(p + r), so (AB)C is the cheaper one exactly where 1/q + 1/s < 1/p + 1/r. Both q and s
must therefore exceed pr/(p + r), which is 66.7 for p = 100 and r = 200.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
Q, R = 5, 200  # A 100x5, B 5x200, C 200x20
S = 20  # parameter: 2 to 400 columns of C
P = 100  # parameter: 2 to 400 rows of A
WIDTH, HEIGHT = 64, 21
EDGES = np.array([1 / 2, 1, 2, 10])  # of the ratio (AB)C to A(BC)
SHADES = np.array(list("█▓▒· "))
MEANINGS = (
    "(AB)C at least 2 times cheaper",
    "(AB)C up to 2 times cheaper",
    "A(BC) up to 2 times cheaper",
    "A(BC) 2 to 10 times cheaper",
    "A(BC) more than 10 times cheaper",
)


def multiplications(rows, inner, columns):
    """Count the products of entries in a rows x inner by inner x columns product."""
    left, right = np.broadcast_to(0.0, (rows, inner)), np.broadcast_to(0.0, (inner, columns))
    return np.broadcast(left[:, :, None], right).size  # nothing is computed or held


def counted(p, q, r, s):
    """The multiplications of (AB)C and of A(BC), step by step."""
    left_first = multiplications(p, q, r) + multiplications(p, r, s)
    right_first = multiplications(q, r, s) + multiplications(p, q, s)
    return left_first, right_first


def ratio(q, s):
    """Cost of (AB)C over cost of A(BC); q and s broadcast against each other."""
    return P * R * (q + s) / (q * s * (P + R))


rng = np.random.default_rng(SEED + 2)
for q, s in rng.integers(1, 1000, (200, 2)).tolist():  # the formula agrees with counting
    left_first, right_first = counted(P, q, R, s)
    assert np.isclose(ratio(q, s), left_first / right_first, rtol=1e-12)
    # 1/q + 1/s < 1/p + 1/r, in whole numbers
    assert (left_first < right_first) == (P * R * (q + s) < q * s * (P + R))

columns = np.geomspace(1, 1000, WIDTH)
rows = np.geomspace(1000, 1, HEIGHT)
shaded = SHADES[np.searchsorted(EDGES, ratio(columns, rows[:, None]), side="right")]
shaded[np.abs(np.log(rows / S)).argmin(), np.abs(np.log(columns / Q)).argmin()] = "X"

print(f"A is {P} x q, B is q x {R}, C is {R} x s; both axes are logarithmic")
for at, line in enumerate(shaded):
    label = f"{rows[at]:.0f}" if at % 10 == 0 else ""
    print(f"{label:>5} {''.join(line)}")
middle = f"{columns[WIDTH // 2]:.0f}"
print(f"  s   {'q = 1':<{WIDTH // 2}}{middle:<{max(WIDTH // 2 - 4, 0)}}1000")
for shade, meaning in zip(SHADES, MEANINGS):
    print(f"      {shade} {meaning}")
print(f"      X q = {Q}, s = {S}")

here = counted(P, Q, R, S)
sides = np.arange(1, 1001)
cheaper = ratio(sides, sides[:, None]) < 1  # [s, q]: is (AB)C the cheaper one?
assert (np.diff(cheaper.diagonal().astype(int)) >= 0).all()  # once cheaper, always
widest = 10**9  # columns of C: in effect, whatever s is
never = [q for q in sides.tolist() if P * R * (q + widest) >= q * widest * (P + R)]
equal = sides[cheaper.diagonal()]

print()
print(f"left_first_at_x: {here[0]}")
print(f"right_first_at_x: {here[1]}")
print(f"ratio_at_x: {here[0] / here[1]:.6g}")
print(f"left_first_never_cheaper_up_to_q: {max(never, default=0)}")
if equal.size:
    print(f"left_first_cheaper_from_q_equal_s: {equal[0]}")
print(f"ratio_at_q_1_s_1: {np.divide(*counted(P, 1, R, 1)):.6g}")
