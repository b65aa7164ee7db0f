"""Times the imports of many notebooks: nbrevive against pigar, on the same folder, in turn, several times."""

import glob
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

NBREVIVE = os.path.abspath(os.environ.get("NBREVIVE", "target/release/nbrevive"))


def fill(folder, notebooks):
    """Copies the notebooks of a folder, the bundled ones by default, until there are that many."""
    given = os.environ.get("BENCH_NOTEBOOKS", "study/notebooks")
    found = sorted(glob.glob(os.path.join(given, "**", "*.ipynb"), recursive=True))
    if not found:
        sys.exit(f"bench: no notebook below {given}")
    for number in range(notebooks):
        shutil.copy(found[number % len(found)], os.path.join(folder, f"{number:03}.ipynb"))
    return len(found)


def seconds(command):
    """Wall-clock and processor seconds of a command that has to succeed."""
    # Of finer ticks than os.times, in which a few notebooks take no time at all.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, processor


def main():
    venv, runs, notebooks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        different = fill(folder, notebooks)
        pigar = [os.path.join(venv, "bin", "pigar"), "generate", "--dry-run", "--question-answer", "yes", "--auto-select", folder]
        ours = [NBREVIVE, "imports", folder]
        seconds(ours)
        taken = {"nbrevive imports": [], "pigar generate": []}
        for _ in range(runs):
            taken["nbrevive imports"].append(seconds(ours))
            taken["pigar generate"].append(seconds(pigar))
        print(f"imports of {notebooks} notebooks ({different} different ones), {runs} runs in turn, medians")
        medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in taken.items()}
        for name, (wall, processor) in medians.items():
            print(f"  {name:<18} {wall:8.3f} s  {processor:8.3f} s of processor  {notebooks / wall * 60:9.0f} notebooks a minute")
        wall = medians["pigar generate"][0] / medians["nbrevive imports"][0]
        processor = medians["pigar generate"][1] / medians["nbrevive imports"][1]
        print(f"  nbrevive is {wall:.0f} times as fast by the clock, {processor:.0f} times by the processor")


if __name__ == "__main__":
    main()
