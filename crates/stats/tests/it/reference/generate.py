"""Writes the reference values of tests/it/reference beside this file.

    python -m venv venv && venv/bin/pip install scipy==1.14.1 numpy==2.2.6 statsmodels==0.14.4
    venv/bin/python generate.py

Samples are drawn from fixed seeds and written out with the values, so that the tests need neither Python nor the seeds.
"""

import fractions
import itertools
import json
import math
import pathlib
import random
import types

import numpy
import scipy
import statsmodels
from scipy import optimize, stats
from statsmodels.stats import contingency_tables, multitest, proportion


def write(name, cases):
    versions = f"scipy {scipy.__version__}, numpy {numpy.__version__}, statsmodels {statsmodels.__version__}"
    note = f"generate.py with {versions}"
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


def unpaired_difference(rng):
    """statsmodels' interval of Newcombe."""
    cases = []
    groups = [(56, 70, 48, 80), (9, 10, 3, 10), (10, 10, 0, 20), (5, 56, 0, 29), (0, 10, 0, 20), (0, 1, 1, 1), (229, 389, 251, 353)]
    groups += [(rng.randint(0, n), n, rng.randint(0, m), m) for n, m in ((18, 55), (66, 742), (3, 900), (2000, 30))]
    for first, trials, second, others in groups:
        for confidence in (0.9, 0.95):
            lower, upper = proportion.confint_proportions_2indep(
                first, trials, second, others, method="newcomb", compare="diff", alpha=1 - confidence
            )
            cases.append({
                "name": f"{first}/{trials} and {second}/{others} at {confidence}",
                "first": [first, trials],
                "second": [second, others],
                "confidence": confidence,
                "difference": first / trials - second / others,
                "lower": float(lower),
                "upper": float(upper),
            })
    return cases


def paired_difference(rng):
    """The interval of Tango: the differences d that |T(d)| <= z does not reject, with the likeliest nuisance share found where
    the slope of its log-likelihood is none.

    Items succeed under the first alone with probability q, under the second alone with q + d: their log-likelihood is
    b log(q + d) + c log(q) + (n - b - c) log(1 - 2 q - d).
    """

    def score(b, c, n, d):
        def slope(q):
            terms = ((b, q + d), (c, q), (-2 * (n - b - c), 1 - 2 * q - d))
            return sum(count / max(share, 1e-300) for count, share in terms if count)

        low, high = max(0, -d), (1 - d) / 2
        if slope(low) <= 0 or slope(high) >= 0:
            share = low if slope(low) <= 0 else high
        else:
            share = optimize.brentq(slope, low, high, xtol=1e-16, rtol=1e-15)
        variance = n * (2 * share + d - d * d)
        return (b - c - n * d) / math.sqrt(variance) if variance > 1e-18 else math.copysign(math.inf, b - c - n * d)

    cases = []
    counts = [(1, 0, 44), (2, 19, 40), (2, 0, 18), (5, 9, 30), (30, 12, 100), (120, 180, 1000), (0, 7, 20), (3, 3, 8)]
    for first, second, items in counts:
        for confidence in (0.9, 0.95):
            z = stats.norm.ppf(0.5 + confidence / 2)
            difference = (second - first) / items
            lower, upper = (
                optimize.brentq(lambda d: score(second, first, items, d) - bound, *ends, xtol=1e-14)
                for bound, ends in ((z, (-1 + 1e-12, difference)), (-z, (difference, 1 - 1e-12)))
            )
            cases.append(
                {"name": f"{first} {second} of {items} at {confidence}", "first": first, "second": second, "items": items}
                | {"confidence": confidence, "difference": difference, "lower": lower, "upper": upper}
            )
    return cases


def quantile(rng):
    cases = []
    for size in (1, 2, 3, 10, 101, 250):
        values = [round(rng.gauss(0, 50), 4) for _ in range(size)]
        fractions = [0, 0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.975, 1]
        found = [float(value) for value in numpy.quantile(values, fractions, method="linear")]
        cases.append({"name": f"{size} values", "values": values, "fractions": fractions, "quantiles": found})
    return cases


