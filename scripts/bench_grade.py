"""Times grading: nbrevive against pandas with scikit-learn and numpy, both from CSV to score, in turn.

    python bench_grade.py RUNS ROWS SUBMISSIONS

Six metrics of so many rows, one submission at a time: nbrevive is the whole process; of Python only reading both files,
pairing rows by id and the metric count, not starting and importing. Then so many submissions of a tenth of the rows against one
answers file, by nbrevive alone, with its peak memory.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import pandas
from sklearn import metrics

NBREVIVE = os.path.abspath(os.environ.get("NBREVIVE", "target/release/nbrevive"))
DIFFERENT = 20
DESCRIPTION = """id = "{name}"
title = "{name}"
metric = "{metric}"
direction = "{direction}"
id-column = "id"
checks = ["columns", "rows", "ids"]
{columns}
[data]
source = "drawn at random"
licence = "CC0-1.0"
"""


def average_precision(truth, guess, k=5):
    """As the public graders have it: one row at a time."""
    actual, predicted = set(truth.split()), guess.split()[:k]
    score = hits = 0.0
    for place, name in enumerate(predicted):
        if name in actual and name not in predicted[:place]:
            hits += 1.0
            score += hits / (place + 1.0)
    return score / min(len(actual), k) if actual else 0.0


def two(rng, rows):
    truth = rng.integers(0, 2, rows)
    return {"y": truth}, {"y": numpy.clip(truth * 0.2 + rng.random(rows), 0, 1).round(8)}


def classes(rng, rows):
    marks = numpy.eye(3, dtype=int)[rng.integers(0, 3, rows)]
    shares = rng.random((rows, 3)) + marks
    shares /= shares.sum(axis=1, keepdims=True)
    names = ["a", "b", "c"]
    return dict(zip(names, marks.T)), dict(zip(names, shares.T))


def grades(rng, rows):
    truth = rng.integers(0, 5, rows)
    return {"y": truth}, {"y": numpy.clip(truth + rng.integers(-1, 2, rows), 0, 4)}


def prices(rng, rows):
    truth = rng.lognormal(3, 1, rows)
    return {"y": truth.round(2)}, {"y": (truth * rng.lognormal(0, 0.2, rows)).round(6)}


def species(rng, rows):
    truth = rng.integers(0, 1000, rows)
    return {"y": truth}, {"y": numpy.where(rng.random(rows) < 0.6, truth, rng.integers(0, 1000, rows))}


def lists(rng, rows):
    guesses = rng.integers(0, 5000, (rows, 5))
    truth = numpy.where(rng.random(rows) < 0.5, guesses[:, 2], rng.integers(0, 5000, rows))
    return {"y": truth}, {"y": [" ".join(map(str, row)) for row in guesses.tolist()]}


KINDS = {
    "roc_auc": (two, "maximize", lambda y, p: metrics.roc_auc_score(y["y"], p["y"])),
    "multiclass_log_loss": (classes, "minimize", lambda y, p: metrics.log_loss(y.values, p.values)),
    "quadratic_weighted_kappa": (grades, "maximize", lambda y, p: metrics.cohen_kappa_score(y["y"], p["y"], weights="quadratic")),
    "rmsle": (prices, "minimize", lambda y, p: metrics.root_mean_squared_log_error(y["y"], p["y"])),
    "map_at_5": (lists, "maximize", lambda y, p: numpy.mean([average_precision(str(a), b) for a, b in zip(y["y"], p["y"])])),
    "macro_f1": (species, "maximize", lambda y, p: metrics.f1_score(y["y"], p["y"], average="macro")),
}


def write(folder, metric, rows, order=None):
    """A competition with this metric, and a submission; its path."""
    draw, direction, _ = KINDS[metric]
    os.makedirs(os.path.join(folder, "private"))
    truth, guess = draw(numpy.random.default_rng(7), rows)
    names = [f"image_{number:08}.jpg" for number in range(rows)]
    columns = "" if len(truth) > 1 else 'target-columns = ["y"]'
    with open(os.path.join(folder, "competition.toml"), "w", encoding="utf-8") as file:
        file.write(DESCRIPTION.format(name=os.path.basename(folder), metric=metric, direction=direction, columns=columns))
    pandas.DataFrame({"id": names, **truth}).to_csv(os.path.join(folder, "private", "answers.csv"), index=False)
    submission = pandas.DataFrame({"id": names, **guess})
    if order is not None:
        submission = submission.iloc[order]
    path = os.path.join(folder, "submission.csv")
    submission.to_csv(path, index=False)
    return path


class Taken:
    """Wall-clock and processor seconds of what runs in it, children included."""

    def __enter__(self):
        self.before, self.started = os.times(), time.perf_counter()
        return self

    def __exit__(self, *_):
        self.wall = time.perf_counter() - self.started
        self.processor = sum(os.times()[:4]) - sum(self.before[:4])


def ours(folder, path):
    command = [NBREVIVE, "grade", "--competition", folder, path]
    with Taken() as taken:
        line = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return taken, float(line.split()[0])


def theirs(folder, path, metric):
    with Taken() as taken:
        answers, submission = pandas.read_csv(os.path.join(folder, "private", "answers.csv")), pandas.read_csv(path)
        names = [name for name in answers.columns if name != "id"]
        both = answers.merge(submission, on="id", validate="one_to_one", suffixes=("", " predicted"))
        if len(both) != len(answers) or len(both) != len(submission):
            sys.exit("bench: rows are missing")
        predicted = both[[f"{name} predicted" for name in names]].set_axis(names, axis=1)
        score = KINDS[metric][2](both[names], predicted)
    return taken, score


def compare(folder, metric, runs, rows, order=None):
    name = metric.replace("_", "-") + ("" if order is None else "-shuffled")
    folder = os.path.join(folder, name)
    path = write(folder, metric, rows, order)
    times = {"ours": [], "theirs": []}
    for _ in range(runs):
        (own, score), (other, expected) = ours(folder, path), theirs(folder, path, metric)
        if abs(score - expected) > 1e-9 * max(1, abs(expected)):
            sys.exit(f"bench: {metric} is {score} by nbrevive, {expected} by Python")
        times["ours"].append((own.wall, own.processor))
        times["theirs"].append((other.wall, other.processor))
    mine, other = ([statistics.median(column) for column in zip(*times[who])] for who in ("ours", "theirs"))
    # The system counts hundredths of a second of processor.
    figures = [f"{a:7.3f} s {b:7.3f} s {b / max(a, 0.01):5.1f} times" for a, b in zip(mine, other)]
    print(f"  {name:<26} {figures[0]}   processor {figures[1]}", flush=True)


def bulk(folder, rows, submissions):
    """Many submissions: a few different ones under many names."""
    folder = os.path.join(folder, "bulk")
    path = write(folder, "roc_auc", rows)
    many = os.path.join(folder, "many")
    os.makedirs(many)
    table, rng = pandas.read_csv(path), numpy.random.default_rng(11)
    for number in range(DIFFERENT):
        table["y"] = rng.random(rows).round(8)
        table.sample(frac=1, random_state=number).to_csv(os.path.join(many, f"{number:04}.csv"), index=False)
    for number in range(DIFFERENT, submissions):
        os.link(os.path.join(many, f"{number % DIFFERENT:04}.csv"), os.path.join(many, f"{number:04}.csv"))
    started = time.perf_counter()
    command = [NBREVIVE, "grade", "--competition", folder, "--dir", many]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = running.stdout.read().splitlines()
    _, status, usage = os.wait4(running.pid, 0)
    wall, processor = time.perf_counter() - started, usage.ru_utime + usage.ru_stime
    if status or len(lines) != submissions or any(float(line.split()[0]) > 1 for line in lines):
        sys.exit("bench: not every submission was graded")
    print(f"{submissions} submissions of {rows} rows in any order: {wall:.1f} s ({processor:.1f} s of processor),")
    print(f"  {usage.ru_maxrss / 1024:.0f} MiB at most")


def main():
    runs, rows, submissions = map(int, sys.argv[1:])
    only = os.environ.get("BENCH_METRIC")
    with tempfile.TemporaryDirectory() as folder:
        print(f"{rows} rows, {runs} runs in turn, medians by the clock: nbrevive, pandas {pandas.__version__} with scikit-learn")
        for metric in KINDS:
            if only in (None, metric):
                compare(folder, metric, runs, rows)
        if only is None:
            order = numpy.random.default_rng(3).permutation(rows)
            compare(folder, "roc_auc", runs, rows, order)
            bulk(folder, rows // 10, submissions)


if __name__ == "__main__":
    main()
