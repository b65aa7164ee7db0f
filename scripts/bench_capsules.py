"""Packs the same notebooks as capsules and with ReproZip, runs them again from there, and prints size and time of both as a table.

    scripts/bench_capsules.py [--store .nbrevive/study] [--folder FOLDER] [--versions a,b,c] [--python 3.12]

Each version has to have run under baseline in the store, without an error there, and to read its data from `../input`. ReproZip traces what a
user of it would trace: `jupyter execute` in a virtual environment of the same lock with nbclient and ipykernel, in a folder beside the same data.
Needs uv, the user's index and the right to trace (ptrace). Sizes are those of the archives; times are wall clock, the first run of each.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NBREVIVE = os.environ.get("NBREVIVE", str(ROOT / "target/release/nbrevive"))
STUDY = ROOT / "study/mle-modernizer/study.toml"
LOCK = ROOT / "study/environments/contemporary.lock"
VERSIONS = "diabetes-stacking-regressor,iris-my-first-kernel-knn,wine-random-forest-calibrated"
# Its tracer looks for plugins by pkg_resources, which setuptools has no more since version 81.
PEER = ["reprozip==1.3.2", "reprounzip==1.3.2", "setuptools<81"]


def timed(words, log, **more):
    """Seconds that a command takes; what it says goes into a file. It has to end well."""
    began = time.monotonic()
    with open(log, "ab") as out:
        code = subprocess.run([str(word) for word in words], stdout=out, stderr=out, check=False, **more).returncode
    if code != 0:
        sys.exit(f"bench_capsules: {words[0]} {words[1]} ended with {code}, see {log}")
    return time.monotonic() - began


def environment(folder, packages, log, interpreter, lock=None):
    timed(["uv", "venv", "--quiet", "--python", interpreter, folder], log)
    python = folder / "bin/python"
    more = ["-r", lock] if lock else []
    timed(["uv", "pip", "install", "--quiet", "--python", python, *more, *packages], log)
    return folder / "bin"


def data_of(version):
    """The competition's prepared data, and the notebook."""
    [notebook] = (ROOT / "study/notebooks").glob(f"*/{version}.ipynb")
    home = Path(os.environ.get("NBREVIVE_HOME", Path.home() / ".cache/nbrevive"))
    [data] = (home / "competitions").glob(f"{notebook.parent.name}-*")
    return notebook, data / "public", notebook.parent.name


def ours(version, store, place):
    capsule, log = place / "capsule.tar.zst", place / "ours.log"
    pack = timed([NBREVIVE, "pack", version, "--condition", "baseline", "--study", STUDY, "--store", store, "--out", capsule], log)
    again = timed([NBREVIVE, "run", capsule], log)
    return capsule.stat().st_size, pack, again


def theirs(version, place, user, tool):
    notebook, public, competition = data_of(version)
    working, log = place / "kaggle/working", place / "theirs.log"
    working.mkdir(parents=True)
    shutil.copytree(public, place / "kaggle/input" / competition)
    for file in public.iterdir():
        shutil.copy(file, place / "kaggle/input" / file.name)
    shutil.copy(notebook, working)
    trace, pack = place / "trace", place / "packed.rpz"
    began = timed([tool / "reprozip", "trace", "-d", trace, user / "jupyter", "execute", notebook.name], log, cwd=working)
    began += timed([tool / "reprozip", "pack", "-d", trace, pack], log)
    again = timed([tool / "reprounzip", "directory", "setup", pack, place / "unpacked"], log)
    again += timed([tool / "reprounzip", "directory", "run", place / "unpacked"], log)
    return pack.stat().st_size, began, again


def interpreter(minor):
    """The Python of pyenv, which uv does not look for by itself, where there is one."""
    found = sorted((Path.home() / ".pyenv/versions").glob(f"{minor}.*/bin/python"))
    return str(found[-1]) if found else minor


def main():
    # The peer insists on it, and what is started in the background of a script has none.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=ROOT / ".nbrevive/study")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--versions", default=VERSIONS)
    parser.add_argument("--python", default="3.12", help="of the virtual environments")
    settings = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-capsules-") as scratch:
        work = (settings.folder or Path(scratch)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        log = work / "setup.log"
        user = environment(work / "user", ["nbclient", "ipykernel", "jupyter-core"], log, interpreter(settings.python), LOCK)
        tool = environment(work / "tool", PEER, log, interpreter(settings.python))
        rows = []
        for version in settings.versions.split(","):
            place = work / version
            place.mkdir()
            rows.append((version, *ours(version, settings.store.resolve(), place), *theirs(version, place, user, tool)))
    print("| notebook | capsule | `pack` | `run` | ReproZip | trace and pack | set up and run |\n|:--|--:|--:|--:|--:|--:|--:|")
    for version, *numbers in rows:
        size, pack, again, size_there, pack_there, again_there = numbers
        cells = [f"{size / 2**20:.0f} MiB", f"{pack:.0f} s", f"{again:.0f} s"]
        cells += [f"{size_there / 2**20:.0f} MiB", f"{pack_there:.0f} s", f"{again_there:.0f} s"]
        print(f"| `{version}` | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