def cliff_interval(rng):
    """By the definition over all pairs: no library of the environment has it."""
    samples = [([1, 2], [1, 3]), ([1, 1, 2], [1, 2, 2]), ([4, 5], [1, 2, 3]), ([1, 2, 3], [7, 8, 9, 10])]
    for first, second, values in ((2, 2, 4), (3, 9, 6), (10, 6, 50), (25, 25, 8), (40, 13, 10_000), (60, 80, 5)):
        shift = rng.randrange(values)
        samples.append(([rng.randrange(values) for _ in range(first)], [rng.randrange(values) + shift for _ in range(second)]))
    cases = []
    for a, b in samples:
        for confidence in (0.5, 0.95, 0.999):
            z = stats.norm.ppf(0.5 + confidence / 2)
            signs = numpy.sign(numpy.subtract.outer(a, b)).astype(float)
            m, n = signs.shape
            delta = signs.mean()
            if abs(delta) == 1:
                inner = delta * (min(m, n) - z * z) / (min(m, n) + z * z)
                ends = sorted((inner, delta))
            else:
                rows = n * n * ((signs.mean(axis=1) - delta) ** 2).sum()
                columns = m * m * ((signs.mean(axis=0) - delta) ** 2).sum()
                variance = (rows + columns - ((signs - delta) ** 2).sum()) / (m * n * (m - 1) * (n - 1))
                variance = max(variance, (1 - delta**2) / (m * n - 1))
                half = z * math.sqrt(variance) * math.sqrt((1 - delta**2) ** 2 + z * z * variance)
                ends = [(delta - delta**3 + side * half) / (1 - delta**2 + z * z * variance) for side in (-1, 1)]
                ends = [max(ends[0], -1), min(ends[1], 1)]
            cases.append({"name": f"{m} {n} at {confidence}", "a": a, "b": b, "confidence": confidence,
                          "lower": float(ends[0]), "upper": float(ends[1])})
    return cases


def wilcoxon(rng):
    pairs = {"one": ([3], [1]), "two": ([3, 1], [1, 2]), "all one way": (list(range(2, 40, 2)), list(range(1, 20)))}
    for size in (3, 6, 10, 25, 49, 50, 51, 90):
        differences = rng.sample(range(1, 4000), size)
        base = [rng.randrange(1000) for _ in range(size)]
        pairs[f"untied {size}"] = (base, [value + rng.choice((-1, 1)) * difference for value, difference in zip(base, differences)])
    for size in (5, 12, 40, 200):
        base = [rng.randrange(8) for _ in range(size)]
        pairs[f"tied {size}"] = (base, [value + rng.randrange(-3, 5) for value in base])
    cases = []
    for name, (x, y) in pairs.items():
        sizes = [abs(a - b) for a, b in zip(x, y) if a != b]
        plain = len(set(sizes)) == len(sizes) and len(sizes) <= 50
        for zeros, method in (("drop", "wilcox"), ("pratt", "pratt"), ("split", "zsplit")):
            exact = plain and (zeros == "drop" or len(sizes) == len(x))
            dropped = [(a, b) for a, b in zip(x, y) if a != b or zeros != "drop"]
            found = stats.wilcoxon(*map(list, zip(*dropped)), zero_method=method, method="exact" if exact else "approx")
            cases.append({"name": f"{name} {zeros}", "x": x, "y": y, "zeros": zeros, "exact": exact,
                          "w": float(found.statistic), "p": float(found.pvalue)})
    return cases


def chi_squared(rng):
    tables = [[[1, 2], [3, 4]], [[10, 0], [0, 10]], [[1, 1_000_000], [1_000_000, 1]], [[5, 9, 1]] * 2, [[0, 3], [5, 0], [2, 2]]]
    for rows, columns, most in ((2, 2, 50), (2, 5, 20), (4, 3, 100), (5, 5, 10), (6, 2, 3000), (5, 5, 12_000)):
        tables.append([[rng.randrange(most) + (row + column) % 3 for column in range(columns)] for row in range(rows)])
    cases = []
    for table in tables:
        found = stats.chi2_contingency(table, correction=False)
        residuals = contingency_tables.Table(numpy.array(table), shift_zeros=False).standardized_resids
        cases.append({"name": str(table), "table": table, "statistic": float(found.statistic), "degrees": int(found.dof),
                      "p": float(found.pvalue), "expected": found.expected_freq.tolist(), "residuals": residuals.tolist(),
                      "v": float(stats.contingency.association(numpy.array(table), method="cramer"))})
    return cases


