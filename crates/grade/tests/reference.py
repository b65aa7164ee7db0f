"""Writes reference.json beside this file: the metrics on larger and odder columns, by scikit-learn.

    python -m venv venv && venv/bin/pip install numpy==2.2.6 scikit-learn==1.5.2
    venv/bin/python reference.py

Columns are drawn from a fixed seed and written out with the scores, so that the tests need neither Python nor the seed.
"""

import json
import pathlib
import random

import numpy
import sklearn
from sklearn import metrics

SEED = 20250102


def labels(rng):
    cases = []
    for name, (low, high, rows) in {"few": (0, 3, 40), "negative": (-4, 4, 90), "sparse": (1, 1000, 60), "two": (0, 1, 25)}.items():
        truth = [rng.randint(low, high) for _ in range(rows)]
        guess = [value if rng.random() < 0.6 else rng.randint(low, high + 1) for value in truth]
        scores = {
            "accuracy": metrics.accuracy_score(truth, guess),
            "macro_f1": metrics.f1_score(truth, guess, average="macro", zero_division=0),
            "quadratic_weighted_kappa": metrics.cohen_kappa_score(truth, guess, weights="quadratic"),
        }
        cases += [{"name": name, "metric": metric, "truth": [truth], "predicted": [guess], "score": float(score)}
                  for metric, score in scores.items()]
    return cases


def values(rng):
    cases = []
    for name, (columns, rows, scale) in {"one": (1, 70, 1), "three": (3, 30, 100), "large": (1, 20, 1e12), "small": (2, 20, 1e-9)}.items():
        truth = [[abs(rng.gauss(0, scale)) for _ in range(rows)] for _ in range(columns)]
        guess = [[abs(value + rng.gauss(0, scale / 3)) for value in column] for column in truth]
        pairs = list(zip(truth, guess))
        scores = {
            "rmse": [metrics.root_mean_squared_error(*pair) for pair in pairs],
            "rmsle": [metrics.root_mean_squared_log_error(*pair) for pair in pairs],
            "mae": [metrics.mean_absolute_error(*pair) for pair in pairs],
        }
        cases += [{"name": name, "metric": metric, "truth": truth, "predicted": guess, "score": float(numpy.mean(score))}
                  for metric, score in scores.items()]
    return cases


def ranking(rng):
    cases = []
    for name, (columns, rows, steps) in {"coarse": (1, 80, 5), "fine": (1, 200, 1000), "columns": (4, 50, 20)}.items():
        truth = [[rng.randint(0, 1) for _ in range(rows)] for _ in range(columns)]
        guess = [[min(1.0, max(0.0, round(0.3 + value * 0.2 + rng.gauss(0, 0.2), 6) * steps // 1 / steps))
                  for value in column] for column in truth]
        score = numpy.mean([metrics.roc_auc_score(*pair) for pair in zip(truth, guess)])
        cases.append({"name": name, "metric": "roc_auc", "truth": truth, "predicted": guess, "score": float(score)})
    return cases


def classes(rng):
    cases = []
    for name, (count, rows) in {"three classes": (3, 40), "twelve classes": (12, 60)}.items():
        truth = [rng.randrange(count) for _ in range(rows)]
        weights = [[rng.random() ** 4 for _ in range(count)] for _ in range(rows)]
        # The first row is certain and wrong, the second certain and right.
        for row, place in ((0, (truth[0] + 1) % count), (1, truth[1])):
            weights[row] = [float(column == place) for column in range(count)]
        rows_of_p = [[value / sum(row) for value in row] for row in weights]
        score = metrics.log_loss(truth, rows_of_p, labels=list(range(count)))
        marked = [[int(value == column) for value in truth] for column in range(count)]
        cases.append({"name": name, "metric": "multiclass_log_loss", "truth": marked,
                      "predicted": [list(column) for column in zip(*rows_of_p)], "score": float(score)})
    return cases


if __name__ == "__main__":
    source = random.Random(SEED)
    found = labels(source) + values(source) + ranking(source) + classes(source)
    note = f"reference.py with scikit-learn {sklearn.__version__}, numpy {numpy.__version__}"
    text = json.dumps({"source": note, "cases": found}, separators=(",", ":")).replace('{"name"', '\n{"name"')
    pathlib.Path(__file__).with_name("reference.json").write_text(text + "\n")
