"""Which dotted names can be imported, or read as attributes, in this environment: one a line in there.txt.

Argument: a JSON file {"names": [...]}. The names of one library are asked in a process of their own, so that a crash costs no others.
"""
import importlib
import json
import os
import signal
import sys
import warnings

SECONDS = 240  # a library; names that are not reached by then are not said to be there


def is_there(name):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except BaseException:
            continue
        try:
            for part in parts[length:]:
                found = getattr(found, part)
        except BaseException:
            return False
        return True
    return False


def ask(names, place):
    signal.alarm(SECONDS)
    warnings.simplefilter("ignore")
    with open(place, "a") as out:
        for name in names:
            if is_there(name):
                out.write(name + "\n")
                out.flush()


def main():
    with open(sys.argv[1]) as file:
        names = json.load(file)["names"]
    place = os.path.join(os.path.dirname(os.path.abspath(sys.argv[1])), "there.txt")
    os.chdir("/tmp")
    by_library = {}
    for name in names:
        by_library.setdefault(name.split(".")[0], []).append(name)
    for library in sorted(by_library):
        pid = os.fork()
        if pid == 0:
            try:
                ask(by_library[library], place)
            finally:
                os._exit(0)
        os.waitpid(pid, 0)


main()