def fisher(rng):
    tables = [[[3, 1], [1, 3]], [[8, 2], [1, 5]], [[0, 7], [9, 0]], [[1, 0], [0, 1]], [[4, 6], [40, 60]], [[6, 6], [6, 6]],
              [[1200, 900], [3000, 3500]], [[3007, 9713], [2827, 9893]], [[90_000, 100_000], [91_000, 100_500]], [[20, 400], [380, 10]]]
    for most in (4, 10, 30, 300):
        tables += [[[rng.randrange(most) + 1 for _ in range(2)] for _ in range(2)] for _ in range(6)]
    cases = []
    for table in tables:
        found = stats.fisher_exact(table)
        ratio = float(found.statistic)
        cases.append({"name": str(table), "table": table, "ratio": None if math.isinf(ratio) else ratio, "p": float(found.pvalue)})
    return cases


def scanned(first, second, a, c):
    """Barnard's p-value of `a` and `c` successes, by a fine scan of the nuisance parameter and a search around its best places."""
    total = first + second

    def square(x, y):
        both = x + y
        return fractions.Fraction((x * second - y * first) ** 2, both * (total - both)) if 0 < both < total else 0

    shares = [0.0] * (total + 1)
    for x in range(first + 1):
        for y in range(second + 1):
            if square(x, y) >= square(a, c):
                shares[x + y] += math.comb(first, x) * math.comb(second, y) / math.comb(total, x + y)

    def p_value(p):
        return float(numpy.dot(shares, stats.binom.pmf(numpy.arange(total + 1), total, p)))

    places = numpy.linspace(0, 1, 4001)
    values = [p_value(p) for p in places]
    best = max(values)
    for place, value in zip(places, values):
        if value >= 0.99 * max(values):
            ends = (max(place - 0.00025, 0), min(place + 0.00025, 1))
            best = max(best, -optimize.minimize_scalar(lambda p: -p_value(p), bounds=ends, method="bounded", options={"xatol": 1e-12}).fun)
    return best, square


def barnard(rng):
    """`scipy` is barnard_exact's own value, and `loses` whether its rounded statistics lose tables that are exactly as extreme.
    """
    tables = [[[1, 0], [0, 1]], [[3, 1], [1, 3]], [[7, 12], [8, 3]], [[0, 10], [6, 4]], [[2, 0], [1, 9]], [[20, 1], [11, 13]]]
    for most in (5, 9, 14, 30):
        tables += [[[rng.randrange(most) + 1 for _ in range(2)] for _ in range(2)] for _ in range(4)]
    cases = []
    for (a, b), (c, d) in tables:
        first, second = a + b, c + d
        total = first + second
        best, square = scanned(first, second, a, c)
        found = stats.barnard_exact([[a, c], [b, d]], pooled=True, n=32)
        x, y = numpy.indices((first + 1, second + 1))
        with numpy.errstate(invalid="ignore"):
            wald = (x / first - y / second) / numpy.sqrt((x + y) / total * (1 - (x + y) / total) * (1 / first + 1 / second))
        kept = sum(square(i, j) < square(a, c) or abs(wald[i, j]) >= abs(wald[a, c]) for i, j in zip(x.flat, y.flat))
        cases.append({"name": f"{a} {b} {c} {d}", "table": [[a, b], [c, d]], "statistic": float(found.statistic), "p": best,
                      "scipy": float(found.pvalue), "loses": bool(kept < x.size)})
    return cases


