"""Makes the pictures of this folder: python make.py DOTS SEED NAME, with matplotlib 3.5.1 for 72 dots an inch and 3.10.1 for 100."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

dots, seed, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
x = np.linspace(0, 2, 41)


def grid(axes, random):
    axes.plot(x, x**2, "r--")
    axes.plot(x, x ** (2 + seed), "bs")
    axes.grid(True)
    axes.set_xlabel("x")
    axes.set_ylabel("y")


def box(axes, random):
    axes.boxplot([random.randn(50) for _ in range(5)])


def bar(axes, random):
    axes.bar(range(8), random.rand(8))


for draw in (grid, box, bar):
    figure, axes = plt.subplots(figsize=(6, 4))
    draw(axes, np.random.RandomState(seed))
    # As Jupyter's own backend saves figures.
    figure.savefig(f"{draw.__name__}-{name}.png", dpi=dots, bbox_inches="tight")
