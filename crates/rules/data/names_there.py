"""Which dotted names can be imported, or read as attributes, in this environment: one a line in there.txt.

Argument: a JSON file {"names": [...]}. `a.b.` asks whether `a.b` is a module, `a.b(c)` whether it takes a keyword `c` by its own name,
`a.b(c=word)` whether scikit-learn's list of what it takes has the word. The names of one library are asked in a process of their own, so that a crash costs no others.
"""
import importlib
import inspect
import json
import os
import signal
import sys
import warnings

SECONDS = 240  # a library; names that are not reached by then are not said to be there


def find(name):
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except BaseException:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise ImportError(name)


def takes(callee, parameter, word):
    if not word:
        known = inspect.signature(callee).parameters.get(parameter)
        return known is not None and known.kind in (known.POSITIONAL_OR_KEYWORD, known.KEYWORD_ONLY)
    lists = getattr(callee, "_parameter_constraints", None) or callee._skl_parameter_constraints
    return any(word in option.options for option in lists[parameter] if hasattr(option, "options"))


def is_there(name):
    try:
        if name.endswith(")"):
            callee, _, argument = name[:-1].partition("(")
            parameter, _, word = argument.partition("=")
            return takes(find(callee), parameter, word)
        if name.endswith("."):
            return inspect.ismodule(find(name[:-1]))
        find(name)
        return True
    except BaseException:
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
