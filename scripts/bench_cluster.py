"""Times a study of short jobs on this machine against the same in tasks that a command starts, in turn; then what follows a large run."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from bench_packed import NBREVIVE, write_study


def seconds(study, store, further):
    """Wall clock of a run of all jobs, one at a time, from the program's start to its tables."""
    command = [NBREVIVE, "study", "run", str(study), "--store", str(store), "--jobs", "1", *further]
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - began


def main():
    rounds, jobs, simulated, nodes = (int(word) for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_study(folder, jobs, 1000)
        study = folder / "study.toml"
        subprocess.run([NBREVIVE, "study", "prepare", str(study)], check=True, capture_output=True)
        seconds(study, folder / "warm", ["--only", "copy-000"])
        tasks = ["--on", "command", "--nodes", "1", "--max-jobs", "1", "--submit", f"{NBREVIVE} study work --batch {{batch}}"]
        alone, apart = [], []
        for number in range(rounds):
            alone.append(seconds(study, folder / f"alone-{number}", []))
            apart.append(seconds(study, folder / f"apart-{number}", tasks))
        one, other = statistics.median(alone), statistics.median(apart)
        print(f"{rounds} rounds in turn, {jobs} short jobs, load {os.getloadavg()[0]:.1f} at the end")
        print(f"this machine       {one:6.2f} s, {min(alone):.2f} to {max(alone):.2f}")
        print(f"tasks of a command {other:6.2f} s, {min(apart):.2f} to {max(apart):.2f}: ratio {other / one:.3f}, {(other - one) / jobs:.3f} s a job")
    command = [NBREVIVE, "study", "simulate", "--jobs", str(simulated), "--nodes", str(nodes)]
    print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


if __name__ == "__main__":
    main()
