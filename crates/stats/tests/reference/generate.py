"""Writes the reference values of tests/reference.rs beside this file.

    python -m venv venv && venv/bin/pip install scipy==1.14.1
    venv/bin/python generate.py

Samples are drawn from fixed seeds and written out with the values, so that the tests need neither Python nor the seeds.
"""

import json
import pathlib
import random

import numpy
import scipy
from scipy import stats


def write(name, cases):
    note = f"generate.py with scipy {scipy.__version__}, numpy {numpy.__version__}"
    text = json.dumps({"source": note, "cases": cases}, indent=None, separators=(",", ":"))
    text = text.replace('{"name"', '\n{"name"')
    pathlib.Path(__file__).with_name(f"{name}.json").write_text(text + "\n")


def kendall(rng):
    pairs = {
        "two": ([1, 2], [5, 3]),
        "three": ([1, 2, 3], [1, 3, 2]),
        "three with a tie": ([1, 1, 2], [3, 5, 5]),
        "book": ([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]),
    }
    for size in (4, 7, 8, 20, 33, 34, 60):
        pairs[f"untied {size}"] = (rng.sample(range(1000), size), rng.sample(range(1000), size))
    for size in (34, 50, 150):
        swapped = list(range(size))
        swapped[3], swapped[4] = swapped[4], swapped[3]
        pairs[f"one swap {size}"] = (list(range(size)), swapped)
        pairs[f"reversed {size}"] = (list(range(size)), list(range(size, 0, -1)))
    for size in (6, 25, 120, 400):
        x = [rng.randrange(6) for _ in range(size)]
        pairs[f"tied {size}"] = (x, [value * 2 + rng.randrange(9) for value in x])
    pairs["strong 300"] = (list(range(300)), [value + rng.random() * 30 for value in range(300)])
    cases = []
    for name, (x, y) in pairs.items():
        found = stats.kendalltau(x, y)
        cases.append({"name": name, "x": x, "y": y, "tau": float(found.statistic), "p": float(found.pvalue)})
    return cases


def mann_whitney(rng):
    samples = {
        "one and one": ([1], [2]),
        "one and many": ([4.5], list(range(30))),
        "scipy example": ([19, 22, 16, 29, 24], [20, 11, 17, 12]),
        "tied": ([1, 2, 2, 3], [2, 3, 3, 4, 5]),
        "all equal but one": ([1, 1, 1, 1], [1, 1, 1, 2]),
    }
    for first, second in ((3, 4), (8, 8), (8, 200), (9, 9), (7, 1000), (40, 60)):
        drawn = rng.sample(range(100_000), first + second)
        samples[f"untied {first} {second}"] = (drawn[:first], drawn[first:])
    samples["separated"] = (list(range(30)), list(range(100, 160)))
    samples["tied large"] = ([rng.randrange(12) for _ in range(150)], [rng.randrange(14) for _ in range(170)])
    cases = []
    for name, (a, b) in samples.items():
        found = stats.mannwhitneyu(a, b, alternative="two-sided", method="auto")
        delta = 2 * float(found.statistic) / (len(a) * len(b)) - 1
        cases.append({"name": name, "a": a, "b": b, "u": float(found.statistic), "p": float(found.pvalue), "delta": delta})
    return cases


def proportions():
    cases = []
    for successes, trials in ((0, 1), (1, 1), (0, 20), (5, 20), (10, 20), (19, 20), (327, 4113), (4112, 4113), (500_000, 1_000_000)):
        for confidence in (0.5, 0.9, 0.95, 0.999):
            interval = stats.binomtest(successes, trials).proportion_ci(confidence, method="wilson")
            cases.append({"name": f"{successes}/{trials} at {confidence}", "successes": successes, "trials": trials,
                          "confidence": confidence, "lower": float(interval.low), "upper": float(interval.high)})
    return cases


def mcnemar():
    cases = []
    for first, second in ((0, 1), (1, 0), (0, 5), (3, 3), (2, 9), (15, 40), (120, 180), (1000, 1150), (60_000, 60_500), (10, 400)):
        p = stats.binomtest(min(first, second), first + second, 0.5).pvalue
        cases.append({"name": f"{first} {second}", "first": first, "second": second, "p": float(p)})
    return cases


def quantile(rng):
    cases = []
    for size in (1, 2, 3, 10, 101, 250):
        values = [round(rng.gauss(0, 50), 4) for _ in range(size)]
        fractions = [0, 0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.975, 1]
        found = [float(value) for value in numpy.quantile(values, fractions, method="linear")]
        cases.append({"name": f"{size} values", "values": values, "fractions": fractions, "quantiles": found})
    return cases


if __name__ == "__main__":
    source = random.Random(20250101)
    write("kendall", kendall(source))
    write("mann_whitney", mann_whitney(source))
    write("wilson", proportions())
    write("mcnemar", mcnemar())
    write("quantile", quantile(source))
