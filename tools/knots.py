#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes curves of knots and windings, and writes them as "points" of ropes into scenes/contact.

A knot is a Catmull-Rom curve through a few points made by hand, in centimetres. Its x and y
are a drawing on paper. `z` says which strand passes over which. A winding is a helix of arcs round drums and sheaves,
joined by straight lines.
Lengths in the scenes are metres, rounded to 0.1 mm.

    tools/knots.py           writes
    tools/knots.py --check   checks that the scenes contain these points
"""
import math
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent / "scenes" / "contact"


def mix(a, b, start, end, u):
    return [(x * (end - u) + y * (u - start)) / (end - start) for x, y in zip(a, b)]


def smooth(knot, step=0.005, at=(0, 0, 0), turn=(0, 1, 2)):
    """Centripetal Catmull-Rom (Barry and Goldman) through points in cm, a point about every `step` metres; pieces of
    10 cm and more are straight. `turn` rotates the curve, and `at` moves its origin."""
    p = [[0.01 * c for c in q] for q in knot]
    p = [[2 * u - v for u, v in zip(p[0], p[1])]] + p + [[2 * u - v for u, v in zip(p[-1], p[-2])]]
    path = []
    for i in range(1, len(p) - 2):
        q, length = p[i - 1:i + 3], math.dist(p[i], p[i + 1])
        t = [0.0]
        for j in range(3):
            t.append(t[j] + math.sqrt(math.dist(q[j], q[j + 1])))
        pieces = 1 if length > 0.1 else max(1, round(length / step))
        for k in range(pieces):
            u = t[1] + (t[2] - t[1]) * k / pieces
            a = [mix(q[j], q[j + 1], t[j], t[j + 1], u) for j in range(3)]
            b = [mix(a[j], a[j + 1], t[j], t[j + 2], u) for j in range(2)]
            path.append(mix(b[0], b[1], t[1], t[2], u))
    path.append(p[-2])
    return [[q[turn[j]] + at[j] for j in range(3)] for q in path]


def arc(center, radius, start, end, pitch=0.0, step=10):
    """A helix around an axis along z, from `start` to `end` degrees (counter-clockwise from x); z grows by `pitch` per turn."""
    pieces = max(1, round(abs(end - start) / step))
    path = []
    for k in range(pieces + 1):
        a = math.radians(start + (end - start) * k / pieces)
        path.append([center[0] + radius * math.cos(a), center[1] + radius * math.sin(a),
                     center[2] + pitch * abs(end - start) / 360 * k / pieces])
    return path


# An overhand knot: one loop, through which the end passes once. It alternates over and under at three crossings.
overhand = [(-42, 0, 0), (-8, 0, 0), (-4.5, 0, 0), (-2, 0, -.7), (0, 0, 0), (1.9, 0.1, .7), (3.3, .8, 0), (4, 2.2, -.7),
            (3, 3.9, 0), (0, 4.5, 0), (-2.7, 3.4, 0), (-3, 1.5, .3), (-2, 0, .7), (-.7, -1.7, 0), (1, -1.6, 0),
            (1.9, .1, -.7), (2.6, 1.5, 0), (4, 2.2, .7), (6, 2.2, 0), (9, 1.5, 0), (42, 0, 0)]

# A figure-eight knot: the end goes once more around the standing part before it passes through the loop. It alternates over
# and under at four crossings.
figure_eight = [(-45, 0, 0), (-9, 0, 0), (-5, 0, 0), (-3, 0, .7), (-1.5, 0, 0), (0, 0, -.7), (2, -.2, 0), (4.2, .4, 0),
                (5.2, 1.9, .7), (5, 3.6, 0), (3.2, 4.6, 0), (1.6, 3.9, 0), (.8, 2.3, -.7), (0, 0, .7), (-1.2, -1.9, 0),
                (-2.7, -1.8, 0), (-3, 0, -.7), (-2.3, 1.7, 0), (-.8, 2.4, .2), (.8, 2.3, .7), (3, 2, 0),
                (5.2, 1.9, -.7), (8, 1.7, 0), (12, 1, 0), (45, 0, 0)]

# Reef and granny knot: each rope forms a bight, the bights are hooked into each other, and each rope's ends lie side by
# side. The signs of z at the crossings along the left rope are listed; bend() takes the opposite for the other rope.
over = {"reef": (-1, 1, -1, -1, 1, -1), "granny": (-1, 1, -1, 1, -1, 1)}


def bend(kind, side):
    """A rope with a bight, from the left (`side` -1) or the right (1). It has six crossings with the other rope."""
    z = [-side * 1.1 * s for s in over[kind]]
    if side > 0:
        z = [z[2], z[1], z[0], z[5], z[4], z[3]]
    half = [(43, 1.2), (8.5, 1.2), (3.6, 1.2), (1.7, 1.5), (0, 2.2), (-1.8, 2.9), (-3.2, 2.5), (-3.7, 1.2)]
    heights = [0, 0, z[0], 0, z[1], 0, 0, z[2]]
    back = [(-3.7, -1.2), (-3.2, -2.5), (-1.8, -2.9), (0, -2.2), (1.7, -1.5), (3.6, -1.2), (8.5, -1.4), (15, -2.8)]
    behind = [z[3], 0, 0, z[4], 0, z[5], 0, 0]
    middle = [(-3.9 * side, 0, (z[2] + z[3]) / 2)]
    go = [(x * side, y, h) for (x, y), h in zip(half, heights)]
    come = [(x * side, y, h) for (x, y), h in zip(back, behind)]
    return go + middle + come


# A bowline. The standing part comes down at x = 2.2 and forms a small loop, whose end passes over it. The end goes around
# the post and up through the small loop. It then goes behind the standing part, in front of it, and down through the
# small loop.
bowline = [(2.2, 30, 0), (2.2, 10, 0), (2.2, 6.5, 0), (2.2, 5, .2), (2.2, 3.4, -.2), (2.2, 1.2, -.7), (1.9, -.8, -.2),
           (.9, -2.1, 0), (-.7, -2.3, 0), (-2.1, -1.3, 0), (-2.5, .4, 0), (-1.7, 1.9, 0), (0, 2.3, 0), (2.2, 1.2, .7),
           (3.9, -.6, .3), (5, -4, 0), (5.2, -9, 0), (3.7, -13.2, 0), (.5, -15, 0), (-2.7, -13.2, 0), (-4, -9, 0),
           (-2.8, -5, -.6), (-.9, -2.3, -1.3), (-.7, -.2, 0), (-.7, 2.2, 1.3), (.2, 4.2, .5), (2.2, 5, -1.1),
           (3.6, 4.3, 0), (2.2, 3.4, 1.1), (.9, 2.2, 1.3), (.65, 0, 0), (.7, -2.3, -1.3), (.9, -5, -1.4),
           (1.2, -10, -1.6)]


def reeve(sheaves, radius, top, bottom, first, last):
    """A rope over sheaves in the plane z = 0, up and down along x = 0, 2 R, 4 R ...: under the first sheave, over the
    second and so on. R = radius + rope; `first` and `last` are the heights of the ends."""
    path = [[0, first, 0]]
    for k in range(sheaves):
        under = k % 2 == 0
        center = [radius * (2 * k + 1), bottom if under else top, 0]
        path += arc(center, radius, 180, 360 if under else 0)
    return path + [[radius * 2 * sheaves, last, 0]]


def wound(center, radius, degrees, pitch, first, last):
    """A rope around a drum: up on the right, around counter-clockwise, and away. It ends at the heights `first` and `last`."""
    path = arc(center, radius, 0, degrees, pitch)
    return [[path[0][0], first, path[0][2]]] + path + [[path[-1][0], last, path[-1][2]]]


def ring(center, radius, turn=(0, 1, 2), pieces=48):
    path = [[radius * math.cos(2 * math.pi * k / pieces), radius * math.sin(2 * math.pi * k / pieces), 0]
            for k in range(pieces)]
    return [[q[turn[j]] + center[j] for j in range(3)] for q in path]


def coil(turns, radius, pitch, height, per=36):
    """Coils around a vertical axis with different radii, so that they come to lie beside and on top of each other."""
    path = []
    for k in range(turns * per + 1):
        a, r = 2 * math.pi * k / per, radius * (1 + 0.12 * math.sin(2 * math.pi * k / per / 3.7))
        path.append([r * math.cos(a), height + pitch * k / per, r * math.sin(a)])
    return path


# scene: {rope: points}
curves = {
    "capstan": {"rope": wound((0, 1, 0), 0.0553, 540, 0.0115, 0.4, 0.7)},
    "capstan_slips": {"rope": wound((0, 1, 0), 0.0553, 540, 0.0115, 0.4, 0.7)},
    "hauling_capstan": {"rope": wound((0, 2, -0.03), 0.1053, 900, 0.0115, 0.6, 1.8)},
    "pulley": {"rope": wound((0, 2, 0), 0.1053, 180, 0, 1.2, 1)},
    "block_and_tackle_2": {"rope": reeve(2, 0.1065, 2, 1, 2, 1)},
    "block_and_tackle_4": {"rope": reeve(4, 0.1065, 2, 1, 2, 1)},
    "shaken_loose": {"rope": smooth([(-6.5, 0, 0)] + overhand[2:], turn=(1, 0, 2), at=(0, 1, 0))},
    "coil_pile": {"rope": coil(8, 0.25, 0.05, 0.1)},
    "linked_rings": {"upper": ring((0, 1, 0), 0.15), "lower": ring((0, 0.85, 0), 0.15, turn=(2, 1, 0))},
    "overhand": {"rope": smooth(overhand, turn=(1, 0, 2), at=(0, 1.5, 0))},
    "figure_eight": {"rope": smooth(figure_eight, turn=(1, 0, 2), at=(0, 1.5, 0))},
    "reef": {"left": smooth(bend("reef", -1)), "right": smooth(bend("reef", 1))},
    "granny": {"left": smooth(bend("granny", -1)), "right": smooth(bend("granny", 1))},
    "bowline": {"rope": smooth(bowline)},
}


def number(x):
    return format(round(x, 4) + 0.0, ".4f").rstrip("0").rstrip(".")


def block(points, indent):
    """The list as text, in lines of at most 110 columns."""
    lines, line = [], " " * (indent + 2)
    for i, p in enumerate(points):
        word = "[" + ", ".join(number(x) for x in p) + "]" + ("," if i + 1 < len(points) else "")
        if len(line) + len(word) > 109:
            lines.append(line.rstrip())
            line = " " * (indent + 2)
        line += word + " "
    return "[\n" + "\n".join(lines + [line.rstrip()]) + "\n" + " " * indent + "]"


bad = 0
for scene, ropes in curves.items():
    file = root / (scene + ".json")
    old = text = file.read_text()
    for rope, points in ropes.items():
        found = re.compile(r'( *)("name": "' + rope + r'",\s*"points": )\[[^"]*\](?=,\s*")')
        text, hits = found.subn(lambda m: m[1] + m[2] + block(points, len(m[1])), text)
        if hits != 1:
            sys.exit(f"{file.name}: no rope {rope} with points")
    if text != old and "--check" in sys.argv:
        print(f"{file.name}: not what tools/knots.py makes", file=sys.stderr)
        bad = 1
    elif text != old:
        file.write_text(text)
sys.exit(bad)
