"""Carries code cells over with tools that others keep: fissix from Python 2 to 3, ruff over the changes of numpy.

Reads task.json beside it: `fissix` and `ruff` are lists of cells, `unsafe` says whether ruff may use names that only
numpy 2 has. Writes result.json with two lists as long as those, `null` where a tool cannot read a cell or leaves it as it
is. Nothing of the cells is executed.
"""

import json
import pathlib
import subprocess
import sys

from fissix import refactor

HERE = pathlib.Path(__file__).resolve().parent
NUMPY = "NPY001,NPY003,NPY201"


def carried_over(source, tools):
    """The cell in Python 3; print is a statement for the first tool and a function for the second."""
    for tool in tools:
        try:
            tree = tool.refactor_string(source.rstrip("\n") + "\n", "cell")
        # Not only its ParseError: a fixer that stumbles over a cell costs that cell alone.
        except Exception:
            continue
        # It wants a line break at the end, which the cell may not have.
        ending = source[len(source.rstrip("\n")) :]
        return str(tree).rstrip("\n") + ending if tree is not None and tree.was_changed else None
    return None


def fissix(sources):
    fixers = refactor.get_fixers_from_package("fissix.fixes")
    tools = [refactor.RefactoringTool(fixers, {"print_function": function}) for function in (False, True)]
    for tool in tools:
        tool.log_error = tool.log_message = tool.log_debug = lambda *words, **options: None
    return [carried_over(source, tools) for source in sources]


def ruff(sources, unsafe):
    """All cells as one notebook, for an import in one of them binds its name in the others."""
    book = HERE / "cells.ipynb"
    cells = [{"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": text} for text in sources]
    book.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}))
    command = [pathlib.Path(sys.executable).with_name("ruff"), "check", "--isolated", "--no-cache", "--quiet"]
    command += ["--select", NUMPY, "--fix", *(["--unsafe-fixes"] if unsafe else []), book]
    # Its exit code is 1 when something is left to do; what it could not read it left as it was.
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = ["".join(cell["source"]) for cell in json.loads(book.read_text())["cells"]]
    return [new if new != old else None for old, new in zip(sources, after)]


def main():
    task = json.loads((HERE / "task.json").read_text())
    result = {"fissix": fissix(task["fissix"]), "ruff": ruff(task["ruff"], task["unsafe"]) if task["ruff"] else []}
    (HERE / "result.json").write_text(json.dumps(result))


main()
