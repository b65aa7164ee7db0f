"""Times checking a folder of notebooks with saved outputs: nbrevive check, nbval, nbmake, papermill; in turn, several times.

bench_check.py FOLDER RUNS NOTEBOOKS: makes the peers' environment in FOLDER where it is not there. With NOTEBOOKS below 10 the peers are
left out, and only whether the check works is told.
"""

import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

NBREVIVE = os.path.abspath(os.environ.get("NBREVIVE", "target/release/nbrevive"))
REQUIREMENTS = ["numpy==2.2.6", "pandas==2.2.3"]
PEERS = ["nbval", "nbmake", "papermill", "pytest", "ipykernel", "setuptools<81"]
# What notebooks of courses do: a frame, a few sums, a table at the end.
CELLS = [
    "import numpy as np\nimport pandas as pd",
    "generator = np.random.default_rng({seed})\nframe = pd.DataFrame({{'a': generator.normal(size=500), 'b': np.arange(500) % 7}})",
    "frame.head()",
    "print(frame['a'].mean().round(6))",
    "frame.groupby('b')['a'].agg(['mean', 'count'])",
    "frame.describe()",
    "sum(value for value in range({seed}))",
]


def notebook(seed):
    """A notebook of these cells that nobody ran."""
    cell = lambda source: {"cell_type": "code", "id": f"c{abs(hash(source))}"[:20], "metadata": {}, "execution_count": None, "outputs": [], "source": source.format(seed=seed)}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": [cell(source) for source in CELLS]}


def run(command, folder, codes=(0,)):
    """Wall-clock seconds of a command that has to end with one of these codes."""
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in codes:
        sys.exit(f"{command}: code {done.returncode}\n{done.stdout[-2000:]}")
    return time.perf_counter() - started


def made(folder):
    """The peers' environment."""
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(os.path.join(folder, "complete")):
        uv = shutil.which("uv") or os.path.join(os.path.dirname(folder), "bin", "uv")
        subprocess.run([uv, "venv", "--quiet", "--clear", "--no-python-downloads", "--python", ">=3.10,<3.13", folder], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "--python", python, *PEERS, *REQUIREMENTS], check=True)
        subprocess.run([python, "-m", "ipykernel", "install", "--sys-prefix", "--name", "python3"], check=True, stdout=subprocess.DEVNULL)
        open(os.path.join(folder, "complete"), "w").close()
    return python


def main():
    venv, runs, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, count + 1):
            with open(os.path.join(folder, f"n{seed:02}.ipynb"), "w", encoding="utf-8") as target:
                json.dump(notebook(seed), target)
        with open(os.path.join(folder, "requirements.txt"), "w", encoding="utf-8") as target:
            target.write("\n".join(REQUIREMENTS) + "\n")
        ours = [NBREVIVE, "check", folder, "--strategy", "declared", "--level", "exact"]
        # The first run builds the environment and saves what it shows.
        run([*ours, "--update"], folder, (0, 3, 10))
        run(ours, folder)
        if count < 10:
            print(f"{count} notebooks show what they showed")
            return
        python, notebooks = made(venv), sorted(glob.glob(os.path.join(folder, "*.ipynb")))
        out = os.path.join(folder, "out.ipynb")
        ways = {
            "nbrevive check, sandboxed": lambda: run(ours, folder),
            "pytest --nbval": lambda: run([python, "-m", "pytest", "-q", "--nbval", folder], folder, (0, 1)),
            "pytest --nbmake (runs, compares nothing)": lambda: run([python, "-m", "pytest", "-q", "--nbmake", folder], folder),
            "papermill (runs, compares nothing)": lambda: sum(
                run([python, "-m", "papermill", "--log-level", "ERROR", "--no-progress-bar", one, out], folder) for one in notebooks
            ),
        }
        rows = [[way() for way in ways.values()] for _ in range(runs)]
        print(f"{count} notebooks of {len(CELLS)} cells, {runs} runs in turn, medians; environments are there already")
        for name, column in zip(ways, zip(*rows)):
            ratio = statistics.median(other / own for own, other in zip((row[0] for row in rows), column))
            print(f"{name:42} {statistics.median(column):7.2f} s   {ratio:.2f} x of nbrevive check")


if __name__ == "__main__":
    main()