def fitting(rng):
    """Every table that fits, one by one: chi-squared over all categories, Barnard's test on the first alone."""
    cases = []
    for number in range(8):
        groups = [rng.randrange(8, 26) for _ in range(2)]
        categories = []
        for _ in range(1 + number % 3):
            first, second = (rng.randrange(0, size // 3 + 1) for size in groups)
            wide = [rng.randrange(0, 3) for _ in range(2)]
            low = first + second + rng.randrange(0, 2)
            categories.append([[first, first + wide[0]], [second, second + wide[1]], [low, low + rng.randrange(0, 4)]])
        ranges = [
            [(x, y) for x in range(a, b + 1) for y in range(c, d + 1) if low <= x + y <= high]
            for (a, b), (c, d), (low, high) in categories
        ]
        found = []
        for counts in itertools.product(*ranges):
            rest = tuple(size - sum(pair[group] for pair in counts) for group, size in enumerate(groups))
            if min(rest) >= 0:
                rows = [pair for pair in [*counts, rest] if sum(pair)]
                found.append(float(stats.chi2_contingency(rows, correction=False).pvalue) if len(rows) > 1 else 1.0)
        exact = [min(scanned(*groups, x, y)[0], 1.0) for x, y in ranges[0] if x <= groups[0] and y <= groups[1]]
        cases.append({"name": str(number), "groups": groups, "categories": categories, "tables": len(found),
                      "p": [min(found), max(found)] if found else None, "barnard": [min(exact), max(exact)] if exact else None})
    return cases


def stuart_maxwell(rng):
    tables = [[[3, 8, 2], [1, 4, 9], [5, 2, 7]], [[0, 6], [18, 0]], [[2500, 300, 200], [300, 1000, 194], [507, 337, 20]]]
    for size, most in ((2, 9), (3, 4), (4, 30), (5, 12), (5, 4000), (7, 20)):
        tables += [[[rng.randrange(most) + 1 for _ in range(size)] for _ in range(size)] for _ in range(4)]
    cases = []
    for table in tables:
        found = contingency_tables.SquareTable(numpy.array(table), shift_zeros=False).homogeneity(method="stuart_maxwell")
        cases.append({"name": str(table), "table": table, "statistic": float(found.statistic), "degrees": int(found.df),
                      "p": float(stats.chi2.sf(found.statistic, found.df))})
    return cases


def adjusted(rng):
    lists = [[0.04], [0.5, 0.01], [0.01, 0.01, 0.01], [1.0, 0.0, 0.3], [1e-300, 1e-12, 0.9]]
    lists += [[round(rng.random() ** 4, 6) for _ in range(size)] for size in (4, 10, 33)]
    cases = []
    for values in lists:
        found = {method: multitest.multipletests(values, method=method)[1].tolist() for method in ("bonferroni", "holm")}
        cases.append({"name": f"{len(values)} values", "values": values, **found})
    return cases


def split_mix(state):
    """The numbers of SplitMix64."""
    mask = (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ mixed >> 27) * 0x94D049BB133111EB) & mask
        yield mixed ^ mixed >> 31


def resampled(values, statistic, seed, resamples):
    """What src/bootstrap.rs draws: resample `i` from a stream of its own."""
    found = []
    for number in range(resamples):
        first = next(split_mix(seed)) ^ number
        stream = split_mix(next(split_mix(first)))
        found.append(statistic([values[next(stream) * len(values) >> 64] for _ in values]))
    return numpy.array(found)


def bootstrap(rng):
    statistics = {"mean": numpy.mean, "median": numpy.median}
    samples = [[1, 2], [1, 5, 9], [round(rng.expovariate(0.1), 3) for _ in range(30)], [rng.randrange(5) for _ in range(60)],
               [round(rng.gauss(0, 1), 4) for _ in range(101)]]
    cases = []
    for index, values in enumerate(samples):
        for name, statistic in statistics.items():
            for confidence in (0.8, 0.95):
                seed = rng.getrandbits(53)
                drawn = resampled(values, statistic, seed, 400)
                case = {"name": f"{name} {index} at {confidence}", "values": values, "statistic": name, "seed": seed,
                        "confidence": confidence}
                for key, method in (("percentile", "percentile"), ("bca", "BCa")):
                    found = stats.bootstrap((values,), statistic, n_resamples=0, bootstrap_result=types.SimpleNamespace(bootstrap_distribution=drawn),
                                            confidence_level=confidence, method=method).confidence_interval
                    case[key] = [float(found.low), float(found.high)]
                cases.append(case)
    return cases


if __name__ == "__main__":
    source = random.Random(20250101)
    for name, cases in (("kendall", kendall), ("mann_whitney", mann_whitney)):
        write(name, cases(source))
    write("wilson", proportions())
    write("mcnemar", mcnemar())
    makers = (quantile, cliff_interval, wilcoxon, chi_squared, fisher, barnard, stuart_maxwell, adjusted, bootstrap, fitting,
              paired_difference, unpaired_difference)
    for maker in makers:
        write(maker.__name__, maker(source))
