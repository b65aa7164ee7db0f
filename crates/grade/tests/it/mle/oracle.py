"""Random cases for the metrics with their values by scikit-learn, numpy and scipy: one JSON object a line.

    python oracle.py COUNT

Run by oracle.rs. Every case has columns of truth and prediction; a value that is NaN is null.
"""

import json
import math
import multiprocessing
import random
import sys
import warnings

import numpy
import sklearn
from scipy.spatial.distance import directed_hausdorff
from scipy.special import rel_entr
from scipy.stats import kendalltau, pearsonr, spearmanr
from sklearn import metrics
from sklearn.metrics.pairwise import haversine_distances

SEED = 20260311


def size(rng):
    return rng.choice([2, 3, 5, 12, 40])


def labels(rng):
    rows, classes = size(rng), rng.choice([1, 2, 3, 8])
    truth = [rng.randrange(classes) for _ in range(rows)]
    guess = [value if rng.random() < 0.5 else rng.randrange(classes + 1) for value in truth]
    return [truth], [guess]


def both_classes(rng):
    truth = [1, 0] + [rng.randint(0, 1) for _ in range(size(rng))]
    rng.shuffle(truth)
    return truth


def ranking(rng):
    truth, steps = both_classes(rng), rng.choice([1, 4, 1000])
    return [truth], [[rng.randint(0, steps) / steps for _ in truth]]


def certain(rng):
    truth = both_classes(rng)
    return [truth], [[rng.choice([0.0, 1.0, rng.random(), rng.random() ** 8]) for _ in truth]]


def shares(rng):
    rows, classes = size(rng), rng.choice([2, 3, 6])
    weights = [[rng.random() ** 3 + 1e-3 for _ in range(classes)] for _ in range(rows)]
    marks = [rng.randrange(classes) for _ in range(rows)]
    truth = [[int(mark == column) for mark in marks] for column in range(classes)]
    return truth, [[row[column] / sum(row) for row in weights] for column in range(classes)]


def votes(rng):
    truth, guess = shares(rng)
    return [[value + rng.randint(0, 3) for value in column] for column in truth], guess


def values(rng):
    scale = rng.choice([1e-6, 1, 1e9])
    truth = [abs(rng.gauss(0, scale)) for _ in range(size(rng))]
    return [truth], [[abs(value + rng.gauss(0, scale / 3)) for value in truth]]


def tied(rng):
    rows, steps = size(rng) + 2, rng.choice([2, 6, 1000])
    return [[rng.randint(0, steps) for _ in range(rows)]], [[rng.randint(0, steps) for _ in range(rows)]]


def orders(rng):
    rows = size(rng)
    return [list(range(rows))], [rng.sample(range(rows), rows)]


def marks(rng):
    rows, columns = size(rng), rng.choice([2, 5, 9])
    truth = [[int(rng.random() < 0.4) for _ in range(rows)] for _ in range(columns)]
    truth[0][0] = 1
    return truth, [[rng.randint(0, 6) / 6 for _ in range(rows)] for _ in range(columns)]


def sets(rng):
    rows, columns = size(rng), rng.choice([2, 5, 9])
    draw = lambda: [[int(rng.random() < 0.4) for _ in range(rows)] for _ in range(columns)]
    return draw(), draw()


def points(rng):
    draw = lambda rows: [[rng.randint(0, 9) for _ in range(rows)] for _ in range(3)]
    return draw(size(rng)), draw(size(rng))


def angles(rng):
    rows = size(rng)
    draw = lambda: [[rng.uniform(0, 2 * math.pi) for _ in range(rows)], [rng.uniform(0, math.pi) for _ in range(rows)]]
    return draw(), draw()


def places(rng):
    draw = lambda: [[rng.uniform(-80, 80)], [rng.uniform(-170, 170)]]
    return draw(), draw()


def columns(truth, guess):
    return numpy.array(truth).T, numpy.array(guess).T


def vectors(pairs):
    azimuth, zenith = numpy.array(pairs)
    return numpy.stack([numpy.sin(zenith) * numpy.cos(azimuth), numpy.sin(zenith) * numpy.sin(azimuth), numpy.cos(zenith)])


