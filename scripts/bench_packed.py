"""Times one CPU-bound notebook alone against the same packed: as many at once as the scheduler places; in turn, several times."""

import json
import os
import pathlib
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile

NBREVIVE = os.path.abspath(os.environ.get("NBREVIVE", "target/release/nbrevive"))
STUDY = pathlib.Path("study").resolve()
# In the interpreter alone: 40 million take about three seconds of one core.
CODE = "total = 0\nfor number in range({}):\n    total += number & 3"


def write_study(folder, count, steps):
    """A study of `count` versions of the same notebook, each with one core of its own."""
    notebooks = folder / "notebooks" / "iris-species"
    notebooks.mkdir(parents=True)
    cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": CODE.format(steps)}
    text = json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]})
    slugs = [f"copy-{number:03}" for number in range(count)]
    for slug in slugs:
        (notebooks / f"{slug}.ipynb").write_text(text, encoding="utf-8")
    version = '[[version]]\nslug = "{0}"\ntitle = "{0}"\nsubmitted = "2024-09-01T12:00:00Z"\n'
    (notebooks / "versions.toml").write_text("".join(version.format(slug) for slug in slugs), encoding="utf-8")
    (folder / "targets.toml").write_text("".join(f"[target.{slug}]\nscore = 0.95\n" for slug in slugs), encoding="utf-8")
    settings = {
        "name": "packed", "title": "Packed", "competitions": str(STUDY / "competitions"), "notebooks": "notebooks",
        "targets": "targets.toml", "environments": str(STUDY / "environments"), "baseline": "contemporary", "jobs": "auto",
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    lines += ['conditions = ["baseline"]', "[limits]", "cores = 1", "memory_mib = 512", "disk_mib = 256"]
    (folder / "study.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def run(folder, store, only):
    """Seconds of the cells of each execution, and how many the scheduler places."""
    command = [NBREVIVE, "study", "run", str(folder / "study.toml"), "--store", str(store), "--only", only]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    places = int(re.search(r"so (\d+) run at a time", said).group(1))
    database = sqlite3.connect(store / "study.db")
    seconds = [row[0] for row in database.execute("SELECT seconds FROM executions")]
    database.close()
    return seconds, places


def main():
    rounds, steps = int(sys.argv[1]), int(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_study(folder, len(os.sched_getaffinity(0)), steps)
        subprocess.run([NBREVIVE, "study", "prepare", str(folder / "study.toml")], check=True, capture_output=True)
        run(folder, folder / "warm", "copy-000")
        alone, packed, ratios, places = [], [], [], 0
        for number in range(rounds):
            one, places = run(folder, folder / f"alone-{number}", "copy-000")
            many, places = run(folder, folder / f"packed-{number}", "copy-")
            alone.append(one[0])
            packed.extend(many)
            ratios.append(max(many) / one[0])
        print(f"{rounds} rounds in turn, {places} at once, seconds of the cells, load {os.getloadavg()[0]:.1f} at the end")
        print(f"alone   {statistics.median(alone):6.3f} s, {min(alone):.3f} to {max(alone):.3f}")
        print(f"packed  {statistics.median(packed):6.3f} s, {min(packed):.3f} to {max(packed):.3f}")
        print(f"median ratio {statistics.median(packed) / statistics.median(alone):.3f}; of the slowest of each round {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main()
