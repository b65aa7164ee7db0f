#!/usr/bin/env python3
"""How fast environments are built: nbrevive beside uv alone and beside virtualenv with pip, in one run.

The set is pandas, scikit-learn, xgboost and matplotlib of June 2019 on Python 3.7, as `nbrevive plan` solves it. Each
round builds it once with every tool, in turn, with cold caches; the kernel's own packages, release histories and helper
programs are there beforehand, for every environment shares them. Then nbrevive is asked for the same environment again.

Usage: bench_environments.py [PROGRAM]   (default: target/release/nbrevive)
BENCH_RUNS: number of rounds, default 3.
BENCH_SMOKE: of one small distribution, without targets.
NBREVIVE_HOME: a home whose `tools` are borrowed, default: the user's.
Every tool takes the index from the user's own configuration. Exit code 1 when a ratio misses its target.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SMOKE = "BENCH_SMOKE" in os.environ
IMPORTS = "import toolz\n" if SMOKE else "import matplotlib\nimport pandas\nimport sklearn\nimport xgboost\n"
DATE, PYTHON = "2019-06-01", "3.7"
AGAIN_SECONDS, UV_RATIO, PIP_RATIO = 0.5, 1.10, 3.0


def usual_home():
    if os.environ.get("NBREVIVE_HOME"):
        return pathlib.Path(os.environ["NBREVIVE_HOME"])
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ["HOME"], ".cache")
    return pathlib.Path(cache) / "nbrevive"


def find_uv(home):
    for candidate in [os.environ.get("NBREVIVE_UV"), shutil.which("uv"), home / "tools/bin/uv"]:
        if candidate and os.path.exists(candidate):
            return str(candidate)
    sys.exit("bench_environments: no uv; name it in NBREVIVE_UV")


def run(command, **variables):
    started = time.monotonic()
    finished = subprocess.run(
        [str(word) for word in command], env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    seconds = time.monotonic() - started
    if finished.returncode != 0:
        words = finished.stderr.decode("utf-8", "replace")[-2000:]
        sys.exit("bench_environments: %s failed:\n%s" % (" ".join(map(str, command[:3])), words))
    return seconds, finished.stdout.decode("utf-8", "replace")


class Bench:
    def __init__(self, folder, program):
        self.folder, self.program = folder, program
        shared = usual_home()
        self.uv = find_uv(shared)
        self.home = folder / "home"
        self.home.mkdir()
        (self.home / "tools").symlink_to(shared / "tools")
        self.script = folder / "science.py"
        self.script.write_text(IMPORTS)
        # What every environment shares: histories and metadata, the kernel's packages.
        empty = folder / "empty.py"
        empty.write_text("import os\n")
        self.ours(empty, "--install", cache="warm")
        plan = json.loads(self.ours(self.script, "--format", "json", cache="warm")[1])
        self.python = plan["interpreter"]["path"]
        self.requirements = folder / "requirements.txt"
        self.requirements.write_text(self.ours(self.script, "--format", "requirements", cache="warm")[1])

    def ours(self, script, *options, cache):
        command = [self.program, "plan", script, "--date", DATE, "--python", PYTHON, "--strategy", "dated", *options]
        return run(command, NBREVIVE_HOME=str(self.home), UV_CACHE_DIR=str(self.folder / cache), NBREVIVE_UV=self.uv)

    def nbrevive(self, cold):
        for name in ["environments", "content"]:
            shutil.rmtree(self.home / name, ignore_errors=True)
        return self.ours(self.script, "--install", cache=cold)[0]

    def again(self, cold):
        return self.ours(self.script, "--install", cache=cold)[0]

    def uv_alone(self, cold):
        place = self.folder / cold / "environment"
        variables = {"UV_CACHE_DIR": str(self.folder / cold / "cache")}
        first, _ = run([self.uv, "venv", "--quiet", "--no-project", "--python", self.python, place], **variables)
        # Told the same set: resolving, uv refuses the metadata of pandas 0.24.
        install = [self.uv, "pip", "install", "--quiet", "--python", place / "bin/python", "--no-deps", "-r"]
        return first + run([*install, self.requirements], **variables)[0]

    def pip(self, cold):
        place = self.folder / cold
        virtual = [self.python, "-m", "virtualenv", place]
        try:
            subprocess.run([self.python, "-m", "virtualenv", "--version"], check=True, capture_output=True)
        except subprocess.CalledProcessError:
            virtual = [self.python, "-m", "venv", place]
        first, _ = run(virtual)
        install = [place / "bin/python", "-m", "pip", "install", "--quiet", "--no-cache-dir", "-r"]
        return first + run([*install, self.requirements])[0]


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/nbrevive").resolve()
    rounds = int(os.environ.get("BENCH_RUNS", "3"))
    # Beside the home, so that links work as they do there.
    usual_home().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=usual_home()) as folder:
        bench = Bench(pathlib.Path(folder), program)
        times = {"nbrevive": [], "nbrevive, again": [], "uv alone": [], "virtualenv + pip": []}
        for number in range(rounds):
            cold = "cold-%d" % number
            times["nbrevive"].append(bench.nbrevive(cold))
            times["nbrevive, again"].append(bench.again(cold))
            times["uv alone"].append(bench.uv_alone(cold + "-uv"))
            times["virtualenv + pip"].append(bench.pip(cold + "-pip"))
            for name in [cold, cold + "-uv", cold + "-pip"]:
                shutil.rmtree(bench.folder / name, ignore_errors=True)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, values in times.items():
        print("%-18s median %6.2f s   %s" % (name, medians[name], " ".join("%.2f" % value for value in values)))
    to_uv = medians["nbrevive"] / medians["uv alone"]
    to_pip = medians["virtualenv + pip"] / medians["nbrevive"]
    print("nbrevive / uv alone          %.2f (at most %.2f)" % (to_uv, UV_RATIO))
    print("virtualenv + pip / nbrevive  %.2f (at least %.2f)" % (to_pip, PIP_RATIO))
    print("again                        %.2f s (below %.2f s)" % (medians["nbrevive, again"], AGAIN_SECONDS))
    good = to_uv <= UV_RATIO and to_pip >= PIP_RATIO and medians["nbrevive, again"] < AGAIN_SECONDS
    sys.exit(0 if good or SMOKE else 1)


if __name__ == "__main__":
    main()
