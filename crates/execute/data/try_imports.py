"""Imports modules in order and reports how each went. Runs on Python 2.7 and 3.

Arguments: a marker, a JSON file with a list of {"module", "names"}, folders that come last on the path.
Each report is one line on standard output: the marker, a blank, JSON.
"""
import io
import json
import linecache
import os
import re
import sys

FRAMES = 60
CAUSES = 8
TEXT = 2000
DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*\Z", re.UNICODE)


def text(value):
    try:
        value = str(value)
    except Exception:
        value = repr(type(value))
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return value[:TEXT]


def frames(error, trace):
    found = []
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        line = linecache.getline(name, trace.tb_lineno).strip()
        found.append({"file": text(name), "line": text(line)})
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        found.append({"file": text(error.filename), "line": text((error.text or "").strip())})
    return [frame for frame in found if frame["file"] != __file__ and frame["file"] != "<import>"][-FRAMES:]


def raised(error, trace):
    chain = []
    while error is not None and len(chain) < CAUSES:
        chain.append({"exception": type(error).__name__, "message": text(error), "frames": frames(error, trace)})
        suppressed = getattr(error, "__suppress_context__", False)
        error = getattr(error, "__cause__", None) or (None if suppressed else getattr(error, "__context__", None))
        trace = getattr(error, "__traceback__", None)
    return chain


def attempt(wanted):
    module, names = wanted["module"], wanted["names"]
    for word in [module] + [name for name in names if name != "*"]:
        if not DOTTED.match(word):
            raise ValueError("not a name: " + word)
    code = "from " + module + " import " + ", ".join(names) if names else "import " + module
    exec(compile(code, "<import>", "exec"), {"__name__": "__main__"})


def main():
    marker, imports = sys.argv[1], sys.argv[2]
    sys.path[0:1] = [""]
    sys.path.extend(sys.argv[3:])
    with io.open(imports, encoding="utf-8") as file:
        imports = json.load(file)
    # The reports go where standard output went; what modules print goes nowhere.
    reports = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    sys.argv[1:] = []

    def report(content):
        reports.write((marker + " " + json.dumps(content) + "\n").encode("ascii"))
        reports.flush()

    for at, wanted in enumerate(imports):
        report({"begin": at})
        try:
            attempt(wanted)
            report({"at": at, "raised": []})
        except BaseException as error:
            report({"at": at, "raised": raised(error, sys.exc_info()[2])})
    report({"end": len(imports)})
    # Not the usual way: threads and exit handlers of what was imported have nothing to say any more.
    os._exit(0)


main()
