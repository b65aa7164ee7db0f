"""Validates notebooks by nbformat, all in one process, as strictly as it can: of files that are named, or of texts on standard
input, each as a JSON string on a line of its own. Says which is not valid and why, and ends with 1 at the first.

nbformat repairs some faults of ids with a warning only: warnings are errors here. Every twentieth notebook is shown to the slower of
its two validators as well, which is the one that people without fastjsonschema have.
"""
import json
import sys
import warnings

import nbformat
from nbformat import validator

warnings.simplefilter("error")


def check(text, name, thoroughly):
    """Ends the program when a notebook is not valid."""
    notebook = json.loads(text)
    try:
        assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5), "not of format 4.5"
        nbformat.validate(notebook, version=4, version_minor=5, relax_add_props=False)
        if thoroughly:
            slow = validator.get_validator(4, 5, relax_add_props=False, name="jsonschema")
            for error in slow.iter_errors(notebook):
                raise error
    except Exception as error:
        sys.exit(f"{name} is not valid: {error!r}\n{text}")


named = sys.argv[1:]
for path in named:
    with open(path, encoding="utf-8") as file:
        check(file.read(), path, True)
for number, line in enumerate(() if named else sys.stdin):
    check(json.loads(line), f"notebook {number}", number % 20 == 0)
