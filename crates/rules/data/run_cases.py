"""Runs small notebooks on Python 2.7 and 3, each in a process of its own that is forked from one with the libraries imported.

Arguments: a JSON file {"seconds", "jobs", "preload"}, and a folder in which rounds of cases are asked for, one after the other: cases-0.json
and so on, each a list of {"number", "cells", "value"}. Their reports go to reports-0.jsonl beside the first, one a line:
{"number", "errors", "value"}, or {"number", "died"}.
A cell that raises does not stop the ones after it.
"""
import datetime
import gc
import importlib
import json
import linecache
import os
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback

MOST_ITEMS = 4000
MOST_TEXT = 4000
MOST_DEPTH = 8
TEXTS = (str, type(u""))
CLOCK = getattr(time, "monotonic", time.time)


def plain(value, depth=0):
    """A value as JSON that compares by content: arrays, tuples and sets become lists, tables name their parts."""
    if isinstance(value, TEXTS):
        return value[:MOST_TEXT]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, type(1 << 70))):  # the second is long on Python 2
        return value if abs(value) < 1 << 62 else str(value)
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, complex):
        return [plain(value.real), plain(value.imag)]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")[:MOST_TEXT]
    if isinstance(value, (datetime.date, datetime.timedelta)):
        return str(value)
    if depth > MOST_DEPTH:
        return "..."
    inner = lambda items: [plain(item, depth + 1) for item in list(items)[:MOST_ITEMS]]
    if isinstance(value, dict):
        return {"items": sorted(([str(key), plain(item, depth + 1)] for key, item in list(value.items())[:MOST_ITEMS]), key=lambda pair: pair[0])}
    if isinstance(value, (list, tuple)):
        return inner(value)
    if isinstance(value, (set, frozenset)):
        return inner(sorted(value, key=str))
    kind = type(value).__module__.split(".")[0]
    if kind == "pandas":
        if hasattr(value, "columns"):
            return {"columns": inner(value.columns), "index": inner(value.index), "rows": [inner(row) for row in value.itertuples(index=False)]}
        if hasattr(value, "index") and hasattr(value, "values"):
            return {"index": inner(value.index), "values": inner(value.astype(object).values)}
        if hasattr(value, "tolist"):
            return inner(value.tolist())
        return str(value)
    if hasattr(value, "toarray"):
        value = value.toarray()
    if hasattr(value, "tolist"):
        return plain(value.tolist(), depth + 1)
    if hasattr(value, "numpy") and callable(value.numpy):
        return plain(value.numpy(), depth + 1)
    if isinstance(value, type):
        return "class"
    return type(value).__name__


def blame(error, trace, names):
    """The frames that lie in cells, in the form in which IPython shows them, and the first one's line."""
    lines, first = [], None
    frames = [(frame[0], frame[1]) for frame in traceback.extract_tb(trace)]
    if isinstance(error, SyntaxError) and error.filename in names:
        frames.append((error.filename, error.lineno))
    for name, number in frames:
        if name in names and number:
            first = first or number
            lines.append("----> %d %s" % (number, linecache.getline(name, number).rstrip()))
    return "\n".join(lines), first


def run(case):
    space = {"__name__": "__main__", "__builtins__": __builtins__}
    errors, names = [], {}
    for number, cell in enumerate(case["cells"]):
        name = "<cell-%d>" % number
        names[name] = number
        linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
        try:
            exec(compile(cell, name, "exec"), space)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            trace, line = blame(error, sys.exc_info()[2], names)
            try:
                message = str(error)
            except Exception:
                message = ""
            errors.append({"cell": number, "ename": type(error).__name__, "evalue": message[:MOST_TEXT], "traceback": trace[:MOST_TEXT], "line": line})
    report = {"errors": errors, "value": None}
    if case["value"] in space:
        try:
            report["value"] = {"is": plain(space[case["value"]])}
        except Exception as error:
            report["value"] = {"is": "unreadable: " + type(error).__name__}
    return report


def child(case, pipe):
    os.setsid()
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    quiet = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(quiet, number)
    try:
        text = json.dumps(run(case))
    except BaseException as error:
        text = json.dumps({"died": "the report could not be written: " + type(error).__name__})
    with os.fdopen(pipe, "w") as out:
        out.write(text)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


class Pool:
    """Children that run at the same time."""

    def __init__(self, seconds, out):
        self.seconds, self.out, self.running = seconds, out, {}

    def start(self, case):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            child(case, writing)
        os.close(writing)
        self.running[reading] = [pid, case["number"], CLOCK() + self.seconds, b""]

    def wait(self):
        ready, _, _ = select.select(list(self.running), [], [], 0.2)
        for pipe in ready:
            chunk = os.read(pipe, 1 << 16)
            self.running[pipe][3] += chunk
            if not chunk:
                self.finish(pipe, "the process died")
        now = CLOCK()
        for pipe in [pipe for pipe, entry in self.running.items() if entry[2] < now]:
            self.finish(pipe, "out of time")

    def finish(self, pipe, why):
        pid, number, _, text = self.running.pop(pipe)
        os.close(pipe)
        try:
            os.killpg(pid, signal.SIGKILL)
        except OSError:
            pass
        os.waitpid(pid, 0)
        try:
            report = json.loads(text.decode())
        except ValueError:
            report = {"died": why}
        report["number"] = number
        self.out.write(json.dumps(report) + "\n")
        self.out.flush()


def run_round(cases, seconds, jobs, out):
    pool = Pool(seconds, out)
    for case in cases:
        while len(pool.running) >= jobs:
            pool.wait()
        pool.start(case)
    while pool.running:
        pool.wait()


def serve(task, asked, place):
    """Rounds of cases as they come, after imports that all of them share; ended from outside."""
    for module in task["preload"]:
        try:
            importlib.import_module(module)
        except Exception as error:
            print("cannot import", module, error)
    if hasattr(gc, "freeze"):
        gc.freeze()
    number = 0
    while True:
        name = os.path.join(asked, "cases-%d.json" % number)
        while not os.path.exists(name):
            time.sleep(0.01)
        with open(name) as file:
            cases = json.load(file)
        reports = os.path.join(place, "reports-%d.jsonl" % number)
        with open(reports + ".part", "w") as out:
            run_round(cases, task["seconds"], task["jobs"], out)
        os.rename(reports + ".part", reports)
        number += 1


def main():
    with open(sys.argv[1]) as file:
        task = json.load(file)
    os.chdir("/tmp")
    import warnings
    warnings.simplefilter("ignore")
    # An import can end the process that it happens in: then there are no reports, and that is no fault of ours.
    pid = os.fork()
    if pid == 0:
        serve(task, sys.argv[2], os.path.dirname(os.path.abspath(sys.argv[1])))
    os.waitpid(pid, 0)


main()
