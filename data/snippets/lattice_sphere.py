"""A sphere of voxels: `<` and `<=` differ by the voxels at exactly the radius.

Their number follows no smooth law, and its share dies out with the radius. With a spacing
that binary fractions cannot hold, it is rounding that decides about them.
"""

import numpy as np


def squares(reach, spacing=1):
    """The squared distance from the centre of every voxel of a cube, from its three axes."""
    x, y, z = np.ogrid[-reach : reach + 1, -reach : reach + 1, -reach : reach + 1]
    return (x * spacing) ** 2 + (y * spacing) ** 2 + (z * spacing) ** 2


def counts(radius):
    """How many voxels are nearer than the radius, and how many are not farther."""
    square = squares(radius)
    return (square < radius**2).sum(), (square <= radius**2).sum()


def draw(radius, height):
    """One slice: █ nearer than the radius, ░ exactly at it, · farther."""
    plane = squares(radius)[..., radius + height]
    marks = np.array(["░░", "··", "██"])[np.sign(plane - radius**2)]  # sign -1 is the last
    return ["".join(row) for row in marks]


RADIUS = 5  # parameter: 2 to 12 grid steps
SPACING = 0.1
assert RADIUS >= 1 and RADIUS == int(RADIUS), "the radius is a whole number of voxels"
HEIGHTS = 0, 3 * RADIUS // 5, RADIUS
print(f"radius {RADIUS}: the slices at heights {HEIGHTS[0]}, {HEIGHTS[1]} and {HEIGHTS[2]}")
for rows in zip(*(draw(RADIUS, height) for height in HEIGHTS)):
    print("  ".join(rows))

print(f"\n{'radius':>6}{'nearer':>10}{'exactly at':>12}{'4/3 pi r^3':>12}{'<':>9}{'<=':>9}")
for radius in (1, 2, 3, 5, 9, 10, 15, 20, 40, 60):
    nearer, within = counts(radius)
    volume = 4 / 3 * np.pi * radius**3
    off = [(n / volume - 1) for n in (nearer, within)]
    print(f"{radius:6}{nearer:10}{within - nearer:12}{volume:12.0f}{off[0]:9.2%}{off[1]:9.2%}")
    # a voxel is a unit cube, nowhere farther than sqrt(3)/2 from its centre
    shell = (1 + np.sqrt(3) / 2 / radius) ** 3 - 1
    assert np.abs(off).max() <= shell, "the counts are within a shell of the volume"
print("the last columns: how far the counts are from the volume")

nearer, within = counts(RADIUS)
farthest = np.abs(np.argwhere(squares(RADIUS) < RADIUS**2) - RADIUS).max()
box = 2 * farthest + 1
assert box < 2 * RADIUS + 1, "the poles are at the radius itself, so they are outside"

wrong = {}
for radius in range(1, max(30, RADIUS) + 1):
    exact = squares(radius)  # in voxels: integers
    inside = squares(radius, SPACING) <= (radius * SPACING) ** 2
    wrong[radius] = ((exact <= radius**2) != inside).sum()
assert sum(wrong.values()) > 0, "binary fractions hold this spacing, so nothing is rounded"
worst = max(wrong, key=wrong.get)
at = np.subtract(*counts(worst)[::-1])
print(
    f"\nspacing {SPACING}: with radius {worst} voxels, <= leaves out {wrong[worst]} of the {at} at it"
)

print()
print(f"voxels_nearer_than_radius: {nearer}")
print(f"voxels_at_radius: {within - nearer}")
print(f"box_side_for_strict_comparison: {box}")
print(f"voxels_left_out_by_rounding: {wrong[RADIUS]}")
print(f"radii_with_voxels_misjudged: {np.count_nonzero(list(wrong.values()))}")
