"""Times a notebook that imports what most do: with its environment where it was built, unpacked from one file, and behind a network.

Usage: bench_unpacked.py ROUNDS IMPORTS. The network is made up: a small C library, compiled here and loaded before the system's own, waits
before each file of the environment is opened or looked at, as long as one round trip takes. What the environment's home has packed for this
is removed afterwards. BENCH_SMOKE: in an environment of what the imports need alone, which is a small distribution.
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

SMOKE = "BENCH_SMOKE" in os.environ
NBREVIVE = os.path.abspath(os.environ.get("NBREVIVE", "target/release/nbrevive"))
# Milliseconds: a local network, a busy one, another building.
ROUND_TRIPS = (0.0, 0.2, 0.5, 1.0, 2.0)

SLOW = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct stat;
static void far_away(const char *path) {
    static const char *prefix; static long wait = -1;
    if (wait < 0) { prefix = getenv("SLOW_PREFIX"); wait = atol(getenv("SLOW_NANOSECONDS")); }
    if (path && prefix && !strncmp(path, prefix, strlen(prefix)) && wait > 0) {
        struct timespec time = {0, wait};
        nanosleep(&time, 0);
    }
}
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define OPEN(name) int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
    far_away(path); return REAL(name)(path, flags, mode); }
#define OPENAT(name) int name(int at, const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
    far_away(path); return REAL(name)(at, path, flags, mode); }
#define STAT(name) int name(const char *path, struct stat *found) { far_away(path); return REAL(name)(path, found); }
#define STATAT(name) int name(int at, const char *path, struct stat *found, int flags) { \
    far_away(path); return REAL(name)(at, path, found, flags); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)
STAT(stat) STAT(stat64) STAT(lstat) STAT(lstat64) STATAT(fstatat) STATAT(fstatat64)
int __open64_2(const char *path, int flags) { far_away(path); return REAL(__open64_2)(path, flags); }
DIR *opendir(const char *path) { far_away(path); return REAL(opendir)(path); }
"""


def usual_home():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ["HOME"], ".cache")
    return pathlib.Path(os.environ.get("NBREVIVE_HOME") or os.path.join(cache, "nbrevive"))


def seconds(command, **variables):
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **variables})
    return time.monotonic() - began


def notebook(folder, imports):
    cell = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": f"import {imports}"}
    path = folder / "imports.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]}), encoding="utf-8")
    return path


def behind_a_network(folder, environment, imports, rounds):
    """Seconds of the imports alone, by round trip."""
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(SLOW, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", str(library), str(source), "-ldl"], check=True)
    command = [str(environment / "bin/python"), "-c", f"import {imports}"]
    shown = {"LD_PRELOAD": str(library), "SLOW_PREFIX": str(environment)}
    times = {trip: [] for trip in ROUND_TRIPS}
    for _ in range(rounds):
        for trip in ROUND_TRIPS:
            times[trip].append(seconds(command, SLOW_NANOSECONDS=str(int(trip * 1e6)), **shown))
    return times


def told(what, times):
    print(f"{what:<36} {statistics.median(times):6.2f} s, {min(times):.2f} to {max(times):.2f}")


def main():
    rounds, imports = int(sys.argv[1]), sys.argv[2]
    packed = usual_home() / "packed"
    before = set(packed.iterdir()) if packed.is_dir() else set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [NBREVIVE, "execute", str(notebook(folder, imports)), "--out", str(folder / "out.ipynb")]
        if SMOKE:
            lock = folder / "small.lock"
            lock.write_text(f"# python: 3.12\n{imports}==1.0.0\n", encoding="utf-8")
            command += ["--environment", str(lock)]
        seconds(command)
        local = folder / "packs"
        packing = seconds(command, NBREVIVE_LOCAL=str(local))
        place, first, again = [], [], []
        for number in range(rounds):
            own = folder / f"machine-{number}"
            place.append(seconds(command))
            first.append(seconds(command, NBREVIVE_LOCAL=str(own)))
            again.append(seconds(command, NBREVIVE_LOCAL=str(own)))
            shutil.rmtree(own)
        environment = max((local / "environments").glob("*/nbrevive-environment.json")).parent
        files = [path for path in environment.rglob("*") if path.is_file()]
        unpacked = sum(path.stat().st_size for path in files)
        size = (packed / f"{environment.name}.tar.zst").stat().st_size
        print(f"{len(files)} files of {unpacked >> 20} MiB, packed {size >> 20} MiB; {rounds} rounds in turn, load {os.getloadavg()[0]:.1f} at the end")
        print(f"packed once, with the first run        {packing:6.2f} s")
        told("a run where it was built", place)
        told("a machine's first run, which unpacks", first)
        told("its next run", again)
        for trip, times in behind_a_network(folder, environment, imports, rounds).items():
            told(f"the imports alone, {trip:.1f} ms a file", times)
    for path in set(packed.iterdir()) - before:
        path.unlink()


if __name__ == "__main__":
    main()