def divergence(truth, guess):
    truth, guess = columns(truth, guess)
    return rel_entr(truth / truth.sum(axis=1, keepdims=True), guess).sum(axis=1).mean()


def macro(metric):
    return lambda y, p: metric(y[0], p[0])


def farthest(truth, guess):
    truth, guess = columns(truth, guess)
    return max(directed_hausdorff(truth, guess)[0], directed_hausdorff(guess, truth)[0])


def flat(columns_):
    return [value for column in columns_ for value in column]


METRICS = {
    "accuracy": (labels, macro(metrics.accuracy_score)),
    "macro_f1": (labels, lambda y, p: metrics.f1_score(y[0], p[0], average="macro", zero_division=0)),
    "micro_f1": (sets, lambda y, p: metrics.f1_score(*columns(y, p), average="micro", zero_division=0)),
    "matthews": (labels, macro(metrics.matthews_corrcoef)),
    "kappa": (labels, lambda y, p: metrics.cohen_kappa_score(y[0], p[0], weights="quadratic")),
    "roc_auc": (ranking, macro(metrics.roc_auc_score)),
    "average_precision": (ranking, macro(metrics.average_precision_score)),
    "binary_log_loss": (certain, macro(metrics.log_loss)),
    "multiclass_log_loss": (shares, lambda y, p: metrics.log_loss(*columns(y, p))),
    "kl_divergence": (votes, divergence),
    "rmse": (values, macro(metrics.root_mean_squared_error)),
    "mae": (values, macro(metrics.mean_absolute_error)),
    "rmsle": (values, macro(metrics.root_mean_squared_log_error)),
    "pearson": (tied, lambda y, p: pearsonr(y[0], p[0])[0]),
    "spearman": (tied, lambda y, p: spearmanr(y[0], p[0]).statistic),
    "kendall": (orders, lambda y, p: kendalltau(y[0], p[0]).statistic),
    "label_ranking": (marks, lambda y, p: ranked(*columns(y, p))),
    "jaccard": (sets, lambda y, p: metrics.jaccard_score(*columns(y, p), average="samples", zero_division=0)),
    "dice": (sets, lambda y, p: metrics.f1_score(flat(y), flat(p), zero_division=numpy.nan)),
    "f_half": (sets, lambda y, p: metrics.fbeta_score(flat(y), flat(p), beta=0.5, zero_division=0)),
    "hausdorff": (points, farthest),
    "angular_error": (angles, lambda y, p: numpy.arccos(numpy.clip((vectors(y) * vectors(p)).sum(axis=0), -1, 1)).mean()),
    "haversine": (places, lambda y, p: 6371000 * haversine_distances(numpy.radians(columns(y, p)[0]), numpy.radians(columns(y, p)[1]))[0][0]),
    "percentiles": (values, lambda y, p: numpy.mean(numpy.quantile(y[0], [0.5, 0.95]))),
}


def ranked(truth, scores):
    weights = truth.sum(axis=1)
    rows = weights > 0
    return metrics.label_ranking_average_precision_score(truth[rows], scores[rows], sample_weight=weights[rows])


def calm():
    """Each worker: no warnings of undefined cases, and no checks of arguments, which take longer than the metrics."""
    warnings.filterwarnings("ignore")
    sklearn.set_config(skip_parameter_validation=True)


def cases(name):
    """The cases of one metric, as lines."""
    draw, measure = METRICS[name]
    source, lines = random.Random(f"{SEED} {name}"), []
    for _ in range(int(sys.argv[1])):
        truth, guess = draw(source)
        score = float(measure(truth, guess))
        case = {"metric": name, "truth": truth, "predicted": guess, "score": None if math.isnan(score) else score}
        lines.append(json.dumps(case))
    return "\n".join(lines)


if __name__ == "__main__":
    with multiprocessing.Pool(initializer=calm) as workers:
        for text in workers.imap_unordered(cases, METRICS):
            print(text)
